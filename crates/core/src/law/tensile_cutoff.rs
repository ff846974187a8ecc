//! Tensile cut-off: the treatment of tensile forces at the end of a contact, an option of every normal
//! law.

use super::{Contacts, Forces, History, Optional, Step, WIDTH};

/// Treatment of tensile forces. Near its end the force of a damped contact would be attractive. An
/// option of the normal law; damping laws read it from
/// [`PairContext::tension`](super::PairContext::tension). Cohesion is another law and is never cut
/// off.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::repulsion;
/// use esker::law::TensileCutoff;
/// use esker::prelude::*;
///
/// let force = |tension| {
///     let contact = ContactModel::normal(Hertz { tension }).damping(HertzDamping::default());
///     repulsion(contact, Pair::new().restitution(0.5), Vec3::X * 10.0) // the grains separate
/// };
/// assert!(force(TensileCutoff::Keep) < 0.0);
/// assert_eq!(force(TensileCutoff::Clip), 0.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum TensileCutoff {
    /// Tensile forces act, as in all the papers.
    Keep,
    /// The sum of elastic and damping force is never attractive.
    #[default]
    Clip,
    /// The contact ends when the sum would be attractive during separation: there is no force until
    /// the overlap has been zero once.
    Release,
}

crate::history! {
    /// History of a contact with `tension = "release"`.
    pub struct Released {
        /// One after the contact has ended, else zero.
        pub released: f64,
    }
}

/// Lower limit of the damping force: minus the elastic force, or this number if that is smaller. A number instead of a
/// branch, so that one loop serves with and without tensile forces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Floor(f64);

impl Floor {
    /// The damping force for this elastic force [N].
    #[inline(always)]
    pub(crate) fn limit(self, damping: f64, elastic: f64) -> f64 {
        let reversed = -elastic;
        let floor = if reversed < self.0 { reversed } else { self.0 };
        if floor > damping { floor } else { damping }
    }
}

impl TensileCutoff {
    /// The lower limit of the damping force.
    pub(crate) fn floor(self) -> Floor {
        Floor(if self == Self::Keep { f64::NEG_INFINITY } else { f64::INFINITY })
    }

    /// Ends contacts that have been released and adds the power of the damping force, which has been limited by its
    /// [`Floor`].
    ///
    /// The elastic energy of a contact that no longer repels counts as stored while the overlap decreases, and is
    /// dissipated at the rate at which it decreases.
    /// decreases, and as dissipated at the rate at which it decreases.
    pub(crate) fn apply(
        self,
        contacts: &Contacts,
        step: &Step,
        history: History<'_, Optional<Released>>,
        forces: &mut Forces,
    ) {
        let mut history = history.present();
        if let Some(history) = &mut history {
            release(contacts, history, forces);
        }
        if step.ledger {
            for c in 0..WIDTH {
                forces.damping_power[c] += forces.damping[c] * contacts.closing_speed[c];
            }
        }
        if let Some(history) = &history {
            remove_forces(history, forces);
        }
    }
}

/// Finds contacts that have ended; the damping force of contacts that ended earlier cancels their elastic force.
fn release(contacts: &Contacts, history: &mut History<'_, Released>, forces: &mut Forces) {
    for c in 0..WIDTH {
        let was_released = history.old(c).released > 0.0;
        if was_released {
            forces.damping[c] = -forces.elastic[c];
        }
        let pulls = forces.damping[c] <= -forces.elastic[c] && contacts.closing_speed[c] < 0.0;
        let is_over = contacts.overlap[c] > 0.0 && (was_released || pulls);
        history.set(c, Released { released: if is_over { 1.0 } else { 0.0 } });
    }
}

/// A contact that had ended has no force, no stiffness and no area.
fn remove_forces(history: &History<'_, Released>, forces: &mut Forces) {
    for c in 0..WIDTH {
        if history.old(c).released > 0.0 {
            forces.elastic[c] = 0.0;
            forces.damping[c] = 0.0;
            forces.normal_stiffness[c] = 0.0;
            forces.contact_radius[c] = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{Column, StoredHistory, UntypedHistory};

    const STEP: Step = Step { elapsed: 1e-5, ledger: true, ..Step::at_accepted_state(1e-5) };

    /// Forces of a contact with a unit spring and a unit dashpot under one overlap and speed.
    fn evaluate(
        tension: TensileCutoff,
        [overlap, speed]: [f64; 2],
        memory: &mut [Vec<Column>; 2],
    ) -> [f64; 4] {
        let mut contacts = Contacts::ZERO;
        let mut forces = Forces::ZERO;
        contacts.overlap = [overlap; WIDTH];
        contacts.closing_speed = [speed; WIDTH];
        forces.elastic = [overlap.max(0.0); WIDTH];
        forces.normal_stiffness = [1.0; WIDTH];
        let damping = if overlap > 0.0 { speed } else { 0.0 };
        forces.damping = [tension.floor().limit(damping, forces.elastic[0]); WIDTH];
        let [old, new] = memory;
        tension.apply(
            &contacts,
            &STEP,
            UntypedHistory { old, new, stored: StoredHistory::NONE }
                .typed(tension == TensileCutoff::Release),
            &mut forces,
        );
        std::mem::swap(old, new);
        [forces.elastic[3], forces.damping[3], forces.normal_stiffness[3], forces.damping_power[3]]
    }

    fn path(tension: TensileCutoff) -> Vec<f64> {
        let mut memory =
            [0, 1].map(|_| vec![[0.0; WIDTH]; usize::from(tension == TensileCutoff::Release)]);
        // approach, separation so fast that the force is tensile, approach before the surfaces have separated,
        // separation, approach
        let states = [[1.0, 0.5], [1.0, -2.0], [0.5, -0.1], [0.6, 1.0], [-0.1, -1.0], [0.2, 1.0]];
        let total = |state| {
            let [elastic, damping, ..] = evaluate(tension, state, &mut memory);
            elastic + damping
        };
        states.into_iter().map(total).collect()
    }

    #[test]
    fn a_kept_tension_acts_a_clipped_one_does_not_and_a_released_contact_rests_until_parted() {
        let close = |found: Vec<f64>, expected: [f64; 6]| {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?}");
        };
        close(path(TensileCutoff::Keep), [1.5, -1.0, 0.4, 1.6, 0.0, 1.2]);
        close(path(TensileCutoff::Clip), [1.5, 0.0, 0.4, 1.6, 0.0, 1.2]);
        close(path(TensileCutoff::Release), [1.5, 0.0, 0.0, 0.0, 0.0, 1.2]);
    }

    #[test]
    fn the_spring_of_a_released_contact_is_booked_as_lost_while_it_opens() {
        let mut memory = [0, 1].map(|_| vec![[0.0; WIDTH]; 1]);
        evaluate(TensileCutoff::Release, [1.0, -2.0], &mut memory);
        let [elastic, damping, stiffness, power] =
            evaluate(TensileCutoff::Release, [0.5, -0.1], &mut memory);
        assert_eq!([elastic, damping, stiffness], [0.0; 3]);
        // ½δ² decreases at the rate 0.5 · 0.1
        assert!((power - 0.05).abs() < 1e-15);
    }
}
