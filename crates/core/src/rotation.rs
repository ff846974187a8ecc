//! Finite rotations.
//!
//! The orientation of a particle is stored as a unit quaternion, which has no singularity; a step rotates it by an
//! increment. [`Rodrigues`] vectors, used by C15 and C16, are exact in their composition but infinite at a rotation by
//! π: they are used for increments and for output.

use crate::simd::multiversion_transpose;
use crate::simd::transpose::Transpose;
use crate::{Quat, Vec3};

/// Conversion of the rotation angle of a particle in a step into a rotation.
///
/// ```
/// use esker::prelude::*;
/// use esker::rotation::RotationMap;
///
/// assert_eq!(Scene::new().rotation, RotationMap::Exact);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum RotationMap {
    /// The rotation by the angle θ = Δt ω about the axis of ω.
    #[default]
    Exact,
    /// θ used as a Rodrigues vector, as in C15(43) and C16(44): a rotation by 2 atan(θ/2), too
    /// little by θ²/12 of the angle (docs/errata.md E13).
    Literal,
}

/// A rotation as the vector α = 2 tan(θ/2) e, with angle θ and axis e; C15(9). Infinite at θ = π.
///
/// ```
/// use esker::prelude::*;
/// use esker::rotation::Rodrigues;
///
/// let quarter = Rodrigues::from_rotation_vector(Vec3::Z * std::f64::consts::FRAC_PI_2);
/// assert!((quarter.rotate(Vec3::X) - Vec3::Y).length() < 1e-15);
/// ```
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

    /// The rotation of a quaternion; none for a rotation by π, where the vector is infinite.
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

    /// This rotation, followed by another one: `4/(4 - α₁·α₂) (α₁ + α₂ - ½ α₁ × α₂)`, C15(11); none if the result is a
    /// rotation by π.
    pub fn then(self, next: Self) -> Option<Self> {
        let (first, second) = (self.0, next.0);
        let scale = 4.0 / (4.0 - first.dot(second));
        let vector = scale * (first + second - 0.5 * first.cross(second));
        vector.is_finite().then_some(Self(vector))
    }

    /// The rotated vector `v`: `v + 4/(4 + α²) (α × v + ½ α × (α × v))`. C15(10) prints 1 for the
    /// second 4, C16(1) has lost a square (docs/errata.md E12).
    pub fn rotate(self, v: Vec3) -> Vec3 {
        let once = self.0.cross(v);
        let scale = 4.0 / (4.0 + self.0.length_squared());
        v + scale * (once + 0.5 * self.0.cross(once))
    }
}

/// The rotation vector θ e [rad] of a unit quaternion, with θ at most π.
///
/// ```
/// use esker::prelude::*;
/// use esker::rotation::rotation_vector;
///
/// let angle = rotation_vector(Quat::from_rotation_x(0.3));
/// assert!((angle - Vec3::X * 0.3).length() < 1e-15);
/// ```
pub fn rotation_vector(q: Quat) -> Vec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = Vec3::new(q.x, q.y, q.z);
    let sine = v.length();
    // below this, the angle is twice its sine to rounding accuracy
    if sine < 1e-9 { 2.0 * v } else { v * (2.0 * libm::atan2(sine, q.w) / sine) }
}

/// Half angles above this use the general form of sine and cosine.
const SMALL: f64 = 0.05;

/// As `rotated`, with the angle used as a Rodrigues vector.
pub(crate) fn rotated_literally(orientation: Quat, angle: Vec3) -> Quat {
    let increment = Rodrigues(angle).quaternion().to_array();
    Quat::from_array(normalised(multiply(increment, orientation.to_array())))
}

/// The orientation after a rotation by the rotation vector `angle` [rad] in global axes.
///
/// Exact to rounding: the quaternion of the increment is (cos h, sin h/h · angle/2) with
/// h = |angle|/2; for small angles by its series, whose next term is below 1e-15.
#[inline(always)]
pub(crate) fn rotated(orientation: Quat, angle: Vec3) -> Quat {
    Quat::from_array(rotated_components(orientation.to_array(), angle.to_array()))
}

/// As `rotated`, for the numbers x, y, z, w.
#[inline(always)]
fn rotated_components(orientation: [f64; 4], angle: [f64; 3]) -> [f64; 4] {
    let square = half_square(angle);
    let (cosine, ratio) =
        if square < SMALL * SMALL { series(square) } else { large_angle(square.sqrt()) };
    rotated_by(orientation, angle, cosine, ratio)
}

/// Square of half the angle.
#[inline(always)]
fn half_square(angle: [f64; 3]) -> f64 {
    0.25 * (angle[0] * angle[0] + angle[1] * angle[1] + angle[2] * angle[2])
}

/// cos h and sin h / h from h².
#[inline(always)]
fn series(square: f64) -> (f64, f64) {
    (
        1.0 - square * (1.0 / 2.0 - square * (1.0 / 24.0 - square * (1.0 / 720.0))),
        1.0 - square * (1.0 / 6.0 - square * (1.0 / 120.0 - square * (1.0 / 5040.0))),
    )
}

#[cold]
fn large_angle(half: f64) -> (f64, f64) {
    (libm::cos(half), libm::sin(half) / half)
}

/// The product of the increment and the orientation, normalised, with an explicit order of operations so that rounding
/// is the same on every machine.
#[inline(always)]
fn rotated_by(b: [f64; 4], angle: [f64; 3], cosine: f64, ratio: f64) -> [f64; 4] {
    let scale = 0.5 * ratio;
    normalised(multiply([scale * angle[0], scale * angle[1], scale * angle[2], cosine], b))
}

/// The product of two quaternions.
#[inline(always)]
fn multiply([x, y, z, w]: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        w * b[0] + x * b[3] + y * b[2] - z * b[1],
        w * b[1] + y * b[3] + z * b[0] - x * b[2],
        w * b[2] + z * b[3] + x * b[1] - y * b[0],
        w * b[3] - x * b[0] - y * b[1] - z * b[2],
    ]
}

/// One step of Newton's iteration for unit length: errors do not grow.
#[inline(always)]
fn normalised(product: [f64; 4]) -> [f64; 4] {
    let length = product[0] * product[0]
        + product[1] * product[1]
        + product[2] * product[2]
        + product[3] * product[3];
    let scale = 0.5 * (3.0 - length);
    [scale * product[0], scale * product[1], scale * product[2], scale * product[3]]
}

/// Turns orientations, each by its angle; the fourth number of an angle means nothing.
pub(crate) fn rotate_orientations(orientations: &mut [Quat], angles: &[[f64; 4]]) {
    rotate_blocks(bytemuck::cast_slice_mut(orientations), angles);
}

multiversion_transpose! {
    fn rotate_blocks<Set: Transpose>(set: Set, orientations: &mut [[f64; 4]], angles: &[[f64; 4]]) {
        let (blocks, rest) = orientations.as_chunks_mut::<8>();
        let (angle_blocks, angle_rest) = angles.as_chunks::<8>();
        for (block, angles) in blocks.iter_mut().zip(angle_blocks) {
            rotate_eight(set, block, angles);
        }
        for (orientation, angle) in rest.iter_mut().zip(angle_rest) {
            *orientation = rotated_components(*orientation, [angle[0], angle[1], angle[2]]);
        }
    }
}

#[inline(always)]
fn rotate_eight<Set: Transpose>(
    set: Set,
    orientations: &mut [[f64; 4]; 8],
    angles: &[[f64; 4]; 8],
) {
    let [mut x, mut y, mut z, mut w] = [[0.0; 8]; 4];
    let [mut ax, mut ay, mut az, mut none] = [[0.0; 8]; 4];
    set.aos_to_soa(|lane| &orientations[lane], [&mut x, &mut y, &mut z, &mut w]);
    set.aos_to_soa(|lane| &angles[lane], [&mut ax, &mut ay, &mut az, &mut none]);
    let mut small = true;
    for lane in 0..8 {
        let angle = [ax[lane], ay[lane], az[lane]];
        let square = half_square(angle);
        small &= square < SMALL * SMALL;
        let (cosine, ratio) = series(square);
        let orientation = [x[lane], y[lane], z[lane], w[lane]];
        [x[lane], y[lane], z[lane], w[lane]] = rotated_by(orientation, angle, cosine, ratio);
    }
    if small {
        set.soa_to_aos([&x, &y, &z, &w], orientations);
    } else {
        for (orientation, angle) in orientations.iter_mut().zip(angles) {
            *orientation = rotated_components(*orientation, [angle[0], angle[1], angle[2]]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_in_small_steps_equals_one_large_rotation() {
        let axis = Vec3::new(2.0, -1.0, 0.5).normalize();
        let mut orientation = Quat::IDENTITY;
        for _ in 0..100_000 {
            orientation = rotated(orientation, axis * 1e-3);
        }
        let expected = Quat::from_axis_angle(axis, 100.0);
        // the rounding errors of 1e5 products add up to some 1e-13
        assert!(orientation.dot(expected).abs() > 1.0 - 1e-12);
        assert!((orientation.length() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn series_and_general_form_agree_where_they_meet() {
        let below = rotated(Quat::IDENTITY, Vec3::X * (2.0 * SMALL * (1.0 - 1e-12)));
        let above = rotated(Quat::IDENTITY, Vec3::X * (2.0 * SMALL * (1.0 + 1e-12)));
        assert!((below.x - above.x).abs() < 1e-12 && (below.w - above.w).abs() < 1e-12);
    }

    #[test]
    fn many_vectors_rotate_as_single_ones() {
        let start = |lane: usize| {
            let lane = lane as f64;
            Quat::from_xyzw(0.1 * lane, 0.3, -0.2, 1.0 - 0.05 * lane).normalize()
        };
        // one of the second eight, and one of the rest, has a large angle
        let angle = |lane: usize| {
            let size = if lane == 12 || lane == 17 { 0.7 } else { 1e-3 * lane as f64 };
            Vec3::new(1.0, -0.5, 0.2 * lane as f64).normalize() * size
        };
        let mut all: Vec<Quat> = (0..19).map(start).collect();
        let angles: Vec<[f64; 4]> = (0..19).map(|i| angle(i).extend(f64::NAN).to_array()).collect();
        rotate_orientations(&mut all, &angles);
        for (lane, found) in all.iter().enumerate() {
            let expected = rotated(start(lane), angle(lane));
            assert_eq!(found.to_array(), expected.to_array(), "lane {lane}");
        }
    }
}
