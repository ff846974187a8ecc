//! Snapshots kept for the pictures of the report: the start, the starts of stages, and some in between, for a run of
//! unknown length.

use super::lazy_snapshot::LazySnapshot;
use esker::measure::Snapshot;

/// Largest number of snapshots kept between the first and the last.
const MOST_BETWEEN: usize = 8;
/// Largest number of starts of stages kept.
const MOST_STAGES: usize = 3;
/// Steps between the first snapshots; doubled whenever there are too many snapshots.
const FIRST_SPACING: u64 = 256;
/// Number of particles in all kept snapshots; beyond it, only the last state is drawn.
const MOST_PARTICLES: usize = 2_000_000;

/// Snapshots of a run.
#[derive(Debug)]
pub(crate) struct ReportFrames {
    first: Option<Snapshot>,
    stages: Vec<Snapshot>,
    between: Vec<Snapshot>,
    spacing: u64,
    since: u64,
    stage: String,
}

impl ReportFrames {
    /// Starts with this instant, if there will be a report.
    pub(crate) fn new(now: &LazySnapshot, has_report: bool) -> Self {
        Self {
            first: has_report.then(|| light(now)).flatten(),
            stages: Vec::new(),
            between: Vec::new(),
            spacing: FIRST_SPACING,
            since: now.step(),
            stage: now.simulation.stage().to_owned(),
        }
    }

    /// Keeps this state if it is due.
    pub(crate) fn record(&mut self, now: &LazySnapshot) {
        if now.simulation.stage() != self.stage {
            self.stage = now.simulation.stage().to_owned();
            if self.stages.len() < MOST_STAGES {
                self.stages.extend(light(now));
            }
        }
        if !(now.step() - self.since).is_multiple_of(self.spacing) {
            return;
        }
        self.between.extend(light(now));
        if self.between.len() > MOST_BETWEEN {
            self.spacing *= 2;
            let (since, spacing) = (self.since, self.spacing);
            self.between.retain(|kept| (kept.step - since).is_multiple_of(spacing));
        }
    }

    /// True if the particles of a single snapshot are more than those of all kept ones may be.
    pub(crate) fn is_too_large(&self, now: &LazySnapshot) -> bool {
        now.simulation.counts().present as usize > MOST_PARTICLES
    }

    /// Snapshots to draw, in order of time; the last is the end.
    pub(crate) fn chosen(self, end: &Snapshot) -> Vec<Snapshot> {
        let start = self.first.as_ref().map_or(0.0, |first| first.time);
        let middle = 0.5 * (start + end.time);
        let nearest = self
            .between
            .into_iter()
            .min_by(|a, b| (a.time - middle).abs().total_cmp(&(b.time - middle).abs()));
        let mut chosen: Vec<Snapshot> =
            self.first.into_iter().chain(self.stages).chain(nearest).collect();
        chosen.push(end.clone());
        chosen.sort_by_key(|snapshot| snapshot.step);
        chosen.dedup_by_key(|snapshot| snapshot.step);
        chosen
    }
}

/// A snapshot of the quantities that a picture shows; none if it would take too much memory.
fn light(now: &LazySnapshot) -> Option<Snapshot> {
    if now.simulation.counts().present as usize * (MOST_BETWEEN + MOST_STAGES) > MOST_PARTICLES {
        return None;
    }
    let mut snapshot = now.snapshot().clone();
    snapshot.contacts = Vec::new();
    snapshot.walls.retain(|wall| wall.present);
    Some(snapshot)
}
