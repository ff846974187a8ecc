//! Spheres sorted into grids of cells, one grid for each factor of two in size, so that the cost of a neighbour search
//! per particle is independent of the number of particles and nearly independent of the size distribution.

use super::place::wrapped;
use crate::Vec3;
use crate::domain::Domain;

/// Spheres smaller than the largest by more than 2 to this power share the last grid.
const MOST_LEVELS: usize = 16;
/// Cells per expected sphere; more would only cost memory.
const CELLS_PER_SPHERE: usize = 8;
/// Number of cells that is always allowed.
const FEWEST_CELLS: usize = 4096;
/// End of a chain of spheres in one cell.
const NONE: u32 = u32::MAX;

/// One grid. It is periodic as the domain and has open border cells in the other directions, so that every point of
/// space belongs to a cell.
#[derive(Debug, Clone)]
struct Level {
    origin: Vec3,
    cells_per_length: Vec3,
    counts: [i64; 3],
    repeats: [bool; 3],
    first: Vec<u32>,
    largest: f64,
}

impl Level {
    fn new(bounds: (Vec3, Vec3), domain: &Domain, cell: f64, most_cells: usize) -> Self {
        let mut origin = bounds.0;
        let mut size = bounds.1 - bounds.0;
        for axis in (0..3).filter(|&axis| domain.periodic[axis]) {
            origin[axis] = domain.min[axis];
            size[axis] = domain.size()[axis];
        }
        let count_for = |cell: f64| size.to_array().map(|length| (length / cell).floor().max(1.0));
        // Starting from the smallest numbers, doubling would take very long.
        let mut cell = cell.max(1e-12 * size.max_element());
        while count_for(cell).iter().product::<f64>() > most_cells as f64 {
            cell *= 1.26; // about the cube root of two: half as many cells
        }
        let counts = count_for(cell);
        let per_length =
            std::array::from_fn(
                |axis| {
                    if size[axis] > 0.0 { counts[axis] / size[axis] } else { 0.0 }
                },
            );
        let counts = counts.map(|count| count as i64);
        Self {
            origin,
            cells_per_length: Vec3::from_array(per_length),
            counts,
            repeats: domain.periodic,
            first: vec![NONE; counts.iter().product::<i64>() as usize],
            largest: 0.0,
        }
    }

    /// Cell of a coordinate before wrapping; coordinates beyond the grid belong to border cells.
    fn along(&self, axis: usize, coordinate: f64) -> i64 {
        let index = ((coordinate - self.origin[axis]) * self.cells_per_length[axis]).floor() as i64;
        if self.repeats[axis] { index } else { index.clamp(0, self.counts[axis] - 1) }
    }

    fn wrapped(&self, axis: usize, index: i64) -> usize {
        index.rem_euclid(self.counts[axis]) as usize
    }

    fn index(&self, cell: [usize; 3]) -> usize {
        (cell[2] * self.counts[1] as usize + cell[1]) * self.counts[0] as usize + cell[0]
    }

    fn cell_of(&self, position: Vec3) -> usize {
        self.index(std::array::from_fn(|axis| self.wrapped(axis, self.along(axis, position[axis]))))
    }

    /// Calls `visit` with every cell that a cube of this half edge intersects, each once, until it returns true;
    /// returns whether it did.
    fn any_cell(&self, position: Vec3, cutoff: f64, mut visit: impl FnMut(usize) -> bool) -> bool {
        let low: [i64; 3] = std::array::from_fn(|axis| self.along(axis, position[axis] - cutoff));
        let many: [i64; 3] = std::array::from_fn(|axis| {
            (self.along(axis, position[axis] + cutoff) - low[axis] + 1).min(self.counts[axis])
        });
        for z in 0..many[2] {
            let z = self.wrapped(2, low[2] + z);
            for y in 0..many[1] {
                let y = self.wrapped(1, low[1] + y);
                for x in 0..many[0] {
                    let x = self.wrapped(0, low[0] + x);
                    if visit(self.index([x, y, z])) {
                        return true;
                    }
                }
            }
        }
        false
    }
}

/// A sphere in a cell.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Centre, inside the domain in its periodic directions [m].
    position: Vec3,
    radius: f64,
    /// The next sphere of the cell.
    next: u32,
}

/// Spheres sorted by size and cell.
#[derive(Debug, Clone)]
pub(super) struct Levels<'a> {
    domain: &'a Domain,
    /// Infinite in directions that are not periodic.
    half_period: Vec3,
    levels: Vec<Level>,
    largest: f64,
    spheres: Vec<Entry>,
}

impl<'a> Levels<'a> {
    /// Empty grids around `bounds` for `expected` spheres of radii between `radii`; `margin` is
    /// the gap up to which neighbours are searched [m].
    pub fn new(
        bounds: (Vec3, Vec3),
        domain: &'a Domain,
        radii: (f64, f64),
        expected: usize,
        margin: f64,
    ) -> Self {
        let (smallest, largest) = radii;
        let most_cells = (CELLS_PER_SPHERE * expected).max(FEWEST_CELLS);
        let mut levels = Vec::new();
        let mut radius = largest;
        loop {
            levels.push(Level::new(bounds, domain, 2.0 * radius + margin, most_cells));
            radius *= 0.5;
            // a sphere of exactly half the size still belongs to the level above
            if radius <= smallest || levels.len() == MOST_LEVELS {
                break;
            }
        }
        let half_period = Vec3::from_array(std::array::from_fn(|axis| {
            if domain.periodic[axis] { 0.5 * domain.size()[axis] } else { f64::INFINITY }
        }));
        Self { domain, half_period, levels, largest, spheres: Vec::with_capacity(expected) }
    }

    /// The level of a sphere of this radius: 0 for the largest.
    pub fn level_of(&self, radius: f64) -> usize {
        let mut limit = 0.5 * self.largest;
        let mut level = 0;
        while radius < limit && level + 1 < self.levels.len() {
            limit *= 0.5;
            level += 1;
        }
        level
    }

    /// Adds a sphere; its index is the number of spheres added before.
    pub fn insert(&mut self, position: Vec3, radius: f64) {
        let of = self.level_of(radius);
        let level = &mut self.levels[of];
        let cell = level.cell_of(position);
        level.largest = level.largest.max(radius);
        let next = std::mem::replace(&mut level.first[cell], self.spheres.len() as u32);
        self.spheres.push(Entry { position: wrapped(position, self.domain), radius, next });
    }

    /// True if a sphere would overlap an existing one.
    pub fn overlaps(&self, position: Vec3, radius: f64) -> bool {
        let position = wrapped(position, self.domain);
        // first the cell of the largest spheres, which is most likely occupied
        self.levels.iter().any(|level| {
            level.largest > 0.0
                && (self.is_taken(level.first[level.cell_of(position)], position, radius)
                    || level.any_cell(position, radius + level.largest, |cell| {
                        self.is_taken(level.first[cell], position, radius)
                    }))
        })
    }

    /// True if a sphere overlaps one of a chain.
    fn is_taken(&self, mut other: u32, position: Vec3, radius: f64) -> bool {
        while other != NONE {
            let entry = &self.spheres[other as usize];
            let distance = radius + entry.radius;
            let apart = self.shortest((entry.position - position).abs());
            if apart.length_squared() < distance * distance {
                return true;
            }
            other = entry.next;
        }
        false
    }

    /// The components of the shortest difference, from those of wrapped positions: the same length as that of
    /// [`Domain::nearest_image`] without its divisions.
    fn shortest(&self, mut apart: Vec3) -> Vec3 {
        for axis in 0..3 {
            if apart[axis] > self.half_period[axis] {
                apart[axis] = 2.0 * self.half_period[axis] - apart[axis];
            }
        }
        apart
    }

    /// Calls `visit` with the index of every sphere of this or a larger level that may be nearer
    /// to the surface of the given one than `margin`.
    pub fn visit_near(
        &self,
        position: Vec3,
        radius: f64,
        margin: f64,
        mut visit: impl FnMut(usize),
    ) {
        let own = self.level_of(radius);
        for level in &self.levels[..=own] {
            level.any_cell(position, radius + level.largest + margin, |cell| {
                let mut other = level.first[cell];
                while other != NONE {
                    visit(other as usize);
                    other = self.spheres[other as usize].next;
                }
                false
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Draws, Purpose};

    fn spheres() -> Vec<(Vec3, f64)> {
        (0..400)
            .map(|id| {
                let draws = Draws::new(2, Purpose::Test, id);
                let point = Vec3::new(draws.uniform(0), draws.uniform(1), draws.uniform(2));
                (point * 1.2 - 0.1, 0.002 * libm::exp2(4.0 * draws.uniform(3)))
            })
            .collect()
    }

    #[test]
    fn overlaps_are_those_of_a_search_through_all_pairs() {
        for periodic in [[false; 3], [true, false, true], [true; 3]] {
            let domain = Domain { periodic, ..Domain::new(Vec3::ZERO, Vec3::ONE) };
            let mut levels =
                Levels::new((Vec3::ZERO, Vec3::ONE), &domain, (0.002, 0.032), 400, 0.0);
            let spheres = spheres();
            for &(position, radius) in &spheres {
                levels.insert(position, radius);
            }
            for id in 0..2000 {
                let draws = Draws::new(3, Purpose::Test, id);
                let point = Vec3::new(draws.uniform(0), draws.uniform(1), draws.uniform(2));
                let point = point * 1.2 - 0.1;
                let radius = 0.1 * draws.uniform(3);
                let expected = spheres.iter().any(|&(center, other)| {
                    domain.nearest_image(center - point).length() < radius + other
                });
                assert_eq!(levels.overlaps(point, radius), expected);
            }
        }
    }

    #[test]
    fn grids_of_few_particles_in_a_vast_domain_stay_small() {
        let domain = Domain::new(Vec3::splat(-1e9), Vec3::splat(1e9));
        let levels = Levels::new((domain.min, domain.max), &domain, (1e-6, 1e-3), 10, 0.0);
        assert!(levels.levels.iter().all(|level| level.first.len() <= FEWEST_CELLS));
    }
}
