//! Transport of stored vectors with the tangent plane.

use super::Transport;
use crate::chunk::{Contacts, Vector, WIDTH};
use crate::simd::multiversion;

/// Transports a vector of a chunk to the current tangent plane. `is_perpendicular`: the changes of
/// the normals are perpendicular to the normals.
pub(crate) fn transport(
    how: Transport,
    contacts: &Contacts,
    is_perpendicular: bool,
    vector: &mut Vector,
) {
    match how {
        Transport::Project => project(contacts, vector),
        Transport::ProjectRescale => project_and_rescale(contacts, vector),
        Transport::Rotate if is_perpendicular => rotate_halfway(contacts, vector),
        Transport::Rotate => rotate(contacts, vector),
    }
}

multiversion! {
    fn project(contacts: &Contacts, vector: &mut Vector) {
        let n = &contacts.normal;
        for c in 0..WIDTH {
            let along = n[0][c] * vector[0][c] + n[1][c] * vector[1][c] + n[2][c] * vector[2][c];
            for axis in 0..3 {
                vector[axis][c] -= along * n[axis][c];
            }
        }
    }
}

multiversion! {
    fn project_and_rescale(contacts: &Contacts, vector: &mut Vector) {
        let n = &contacts.normal;
        for c in 0..WIDTH {
            let v = [vector[0][c], vector[1][c], vector[2][c]];
            let along = n[0][c] * v[0] + n[1][c] * v[1] + n[2][c] * v[2];
            let p = [v[0] - along * n[0][c], v[1] - along * n[1][c], v[2] - along * n[2][c]];
            let before = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            let after = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
            let scale = (before / after.max(f64::MIN_POSITIVE)).sqrt();
            for axis in 0..3 {
                vector[axis][c] = if after > 0.0 { scale * p[axis] } else { 0.0 };
            }
        }
    }
}

multiversion! {
    fn rotate(contacts: &Contacts, vector: &mut Vector) {
        let n = &contacts.normal;
        let change = &contacts.normal_change;
        for c in 0..WIDTH {
            let rotated = rotated(
                [vector[0][c], vector[1][c], vector[2][c]],
                [n[0][c], n[1][c], n[2][c]],
                [change[0][c], change[1][c], change[2][c]],
                [contacts.spin_rotation[0][c], contacts.spin_rotation[1][c]],
            );
            for axis in 0..3 {
                vector[axis][c] = rotated[axis];
            }
        }
    }
}

multiversion! {
    fn rotate_halfway(contacts: &Contacts, vector: &mut Vector) {
        let n = &contacts.normal;
        let change = &contacts.normal_change;
        for c in 0..WIDTH {
            let normal = [n[0][c], n[1][c], n[2][c]];
            let half_change = [0.5 * change[0][c], 0.5 * change[1][c], 0.5 * change[2][c]];
            let rotated = rotated_halfway(
                [vector[0][c], vector[1][c], vector[2][c]],
                normal,
                halfway(normal, half_change),
                [contacts.spin_rotation[0][c], contacts.spin_rotation[1][c]],
            );
            for axis in 0..3 {
                vector[axis][c] = rotated[axis];
            }
        }
    }
}

/// The smallest rotation from the old normal n₀ = n - Δ to n, applied to a vector perpendicular to n₀, is `v -
/// (n·v)(n₀ + n)/(1 + n₀·n)`. It is followed by a rotation about n by the mean spin, given by its cosine and sine.
#[inline(always)]
pub(crate) fn rotated(
    v: [f64; 3],
    normal: [f64; 3],
    change: [f64; 3],
    spin_rotation: [f64; 2],
) -> [f64; 3] {
    let cosine = 1.0 - dot(normal, change);
    let sum =
        [2.0 * normal[0] - change[0], 2.0 * normal[1] - change[1], 2.0 * normal[2] - change[2]];
    let factor = dot(normal, v) * (1.0 / (1.0 + cosine));
    rotated_about(normal, spin_rotation, minus(v, factor, sum))
}

/// As `rotated`, if the change of the normal is perpendicular to the normal: then 1 + n₀·n is two. `halfway` is the
/// mean of both normals.
#[inline(always)]
pub(crate) fn rotated_halfway(
    v: [f64; 3],
    normal: [f64; 3],
    halfway: [f64; 3],
    spin_rotation: [f64; 2],
) -> [f64; 3] {
    rotated_about(normal, spin_rotation, minus(v, dot(normal, v), halfway))
}

/// The mean of the old and the new normal, from half of the change.
#[inline(always)]
pub(crate) fn halfway(normal: [f64; 3], half_change: [f64; 3]) -> [f64; 3] {
    minus(normal, 1.0, half_change)
}

#[inline(always)]
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn minus(v: [f64; 3], factor: f64, other: [f64; 3]) -> [f64; 3] {
    [v[0] - factor * other[0], v[1] - factor * other[1], v[2] - factor * other[2]]
}

#[inline(always)]
fn rotated_about(normal: [f64; 3], [cosine, sine]: [f64; 2], r: [f64; 3]) -> [f64; 3] {
    [
        cosine * r[0] + sine * (normal[1] * r[2] - normal[2] * r[1]),
        cosine * r[1] + sine * (normal[2] * r[0] - normal[0] * r[2]),
        cosine * r[2] + sine * (normal[0] * r[1] - normal[1] * r[0]),
    ]
}
