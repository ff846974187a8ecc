//! How far the neighbour list must reach for an update of the time step: every pair that can meet
//! before the next update must be in the list, whatever its skin.

use crate::Vec3;
use crate::particles::HotData;

/// Skin of a new list as a multiple of what an update needs. A list that serves two updates would have
/// twice the skin, and the pairs in it that are not in contact cost more than a rebuild.
const MARGIN: f64 = 1.01;

/// Time until the next update, and how fast particles and walls are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Horizon {
    /// Time until the next update, with a margin [s]; zero if no update needs the list.
    pub time: f64,
    /// Velocity that speeds are measured against [m/s].
    pub reference: Vec3,
    /// Speed of walls that stand still against it [m/s].
    pub drift: f64,
    /// Largest acceleration by gravity and fields [m/s²].
    pub acceleration: f64,
    /// Largest distance that a particle travels [m].
    pub largest: f64,
    /// Largest distance that a moving wall travels [m].
    pub wall: f64,
}

impl Horizon {
    pub(crate) const NONE: Self = Self {
        time: 0.0,
        reference: Vec3::ZERO,
        drift: 0.0,
        acceleration: 0.0,
        largest: 0.0,
        wall: 0.0,
    };

    /// A bound of the part of a particle in the gap that closes within the horizon [m].
    #[inline(always)]
    pub(crate) fn travel(&self, record: &HotData) -> f64 {
        let speed = (Vec3::from_array(record.velocity) - self.reference).length();
        self.travel_at(speed)
    }

    /// The same for a particle of this speed against the reference [m].
    #[inline(always)]
    pub(crate) fn travel_at(&self, speed: f64) -> f64 {
        self.time * (speed + self.drift + 2.0 * self.acceleration * self.time)
    }

    /// Least skin of a particle in a new list [m].
    #[inline(always)]
    pub(crate) fn skin(&self, record: &HotData) -> f64 {
        if self.time > 0.0 { MARGIN * self.travel(record) } else { 0.0 }
    }

    /// Largest of these skins [m].
    pub(crate) fn largest_skin(&self) -> f64 {
        MARGIN * self.largest
    }

    /// Least skin of moving walls in a new list [m].
    pub(crate) fn wall_skin(&self) -> f64 {
        MARGIN * self.wall
    }
}
