//! Loading: from records of particles to the columns of a chunk.

use crate::geometry::{Partners, separate};
use crate::law::{Contacts, WIDTH};
use crate::particles::{MeanMotion, Record};
use crate::simd::vectorise_rows;

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

/// Loads the particles of a chunk of pairs.
pub(crate) fn load_pairs(
    records: &[Record],
    pairs: &[[u32; 2]; WIDTH],
    images: &Images,
    partners: &mut Partners,
    contacts: &mut Contacts,
) {
    transpose(records, pairs, partners, contacts);
    separate(contacts, &images.period, &images.half);
}

/// Loads the mean motion of the particles of a chunk of pairs.
pub(crate) fn load_motions(
    motions: &[MeanMotion],
    pairs: &[[u32; 2]; WIDTH],
    partners: &mut Partners,
) {
    for lane in 0..WIDTH {
        let [first, second] = pairs[lane].map(|slot| &motions[slot as usize]);
        for axis in 0..3 {
            partners.mean_velocity[axis][lane] = first.velocity[axis] - second.velocity[axis];
            partners.mean_spin[0][axis][lane] = first.spin[axis];
            partners.mean_spin[1][axis][lane] = second.spin[axis];
        }
    }
}

vectorise_rows! {
    fn transpose(records: &[Record], pairs: &[[u32; 2]; WIDTH], partners: &mut Partners, contacts: &mut Contacts) {
        for lane in 0..WIDTH {
            let [first, second] = pairs[lane].map(|slot| &records[slot as usize]);
            for axis in 0..3 {
                contacts.normal[axis][lane] = second.position[axis] - first.position[axis];
                partners.velocity[axis][lane] = first.velocity[axis] - second.velocity[axis];
            }
            partners.set_body(contacts, 0, lane, first);
            partners.set_body(contacts, 1, lane, second);
        }
    }
}
