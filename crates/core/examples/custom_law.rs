//! A law of one's own: glue of limited range, written against the public traits, holds two balls
//! together until they are pulled apart by more than it bears.

use esker::law::{
    Contacts, Encounter, Evaluate, Forces, History, Law, Model, PairContext, Step, WIDTH,
};
use esker::prelude::*;

/// Attraction that grows with the gap as a spring does and breaks at the end of its range. Takes
/// `glue_stiffness` [N/m] and `glue_reach` [m] from each pair of materials.
#[derive(Debug, Clone, Copy)]
struct Glue;

impl Model for Glue {
    fn name(&self) -> &'static str {
        "glue"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        // a missing or invalid value is reported by `build`, with all other problems
        let stiffness = context.require("glue_stiffness", 0.0..=f64::MAX);
        let interaction_range = context.require("glue_reach", 0.0..=f64::MAX);
        Some(Box::new(GlueLaw { stiffness: stiffness?, interaction_range: interaction_range? }))
    }
}

/// The law of one pair of materials: its parameters as plain numbers.
#[derive(Debug)]
struct GlueLaw {
    stiffness: f64,
    interaction_range: f64,
}

impl Evaluate for GlueLaw {
    /// Nothing is stored from one step to the next.
    type History = ();

    fn evaluate(
        &self,
        contacts: &Contacts,
        _step: &Step,
        _history: History<'_, ()>,
        forces: &mut Forces,
    ) {
        // one loop over a chunk of contacts, without a branch that skips work: it becomes vector code
        for c in 0..WIDTH {
            let gap = (-contacts.overlap[c]).max(0.0);
            let holds = if gap < self.interaction_range { 1.0 } else { 0.0 };
            forces.cohesion[c] += holds * self.stiffness * gap;
        }
    }
}

impl Law for GlueLaw {
    /// Partners within this gap are seen; the neighbour search takes care of it.
    fn interaction_range(&self) -> f64 {
        self.interaction_range
    }

    /// What the time step is chosen from.
    fn contact_time(&self, encounter: &Encounter) -> Option<f64> {
        Some(std::f64::consts::PI * (encounter.effective_mass / self.stiffness).sqrt())
    }
}

const RADIUS: f64 = 0.01;
const STIFFNESS: f64 = 100.0;
const REACH: f64 = 1e-3;

fn main() -> Result<(), Error> {
    for speed in [0.5, 2.0] {
        let distance = distance_after(speed)?;
        let verdict = if distance < 2.0 * RADIUS + REACH { "holds" } else { "breaks" };
        println!("pulled apart at {speed} m/s the glue {verdict}: distance {distance:.4} m");
    }
    Ok(())
}

/// Distance of two touching balls a while after one is pulled away at a speed [m].
fn distance_after(speed: f64) -> Result<f64, Error> {
    let mut scene = Scene::new();
    scene.contact = ContactModel::normal(Hertz::default()).cohesion(Glue);
    let material = Material::new().density(2500.0).young_modulus(1e7).poisson_ratio(0.3);
    let resin = scene.add_material("resin", material);
    let pair = Pair::new().with("glue_stiffness", STIFFNESS).with("glue_reach", REACH);
    scene.set_pair(resin, resin, pair);
    let ball = |x: f64, speed: f64| Sphere {
        velocity: Vec3::X * speed,
        ..Sphere::new(RADIUS, Vec3::X * x)
    };
    let left = scene.add_sphere(resin, ball(0.0, -0.5 * speed));
    let right = scene.add_sphere(resin, ball(2.0 * RADIUS, 0.5 * speed));
    scene.domain = Some(Domain::new(Vec3::splat(-1.0), Vec3::splat(1.0)));
    let mut simulation = scene.build()?;
    while simulation.time() < 0.05 {
        simulation.step()?;
    }
    let position = |id| simulation.particles().position(id).unwrap_or(Vec3::NAN);
    Ok((position(right) - position(left)).length())
}

#[test]
fn the_glue_breaks_at_the_speed_whose_energy_it_cannot_hold() -> Result<(), Error> {
    // ½ m* v² = ½ k range²
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3);
    let critical = REACH * (STIFFNESS / (0.5 * mass)).sqrt();
    assert!(distance_after(0.98 * critical)? < 2.0 * RADIUS + REACH);
    assert!(distance_after(1.02 * critical)? > 2.0 * RADIUS + REACH);
    Ok(())
}

#[test]
fn a_parameter_that_is_missing_is_reported_by_name() {
    let mut scene = Scene::new();
    scene.contact = ContactModel::normal(Hertz::default()).cohesion(Glue);
    let material = Material::new().density(2500.0).young_modulus(1e7).poisson_ratio(0.3);
    let resin = scene.add_material("resin", material);
    scene.set_pair(resin, resin, Pair::new().with("glue_reach", REACH));
    scene.add_sphere(resin, Sphere::new(RADIUS, Vec3::ZERO));
    let Err(Error::Scene(problems)) = scene.build() else { panic!("it was accepted") };
    let text = problems[0].to_string();
    assert!(text.contains("`glue` needs `glue_stiffness`"), "{text}");
}
