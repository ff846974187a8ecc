//! Warnings about a complete run, found at its end.
//!
//! Each check is one function of the list [`CHECKS`]. Its messages go to `warnings` of `summary.json`, to the report,
//! and to stderr at the end of the run, after the warnings of the engine. To add a check, write a function of
//! [`Ending`] and add it to the list.

use super::summary::Ended;
use crate::Loaded;
use esker::Simulation;
use esker::integrate::Integrator;
use esker::measure::Energy;

/// A run at its end.
pub(super) struct Ending<'a> {
    pub simulation: &'a Simulation,
    pub loaded: &'a Loaded,
    pub energy: &'a Energy,
    pub ended: &'a Ended,
}

/// One message per warning, a sentence without a full stop.
type Check = fn(&Ending<'_>) -> Vec<String>;

/// In the order of their messages.
const CHECKS: &[Check] = &[ledger, gyration, overlaps, streams];

/// The warnings of all checks.
pub(super) fn at_end(ending: &Ending<'_>) -> Vec<String> {
    CHECKS.iter().flat_map(|check| check(ending)).collect()
}

/// Closure error of the energy ledger above which results are doubtful, as a fraction of the energy exchanged.
const CLOSURE_LIMIT: f64 = 0.01;

/// A ledger that does not close or is not finite. A failed run has already reported its cause.
fn ledger(ending: &Ending<'_>) -> Vec<String> {
    if !ending.loaded.scene.ledger || matches!(ending.ended, Ended::Failed(_)) {
        return Vec::new();
    }
    let energy = ending.energy;
    let error = energy.relative_closure_error();
    if error.is_finite() && error.abs() <= CLOSURE_LIMIT {
        return Vec::new();
    }
    let message = if error.is_finite() {
        format!(
            "the energy ledger does not close: {:.1} % of the energy exchanged is unaccounted \
             for; try a time step of {:.1e} s",
            100.0 * error.abs(),
            0.5 * ending.simulation.dt()
        )
    } else {
        let terms: Vec<String> = terms(energy)
            .into_iter()
            .filter(|(_, value)| !value.is_finite())
            .map(|(name, value)| format!("{name} = {value} J"))
            .collect();
        format!(
            "the energy ledger is not finite ({}), so that energy conservation cannot be checked",
            terms.join(", ")
        )
    };
    vec![message]
}

/// Overlaps beyond the limit, if the scene only counts them.
fn overlaps(ending: &Ending<'_>) -> Vec<String> {
    let found = ending.simulation.overlaps();
    if found.largest == 0.0 {
        return Vec::new();
    }
    vec![format!(
        "overlaps were beyond `overlap_limit = {}` after {} of {} steps; the largest was {:.1} % of the \
         radius",
        ending.loaded.scene.health.overlap_limit,
        found.steps,
        ending.simulation.steps(),
        100.0 * found.largest
    )]
}

/// The terms of the ledger with the names of their columns in `energy.csv` [J].
fn terms(energy: &Energy) -> [(&'static str, f64); 14] {
    [
        ("kinetic", energy.kinetic),
        ("rotational", energy.rotational),
        ("potential", energy.potential),
        ("elastic_normal", energy.elastic_normal),
        ("elastic_tangential", energy.elastic_tangential),
        ("cohesion", energy.cohesion),
        ("damping_loss", energy.damping_loss),
        ("sliding_loss", energy.sliding_loss),
        ("rolling_loss", energy.rolling_loss),
        ("cohesion_loss", energy.cohesion_loss),
        ("wall_work", energy.wall_work),
        ("field_work", energy.field_work),
        ("inserted", energy.inserted),
        ("closure_error", energy.closure_error),
    ]
}

/// Relative growth of the speed of a charge by the integration above which results are doubtful.
const GROWTH_LIMIT: f64 = 0.01;

/// Charges whose speed has been increased by explicit integration in a magnetic field: in each step by y⁴/4 of itself
/// for velocity Verlet and by y²/2 for methods of first order, y = ωΔt (`esker::time_step`).
fn gyration(ending: &Ending<'_>) -> Vec<String> {
    let rate = 1.0 / ending.simulation.advice().gyration_time;
    let angle = rate * ending.simulation.dt();
    let growth = match ending.loaded.scene.integrator {
        Integrator::VelocityVerlet => 0.25 * angle.powi(4),
        Integrator::SymplecticEuler => 0.5 * angle * angle,
        Integrator::NewmarkPec { corrections: 1, final_evaluation: false, .. } => {
            0.5 * angle * angle
        }
        _ => return Vec::new(),
    };
    let growth = (growth * ending.simulation.steps() as f64).exp_m1();
    if !(growth > GROWTH_LIMIT) {
        return Vec::new();
    }
    let help = if ending.loaded.scene.integrator == Integrator::VelocityVerlet {
        "try a shorter time step"
    } else {
        "try `integrator = \"velocity-verlet\"`, or a shorter time step"
    };
    vec![format!(
        "the integration has increased the speed of charges in the magnetic field by up to {:.1} \
         %; {help}",
        100.0 * growth
    )]
}

/// A stream without a count may lag by this fraction of the due number while it waits for room.
const STREAM_LAG: f64 = 0.01;

/// Streams that have inserted fewer particles than requested or due.
fn streams(ending: &Ending<'_>) -> Vec<String> {
    if *ending.ended != Ended::Finished {
        return Vec::new();
    }
    let open = ending.simulation.open_streams();
    let short = open.iter().filter(|stream| match stream.requested {
        Some(requested) => stream.inserted < requested,
        None => (stream.inserted as f64) < (1.0 - STREAM_LAG) * stream.due as f64 - 1.0,
    });
    short
        .map(|stream| {
            let requested = match stream.requested {
                Some(requested) => format!("{requested} requested, "),
                None => String::new(),
            };
            let why = if stream.inserted < stream.due {
                "there was no room for more"
            } else {
                "the run ended before the others were due"
            };
            let (group, inserted, due) = (&stream.group, stream.inserted, stream.due);
            format!(
                "the stream `{group}` inserted too few particles: {requested}{due} due, \
                 {inserted} inserted; {why}"
            )
        })
        .collect()
}
