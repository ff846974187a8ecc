//! Placement of the particles of a source: the common part of all patterns.

use super::levels::Levels;
use super::region::Container;
use super::{Amount, Placement, Radius, Source, Sphere, grow, lattice, pattern, random_addition};
use crate::Vec3;
use crate::domain::Domain;
use crate::notation::{Notation, Setting};
use crate::random::{Draws, Purpose};
use std::f64::consts::PI;

/// Largest number of particles of a source; more are considered a typing error.
const MOST_PARTICLES: f64 = 2e8;

/// Memory of a particle with its contacts during insertion and run [bytes]; `cargo xtask soak` measures 1.2 kB.
const BYTES_A_PARTICLE: f64 = 1200.0;

/// [`place_clear_of`] without walls.
#[cfg(test)]
pub(super) fn place(
    source: &Source,
    seed: u64,
    first_id: u64,
    occupied: &[(Vec3, f64)],
    domain: &Domain,
) -> Result<Vec<Sphere>, String> {
    place_clear_of(source, seed, first_id, occupied, domain, &|_, _| true)
        .map_err(|error| error.message(Notation::default()))
}

/// Reasons why particles could not be placed.
#[derive(Debug)]
pub(crate) enum NotPlaced {
    /// Random positions without overlap were found for some particles only.
    TooDense { placed: usize, wanted: usize },
    /// Another reason, in one sentence without a full stop.
    Other(String),
}

impl From<String> for NotPlaced {
    fn from(message: String) -> Self {
        Self::Other(message)
    }
}

impl NotPlaced {
    /// One sentence without a full stop.
    pub(crate) fn message(self, notation: Notation) -> String {
        match self {
            Self::Other(message) => message,
            Self::TooDense { placed, wanted } => format!(
                "only {placed} of {wanted} particles fit in the region without overlap; try a dense \
                 packing ({}), a larger region or fewer particles",
                notation.name(&Setting::DensePacking)
            ),
        }
    }
}

/// The particles of a source, with ids counted from `first_id`; none for a stream.
///
/// New particles overlap neither each other nor the `occupied` spheres (centre [m], radius [m]) nor, in
/// periodic domains, any of their images. Random and lattice positions are accepted only if `clear` is true
/// for a sphere of this centre [m] and radius [m]: it intersects no wall and is on the free side of all. A
/// dense packing fills its region; centres behind a wall are an error. A list is not checked for overlaps:
/// it may be a settled bed. The result depends on the arguments alone. Positions are inside the domain in its
/// periodic directions.
///
/// The error has one sentence without a full stop for each problem, or the number of particles that fit.
pub(crate) fn place_clear_of(
    source: &Source,
    seed: u64,
    first_id: u64,
    occupied: &[(Vec3, f64)],
    domain: &Domain,
    clear: &dyn Fn(Vec3, f64) -> bool,
) -> Result<Vec<Sphere>, NotPlaced> {
    let problems = source.problems();
    if !problems.is_empty() {
        return Err(problems.join("; ").into());
    }
    let ids = Ids { seed, first_id };
    if let Placement::List(list) = &source.placement {
        return Ok(finish(source, ids, list.clone()));
    }
    let Some(radius) = &source.radius else { return Ok(Vec::new()) };
    let found = match &source.placement {
        Placement::List(_) | Placement::Stream { .. } => return Ok(Vec::new()),
        Placement::Lattice { .. } => lattice::place(source, radius, ids, occupied, domain, clear)?,
        Placement::Pattern(points) => {
            pattern::place(&*points.0, radius, ids, occupied, domain, clear)?
        }
        Placement::Random { region, amount } | Placement::Grow { region, amount } => {
            check_length(region.bounds(), domain)?;
            let container = Container::new(region, domain);
            let radii = draw_radii(radius, *amount, container.volume(), ids)?;
            let dense = matches!(source.placement, Placement::Grow { .. });
            if radii.is_empty() {
                Vec::new()
            } else if dense {
                let anywhere = |_: Vec3, _: f64| true;
                let space = FreeSpace { container: &container, occupied, domain, clear: &anywhere };
                let found = grow::place(&space, &radii, ids)?;
                check_sides(&found, domain, clear)?;
                found
            } else {
                let space = FreeSpace { container: &container, occupied, domain, clear };
                random_addition::place(&space, &radii, ids)?
            }
        }
    };
    let spheres = found
        .into_iter()
        .map(|(position, radius)| Sphere::new(radius, wrapped(position, domain)))
        .collect();
    Ok(finish(source, ids, spheres))
}

/// Refuses a dense packing with centres on the wrong side of a wall.
fn check_sides(
    found: &[(Vec3, f64)],
    domain: &Domain,
    clear: &dyn Fn(Vec3, f64) -> bool,
) -> Result<(), String> {
    let is_beyond = |one: &&(Vec3, f64)| !clear(wrapped(one.0, domain), 0.0);
    match found.iter().filter(is_beyond).count() {
        0 => Ok(()),
        beyond => Err(format!(
            "{beyond} of {} particles would be on the wrong side of a wall: a dense packing fills \
             its whole region; keep the region on the side of the walls where the particles are",
            found.len()
        )),
    }
}

/// Keys of the random numbers: the seed of the scene and the id of the first new particle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ids {
    pub seed: u64,
    pub first_id: u64,
}

impl Ids {
    /// The random numbers of the particle with this index among the new ones.
    pub fn draws(self, purpose: Purpose, index: usize) -> Draws {
        Draws::new(self.seed, purpose, self.first_id + index as u64)
    }

    /// Three random numbers for the position of a particle, different for each attempt.
    pub fn position_draw(self, index: usize, attempt: u32) -> [f64; 3] {
        let draws = self.draws(Purpose::Position, index);
        std::array::from_fn(|axis| draws.uniform(attempt.wrapping_mul(3) + axis as u32))
    }

    /// The radius of a particle [m].
    pub fn radius(self, radius: &Radius, index: usize) -> f64 {
        radius.draw(self.seed, self.first_id + index as u64)
    }
}

/// The space for new particles.
pub(super) struct FreeSpace<'a> {
    pub container: &'a Container,
    pub occupied: &'a [(Vec3, f64)],
    pub domain: &'a Domain,
    /// True if a sphere of this centre [m] and radius [m] touches no wall and is on its right side.
    pub clear: &'a dyn Fn(Vec3, f64) -> bool,
}

impl FreeSpace<'_> {
    /// True if the position is clear of walls; touching a wall is allowed up to rounding errors.
    pub fn is_clear_of_walls(&self, position: Vec3, radius: f64) -> bool {
        (self.clear)(wrapped(position, self.domain), radius * (1.0 - 1e-9))
    }

    /// The existing spheres that extend into the bounding box of the region.
    pub fn obstacles(&self) -> Vec<(Vec3, f64)> {
        let (low, high) = self.container.bounds();
        let (center, half) = (0.5 * (low + high), 0.5 * (high - low));
        let is_near = |&&(position, radius): &&(Vec3, f64)| {
            let apart = self.domain.nearest_image(position - center).abs();
            // in a periodic direction the nearest image of the centre is not sufficient for a region longer than half
            // the period, which the sphere may touch from the other side
            (0..3).all(|axis| {
                let period = self.domain.period()[axis];
                let limit = half[axis] + radius;
                apart[axis] <= limit || (period > 0.0 && period - apart[axis] <= limit)
            })
        };
        self.occupied.iter().filter(is_near).copied().collect()
    }

    /// Grids for a number of new particles of these radii and the obstacles, which are already included.
    pub fn levels(&self, radii: &[f64], count: usize) -> Levels<'_> {
        let obstacles = self.obstacles();
        let all = || radii.iter().copied().chain(obstacles.iter().map(|sphere| sphere.1));
        let smallest = all().fold(f64::INFINITY, f64::min);
        let largest = all().fold(0.0, f64::max);
        let expected = count + obstacles.len();
        let bounds = self.container.bounds();
        let mut levels = Levels::new(bounds, self.domain, (smallest, largest), expected, 0.0);
        obstacles.iter().for_each(|&(position, radius)| levels.insert(position, radius));
        levels
    }
}

/// Refuses more particles than are allowed or fit into memory.
pub(crate) fn check_amount(wanted: f64) -> Result<(), String> {
    if wanted > MOST_PARTICLES {
        return Err(format!(
            "this would be {wanted:.1e} particles, more than the {MOST_PARTICLES:.0e} allowed"
        ));
    }
    match free_memory() {
        Some(free) if wanted * BYTES_A_PARTICLE > free => Err(format!(
            "{wanted:.0} particles take about {:.1} GB of memory, and {:.1} GB are free here",
            wanted * BYTES_A_PARTICLE / 1e9,
            free / 1e9
        )),
        _ => Ok(()),
    }
}

/// Free memory [bytes], if the system reports it.
fn free_memory() -> Option<f64> {
    let table = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = table.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kilobytes| 1024.0 * kilobytes)
}

/// Radii until the number or the volume is reached.
fn draw_radii(radius: &Radius, amount: Amount, volume: f64, ids: Ids) -> Result<Vec<f64>, String> {
    let wanted = match amount {
        Amount::Count(count) => count as f64,
        Amount::Fraction(fraction) => fraction * volume / radius.mean_volume(),
    };
    check_amount(wanted)?;
    let fraction = match amount {
        Amount::Count(count) => return Ok((0..count).map(|k| ids.radius(radius, k)).collect()),
        Amount::Fraction(fraction) => fraction,
    };
    if volume == 0.0 && fraction > 0.0 {
        return Err("the region is flat and has no volume to fill; give a count".to_owned());
    }
    let mut radii = Vec::with_capacity(wanted as usize + 1);
    let mut left = fraction * volume;
    loop {
        let next = ids.radius(radius, radii.len());
        let its_volume = 4.0 / 3.0 * PI * next * next * next;
        // the last particle is included if the fraction is then closer to the requested one
        if left < 0.5 * its_volume {
            return Ok(radii);
        }
        left -= its_volume;
        radii.push(next);
    }
}

/// Refuses a region longer than the period, which would overlap its own image.
fn check_length(bounds: (Vec3, Vec3), domain: &Domain) -> Result<(), String> {
    let period = domain.period();
    let length = bounds.1 - bounds.0;
    for (axis, name) in ["x", "y", "z"].iter().enumerate() {
        if period[axis] > 0.0 && length[axis] > period[axis] * (1.0 + 1e-9) {
            return Err(format!(
                "the region is {} m long in {name}, longer than the period {} m of the domain",
                length[axis], period[axis]
            ));
        }
    }
    Ok(())
}

/// The equivalent position inside the domain in periodic directions.
pub(super) fn wrapped(mut position: Vec3, domain: &Domain) -> Vec3 {
    let period = domain.period();
    for axis in (0..3).filter(|&axis| domain.periodic[axis]) {
        let periods = ((position[axis] - domain.min[axis]) / period[axis]).floor();
        position[axis] -= periods * period[axis];
        // the upper end is equivalent to the lower one, also after rounding
        if position[axis] >= domain.max[axis] {
            position[axis] = domain.min[axis];
        }
    }
    position
}

/// Adds the motion of the source.
fn finish(source: &Source, ids: Ids, mut spheres: Vec<Sphere>) -> Vec<Sphere> {
    for (index, sphere) in spheres.iter_mut().enumerate() {
        set_in_motion(source, ids.draws(Purpose::Velocity, index), sphere);
    }
    spheres
}

/// Adds the motion of the source to one particle.
pub(super) fn set_in_motion(source: &Source, draws: Draws, sphere: &mut Sphere) {
    sphere.velocity += source.velocity;
    sphere.spin += source.spin;
    if source.random_velocity != 0.0 {
        let random = std::array::from_fn(|axis| 2.0 * draws.uniform(axis as u32) - 1.0);
        sphere.velocity += source.random_velocity * Vec3::from_array(random);
    }
}
