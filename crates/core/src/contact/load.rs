//! Loading: from records of particles to the columns of a chunk.

use crate::geometry::Partners;
use crate::law::{Column, Contacts, WIDTH};
use crate::particles::{MeanMotion, Record};
use crate::simd::with_lines;

/// Periods and half periods along each axis; without a period nothing is ever beyond the half.
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
    pub(crate) fn nearest(&self, axis: usize, mut difference: f64) -> f64 {
        difference -= if difference > self.half[axis] { self.period[axis] } else { 0.0 };
        difference += if difference < -self.half[axis] { self.period[axis] } else { 0.0 };
        difference
    }
}

/// Eight lanes of a column.
#[inline(always)]
fn eight(column: &mut Column, block: usize) -> &mut [f64; 8] {
    &mut column.as_chunks_mut::<8>().0[block]
}

with_lines! {
    /// Loads the particles of a chunk of pairs. The normals are the differences of the centres
    /// then, and `approach` turns them into normals.
    pub(super) fn load_pairs<Set: Lines>(
        records: &[Record],
        slots: [&[u32]; 2],
        partners: &mut Partners,
        contacts: &mut Contacts,
    ) {
        for block in 0..WIDTH / 8 {
            let mut places = [[[0.0; 8]; 3]; 2];
            let mut velocities = [[[0.0; 8]; 3]; 2];
            for body in 0..2 {
                let [x, y, z] = &mut places[body];
                let [vx, vy, vz] = &mut velocities[body];
                let [wx, wy, wz] = &mut partners.spin[body];
                let [wx, wy, wz] = [eight(wx, block), eight(wy, block), eight(wz, block)];
                let radius = eight(&mut contacts.radius[body], block);
                let inverse_mass = eight(&mut contacts.inverse_mass[body], block);
                let inverse_inertia = eight(&mut contacts.inverse_inertia[body], block);
                let slots = &slots[body].as_chunks::<8>().0[block];
                let lines = |place: usize| records[slots[place] as usize].as_lines();
                // SAFETY: `Set` is one that the machine has.
                unsafe {
                    Set::to_columns(|place| &lines(place)[0], [x, y, z, radius]);
                    Set::to_columns(|place| &lines(place)[1], [vx, vy, vz, inverse_mass]);
                    Set::to_columns(|place| &lines(place)[2], [wx, wy, wz, inverse_inertia]);
                }
            }
            for axis in 0..3 {
                let difference = eight(&mut contacts.normal[axis], block);
                let velocity = eight(&mut partners.velocity[axis], block);
                for lane in 0..8 {
                    difference[lane] = places[1][axis][lane] - places[0][axis][lane];
                    velocity[lane] = velocities[0][axis][lane] - velocities[1][axis][lane];
                }
            }
        }
    }
}

/// Loads the mean motion of the particles of a chunk of pairs.
pub(super) fn load_motions(motions: &[MeanMotion], slots: [&[u32]; 2], partners: &mut Partners) {
    for lane in 0..WIDTH {
        let [first, second] = slots.map(|slots| &motions[slots[lane] as usize]);
        for axis in 0..3 {
            partners.mean_velocity[axis][lane] = first.velocity[axis] - second.velocity[axis];
            partners.mean_spin[0][axis][lane] = first.spin[axis];
            partners.mean_spin[1][axis][lane] = second.spin[axis];
        }
    }
}
