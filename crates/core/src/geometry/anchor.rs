//! Slip since the accepted state from the displacement of the material points that were in contact, for laws with a
//! mapping.
//!
//! The points in contact at the accepted state S were at `+l₁ n_S` and `-l₂ n_S` from the centres; since then they have
//! separated by `Δs = P' [Δx₁ - Δx₂ + l₁ (Q₁-1) n_S + l₂ (Q₂-1) n_S]`, `P' = 1 - n'⊗n'`, with Q the rotation of each
//! body: C15(25)–(30) for two moving bodies. With `n_S`, a pair that rotates as a rigid body does not slip; with `n'`,
//! as printed, it does. A wall moves with its own material point.

use crate::chunk::{Column, Contacts, Partners, Step, Vector, WIDTH};
use crate::geometry::{Mapping, MappingNormal};
use crate::rotation::RotationMap;
use crate::simd::multiversion;

/// Columns that the engine stores for each contact with mapped slip.
pub(crate) const ANCHORAGE_WIDTH: usize = 5;

/// Names of these columns, for checkpoints.
pub(crate) const ANCHORAGE_NAMES: [&str; ANCHORAGE_WIDTH] = [
    "accepted anchor.0",
    "accepted anchor.1",
    "accepted anchor.2",
    "accepted lever.0",
    "accepted lever.1",
];

/// First column of each group.
const ANCHOR: usize = 0;
const ARM: usize = 3;

/// History that the engine stores for each contact in addition to that of its laws.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Anchorage {
    /// Its first column.
    pub start: usize,
    /// Mapping of slip.
    pub mapping: Mapping,
}

/// Displacement of the partners of a chunk since the accepted state.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(crate) struct Shift {
    /// Displacement of the first body relative to the second, without its component along the normal.
    displacement: Vector,
    /// Normal at the accepted state.
    normal: Vector,
    /// At walls: from the current centre to the current position of the accepted material point of
    /// the wall.
    pub wall_point: Vector,
    /// At walls: the current material point in the frame of the wall.
    pub wall_anchor: Vector,
}

impl Shift {
    pub(crate) const ZERO: Self = {
        const COLUMNS: Vector = [[0.0; WIDTH]; 3];
        Self { displacement: COLUMNS, normal: COLUMNS, wall_point: COLUMNS, wall_anchor: COLUMNS }
    };
}

type Columns = [Column; ANCHORAGE_WIDTH];

/// Overwrites the slip of contacts that existed at the accepted state; that of new ones follows from the current
/// velocity and their age.
pub(crate) fn map_slip(
    anchorage: &Anchorage,
    step: &Step,
    at_wall: bool,
    old: &Columns,
    partners: &Partners,
    shift: &mut Shift,
    contacts: &mut Contacts,
) {
    if step.elapsed == 0.0 {
        return;
    }
    if at_wall {
        shift_at_wall(contacts, old, shift);
    } else {
        shift_of_pair(contacts, old, shift);
    }
    if anchorage.mapping.normal == MappingNormal::Present {
        shift.normal = contacts.normal;
    }
    match anchorage.mapping.rotation {
        RotationMap::Exact => map_exactly(contacts, old, partners, shift, step.elapsed),
        RotationMap::Literal => map_literally(contacts, old, partners, shift, step.elapsed),
    }
}

/// Stores the anchors for the next step. A contact that does not touch is new when it touches again.
pub(crate) fn store_anchors(at_wall: bool, shift: &Shift, contacts: &Contacts, new: &mut Columns) {
    for axis in 0..3 {
        if at_wall {
            new[ANCHOR + axis] = shift.wall_anchor[axis];
        } else {
            let (normal, distance) = (&contacts.normal[axis], &contacts.distance);
            new[ANCHOR + axis] = std::array::from_fn(|c| distance[c] * normal[c]);
        }
    }
    for body in 0..2 {
        let arm = &contacts.moment_arm[body];
        new[ARM + body] =
            std::array::from_fn(|c| if contacts.overlap[c] > 0.0 { arm[c] } else { 0.0 });
    }
}

multiversion! {
    fn shift_of_pair(contacts: &mut Contacts, old: &Columns, shift: &mut Shift) {
        for c in 0..WIDTH {
            let anchor = [old[0][c], old[1][c], old[2][c]];
            let size = (anchor[0] * anchor[0] + anchor[1] * anchor[1] + anchor[2] * anchor[2]).sqrt();
            let inverse = 1.0 / size.max(f64::MIN_POSITIVE);
            let known = old[ARM][c] > 0.0;
            for axis in 0..3 {
                let present = contacts.normal[axis][c];
                let before = if known { inverse * anchor[axis] } else { present };
                // the distance of the centres is along the current normal and cancels
                shift.displacement[axis][c] = anchor[axis];
                shift.normal[axis][c] = before;
                contacts.normal_change[axis][c] = if known { present - before } else { contacts.normal_change[axis][c] };
            }
        }
    }
}

multiversion! {
    fn shift_at_wall(contacts: &Contacts, old: &Columns, shift: &mut Shift) {
        for c in 0..WIDTH {
            for axis in 0..3 {
                let before = contacts.normal[axis][c] - contacts.normal_change[axis][c];
                shift.normal[axis][c] = before;
                shift.displacement[axis][c] = old[ARM][c] * before - shift.wall_point[axis][c];
            }
        }
    }
}

/// `sin t / t` and `(1 - cos t)/t²` of the square of an angle below one, to rounding.
#[inline(always)]
fn factors_of_rotation(square: f64) -> [f64; 2] {
    let s = square;
    let tail = |a: f64, b: f64, c: f64, d: f64, e: f64, f: f64, g: f64| {
        1.0 - s / a
            * (1.0
                - s / b
                    * (1.0 - s / c * (1.0 - s / d * (1.0 - s / e * (1.0 - s / f * (1.0 - s / g))))))
    };
    [
        tail(6.0, 20.0, 42.0, 72.0, 110.0, 156.0, 210.0),
        0.5 * tail(12.0, 30.0, 56.0, 90.0, 132.0, 182.0, 240.0),
    ]
}

#[cold]
fn factors_of_large_rotation(square: f64) -> [f64; 2] {
    if square < 1.0 {
        return factors_of_rotation(square);
    }
    let angle = square.sqrt();
    let half = libm::sin(0.5 * angle) / angle;
    [libm::sin(angle) / angle, 2.0 * half * half]
}

/// Maps slip with factors `a` and `b` of the rotation vectors: `(Q-1) m = a θ×m + b θ×(θ×m)`.
macro_rules! map {
    ($name:ident, $factors:expr) => {
        multiversion! {
            fn $name(
                contacts: &mut Contacts,
                old: &Columns,
                partners: &Partners,
                shift: &Shift,
                elapsed: f64,
            ) {
                for c in 0..WIDTH {
                    let n = [contacts.normal[0][c], contacts.normal[1][c], contacts.normal[2][c]];
                    let m = [shift.normal[0][c], shift.normal[1][c], shift.normal[2][c]];
                    let mut rotated = [[0.0; 3]; 2];
                    for body in 0..2 {
                        let spin = &partners.mean_spin[body];
                        let t = [elapsed * spin[0][c], elapsed * spin[1][c], elapsed * spin[2][c]];
                        let [first, second] = $factors(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
                        let cross = [t[1] * m[2] - t[2] * m[1], t[2] * m[0] - t[0] * m[2], t[0] * m[1] - t[1] * m[0]];
                        let twice = [
                            t[1] * cross[2] - t[2] * cross[1],
                            t[2] * cross[0] - t[0] * cross[2],
                            t[0] * cross[1] - t[1] * cross[0],
                        ];
                        for axis in 0..3 {
                            rotated[body][axis] = old[ARM + body][c] * (first * cross[axis] + second * twice[axis]);
                        }
                    }
                    // in this order, exchanging the bodies changes all signs and no digit
                    let moved = [
                        shift.displacement[0][c] + (rotated[0][0] + rotated[1][0]),
                        shift.displacement[1][c] + (rotated[0][1] + rotated[1][1]),
                        shift.displacement[2][c] + (rotated[0][2] + rotated[1][2]),
                    ];
                    let along = moved[0] * n[0] + moved[1] * n[1] + moved[2] * n[2];
                    let known = old[ARM][c] > 0.0;
                    for axis in 0..3 {
                        let slip = moved[axis] - along * n[axis];
                        contacts.slip[axis][c] = if known { slip } else { contacts.slip[axis][c] };
                    }
                }
            }
        }
    };
}

map!(map_small, factors_of_rotation);
map!(map_large, factors_of_large_rotation);
// the rotation vector used as a Rodrigues vector, 2 tan(θ/2): erratum E13, with the 4 of E12
map!(map_literally, |square: f64| {
    let factor = 4.0 / (4.0 + square);
    [factor, 0.5 * factor]
});

/// By the exact rotation. Angles above one radian in a step are rare, so their cost is irrelevant.
fn map_exactly(
    contacts: &mut Contacts,
    old: &Columns,
    partners: &Partners,
    shift: &Shift,
    elapsed: f64,
) {
    if largest_square_of_angle(partners, elapsed) < 1.0 {
        map_small(contacts, old, partners, shift, elapsed);
    } else {
        map_large(contacts, old, partners, shift, elapsed);
    }
}

multiversion! {
    fn largest_square_of_angle(partners: &Partners, elapsed: f64) -> f64 {
        let mut largest = [0.0f64; 8];
        for c in 0..WIDTH {
            for body in 0..2 {
                let mut square = 0.0;
                for axis in 0..3 {
                    let angle = elapsed * partners.mean_spin[body][axis][c];
                    square += angle * angle;
                }
                largest[c % 8] = largest[c % 8].max(square);
            }
        }
        largest.iter().fold(0.0, |most: f64, square| most.max(*square))
    }
}

#[cfg(test)]
#[path = "anchor_tests.rs"]
mod tests;
