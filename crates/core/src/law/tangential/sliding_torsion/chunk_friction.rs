//! Friction of a chunk of contacts: viscous, or elastic with a limit in force and torque.

use super::{Rule, SlipRule, TorsionDisplacement, TorsionHistory};
use crate::law::tangential::limit_curve::{LANES, nearest};
use crate::law::{Column, Contacts, Forces, History, Record, WIDTH};
use crate::simd::multiversion;

/// Limit, as a fraction of the trial force, below which it counts as zero in the search for the nearest point.
const AFAR: f64 = 1e-9;

/// Slip and friction of a chunk: magnitudes, limits, force and torque.
pub(super) struct ChunkFriction {
    radius: Column,
    speed: Column,
    /// N [N].
    normal_force: Column,
    /// μ at the speed of slip.
    coefficient: Column,
    force: [Column; 3],
    torque: Column,
}

impl ChunkFriction {
    pub(super) fn new(rule: &Rule, contacts: &Contacts, forces: &Forces) -> Self {
        const ZERO: Column = [0.0; WIDTH];
        let mut chunk = Self {
            radius: ZERO,
            speed: ZERO,
            normal_force: ZERO,
            coefficient: [rule.friction.in_slip; WIDTH],
            force: [ZERO; 3],
            torque: ZERO,
        };
        fill(rule, contacts, forces, &mut chunk);
        if rule.weakening > 0.0 {
            let more = rule.friction.at_rest - rule.friction.in_slip;
            for c in 0..WIDTH {
                chunk.coefficient[c] += more * libm::exp(-rule.weakening * chunk.speed[c]);
            }
        }
        chunk
    }

    /// Friction that decreases to zero with the speed.
    pub(super) fn viscous(
        &mut self,
        rule: &Rule,
        smoothing: f64,
        contacts: &Contacts,
        forces: &mut Forces,
    ) {
        for c in 0..WIDTH {
            let radius = self.radius[c];
            let rim = radius * contacts.twist_velocity[c];
            let [sliding, spinning] = rule.disc.coefficients(self.speed[c], rim.abs());
            let square = self.speed[c] * self.speed[c] + rim * rim;
            let per_speed = self.coefficient[c] * self.normal_force[c]
                / (square + smoothing * smoothing).sqrt();
            for axis in 0..3 {
                self.force[axis][c] = -per_speed * sliding * contacts.slip_velocity[axis][c];
            }
            self.torque[c] = -per_speed * spinning * radius * rim;
            forces.friction_excess[c] =
                self.normal_force[c] * (square.sqrt() - smoothing) / (square.sqrt() + smoothing);
        }
    }

    /// Friction with a contact that sticks elastically.
    pub(super) fn elastic(
        &mut self,
        rule: &Rule,
        contacts: &Contacts,
        history: &mut History<'_, TorsionHistory>,
        forces: &mut Forces,
    ) {
        let mut trial = Trial::ZERO;
        let (old, new) = history.columns();
        try_elastic(rule, self, contacts, old, forces, &mut trial);
        let mut slips = [0; WIDTH];
        let mut count = 0;
        for c in 0..WIDTH {
            slips[count] = c;
            count += usize::from(trial.excess[c] > 0.0);
        }
        for lanes in slips[..count].chunks(LANES) {
            self.bring_back(rule, lanes, &mut trial);
        }
        keep(self, &trial, new);
        if rule.friction.rule == SlipRule::C16 {
            for &c in &slips[..count] {
                self.act(c, self.coefficient[c] / positive(rule.friction.at_rest));
            }
        }
        forces.friction_excess = trial.excess;
    }

    /// Reduces the applied force to a fraction of the stored one.
    fn act(&mut self, c: usize, fraction: f64) {
        for axis in 0..3 {
            self.force[axis][c] *= fraction;
        }
        self.torque[c] *= fraction;
    }

    /// Limit of the return map [N].
    fn stored_limit(&self, rule: &Rule, c: usize) -> f64 {
        let coefficient = match rule.friction.rule {
            SlipRule::C16 => rule.friction.at_rest,
            SlipRule::Hysteresis | SlipRule::C15 => self.coefficient[c],
        };
        coefficient * self.normal_force[c]
    }

    /// Returns the stored force and torque of slipping contacts to the nearest point of the dynamic limit.
    fn bring_back(&self, rule: &Rule, lanes: &[usize], trial: &mut Trial) {
        let (mut force, mut torque, mut curve_parameter) =
            ([0.0; LANES], [0.0; LANES], [0.5; LANES]);
        for (lane, &c) in lanes.iter().enumerate() {
            let rim = trial.torque[c].abs() / positive(self.radius[c]);
            // far from the curve the nearest point depends on the direction only; avoids a division by zero
            let least = AFAR * (trial.size[c] + rim);
            let most = self.stored_limit(rule, c).max(least);
            force[lane] = trial.size[c] / most;
            torque[lane] = rim / most;
            curve_parameter[lane] = trial.curve_parameter[c];
        }
        let [force, torque] = nearest(rule.disc, &force, &torque, &mut curve_parameter);
        for (lane, &c) in lanes.iter().enumerate() {
            let most = self.stored_limit(rule, c);
            trial.along[c] = most * force[lane] / positive(trial.size[c]);
            let size = most * self.radius[c] * torque[lane];
            trial.torque[c] = size.copysign(trial.torque[c]);
        }
    }

    /// Adds the energies of springs of the current stiffness under force and torque.
    pub(super) fn add_energies(&self, history: &History<'_, TorsionHistory>, forces: &mut Forces) {
        for c in 0..WIDTH {
            let new = history.new_value(c);
            let stiffness = new.spring_stiffness;
            let torsion = 0.5 * stiffness * self.radius[c] * self.radius[c];
            let force: f64 = new.tangential_force.iter().map(|value| value * value).sum();
            if torsion > 0.0 {
                forces.tangential_energy[c] += 0.5 * force / stiffness;
                forces.rolling_energy[c] += 0.5 * new.torsion_torque * new.torsion_torque / torsion;
            }
        }
    }

    /// Adds force and moment, and the powers of slip and twist against them.
    pub(super) fn add(&self, contacts: &Contacts, ledger: bool, forces: &mut Forces) {
        for c in 0..WIDTH {
            for axis in 0..3 {
                forces.tangential[axis][c] += self.force[axis][c];
                forces.moment[axis][c] += self.torque[c] * contacts.normal[axis][c];
            }
            if ledger {
                for axis in 0..3 {
                    forces.tangential_power[c] -=
                        self.force[axis][c] * contacts.slip_velocity[axis][c];
                }
                forces.rolling_power[c] -= self.torque[c] * contacts.twist_velocity[c];
            }
        }
    }
}

/// Trial force and torque of the springs without a limit, and their excess over the limit.
struct Trial {
    force: [Column; 3],
    torque: Column,
    /// Of the force.
    size: Column,
    /// Fraction of the force after the return map.
    along: Column,
    excess: Column,
    /// `λ/(1+λ)` of the limit in the direction of both.
    curve_parameter: Column,
    stiffness: Column,
}

impl Trial {
    const ZERO: Self = {
        const ZERO: Column = [0.0; WIDTH];
        Self {
            force: [ZERO; 3],
            torque: ZERO,
            size: ZERO,
            along: [1.0; WIDTH],
            excess: ZERO,
            curve_parameter: ZERO,
            stiffness: ZERO,
        }
    };
}

/// The number, or the smallest positive one, to avoid a division by zero.
#[inline(always)]
fn positive(value: f64) -> f64 {
    if value > f64::MIN_POSITIVE { value } else { f64::MIN_POSITIVE }
}

multiversion! {
    fn fill(rule: &Rule, contacts: &Contacts, forces: &Forces, chunk: &mut ChunkFriction) {
        for c in 0..WIDTH {
            let overlap = contacts.overlap[c];
            let touching = overlap > 0.0;
            let [square, _] = rule.area.square(contacts, c, if touching { overlap } else { 0.0 });
            let u = [0, 1, 2].map(|axis| contacts.slip_velocity[axis][c]);
            chunk.radius[c] = square.sqrt();
            chunk.speed[c] = (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]).sqrt();
            chunk.normal_force[c] = if touching { rule.friction.normal_force_of_lane(forces, c) } else { 0.0 };
        }
    }
}

multiversion! {
    /// The trial of every contact. One that does not touch has no limit, no force and no excess.
    fn try_elastic(rule: &Rule, chunk: &ChunkFriction, contacts: &Contacts, old: &[Column], forces: &Forces, trial: &mut Trial) {
        let old = &old[..TorsionHistory::COUNT];
        let mut rim_force = [0.0; WIDTH];
        for c in 0..WIDTH {
            let touching = contacts.overlap[c] > 0.0;
            let stiffness = if touching { rule.stiffness(forces, c) } else { 0.0 };
            let before = TorsionHistory::load(old, 0, c);
            let falls = rule.rescale && stiffness < before.spring_stiffness;
            let fall = if falls { stiffness / before.spring_stiffness } else { 1.0 };
            let fall = if touching { fall } else { 0.0 };
            let radius = chunk.radius[c];
            let torsion = 0.5 * stiffness * radius * radius;
            let mut square = 0.0;
            for axis in 0..3 {
                let part = fall * before.tangential_force[axis] - stiffness * contacts.slip[axis][c];
                trial.force[axis][c] = part;
                square += part * part;
            }
            trial.torque[c] = fall * before.torsion_torque - torsion * contacts.twist[c];
            trial.size[c] = square.sqrt();
            trial.stiffness[c] = stiffness;
            rim_force[c] = trial.torque[c].abs() / positive(radius * rule.disc.torque_at_rest);
        }
        let mut limit = [0.0; WIDTH];
        for c in 0..WIDTH {
            [limit[c], trial.curve_parameter[c]] = rule.disc.limit(trial.size[c], rim_force[c]);
        }
        for c in 0..WIDTH {
            let both = (trial.size[c] * trial.size[c] + rim_force[c] * rim_force[c]).sqrt();
            let slid = rule.slides_on & (TorsionHistory::load(old, 0, c).friction_excess > 0.0);
            let tested = if slid { chunk.coefficient[c] } else { rule.friction.at_rest };
            trial.excess[c] = both - tested * chunk.normal_force[c] * limit[c];
        }
    }
}

multiversion! {
    fn keep(chunk: &mut ChunkFriction, trial: &Trial, new: &mut [Column]) {
        let new = &mut new[..TorsionHistory::COUNT];
        for c in 0..WIDTH {
            let mut tangential_force = [0.0; 3];
            for axis in 0..3 {
                tangential_force[axis] = trial.along[c] * trial.force[axis][c];
                chunk.force[axis][c] = tangential_force[axis];
            }
            chunk.torque[c] = trial.torque[c];
            TorsionHistory {
                tangential_force,
                torsion_torque: trial.torque[c],
                friction_excess: trial.excess[c],
                spring_stiffness: trial.stiffness[c],
            }
            .store(new, 0, c);
        }
    }
}

/// Updates the elastic displacement, by the change of the force divided by the stiffness, and the slip beyond it.
pub(super) fn record_displacement(
    contacts: &Contacts,
    history: &History<'_, TorsionHistory>,
    mut displacement: History<'_, TorsionDisplacement>,
) {
    for c in 0..WIDTH {
        let (old, new, before) = (history.old(c), history.new_value(c), displacement.old(c));
        let stiffness = new.spring_stiffness;
        let mut after = TorsionDisplacement::default();
        for axis in 0..3 {
            let change = (new.tangential_force[axis] - old.tangential_force[axis])
                / stiffness.max(f64::MIN_POSITIVE);
            after.spring[axis] = if stiffness > 0.0 { before.spring[axis] - change } else { 0.0 };
            let beyond = before.spring[axis] + contacts.slip[axis][c] - after.spring[axis];
            after.sliding_displacement[axis] = if contacts.overlap[c] > 0.0 {
                before.sliding_displacement[axis] + beyond
            } else {
                0.0
            };
        }
        displacement.set(c, after);
    }
}
