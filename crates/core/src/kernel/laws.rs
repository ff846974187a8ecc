//! The laws of every pair of materials that can meet.

use crate::contact_state::history::HistoryLayout;
use crate::contact_state::result_buffer::Extras;
use crate::geometry::MomentArm;
use crate::kernel::contact_kernel::Kernel;
use crate::kernel::table::{KernelRow, PairOfMaterials};
use crate::law::Law;
use crate::law::pair_index::PairIndex;
use crate::{error::Problem, material::MaterialId};

/// The laws of one pair of materials, in the order of evaluation.
#[derive(Debug)]
pub(crate) struct PairLaws {
    pub laws: Vec<Box<dyn Law>>,
    /// The kernel of these laws, if their combination has been compiled.
    pub kernel: Option<Box<dyn Kernel>>,
    /// Largest interaction range of these laws [m].
    pub interaction_range: f64,
    /// Squared ratio of half a period at the stiffness of the largest overlap to the duration of an impact.
    pub duration_factor: f64,
    pub materials: [MaterialId; 2],
}

/// The laws of all pairs of materials, and the layout of their contact history.
#[derive(Debug)]
pub(crate) struct LawTable {
    pub pairs: Vec<PairLaws>,
    /// Index in `pairs` for two materials.
    pub index: PairIndex,
    pub layout: HistoryLayout,
    pub moment_arm: MomentArm,
    /// Additional results of contacts: moments and energy terms.
    pub extras: Extras,
    /// Values derived from the parameters, for `check`.
    pub remarks: Vec<String>,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// Squared ratio of half a period at the stiffness k of the largest overlap, π √(m*/k), to the duration of an impact
/// with a force proportional to the overlap to the power of n.
///
/// That is `2 (δ/v) √π Γ(1 + q)/Γ(½ + q)` with q = 1/(n + 1) and `δ/v = √(n(n + 1)/2 · m*/k)`: one for a
/// spring, 0.6076 for Hertz.
fn duration_factor(exponent: f64) -> f64 {
    let reciprocal = 1.0 / (exponent + 1.0);
    let gammas = libm::tgamma(0.5 + reciprocal) / libm::tgamma(1.0 + reciprocal);
    std::f64::consts::PI / (2.0 * exponent * (exponent + 1.0)) * gammas * gammas
}

impl LawTable {
    /// A table without pairs, for this number of materials.
    pub(crate) fn empty(materials: usize, moment_arm: MomentArm, energy_terms: bool) -> Self {
        Self {
            pairs: Vec::new(),
            index: PairIndex::new(materials),
            layout: HistoryLayout::default(),
            moment_arm,
            extras: Extras { moments: false, energy_terms },
            remarks: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Adds the laws of a pair of materials.
    pub(crate) fn add(
        &mut self,
        between: [MaterialId; 2],
        laws: Vec<Box<dyn Law>>,
        names: [&str; 2],
        problems: &mut Vec<Problem>,
    ) {
        self.extras.moments |= laws.iter().any(|law| law.uses_rolling());
        let layout = HistoryLayout::new(&laws);
        if self.pairs.is_empty() {
            self.layout = layout;
        } else if !self.layout.unite(&layout) {
            let message = format!(
                "the laws between `{}` and `{}` store a different history from those of other \
                 pairs",
                names[0], names[1]
            );
            let help = "a model must give laws with the same `history` for every pair";
            problems.push(Problem::at("contact.pairs", message).help(help));
        }
        let interaction_range = laws.iter().map(|law| law.interaction_range()).fold(0.0, f64::max);
        self.index.add(between, interaction_range);
        // no law has a softening force, with which impacts would be shorter
        let exponent = laws.iter().map(|law| law.force_exponent()).fold(1.0, f64::max);
        let duration_factor = duration_factor(exponent);
        let (kernel, materials) = (None, between);
        self.pairs.push(PairLaws { laws, kernel, interaction_range, duration_factor, materials });
    }

    /// Looks up the kernels of all pairs. If any pair has moments, the results of every pair have torques
    /// of both partners, and kernels without moments are not used.
    pub(crate) fn find_kernels(&mut self, more: &[KernelRow]) {
        let (layout, moment_arm, moments) = (&self.layout, self.moment_arm, self.extras.moments);
        for pair in &mut self.pairs {
            let PairLaws { laws, duration_factor, .. } = &*pair;
            let duration_factor = *duration_factor;
            let kernel = PairOfMaterials { laws, layout, moment_arm, duration_factor }.find(more);
            pair.kernel = kernel.filter(|kernel| kernel.has_moments() == moments);
        }
    }

    /// Largest interaction range of any law [m].
    pub(crate) fn interaction_range(&self) -> f64 {
        self.index.largest_range()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_is_that_of_an_impact_that_is_followed_in_small_steps() {
        for exponent in [1.0, 1.5, 1.7, 2.5] {
            // unit mass, speed and coefficient
            let force = |overlap: f64| -f64::powf(overlap.max(0.0), exponent);
            let dt = 1e-5;
            let (mut time, mut overlap, mut speed) = (0.0, 0.0, 1.0);
            let mut deepest = 0.0f64;
            loop {
                speed += 0.5 * dt * force(overlap);
                overlap += dt * speed;
                speed += 0.5 * dt * force(overlap);
                time += dt;
                deepest = deepest.max(overlap);
                if overlap <= 0.0 {
                    break;
                }
            }
            let stiffness = exponent * deepest.powf(exponent - 1.0);
            let half_period = std::f64::consts::PI / stiffness.sqrt();
            let expected = (half_period / time).powi(2);
            // a step of 10⁻⁵ of the contact time
            assert!((duration_factor(exponent) / expected - 1.0).abs() < 3e-5, "{exponent}");
        }
        assert!((duration_factor(1.0) - 1.0).abs() < 1e-14);
    }
}
