//! A scene before its run, as one frame at time 0.

use crate::{SnapshotsFeed, ViewError};
use esker_scene::Loaded;
use esker_scene::run::{self, RunError};

/// Creates the feed of a scene file.
#[derive(Debug)]
pub struct SceneFeed;

impl SceneFeed {
    /// Builds the scene and shows its first state: positions, sizes, walls, groups.
    pub fn open(loaded: &Loaded, name: &str) -> Result<Result<SnapshotsFeed, ViewError>, RunError> {
        let simulation = run::build(loaded)?;
        let gravity = simulation.gravity().to_array();
        let snapshot = simulation.snapshot();
        let inserts_later = snapshot.particles.is_empty();
        let title = if loaded.scene.title.is_empty() { name } else { &loaded.scene.title };
        let feed = SnapshotsFeed::new(vec![snapshot], true, gravity, "scene")
            .map(|feed| feed.named(title, name));
        let note = "There is no particle at time 0: streams insert them during the run.";
        Ok(feed.map(|feed| if inserts_later { feed.note(note) } else { feed }))
    }
}
