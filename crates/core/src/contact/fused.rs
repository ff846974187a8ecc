//! The default laws (Hertz, its damping, a rotated Mindlin spring) in one loop from loaded partners
//! to results. Measured: the columns that stages pass to each other cost more than the laws.
//!
//! Every line of physics is in the functions that the stages call as well, so the bits are the
//! same; `the_fused_loop_gives_the_bits_of_the_stages` holds it to that.

use super::HistoryLayout;
use super::evaluate::{Extremes, ResultColumns};
use super::history::rotated_squarely;
use super::load::Images;
use crate::geometry::{Partners, lane};
use crate::law::damping::Tension;
use crate::law::damping::hertz::{self as damping, CriticalDamping};
use crate::law::normal::hertz::{self as normal, HertzLaw};
use crate::law::tangential::Return;
use crate::law::tangential::spring::{self as tangential, Coefficients, Shear, SpringLaw};
use crate::law::{Column, Contacts, Law, Lever, Transport, WIDTH};
use crate::simd::vectorise;
use std::any::Any;

/// Columns that the default laws remember of a contact.
pub(super) const REMEMBERED: usize = 4;

/// The numbers of the default laws for one pair of materials.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fused {
    effective_young_modulus: f64,
    damping_ratio: f64,
    dashpot_per_root: f64,
    shear: Coefficients,
}

impl Fused {
    /// The same laws for the fused loop, if they are the default ones.
    pub(crate) fn new(laws: &[Box<dyn Law>], layout: &HistoryLayout, lever: Lever) -> Option<Self> {
        let [first, second, third] = laws else { return None };
        let (first, second, third): (&dyn Any, &dyn Any, &dyn Any) =
            (first.as_ref(), second.as_ref(), third.as_ref());
        let hertz = first.downcast_ref::<HertzLaw>()?;
        let damping = second.downcast_ref::<CriticalDamping>()?;
        let spring = third.downcast_ref::<SpringLaw>()?;
        let is_default = damping.tension == Tension::Keep
            && spring.return_rule == Return::Spring
            && lever == Lever::HalfOverlap
            && layout.width == REMEMBERED
            && layout.vectors == [(0, Transport::Rotate)];
        if !is_default {
            return None;
        }
        Some(Self {
            effective_young_modulus: hertz.effective_young_modulus,
            damping_ratio: damping.damping_ratio,
            dashpot_per_root: spring.coefficients.dashpot_per_root()?,
            shear: spring.coefficients,
        })
    }

    /// Evaluates a chunk of contacts between particles whose partners have been loaded. `old` and
    /// `new` are what contacts remember before and after; of the old columns the law reads three.
    pub(super) fn evaluate(
        &self,
        given: &Given<'_>,
        [x, y, z]: [&Column; 3],
        [new_x, new_y, new_z, excess]: [&mut Column; REMEMBERED],
        extremes: &mut Extremes,
        results: &mut ResultColumns,
    ) {
        let Given { partners, contacts, images, elapsed } = *given;
        evaluate(
            self, partners, contacts, images, elapsed, x, y, z, new_x, new_y, new_z, excess,
            extremes, results,
        );
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
    fn evaluate(
        laws: &Fused,
        partners: &Partners,
        contacts: &Contacts,
        images: &Images,
        elapsed: f64,
        old_x: &Column,
        old_y: &Column,
        old_z: &Column,
        new_x: &mut Column,
        new_y: &mut Column,
        new_z: &mut Column,
        excess: &mut Column,
        extremes: &mut Extremes,
        results: &mut ResultColumns,
    ) {
        let out = &mut results.0;
        for c in 0..WIDTH {
            let couple = partners.couple(contacts, c);
            let near = lane::approach(&couple, &images.period, &images.half, elapsed);
            let (n, closing_speed) = (near.normal, near.closing_speed);
            let radii = [contacts.radius[0][c], contacts.radius[1][c]];
            let overlap = (radii[0] + radii[1]) - near.distance;
            let since = lane::since(overlap, closing_speed, near.inverse_speed, elapsed);
            let pressed = normal::lane(laws.effective_young_modulus, near.effective_radius, overlap);
            let root = damping::root(near.effective_mass, pressed.stiffness);
            let levers = lane::half_overlap_levers(radii, overlap, 1.0);
            let slip_velocity =
                lane::slip_velocity(n, couple.velocity, closing_speed, couple.spins, levers);
            let turn = lane::turn(n, couple.velocity, closing_speed, near.inverse_distance, elapsed);
            let before = rotated_squarely([old_x[c], old_y[c], old_z[c]], n, turn, near.spun);
            let damping = damping::lane(laws.damping_ratio, root, closing_speed);
            let sheared = tangential::lane(&laws.shear, &Shear {
                overlap,
                stiffness: laws.shear.stiffness_of(pressed.contact_radius, pressed.stiffness),
                dashpot: laws.dashpot_per_root * root,
                pressure: laws.shear.friction.pressure_of(pressed.force, damping, 0.0),
                spring: [
                    before[0] + slip_velocity[0] * since,
                    before[1] + slip_velocity[1] * since,
                    before[2] + slip_velocity[2] * since,
                ],
                slip_velocity,
            });
            // sums from zero, as the stages make them: a zero must have the same sign
            let t = sheared.force.map(|part| 0.0 + part);
            let along = 0.0 - (pressed.force + damping);
            for axis in 0..3 {
                out[axis][c] = along * n[axis] + t[axis];
            }
            [new_x[c], new_y[c], new_z[c]] = sheared.spring;
            excess[c] = sheared.excess;
            out[3][c] = levers[0];
            out[4][c] = n[1] * t[2] - n[2] * t[1];
            out[5][c] = n[2] * t[0] - n[0] * t[2];
            out[6][c] = n[0] * t[1] - n[1] * t[0];
            out[7][c] = levers[1];
            let ([a, b], [light, lighter]) = (couple.curvatures, couple.inverse_masses);
            let curvature = if a > b { a } else { b };
            extremes.overlap_share[c] = overlap * curvature;
            extremes.rate[c] = pressed.stiffness * (light + lighter);
        }
    }
}

#[cfg(test)]
#[path = "fused_tests.rs"]
mod tests;
