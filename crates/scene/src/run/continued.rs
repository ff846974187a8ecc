//! Groups that come from a checkpoint of another run.

use super::RunError;
use super::checkpoint::Checkpoint;
use crate::Loaded;
use esker::insert::Placement;
use esker::{Error, Problem};
use std::sync::Arc;

/// Fills the empty lists of groups that say `insert = { from = … }`.
pub(super) fn fill(loaded: &mut Loaded) -> Result<(), RunError> {
    let mut problems = Vec::new();
    for from in &loaded.checkpoints {
        let path = |key: &str| format!("particles[{}].insert.{key}", from.source);
        match Checkpoint::read(&from.file) {
            Err(error) => problems.push(Problem::at(path("from"), error.to_string())),
            Ok(checkpoint) => {
                // driven and fixed particles belong to the other scene's walls
                let (spheres, inherited) = checkpoint.state.bed();
                if let Some(source) = loaded.scene.particles.get_mut(from.source) {
                    source.placement = Placement::List(spheres);
                    source.inherited = from.history.then(|| Arc::new(inherited));
                }
            }
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    Err(super::refused(loaded, &Error::Scene(problems)))
}
