//! Range of the neighbour list required by updates of the time step: every pair that can meet
//! before the next update must be in the list, independent of its skin.

use crate::Vec3;
use crate::particles::HotData;

/// Skin of a new list as a multiple of the skin required by an update. A list for two updates would have twice the
/// skin, and its additional pairs would cost more than a rebuild.
const MARGIN: f64 = 1.01;

/// Time until the next update, and largest speeds of particles and walls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Horizon {
    /// Time until the next update, with a margin [s]; zero if no update needs the list.
    pub time: f64,
    /// Reference velocity of the speeds [m/s].
    pub reference: Vec3,
    /// Speed of walls at rest relative to it [m/s].
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

    /// An upper bound of the contribution of a particle to the gap that closes within the
    /// horizon [m].
    #[inline(always)]
    pub(crate) fn travel(&self, record: &HotData) -> f64 {
        let speed = (Vec3::from_array(record.velocity) - self.reference).length();
        self.travel_at(speed)
    }

    /// The same for a particle with this speed relative to the reference [m].
    #[inline(always)]
    pub(crate) fn travel_at(&self, speed: f64) -> f64 {
        self.time * (speed + self.drift + 2.0 * self.acceleration * self.time)
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

    /// Smallest skin of moving walls in a new list [m].
    pub(crate) fn wall_skin(&self) -> f64 {
        MARGIN * self.wall
    }
}
