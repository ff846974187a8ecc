//! The default laws (Hertz, its damping, a rotated Mindlin spring; elastic–plastic rolling
//! resistance if wanted) without the general stages: what is common to pairs (`fused_pairs`) and walls
//! (`fused_walls`), and the loop of pairs with rolling resistance. Measured: the columns that
//! stages pass to each other cost more than the laws.
//!
//! Every line of physics is in the functions that the stages call as well, so the bits are the
//! same; `the_fused_loop_gives_the_bits_of_the_stages` holds it to that.

use super::HistoryLayout;
use super::evaluate::{Extremes, ResultColumns};
use super::history::rotated_squarely;
use super::load::Images;
use crate::geometry::Partners;
use crate::geometry::lane::{self, Approach, Couple};
use crate::law::damping::Tension;
use crate::law::damping::hertz::{self as damping, CriticalDamping};
use crate::law::normal::hertz::{self as normal, HertzLaw, Pressed};
use crate::law::rolling::elastic_plastic::{self as rolling, ElasticPlasticLaw, Rolled, Rolling};
use crate::law::tangential::Return;
use crate::law::tangential::spring::{self as tangential, Coefficients, Shear, Sheared, SpringLaw};
use crate::law::{Column, Contacts, Law, Lever, Transport, Vector, WIDTH};
use crate::simd::vectorise;
use std::any::Any;

/// Columns that the default laws remember of a contact.
pub(super) const REMEMBERED: usize = 4;

/// Columns of a rolling moment, behind those.
pub(super) const MOMENT: usize = 3;

/// The numbers of the default laws for one pair of materials.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fused {
    pub(super) effective_young_modulus: f64,
    pub(super) damping_ratio: f64,
    pub(super) dashpot_per_root: f64,
    duration_factor: f64,
    pub(super) shear: Coefficients,
    /// Elastic–plastic rolling resistance.
    rolling: Option<rolling::Coefficients>,
}

impl Fused {
    /// The same laws for the fused loop, if they are the default ones, without rolling resistance or
    /// with the elastic–plastic one.
    pub(crate) fn new(
        laws: &[Box<dyn Law>],
        layout: &HistoryLayout,
        lever: Lever,
        duration_factor: f64,
    ) -> Option<Self> {
        let (three, more) = laws.split_first_chunk::<3>()?;
        let [first, second, third] = three.each_ref().map(|law| law.as_ref() as &dyn Any);
        let hertz = first.downcast_ref::<HertzLaw>()?;
        let damping = second.downcast_ref::<CriticalDamping>()?;
        let spring = third.downcast_ref::<SpringLaw>()?;
        let springs = [(0, Transport::Rotate), (REMEMBERED, Transport::Rotate)];
        let (rolling, width, vectors) = match more {
            [] => (None, REMEMBERED, &springs[..1]),
            [law] => {
                let law = (law.as_ref() as &dyn Any).downcast_ref::<ElasticPlasticLaw>()?;
                (Some(law.coefficients), REMEMBERED + MOMENT, &springs[..])
            }
            _ => return None,
        };
        let is_default = damping.tension == Tension::Keep
            && spring.return_rule == Return::Spring
            && lever == Lever::HalfOverlap
            && layout.width == width
            && layout.vectors == vectors;
        if !is_default {
            return None;
        }
        Some(Self {
            effective_young_modulus: hertz.effective_young_modulus,
            damping_ratio: damping.damping_ratio,
            dashpot_per_root: spring.coefficients.dashpot_per_root()?,
            duration_factor,
            shear: spring.coefficients,
            rolling,
        })
    }

    /// Whether there is rolling resistance.
    pub(super) fn rolls(&self) -> bool {
        self.rolling.is_some()
    }

    /// As `evaluate`, with rolling resistance and its couples; of the old columns the laws read
    /// these six.
    pub(super) fn evaluate_rolling(
        &self,
        given: &Given<'_>,
        [x, y, z, mx, my, mz]: [&Column; 3 + MOMENT],
        new: [&mut Column; REMEMBERED + MOMENT],
        extremes: &mut Extremes,
        results: &mut ResultColumns,
        [couple_x, couple_y, couple_z]: &mut Vector,
    ) {
        let Some(rolling) = &self.rolling else { return };
        let [new_x, new_y, new_z, excess, new_mx, new_my, new_mz] = new;
        let Given { partners, contacts, images, elapsed } = *given;
        evaluate_rolling(
            self, rolling, partners, contacts, images, elapsed, x, y, z, mx, my, mz, new_x, new_y,
            new_z, excess, new_mx, new_my, new_mz, extremes, results, couple_x, couple_y, couple_z,
        );
    }

    /// k/m* as that of a contact of constant stiffness that lasts as long [1/s²].
    #[inline(always)]
    pub(super) fn rate(&self, couple: &Couple, stiffness: f64) -> f64 {
        let [light, lighter] = couple.inverse_masses;
        self.duration_factor * (stiffness * (light + lighter))
    }

    /// The numbers of rolling resistance.
    pub(super) fn rolling(&self) -> Option<&rolling::Coefficients> {
        self.rolling.as_ref()
    }

    /// All but rolling for one contact, whose spring was `old`.
    #[inline(always)]
    fn contact(&self, couple: &Couple, images: &Images, elapsed: f64, old: [f64; 3]) -> Contact {
        let near = lane::approach(couple, &images.period, &images.half, elapsed);
        let (n, closing_speed) = (near.normal, near.closing_speed);
        let turn = lane::turn(n, couple.velocity, closing_speed, near.inverse_distance, elapsed);
        let before = rotated_squarely(old, n, turn, near.spun);
        self.pressed(couple, near, 1.0, turn, before, elapsed)
    }

    /// The same where the partners are this near and the spring has been turned already. `second` is
    /// zero at a wall and one else.
    #[inline(always)]
    pub(super) fn pressed(
        &self,
        couple: &Couple,
        near: Approach,
        second: f64,
        turn: [f64; 3],
        before: [f64; 3],
        elapsed: f64,
    ) -> Contact {
        let (n, overlap, closing_speed) = (near.normal, near.overlap, near.closing_speed);
        let since = lane::since(overlap, closing_speed, near.inverse_speed, elapsed);
        let pressed = normal::lane(self.effective_young_modulus, near.effective_radius, overlap);
        let root = damping::root(near.effective_mass, pressed.stiffness);
        let levers = lane::half_overlap_levers(couple.radii, overlap, second);
        let slip_velocity =
            lane::slip_velocity(n, couple.velocity, closing_speed, couple.spins, levers);
        let damping = damping::lane(self.damping_ratio, root, closing_speed);
        let sheared = tangential::lane(
            &self.shear,
            &Shear {
                overlap,
                stiffness: self.shear.stiffness_of(pressed.contact_radius, pressed.stiffness),
                dashpot: self.dashpot_per_root * root,
                pressure: self.shear.friction.pressure_of(pressed.force, damping, 0.0),
                spring: [
                    before[0] + slip_velocity[0] * since,
                    before[1] + slip_velocity[1] * since,
                    before[2] + slip_velocity[2] * since,
                ],
                slip_velocity,
            },
        );
        Contact { near, since, turn, pressed, damping, levers, sheared }
    }
}

/// Force on the first partner, and n × tangential force, from the force that pushes the partners apart
/// and the tangential one.
#[inline(always)]
pub(super) fn combined(n: [f64; 3], push: f64, tangential: [f64; 3]) -> [[f64; 3]; 2] {
    // sums from zero, as the stages make them: a zero must have the same sign
    let t = [0.0 + tangential[0], 0.0 + tangential[1], 0.0 + tangential[2]];
    let along = 0.0 - push;
    [
        [along * n[0] + t[0], along * n[1] + t[1], along * n[2] + t[2]],
        [n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]],
    ]
}

/// What one contact gives.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contact {
    pub near: Approach,
    since: f64,
    turn: [f64; 3],
    pressed: Pressed,
    damping: f64,
    levers: [f64; 2],
    pub sheared: Sheared,
}

impl Contact {
    /// The row of its results.
    #[inline(always)]
    pub(super) fn row(&self) -> [f64; 8] {
        let push = self.pressed.force + self.damping;
        let [[x, y, z], [tx, ty, tz]] = combined(self.near.normal, push, self.sheared.force);
        [x, y, z, self.levers[0], tx, ty, tz, self.levers[1]]
    }

    /// Rolling resistance, whose moment was `before` and has been turned already.
    #[inline(always)]
    pub(super) fn rolled(
        &self,
        rolling: &rolling::Coefficients,
        couple: &Couple,
        inverse_inertias: [f64; 2],
        before: [f64; 3],
    ) -> Rolled {
        let velocity = lane::rolling_velocity(self.near.normal, couple.spins);
        let pressure = self.pressed.force + self.damping;
        rolling::lane(
            rolling,
            &Rolling {
                overlap: self.near.overlap,
                effective_radius: self.near.effective_radius,
                radii: couple.radii,
                inverse_masses: couple.inverse_masses,
                inverse_inertias,
                normal_stiffness: self.pressed.stiffness,
                pressure: if pressure > 0.0 { pressure } else { 0.0 },
                moment: before,
                roll: [
                    velocity[0] * self.since,
                    velocity[1] * self.since,
                    velocity[2] * self.since,
                ],
                velocity,
            },
        )
    }

    #[inline(always)]
    pub(super) fn note(&self, laws: &Fused, couple: &Couple, lane: usize, extremes: &mut Extremes) {
        extremes.note(lane, self.near.overlap_share, laws.rate(couple, self.pressed.stiffness));
    }
}

/// What a chunk is evaluated from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Given<'a> {
    pub partners: &'a Partners,
    /// Normals are the differences of the centres still.
    pub contacts: &'a Contacts,
    pub images: &'a Images,
    /// Time since the accepted state [s].
    pub elapsed: f64,
}

vectorise! {
    #[allow(clippy::too_many_arguments, reason = "the compiler must see that the columns are different ones")]
    fn evaluate_rolling(
        laws: &Fused,
        rolling: &rolling::Coefficients,
        partners: &Partners,
        contacts: &Contacts,
        images: &Images,
        elapsed: f64,
        old_x: &Column,
        old_y: &Column,
        old_z: &Column,
        moment_x: &Column,
        moment_y: &Column,
        moment_z: &Column,
        new_x: &mut Column,
        new_y: &mut Column,
        new_z: &mut Column,
        excess: &mut Column,
        new_moment_x: &mut Column,
        new_moment_y: &mut Column,
        new_moment_z: &mut Column,
        extremes: &mut Extremes,
        results: &mut ResultColumns,
        couple_x: &mut Column,
        couple_y: &mut Column,
        couple_z: &mut Column,
    ) {
        for c in 0..WIDTH {
            let couple = partners.couple(contacts, c);
            let contact = laws.contact(&couple, images, elapsed, [old_x[c], old_y[c], old_z[c]]);
            [new_x[c], new_y[c], new_z[c]] = contact.sheared.spring;
            excess[c] = contact.sheared.excess;
            let row = contact.row();
            for part in 0..8 {
                results.0[part][c] = row[part];
            }
            contact.note(laws, &couple, c, extremes);
            let before = [moment_x[c], moment_y[c], moment_z[c]];
            let Contact { near, turn, .. } = &contact;
            let before = rotated_squarely(before, near.normal, *turn, near.spun);
            let inverse_inertias = [contacts.inverse_inertia[0][c], contacts.inverse_inertia[1][c]];
            let rolled = contact.rolled(rolling, &couple, inverse_inertias, before);
            [new_moment_x[c], new_moment_y[c], new_moment_z[c]] = rolled.moment;
            [couple_x[c], couple_y[c], couple_z[c]] =
                [0.0 + rolled.couple[0], 0.0 + rolled.couple[1], 0.0 + rolled.couple[2]];
        }
    }
}

#[cfg(test)]
#[path = "fused_tests.rs"]
mod tests;
