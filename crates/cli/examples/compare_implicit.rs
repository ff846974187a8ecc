//! Compares explicit and implicit integration of one scene: cost of a step, iterations, and distance of the result from
//! a reference.
//!
//! ```text
//! cargo run --release --example compare_implicit -- SCENE TIME STEP [STEP …]
//! ```
//!
//! runs the scene up to a time with each step and each rule, and with Fehlberg's method for reference. Rules that
//! iterate may shorten their step to a hundredth if they do not converge.

use esker::integrate::{Integrator, Iteration, Rkf45, Theta, Tolerances};
use esker::scene::{StepLimit, StepSize};
use esker::{Simulation, Vec3};
use std::time::Instant;

/// Tolerance of the iterations.
const TOLERANCE: f64 = 1e-6;

type Failure = Box<dyn std::error::Error>;

fn rules() -> Vec<(&'static str, Integrator)> {
    let theta = |phi, iteration| {
        let tolerances = Tolerances::all(TOLERANCE);
        Integrator::Theta(Theta {
            phi,
            iteration,
            tolerances,
            desired_iterations: 20,
            most_iterations: 40,
            ..Theta::default()
        })
    };
    vec![
        ("velocity-verlet", Integrator::VelocityVerlet),
        ("symplectic-euler", Integrator::SymplecticEuler),
        ("φ = 0", theta(0.0, Iteration::Jacobi)),
        ("φ = ½, jacobi", theta(0.5, Iteration::Jacobi)),
        ("φ = ½, gauss-seidel", theta(0.5, Iteration::GaussSeidel)),
        ("φ = 1, jacobi", theta(1.0, Iteration::Jacobi)),
        ("φ = 1, gauss-seidel", theta(1.0, Iteration::GaussSeidel)),
        ("φ = 1, frozen", theta(1.0, Iteration::Frozen)),
    ]
}

/// The length of steps that a rule may take.
fn bounds(integrator: Integrator, dt: f64) -> StepSize {
    match integrator {
        Integrator::Theta(theta) if theta.phi > 0.0 && theta.iteration != Iteration::Frozen => {
            StepSize::Between { max: dt, min: 0.01 * dt }
        }
        _ => StepSize::Fixed(dt),
    }
}

fn run(
    scene: &esker::Scene,
    integrator: Integrator,
    step: StepSize,
    time: f64,
) -> Result<Simulation, Failure> {
    let mut scene = scene.clone();
    scene.integrator = integrator;
    scene.step = step;
    scene.health.step_limit = StepLimit::Warn;
    let mut simulation = scene.build()?;
    while simulation.time() < time - 1e-9 * time {
        simulation.step()?;
    }
    Ok(simulation)
}

/// Root mean square distance of the particles from their positions in the reference, in mean radii; the reference is
/// extrapolated to the same time by free flight.
fn apart(found: &Simulation, reference: &Simulation) -> f64 {
    let (found, late) = (found.snapshot(), found.time() - reference.time());
    let others = reference.snapshot().particles;
    let pairs = found.particles.iter().zip(&others);
    let place = |p: &esker::measure::ParticleView| -> Vec3 { p.position + late * p.velocity };
    let square: f64 =
        pairs.map(|(own, other)| (own.position - place(other)).length_squared()).sum();
    let radius: f64 = others.iter().map(|p| p.radius).sum();
    let count = others.len() as f64;
    (square / count).sqrt() / (radius / count)
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, time, steps @ ..] = arguments.as_slice() else {
        return Err("usage: compare_implicit SCENE TIME STEP [STEP …]".into());
    };
    let time: f64 = time.parse()?;
    let scene = esker_scene::load(file)?.scene;
    let exact = Rkf45 { position: 1e-11, velocity: 1e-9, spin: 1e-9, accept: true };
    let shortest: f64 = steps.iter().filter_map(|text| text.parse().ok()).fold(1.0, f64::min);
    let fine = StepSize::Between { max: 0.25 * shortest, min: 1e-3 * shortest };
    let reference = run(&scene, Integrator::Rkf45(exact), fine, time)?;
    println!("{file}, {} particles, up to {time} s", reference.particles().len());
    println!(
        "| step [s] | rule | steps | rejected | evaluations a step | µs a step | run [s] | apart |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for text in steps {
        let dt: f64 = text.parse()?;
        for (name, integrator) in rules() {
            let clock = Instant::now();
            let outcome = run(&scene, integrator, bounds(integrator, dt), time);
            let wall = clock.elapsed().as_secs_f64();
            let Ok(simulation) = outcome else {
                println!("| {dt:.1e} | {name} | – | – | – | – | – | fails |");
                continue;
            };
            let (counts, steps) = (simulation.step_counts(), simulation.steps());
            println!(
                "| {dt:.1e} | {name} | {steps} | {} | {:.2} | {:.1} | {wall:.2} | {:.1e} |",
                counts.rejected,
                counts.evaluations as f64 / steps as f64,
                1e6 * wall / steps as f64,
                apart(&simulation, &reference)
            );
        }
    }
    Ok(())
}
