//! The fused loop of the default laws for contacts with walls. As for pairs of particles, every line
//! of physics is in functions that the stages call as well, so the bits are the same.

use crate::contact_state::history::rotated;
use crate::geometry::Partners;
use crate::geometry::lane::{self, PairInput};
use crate::kernel::evaluate::{Extremes, ResultColumns};
use crate::kernel::fused::{Contact, Fused, MOMENT, REMEMBERED};
use crate::law::rolling::elastic_plastic as rolling;
use crate::law::{Column, Contacts, Vector, WIDTH};
use crate::simd::multiversion;

/// What a chunk is evaluated from: normals, turns of them, and distances are there already.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Given<'a> {
    pub partners: &'a Partners,
    pub contacts: &'a Contacts,
    /// Time since the accepted state [s].
    pub elapsed: f64,
}

impl Fused {
    /// As `evaluate`, for contacts with walls.
    pub(crate) fn evaluate_at_walls(
        &self,
        given: &Given<'_>,
        [x, y, z, excess_before]: [&Column; REMEMBERED],
        [new_x, new_y, new_z, excess]: [&mut Column; REMEMBERED],
        extremes: &mut Extremes,
        results: &mut ResultColumns,
    ) {
        let Given { partners, contacts, elapsed } = *given;
        evaluate(
            self,
            partners,
            contacts,
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
            results,
        );
    }

    /// As `evaluate_rolling`, for contacts with walls.
    pub(crate) fn evaluate_rolling_at_walls(
        &self,
        given: &Given<'_>,
        [x, y, z, excess_before, mx, my, mz]: [&Column; REMEMBERED + MOMENT],
        new: [&mut Column; REMEMBERED + MOMENT],
        extremes: &mut Extremes,
        results: &mut ResultColumns,
        [second_x, second_y, second_z]: &mut Vector,
    ) {
        let Some(rolling) = self.rolling() else { return };
        let [new_x, new_y, new_z, excess, new_mx, new_my, new_mz] = new;
        let Given { partners, contacts, elapsed } = *given;
        evaluate_rolling(
            self,
            rolling,
            partners,
            contacts,
            elapsed,
            x,
            y,
            z,
            excess_before,
            mx,
            my,
            mz,
            new_x,
            new_y,
            new_z,
            excess,
            new_mx,
            new_my,
            new_mz,
            extremes,
            results,
            second_x,
            second_y,
            second_z,
        );
    }

    /// All but rolling for one contact with a wall, whose spring and excess of friction were `old`.
    #[inline(always)]
    fn contact_at_wall(
        &self,
        couple: &PairInput,
        distance: f64,
        turn: [f64; 3],
        elapsed: f64,
        [x, y, z, excess_before]: [f64; REMEMBERED],
    ) -> Contact {
        let near = lane::approach_wall(couple, distance, elapsed);
        let before = rotated([x, y, z], near.normal, turn, near.spun);
        let friction = &self.shear.friction;
        let tested = friction.tested(excess_before, friction.slides_on(elapsed));
        self.pressed(couple, near, 0.0, before, tested, elapsed)
    }
}

#[inline(always)]
fn turn_of(contacts: &Contacts, c: usize) -> [f64; 3] {
    [contacts.turn[0][c], contacts.turn[1][c], contacts.turn[2][c]]
}

multiversion! {
    #[allow(clippy::too_many_arguments, reason = "the compiler must see that the columns are different ones")]
    fn evaluate(
        laws: &Fused,
        partners: &Partners,
        contacts: &Contacts,
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
        results: &mut ResultColumns,
    ) {
        for c in 0..WIDTH {
            let couple = partners.couple(contacts, c);
            let (distance, turn) = (contacts.distance[c], turn_of(contacts, c));
            let old = [old_x[c], old_y[c], old_z[c], excess_before[c]];
            let contact = laws.contact_at_wall(&couple, distance, turn, elapsed, old);
            [new_x[c], new_y[c], new_z[c]] = contact.sheared.spring;
            excess[c] = contact.sheared.excess;
            let row = contact.row();
            for part in 0..8 {
                results.0[part][c] = row[part];
            }
            contact.note(laws, &couple, c, extremes);
        }
    }
}

multiversion! {
    #[allow(clippy::too_many_arguments, reason = "the compiler must see that the columns are different ones")]
    fn evaluate_rolling(
        laws: &Fused,
        rolling: &rolling::Coefficients,
        partners: &Partners,
        contacts: &Contacts,
        elapsed: f64,
        old_x: &Column,
        old_y: &Column,
        old_z: &Column,
        excess_before: &Column,
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
        second_x: &mut Column,
        second_y: &mut Column,
        second_z: &mut Column,
    ) {
        for c in 0..WIDTH {
            let couple = partners.couple(contacts, c);
            let (distance, turn) = (contacts.distance[c], turn_of(contacts, c));
            let old = [old_x[c], old_y[c], old_z[c], excess_before[c]];
            let contact = laws.contact_at_wall(&couple, distance, turn, elapsed, old);
            [new_x[c], new_y[c], new_z[c]] = contact.sheared.spring;
            excess[c] = contact.sheared.excess;
            let row = contact.row();
            for part in 0..8 {
                results.0[part][c] = row[part];
            }
            contact.note(laws, &couple, c, extremes);
            let before = [moment_x[c], moment_y[c], moment_z[c]];
            let before = rotated(before, contact.near.normal, turn, contact.near.spun);
            let rolled = contact.rolled(rolling, &couple, before);
            [new_moment_x[c], new_moment_y[c], new_moment_z[c]] = rolled.moment;
            let [own, other] = rolled.sides([row[4], row[5], row[6]], [row[3], row[7]]);
            [results.0[4][c], results.0[5][c], results.0[6][c]] = own;
            [second_x[c], second_y[c], second_z[c]] = other;
        }
    }
}
