//! The state of a packing during growth: particles, pairs that may touch, and forces.

use super::levels::Levels;
use super::place::FreeSpace;
use crate::Vec3;

/// Gap up to which pairs are listed, as a fraction of the mean radius.
const SKIN: f64 = 0.4;

/// Two particles that may touch, and the period between them.
#[derive(Debug, Clone, Copy)]
struct NeighbourPair {
    first: u32,
    second: u32,
    /// Index in [`Packing::shifts`].
    shift: u32,
}

/// Growing particles; the obstacles come after them and do not move.
pub(super) struct Packing<'a> {
    space: &'a FreeSpace<'a>,
    /// Number of particles that move.
    moving: usize,
    positions: Vec<Vec3>,
    radii: Vec<f64>,
    /// Index of each particle in order of id.
    order: Vec<u32>,
    velocities: Vec<Vec3>,
    pushes: Vec<Vec3>,
    /// Inverse masses: large particles have more neighbours, in proportion to their surface.
    mobilities: Vec<f64>,
    pairs: Vec<NeighbourPair>,
    shifts: [Vec3; 27],
    /// Positions when the pairs were listed.
    listed: Vec<Vec3>,
    skin: f64,
}

impl<'a> Packing<'a> {
    /// Particles at rest, without a list of pairs.
    pub fn new(space: &'a FreeSpace<'a>, positions: Vec<Vec3>, radii: &[f64]) -> Self {
        let moving = radii.len();
        let smallest = radii.iter().copied().fold(f64::INFINITY, f64::min);
        let mean = radii.iter().sum::<f64>() / moving as f64;
        let order = by_cell(space, &positions, mean);
        let (low, high) = space.container.bounds();
        let center = 0.5 * (low + high);
        // the image nearest to the region is at most one period from any particle in it
        let obstacles = space.obstacles().into_iter().map(|(position, radius)| {
            (center + space.domain.nearest_image(position - center), radius)
        });
        let sorted = |index: &u32| (positions[*index as usize], radii[*index as usize]);
        let all = order.iter().map(sorted).chain(obstacles);
        let (positions, radii): (Vec<Vec3>, Vec<f64>) = all.unzip();
        let period = space.domain.period();
        let shifts = std::array::from_fn(|code| {
            let times = [code % 3, code / 3 % 3, code / 9].map(|digit| digit as f64 - 1.0);
            Vec3::from_array(times) * period
        });
        let mut packing = Self {
            space,
            moving,
            mobilities: radii[..moving].iter().map(|r| (smallest / r) * (smallest / r)).collect(),
            order,
            velocities: vec![Vec3::ZERO; moving],
            pushes: vec![Vec3::ZERO; moving],
            pairs: Vec::new(),
            shifts,
            listed: Vec::new(),
            skin: SKIN * mean,
            positions,
            radii,
        };
        packing.list_pairs();
        packing
    }

    /// Maps particles back into the region in its periodic directions. In the other directions they may cross the
    /// boundary of the domain and are not mapped.
    fn wrap(&mut self) {
        let (low, _) = self.space.container.bounds();
        let (open, period) = (self.space.container.open(), self.space.domain.period());
        for axis in (0..3).filter(|&axis| open[axis]) {
            for position in &mut self.positions[..self.moving] {
                let periods = ((position[axis] - low[axis]) / period[axis]).floor();
                position[axis] -= periods * period[axis];
            }
        }
    }

    /// Lists the pairs that may touch at full size before a particle is displaced by half the skin.
    fn list_pairs(&mut self) {
        let domain = self.space.domain;
        self.wrap();
        let smallest = self.radii.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = self.radii.iter().copied().fold(0.0, f64::max);
        let bounds = self.space.container.bounds();
        let count = self.positions.len();
        let mut levels = Levels::new(bounds, domain, (smallest, largest), count, self.skin);
        for (position, radius) in self.positions.iter().zip(&self.radii) {
            levels.insert(*position, *radius);
        }
        let (positions, radii, moving) = (&self.positions, &self.radii, self.moving);
        self.pairs.clear();
        for first in 0..count {
            let own_level = levels.level_of(radii[first]);
            // the coat is thinner than a hundredth of the skin unless sizes differ very much
            let margin = self.skin + 0.01 * radii[first];
            levels.visit_near(positions[first], radii[first], margin, |second| {
                // a pair of one level is found twice, and obstacles do not repel each other
                let is_met_again = levels.level_of(radii[second]) == own_level && second <= first;
                if is_met_again || (first >= moving && second >= moving) {
                    return;
                }
                let apart = positions[second] - positions[first];
                let shift = nearest_shift(apart, domain);
                let cutoff = (radii[first] + radii[second]) * 1.001 + self.skin;
                if (apart + self.shifts[shift]).length_squared() < cutoff * cutoff {
                    self.pairs.push(NeighbourPair {
                        first: first as u32,
                        second: second as u32,
                        shift: shift as u32,
                    });
                }
            });
        }
        self.listed.clone_from(&self.positions);
    }

    /// Sums the forces on each particle at `scale` times its size with a coat; returns the largest overlap without the
    /// coat as a fraction of the smaller radius, zero if there is none.
    pub fn push(&mut self, scale: f64, coat: f64) -> f64 {
        let mut largest: f64 = 0.0;
        let coated = scale * (1.0 + coat);
        for index in 0..self.moving {
            let (position, radius) = (self.positions[index], self.radii[index]);
            let nearest = self.space.container.nearest_inside(position, coated * radius);
            let push = nearest.unwrap_or(position) - position;
            self.pushes[index] = push;
            if push != Vec3::ZERO {
                largest = largest.max(push.length() / (scale * radius) - coat);
            }
        }
        for pair in &self.pairs {
            let (first, second) = (pair.first as usize, pair.second as usize);
            let apart = self.positions[second] - self.positions[first];
            let apart = apart + self.shifts[pair.shift as usize];
            let cutoff = self.radii[first] + self.radii[second];
            let square = apart.length_squared();
            if square >= coated * coated * cutoff * cutoff {
                continue;
            }
            let distance = square.sqrt();
            let smaller = self.radii[first].min(self.radii[second]);
            largest = largest.max((scale * cutoff - distance) / (scale * smaller));
            // coincident centres are separated along x
            let normal = if distance > 0.0 { apart / distance } else { Vec3::X };
            let push = (coated * cutoff - distance) * normal;
            if first < self.moving {
                self.pushes[first] -= push;
            }
            if second < self.moving {
                self.pushes[second] += push;
            }
        }
        largest
    }

    /// Power of the forces.
    pub fn power(&self) -> f64 {
        self.pushes.iter().zip(&self.velocities).map(|(push, velocity)| push.dot(*velocity)).sum()
    }

    /// Sets all velocities to zero.
    pub fn stop(&mut self) {
        self.velocities.fill(Vec3::ZERO);
    }

    /// Rotates the velocities towards the forces at constant kinetic energy (FIRE).
    pub fn steer(&mut self, mixing: f64) {
        let (mut kinetic, mut possible) = (0.0, 0.0);
        for index in 0..self.moving {
            kinetic += self.velocities[index].length_squared() / self.mobilities[index];
            possible += self.pushes[index].length_squared() * self.mobilities[index];
        }
        let along = if possible > 0.0 { mixing * (kinetic / possible).sqrt() } else { 0.0 };
        for index in 0..self.moving {
            let toward = self.pushes[index] * (along * self.mobilities[index]);
            self.velocities[index] = self.velocities[index] * (1.0 - mixing) + toward;
        }
    }

    /// Moves all spheres by one time step and rebuilds the list of pairs when it is due.
    pub fn advance(&mut self, step: f64) {
        let mut farthest: f64 = 0.0;
        for index in 0..self.moving {
            self.velocities[index] += self.pushes[index] * (step * self.mobilities[index]);
            self.positions[index] += self.velocities[index] * step;
            let moved = self.positions[index] - self.listed[index];
            farthest = farthest.max(moved.length_squared());
        }
        if farthest > 0.25 * self.skin * self.skin {
            self.list_pairs();
        }
    }

    /// Positions and radii in order of id, corrected for rounding at the boundary.
    pub fn into_spheres(self, space: &FreeSpace<'_>) -> Vec<(Vec3, f64)> {
        let mut spheres = vec![(Vec3::ZERO, 0.0); self.moving];
        for (index, &id) in self.order.iter().enumerate() {
            let (position, radius) = (self.positions[index], self.radii[index]);
            let inside = space.container.nearest_inside(position, radius).unwrap_or(position);
            spheres[id as usize] = (inside, radius);
        }
        spheres
    }
}

/// The period to add to a difference of up to one and a half periods to obtain the shortest one.
fn nearest_shift(apart: Vec3, domain: &crate::domain::Domain) -> usize {
    let mut code = 0;
    for axis in (0..3).rev() {
        let half = 0.5 * domain.period()[axis];
        let times = if half == 0.0 || apart[axis].abs() <= half {
            1
        } else if apart[axis] > 0.0 {
            0
        } else {
            2
        };
        code = 3 * code + times;
    }
    code
}

/// Ids in an order in which neighbours in space are neighbours in memory.
fn by_cell(space: &FreeSpace<'_>, positions: &[Vec3], mean_radius: f64) -> Vec<u32> {
    let (low, _) = space.container.bounds();
    let cell = |id: &u32| {
        let cell = (positions[*id as usize] - low) / (4.0 * mean_radius);
        [cell.z as i64, cell.y as i64, cell.x as i64]
    };
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    order.sort_by_cached_key(|id| (cell(id), *id));
    order
}
