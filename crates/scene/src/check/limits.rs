//! The limits of the time step of a scene, and the overlap of its hardest impact.

use crate::Loaded;
use esker::Simulation;
use esker::scene::StepSize;
use esker::time_step::{Criterion, StepChoice};

/// The rule that sets the time step, in parentheses after its length.
pub fn how(step: &StepSize, choice: &StepChoice) -> String {
    let by = choice.criterion.map_or("adapted to the error", Criterion::describe);
    match step {
        StepSize::Auto => format!("auto, limited by: {by}"),
        StepSize::AutoOnce => format!("auto, kept from the start, limited by: {by}"),
        StepSize::AtMost(max) => format!("auto, at most {max:.3e} s, limited by: {by}"),
        StepSize::Fixed(_) => "given".to_owned(),
        StepSize::Between { min, .. } => format!("at first; adapted down to {min:.4e} s"),
    }
}

/// The stability bound of the contacts at the start, and the particle that determines it.
pub fn stability(choice: &StepChoice, dt: f64) -> String {
    match &choice.bound_by {
        Some(who) if choice.bound.is_finite() => {
            let fraction = dt / choice.bound;
            format!("bound {:.4e} s, the step is {fraction:.3} of it: {who}", choice.bound)
        }
        _ => "no contact limits the step".to_owned(),
    }
}

/// The impending impact that needs the shortest step.
pub fn coming(choice: &StepChoice) -> String {
    let Some(found) = &choice.impact else { return "none within the next steps".to_owned() };
    let [first, second] = &found.between;
    format!(
        "{first} with {second} at {:.3} m/s lasts {:.3e} s: {:.0} steps",
        found.speed, found.contact_time, found.steps
    )
}

/// The overlap of the hardest impact and its limit.
pub fn impact(loaded: &Loaded, simulation: &Simulation) -> Option<String> {
    let found = simulation.hardest_impact()?;
    let limit = loaded.scene.health.overlap_limit;
    let [first, second] = &found.between;
    Some(format!(
        "{:.3} of the radius, of `{first}` on `{second}` at that speed; `overlap_limit` is {limit}",
        found.fraction
    ))
}

/// A warning if the overlap of the hardest impact exceeds the limit.
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
