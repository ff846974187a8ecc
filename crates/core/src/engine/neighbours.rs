//! The neighbour list and the skins of particles and walls.

use crate::contact_state::touched::Touched;
use crate::neighbour::list::NeighbourList;
use crate::partition::Partition;
use crate::search::SearchOptions;
use crate::search::horizon::Horizon;
use crate::search::skin::Skins;

/// The neighbour list with the skins for which it is valid.
#[derive(Debug)]
pub(crate) struct Neighbours {
    pub(super) list: NeighbourList,
    /// Division of the list among threads.
    pub(super) partition: Partition,
    /// Particles in contact.
    pub(super) touched: Touched,
    pub(super) search: SearchOptions,
    pub(super) skins: Skins,
    /// Skins of walls that are not made of particles, and of those that are [m].
    pub(super) wall_skins: [f64; 2],
    /// Skin of walls at rest [m].
    pub(super) still_skin: f64,
    /// Range of the list required by updates of the time step.
    pub(super) horizon: Horizon,
    /// Skin that a trial state requires; zero otherwise [m].
    pub(super) skin_needed: f64,
    pub(super) statistics: Statistics,
    /// Fraction of Δt² a in the displacement that the integrator predicts.
    pub(super) predicted_fraction: f64,
}

/// Counts of rebuilds, steps and evaluations.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, RADIUS};
/// use esker::prelude::*;
///
/// # let grains = vec![Sphere::new(RADIUS, Vec3::ZERO)];
/// let mut simulation = simulation(ContactModel::normal(Hertz::default()), Pair::new(), grains);
/// let before = simulation.statistics();
/// simulation.step()?;
/// assert_eq!(simulation.statistics().evaluations, before.evaluations + 1);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Rebuilds of the neighbour list.
    pub rebuilds: u64,
    /// Steps since the last rebuild.
    pub steps_since_rebuild: u64,
    /// Force evaluations.
    pub evaluations: u64,
}

impl Neighbours {
    /// No list yet, in a scene with this largest radius [m].
    pub(crate) fn new(search: SearchOptions, predicted_fraction: f64, largest_radius: f64) -> Self {
        Self {
            list: NeighbourList::default(),
            partition: Partition::default(),
            touched: Touched::default(),
            search,
            skins: Skins::new(largest_radius),
            wall_skins: [0.0; 2],
            still_skin: 0.0,
            horizon: Horizon::NONE,
            skin_needed: 0.0,
            statistics: Statistics::default(),
            predicted_fraction,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.list.bytes() + self.partition.bytes() + self.touched.bytes()
    }

    /// Number of pairs in the list that are in contact at the accepted state.
    pub(super) fn contacts(&self) -> usize {
        self.list.accepted.iter().filter(|&&index| index > 0).count()
    }
}
