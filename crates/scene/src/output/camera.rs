//! An orthographic camera that finds its place by itself.

use super::bounds::Bounds;
use esker::Vec3;

/// How far above the horizon the camera stands, as a share of its distance: about 20°.
const ELEVATION: f64 = 0.36;
/// How far to the side of the front it stands: about 28°.
const SIDEWAYS: f64 = 0.53;
/// Empty border as a share of the picture.
const BORDER: f64 = 0.04;

/// Where one looks from. Parallel lines stay parallel, so that sizes can be compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// The point in the middle of the picture [m].
    pub center: Vec3,
    /// Unit vector to the right of the picture.
    pub right: Vec3,
    /// Unit vector to the top of the picture.
    pub up: Vec3,
    /// Unit vector towards the camera.
    pub back: Vec3,
    /// Width and height of the view [m].
    pub view: [f64; 2],
}

impl Camera {
    /// Looks at a box from a little above and a little to the side, `up` (against gravity)
    /// upwards, so near that the box fills a picture of the given width over height.
    pub fn fit(bounds: &Bounds, up: Vec3, aspect: f64) -> Self {
        let up = up.normalize_or(Vec3::Z);
        // The front is the side where the second of the horizontal axes is negative, as one
        // draws x to the right; with y upwards one looks along -z.
        let (side, front) = horizontal(up);
        let back = (front + SIDEWAYS * side + ELEVATION * up).normalize_or(front);
        Self::looking(bounds, back, up, aspect)
    }

    /// Looks at a box against `back`; `up` is drawn upwards.
    pub fn looking(bounds: &Bounds, back: Vec3, up: Vec3, aspect: f64) -> Self {
        let back = back.normalize_or(Vec3::Z);
        let right = up.cross(back).normalize_or(back.any_orthonormal_vector());
        let up = back.cross(right);
        let corners = bounds.corners().map(|corner| corner - bounds.center());
        let span = |axis: Vec3| {
            let along = corners.map(|corner| corner.dot(axis));
            let low = along.iter().fold(f64::INFINITY, |low, &a| low.min(a));
            let high = along.iter().fold(f64::NEG_INFINITY, |high, &a| high.max(a));
            high - low
        };
        let aspect = if aspect.is_finite() && aspect > 0.0 { aspect } else { 1.0 };
        let needed = span(right).max(span(up) * aspect) / (1.0 - 2.0 * BORDER);
        let width = if needed.is_finite() && needed > 0.0 { needed } else { 1.0 };
        Self { center: bounds.center(), right, up, back, view: [width, width / aspect] }
    }

    /// A point as the camera sees it: to the right, upwards, towards the camera [m].
    pub(super) fn see(&self, point: Vec3) -> Vec3 {
        self.turn(point - self.center)
    }

    /// A direction as the camera sees it.
    pub(super) fn turn(&self, direction: Vec3) -> Vec3 {
        Vec3::new(direction.dot(self.right), direction.dot(self.up), direction.dot(self.back))
    }
}

/// A direction to the right and one to the front, both at right angles to `up`.
fn horizontal(up: Vec3) -> (Vec3, Vec3) {
    let guess = if up.x.abs() < 0.9 { Vec3::X } else { Vec3::Y };
    let right = (guess - guess.dot(up) * up).normalize_or(Vec3::X);
    // right × up points away from the viewer when up is up and right is right… its opposite
    // points towards the viewer.
    (right, right.cross(up))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_box_is_in_the_picture() {
        let bounds = Bounds { min: Vec3::new(-3.0, 0.0, 1.0), max: Vec3::new(1.0, 7.0, 2.0) };
        for up in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Z, Vec3::ONE, Vec3::ZERO] {
            for aspect in [0.5, 1.0, 1.5] {
                let camera = Camera::fit(&bounds, up, aspect);
                for corner in bounds.corners() {
                    let seen = camera.see(corner);
                    assert!(seen.x.abs() <= 0.5 * camera.view[0], "{up} {aspect}");
                    assert!(seen.y.abs() <= 0.5 * camera.view[1], "{up} {aspect}");
                }
            }
        }
    }

    #[test]
    fn the_camera_stands_above_and_has_x_to_the_right_and_up_upwards() {
        let bounds = Bounds { min: Vec3::ZERO, max: Vec3::ONE };
        for up in [Vec3::Y, Vec3::Z] {
            let camera = Camera::fit(&bounds, up, 1.0);
            assert!(camera.back.dot(up) > 0.0);
            assert!(camera.up.dot(up) > 0.9);
            assert!(camera.right.dot(Vec3::X) > 0.8);
            // A right-handed frame: nothing is mirrored.
            assert!(camera.right.cross(camera.up).dot(camera.back) > 0.999);
        }
    }
}
