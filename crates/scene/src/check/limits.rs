//! What sets the time step of a scene, and whether its bodies are stiff enough for their speed.

use crate::Loaded;
use crate::run::TimeStep;
use esker::Simulation;
use esker::scene::StepSize;
use esker::time_step::RAYLEIGH_SHARE;

/// What the length of the time step follows from.
pub fn step(loaded: &Loaded, simulation: &Simulation, time: &TimeStep) -> String {
    if loaded.scene.step != StepSize::Auto {
        return "set by `time.step`".to_owned();
    }
    let is = |other: f64| (time.step / other - 1.0).abs() < 1e-3;
    let by_contact = is(loaded.scene.safety * time.contact_time);
    let Some(found) = simulation.shortest_encounter().filter(|_| by_contact) else {
        return match is(RAYLEIGH_SHARE * time.rayleigh_time) {
            true => "set by the Rayleigh time of the smallest particles".to_owned(),
            false => "set by the limit".to_owned(),
        };
    };
    let [first, second] = &found.between;
    let partner = match found.partner_radius {
        Some(radius) => format!("`{second}` of radius {radius:.3e} m"),
        None => format!("a wall of `{second}`"),
    };
    format!(
        "set by contacts of `{first}` of radius {:.3e} m with {partner} at {:.3e} m/s",
        found.radius, found.speed
    )
}

/// The overlap of the hardest impact beside its limit.
pub fn impact(loaded: &Loaded, simulation: &Simulation) -> Option<String> {
    let found = simulation.hardest_impact()?;
    let limit = loaded.scene.health.overlap_limit;
    let [first, second] = &found.between;
    Some(format!(
        "{:.3} of the radius, of `{first}` on `{second}` at that speed; `overlap_limit` is {limit}",
        found.fraction
    ))
}

/// A warning if the hardest impact overlaps by more than the limit.
pub fn warning(loaded: &Loaded, simulation: &Simulation) -> Option<String> {
    let limit = loaded.scene.health.overlap_limit;
    let found = simulation.hardest_impact().filter(|found| found.fraction > limit)?;
    let [first, second] = &found.between;
    Some(format!(
        "an elastic impact of `{first}` on `{second}` at the speed assumed, {:.3} m/s, overlaps by \
         {:.3} of the radius, more than `overlap_limit = {limit}`; try a stiffness {:.0} times \
         larger{}",
        found.speed, found.fraction, found.stiffer, found.key
    ))
}
