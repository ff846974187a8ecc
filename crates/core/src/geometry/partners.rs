//! The two partners of each contact of a chunk, as loaded.

use super::lane;
use crate::law::{Column, Contacts, Vector, WIDTH};
use crate::particles::Record;
use crate::simd::vectorise;

const ZERO: Column = [0.0; WIDTH];

/// What is loaded of the partners of a chunk beside what goes straight into [`Contacts`]. For a
/// wall, the second partner is the material point of the surface nearest to the particle.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(crate) struct Partners {
    /// Velocity of the first less that of the second.
    pub velocity: Vector,
    pub spin: [Vector; 2],
    pub inverse_radius: [Column; 2],
    /// Mean velocity of the first less that of the second, and mean spins, since the accepted state;
    /// only for integrators that give them.
    pub mean_velocity: Vector,
    pub mean_spin: [Vector; 2],
}

impl Partners {
    pub(crate) const ZERO: Self = Self {
        velocity: [ZERO; 3],
        spin: [[ZERO; 3]; 2],
        inverse_radius: [ZERO; 2],
        mean_velocity: [ZERO; 3],
        mean_spin: [[ZERO; 3]; 2],
    };

    /// Loads everything but normal, distance and velocity of one partner of a lane.
    #[inline(always)]
    pub(crate) fn set_body(
        &mut self,
        contacts: &mut Contacts,
        body: usize,
        lane: usize,
        record: &Record,
    ) {
        for axis in 0..3 {
            self.spin[body][axis][lane] = record.spin[axis];
        }
        self.inverse_radius[body][lane] = record.inverse_radius;
        contacts.radius[body][lane] = record.radius;
        contacts.inverse_mass[body][lane] = record.inverse_mass;
        contacts.inverse_inertia[body][lane] = record.inverse_inertia;
    }
}

vectorise! {
    /// Turns differences of centres, loaded as normals, into unit normals and distances, for the
    /// nearest image.
    pub(crate) fn separate(contacts: &mut Contacts, period: &[f64; 3], half: &[f64; 3]) {
        for c in 0..WIDTH {
            let difference = [contacts.normal[0][c], contacts.normal[1][c], contacts.normal[2][c]];
            let separation = lane::separation(difference, period, half);
            contacts.distance[c] = separation.distance;
            for axis in 0..3 {
                contacts.normal[axis][c] = separation.normal[axis];
            }
        }
    }
}
