//! Groups that come from a checkpoint of another run.

use super::RunError;
use super::checkpoint::Checkpoint;
use crate::Loaded;
use esker::insert::{Placement, Sphere};
use esker::{Error, Problem};

/// Fills the empty lists of groups that say `insert = { from = … }`.
pub(super) fn fill(loaded: &mut Loaded) -> Result<(), RunError> {
    let mut problems = Vec::new();
    for from in &loaded.checkpoints {
        let path = |key: &str| format!("particles[{}].insert.{key}", from.source);
        if from.history {
            let message = "the history of contacts cannot be taken over yet";
            let help = "`history = false` starts with fresh contacts at the same places";
            problems.push(Problem::at(path("history"), message).help(help));
            continue;
        }
        match Checkpoint::read(&from.file) {
            Err(error) => problems.push(Problem::at(path("from"), error.to_string())),
            Ok(checkpoint) => {
                // Driven and fixed particles belong to the other scene's walls.
                let free = checkpoint.state.particles.iter().filter(|saved| saved.mass.is_finite());
                let spheres = free.map(|saved| Sphere {
                    position: saved.position.into(),
                    radius: saved.radius,
                    velocity: saved.velocity.into(),
                    spin: saved.spin.into(),
                });
                if let Some(source) = loaded.scene.particles.get_mut(from.source) {
                    source.placement = Placement::List(spheres.collect());
                }
            }
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    Err(super::refused(loaded, &Error::Scene(problems)))
}
