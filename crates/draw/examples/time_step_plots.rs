//! The plots of docs/time-step.md: stability limit against bound, and restitution against steps per impact.
//!
//! Usage: `cargo run --release --package esker-draw --example time_step_plots -- docs/images`

use esker::prelude::*;
use esker::scene::{OverlapPolicy, StepLimit};
use esker::time_step::{STEPS_PER_IMPACT, restitution_error};
use esker_draw::{Mark, Plot, Scale, Series};
use std::path::Path;

const RADIUS: f64 = 0.01;
const DENSITY: f64 = 2500.0;
const YOUNG: f64 = 1e7;
const POISSON: f64 = 0.25;

/// Cells of the crystal along each axis.
const CELLS: usize = 3;
/// Velocities so small that the stiffness of contacts is constant [m/s].
const SMALL: f64 = 1e-7;
/// Steps of a run that determines whether the motion grows, and the factor of its energy that counts as growth.
const STEPS: usize = 2000;
const GROWTH: f64 = 1e3;
/// Halvings of the interval that contains the stability limit.
const HALVINGS: usize = 8;

/// Positions of first touch within a step.
const PHASES: u32 = 32;
/// Speed of the impacts [m/s].
const SPEED: f64 = 1.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "docs/images".to_owned());
    let folder = Path::new(&folder);
    std::fs::write(folder.join("time_step_bound.svg"), stability()?.svg() + "\n")?;
    std::fs::write(folder.join("time_step_restitution.svg"), restitution()?.svg() + "\n")?;
    Ok(())
}

fn scene(pair: Pair) -> (Scene, MaterialId) {
    let mut scene = Scene::new();
    scene.contact = ContactModel::normal(normal::Hertz::default())
        .damping(damping::HertzDamping::default())
        .tangential(tangential::Mindlin::default());
    scene.domain = Some(Domain::new(Vec3::splat(-1.0), Vec3::splat(1.0)));
    let material = Material::new().density(DENSITY).young_modulus(YOUNG).poisson_ratio(POISSON);
    let material = scene.add_material("grain", material);
    scene.set_pair(material, material, pair);
    scene.health.step_limit = StepLimit::Warn;
    (scene, material)
}

/// A face-centred cubic crystal whose contacts overlap by a fraction of the radius and stick.
fn crystal(overlap: f64, restitution: f64) -> Scene {
    let (mut scene, material) = scene(Pair::new().friction(10.0).restitution(restitution));
    let cell = (2.0 - overlap) * RADIUS * 2.0f64.sqrt();
    let mut domain = Domain::new(Vec3::ZERO, Vec3::splat(CELLS as f64 * cell));
    domain.periodic = [true; 3];
    scene.domain = Some(domain);
    scene.health.overlap = OverlapPolicy::Warn;
    scene.health.overlap_limit = 0.9;
    let sites = [[0.25, 0.25, 0.25], [0.75, 0.75, 0.25], [0.75, 0.25, 0.75], [0.25, 0.75, 0.75]];
    let mut state = 3u64;
    let mut vector = || {
        Vec3::from_array(std::array::from_fn(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }))
    };
    for place in 0..CELLS.pow(3) {
        let corner = [place % CELLS, place / CELLS % CELLS, place / CELLS / CELLS];
        let corner = Vec3::from_array(corner.map(|index| index as f64));
        for site in sites {
            let position = cell * (corner + Vec3::from_array(site));
            let (velocity, spin) = (SMALL * vector(), SMALL / RADIUS * vector());
            scene.add_sphere(material, Sphere { velocity, spin, ..Sphere::new(RADIUS, position) });
        }
    }
    scene
}

/// Largest kinetic energy in some steps; infinite if the run fails [J].
fn motion(scene: &Scene, dt: f64, steps: usize) -> Result<f64, Error> {
    let mut scene = scene.clone();
    scene.step = StepSize::Fixed(dt);
    let mut simulation = scene.build()?;
    let mut most = 0.0f64;
    for _ in 0..steps {
        if simulation.step().is_err() {
            return Ok(f64::INFINITY);
        }
        most = most.max(simulation.kinetic_energy() + simulation.rotational_energy());
    }
    Ok(most)
}

/// Stability bound of a crystal, and the step at which its motion begins to grow [s].
fn bound_and_limit(scene: &Scene) -> Result<[f64; 2], Error> {
    let mut still = scene.clone();
    still.step = StepSize::Fixed(1e-9);
    let bound = still.build()?.step_choice().bound;
    let calm = motion(scene, 0.25 * bound, STEPS)?;
    let [mut low, mut high] = [0.8 * bound, 2.0 * bound];
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        let grows = motion(scene, middle, STEPS)? > GROWTH * calm;
        *(if grows { &mut high } else { &mut low }) = middle;
    }
    Ok([bound, 0.5 * (low + high)])
}

/// Stability limit and bound of a crystal over its overlap.
fn stability() -> Result<Plot, Error> {
    let mut series = Vec::new();
    for restitution in [1.0, 0.5, 0.1] {
        let [mut bounds, mut limits] = [Vec::new(), Vec::new()];
        for overlap in [0.0025, 0.005, 0.01, 0.02, 0.04] {
            let [bound, limit] = bound_and_limit(&crystal(overlap, restitution))?;
            bounds.push([100.0 * overlap, 1e6 * bound]);
            limits.push([100.0 * overlap, 1e6 * limit]);
        }
        let name = |kind: &str| format!("{kind}, e = {restitution}");
        series.push(Series { name: name("bound"), points: bounds, mark: Mark::Line });
        series.push(Series { name: name("limit"), points: limits, mark: Mark::Points });
    }
    Ok(Plot {
        title: "Stability limit of a sticking crystal (fcc) and bound".to_owned(),
        x_label: "overlap [% of the radius]".to_owned(),
        y_label: "time step [µs]".to_owned(),
        x_scale: Scale::Logarithmic,
        y_scale: Scale::Logarithmic,
        series,
        ..Plot::default()
    })
}

/// Largest error of the restitution of an impact on a floor over the positions of first touch.
fn largest_error(restitution: f64, steps: f64) -> Result<f64, Error> {
    let modulus = YOUNG / (2.0 * (1.0 - POISSON * POISSON));
    let mass = 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3) * DENSITY;
    let depth = (15.0 / 16.0 * mass * SPEED * SPEED / (modulus * RADIUS.sqrt())).powf(0.4);
    // duration of an elastic Hertzian impact
    let dt = 2.943_275 * depth / SPEED / steps;
    let mut worst = 0.0f64;
    for phase in 0..PHASES {
        let (mut scene, material) = scene(Pair::new().friction(0.0).restitution(restitution));
        let floor = Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z };
        scene.add_wall("floor", floor, material);
        let gap = (2.0 + f64::from(phase) / f64::from(PHASES)) * SPEED * dt;
        let sphere = Sphere::new(RADIUS, (RADIUS + gap) * Vec3::Z);
        let ball = scene.add_sphere(material, Sphere { velocity: -SPEED * Vec3::Z, ..sphere });
        scene.step = StepSize::Fixed(dt);
        let mut simulation = scene.build()?;
        let rebound = loop {
            simulation.step()?;
            let ball = &simulation.particles()[ball];
            if ball.velocity.z >= 0.0 && ball.position.z > RADIUS {
                break ball.velocity.z;
            }
        };
        worst = worst.max((rebound / SPEED - restitution).abs());
    }
    Ok(worst)
}

/// Error of the restitution over the number of steps per impact.
fn restitution() -> Result<Plot, Error> {
    let counts = [6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 22.0, 26.0, 32.0, 40.0];
    let stated = counts.map(|steps| [steps, restitution_error(steps, STEPS_PER_IMPACT)]);
    let mut series =
        vec![Series { name: "stated".to_owned(), points: stated.to_vec(), mark: Mark::Dashes }];
    for restitution in [1.0, 0.8, 0.5, 0.2] {
        let mut points = Vec::new();
        for steps in counts {
            points.push([steps, largest_error(restitution, steps)?]);
        }
        let name = format!("e = {restitution}");
        series.push(Series { name, points, mark: Mark::JoinedPoints });
    }
    Ok(Plot {
        title: "Largest error of the restitution of a Hertzian impact".to_owned(),
        x_label: "steps per impact".to_owned(),
        y_label: "error of the restitution".to_owned(),
        x_scale: Scale::Logarithmic,
        y_scale: Scale::Logarithmic,
        series,
        ..Plot::default()
    })
}
