//! `esker new`.

use crate::arguments;
use crate::builtin;
use crate::failure::{Failure, print_line, say};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

/// Writes a new scene file; an existing one is not changed.
pub fn new(arguments: &arguments::New) -> Result<(), Failure> {
    let Some(template) = builtin::find(&arguments.from) else {
        let message = format!("there is no built-in scene `{}`", arguments.from);
        return Err(Failure::input(message).help(builtin::suggestion(&arguments.from)));
    };
    let mut path = PathBuf::from(&arguments.name);
    if path.extension().is_none() {
        path.set_extension("toml");
    }
    let shown = path.display().to_string();
    let mut options = std::fs::OpenOptions::new();
    let file = options.write(true).create_new(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(template.text.as_bytes()));
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            Failure::input(format!("`{shown}` exists already")).help("choose another name")
        }
        _ => Failure::input(format!("cannot write `{shown}`: {error}")),
    })?;
    say(format_args!(
        "edit it, check it with `esker check {shown}`, run it with `esker run {shown}`\n"
    ));
    print_line(&shown)
}
