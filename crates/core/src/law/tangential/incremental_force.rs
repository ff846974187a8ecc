//! Incremental tangential force of one contact; formulas and sources in `incremental.rs`.

use super::Direction;
use super::friction::Friction;
use crate::law::slots::{Contact, Elastic, NormalForces, Slip, Tangential, TangentialLaw};

crate::history! {
    /// History of a contact with an incremental force.
    pub struct IncrementalHistory {
        /// Stored force [N].
        pub tangential_force: [f64; 3],
        /// Elastic displacement [m].
        pub spring: [f64; 3],
        /// Trial force minus its limit [N].
        pub friction_excess: f64,
        /// k_t at the accepted state [N/m].
        pub spring_stiffness: f64,
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    pub friction: Friction,
    pub per_contact_radius: f64,
    /// η: weight of the stiffness at the end of the step.
    pub end_weight: f64,
    pub is_total: bool,
    pub is_conventional: bool,
    pub direction: Direction,
    pub rescale: bool,
    /// Coefficient of the stored force in slip.
    pub stored_coefficient: f64,
}

#[inline(always)]
fn length(v: [f64; 3]) -> f64 {
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}

crate::record! {
    /// Accepted force and spring in the current tangent plane, and the stiffness of the step and of
    /// its end.
    pub struct IncrementalPrepared {
        force_before: [f64; 3],
        spring_before: [f64; 3],
        within: f64,
        stiffness: f64,
    }
}

crate::record! {
    /// Magnitudes of the trial force and of the vector that determines its direction in slip, and the normal force in
    /// the friction limit.
    pub struct IncrementalTrial {
        magnitude: f64,
        along: f64,
        normal_force: f64,
    }
}

/// The law with the options of the paper as constants, or with any options.
#[derive(Debug, Clone, Copy)]
pub struct IncrementalSpring<const PLAIN: bool = true> {
    pub(super) rule: Rule,
}

impl<const PLAIN: bool> IncrementalSpring<PLAIN> {
    /// Trial displacement, trial force, and the vector that determines the direction in slip.
    #[inline(always)]
    fn vectors(&self, contact: &Contact, slip: &Slip, from: &IncrementalPrepared) -> [[f64; 3]; 3] {
        let IncrementalPrepared { force_before, spring_before, within, stiffness } = *from;
        let is_total = !PLAIN && self.rule.is_total;
        let mut displaced = [0.0; 3];
        let mut trial = [0.0; 3];
        for axis in 0..3 {
            displaced[axis] = spring_before[axis] + slip.displacement[axis];
            let grown = force_before[axis] - within * slip.displacement[axis];
            trial[axis] = if is_total { -stiffness * displaced[axis] } else { grown };
        }
        // at the accepted state the decision of the step remains
        let by_trial_force = PLAIN || contact.step.elapsed <= 0.0;
        let against = match self.rule.direction {
            _ if by_trial_force => trial,
            Direction::TrialForce => trial,
            Direction::Displacement => [-displaced[0], -displaced[1], -displaced[2]],
            Direction::Velocity => [-slip.velocity[0], -slip.velocity[1], -slip.velocity[2]],
        };
        [displaced, trial, against]
    }
}

impl<const PLAIN: bool> TangentialLaw for IncrementalSpring<PLAIN> {
    type History = IncrementalHistory;
    type Prepared = IncrementalPrepared;
    type Trial = IncrementalTrial;

    #[inline(always)]
    fn reads_history(&self, column: usize) -> bool {
        column != 6 || self.rule.friction.depends_on_history()
    }

    #[inline(always)]
    fn prepare(
        &self,
        _: &Contact,
        elastic: &Elastic,
        _: &Slip,
        old: IncrementalHistory,
    ) -> IncrementalPrepared {
        let rule = &self.rule;
        let stiffness = rule.per_contact_radius * elastic.contact_radius;
        let before = old.spring_stiffness;
        let within = before + rule.end_weight * (stiffness - before);
        let within = if (before > 0.0) & (within > 0.0) { within } else { stiffness };
        let falls = !PLAIN && rule.rescale && stiffness < before;
        let fall = if falls { stiffness / before } else { 1.0 };
        let force = old.tangential_force;
        let force_before = [fall * force[0], fall * force[1], fall * force[2]];
        IncrementalPrepared { force_before, spring_before: old.spring, within, stiffness }
    }

    #[inline(always)]
    fn trial(
        &self,
        contact: &Contact,
        normal: &NormalForces,
        slip: &Slip,
        prepared: IncrementalPrepared,
    ) -> IncrementalTrial {
        let [_, trial, against] = self.vectors(contact, slip, &prepared);
        let magnitude = length(trial);
        let along = if PLAIN { magnitude } else { length(against) };
        let normal_force = self.rule.friction.normal_force(normal);
        IncrementalTrial { magnitude, along, normal_force }
    }

    #[inline(always)]
    fn return_map(
        &self,
        contact: &Contact,
        slip: &Slip,
        prepared: IncrementalPrepared,
        trial: IncrementalTrial,
        old: IncrementalHistory,
    ) -> Tangential<IncrementalHistory> {
        let IncrementalTrial { magnitude, along, normal_force } = trial;
        let [displaced, trial, against] = self.vectors(contact, slip, &prepared);
        let IncrementalPrepared { force_before, spring_before, within, stiffness } = prepared;
        let friction = &self.rule.friction;
        let elapsed = contact.step.elapsed;
        let tested = friction.tested_coefficient(old.friction_excess, elapsed);
        let excess = magnitude - tested * normal_force;
        let slides = excess > 0.0;
        let touching = contact.overlap > 0.0;
        let chosen = PLAIN || along > 0.0;
        let norm = positive(if chosen { along } else { magnitude });
        let acting = friction.in_slip * normal_force / norm;
        let stored = self.rule.stored_coefficient * normal_force / norm;
        let is_conventional = !PLAIN && self.rule.is_conventional;
        let mut result = Tangential {
            force: [0.0; 3],
            excess: if touching { excess } else { 0.0 },
            power: 0.0,
            history: IncrementalHistory {
                tangential_force: [0.0; 3],
                spring: [0.0; 3],
                friction_excess: if touching { excess } else { 0.0 },
                spring_stiffness: if touching { stiffness } else { 0.0 },
            },
        };
        for axis in 0..3 {
            let direction = if chosen { against[axis] } else { trial[axis] };
            let acts = if slides { acting * direction } else { trial[axis] };
            let force = if slides { stored * direction } else { trial[axis] };
            let conventional = -force / positive(stiffness);
            let proposed = spring_before[axis] - (force - force_before[axis]) / positive(within);
            let sliding = if is_conventional { conventional } else { proposed };
            let elastic = if slides { sliding } else { displaced[axis] };
            result.history.tangential_force[axis] = if touching { force } else { 0.0 };
            result.history.spring[axis] = if touching { elastic } else { 0.0 };
            result.force[axis] = if touching { acts } else { 0.0 };
        }
        result
    }
}

/// The number, or the smallest positive one, to avoid a division by zero.
#[inline(always)]
fn positive(value: f64) -> f64 {
    if value > f64::MIN_POSITIVE { value } else { f64::MIN_POSITIVE }
}
