//! Encounters at the largest speed that can occur: current speeds, free fall through the scene, walls and insertions.
//! Integrators that adapt their step start from them, and the papers' rule of a twentieth of the contact time refers to
//! them.

use super::cap::smallest_radii;
use crate::Vec3;
use crate::engine::Engine;
use crate::error::Error;
use crate::insert::Source;
use crate::kernel::laws::PairLaws;
use crate::law::Encounter;
use crate::material::Material;
use crate::scene::{Scene, StepSize};
use crate::simulation::Simulation;
use crate::wall::live::LiveWall;

/// The papers' step as a fraction of the shortest contact time, C15(50).
pub(super) const PAPERS_FRACTION: f64 = 0.05;

/// The longest step of an integrator that adapts it, as a fraction of the Rayleigh time.
const ADAPTED_RAYLEIGH_FRACTION: f64 = 0.2;

/// Speed that is assumed if there is neither motion nor gravity, as a fraction of the speed of sound.
pub(crate) const SLOWEST: f64 = 1e-5;

/// Times that limit the step, from the encounters that can occur.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, RADIUS};
/// use esker::prelude::*;
///
/// # let grains = vec![Sphere { velocity: Vec3::X, ..Sphere::new(RADIUS, Vec3::ZERO) }];
/// let simulation = simulation(ContactModel::normal(Hertz::default()), Pair::new(), grains);
/// let advice = simulation.advice();
/// assert!(simulation.dt() < advice.limit && advice.rayleigh_time > 0.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Advice {
    /// Shortest contact time over all laws and pairs [s].
    pub contact_time: f64,
    /// Longest step that is stable with the contacts of the last pass over them and with the fields;
    /// infinite without both [s].
    pub limit: f64,
    /// Largest assumed speed [m/s].
    pub speed: f64,
    /// The same, but not zero if nothing moves: the reference of tolerances [m/s].
    pub reference_speed: f64,
    /// Shortest Rayleigh time, infinite if no law stiffens with the overlap [s].
    pub rayleigh_time: f64,
    /// Shortest relaxation time of drag, m/(dF/dv) of a particle; infinite without drag [s].
    pub relaxation_time: f64,
    /// Shortest 1/ω of the gyration of a charge in a magnetic field; infinite without one [s].
    pub gyration_time: f64,
    /// Shortest period of an oscillating wall; infinite without one [s].
    pub wall_period: f64,
}

impl Advice {
    /// Number of steps of this length within the shortest contact.
    pub fn steps_per_contact(&self, dt: f64) -> f64 {
        self.contact_time / dt
    }

    /// Evaluates every pair of materials that can meet.
    pub(crate) fn new(scene: &Scene, engine: &Engine, sources: &[&Source]) -> Self {
        let smallest = smallest_radii(scene, engine, sources);
        let speed = largest_speed(scene, engine, sources);
        let mut advice = Self {
            contact_time: f64::INFINITY,
            limit: f64::INFINITY,
            speed,
            reference_speed: speed,
            rayleigh_time: f64::INFINITY,
            relaxation_time: f64::INFINITY,
            gyration_time: f64::INFINITY,
            wall_period: f64::INFINITY,
        };
        advice.set_rates(scene, engine, sources);
        for pair in &engine.table().pairs {
            let [first, second] = pair.materials.map(|id| id.index());
            for (own, other) in [(first, second), (second, first)] {
                let radius = smallest[own];
                if !radius.is_finite() {
                    continue;
                }
                let material = &scene.materials[own].1;
                if pair.laws.iter().any(|law| law.force_exponent() > 1.0)
                    && let Some(time) = rayleigh_time(material, radius)
                {
                    advice.rayleigh_time = advice.rayleigh_time.min(time);
                }
                if let Some(sound) = material.speed_of_sound() {
                    advice.reference_speed = advice.reference_speed.max(SLOWEST * sound);
                }
                let encounter = encounter(scene, pair, [own, other], &smallest, speed);
                let times = pair.laws.iter().filter_map(|law| law.contact_time(&encounter));
                advice.contact_time = times.fold(advice.contact_time, shorter);
            }
        }
        advice.limit = advice.rate_limit(scene);
        advice
    }

    /// True if contact times are positive and speeds finite.
    pub(super) fn is_sound(&self) -> bool {
        self.contact_time > 0.0 && self.speed.is_finite()
    }

    /// Longest and shortest step of an integrator that adapts its step, with the stability bound of
    /// the contacts [s].
    pub(crate) fn adapted_bounds(&self, scene: &Scene, bound: f64) -> (f64, f64) {
        let automatic = (scene.safety.unwrap_or(PAPERS_FRACTION) * self.contact_time)
            .min(ADAPTED_RAYLEIGH_FRACTION * self.rayleigh_time)
            .min(self.rate_cap())
            .min(bound);
        let fraction = scene.integrator.shortest_fraction().unwrap_or(1.0);
        let (longest, shortest) = match scene.step {
            StepSize::Auto | StepSize::AutoOnce => (automatic, fraction * automatic),
            StepSize::AtMost(max) => (automatic.min(max), fraction * automatic.min(max)),
            StepSize::Fixed(dt) => (dt, dt),
            StepSize::Between { max, min } => (max, min),
        };
        let most = scene.integrator.longest_fraction() * self.contact_time;
        (longest.min(most), shortest.min(most))
    }
}

impl Simulation {
    /// For integrators that adapt their step: checks periodically whether a speed exceeds the assumed one; the longest
    /// step is then reduced.
    pub(super) fn check_speeds(&mut self) -> Result<(), Error> {
        let every = self.scene.integrator.steps_between_checks();
        if !self.clock.step.is_multiple_of(every) {
            return Ok(());
        }
        let engine = &self.engine;
        let walls = engine.walls().iter().filter(|wall| wall.present);
        let walls = walls.map(|wall| wall.pose.largest_speed(bounds(wall, engine)));
        let found = walls.fold(largest_present(engine), f64::max);
        // the health check reports values that are not finite
        let is_faster = found > self.advice.speed && found.is_finite();
        if !is_faster && !self.rates_have_grown() {
            return Ok(());
        }
        let before = self.clock.dt;
        self.choose_step()?;
        self.clock.set_step(self.clock.dt.min(before));
        Ok(())
    }
}

/// The shorter of two times; NaN counts as shortest.
fn shorter(first: f64, second: f64) -> f64 {
    if first.is_nan() || second.is_nan() { f64::NAN } else { first.min(second) }
}

/// The encounter of a particle of one material with one of the other, or with a wall if that has no free particles: the
/// smallest ones, at the largest speed.
pub(super) fn encounter(
    scene: &Scene,
    pair: &PairLaws,
    [own, other]: [usize; 2],
    smallest: &[f64],
    speed: f64,
) -> Encounter {
    let material = &scene.materials[own].1;
    let (radius, other_radius) = (smallest[own], smallest[other]);
    let mass = material.sphere_mass(radius);
    // a wall, or the smallest particle of the other material
    let (inverse_radius, inverse_mass, other_radius) = if other_radius.is_finite() {
        let other_mass = scene.materials[other].1.sphere_mass(other_radius);
        (1.0 / other_radius, 1.0 / other_mass, other_radius)
    } else {
        (0.0, 0.0, 0.0)
    };
    let slowest = material.speed_of_sound().map_or(0.0, |sound| SLOWEST * sound);
    let mut encounter = Encounter {
        radii: [radius, other_radius],
        effective_radius: 1.0 / (1.0 / radius + inverse_radius),
        effective_mass: 1.0 / (1.0 / mass + inverse_mass),
        speed: speed.max(slowest),
        radius_sum: radius + other_radius,
    };
    let works = pair.laws.iter().map(|law| law.work_of_separation(&encounter));
    let drawn_in = 2.0 * works.sum::<f64>() / encounter.effective_mass;
    encounter.speed = (encounter.speed * encounter.speed + drawn_in).sqrt();
    encounter
}

/// `π r √(ρ/G) / (0.1631 ν + 0.8766)` [s].
pub(super) fn rayleigh_time(material: &Material, radius: f64) -> Option<f64> {
    let elastic = material.elastic()?;
    let wave = (material.density? / elastic.shear_modulus()).sqrt();
    Some(std::f64::consts::PI * radius * wave / (0.1631 * elastic.poisson_ratio + 0.8766))
}

/// The largest speed that can occur: current speeds, free fall, walls, and insertions.
fn largest_speed(scene: &Scene, engine: &Engine, sources: &[&Source]) -> f64 {
    let inlets =
        sources.iter().map(|source| source.velocity.length() + 1.8 * source.random_velocity);
    let start = inlets.fold(largest_present(engine), f64::max);
    let walls = engine.walls().iter().map(|wall| wall_speed(wall, engine)).fold(0.0, f64::max);
    let fall =
        2.0 * scene.gravity.length().max(engine.gravity().length()) * height(engine, sources);
    (start * start + fall).sqrt().max(start + walls)
}

/// Largest current speed of a particle of all ranks [m/s].
fn largest_present(engine: &Engine) -> f64 {
    let squares = engine.particles().records.iter().map(|record| {
        let velocity = Vec3::from_array(record.velocity);
        velocity.dot(velocity)
    });
    let [square] = engine.largest([squares.fold(0.0, f64::max)]);
    square.sqrt()
}

/// Largest speed of a wall now and over its first second, sampled [m/s].
fn wall_speed(wall: &LiveWall, engine: &Engine) -> f64 {
    if wall.wall.motion.is_still() {
        return 0.0;
    }
    let bounds = bounds(wall, engine);
    (0..=100)
        .map(|sample| wall.pose_at(wall.since + 0.01 * f64::from(sample)).largest_speed(bounds))
        .fold(wall.pose.largest_speed(bounds), f64::max)
}

/// The box of a wall in its initial position; the domain if it is infinite.
pub(super) fn bounds(wall: &LiveWall, engine: &Engine) -> (Vec3, Vec3) {
    wall.wall.shape.bounds().unwrap_or((engine.domain().min, engine.domain().max))
}

/// Height of fall along gravity: from the highest to the lowest point of particles, regions of insertion and walls,
/// inside the domain [m].
fn height(engine: &Engine, sources: &[&Source]) -> f64 {
    let down = engine.gravity().normalize_or_zero();
    if down == Vec3::ZERO {
        return 0.0;
    }
    let corners = |low: Vec3, high: Vec3| {
        (0..8).map(move |bits| {
            Vec3::new(
                if bits & 1 == 0 { low.x } else { high.x },
                if bits & 2 == 0 { low.y } else { high.y },
                if bits & 4 == 0 { low.z } else { high.z },
            )
        })
    };
    let inside = |point: Vec3| point.clamp(engine.domain().min, engine.domain().max).dot(down);
    let [low, high] = depths(engine, inside);
    let mut points = Vec::new();
    points.extend(
        sources
            .iter()
            .filter_map(|source| source.bounds())
            .flat_map(|(low, high)| corners(low, high)),
    );
    for wall in engine.walls() {
        match (&wall.wall.shape, wall.wall.shape.bounds()) {
            (crate::wall::Shape::HalfSpace { point, normal }, _) if normal.dot(down) < -1e-3 => {
                points.push(*point)
            }
            (_, Some((low, high))) => points.extend(corners(low, high)),
            _ => {}
        }
    }
    let (low, high) = points.iter().fold((low, high), |(low, high), &point| {
        let depth = inside(point);
        (low.min(depth), high.max(depth))
    });
    (high - low).max(0.0)
}

/// Least and largest value of a function of the positions of all particles of all ranks.
fn depths(engine: &Engine, depth: impl Fn(Vec3) -> f64) -> [f64; 2] {
    let all = engine.particles().records.iter().map(|record| depth(record.position.into()));
    let [low, high] = all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], depth| {
        [low.min(depth), high.max(depth)]
    });
    engine.bounds_over_ranks([low, high])
}
