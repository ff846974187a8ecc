//! `esker check`: derived quantities of a scene, without running it.

use crate::arguments;
use crate::builtin;
use crate::failure::{Failure, colour, print, say, say_rendered};
use esker_scene::{check, run};

/// Loads, builds, shows derived quantities.
pub fn check(arguments: &arguments::Check) -> Result<(), Failure> {
    let (_, mut loaded) = builtin::load(&arguments.scene, &arguments.changes)?;
    loaded.scene.threads = run::suitable_threads(&loaded.scene);
    say_rendered(loaded.render_warnings(colour()));
    let mut simulation = run::build(&loaded)?;
    let checked = check::check(&loaded, &mut simulation);
    for warning in &checked.warnings {
        say(format_args!("warning: {warning}\n"));
    }
    print(&checked.text)?;
    match loaded.warnings.len() + checked.warnings.len() {
        warnings if warnings > 0 && arguments.strict => Err(Failure::strict(warnings)),
        _ => Ok(()),
    }
}
