//! The spring-pot between one pair of materials.

use super::convolution::{Convolution, DecayFactors, IntervalWeights, direct_sum};
use super::interval::Interval;
use super::{Area, Fractional, Interpolation, LIMIT};
use crate::law::{
    Commit, ContactStiffness, Contacts, Encounter, Evaluate, Forces, History, Law, PairState, Step,
    TensileCutoff, WIDTH,
};
use std::f64::consts::PI;

crate::history! {
    /// History of a contact in addition to the block of its older history.
    pub struct FractionalHistory {
        /// Overlap at the end of the last interval [m].
        pub fractional_overlap: f64,
        /// Closing speed there [m/s].
        pub fractional_speed: f64,
        /// Length of the last interval [s].
        pub interval_length: f64,
        /// Coefficients of the speed in it [m/s].
        pub interval_speed_0: f64,
        /// Linear coefficient.
        pub interval_speed_1: f64,
        /// Quadratic coefficient.
        pub interval_speed_2: f64,
        /// Stiffness that other laws use [N/m].
        pub fractional_stiffness: f64,
        /// One after the contact has been released, else zero.
        pub released: f64,
    }
}

/// Frequency at which the stiffness of a spring-pot is evaluated, as a multiple of that of a contact: faster motion is
/// not resolved by a step.
const FASTEST: f64 = 60.0;

#[derive(Debug)]
pub(super) struct SpringPot {
    order: f64,
    /// c [N s^α/m].
    coefficient: f64,
    /// k_∞, plus K if the order is 0 [N/m].
    spring: f64,
    /// C if the order is 1, else zero [N s/m].
    dashpot: f64,
    /// C/K [s].
    relaxation_time: f64,
    /// 1/Γ(1-α).
    normalisation: f64,
    interpolation: Interpolation,
    area: Area,
    tension: TensileCutoff,
    convolution: Convolution,
}

/// History of the last interval of a contact.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    overlap: f64,
    speed: f64,
    last: Interval,
    stiffness: f64,
    released: f64,
}

impl From<FractionalHistory> for State {
    fn from(history: FractionalHistory) -> Self {
        let FractionalHistory { interval_speed_0, interval_speed_1, interval_speed_2, .. } =
            history;
        Self {
            overlap: history.fractional_overlap,
            speed: history.fractional_speed,
            last: Interval {
                length: history.interval_length,
                speeds: [interval_speed_0, interval_speed_1, interval_speed_2],
            },
            stiffness: history.fractional_stiffness,
            released: history.released,
        }
    }
}

impl From<State> for FractionalHistory {
    fn from(state: State) -> Self {
        let [interval_speed_0, interval_speed_1, interval_speed_2] = state.last.speeds;
        Self {
            fractional_overlap: state.overlap,
            fractional_speed: state.speed,
            interval_length: state.last.length,
            interval_speed_0,
            interval_speed_1,
            interval_speed_2,
            fractional_stiffness: state.stiffness,
            released: state.released,
        }
    }
}

impl State {
    /// There is no history: no contact, or a new one.
    fn is_new(&self) -> bool {
        self.last.length == 0.0
    }
}

/// Powers and weights that are the same for all contacts of a chunk that have existed for more than a step.
struct Shared {
    /// elapsed^{1-α}.
    now: f64,
    /// Length of the last interval, and (elapsed + length)^{1-α}.
    last: [f64; 2],
    decay_factors: DecayFactors,
}

impl SpringPot {
    pub(super) fn new(
        model: &Fractional,
        order: f64,
        [stiffness, viscosity, parallel]: [f64; 3],
        convolution: Convolution,
    ) -> Self {
        let is_spring = order < LIMIT;
        let is_dashpot = 1.0 - order < LIMIT;
        Self {
            order,
            coefficient: libm::pow(viscosity, order) * libm::pow(stiffness, 1.0 - order),
            spring: parallel + if is_spring { stiffness } else { 0.0 },
            dashpot: if is_dashpot { viscosity } else { 0.0 },
            relaxation_time: viscosity / stiffness,
            normalisation: 1.0 / libm::tgamma(1.0 - order),
            interpolation: model.interpolation,
            area: model.area,
            tension: model.tension,
            convolution,
        }
    }

    /// True if the law stores history.
    fn has_history(&self) -> bool {
        !matches!(self.convolution, Convolution::NoHistory)
    }

    /// Stiffness at the rate of an impact, `k_∞ + c ω^α` with `ω = (c/m*)^{1/(2-α)}` [N/m].
    fn stiffness(&self, effective_mass: f64) -> f64 {
        if self.order < LIMIT {
            return self.spring;
        }
        let rate = self.coefficient / effective_mass;
        self.spring + self.coefficient * libm::pow(rate, self.order / (2.0 - self.order))
    }

    /// The first interval of a contact: since its beginning, if that was within the step, or a ramp of the length of a
    /// step.
    fn first_interval(&self, overlap: f64, speed: f64, step: &Step) -> Interval {
        let began_within = speed > 0.0 && overlap <= speed * step.elapsed;
        let length = if began_within {
            overlap / speed
        } else if step.dt > 0.0 {
            step.dt
        } else {
            self.relaxation_time
        };
        // the overlap may be so small that the length underflows
        Interval::ramp(length.max(f64::MIN_POSITIVE), overlap)
    }

    /// The state at this evaluation, and the derivative of order α [m s^{-α}].
    fn derivative(
        &self,
        old: &State,
        [overlap, speed]: [f64; 2],
        step: &Step,
        block: &[f64],
        shared: &mut Shared,
    ) -> (Interval, f64) {
        let order = self.order;
        if old.is_new() {
            let last = self.first_interval(overlap, speed, step);
            let power = libm::pow(last.length, 1.0 - order);
            return (last, self.normalisation * last.convolve(order, 0.0, [0.0, power]));
        }
        let elapsed = step.elapsed;
        if shared.last[0] != old.last.length {
            let power = libm::pow(elapsed + old.last.length, 1.0 - order);
            shared.last = [old.last.length, power];
        }
        let mut sum = old.last.convolve(order, elapsed, [shared.now, shared.last[1]]);
        let age = elapsed + old.last.length;
        sum += match &self.convolution {
            Convolution::NoHistory => 0.0,
            Convolution::Exponentials { sum, cached, .. } => {
                shared.decay_factors.sum(sum, cached, age, block)
            }
            Convolution::Direct(_) => direct_sum(order, age, block),
        };
        if elapsed == 0.0 {
            return (old.last, self.normalisation * sum);
        }
        let change = overlap - old.overlap;
        let present = match self.interpolation {
            Interpolation::Cubic => Interval::cubic(elapsed, change, old.speed, speed),
            Interpolation::Linear => Interval::ramp(elapsed, change),
        };
        sum += present.convolve(order, 0.0, [0.0, shared.now]);
        (present, self.normalisation * sum)
    }

    /// Force and state of a touching contact.
    fn touching_force(
        &self,
        old: &State,
        contacts: &Contacts,
        c: usize,
        step: &Step,
        block: &[f64],
        shared: &mut Shared,
    ) -> (f64, State) {
        let (overlap, speed) = (contacts.overlap[c], contacts.closing_speed[c]);
        let mut new = State { overlap, speed, ..State::default() };
        let mut force = self.spring * overlap + self.dashpot * speed;
        if self.has_history() {
            let (last, derivative) = self.derivative(old, [overlap, speed], step, block, shared);
            new.last = last;
            force += self.coefficient * derivative;
        }
        new.stiffness = if old.stiffness > 0.0 {
            old.stiffness
        } else {
            self.stiffness(contacts.effective_mass[c])
        };
        (force, new)
    }
}

impl SpringPot {
    /// Treatment of tensile force: kept, clipped, or the end of the contact.
    fn limit_tension(&self, (force, state): (f64, State), speed: f64) -> (f64, State) {
        if force >= 0.0 || self.tension == TensileCutoff::Keep {
            return (force, state);
        }
        let is_over = self.tension == TensileCutoff::Release && speed < 0.0;
        (0.0, if is_over { State { released: 1.0, ..State::default() } } else { state })
    }

    /// The energy of a spring-pot is not a function of its state: its whole work is recorded as loss, and returned
    /// energy as negative loss. Springs store theirs.
    fn add_energies(&self, contacts: &Contacts, c: usize, forces: &mut Forces) {
        let stored = self.spring * contacts.overlap[c];
        forces.normal_energy[c] += 0.5 * stored * contacts.overlap[c];
        forces.damping_power[c] += (forces.elastic[c] - stored) * contacts.closing_speed[c];
    }
}

impl Evaluate for SpringPot {
    type History = FractionalHistory;

    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        mut history: History<'_, FractionalHistory>,
        forces: &mut Forces,
    ) {
        let stored = history.stored();
        let now = libm::pow(step.elapsed, 1.0 - self.order);
        let mut shared = Shared { now, last: [0.0; 2], decay_factors: DecayFactors::NONE };
        for c in 0..WIDTH {
            let (overlap, speed) = (contacts.overlap[c], contacts.closing_speed[c]);
            if overlap <= 0.0 {
                history.set(c, State::default().into());
                continue;
            }
            let is_copy = stored.repeats(c)
                && overlap == contacts.overlap[c - 1]
                && speed == contacts.closing_speed[c - 1];
            if is_copy {
                history.set(c, history.new_value(c - 1));
                forces.elastic[c] = forces.elastic[c - 1];
                forces.normal_stiffness[c] = forces.normal_stiffness[c - 1];
                forces.contact_radius[c] = forces.contact_radius[c - 1];
                continue;
            }
            let before = State::from(history.old(c));
            let evaluated = if before.released > 0.0 {
                (0.0, State { released: 1.0, ..State::default() })
            } else {
                self.touching_force(&before, contacts, c, step, stored.of_lane(c), &mut shared)
            };
            let (force, after) = self.limit_tension(evaluated, speed);
            forces.elastic[c] = force;
            forces.normal_stiffness[c] = after.stiffness;
            let acts = if before.released > 0.0 { 0.0 } else { 1.0 };
            forces.contact_radius[c] = acts * self.area.square(contacts, c, overlap)[0].sqrt();
            history.set(c, after.into());
            if step.ledger {
                self.add_energies(contacts, c, forces);
            }
        }
    }

    fn commit(&self, commit: &mut Commit<'_, '_, FractionalHistory>) {
        let mut interval_weights = IntervalWeights::NONE;
        for c in 0..commit.count() {
            let (before, after) = (State::from(commit.old(c)), State::from(commit.new_value(c)));
            if before.is_new() || after.is_new() {
                commit.stored(c).fill(0.0);
            } else {
                self.convolution.add_interval(
                    &before.last,
                    &mut interval_weights,
                    commit.stored(c),
                );
            }
        }
    }
}

impl Law for SpringPot {
    fn stored_history(&self) -> (usize, &str) {
        self.convolution.shape()
    }

    fn shortest_step(&self) -> f64 {
        match &self.convolution {
            Convolution::Exponentials { shortest, .. } => *shortest,
            _ => 0.0,
        }
    }

    /// Half a period at the stiffness of an impact: `π (m*/c)^{1/(2-α)}` without a parallel spring.
    fn contact_time(&self, encounter: &Encounter) -> Option<f64> {
        let stiffness = self.stiffness(encounter.effective_mass);
        Some(PI * (encounter.effective_mass / stiffness).sqrt())
    }

    /// Springs and dashpots with the storage and loss modulus of the spring-pot, `c (iω)^α`, at a frequency of
    /// [`FASTEST`] half periods per contact; and the dashpot of order 1. For slower motions the spring-pot is softer.
    fn stiffness(&self, pair: &PairState, sum: &mut ContactStiffness) {
        let PairState { radii, effective_radius, effective_mass, overlap, .. } = *pair;
        if !(overlap > 0.0) {
            return;
        }
        let whole = SpringPot::stiffness(self, effective_mass);
        let rate = FASTEST * (whole / effective_mass).sqrt();
        let angle = 0.5 * PI * self.order;
        let modulus = self.coefficient * libm::pow(rate, self.order);
        sum.contact_radius = self.area.square_of(effective_radius, radii, overlap)[0].sqrt();
        sum.elastic_force = whole * overlap;
        sum.normal += self.spring + modulus * libm::cos(angle);
        sum.normal_dashpot += self.dashpot + modulus * libm::sin(angle) / rate;
    }

    fn stiffness_is_exact(&self) -> bool {
        false
    }

    fn is_tied_to_step(&self) -> bool {
        true
    }
}
