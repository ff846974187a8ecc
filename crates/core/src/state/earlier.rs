//! States saved by version 0.1 (format 8 of checkpoints). They lack the state of the time step
//! control, so that no run can continue from them, but their particles can be inserted.

use super::{SavedContact, SavedParticle, SavedWallContact, StageState, State, WallState};
use crate::contact_state::energy_terms::AccumulatedWork;
use crate::health::Overlaps;
use crate::integrate::StepCounts;
use crate::simulation::{Clock, Counts};
use crate::time_step::Advice;
use crate::time_step::control::StepControl;

/// Numbers of the advice on the time step.
type EarlierAdvice = [f64; 9];

/// A state of format 8.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
pub struct EarlierState {
    clock: Clock,
    step_counts: StepCounts,
    stage: StageState,
    counts: Counts,
    inserted_energy: f64,
    turnover: f64,
    departed_kinetic: f64,
    departed_works: AccumulatedWork,
    _advice: EarlierAdvice,
    warnings: Vec<String>,
    fewest_steps: f64,
    overlaps: Overlaps,
    groups: Vec<String>,
    materials: Vec<String>,
    history: Vec<String>,
    walls: Vec<WallState>,
    particles: Vec<SavedParticle>,
    contacts: Vec<SavedContact>,
    wall_contacts: Vec<SavedWallContact>,
}

impl EarlierState {
    /// The state as a settled bed for other runs: particles, contacts and walls.
    pub fn into_bed(self) -> State {
        State {
            clock: self.clock,
            step_counts: self.step_counts,
            stage: self.stage,
            counts: self.counts,
            inserted_energy: self.inserted_energy,
            turnover: self.turnover,
            departed_kinetic: self.departed_kinetic,
            departed_works: self.departed_works,
            half_step_difference: 0.0,
            dissipative_forces: Vec::new(),
            accurate_slip: Vec::new(),
            advice: Advice::default(),
            control: StepControl::default(),
            warnings: self.warnings,
            fewest_steps: self.fewest_steps,
            overlaps: self.overlaps,
            groups: self.groups,
            materials: self.materials,
            history: self.history,
            walls: self.walls,
            particles: self.particles,
            contacts: self.contacts,
            wall_contacts: self.wall_contacts,
        }
    }
}
