//! Number of threads for a scene.

use super::RunOptions;
use esker::Scene;
use esker::insert::{Amount, Placement, Source};
use esker::stage::Change;

/// Particles per thread between two synchronisations. With fewer particles, threads mostly wait: on a machine with
/// other load, small scenes took ten times as long with two threads.
const PARTICLES_PER_THREAD: usize = 1000;

/// One thread per thousand particles, at most one per core. Never changes a result.
pub fn suitable(scene: &Scene) -> usize {
    let total = expected_particles(scene).unwrap_or(usize::MAX);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (total / PARTICLES_PER_THREAD).clamp(1, cores)
}

/// The same for one of several ranks, each with its fraction of the particles and of the cores.
pub(super) fn on_rank(scene: &Scene, options: &RunOptions) -> usize {
    let ranks = options.ranks.max(1);
    let total = expected_particles(scene).unwrap_or(usize::MAX);
    let cores = match options.cores {
        0 => std::thread::available_parallelism().map_or(1, usize::from) / ranks,
        given => given,
    };
    (total / PARTICLES_PER_THREAD / ranks).clamp(1, cores.max(1))
}

/// Total number of particles of a scene over the run; none if that of a source is unknown.
pub fn expected_particles(scene: &Scene) -> Option<usize> {
    let staged = scene.stages.iter().flat_map(|stage| &stage.changes);
    let inserted = staged.filter_map(|change| match change {
        Change::Insert(source) => Some(source),
        _ => None,
    });
    let mut sources = scene.particles.iter().chain(inserted);
    sources.try_fold(0, |sum: usize, source| Some(sum.saturating_add(expected(source)?)))
}

/// Number of particles that a source inserts over the run; none if unknown.
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
