//! Convergence of fixed-point iterations, and the next time step; B Table 1, B(109)–(124), C15(48)–(49), C16(49)–(50).
//!
//! The error of a quantity a is `Σ|aᴷ - aᴷ⁻¹| / Σ|aᴷ - aᴸ|` over all particles, with the accepted state L. If the
//! quantity does not change in the step, the divisor is `Σ|aᴷ|` instead, and a change below the rounding error of the
//! positions counts as zero.

use super::theta::{StepExponents, Theta, Tolerances};
use crate::engine::Engine;
use crate::exact_sum::ExactSum;
use crate::id::ParticleId;
use crate::particles::{ForceTorque, HotData, MeanMotion};

/// Position, velocity, spin, rotation in the step.
pub(super) const QUANTITIES: usize = 4;
/// Their names.
pub(super) const NAMES: [&str; QUANTITIES] = ["position", "velocity", "spin", "rotation"];
/// Powers of Δt in their contraction rates: B(115)–(123). B(124) prints 2 for all (docs/errata.md E15).
const POWERS: [f64; QUANTITIES] = [2.0, 1.0, 1.0, 1.0];

/// Relative change over a step below which it counts as zero.
const NO_CHANGE: f64 = 1e-12;
/// Rounding error of the overlaps, as a multiple of that of a coordinate.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Bounds of the factor by which the step changes, and its upper bound after a rejection (docs/errata.md R9).
pub(super) const LEAST_FACTOR: f64 = 0.1;
const MOST_FACTOR: f64 = 1.2;
const MOST_FACTOR_REJECTED: f64 = 0.9;

/// The rule of one iteration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    pub phi: f64,
    pub dt: f64,
}

/// Changes of one particle from the previous iterate and from the accepted state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    pub since_iterate: [f64; QUANTITIES],
    pub since_accepted: [f64; QUANTITIES],
    /// Squared deviation from free flight with the accepted velocity, in radii; above one the iterations diverge.
    pub excess: f64,
}

impl Rule {
    /// One iteration of one particle: `v = vᴸ + Δt/m [φ F + (1-φ) Fᴸ]`, `x = xᴸ + Δt [φ v + (1-φ) vᴸ]`,
    /// the same for spin and rotation; B(93), C15(41)–(45).
    #[inline(always)]
    pub(super) fn iterate(
        &self,
        start: &HotData,
        old: &ForceTorque,
        new: &ForceTorque,
        record: &mut HotData,
        motion: &mut MeanMotion,
    ) -> Change {
        let Self { phi, dt } = *self;
        let rest = 1.0 - phi;
        let (per_mass, per_inertia) = (dt * start.inverse_mass, dt * start.inverse_inertia);
        let mut since_iterate = [0.0; QUANTITIES];
        let mut since_accepted = [0.0; QUANTITIES];
        let mut excess = 0.0;
        for axis in 0..3 {
            let (v, w) = (start.velocity[axis], start.spin[axis]);
            let velocity = v + per_mass * (phi * new.force[axis] + rest * old.force[axis]);
            let spin = w + per_inertia * (phi * new.torque[axis] + rest * old.torque[axis]);
            let mean_velocity = phi * velocity + rest * v;
            let mean_spin = phi * spin + rest * w;
            let differences = [
                (mean_velocity - motion.velocity[axis], mean_velocity),
                (velocity - record.velocity[axis], velocity - v),
                (spin - record.spin[axis], spin - w),
                (mean_spin - motion.spin[axis], mean_spin),
            ];
            for (index, (change, all)) in differences.into_iter().enumerate() {
                since_iterate[index] += change * change;
                since_accepted[index] += all * all;
            }
            let beyond = mean_velocity - v;
            excess += beyond * beyond;
            record.velocity[axis] = velocity;
            record.spin[axis] = spin;
            record.position[axis] = start.position[axis] + dt * mean_velocity;
            motion.velocity[axis] = mean_velocity;
            motion.spin[axis] = mean_spin;
        }
        let per_radius = dt / start.radius;
        let size = |squares: [f64; QUANTITIES]| {
            let [x, v, w, a] = squares.map(f64::sqrt);
            [dt * x, v, w, dt * a]
        };
        Change {
            since_iterate: size(since_iterate),
            since_accepted: size(since_accepted),
            excess: excess * per_radius * per_radius,
        }
    }
}

/// Changes of some of the particles in an iteration; independent of their order.
#[derive(Debug, Clone)]
pub(super) struct IterationChanges {
    since_iterate: [ExactSum; QUANTITIES],
    since_accepted: [ExactSum; QUANTITIES],
    /// Largest change of each quantity and the id of its particle; of several, the lowest id.
    worst: [(f64, ParticleId); QUANTITIES],
    /// Largest magnitude of each quantity.
    largest: [f64; QUANTITIES],
    /// Largest distance from the origin plus radius, and the same in radii.
    extent: [f64; 2],
    pub count: u64,
    /// The lowest id of a diverging particle.
    pub diverged: Option<ParticleId>,
}

impl Default for IterationChanges {
    fn default() -> Self {
        Self {
            since_iterate: std::array::from_fn(|_| ExactSum::new()),
            since_accepted: std::array::from_fn(|_| ExactSum::new()),
            worst: [(0.0, ParticleId::new(u32::MAX)); QUANTITIES],
            largest: [0.0; QUANTITIES],
            extent: [0.0; 2],
            count: 0,
            diverged: None,
        }
    }
}

impl IterationChanges {
    pub(super) fn add(&mut self, id: ParticleId, record: &HotData, change: &Change) {
        // NaN is not below one
        if !(change.excess <= 1.0) {
            self.diverged = Some(self.diverged.map_or(id, |other| other.min(id)));
            return;
        }
        for index in 0..QUANTITIES {
            self.since_iterate[index].add(change.since_iterate[index]);
            self.since_accepted[index].add(change.since_accepted[index]);
            let (worst, its) = self.worst[index];
            if change.since_iterate[index] > worst
                || (change.since_iterate[index] == worst && id < its)
            {
                self.worst[index] = (change.since_iterate[index], id);
            }
        }
        let size = |[x, y, z]: [f64; 3]| (x * x + y * y + z * z).sqrt();
        let sizes = [size(record.position), size(record.velocity), size(record.spin)];
        let sizes = [sizes[0], sizes[1], sizes[2], change.since_accepted[3]];
        for (largest, size) in self.largest.iter_mut().zip(sizes) {
            *largest = largest.max(size);
        }
        let extent = sizes[0] + record.radius;
        self.extent[0] = self.extent[0].max(extent);
        self.extent[1] = self.extent[1].max(extent / record.radius);
        self.count += 1;
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for index in 0..QUANTITIES {
            self.since_iterate[index].merge(&other.since_iterate[index]);
            self.since_accepted[index].merge(&other.since_accepted[index]);
            let (own, its) = (self.worst[index], other.worst[index]);
            if its.0 > own.0 || (its.0 == own.0 && its.1 < own.1) {
                self.worst[index] = its;
            }
        }
        let own = self.extent.iter_mut().chain(&mut self.largest);
        for (own, other) in own.zip(other.extent.iter().chain(&other.largest)) {
            *own = own.max(*other);
        }
        self.count += other.count;
        self.diverged = match (self.diverged, other.diverged) {
            (Some(own), Some(other)) => Some(own.min(other)),
            (own, other) => own.or(other),
        };
    }

    /// Combines the changes of all ranks; the particle with the largest change is determined by [`Self::worst`].
    pub(super) fn agree(&mut self, engine: &Engine) {
        if !engine.is_split() {
            return;
        }
        let sums = self.since_iterate.iter_mut().chain(&mut self.since_accepted);
        engine.sum_exactly_over_ranks(&mut sums.collect::<Vec<_>>());
        let mut count = [self.count as i64];
        engine.sum_over_ranks(&mut count);
        self.count = count[0] as u64;
        self.extent = engine.largest(self.extent);
        self.largest = engine.largest(self.largest);
        self.diverged = engine.lowest_id(self.diverged);
    }

    /// The error of each quantity. `sizes` returns the sum of |a| over all particles, and is called only if the
    /// quantity seems not to change.
    pub(super) fn errors(&self, dt: f64, sizes: impl Fn(usize) -> f64) -> [f64; QUANTITIES] {
        let rounding = ROUNDING * self.count as f64;
        let floors = [
            rounding * self.extent[0],
            rounding * self.extent[0] / dt,
            rounding * self.extent[1] / dt,
            rounding * self.extent[1],
        ];
        std::array::from_fn(|index| {
            let (since_iterate, since_accepted) =
                (self.since_iterate[index].value(), self.since_accepted[index].value());
            if since_iterate <= floors[index] {
                return 0.0;
            }
            // the sum is at most this, which is usually sufficient
            if since_accepted > NO_CHANGE * self.count as f64 * self.largest[index] {
                return since_iterate / since_accepted;
            }
            let size = sizes(index);
            if since_accepted > NO_CHANGE * size {
                since_iterate / since_accepted
            } else {
                since_iterate / size
            }
        })
    }

    /// The id of the particle of all ranks with the largest change of a quantity; of several, the lowest id.
    pub(super) fn worst(&self, index: usize, engine: &Engine) -> ParticleId {
        let (change, id) = self.worst[index];
        let [largest] = engine.largest([change]);
        engine.lowest_id((change == largest).then_some(id)).unwrap_or(id)
    }
}

/// The quantity with the largest ratio of error to tolerance, and this ratio.
pub(super) fn farthest(errors: &[f64; QUANTITIES], tolerances: &Tolerances) -> (usize, f64) {
    let limits = tolerances.in_order();
    let mut worst = (0, 0.0);
    for (index, (error, limit)) in errors.iter().zip(limits).enumerate() {
        let factor = error / limit;
        // NaN counts as large
        if !(factor <= worst.1) {
            worst = (index, factor);
        }
    }
    worst
}

/// Λ, the factor of the step for which the errors meet their tolerances after the desired number of iterations: `min [
/// TOL^(1/(K_d-1)) / err^(1/(K-1)) ]^(1/p)`, B(118)–(124), docs/errata.md E15 and R8; as printed `min TOL^(1/2K_d) /
/// err^(1/2K)`.
pub(super) fn step_factor(
    errors: &[f64; QUANTITIES],
    theta: &Theta,
    iterations: u32,
    converged: bool,
) -> f64 {
    let desired = theta.desired_iterations;
    let (contractions, wanted, powers) = match theta.exponents {
        StepExponents::Derived => {
            (f64::from(iterations.max(2) - 1), f64::from(desired.max(2) - 1), POWERS)
        }
        StepExponents::Printed => (f64::from(iterations), f64::from(desired), [2.0; QUANTITIES]),
    };
    let limits = theta.tolerances.in_order();
    let factors = (0..QUANTITIES).filter(|&index| errors[index] > 0.0).map(|index| {
        let ratio =
            libm::pow(limits[index], 1.0 / wanted) / libm::pow(errors[index], 1.0 / contractions);
        libm::pow(ratio, 1.0 / powers[index])
    });
    let factor = factors.fold(MOST_FACTOR, f64::min);
    let most = if converged { MOST_FACTOR } else { MOST_FACTOR_REJECTED };
    factor.clamp(LEAST_FACTOR, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_exponents_are_half_of_the_derived_ones_and_the_same_for_all() {
        let theta = |exponents| Theta {
            exponents,
            tolerances: Tolerances::all(1e-6),
            desired_iterations: 5,
            ..Theta::default()
        };
        let factor = |exponents, errors| step_factor(&errors, &theta(exponents), 5, false);
        // A velocity that converges to 1e-2 in K = K_d = 5: (TOL/err)^{1/4} derived, ^{1/10} printed.
        let velocity = [0.0, 1e-2, 0.0, 0.0];
        assert!((factor(StepExponents::Derived, velocity) - 0.1).abs() < 1e-15);
        let printed = factor(StepExponents::Printed, velocity);
        assert!((printed - libm::pow(10.0, -0.4)).abs() < 1e-15);
        // A position has half the exponent in the derivation; as printed, all exponents are equal.
        let position = [1e-2, 0.0, 0.0, 0.0];
        assert!((factor(StepExponents::Derived, position) - libm::pow(10.0, -0.5)).abs() < 1e-15);
        assert_eq!(factor(StepExponents::Printed, position), printed);
    }
}
