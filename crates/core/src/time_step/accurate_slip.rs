//! Particles with accurate slip, chosen with the automatic step.
//!
//! Velocity Verlet evaluates contacts at the velocity of the end and the spin of the middle of a step. For a particle
//! with accurate slip, c = 1, springs get the slip of the middle of the step, which is the displacement, and dashpots
//! that of its end: translations of springs by half a step earlier, spins of dashpots by half a step later. This halves
//! the error of oblique impacts, but tangential dashpots then need a shorter step. Therefore c is 1 only where the
//! contacts allow it at the chosen step, and 0 elsewhere, so that stability never asks for a shorter step because of it.
//!
//! At the root -1 a partner i has, in the notation of `integrate/stability.rs`, `S = 1 + c_i` in rotations, and its part of a slip
//! spring the weight `q_i = h²k (2 - c_i)/8`. If both partners have different weights, the matrix
//! is not symmetric. For each of its real eigenvalues λ with eigenvector x, the parts a and b of both partners satisfy
//! `(a + b)(a + 2b)/8 ≤ ¼ [(1 + s) a² + (1 + 1/s) b²]` for any s > 0. Hence `λ ≤ max (t_i + t_j)` over the contacts, as for
//! the bound (docs/time-step.md), if t of a particle with accurate slip is that of its usual block with `S = 2` in
//! rotations.
//!
//! The rule: no contact may have `t_i + t_j > 1` at the step divided by [`BOUND_FRACTION`]. If a contact has when both
//! partners have accurate slip, the one with the larger t does not have it (both, if they are equal), and the other
//! one does not either if that is not enough.

use super::block::Blocks;
use super::survey::{Rates, SurveyScratch};
use super::update::BOUND_FRACTION;
use crate::engine::{Engine, StepParts};
use crate::kernel::laws::LawTable;
use crate::parallel::DisjointSlices;
use crate::scene::{Scene, StepSize};
use crate::simulation::Simulation;
use std::sync::atomic::{AtomicBool, Ordering};

/// S of the rotations of a particle with accurate slip.
const ROTATIONS: f64 = 2.0;

/// Rates of a particle: of its usual block, and of that with accurate slip.
#[inline(always)]
pub(super) fn rates(blocks: &Blocks, inverse_mass: f64, inverse_inertia: f64) -> Rates {
    let inertias = [inverse_inertia, ROTATIONS * inverse_inertia];
    let [[springs, dashpots], accurate] = blocks.largest(inverse_mass, inertias);
    [springs, dashpots, accurate[0], accurate[1]]
}

/// Eigenvalues t of a particle at a step [s]: of its usual block, and of that with accurate slip.
fn eigenvalues(rates: &Rates, step: f64) -> [f64; 2] {
    let [springs, dashpots, accurate_springs, accurate_dashpots] = *rates;
    let at = |springs: f64, dashpots: f64| (springs * step + dashpots) * step;
    [at(springs, dashpots), at(accurate_springs, accurate_dashpots)]
}

/// Which partners of a contact must not have accurate slip.
fn refused(first: [f64; 2], second: [f64; 2]) -> [bool; 2] {
    if first[1] + second[1] <= 1.0 {
        return [false; 2];
    }
    let of = |own: [f64; 2], other: [f64; 2]| own[1] >= other[1] || own[1] + other[0] > 1.0;
    [of(first, second), of(second, first)]
}

impl Simulation {
    /// Sets whether particles can have accurate slip: only with an automatic step, because every contact must be known
    /// before it begins, and if the laws state all of their dashpots. Laws that map the slip have their own displacements.
    pub(crate) fn set_slip_correction(&mut self) {
        let corrects = corrects_slip(&self.scene, self.engine.table());
        self.engine.set_slip_correction(corrects);
    }
}

fn corrects_slip(scene: &Scene, table: &LawTable) -> bool {
    let mut laws = table.pairs.iter().flat_map(|pair| &pair.laws);
    scene.integrator.corrects_slip()
        && matches!(scene.step, StepSize::Auto | StepSize::AtMost(_))
        && table.layout.anchorage.is_none()
        && laws.all(|law| law.states_dashpots())
}

impl SurveyScratch {
    /// Chooses the particles with accurate slip for steps of this length [s], after a pass over the contacts.
    pub(super) fn choose_accurate_slip(&mut self, engine: &mut Engine, dt: f64) {
        if !engine.corrects_slip() {
            return;
        }
        let step = dt / BOUND_FRACTION;
        let StepParts { particles, pool, .. } = engine.step_parts();
        let own = particles.len();
        self.accurate_slip.clear();
        let alone = self.rates.iter().take(own).map(|rates| eigenvalues(rates, step)[1] <= 1.0);
        self.accurate_slip.extend(alone.map(AtomicBool::new));
        let (rates, chosen) = (&self.rates, &self.accurate_slip);
        let contacts = DisjointSlices::new(&mut self.contacts);
        pool.run(|part| {
            // SAFETY: each part has its own element.
            let [contacts] = (unsafe { contacts.slice_mut(part..part + 1) }) else { return };
            for contact in contacts {
                let slots = contact.slots.map(|slot| slot as usize);
                let [first, second] = slots.map(|slot| eigenvalues(&rates[slot], step));
                for (slot, is_refused) in slots.into_iter().zip(refused(first, second)) {
                    // ghosts are chosen by their own rank
                    if is_refused && slot < own {
                        chosen[slot].store(false, Ordering::Relaxed);
                    }
                }
            }
        });
        engine.set_accurate_slip(self.accurate_slip.iter().map(|one| one.load(Ordering::Relaxed)));
        self.release_contacts();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partners_have_accurate_slip_as_far_as_their_sum_allows() {
        // both
        assert_eq!(refused([0.3, 0.5], [0.3, 0.5]), [false, false]);
        // the one with the smaller eigenvalue
        assert_eq!(refused([0.1, 0.2], [0.6, 0.9]), [false, true]);
        assert_eq!(refused([0.6, 0.9], [0.1, 0.2]), [true, false]);
        // none
        assert_eq!(refused([0.4, 0.6], [0.4, 0.6]), [true, true]);
        assert_eq!(refused([0.3, 0.5], [0.6, 0.9]), [true, true]);
    }

    /// What is left of any two partners satisfies the bound, whatever other contacts refuse.
    #[test]
    fn the_sum_of_two_partners_is_at_most_one_if_their_usual_sum_is() {
        let values = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
        for (own, other) in values.iter().flat_map(|own| values.map(|other| (*own, other))) {
            if own + other > 1.0 {
                continue;
            }
            for (factor, other_factor) in [(1.0, 1.0), (1.0, 2.0), (1.5, 1.2), (2.0, 2.0)] {
                let (first, second) = ([own, factor * own], [other, other_factor * other]);
                let [no_first, no_second] = refused(first, second);
                // other contacts may refuse more
                for (first_refused, second_refused) in
                    [(false, false), (true, false), (false, true), (true, true)]
                {
                    let t = |pair: [f64; 2], refused: bool| pair[usize::from(!refused)];
                    let sum = t(first, no_first || first_refused)
                        + t(second, no_second || second_refused);
                    assert!(sum <= 1.0 + 1e-12, "{first:?} {second:?}: {sum}");
                }
            }
        }
    }
}
