//! Range of the neighbour list required by updates of the time step: every pair that can meet
//! before the next update must be in the list, independent of its skin.

use crate::Vec3;
use crate::particles::HotData;

/// Skin of a new list as a multiple of the skin required by an update. A list for two updates would have twice the
/// skin, and its additional pairs would cost more than a rebuild.
const MARGIN: f64 = 1.01;

/// The same for the skin of walls, which is the same for all particles near a wall: it grows with the square of the time
/// to the next update, and a wall has few neighbours.
const WALL_MARGIN: f64 = 1.2;

/// Time until the next update, and largest speeds of particles and walls.
///
/// Two free particles fall with the same acceleration, so that only their velocities close the gap between them. Walls
/// and held particles do not fall: the range of the list contains the acceleration once, on their side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Horizon {
    /// Time until the next update, with a margin [s]; zero if no update needs the list.
    pub time: f64,
    /// Reference velocity of the speeds [m/s].
    pub reference: Vec3,
    /// Closing of the gap between a free particle and a partner that does not fall, by the largest acceleration [m].
    pub fall: f64,
    /// Closing of the gap between two free particles by different accelerations, halved; zero without fields [m].
    pub spread: f64,
    /// Largest distance that a particle travels [m].
    pub largest: f64,
    /// Largest distance by which a wall approaches, relative to the reference and to falling particles [m].
    pub wall: f64,
}

impl Horizon {
    pub(crate) const NONE: Self =
        Self { time: 0.0, reference: Vec3::ZERO, fall: 0.0, spread: 0.0, largest: 0.0, wall: 0.0 };

    /// An upper bound of the contribution of a particle to the gap that closes within the
    /// horizon [m].
    #[inline(always)]
    pub(crate) fn travel(&self, record: &HotData) -> f64 {
        let speed = (Vec3::from_array(record.velocity) - self.reference).length();
        let accelerated = if record.inverse_mass > 0.0 { self.spread } else { self.fall };
        self.time * speed + accelerated
    }

    /// Smallest skin of a particle in a new list [m].
    #[inline(always)]
    pub(crate) fn skin(&self, record: &HotData) -> f64 {
        if self.time > 0.0 { MARGIN * self.travel(record) } else { 0.0 }
    }

    /// Largest of these skins [m].
    pub(crate) fn largest_skin(&self) -> f64 {
        MARGIN * self.largest
    }

    /// Smallest skin of walls in a new list [m].
    pub(crate) fn wall_skin(&self) -> f64 {
        WALL_MARGIN * self.wall
    }
}
