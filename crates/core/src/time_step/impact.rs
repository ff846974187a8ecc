//! Accuracy: an impact is resolved by a number of time steps that keeps its restitution within 0.01
//! at every position of first touch within a step.

use crate::id::ParticleId;
use crate::kernel::laws::PairLaws;
use crate::law::{Encounter, TensileCutoff};
use crate::scene::Scene;
use crate::snapshot::Partner;

/// Steps per impact if the normal law stiffens with the overlap, as Hertz's does, and the tension of its dashpot is
/// clipped.
pub const STEPS_PER_IMPACT: f64 = 16.0;

/// Steps per impact of such a law without a dashpot, or with another treatment of tension.
pub const STEPS_WITHOUT_CLIPPING: f64 = 18.0;

/// Steps per impact for softer laws: with clipped tension, without a dashpot or with `tension = "release"`, and with
/// tension, since the tensile force of a linear dashpot ends with a jump.
pub const STEPS_PER_LINEAR_IMPACT: [f64; 3] = [22.0, 28.0, 42.0];

/// Steps per impact with integrators other than velocity Verlet, whose dashpots are not weighted at first touch: laws
/// that stiffen, and softer ones.
pub const STEPS_WITHOUT_WEIGHT: [f64; 2] = [22.0, 60.0];

/// Exponent of the force from which the first number applies.
const STIFFENING: f64 = 1.5;

/// An impending or current impact.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Impact {
    /// Id of the particle.
    pub first: ParticleId,
    /// Its partner.
    pub second: Partner,
    /// Speed of the approach [m/s].
    pub speed: f64,
    /// Duration of the elastic impact [s].
    pub contact_time: f64,
    /// Longest step that resolves it [s].
    pub step: f64,
}

impl Impact {
    /// Number of steps of this length within the impact.
    pub fn steps(&self, dt: f64) -> f64 {
        self.contact_time / dt
    }
}

/// Steps per impact required by a pair of materials.
pub(crate) fn steps_per_impact(scene: &Scene, laws: &PairLaws) -> f64 {
    let exponent = laws.laws.iter().map(|law| law.force_exponent()).fold(1.0, f64::max);
    let [clipped, released, kept] = STEPS_PER_LINEAR_IMPACT;
    let [stiffening, soft] = if !scene.integrator.weights_first_touch() {
        STEPS_WITHOUT_WEIGHT
    } else {
        match laws.laws.iter().find_map(|law| law.tensile_cutoff()) {
            Some(TensileCutoff::Clip) => [STEPS_PER_IMPACT, clipped],
            Some(TensileCutoff::Keep) => [STEPS_WITHOUT_CLIPPING, kept],
            Some(TensileCutoff::Release) | None => [STEPS_WITHOUT_CLIPPING, released],
        }
    };
    match scene.safety {
        Some(safety) => 1.0 / safety,
        None if exponent >= STIFFENING => stiffening,
        None => soft,
    }
}

/// The shortest impact so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Impacts {
    shortest: Option<Impact>,
    /// The pair of materials and the encounter of the shortest one, to skip those that cannot be shorter.
    encounter: Option<(usize, Encounter)>,
    /// Steps required by the shortest one.
    steps: f64,
}

impl Impacts {
    pub(super) const NONE: Self = Self { shortest: None, encounter: None, steps: 0.0 };

    /// Includes an encounter of a pair of materials; `who` names its partners.
    #[inline(always)]
    pub(super) fn record(
        &mut self,
        laws: &PairLaws,
        pair: usize,
        steps: f64,
        encounter: &Encounter,
        who: impl FnOnce() -> (ParticleId, Partner),
    ) {
        // equal partners at a lower speed have a longer contact time
        if let Some((same, other)) = &self.encounter
            && pair == *same
            && encounter.speed < other.speed
            && encounter.radii == other.radii
            && encounter.effective_mass == other.effective_mass
        {
            return;
        }
        if let Some(Impact { contact_time, .. }) = self.shortest
            && self.steps == steps
            && laws.laws.iter().all(|law| law.lasts_longer(encounter, contact_time))
        {
            return;
        }
        let times = laws.laws.iter().filter_map(|law| law.contact_time(encounter));
        let contact_time = times.fold(f64::INFINITY, f64::min);
        let step = contact_time / steps;
        if !step.is_finite() || self.shortest.is_some_and(|shortest| shortest.step < step) {
            return;
        }
        let (first, second) = who();
        let impact = Impact { first, second, speed: encounter.speed, contact_time, step };
        if self.shortest.is_none_or(|shortest| key(&impact) < key(&shortest)) {
            self.shortest = Some(impact);
            self.encounter = Some((pair, *encounter));
            self.steps = steps;
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        let is_shorter = match (&other.shortest, &self.shortest) {
            (Some(its), Some(own)) => key(its) < key(own),
            (its, None) => its.is_some(),
            (None, Some(_)) => false,
        };
        if is_shorter {
            *self = *other;
        }
    }

    pub(super) fn shortest(&self) -> Option<Impact> {
        self.shortest
    }
}

/// Impacts are compared by their step, then by their speed, then by their partners.
pub(super) fn key(impact: &Impact) -> (f64, f64, ParticleId, Partner) {
    (impact.step, -impact.speed, impact.first, impact.second)
}
