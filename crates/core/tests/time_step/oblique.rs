//! Oblique impacts on a floor: errors of the rebound are those that docs/time-step.md states.

use crate::common::*;
use esker::prelude::*;

const SPEED: f64 = 1.0;
const PHASES: usize = 4;

/// Velocity and rim speed after an impact at an angle from the normal [degrees], as fractions of the impact
/// speed, with a number of steps per impact; first touch is at a fraction of a step.
fn rebound(angle: f64, restitution: f64, friction: f64, steps: f64, phase: f64) -> [f64; 3] {
    let pair = Pair::new().restitution(restitution).friction(friction);
    let (mut scene, material) = scene(frictional(), pair);
    scene.add_wall("floor", floor(), material);
    let (sine, cosine) = angle.to_radians().sin_cos();
    let dt = duration(mass(RADIUS), RADIUS, SPEED * cosine) / steps;
    let gap = (1.0 + phase) * SPEED * cosine * dt;
    let velocity_before = SPEED * Vec3::new(sine, 0.0, -cosine);
    scene.add_sphere(material, sphere((RADIUS + gap) * Vec3::Z, velocity_before));
    scene.step = StepSize::Fixed(dt);
    let mut simulation = scene.build().expect("a valid scene");
    while !(velocity(&simulation, 0).z > 0.0 && position(&simulation, 0).z > RADIUS) {
        simulation.step().expect("a healthy step");
    }
    let spin = simulation.snapshot_without_contacts().particles[0].spin;
    let velocity = velocity(&simulation, 0);
    [velocity.x, velocity.z, RADIUS * spin.y].map(|value| value / SPEED)
}

/// Largest error of the rebound over angles, restitutions and positions of first touch.
fn largest_error(friction: f64, steps: f64) -> f64 {
    let mut worst = 0.0f64;
    for angle in [5.0, 20.0, 30.0, 37.0, 45.0, 60.0, 85.0] {
        for restitution in [1.0, 0.8, 0.5, 0.2] {
            let exact = rebound(angle, restitution, friction, 1000.0, 0.0);
            for phase in 0..PHASES {
                let phase = phase as f64 / PHASES as f64;
                let found = rebound(angle, restitution, friction, steps, phase);
                let errors = found.iter().zip(exact).map(|(found, exact)| (found - exact).abs());
                worst = errors.fold(worst, f64::max);
            }
        }
    }
    worst
}

#[test]
fn rebounds_of_oblique_impacts_are_off_by_no_more_than_is_stated() {
    for (friction, steps, stated) in
        [(0.1, 18.0, 0.01), (0.5, 18.0, 0.035), (0.5, 22.0, 0.025), (0.5, 40.0, 0.015)]
    {
        let error = largest_error(friction, steps);
        println!("friction {friction}, {steps} steps: {error:.4}");
        assert!(error < stated, "friction {friction}, {steps} steps: {error}");
    }
}
