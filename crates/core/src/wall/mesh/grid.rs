//! A uniform grid of the facets, for searches near a point.
//!
//! A grid instead of a bounding volume hierarchy of a crate: the query is always the same, all facets within a distance of
//! a point, and the cell of a point is found without descending a tree.

use super::facet::Facet;
use crate::Vec3;
use crate::wall::shape::around;

/// Largest number of cells, and of entries in cells, per facet: bounds the memory for any sizes of the facets.
const CELLS_PER_FACET: usize = 8;
const ENTRIES_PER_FACET: usize = 16;
/// Edge length of a cell as a fraction of the mean size of a facet, unless the grid would have too many cells.
/// Measured: particles are usually smaller than facets, and test all facets of their cells.
const FINENESS: f64 = 0.5;
/// Factor by which the cells are enlarged if there would be too many.
const COARSENING: f64 = 1.5;
/// Fraction by which a query is widened, so that rounding cannot lose a facet at its boundary.
const WIDENING: f64 = 1e-9;

#[derive(Debug)]
pub(super) struct Grid {
    min: Vec3,
    max: Vec3,
    /// Edge length of a cell [m].
    cell: f64,
    counts: [usize; 3],
    starts: Vec<u32>,
    members: Vec<u32>,
    /// For each cell, the distance in cells to the nearest cell with a facet, diagonals counting as one; the largest
    /// number represents all larger ones.
    emptiness: Vec<u8>,
}

impl Grid {
    /// There must be at least one facet.
    pub fn new(facets: &[Facet]) -> Self {
        let boxes: Vec<_> = facets.iter().filter_map(|facet| around(facet.corners())).collect();
        let all = around(boxes.iter().flat_map(|&(low, high)| [low, high]));
        let (min, max) = all.unwrap_or((Vec3::ZERO, Vec3::ZERO));
        let extents = boxes.iter().map(|(low, high)| (*high - *low).max_element());
        let mean = extents.sum::<f64>() / facets.len().max(1) as f64;

        let mut grid = Self {
            min,
            max,
            cell: FINENESS * mean,
            counts: [1; 3],
            starts: Vec::new(),
            members: Vec::new(),
            emptiness: Vec::new(),
        };
        grid.choose_cells(&boxes);
        grid.fill(&boxes);
        grid.measure_emptiness();
        grid
    }

    pub fn bounds(&self) -> (Vec3, Vec3) {
        (self.min, self.max)
    }

    /// Calls `visit` with every facet that may be within `distance` of `x`, some of them several times.
    pub fn visit(&self, x: Vec3, distance: f64, mut with: impl FnMut(u32)) {
        if distance < 0.0 || distance.is_nan() || !x.is_finite() {
            return;
        }
        let size = x.abs().max(self.min.abs()).max(self.max.abs()).max_element();
        let cutoff = Vec3::splat(distance + WIDENING * (distance + size));
        if (x + cutoff).cmplt(self.min).any() || (x - cutoff).cmpgt(self.max).any() {
            return;
        }
        self.for_cells((x - cutoff, x + cutoff), |cell| {
            let (start, end) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
            self.members[start..end].iter().for_each(|&facet| with(facet));
        });
    }

    /// True if there is certainly no facet within a distance of `x`, from one lookup.
    pub fn is_clear(&self, x: Vec3, distance: f64) -> bool {
        let inside = x.cmpge(self.min).all() && x.cmple(self.max).all();
        if !inside {
            return false;
        }
        let [(i, _), (j, _), (k, _)] = self.range((x, x));
        let away = self.emptiness[(k * self.counts[1] + j) * self.counts[0] + i];
        // the cells in between are empty, and a facet may lie exactly on the boundary of its cell
        f64::from(away) * self.cell > (distance + self.cell) * (1.0 + WIDENING)
    }

    /// In two sweeps, each using the neighbours already visited.
    fn measure_emptiness(&mut self) {
        let counts = self.counts.map(|count| count as isize);
        let cells = self.counts.iter().product::<usize>();
        let has_member = |cell: usize| self.starts[cell] < self.starts[cell + 1];
        let mut away: Vec<u8> =
            (0..cells).map(|cell| if has_member(cell) { 0 } else { u8::MAX }).collect();
        let passed: Vec<[isize; 3]> =
            (0..13).map(|n| [n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1]).collect();
        for sign in [1, -1] {
            for step in 0..cells {
                let cell = if sign > 0 { step } else { cells - 1 - step } as isize;
                let at =
                    [cell % counts[0], cell / counts[0] % counts[1], cell / counts[0] / counts[1]];
                for shift in &passed {
                    let other: [isize; 3] = std::array::from_fn(|k| at[k] + sign * shift[k]);
                    if (0..3).all(|k| (0..counts[k]).contains(&other[k])) {
                        let index = (other[2] * counts[1] + other[1]) * counts[0] + other[0];
                        let by = away[index as usize].saturating_add(1);
                        away[cell as usize] = away[cell as usize].min(by);
                    }
                }
            }
        }
        self.emptiness = away;
    }

    fn choose_cells(&mut self, boxes: &[(Vec3, Vec3)]) {
        loop {
            let extent = self.max - self.min;
            let along = |length: f64| (length / self.cell).floor().min(1e6) as usize + 1;
            self.counts = [along(extent.x), along(extent.y), along(extent.z)];
            if self.counts == [1; 3] {
                return;
            }
            let cells = self.counts.iter().product::<usize>();
            // Entries are counted only over few cells, so that their number cannot overflow.
            if cells <= CELLS_PER_FACET * boxes.len() + 64 {
                let entries: usize = boxes.iter().map(|&bounds| self.number_of_cells(bounds)).sum();
                if entries <= ENTRIES_PER_FACET * boxes.len() + 64 {
                    return;
                }
            }
            self.cell *= COARSENING;
        }
    }

    fn fill(&mut self, boxes: &[(Vec3, Vec3)]) {
        let cells = self.counts.iter().product::<usize>();
        let mut starts = vec![0_u32; cells + 1];
        for &bounds in boxes {
            self.for_cells(bounds, |cell| starts[cell + 1] += 1);
        }
        for cell in 0..cells {
            starts[cell + 1] += starts[cell];
        }
        let mut next = starts.clone();
        let mut members = vec![0; starts[cells] as usize];
        for (facet, &bounds) in boxes.iter().enumerate() {
            self.for_cells(bounds, |cell| {
                members[next[cell] as usize] = facet as u32;
                next[cell] += 1;
            });
        }
        (self.starts, self.members) = (starts, members);
    }

    /// First and last cell along each axis. Monotonic in the coordinates, so that overlapping boxes share a cell
    /// despite rounding.
    fn range(&self, (low, high): (Vec3, Vec3)) -> [(usize, usize); 3] {
        let index = |at: f64, min: f64, count: usize| {
            // A cast of a negative number gives zero, of a very large one the largest index.
            (((at - min) / self.cell) as usize).min(count - 1)
        };
        let ends = |k: usize| {
            let count = self.counts[k];
            (index(low[k], self.min[k], count), index(high[k], self.min[k], count))
        };
        [ends(0), ends(1), ends(2)]
    }

    fn number_of_cells(&self, bounds: (Vec3, Vec3)) -> usize {
        self.range(bounds).iter().map(|(first, last)| last - first + 1).product()
    }

    fn for_cells(&self, bounds: (Vec3, Vec3), mut with: impl FnMut(usize)) {
        let [x, y, z] = self.range(bounds);
        for k in z.0..=z.1 {
            for j in y.0..=y.1 {
                for i in x.0..=x.1 {
                    with((k * self.counts[1] + j) * self.counts[0] + i);
                }
            }
        }
    }
}
