//! Finite rotations.
//!
//! The orientation of a particle is kept as a unit quaternion, which has no singularity; a step
//! turns it by an increment. [`Rodrigues`] vectors, in which C15 and C16 are written, are exact in
//! their composition but infinite at half a turn: they are for increments and for output.

use crate::{Quat, Vec3};

/// How the angle that a particle has turned in a step becomes a rotation.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    serde::Deserialize,
    serde::Serialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum RotationMap {
    /// The rotation by the angle θ = Δt ω about the axis of ω.
    #[default]
    Exact,
    /// θ taken as a Rodrigues vector, as C15(43) and C16(44) do: it turns by 2 atan(θ/2), too little
    /// by θ²/12 of the angle (docs/errata.md E13).
    Literal,
}

/// A rotation as the vector α = 2 tan(θ/2) e, with angle θ and axis e; C15(9). Infinite at θ = π.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rodrigues(pub Vec3);

impl Rodrigues {
    /// No rotation.
    pub const IDENTITY: Self = Self(Vec3::ZERO);

    /// The rotation by a rotation vector, θ e [rad].
    pub fn from_rotation_vector(angle: Vec3) -> Self {
        let size = angle.length();
        if size == 0.0 {
            return Self(angle);
        }
        Self(angle * (2.0 * libm::tan(0.5 * size) / size))
    }

    /// The rotation of a quaternion; none at half a turn, where the vector is infinite.
    pub fn from_quaternion(q: Quat) -> Option<Self> {
        let vector = Vec3::new(q.x, q.y, q.z) * (2.0 / q.w);
        vector.is_finite().then_some(Self(vector))
    }

    /// The same rotation as a unit quaternion: (1, α/2) / √(1 + α²/4).
    pub fn quaternion(self) -> Quat {
        let scale = 1.0 / (1.0 + 0.25 * self.0.length_squared()).sqrt();
        let v = 0.5 * scale * self.0;
        Quat::from_xyzw(v.x, v.y, v.z, scale)
    }

    /// The same rotation as a rotation vector, θ e [rad].
    pub fn rotation_vector(self) -> Vec3 {
        let size = self.0.length();
        if size == 0.0 { self.0 } else { self.0 * (2.0 * libm::atan(0.5 * size) / size) }
    }

    /// This rotation, then another one: `4/(4 - α₁·α₂) (α₁ + α₂ - ½ α₁ × α₂)`, C15(11); none if the
    /// two make half a turn.
    pub fn then(self, next: Self) -> Option<Self> {
        let (first, second) = (self.0, next.0);
        let scale = 4.0 / (4.0 - first.dot(second));
        let vector = scale * (first + second - 0.5 * first.cross(second));
        vector.is_finite().then_some(Self(vector))
    }

    /// The vector `v` turned: `v + 4/(4 + α²) (α × v + ½ α × (α × v))`. C15(10) prints 1 for the
    /// second 4, C16(1) has lost a square (docs/errata.md E12).
    pub fn turn(self, v: Vec3) -> Vec3 {
        let once = self.0.cross(v);
        let scale = 4.0 / (4.0 + self.0.length_squared());
        v + scale * (once + 0.5 * self.0.cross(once))
    }
}

/// The rotation vector θ e [rad] of a unit quaternion, with θ at most π.
pub fn rotation_vector(q: Quat) -> Vec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = Vec3::new(q.x, q.y, q.z);
    let sine = v.length();
    // below this, the angle is twice its sine to the last bit
    if sine < 1e-9 { 2.0 * v } else { v * (2.0 * libm::atan2(sine, q.w) / sine) }
}

/// Half angles above this take the general form of sine and cosine.
const SMALL: f64 = 0.05;

/// As `turned`, with the angle taken as a Rodrigues vector.
pub(crate) fn turned_literally(orientation: Quat, angle: Vec3) -> Quat {
    normalised(multiply(Rodrigues(angle).quaternion(), orientation))
}

/// The orientation after turning by the rotation vector `angle` [rad], given in global axes.
///
/// Exact to rounding: the quaternion of the increment is (cos h, sin h/h · angle/2) with
/// h = |angle|/2; for small angles by its series, whose next term is below 1e-15.
#[inline(always)]
pub(crate) fn turned(orientation: Quat, angle: Vec3) -> Quat {
    let half = 0.5 * angle;
    let square = half.length_squared();
    let (cosine, ratio) = if square < SMALL * SMALL {
        (
            1.0 - square / 2.0 * (1.0 - square / 12.0 * (1.0 - square / 30.0)),
            1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0)),
        )
    } else {
        large_angle(square.sqrt())
    };
    let v = ratio * half;
    let increment = Quat::from_xyzw(v.x, v.y, v.z, cosine);
    normalised(multiply(increment, orientation))
}

/// One step of Newton's iteration for the unit length: errors never grow.
#[inline(always)]
fn normalised(product: Quat) -> Quat {
    let length = product.x * product.x
        + product.y * product.y
        + product.z * product.z
        + product.w * product.w;
    let scale = 0.5 * (3.0 - length);
    Quat::from_xyzw(scale * product.x, scale * product.y, scale * product.z, scale * product.w)
}

#[cold]
fn large_angle(half: f64) -> (f64, f64) {
    (libm::cos(half), libm::sin(half) / half)
}

/// The product of two quaternions, written out so that every machine rounds alike.
#[inline(always)]
fn multiply(a: Quat, b: Quat) -> Quat {
    Quat::from_xyzw(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
        a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_in_small_steps_equals_one_large_rotation() {
        let axis = Vec3::new(2.0, -1.0, 0.5).normalize();
        let mut orientation = Quat::IDENTITY;
        for _ in 0..100_000 {
            orientation = turned(orientation, axis * 1e-3);
        }
        let expected = Quat::from_axis_angle(axis, 100.0);
        // rounding of 1e5 products adds up to some 1e-13
        assert!(orientation.dot(expected).abs() > 1.0 - 1e-12);
        assert!((orientation.length() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn series_and_general_form_agree_where_they_meet() {
        let below = turned(Quat::IDENTITY, Vec3::X * (2.0 * SMALL * (1.0 - 1e-12)));
        let above = turned(Quat::IDENTITY, Vec3::X * (2.0 * SMALL * (1.0 + 1e-12)));
        assert!((below.x - above.x).abs() < 1e-12 && (below.w - above.w).abs() < 1e-12);
    }
}
