//! Loads particles into the columns of a chunk.

use crate::chunk::{Column, Contacts, Partners, WIDTH};
use crate::parallel::UnsynchronisedReader;
use crate::particles::{HalfKick, HotData, MeanMotion};
use crate::simd::multiversion_transpose;

/// Eight lanes of a column.
#[inline(always)]
fn eight(column: &mut Column, block: usize) -> &mut [f64; 8] {
    &mut column.as_chunks_mut::<8>().0[block]
}

multiversion_transpose! {
    /// Loads the particles of a chunk of pairs.
    pub(crate) fn load_pairs<Set: Transpose>(
        set: Set,
        records: UnsynchronisedReader<'_, HotData>,
        slots: [&[u32; WIDTH]; 2],
        partners: &mut Partners,
        contacts: &mut Contacts,
    ) {
        for block in 0..WIDTH / 8 {
            let [x, y, z] = &mut partners.difference;
            let [vx, vy, vz] = &mut partners.velocity;
            let [[wx, wy, wz], [ox, oy, oz]] = &mut partners.spin;
            let [radius, other_radius] = &mut contacts.radius;
            let [inverse_mass, other_inverse_mass] = &mut contacts.inverse_mass;
            let columns = [
                eight(x, block),
                eight(y, block),
                eight(z, block),
                eight(radius, block),
                eight(vx, block),
                eight(vy, block),
                eight(vz, block),
                eight(inverse_mass, block),
                eight(wx, block),
                eight(wy, block),
                eight(wz, block),
                eight(other_radius, block),
                eight(ox, block),
                eight(oy, block),
                eight(oz, block),
                eight(other_inverse_mass, block),
            ];
            let first = &slots[0].as_chunks::<8>().0[block];
            let second = &slots[1].as_chunks::<8>().0[block];
            set.load_pairs8(
                |lane| records[first[lane] as usize].as_vectors(),
                |lane| records[second[lane] as usize].as_vectors(),
                columns,
            );
        }
    }
}

/// Loads the inverse moments of inertia, if a law needs them.
pub(crate) fn load_inertias(
    records: UnsynchronisedReader<'_, HotData>,
    slots: [&[u32; WIDTH]; 2],
    contacts: &mut Contacts,
) {
    for (slots, column) in slots.iter().zip(&mut contacts.inverse_inertia) {
        for (inertia, &slot) in column.iter_mut().zip(slots.iter()) {
            *inertia = records[slot as usize].inverse_inertia;
        }
    }
}

multiversion_transpose! {
    /// Loads the kicks of the particles of a chunk of pairs.
    pub(crate) fn load_kicks<Set: Transpose>(
        set: Set,
        kicks: UnsynchronisedReader<'_, HalfKick>,
        slots: [&[u32; WIDTH]; 2],
        partners: &mut Partners,
    ) {
        for block in 0..WIDTH / 8 {
            let [first, second] = slots.map(|slots| &slots.as_chunks::<8>().0[block]);
            let first = |lane: usize| &kicks[first[lane] as usize];
            let second = |lane: usize| &kicks[second[lane] as usize];
            let (mut other, mut nothing) = ([[0.0; 8]; 3], [0.0; 8]);
            let [x, y, z] = &mut partners.kick;
            let own = [eight(x, block), eight(y, block), eight(z, block), &mut nothing];
            set.aos_to_soa(|lane| &first(lane).velocity, own);
            let [other_x, other_y, other_z] = &mut other;
            let others = [other_x, other_y, other_z, &mut nothing];
            set.aos_to_soa(|lane| &second(lane).velocity, others);
            for (column, other) in partners.kick.iter_mut().zip(&other) {
                for (value, other) in eight(column, block).iter_mut().zip(other) {
                    *value -= other;
                }
            }
            let [[x, y, z], [other_x, other_y, other_z]] = &mut partners.spin_kick;
            let own = [eight(x, block), eight(y, block), eight(z, block), &mut nothing];
            set.aos_to_soa(|lane| &first(lane).spin, own);
            let others =
                [eight(other_x, block), eight(other_y, block), eight(other_z, block), &mut nothing];
            set.aos_to_soa(|lane| &second(lane).spin, others);
        }
    }
}

/// Loads the mean motion of the particles of a chunk of pairs.
pub(crate) fn load_motions(
    motions: UnsynchronisedReader<'_, MeanMotion>,
    slots: [&[u32; WIDTH]; 2],
    partners: &mut Partners,
) {
    for lane in 0..WIDTH {
        let [first, second] = slots.map(|slots| &motions[slots[lane] as usize]);
        for axis in 0..3 {
            partners.mean_velocity[axis][lane] = first.velocity[axis] - second.velocity[axis];
            partners.mean_spin[0][axis][lane] = first.spin[axis];
            partners.mean_spin[1][axis][lane] = second.spin[axis];
        }
    }
}
