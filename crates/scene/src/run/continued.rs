//! Groups that come from a checkpoint of another run.

use super::RunError;
use super::checkpoint::Checkpoint;
use crate::Loaded;
use esker::insert::Placement;
use esker::{Error, Problem};
use std::sync::Arc;

/// Fills the empty lists of groups with `insert = { from = … }`. A particle joins the group of the same name in this
/// scene; if several groups refer to one checkpoint, each takes the particles of its name, and the first takes the
/// others.
pub(super) fn fill(loaded: &mut Loaded) -> Result<(), RunError> {
    let mut problems = Vec::new();
    for from in &loaded.checkpoints {
        let path = |key: &str| format!("particles[{}].insert.{key}", from.source);
        match Checkpoint::read_bed(&from.file, loaded.received.as_deref()) {
            Err(error) => problems.push(Problem::at(path("from"), error.to_string())),
            Ok(state) => {
                let name = |index: usize| loaded.scene.particles[index].name.as_str();
                let same = loaded.checkpoints.iter().filter(|one| one.file == from.file);
                let sources: Vec<usize> = same.map(|one| one.source).collect();
                let bringer = |group: &str| {
                    let own = sources.iter().find(|source| name(**source) == group);
                    own.or(sources.first()).copied()
                };
                // driven and fixed particles belong to the walls of the other scene
                let (spheres, groups, inherited) =
                    state.bed_of(|group| bringer(group) == Some(from.source));
                let orientations =
                    state.orientations_of(|group| bringer(group) == Some(from.source));
                let known = 0..loaded.scene.particles.len();
                let member = |group: &&str| known.clone().find(|index| name(*index) == *group);
                let members: Vec<usize> =
                    groups.iter().map(|group| member(group).unwrap_or(from.source)).collect();
                if let Some(source) = loaded.scene.particles.get_mut(from.source) {
                    source.placement = Placement::List(spheres);
                    source.members = members;
                    source.orientations = orientations;
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
