//! The default laws (Hertz, its damping, a rotated Mindlin spring; elastic–plastic rolling
//! resistance if wanted) without the general stages: what is common to pairs (`fused_pairs`) and walls
//! (`fused_walls`). Measured: the columns that stages pass to each other cost more than the laws.
//!
//! Every line of physics is in the functions that the stages call as well, so the bits are the
//! same; `the_fused_loop_gives_the_bits_of_the_stages` holds it to that.

use crate::contact_state::history::HistoryLayout;
use crate::contact_state::result_buffer::{HistoryColumns, NOTHING};
use crate::geometry::Partners;
use crate::geometry::lane::{self, Kinematics, PairInput};
use crate::kernel::evaluate::Extremes;
use crate::kernel::load::Images;
use crate::law::damping::Tension;
use crate::law::damping::hertz::{self as damping, CriticalDamping};
use crate::law::normal::hertz::{self as normal, HertzLaw, Pressed};
use crate::law::rolling::elastic_plastic::{self as rolling, ElasticPlasticLaw, Rolled, Rolling};
use crate::law::tangential::spring::{self as tangential, Coefficients, Shear, Sheared, SpringLaw};
use crate::law::tangential::{Return, SlipRule};
use crate::law::tension::Floor;
use crate::law::{Column, Contacts, Law, MomentArm, Transport};
use std::any::Any;

/// Columns that the default laws remember of a contact.
pub(crate) const REMEMBERED: usize = 4;

/// Columns of a rolling moment, behind those.
pub(crate) const MOMENT: usize = 3;

/// The numbers of the default laws for one pair of materials.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fused {
    pub(crate) effective_young_modulus: f64,
    pub(crate) damping_ratio: f64,
    /// Of the damping force, with and without tension.
    pub(crate) floor: Floor,
    pub(crate) dashpot_per_root: f64,
    duration_factor: f64,
    pub(crate) shear: Coefficients,
    /// Elastic–plastic rolling resistance.
    rolling: Option<rolling::Coefficients>,
}

impl Fused {
    /// The same laws for the fused loop, if they are the default ones, without rolling resistance or
    /// with the elastic–plastic one.
    pub(crate) fn new(
        laws: &[Box<dyn Law>],
        layout: &HistoryLayout,
        lever: MomentArm,
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
        let is_default = damping.tension != Tension::Release
            && spring.return_rule == Return::Spring
            && spring.coefficients.friction.rule != SlipRule::C16
            && lever == MomentArm::HalfOverlap
            && layout.width == width
            && layout.vectors == vectors;
        if !is_default {
            return None;
        }
        Some(Self {
            effective_young_modulus: hertz.effective_young_modulus,
            damping_ratio: damping.damping_ratio,
            floor: damping.tension.floor(),
            dashpot_per_root: spring.coefficients.dashpot_per_root()?,
            duration_factor,
            shear: spring.coefficients,
            rolling,
        })
    }

    /// Whether there is rolling resistance.
    pub(crate) fn rolls(&self) -> bool {
        self.rolling.is_some()
    }

    /// Whether the limit of friction depends on whether a contact slid.
    #[inline(always)]
    pub(crate) fn remembers_slip(&self) -> bool {
        self.shear.friction.remembers_slip()
    }

    /// What contacts remembered, without rolling moments. Whether they slid is fetched only where the
    /// law reads it.
    pub(crate) fn look_up<'a>(
        &self,
        accepted: &'a HistoryColumns,
        rows: &[u32],
        room: &'a mut [Column],
    ) -> [&'a Column; REMEMBERED] {
        if self.remembers_slip() {
            return accepted.look_up(rows, room);
        }
        let [x, y, z] = accepted.look_up(rows, room);
        [x, y, z, &NOTHING]
    }

    /// k/m* as that of a contact of constant stiffness that lasts as long [1/s²].
    #[inline(always)]
    pub(crate) fn rate(&self, couple: &PairInput, stiffness: f64) -> f64 {
        let [light, lighter] = couple.inverse_masses;
        self.duration_factor * (stiffness * (light + lighter))
    }

    /// The numbers of rolling resistance.
    pub(crate) fn rolling(&self) -> Option<&rolling::Coefficients> {
        self.rolling.as_ref()
    }

    /// All but rolling for one contact, where the partners are this near and the spring has been turned
    /// already. `second` is zero at a wall and one else; `tested` is the coefficient of friction that
    /// the trial force is tested against.
    #[inline(always)]
    pub(crate) fn pressed(
        &self,
        couple: &PairInput,
        near: Kinematics,
        second: f64,
        before: [f64; 3],
        tested: f64,
        elapsed: f64,
    ) -> Contact {
        let (n, overlap, closing_speed) = (near.normal, near.overlap, near.closing_speed);
        let since = lane::since(overlap, closing_speed, near.inverse_speed, elapsed);
        let pressed = normal::lane(self.effective_young_modulus, near.effective_radius, overlap);
        let root = damping::root(near.effective_mass, pressed.stiffness);
        let moment_arms = lane::half_overlap_arms(couple.radii, overlap, second);
        let slip_velocity =
            lane::slip_velocity(n, couple.velocity, closing_speed, couple.spins, moment_arms);
        let damping = damping::lane(self.damping_ratio, root, closing_speed);
        let damping = self.floor.limit(damping, pressed.force);
        let sheared = tangential::lane(
            &self.shear,
            &Shear {
                overlap,
                stiffness: self.shear.stiffness_of(pressed.contact_radius, pressed.stiffness),
                dashpot: self.dashpot_per_root * root,
                pressure: self.shear.friction.pressure_of(pressed.force, damping, 0.0),
                tested,
                spring: [
                    before[0] + slip_velocity[0] * since,
                    before[1] + slip_velocity[1] * since,
                    before[2] + slip_velocity[2] * since,
                ],
                slip_velocity,
            },
        );
        Contact { near, since, pressed, damping, moment_arms, sheared }
    }
}

/// Force on the first partner, and n × tangential force, from the force that pushes the partners apart
/// and the tangential one.
#[inline(always)]
pub(crate) fn combined(n: [f64; 3], push: f64, tangential: [f64; 3]) -> [[f64; 3]; 2] {
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
pub(crate) struct Contact {
    pub near: Kinematics,
    since: f64,
    pressed: Pressed,
    damping: f64,
    moment_arms: [f64; 2],
    pub sheared: Sheared,
}

impl Contact {
    /// The row of its results.
    #[inline(always)]
    pub(crate) fn row(&self) -> [f64; 8] {
        let push = self.pressed.force + self.damping;
        let [[x, y, z], [tx, ty, tz]] = combined(self.near.normal, push, self.sheared.force);
        [x, y, z, self.moment_arms[0], tx, ty, tz, self.moment_arms[1]]
    }

    /// Rolling resistance at a wall, whose moment was `before` and has been turned already.
    #[inline(always)]
    pub(crate) fn rolled(
        &self,
        rolling: &rolling::Coefficients,
        couple: &PairInput,
        before: [f64; 3],
    ) -> Rolled {
        let velocity = lane::rolling_velocity(self.near.normal, couple.spins);
        let pressure = self.pressed.force + self.damping;
        rolling::roll(
            rolling,
            &Rolling {
                overlap: self.near.overlap,
                arm: rolling.arm_at_wall(self.near.effective_radius),
                radii: couple.radii,
                inverse_masses: couple.inverse_masses,
                normal_stiffness: self.pressed.stiffness,
                pressure: if pressure > 0.0 { pressure } else { 0.0 },
                moment: before,
                roll: [
                    velocity[0] * self.since,
                    velocity[1] * self.since,
                    velocity[2] * self.since,
                ],
            },
            velocity,
        )
    }

    #[inline(always)]
    pub(crate) fn note(
        &self,
        laws: &Fused,
        couple: &PairInput,
        lane: usize,
        extremes: &mut Extremes,
    ) {
        extremes.note(lane, self.near.overlap_fraction, laws.rate(couple, self.pressed.stiffness));
    }
}

/// What a chunk is evaluated from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Given<'a> {
    pub partners: &'a Partners,
    /// Normals are the differences of the centres still.
    pub contacts: &'a Contacts,
    pub images: &'a Images,
    /// Time since the accepted state [s].
    pub elapsed: f64,
}

#[cfg(test)]
#[path = "fused_tests.rs"]
mod tests;
