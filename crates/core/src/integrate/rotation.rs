//! Finite rotations: the orientation turned by a spin over a time.

use crate::{Quat, Vec3};

/// Half angles above this take the general form of sine and cosine.
const SMALL: f64 = 0.05;

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
    let product = multiply(increment, orientation);
    // one step of Newton's iteration for the unit length: errors never grow
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
