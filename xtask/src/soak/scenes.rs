//! Scenes with streams, stages and meshes that move, as in the tests of the program.

#[path = "../../../crates/cli/tests/support/busy.rs"]
mod busy;

pub use busy::{BUSY, TRAY};

/// The busy scene shortened to a few hundred steps, with a few frames and checkpoints.
pub fn small() -> String {
    let changes = [
        ("end = { after = 0.08 }", "end = { after = 0.003 }"),
        ("end = { after = 0.06 }", "end = { after = 0.002 }"),
        ("end = { after = 0.04 }", "end = { after = 0.002 }"),
        ("frames = { every = 0.004 }", "frames = { every = 0.002 }"),
        ("contacts = { every = 0.05 }", "contacts = { every = 0.003 }"),
        ("checkpoint = { every = 0.003 }", "checkpoint = { every = 0.002 }"),
    ];
    changes.iter().fold(BUSY.to_owned(), |scene, (old, new)| scene.replacen(old, new, 1))
}
