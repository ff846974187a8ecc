//! The default laws for a chunk of pairs of particles, as five short loops, and one more for rolling
//! resistance. Each ends where a root or
//! a division would have to be waited for: in one long loop a processor cannot see far enough ahead
//! to begin the next eight contacts meanwhile (measured: twice the time that its units need).
//!
//! Every line of physics is in functions that the stages call as well, so the bits are the same.

use crate::contact_state::history::{between as halfway, rotated_squarely};
use crate::geometry::Partners;
use crate::geometry::lane::{self, PairInput, Separation};
use crate::kernel::evaluate::{Extremes, ResultColumns};
use crate::kernel::fused::{Fused, Given, MOMENT, REMEMBERED, combined};
use crate::kernel::load::Images;
use crate::law::damping::hertz as damping;
use crate::law::normal::hertz as normal;
use crate::law::rolling::elastic_plastic::{self as rolling, Rolling};
use crate::law::tangential::spring::{Shear, Trial};
use crate::law::{Column, Contacts, Vector, WIDTH};
use crate::simd::multiversion;

const ZERO: Column = [0.0; WIDTH];

/// What one loop leaves to the next.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Between {
    difference: Vector,
    square: Column,
    distance: Column,
    closing: Column,
    half_angle: Column,
    inverse: Column,
    normal: Vector,
    overlap: Column,
    closing_speed: Column,
    spun: [Column; 2],
    /// The middle of the normals before and now, where there is rolling.
    halfway: Vector,
    since: Column,
    inverse_distance: Column,
    effective_mass: Column,
    effective_radius: Column,
    contact_radius: Column,
    root: Column,
    slip_velocity: Vector,
    spring: Vector,
    stiffness: Column,
    pressure: Column,
    push: Column,
    trial: Vector,
    trial_size: Column,
    spring_size: Column,
}

impl Between {
    pub(crate) const ZERO: Self = Self {
        difference: [ZERO; 3],
        square: ZERO,
        distance: ZERO,
        closing: ZERO,
        half_angle: ZERO,
        inverse: ZERO,
        normal: [ZERO; 3],
        overlap: ZERO,
        closing_speed: ZERO,
        spun: [ZERO; 2],
        halfway: [ZERO; 3],
        since: ZERO,
        inverse_distance: ZERO,
        effective_mass: ZERO,
        effective_radius: ZERO,
        contact_radius: ZERO,
        root: ZERO,
        slip_velocity: [ZERO; 3],
        spring: [ZERO; 3],
        stiffness: ZERO,
        pressure: ZERO,
        push: ZERO,
        trial: [ZERO; 3],
        trial_size: ZERO,
        spring_size: ZERO,
    };

    /// What the first loop has left of a contact.
    #[inline(always)]
    fn sight(&self, c: usize) -> Separation {
        Separation {
            difference: at(&self.difference, c),
            square: self.square[c],
            distance: self.distance[c],
            closing: self.closing[c],
            half_angle: self.half_angle[c],
            inverse: self.inverse[c],
        }
    }
}

#[inline(always)]
fn at(vector: &Vector, c: usize) -> [f64; 3] {
    [vector[0][c], vector[1][c], vector[2][c]]
}

#[inline(always)]
fn put(vector: &mut Vector, c: usize, value: [f64; 3]) {
    [vector[0][c], vector[1][c], vector[2][c]] = value;
}

impl Fused {
    /// Evaluates a chunk of contacts between particles whose partners have been loaded. `old` and
    /// `new` are what contacts remember before and after; of the old columns the law reads the last one
    /// only if it `remembers_slip`.
    pub(crate) fn evaluate(
        &self,
        given: &Given<'_>,
        [x, y, z, excess_before]: [&Column; REMEMBERED],
        [new_x, new_y, new_z, excess]: [&mut Column; REMEMBERED],
        extremes: &mut Extremes,
        between: &mut Between,
        results: &mut ResultColumns,
    ) {
        let Given { partners, contacts, images, elapsed } = *given;
        evaluate(
            self,
            partners,
            contacts,
            images,
            elapsed,
            x,
            y,
            z,
            excess_before,
            new_x,
            new_y,
            new_z,
            excess,
            extremes,
            between,
            results,
        );
    }

    /// As `evaluate`, with rolling resistance. The results have the torque on the first partner, and
    /// the last columns that on the second, reversed.
    #[allow(clippy::too_many_arguments, reason = "the columns are different ones")]
    pub(crate) fn evaluate_rolling(
        &self,
        given: &Given<'_>,
        [x, y, z, excess_before, mx, my, mz]: [&Column; REMEMBERED + MOMENT],
        new: [&mut Column; REMEMBERED + MOMENT],
        extremes: &mut Extremes,
        between: &mut Between,
        results: &mut ResultColumns,
        [second_x, second_y, second_z]: &mut Vector,
    ) {
        let Some(rolling) = self.rolling() else { return };
        let [new_x, new_y, new_z, excess, new_mx, new_my, new_mz] = new;
        let spring = [new_x, new_y, new_z, excess];
        let old = [x, y, z, excess_before];
        self.evaluate(given, old, spring, extremes, between, results);
        let Given { partners, contacts, .. } = *given;
        roll(
            self, rolling, partners, contacts, between, mx, my, mz, new_mx, new_my, new_mz,
            results, second_x, second_y, second_z,
        );
    }
}

multiversion! {
    /// Rolling resistance, once all else is known: again loops that end with a root.
    #[allow(clippy::too_many_arguments, reason = "the compiler must see that the columns are different ones")]
    fn roll(
        laws: &Fused,
        rolling: &rolling::Coefficients,
        partners: &Partners,
        contacts: &Contacts,
        between: &mut Between,
        moment_x: &Column,
        moment_y: &Column,
        moment_z: &Column,
        new_x: &mut Column,
        new_y: &mut Column,
        new_z: &mut Column,
        results: &mut ResultColumns,
        second_x: &mut Column,
        second_y: &mut Column,
        second_z: &mut Column,
    ) {
        for c in 0..WIDTH {
            let couple = partners.couple(contacts, c);
            let n = at(&between.normal, c);
            let spun = [between.spun[0][c], between.spun[1][c]];
            let halfway = at(&between.halfway, c);
            let before = rotated_squarely([moment_x[c], moment_y[c], moment_z[c]], n, halfway, spun);
            let velocity = lane::rolling_velocity(n, couple.spins);
            let tried = between.rolling(laws, rolling, &couple, c, velocity, before).tried(rolling);
            let rolled = tried.rolled(velocity);
            [new_x[c], new_y[c], new_z[c]] = rolled.moment;
            let row = &mut results.0;
            let torque = [row[4][c], row[5][c], row[6][c]];
            let [own, other] = rolled.sides(torque, [row[3][c], row[7][c]]);
            [row[4][c], row[5][c], row[6][c]] = own;
            [second_x[c], second_y[c], second_z[c]] = other;
        }
    }
}

impl Between {
    /// What rolling resistance is given, with the moment of before turned already.
    #[inline(always)]
    fn rolling(
        &self,
        laws: &Fused,
        rolling: &rolling::Coefficients,
        couple: &PairInput,
        c: usize,
        velocity: [f64; 3],
        moment: [f64; 3],
    ) -> Rolling {
        let (overlap, since, push) = (self.overlap[c], self.since[c], self.push[c]);
        let radius = self.contact_radius[c];
        Rolling {
            overlap,
            arm: rolling.arm_between(self.effective_radius[c]),
            radii: couple.radii,
            inverse_masses: couple.inverse_masses,
            normal_stiffness: normal::pressed(laws.effective_young_modulus, radius, overlap)
                .stiffness,
            pressure: if push > 0.0 { push } else { 0.0 },
            moment,
            roll: [velocity[0] * since, velocity[1] * since, velocity[2] * since],
        }
    }
}

multiversion! {
    #[allow(clippy::too_many_arguments, reason = "the compiler must see that the columns are different ones")]
    fn evaluate(
        laws: &Fused,
        partners: &Partners,
        contacts: &Contacts,
        images: &Images,
        elapsed: f64,
        old_x: &Column,
        old_y: &Column,
        old_z: &Column,
        excess_before: &Column,
        new_x: &mut Column,
        new_y: &mut Column,
        new_z: &mut Column,
        excess: &mut Column,
        extremes: &mut Extremes,
        between: &mut Between,
        results: &mut ResultColumns,
    ) {
        see(partners, contacts, images, elapsed, between);
        approach(partners, contacts, elapsed, extremes, between);
        let old = [old_x, old_y, old_z];
        if laws.rolls() {
            slip::<true>(laws, partners, contacts, elapsed, old, extremes, between, results);
        } else {
            slip::<false>(laws, partners, contacts, elapsed, old, extremes, between, results);
        }
        attempt(laws, between);
        let new = [new_x, new_y, new_z, excess];
        if laws.remembers_slip() {
            let slides_on = laws.shear.friction.slides_on(elapsed);
            let tested = |c: usize| laws.shear.friction.tested(excess_before[c], slides_on);
            return_map(laws, between, tested, new, results);
        } else {
            return_map(laws, between, |_| laws.shear.friction.at_rest, new, results);
        }
    }
}

/// To the distance.
#[inline(always)]
fn see(
    partners: &Partners,
    contacts: &Contacts,
    images: &Images,
    elapsed: f64,
    between: &mut Between,
) {
    for c in 0..WIDTH {
        let couple = partners.couple(contacts, c);
        let sight = lane::sight(&couple, &images.period, &images.half, elapsed);
        put(&mut between.difference, c, sight.difference);
        between.square[c] = sight.square;
        between.distance[c] = sight.distance;
        between.closing[c] = sight.closing;
        between.half_angle[c] = sight.half_angle;
        between.inverse[c] = sight.inverse;
    }
}

/// To the radius of the contact.
#[inline(always)]
fn approach(
    partners: &Partners,
    contacts: &Contacts,
    elapsed: f64,
    extremes: &mut Extremes,
    between: &mut Between,
) {
    for c in 0..WIDTH {
        let couple = partners.couple(contacts, c);
        let near = between.sight(c).approach(&couple);
        put(&mut between.normal, c, near.normal);
        between.overlap[c] = near.overlap;
        between.closing_speed[c] = near.closing_speed;
        [between.spun[0][c], between.spun[1][c]] = near.spun;
        between.since[c] =
            lane::since(near.overlap, near.closing_speed, near.inverse_speed, elapsed);
        between.inverse_distance[c] = near.inverse_distance;
        between.effective_mass[c] = near.effective_mass;
        between.effective_radius[c] = near.effective_radius;
        between.contact_radius[c] = normal::contact_radius(near.effective_radius, near.overlap);
        extremes.note_share(c, near.overlap_fraction);
    }
}

/// To the root of the dashpots and the trial spring.
#[inline(always)]
#[allow(
    clippy::too_many_arguments,
    reason = "the compiler must see that the columns are different ones"
)]
fn slip<const ROLLS: bool>(
    laws: &Fused,
    partners: &Partners,
    contacts: &Contacts,
    elapsed: f64,
    [old_x, old_y, old_z]: [&Column; 3],
    extremes: &mut Extremes,
    between: &mut Between,
    results: &mut ResultColumns,
) {
    for c in 0..WIDTH {
        let couple = partners.couple(contacts, c);
        let (n, overlap) = (at(&between.normal, c), between.overlap[c]);
        let closing_speed = between.closing_speed[c];
        let radius = between.contact_radius[c];
        let pressed = normal::pressed(laws.effective_young_modulus, radius, overlap);
        between.root[c] = damping::root(between.effective_mass[c], pressed.stiffness);
        extremes.note_rate(c, laws.rate(&couple, pressed.stiffness));
        let moment_arms = lane::half_overlap_arms(couple.radii, overlap, 1.0);
        let slip_velocity =
            lane::slip_velocity(n, couple.velocity, closing_speed, couple.spins, moment_arms);
        let inverse_distance = between.inverse_distance[c];
        let half = 0.5 * elapsed;
        let half_turn = lane::turn(n, couple.velocity, closing_speed, inverse_distance, half);
        let halfway = halfway(n, half_turn);
        if ROLLS {
            put(&mut between.halfway, c, halfway);
        }
        let spun = [between.spun[0][c], between.spun[1][c]];
        let before = rotated_squarely([old_x[c], old_y[c], old_z[c]], n, halfway, spun);
        let since = between.since[c];
        put(&mut between.slip_velocity, c, slip_velocity);
        put(
            &mut between.spring,
            c,
            [
                before[0] + slip_velocity[0] * since,
                before[1] + slip_velocity[1] * since,
                before[2] + slip_velocity[2] * since,
            ],
        );
        [results.0[3][c], results.0[7][c]] = moment_arms;
    }
}

/// To the sizes of the trial force and of the spring.
#[inline(always)]
fn attempt(laws: &Fused, between: &mut Between) {
    for c in 0..WIDTH {
        let (overlap, contact_radius) = (between.overlap[c], between.contact_radius[c]);
        let pressed = normal::pressed(laws.effective_young_modulus, contact_radius, overlap);
        let root = between.root[c];
        let damping = damping::lane(laws.damping_ratio, root, between.closing_speed[c]);
        let damping = laws.floor.limit(damping, pressed.force);
        let shear = Shear {
            overlap,
            stiffness: laws.shear.stiffness_of(contact_radius, pressed.stiffness),
            dashpot: laws.dashpot_per_root * root,
            pressure: laws.shear.friction.pressure_of(pressed.force, damping, 0.0),
            // has its part in the next loop
            tested: 0.0,
            spring: at(&between.spring, c),
            slip_velocity: at(&between.slip_velocity, c),
        };
        let tried = shear.tried();
        between.stiffness[c] = shear.stiffness;
        between.pressure[c] = shear.pressure;
        between.push[c] = pressed.force + damping;
        put(&mut between.trial, c, tried.force);
        between.trial_size[c] = tried.size;
        between.spring_size[c] = tried.spring_size;
    }
}

/// To what is remembered, and the results. `tested` is the coefficient of friction that the trial force
/// of each contact is tested against.
#[inline(always)]
fn return_map(
    laws: &Fused,
    between: &Between,
    tested: impl Fn(usize) -> f64,
    [new_x, new_y, new_z, excess]: [&mut Column; REMEMBERED],
    results: &mut ResultColumns,
) {
    for c in 0..WIDTH {
        let shear = Shear {
            overlap: between.overlap[c],
            stiffness: between.stiffness[c],
            pressure: between.pressure[c],
            tested: tested(c),
            spring: at(&between.spring, c),
            // these have done their part
            dashpot: 0.0,
            slip_velocity: [0.0; 3],
        };
        let sheared = shear.returned(
            &laws.shear,
            &Trial {
                force: at(&between.trial, c),
                size: between.trial_size[c],
                spring_size: between.spring_size[c],
            },
        );
        [new_x[c], new_y[c], new_z[c]] = sheared.spring;
        excess[c] = sheared.excess;
        let [force, torque] = combined(at(&between.normal, c), between.push[c], sheared.force);
        for axis in 0..3 {
            results.0[axis][c] = force[axis];
            results.0[4 + axis][c] = torque[axis];
        }
    }
}
