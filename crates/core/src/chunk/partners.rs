//! The two partners of each contact of a chunk, as loaded.

use super::{Column, Vector, WIDTH};

const ZERO: Column = [0.0; WIDTH];

/// Data of the partners of a chunk in addition to [`super::Contacts`]. For a wall, the second
/// partner is the material point of the surface nearest to the particle.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(crate) struct Partners {
    /// Centre of the second minus that of the first, any periodic image; not used at walls.
    pub difference: Vector,
    /// Velocity of the first minus that of the second.
    pub velocity: Vector,
    pub spin: [Vector; 2],
    /// Mean velocity of the first minus that of the second, and mean spins, since the accepted state;
    /// only for integrators that provide them.
    pub mean_velocity: Vector,
    pub mean_spin: [Vector; 2],
    /// Change of the velocity of the first minus that of the second within half a step, and changes of both spins,
    /// zero for a partner without accurate slip; only if some particles have accurate slip.
    pub kick: Vector,
    pub spin_kick: [Vector; 2],
}

impl Partners {
    pub(crate) const ZERO: Self = Self {
        difference: [ZERO; 3],
        velocity: [ZERO; 3],
        spin: [[ZERO; 3]; 2],
        mean_velocity: [ZERO; 3],
        mean_spin: [[ZERO; 3]; 2],
        kick: [ZERO; 3],
        spin_kick: [[ZERO; 3]; 2],
    };
}

/// Periods and half periods along each axis; a missing period has an infinite half period.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Images {
    pub period: [f64; 3],
    pub half: [f64; 3],
}

impl Images {
    pub(crate) fn new(period: crate::Vec3) -> Self {
        let period = period.to_array();
        Self {
            period,
            half: period.map(|length| if length > 0.0 { 0.5 * length } else { f64::INFINITY }),
        }
    }

    /// The shortest of a difference of coordinates and those of the nearest images.
    #[inline(always)]
    pub(crate) fn nearest(&self, axis: usize, mut difference: f64) -> f64 {
        difference -= if difference > self.half[axis] { self.period[axis] } else { 0.0 };
        difference += if difference < -self.half[axis] { self.period[axis] } else { 0.0 };
        difference
    }
}
