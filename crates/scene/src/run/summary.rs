//! `summary.json`: parameters and results of a run.

use super::counted::RankReport;
use super::measure::{EndCounts, Measures};
use super::measure_table::Outcome;
use super::warnings::{self, Ending};
use crate::Loaded;
use esker::Counts;
use esker::StreamProgress;
use esker::integrate::StepCounts;
use esker::measure::Energy;
use esker::time_step::Criterion;
use esker::{Overlaps, Simulation, StepError};
use serde::Serialize;
use serde::ser::SerializeMap;

/// End of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// All stages have ended.
    Finished,
    /// It was interrupted by the user or the system.
    Interrupted,
    /// The limit of wall-clock time was reached.
    OutOfTime,
    /// It was stopped as unphysical.
    Failed(Box<StepError>),
}

impl Ended {
    /// Name in `summary.json`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Interrupted => "interrupted",
            Self::OutOfTime => "out of time",
            Self::Failed(_) => "failed",
        }
    }
}

/// The time step and its limits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimeStep {
    /// Length [s].
    pub step: f64,
    /// Mean over the run [s].
    pub mean: f64,
    /// The last step as a fraction of the limit.
    pub fraction_of_limit: f64,
    /// Longest step that is stable with the contacts at the last update and with the fields [s].
    pub limit: f64,
    /// Shortest contact time [s].
    pub contact_time: f64,
    /// Number of steps within the shortest contact, measured from the stiffest contact so far.
    pub steps_per_contact: Option<f64>,
    /// Shortest Rayleigh time [s].
    pub rayleigh_time: f64,
    /// Shortest relaxation time of drag [s].
    pub relaxation_time: f64,
    /// Shortest 1/ω of the gyration of a charge [s].
    pub gyration_time: f64,
    /// Shortest period of an oscillating wall [s].
    pub wall_period: f64,
    /// Largest assumed speed [m/s].
    pub speed: f64,
    /// Criteria that limited the automatic step, with numbers of steps.
    #[serde(serialize_with = "criteria_by_name")]
    pub limited_by: Vec<(Criterion, u64)>,
    /// Changes of the automatic step.
    pub changes: u64,
    /// Updates of the automatic step: passes over the contacts.
    pub updates: u64,
}

impl TimeStep {
    /// Of a simulation now.
    pub fn of(simulation: &Simulation) -> Self {
        let (advice, record) = (simulation.advice(), simulation.step_record());
        let is_chosen = simulation.step_criterion().is_some();
        let counts = Criterion::ALL.into_iter().zip(record.steps);
        Self {
            step: simulation.dt(),
            mean: simulation.time() / simulation.steps() as f64,
            fraction_of_limit: simulation.dt() / advice.limit,
            limit: advice.limit,
            contact_time: advice.contact_time,
            steps_per_contact: simulation.steps_per_contact(),
            rayleigh_time: advice.rayleigh_time,
            relaxation_time: advice.relaxation_time,
            gyration_time: advice.gyration_time,
            wall_period: advice.wall_period,
            speed: advice.speed,
            limited_by: counts.filter(|(_, steps)| is_chosen && *steps > 0).collect(),
            changes: record.changes,
            updates: record.updates,
        }
    }
}

impl TimeStep {
    /// Criteria that limited the automatic step, as percentages of the steps; none for other steps.
    pub fn limits(&self) -> Option<String> {
        let total: u64 = self.limited_by.iter().map(|(_, steps)| steps).sum();
        let parts = self.limited_by.iter().map(|(criterion, steps)| {
            format!("{:.0} % {}", 100.0 * *steps as f64 / total as f64, criterion.describe())
        });
        (total > 0).then(|| parts.collect::<Vec<_>>().join(", "))
    }
}

/// Parameters and results of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Title of the scene.
    pub title: String,
    /// Version of the program.
    pub version: &'static str,
    /// Seed of all random numbers.
    pub seed: u64,
    /// How the run ended.
    #[serde(serialize_with = "ended_as_word")]
    pub ended: Ended,
    /// Reason of the failure.
    pub failure: Option<String>,
    /// Stage in which it ended.
    pub stage: String,
    /// Simulated time [s].
    pub time: f64,
    /// Steps made.
    pub steps: u64,
    /// Integrator.
    pub integrator: &'static str,
    /// Rejected attempts, iterations, evaluations, shortest and longest step.
    pub step_counts: StepCounts,
    /// The step from which it was resumed.
    pub resumed_at_step: Option<u64>,
    /// Wall-clock time [s].
    pub wall_time: f64,
    /// Processor time summed over the threads [s]; none if the system does not report it, or if
    /// several multithreaded runs were concurrent.
    pub processor_time: Option<f64>,
    /// Machine, memory, processor time and communication of each rank; empty on one rank.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ranks: Vec<RankReport>,
    /// Particles times steps per second of computing time.
    pub particle_steps_per_second: f64,
    /// Numbers of particles.
    pub particles: Counts,
    /// Streams that had not inserted all their particles at the end.
    pub open_streams: Vec<StreamProgress>,
    /// Contacts at the end, walls included.
    pub contacts: usize,
    /// Number of rebuilds of the neighbour list.
    pub rebuilds: u64,
    /// The time step.
    pub time_step: TimeStep,
    /// Energies at the end [J]; losses, works and closure only with the energy table.
    pub energy: Energy,
    /// Closure error as a fraction of the energy exchanged; none without the energy table.
    pub relative_closure_error: Option<f64>,
    /// Steps with overlaps beyond the limit, the largest of them, and the largest when bodies were
    /// placed, as fractions of the smaller radius.
    pub overlaps: Overlaps,
    /// Measures of the final state.
    pub measures: Measures,
    /// Last numbers of the measures of the scene, by name and column.
    #[serde(serialize_with = "outcomes_by_name")]
    pub measured: Vec<Outcome>,
    /// Warnings of the reader, of the engine, and of the end of the run.
    pub warnings: Vec<String>,
    /// Warnings to show when the run has ended: all but those of the reader, which concern the text of the scene and
    /// were shown with their lines.
    #[serde(skip)]
    pub end_warnings: Vec<String>,
}

impl Summary {
    pub(super) fn new(
        simulation: &Simulation,
        loaded: &Loaded,
        counts: EndCounts,
        ended: Ended,
    ) -> Self {
        let energy = simulation.energy();
        let mut warnings: Vec<String> =
            loaded.warnings.iter().map(|warning| warning.message.clone()).collect();
        warnings.extend(simulation.warnings().iter().cloned());
        Self {
            title: loaded.scene.title.clone(),
            version: env!("CARGO_PKG_VERSION"),
            seed: loaded.scene.seed,
            failure: match &ended {
                Ended::Failed(error) => Some(error.to_string()),
                _ => None,
            },
            ended,
            stage: simulation.stage().to_owned(),
            time: simulation.time(),
            steps: simulation.steps(),
            integrator: loaded.scene.integrator.name(),
            step_counts: simulation.step_counts(),
            resumed_at_step: None,
            wall_time: 0.0,
            processor_time: None,
            ranks: Vec::new(),
            particle_steps_per_second: 0.0,
            particles: simulation.counts(),
            open_streams: simulation.open_streams(),
            contacts: counts.contacts,
            rebuilds: simulation.statistics().rebuilds,
            time_step: TimeStep::of(simulation),
            energy,
            relative_closure_error: loaded.scene.ledger.then(|| energy.relative_closure_error()),
            overlaps: simulation.overlaps(),
            measures: counts.measures,
            measured: Vec::new(),
            warnings,
            end_warnings: Vec::new(),
        }
    }

    /// Adds the warnings about the run as a whole.
    pub(super) fn warn_at_end(&mut self, simulation: &Simulation, loaded: &Loaded) {
        let Self { energy, ended, .. } = &*self;
        let found = warnings::at_end(&Ending { simulation, loaded, energy, ended });
        self.warnings.extend(found.iter().cloned());
        self.end_warnings = simulation.warnings().to_vec();
        self.end_warnings.extend(found);
    }

    /// As JSON.
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

fn criteria_by_name<S: serde::Serializer>(
    counts: &[(Criterion, u64)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(counts.iter().map(|(criterion, steps)| (criterion, steps)))
}

fn ended_as_word<S: serde::Serializer>(ended: &Ended, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(ended.name())
}

fn outcomes_by_name<S: serde::Serializer>(
    outcomes: &[Outcome],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut names = serializer.serialize_map(Some(outcomes.len()))?;
    for outcome in outcomes {
        names.serialize_entry(&outcome.name, &Numbers(outcome))?;
    }
    names.end()
}

/// The columns of a measure as one object.
struct Numbers<'a>(&'a Outcome);

impl Serialize for Numbers<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.values.iter().map(|(column, value)| (&column.name, value)))
    }
}
