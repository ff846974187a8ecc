//! Problems with a closed form, and the error of an integrator with fixed steps. Used by the test of the observed order
//! and by the example that plots it.

#![allow(dead_code, reason = "the test and the example each use their own part of this")]

use esker::integrate::{Integrator, Iteration, Rkf45, Theta, Tolerances};
use esker::prelude::*;
use esker::scene::StepLimit;
use std::f64::consts::PI;

const DENSITY: f64 = 2500.0;
const YOUNG: f64 = 1e8;
const POISSON: f64 = 0.25;
const RADIUS: f64 = 0.01;
const GRAVITY: f64 = 9.81;
/// Stiffness of the oscillator [N/m].
const STIFFNESS: f64 = 1e4;
/// Speeds of the bounce and of the block [m/s].
const SPEED: f64 = 0.2;
const BLOCK_SPEED: f64 = 0.05;
const FRICTION: f64 = 0.3;

/// A problem whose solution is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// A sphere on a linear spring under its weight.
    Oscillator,
    /// A sphere that hits the floor elastically, from its first touch to after its last.
    Bounce,
    /// A sphere with fixed rotation slides to rest on its tangential spring, then on its friction.
    Block,
}

impl Problem {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Oscillator, Self::Bounce, Self::Block];

    /// Its name in a plot.
    pub fn title(self) -> &'static str {
        match self {
            Self::Oscillator => "Oscillator: a sphere on a linear spring, 1.4 periods",
            Self::Bounce => "Hertz bounce: a sphere from its first touch to after its last",
            Self::Block => "Sliding block: tangential spring, then Coulomb friction",
        }
    }

    /// Unit of time for the steps: a period, a contact, the time of the spring [s].
    pub fn scale(self) -> f64 {
        match self {
            Self::Oscillator => 2.0 * PI * (mass() / STIFFNESS).sqrt(),
            Self::Bounce => contact_time(),
            Self::Block => block().1,
        }
    }

    fn duration(self) -> f64 {
        match self {
            Self::Oscillator => 1.4 * self.scale(),
            Self::Bounce => 1.3 * self.scale(),
            Self::Block => 8.0 * self.scale(),
        }
    }

    /// Error with `steps` equal steps: of position and velocity, each as a fraction of its scale in the problem.
    pub fn error(self, integrator: Integrator, steps: u32) -> f64 {
        let dt = self.duration() / f64::from(steps);
        let mut simulation = self.start(integrator, dt);
        (0..steps).for_each(|_| simulation.step().expect("a healthy step"));
        let particles = simulation.particles();
        let x = particles.position(ParticleId::new(0)).expect("a particle");
        let v = particles.velocity(ParticleId::new(0)).expect("a particle");
        let (expected, sizes) = self.exact();
        let found = if self == Self::Block { [x.x, v.x] } else { [x.z - RADIUS, v.z] };
        let parts = [0, 1].map(|part| (found[part] - expected[part]) / sizes[part]);
        (parts[0] * parts[0] + parts[1] * parts[1]).sqrt()
    }

    fn start(self, integrator: Integrator, dt: f64) -> Simulation {
        let mut scene = Scene { integrator, step: StepSize::Fixed(dt), ..Scene::new() };
        scene.health.step_limit = StepLimit::Warn;
        let hertz = ContactModel::normal(normal::Hertz::default());
        let (contact, pair) = match self {
            Self::Oscillator => (
                ContactModel::normal(normal::Linear::default()),
                Pair::new().normal_stiffness(STIFFNESS),
            ),
            Self::Bounce => (hertz, Pair::new()),
            Self::Block => {
                (hertz.tangential(tangential::Mindlin::default()), Pair::new().friction(FRICTION))
            }
        };
        scene.contact = contact;
        let material = Material::new().density(DENSITY).young_modulus(YOUNG).poisson_ratio(POISSON);
        let material = scene.add_material("sphere", material);
        scene.set_pair(material, material, pair);
        let floor = Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z };
        scene.add_wall("floor", floor, material);
        scene.domain = Some(Domain::new(Vec3::splat(-1.0), Vec3::splat(1.0)));
        let (height, velocity) = match self {
            Self::Oscillator => (-0.5 * mass() * GRAVITY / STIFFNESS, Vec3::ZERO),
            Self::Bounce => (0.0, -SPEED * Vec3::Z),
            Self::Block => (-overlap_at_rest(), BLOCK_SPEED * Vec3::X),
        };
        scene.gravity = if self == Self::Bounce { Vec3::ZERO } else { -GRAVITY * Vec3::Z };
        scene.rotations = self != Self::Block;
        let position = Vec3::Z * (RADIUS + height);
        scene.add_sphere(material, Sphere { velocity, ..Sphere::new(RADIUS, position) });
        scene.build().expect("a valid scene")
    }

    /// Position and velocity at the end, and the scales of the errors.
    fn exact(self) -> ([f64; 2], [f64; 2]) {
        let time = self.duration();
        match self {
            Self::Oscillator => {
                let frequency = (STIFFNESS / mass()).sqrt();
                let rest = mass() * GRAVITY / STIFFNESS;
                let (sine, cosine) = (frequency * time).sin_cos();
                let found = [-rest * (1.0 - 0.5 * cosine), -0.5 * rest * frequency * sine];
                (found, [0.5 * rest, 0.5 * rest * frequency])
            }
            Self::Bounce => ([SPEED * (time - contact_time()), SPEED], [largest_overlap(), SPEED]),
            Self::Block => {
                let (way, loaded, speed) = block();
                let since = time - loaded;
                let slowing = FRICTION * GRAVITY;
                let x = way + speed * since - 0.5 * slowing * since * since;
                ([x, speed - slowing * since], [way, BLOCK_SPEED])
            }
        }
    }
}

fn mass() -> f64 {
    4.0 / 3.0 * PI * RADIUS.powi(3) * DENSITY
}

/// `K` in `F = K δ^{3/2}` at the floor.
fn hertz_stiffness() -> f64 {
    let modulus = YOUNG / (2.0 * (1.0 - POISSON * POISSON));
    4.0 / 3.0 * modulus * RADIUS.sqrt()
}

fn overlap_at_rest() -> f64 {
    (mass() * GRAVITY / hertz_stiffness()).powf(2.0 / 3.0)
}

fn largest_overlap() -> f64 {
    (1.25 * mass() * SPEED * SPEED / hertz_stiffness()).powf(0.4)
}

/// Duration of Hertz's impact: `2 δ_max/v ∫ dξ/√(1 - ξ^{5/2})` from 0 to 1, and that integral is
/// `⅖ Γ(⅖) Γ(½) / Γ(9/10)`.
fn contact_time() -> f64 {
    let integral = 0.4 * libm::tgamma(0.4) * libm::tgamma(0.5) / libm::tgamma(0.9);
    2.0 * largest_overlap() / SPEED * integral
}

/// Displacement and time until the spring reaches the friction limit, and the speed then.
fn block() -> (f64, f64, f64) {
    let shear = YOUNG / (2.0 * (1.0 + POISSON)) / (2.0 * (2.0 - POISSON));
    let stiffness = 8.0 * shear * (RADIUS * overlap_at_rest()).sqrt();
    let frequency = (stiffness / mass()).sqrt();
    let way = FRICTION * mass() * GRAVITY / stiffness;
    let sine = frequency * way / BLOCK_SPEED;
    (way, sine.asin() / frequency, BLOCK_SPEED * (1.0 - sine * sine).sqrt())
}

/// The integrators, by name.
pub fn integrators() -> Vec<(&'static str, Integrator)> {
    let theta = |phi, iteration| {
        Integrator::Theta(Theta {
            phi,
            iteration,
            tolerances: Tolerances::all(1e-12),
            desired_iterations: 50,
            most_iterations: 100,
            ..Theta::default()
        })
    };
    vec![
        ("velocity-verlet", Integrator::VelocityVerlet),
        ("symplectic-euler", Integrator::SymplecticEuler),
        ("newmark-pec", Integrator::NEWMARK_PEC),
        ("newmark-pec, 2 corrections", Integrator::newmark(2, true)),
        ("theta, φ = 0", theta(0.0, Iteration::Jacobi)),
        ("theta, φ = ½", theta(0.5, Iteration::Jacobi)),
        ("theta, φ = 1", theta(1.0, Iteration::Jacobi)),
        ("theta, φ = 1, frozen", theta(1.0, Iteration::Frozen)),
        ("rkf45", Integrator::Rkf45(Rkf45::default())),
    ]
}

/// Number of runs of which the largest error makes a point: the position within a step at which a contact begins to
/// slide or ends changes an error at random.
const RUNS: u32 = 5;

/// Below this fraction, an error is rounding.
const ROUNDING: f64 = 2e-11;

/// Step as a fraction of the scale of the problem, and error, for decreasing steps.
pub fn errors(problem: Problem, integrator: Integrator) -> Vec<[f64; 2]> {
    let relative_step = |steps: u32| problem.duration() / f64::from(steps) / problem.scale();
    let counts = (0..12).map(|point| (80.0 * 1.3f64.powi(point)) as u32);
    let error = |steps: u32| {
        let runs = (0..RUNS).map(|run| steps + run * steps / 30);
        runs.map(|steps| problem.error(integrator, steps)).fold(0.0, f64::max)
    };
    let points = counts.map(|steps| [relative_step(steps), error(steps)]);
    points.filter(|[_, error]| *error > ROUNDING).collect()
}

/// Slope of the straight line through the logarithms, by least squares.
pub fn slope(points: &[[f64; 2]]) -> f64 {
    let logs: Vec<[f64; 2]> = points.iter().map(|[h, e]| [h.ln(), e.ln()]).collect();
    let mean = |part: usize| logs.iter().map(|p| p[part]).sum::<f64>() / logs.len() as f64;
    let [mean_h, mean_e] = [mean(0), mean(1)];
    let top: f64 = logs.iter().map(|p| (p[0] - mean_h) * (p[1] - mean_e)).sum();
    let bottom: f64 = logs.iter().map(|p| (p[0] - mean_h) * (p[0] - mean_h)).sum();
    top / bottom
}
