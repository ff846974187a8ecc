//! The two partners of each contact of a chunk, as loaded.

use crate::law::{Column, Vector, WIDTH};
use crate::particles::Record;
use crate::simd::vectorise;

const ZERO: Column = [0.0; WIDTH];

/// What is loaded of the partners of a chunk. For a wall, the second partner is the material point
/// of the surface nearest to the particle.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(crate) struct Partners {
    /// From the first centre to the second, nearest image; turned into `normal` and `distance`.
    pub normal: Vector,
    pub distance: Column,
    /// Velocity of the first less that of the second.
    pub velocity: Vector,
    pub spin: [Vector; 2],
    pub radius: [Column; 2],
    pub inverse_radius: [Column; 2],
    pub inverse_mass: [Column; 2],
    pub inverse_inertia: [Column; 2],
}

impl Partners {
    pub(crate) const ZERO: Self = Self {
        normal: [ZERO; 3],
        distance: ZERO,
        velocity: [ZERO; 3],
        spin: [[ZERO; 3]; 2],
        radius: [ZERO; 2],
        inverse_radius: [ZERO; 2],
        inverse_mass: [ZERO; 2],
        inverse_inertia: [ZERO; 2],
    };

    /// Loads everything but the normal, distance and velocity of one partner of a lane.
    #[inline(always)]
    pub(crate) fn set_body(&mut self, body: usize, lane: usize, record: &Record) {
        for axis in 0..3 {
            self.spin[body][axis][lane] = record.spin[axis];
        }
        self.radius[body][lane] = record.radius;
        self.inverse_radius[body][lane] = record.inverse_radius;
        self.inverse_mass[body][lane] = record.inverse_mass;
        self.inverse_inertia[body][lane] = record.inverse_inertia;
    }
}

vectorise! {
    /// Turns differences of centres into unit normals and distances, for the nearest image.
    pub(crate) fn separate(partners: &mut Partners, period: &[f64; 3], half: &[f64; 3]) {
        for c in 0..WIDTH {
            let mut d = [partners.normal[0][c], partners.normal[1][c], partners.normal[2][c]];
            for axis in 0..3 {
                d[axis] -= if d[axis] > half[axis] { period[axis] } else { 0.0 };
                d[axis] += if d[axis] < -half[axis] { period[axis] } else { 0.0 };
            }
            let distance = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
            // coincident centres give a zero normal and no force; the overlap check reports them
            let inverse = 1.0 / distance.max(f64::MIN_POSITIVE);
            partners.distance[c] = distance;
            for axis in 0..3 {
                partners.normal[axis][c] = d[axis] * inverse;
            }
        }
    }
}
