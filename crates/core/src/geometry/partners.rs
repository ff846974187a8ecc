//! The two partners of each contact of a chunk, as loaded.

use super::lane;
use crate::chunk::{Column, Contacts, Vector, WIDTH};
use crate::simd::multiversion;

const ZERO: Column = [0.0; WIDTH];

/// What is loaded of the partners of a chunk beside what goes straight into [`Contacts`]. For a
/// wall, the second partner is the material point of the surface nearest to the particle.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(crate) struct Partners {
    /// Velocity of the first less that of the second.
    pub velocity: Vector,
    pub spin: [Vector; 2],
    /// Mean velocity of the first less that of the second, and mean spins, since the accepted state;
    /// only for integrators that give them.
    pub mean_velocity: Vector,
    pub mean_spin: [Vector; 2],
}

impl Partners {
    pub(crate) const ZERO: Self = Self {
        velocity: [ZERO; 3],
        spin: [[ZERO; 3]; 2],
        mean_velocity: [ZERO; 3],
        mean_spin: [[ZERO; 3]; 2],
    };

    /// The particles of a lane; the normal is the difference of their places still.
    #[inline(always)]
    pub(crate) fn couple(&self, contacts: &Contacts, c: usize) -> lane::PairInput {
        let vector = |columns: &Vector| [columns[0][c], columns[1][c], columns[2][c]];
        lane::PairInput {
            difference: vector(&contacts.normal),
            velocity: vector(&self.velocity),
            spins: [vector(&self.spin[0]), vector(&self.spin[1])],
            radii: [contacts.radius[0][c], contacts.radius[1][c]],
            inverse_masses: [contacts.inverse_mass[0][c], contacts.inverse_mass[1][c]],
        }
    }
}

multiversion! {
    /// Turns differences of centres, loaded as normals, into unit normals, and fills the columns that
    /// follow from places, velocities and spins of two particles, for the nearest image.
    pub(crate) fn approach(
        partners: &Partners,
        period: &[f64; 3],
        half: &[f64; 3],
        elapsed: f64,
        contacts: &mut Contacts,
    ) {
        for c in 0..WIDTH {
            let couple = partners.couple(contacts, c);
            let near = lane::approach(&couple, period, half, elapsed);
            for axis in 0..3 {
                contacts.normal[axis][c] = near.normal[axis];
            }
            contacts.distance[c] = near.distance;
            contacts.overlap[c] = near.overlap;
            contacts.overlap_fraction[c] = near.overlap_fraction;
            contacts.effective_radius[c] = near.effective_radius;
            contacts.effective_mass[c] = near.effective_mass;
            contacts.closing_speed[c] = near.closing_speed;
            contacts.since[c] =
                lane::since(near.overlap, near.closing_speed, near.inverse_speed, elapsed);
            let turn = lane::turn(near.normal, couple.velocity, near.closing_speed, near.inverse_distance, elapsed);
            for axis in 0..3 {
                contacts.turn[axis][c] = turn[axis];
            }
            [contacts.spun[0][c], contacts.spun[1][c]] = near.spun;
        }
    }
}
