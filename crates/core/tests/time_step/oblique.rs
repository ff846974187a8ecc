//! Oblique impacts on a floor: errors of the rebound are those that docs/time-step.md states.

use crate::common::*;
use esker::prelude::*;

const PHASES: usize = 4;
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

    /// Velocity and rim speed after the impact, as fractions of the impact speed; first touch is at a fraction
    /// of a step.
    fn rebound(&self, dt: f64, phase: f64, step: StepSize) -> ([f64; 3], f64) {
        let mut simulation = self.scene((1.0 + phase) * dt, step).build().expect("a valid scene");
        let mut longest = 0.0f64;
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
            longest = longest.max(simulation.dt());
            simulation.step().expect("a healthy step");
        }
        let spin = simulation.snapshot_without_contacts().particles[0].spin;
        let velocity = velocity(&simulation, 0);
        ([velocity.x, velocity.z, RADIUS * spin.y].map(|value| value / self.speed), longest)
    }
}

#[test]
fn probe() {
    for on_sphere in [false, true] {
        for friction in [0.1, 0.3, 0.5] {
            for restitution in [1.0, 0.9, 0.8, 0.7, 0.5, 0.4, 0.3, 0.2, 0.1] {
                let mut worst = (0.0f64, 0.0, 0.0, 0.0);
                let mut fewest = f64::INFINITY;
                for angle in ANGLES {
                    let mut impact =
                        Impact { angle, restitution, friction, speed: 10.0, on_sphere };
                    let dt = impact.scene(1e-6, StepSize::Auto).build().unwrap().dt();
                    let want: f64 = std::env::var("N").unwrap().parse().unwrap();
                    impact.speed *= (impact.duration() / (want * 1.001 * dt)).powi(5);
                    let dt = impact.scene(1e-6, StepSize::Auto).build().unwrap().dt();
                    let time = impact.duration();
                    let (exact, _) =
                        impact.rebound(time / 2000.0, 0.0, StepSize::Fixed(time / 2000.0));
                    for phase in 0..PHASES {
                        let phase = phase as f64 / PHASES as f64;
                        let (found, longest) = impact.rebound(dt, phase, StepSize::Auto);
                        fewest = fewest.min(time / longest);
                        for (found, exact) in found.iter().zip(exact) {
                            let error = (found - exact).abs();
                            if error > worst.0 {
                                worst = (error, angle, time / longest, phase);
                            }
                        }
                    }
                }
                println!(
                    "{on_sphere} mu {friction} e {restitution}: {:.2} % at {} n {:.1} phase {}, fewest {fewest:.1}",
                    100.0 * worst.0,
                    worst.1,
                    worst.2,
                    worst.3
                );
            }
        }
    }
}
