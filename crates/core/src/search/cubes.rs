//! The cube search of Bandeira & Zohdi: cubes with the smallest diameter as side, and for each
//! particle a block of cubes whose size follows from its own and the largest diameter.
//!
//! B(125), B(126) and Table 14. B(126) is rounded up: for mixed sizes it is not an integer, and truncation misses
//! contacts (docs/errata.md E17). Cubes hold any number of particles, whereas B's limit of eight particles can be
//! exceeded by soft spheres. For comparison of cost; for large size ratios it visits many empty cubes.
//! a few it visits many empty cubes.

use super::{Lattice, Layers, SlotRange};
use crate::domain::Domain;
use crate::particles::HotData;

#[derive(Debug)]
pub(crate) struct Cubes {
    lattice: Lattice,
    starts: Vec<u32>,
    slots: Vec<u32>,
    largest_radius: f64,
    gap: f64,
}

impl Cubes {
    pub(crate) fn new(records: &[HotData], domain: &Domain, gap: f64) -> Self {
        let smallest = records.iter().map(|record| record.radius).fold(f64::INFINITY, f64::min);
        let largest_radius = records.iter().map(|record| record.radius).fold(0.0, f64::max);
        let positions = records.iter().map(|record| record.position);
        let lattice = Lattice::new(positions, domain, 2.0 * smallest, Layers::Straight);
        let mut starts = vec![0u32; lattice.cells() + 1];
        for record in records {
            starts[lattice.index(record.position) + 1] += 1;
        }
        for cube in 1..starts.len() {
            starts[cube] += starts[cube - 1];
        }
        let mut next = starts.clone();
        let mut slots = vec![0u32; records.len()];
        for (slot, record) in records.iter().enumerate() {
            let next_index = &mut next[lattice.index(record.position)];
            slots[*next_index as usize] = slot as u32;
            *next_index += 1;
        }
        Self { lattice, starts, slots, largest_radius, gap }
    }

    #[inline(always)]
    pub(crate) fn neighbours(
        &self,
        records: &[HotData],
        extent: f64,
        i: usize,
        found: &mut Vec<SlotRange>,
    ) {
        let record = &records[i];
        let range = extent + self.largest_radius + self.gap;
        let lattice = &self.lattice;
        let last = lattice.axes[2];
        for (layer, row) in lattice.rows(record.position, range) {
            let row = lattice.row(layer, row);
            for (first, end) in lattice.span(last, record.position[last], range) {
                for index in self.starts[row + first]..self.starts[row + end] {
                    let slot = self.slots[index as usize] as usize;
                    if slot > i {
                        found.push(SlotRange::here(slot..slot + 1));
                    }
                }
            }
        }
    }
}
