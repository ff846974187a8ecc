//! Scenes that are part of the program, and how the user names scenes.

use crate::{Diagnostics, SceneText, plain_file, suggestion as suggest};
use std::path::{Path, PathBuf};

/// A scene that is part of the program.
#[derive(Debug, Clone, Copy)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! builtin {
    ($name:literal) => {
        Builtin { name: $name, text: include_str!(concat!("../scenes/", $name, ".toml")) }
    };
}

/// All built-in scenes; the first is the default. Scenes that need additional files are only in the folder `scenes`.
static SCENES: [Builtin; 9] = [
    builtin!("pile"),
    builtin!("drum"),
    builtin!("hopper"),
    builtin!("brazil_nut"),
    builtin!("conveyor"),
    builtin!("billiards"),
    builtin!("bouncing_ball"),
    builtin!("heap"),
    builtin!("ledge"),
];

/// The scene that runs if none is given.
pub const DEFAULT: &str = "pile";

impl Builtin {
    /// Its description: the comment in its first line.
    pub fn about(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches('#').trim()
    }
}

/// All built-in scenes.
pub fn all() -> &'static [Builtin] {
    &SCENES
}

/// The built-in scene of this name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    SCENES.iter().find(|scene| scene.name == name)
}

/// The name of the built-in scene nearest to this one, and the names of all.
pub fn suggestion(name: &str) -> String {
    suggest(name, &SCENES.each_ref().map(|scene| scene.name), "built-in scenes")
}

/// One line for each scene.
pub fn listing() -> String {
    SCENES.iter().map(|scene| format!("{:<14} {}\n", scene.name, scene.about())).collect()
}

/// Reasons why a scene cannot be opened.
#[derive(Debug)]
pub enum OpenError {
    /// It is neither a file nor a built-in scene.
    Unknown {
        /// What was found instead.
        message: String,
        /// The names of the built-in scenes, the nearest first.
        help: String,
    },
    /// The file cannot be read.
    Unreadable(Diagnostics),
}

/// The text of a scene file or of a built-in scene, and a name for its folder.
pub fn open(scene: &str) -> Result<(String, SceneText), OpenError> {
    let path = Path::new(scene);
    if path.is_file() {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("scene");
        return Ok((stem.to_owned(), SceneText::open(path).map_err(OpenError::Unreadable)?));
    }
    if let Some(builtin) = find(scene) {
        let name = format!("{scene}.toml");
        let text = SceneText { name, text: builtin.text.to_owned(), base: PathBuf::new() };
        return Ok((scene.to_owned(), text));
    }
    let what = match path.metadata() {
        Ok(found) => {
            format!("is {}, not a scene file", plain_file::describe(&found.file_type()))
        }
        Err(_) => "is no file".to_owned(),
    };
    let message = format!("`{scene}` {what}, and no built-in scene has that name");
    Err(OpenError::Unknown { message, help: suggestion(scene) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_builtin_scene_says_what_it_shows_and_loads_without_warnings() {
        for scene in &SCENES {
            assert!(scene.about().len() > 20, "{}", scene.name);
            let (_, text) = open(scene.name).unwrap_or_else(|_| panic!("{}", scene.name));
            let loaded = text.load::<&str>(&[]).unwrap_or_else(|_| panic!("{}", scene.name));
            assert_eq!(loaded.render_warnings(false), "");
        }
    }
}
