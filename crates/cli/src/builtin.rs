//! Scenes named on the command line.

use crate::failure::Failure;
use esker_scene::builtin::OpenError;
pub use esker_scene::builtin::{DEFAULT, find, listing, suggestion};
use esker_scene::{Loaded, SceneText};

/// The text of a scene file or of a built-in scene, and a name for its folder.
pub fn open(scene: &str) -> Result<(String, SceneText), Failure> {
    esker_scene::builtin::open(scene).map_err(|error| match error {
        OpenError::Unknown { message, help } => Failure::input(message).help(help),
        OpenError::Unreadable(diagnostics) => diagnostics.into(),
    })
}

/// The keys and values of `--set`.
pub fn pairs(changes: &[String]) -> Result<Vec<(&str, &str)>, Failure> {
    let pair = |change: &String| {
        Failure::input(format!("`--set {change}` is not KEY=VALUE"))
            .help("for example `--set time.step=1e-6`")
    };
    changes.iter().map(|change| change.split_once('=').ok_or_else(|| pair(change))).collect()
}

/// Reads a scene file or a built-in scene with overrides, and returns a name for its
/// folder.
pub fn load(scene: &str, changes: &[String]) -> Result<(String, Loaded), Failure> {
    let pairs = pairs(changes)?;
    let (name, text) = open(scene)?;
    Ok((name, text.load(&pairs)?))
}
