//! Integrators with trial steps: rejected steps leave no trace, and the result depends on the scene alone: not on
//! threads, lists, or on stopping and resuming.

mod rich_scene;

use esker::Simulation;
use esker::integrate::{Integrator, Iteration, Rkf45, Theta, Tolerances};
use esker::scene::{StepLimit, StepSize};
use esker::search::SearchOptions;
use rich_scene::{Variant, bits, ledger_bits};

/// Each with a step that it must adapt: collisions are resolved with shorter ones.
fn integrators() -> Vec<(&'static str, Integrator)> {
    let theta = |phi, iteration| {
        let tolerances = Tolerances::all(1e-5);
        Integrator::Theta(Theta {
            phi,
            iteration,
            tolerances,
            desired_iterations: 6,
            most_iterations: 40,
            accept: true,
            ..Theta::default()
        })
    };
    let rkf45 = Rkf45 { position: 1e-7, velocity: 1e-5, spin: 1e-5, accept: true };
    vec![
        ("jacobi", theta(0.5, Iteration::Jacobi)),
        ("gauss-seidel", theta(1.0, Iteration::GaussSeidel)),
        ("rkf45", Integrator::Rkf45(rkf45)),
    ]
}

/// The scene with every feature (`rich_scene`), shortened, up to its stage of flow.
fn scene(integrator: Integrator, variant: Variant) -> esker::Scene {
    let mut scene = rich_scene::scene(variant);
    scene.integrator = integrator;
    // twice the limit, so that collisions need shorter steps
    scene.step = StepSize::Between { max: 1e-4, min: 2e-6 };
    scene.health.step_limit = StepLimit::Warn;
    scene.accumulate_angles = true;
    for (stage, after) in scene.stages.iter_mut().zip([0.012, 0.002]) {
        stage.end.after = Some(after);
    }
    // closer to the paddle, so that the short run has its collisions
    for source in &mut scene.particles {
        source.velocity *= 2.0;
    }
    scene
}

fn run(mut simulation: Simulation) -> (Vec<u64>, Simulation) {
    while !simulation.is_finished() {
        simulation.step().expect("a healthy step");
    }
    let mut found = bits(&simulation);
    found.extend(ledger_bits(&simulation));
    (found, simulation)
}

fn start(integrator: Integrator, variant: Variant) -> Simulation {
    scene(integrator, variant).build().expect("a valid scene")
}

#[test]
fn forced_rejections_threads_lists_and_resuming_change_no_bit() {
    for (name, integrator) in integrators() {
        let (expected, whole) = run(start(integrator, Variant::default()));
        let counts = whole.step_counts();
        println!("{name}: {} steps, {counts:?}", whole.steps());
        assert!(counts.rejected > 10, "{name}: {counts:?}");
        assert!(counts.shortest < 0.5 * counts.longest, "{name}: {counts:?}");

        let mut forced = start(integrator, Variant::default());
        forced.force_rejections(3, 5);
        assert!(run(forced).0 == expected, "{name}: forced rejections");

        let threads = Variant { threads: 3, ..Variant::default() };
        assert!(run(start(integrator, threads)).0 == expected, "{name}: threads");

        let search = SearchOptions { skin: Some(1e-9), ..SearchOptions::default() };
        let (found, thin) = run(start(integrator, Variant { search, ..Variant::default() }));
        assert!(found == expected, "{name}: a thin skin");
        assert!(thin.statistics().rebuilds > whole.statistics().rebuilds);
        assert_eq!(thin.step_counts(), counts, "{name}: a thin skin");

        let mut part = start(integrator, Variant::default());
        while part.steps() < whole.steps() / 2 {
            part.step().expect("a healthy step");
        }
        let restored = Simulation::restore(scene(integrator, threads), part.save());
        let (found, resumed) = run(restored.expect("its own state"));
        assert!(found == expected, "{name}: resumed");
        assert_eq!(resumed.step_counts(), counts, "{name}: resumed");
        assert!(resumed.save() == whole.save(), "{name}: the saved states differ");
    }
}
