//! How many threads a scene deserves.

use super::RunOptions;
use esker::Scene;
use esker::insert::{Amount, Placement, Source};
use esker::stage::Change;

/// Particles that keep a thread busy between two meetings with the others. Fewer, and threads
/// mostly wait: on a machine with other work, small scenes ran ten times slower with two.
const PARTICLES_PER_THREAD: usize = 1000;

/// One thread for each thousand particles, at most one for each core. Never changes a result.
pub fn suitable(scene: &Scene) -> usize {
    let total = expected_particles(scene).unwrap_or(usize::MAX);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (total / PARTICLES_PER_THREAD).clamp(1, cores)
}

/// The same for one of several ranks, each with its part of the particles and of the cores.
pub(super) fn on_rank(scene: &Scene, options: &RunOptions) -> usize {
    let ranks = options.ranks.max(1);
    let total = expected_particles(scene).unwrap_or(usize::MAX);
    let cores = match options.cores {
        0 => std::thread::available_parallelism().map_or(1, usize::from) / ranks,
        given => given,
    };
    (total / PARTICLES_PER_THREAD / ranks).clamp(1, cores.max(1))
}

/// All particles that a scene will have had; none if a source does not say.
pub fn expected_particles(scene: &Scene) -> Option<usize> {
    let staged = scene.stages.iter().flat_map(|stage| &stage.changes);
    let inserted = staged.filter_map(|change| match change {
        Change::Insert(source) => Some(source),
        _ => None,
    });
    let mut sources = scene.particles.iter().chain(inserted);
    sources.try_fold(0, |sum: usize, source| Some(sum.saturating_add(expected(source)?)))
}

/// Particles that a source will have brought; none if it does not say.
pub(super) fn expected(source: &Source) -> Option<usize> {
    Some(match &source.placement {
        Placement::List(list) => list.len(),
        Placement::Random { amount: Amount::Count(count), .. }
        | Placement::Grow { amount: Amount::Count(count), .. } => *count,
        Placement::Lattice { count: Some(count), .. } => *count,
        Placement::Stream { count: Some(count), .. } => *count,
        _ => return None,
    })
}
