//! What the neighbour search costs: a table of rebuild and step times for each method and size.
//!
//! `cargo run --release -p esker --example search_cost [LARGEST]`, where LARGEST is the largest
//! number of particles (100 000 if none is given; 1000000 takes a minute or two).

use esker::prelude::*;
use esker::search::{SearchMethod, SearchOptions};
use std::time::Instant;

/// Beyond this many particles every pair is left out, and cubes around an intruder, where each
/// grain looks into some hundred thousand of them.
const MOST_FOR_BRUTE_FORCE: usize = 3_000;
const MOST_FOR_CUBES_AND_INTRUDER: usize = 10_000;
const RADIUS: f64 = 1e-3;

fn main() -> Result<(), Error> {
    let largest = match std::env::args().nth(1).map(|text| text.parse::<usize>()) {
        None => 100_000,
        Some(Ok(largest)) => largest,
        Some(Err(_)) => {
            println!("usage: search_cost [LARGEST NUMBER OF PARTICLES]");
            return Ok(());
        }
    };
    println!("One thread, a gas at a volume fraction of 0.3, all periodic; ns for each particle.");
    println!("The intruder is one sphere 50 times as large as the others.");
    println!();
    println!("| particles | sizes | method | rebuild [ns] | step [ns] | candidates | contacts |");
    println!("|---|---|---|---|---|---|---|");
    for count in [1_000, 10_000, 100_000, 1_000_000] {
        if count > largest {
            break;
        }
        for intruder in [false, true] {
            for method in [SearchMethod::Grid, SearchMethod::Cubes, SearchMethod::BruteForce] {
                let most = match method {
                    SearchMethod::BruteForce => MOST_FOR_BRUTE_FORCE,
                    SearchMethod::Cubes if intruder => MOST_FOR_CUBES_AND_INTRUDER,
                    _ => largest,
                };
                if count <= most {
                    measure(count, intruder, method)?;
                }
            }
        }
    }
    Ok(())
}

/// Prints one line of the table.
fn measure(count: usize, intruder: bool, method: SearchMethod) -> Result<(), Error> {
    let mut simulation = scene(count, intruder, method).build()?;
    for _ in 0..5 {
        simulation.step()?;
    }
    // steps alone, and steps that each rebuild the neighbour list
    let steps = (400_000 / count).clamp(4, 200);
    let step = quickest(5, || timed(&mut simulation, steps, false))?;
    let both = quickest(3, || timed(&mut simulation, (steps / 4).max(2), true))?;
    let particles = simulation.counts().present as f64;
    let (candidates, contacts) = simulation.pairs_and_contacts();
    println!(
        "| {} | {} | {method:?} | {:.0} | {:.0} | {:.2} | {:.2} |",
        simulation.counts().present,
        if intruder { "intruder" } else { "equal" },
        1e9 * (both - step) / particles,
        1e9 * step / particles,
        candidates as f64 / particles,
        contacts as f64 / particles,
    );
    Ok(())
}

fn quickest(times: usize, mut run: impl FnMut() -> Result<f64, Error>) -> Result<f64, Error> {
    (0..times).try_fold(f64::INFINITY, |best, _| Ok(best.min(run()?)))
}

/// Seconds for a step, with or without a rebuild in each.
fn timed(simulation: &mut Simulation, steps: usize, rebuild: bool) -> Result<f64, Error> {
    let start = Instant::now();
    let before = simulation.statistics().rebuilds;
    for _ in 0..steps {
        if rebuild {
            simulation.rebuild_neighbour_list();
        }
        simulation.step()?;
    }
    let seconds = start.elapsed().as_secs_f64() / steps as f64;
    let rebuilds = simulation.statistics().rebuilds - before;
    if !rebuild && rebuilds > 0 {
        // the gas has used up its skin in the midst of it: of no use
        return Ok(f64::INFINITY);
    }
    Ok(seconds)
}

fn scene(count: usize, intruder: bool, method: SearchMethod) -> Scene {
    let mut scene = Scene { seed: 2, step: StepSize::Fixed(1e-6), ..Scene::new() };
    // a skin that is given does not grow when lists are made more often than they need be
    scene.search = SearchOptions { method, skin: Some(0.1 * RADIUS) };
    scene.contact = ContactModel::normal(Hertz::default())
        .damping(HertzDamping::default())
        .tangential(Mindlin::default());
    let material = Material::new().density(2500.0).young_modulus(1e7).poisson_ratio(0.25);
    let grain = scene.add_material("grain", material);
    scene.set_pair(grain, grain, Pair::new().friction(0.5).restitution(0.8));
    let big = 50.0 * RADIUS;
    let volume = |radius: f64| 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let mut needed = count as f64 * volume(RADIUS) / 0.3;
    if intruder {
        needed += volume(big);
        scene.add_sphere(grain, Sphere::new(big, Vec3::ZERO));
    }
    // an intruder needs room for itself twice in a period
    let edge = needed.cbrt().max(if intruder { 4.3 * big } else { 0.0 });
    let half = Vec3::splat(0.5 * edge);
    scene.domain = Some(Domain { periodic: [true; 3], ..Domain::new(-half, half) });
    scene.particles.push(Source {
        random_velocity: 0.1,
        ..Source::new(
            "gas",
            grain,
            Radius::Constant(RADIUS),
            Placement::Random {
                region: Region::Box { min: -half, max: half },
                amount: Amount::Count(count),
            },
        )
    });
    scene
}
