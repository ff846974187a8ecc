//! The value of a scene for which no time step can be derived.

use super::assumed::{Advice, encounter};
use super::cap::smallest_radii;
use crate::engine::Engine;
use crate::error::Problem;
use crate::insert::Source;
use crate::scene::Scene;

/// Remedy if no step can be derived from the scene.
const GIVE_A_NUMBER: &str = "or give `time.step` a number";

impl Advice {
    /// The value that makes the time step `dt` zero, infinite or NaN.
    pub(crate) fn problem(
        &self,
        scene: &Scene,
        engine: &Engine,
        sources: &[&Source],
        dt: f64,
    ) -> Problem {
        let smallest = smallest_radii(scene, engine, sources);
        if smallest.iter().all(|radius| radius.is_infinite()) {
            let message = "no time step follows from the scene: no particle moves freely";
            return Problem::at("time.step", message)
                .help(format!("add particles or a stream of them, {GIVE_A_NUMBER}"));
        }
        if !self.speed.is_finite() {
            let message =
                format!("the time step is {dt} s: the largest speed is {} m/s", self.speed);
            return Problem::at("time.step", message).help(
                "check velocities, gravity, height of fall and wall motions for a value that is \
                 too large",
            );
        }
        for (id, &radius) in smallest.iter().enumerate().filter(|(_, radius)| radius.is_finite()) {
            let (name, material) = &scene.materials[id];
            let Some(density) = material.density else { continue };
            let mass = material.sphere_mass(radius);
            if !(mass > 0.0 && mass.is_finite()) {
                let message = format!(
                    "the time step is {dt} s: a particle of `{name}` with radius {radius:e} m and \
                     density {density:e} kg/m³ has a mass of {mass} kg"
                );
                return Problem::at(format!("materials.{name}.density"), message)
                    .help("the mass must be a positive floating-point number");
            }
        }
        self.problem_of_contact(scene, engine, &smallest, dt)
    }

    fn problem_of_contact(
        &self,
        scene: &Scene,
        engine: &Engine,
        smallest: &[f64],
        dt: f64,
    ) -> Problem {
        let mut any = false;
        for pair in &engine.table().pairs {
            let [first, second] = pair.materials.map(|id| id.index());
            for (own, other) in [(first, second), (second, first)] {
                if !smallest[own].is_finite() {
                    continue;
                }
                let found = encounter(scene, pair, [own, other], smallest, self.speed);
                let times = pair.laws.iter().filter_map(|law| law.contact_time(&found));
                let Some(time) = times.min_by(f64::total_cmp) else { continue };
                any = true;
                if time > 0.0 && time.is_finite() && dt.is_finite() {
                    continue;
                }
                let (name, material) = &scene.materials[own];
                let Some(elastic) = material.elastic() else { continue };
                let message = format!(
                    "the time step is {dt} s: a contact of `{name}` with `{}` lasts {time:e} s, with \
                     radius {:e} m, mass {:e} kg, young_modulus {:e} Pa and speed {:e} m/s",
                    scene.materials[other].0,
                    found.effective_radius,
                    found.effective_mass,
                    elastic.young_modulus,
                    found.speed
                );
                return Problem::at(format!("materials.{name}.young_modulus"), message).help(
                    format!("one of these values is out of range; correct it, {GIVE_A_NUMBER}"),
                );
            }
        }
        if any {
            let message = format!("the time step is {dt} s");
            return Problem::at("time.step", message).help("give `time.step` a number");
        }
        let message =
            "no time step follows from the scene: no contact law gives the duration of a contact";
        Problem::at("contact", message).help(format!("choose a law for `normal`, {GIVE_A_NUMBER}"))
    }
}
