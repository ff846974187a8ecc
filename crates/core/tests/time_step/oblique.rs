//! Oblique impacts on a floor: errors of the rebound are those that docs/time-step.md states.

use crate::common::*;
use esker::prelude::*;
use esker::time_step::STEPS_PER_IMPACT;

const PHASES: usize = 8;
const ANGLES: [f64; 9] = [5.0, 10.0, 20.0, 30.0, 37.0, 45.0, 60.0, 75.0, 85.0];

/// An impact at an angle from the normal [degrees].
#[derive(Clone, Copy)]
struct Impact {
    angle: f64,
    restitution: f64,
    friction: f64,
    speed: f64,
    /// On a resting sphere, or on the floor.
    on_sphere: bool,
}

impl Impact {
    /// First touch occurs at this time.
    fn scene(&self, time: f64, step: StepSize) -> Scene {
        let pair = Pair::new().restitution(self.restitution).friction(self.friction);
        let (mut scene, material) = scene(frictional(), pair);
        let (sine, cosine) = self.angle.to_radians().sin_cos();
        let velocity = self.speed * Vec3::new(sine, 0.0, -cosine);
        scene.add_sphere(material, sphere(RADIUS * Vec3::Z - time * velocity, velocity));
        if self.on_sphere {
            scene.add_sphere(material, sphere(-RADIUS * Vec3::Z, Vec3::ZERO));
        } else {
            scene.add_wall("floor", floor(), material);
        }
        scene.step = step;
        scene.health.overlap_limit = 0.5;
        scene
    }

    /// Duration of the elastic impact.
    fn duration(&self) -> f64 {
        let share = if self.on_sphere { 0.5 } else { 1.0 };
        let cosine = self.angle.to_radians().cos();
        duration(share * mass(RADIUS), share * RADIUS, self.speed * cosine)
    }

    /// The first automatic step.
    fn first_step(&self) -> f64 {
        self.scene(1e-6, StepSize::Auto).build().expect("a valid scene").dt()
    }

    /// The impact at another speed, at which the level of the automatic step allows as few steps as the rule.
    fn with_fewest_steps(self) -> Self {
        let excess = self.duration() / (1.0005 * STEPS_PER_IMPACT * self.first_step());
        // the duration is proportional to the speed to the power of -1/5
        Self { speed: self.speed * excess.powi(5), ..self }
    }

    /// Velocity and rim speed after the impact, as fractions of the impact speed, and the first step; first touch is at
    /// a fraction of a step.
    fn rebound(&self, dt: f64, phase: f64, step: StepSize) -> ([f64; 3], f64) {
        let mut simulation = self.scene((1.0 + phase) * dt, step).build().expect("a valid scene");
        let first = simulation.dt();
        let separates = |simulation: &Simulation| {
            let (gap, speed) = if self.on_sphere {
                let apart = position(simulation, 0) - position(simulation, 1);
                let relative = velocity(simulation, 0) - velocity(simulation, 1);
                (apart.length() - 2.0 * RADIUS, apart.dot(relative))
            } else {
                (position(simulation, 0).z - RADIUS, velocity(simulation, 0).z)
            };
            gap > 0.0 && speed > 0.0
        };
        while !separates(&simulation) {
            simulation.step().expect("a healthy step");
        }
        let spin = simulation.snapshot_without_contacts().particles[0].spin;
        let velocity = velocity(&simulation, 0);
        ([velocity.x, velocity.z, RADIUS * spin.y].map(|value| value / self.speed), first)
    }
}

/// Largest error of the rebound over angles and positions of first touch, with the longest automatic step.
fn largest_error(on_sphere: bool, restitution: f64, friction: f64) -> f64 {
    let mut worst = 0.0f64;
    for angle in ANGLES {
        let impact =
            Impact { angle, restitution, friction, speed: 10.0, on_sphere }.with_fewest_steps();
        let dt = impact.first_step();
        let time = impact.duration();
        let (exact, _) = impact.rebound(time / 1000.0, 0.0, StepSize::Fixed(time / 1000.0));
        for phase in 0..PHASES {
            let (found, first) = impact.rebound(dt, phase as f64 / PHASES as f64, StepSize::Auto);
            assert!(first <= 1.001 * time / STEPS_PER_IMPACT, "{:.2} steps", time / first);
            worst = worst.max(error(found, exact));
        }
    }
    worst
}

fn error(found: [f64; 3], exact: [f64; 3]) -> f64 {
    found.iter().zip(exact).map(|(found, exact)| (found - exact).abs()).fold(0.0, f64::max)
}

#[test]
fn rebounds_with_the_automatic_step_are_off_by_no_more_than_is_stated() {
    // friction, restitution and the stated error at a floor
    for (friction, restitutions, stated) in [
        (0.1, &[1.0, 0.8, 0.5, 0.2][..], 0.01),
        (0.5, &[1.0, 0.9, 0.8, 0.7, 0.5, 0.3], 0.015),
        (0.5, &[0.2], 0.021),
        (0.5, &[0.1], 0.031),
    ] {
        for &restitution in restitutions {
            let [floor, sphere] =
                [false, true].map(|on_sphere| largest_error(on_sphere, restitution, friction));
            println!("friction {friction}, e = {restitution}: {floor:.4}, {sphere:.4}");
            assert!(floor < stated, "friction {friction}, e = {restitution}: {floor}");
            // the contacts of both partners are half as fast, and so are the errors
            let stated = if restitution > 0.15 { 0.01 } else { 0.02 };
            assert!(
                sphere < stated,
                "friction {friction}, e = {restitution}: {sphere} at a sphere"
            );
        }
    }
}

#[test]
fn rebounds_with_a_given_step_are_off_by_no_more_than_is_stated() {
    for (friction, steps, stated) in
        [(0.1, 18.0, 0.01), (0.5, 18.0, 0.035), (0.5, 22.0, 0.025), (0.5, 40.0, 0.015)]
    {
        let mut worst = 0.0f64;
        for (angle, restitution) in
            ANGLES.iter().flat_map(|&angle| [1.0, 0.8, 0.5, 0.2].map(|value| (angle, value)))
        {
            let impact = Impact { angle, restitution, friction, speed: 1.0, on_sphere: false };
            let rebound = |steps: f64, phase: f64| {
                let dt = impact.duration() / steps;
                impact.rebound(dt, phase, StepSize::Fixed(dt)).0
            };
            let exact = rebound(1000.0, 0.0);
            for phase in [0.0, 0.25, 0.5, 0.75] {
                worst = worst.max(error(rebound(steps, phase), exact));
            }
        }
        println!("friction {friction}, {steps} steps: {worst:.4}");
        assert!(worst < stated, "friction {friction}, {steps} steps: {worst}");
    }
}
