//! An orthographic camera that is placed automatically.

use super::bounds::Bounds;
use super::wall_surface::wall_surface;
use esker::Vec3;
use esker::measure::{Snapshot, WallView};
use esker::wall::Shape;

/// Elevation of the camera above the horizon, as a fraction of its distance: about 20°.
const ELEVATION: f64 = 0.36;
/// Sideways offset of the camera as a fraction of its distance: about 28°.
const SIDEWAYS: f64 = 0.53;
/// Empty border as a fraction of the picture.
const BORDER: f64 = 0.04;

/// A view. Parallel lines stay parallel, so that sizes can be compared.
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
    /// Views snapshots from slightly above and to the side, with `up` (against gravity) upwards, such that they fill a
    /// picture of the given aspect ratio. Snapshots of one run share a camera, so that their pictures can be compared.
    pub fn around(snapshots: &[&Snapshot], up: Vec3, aspect: f64) -> Self {
        Self::seeing(snapshots, from_above(up), up, aspect)
    }

    /// Views snapshots along `-back`; `up` is drawn upwards.
    pub fn seeing(snapshots: &[&Snapshot], back: Vec3, up: Vec3, aspect: f64) -> Self {
        let mut balls = Vec::new();
        for snapshot in snapshots {
            let bounds = Bounds::of(snapshot);
            let grains = snapshot.particles.iter().map(|p| (p.position, p.radius));
            balls
                .extend(grains.filter(|(center, radius)| center.is_finite() && radius.is_finite()));
            let planes = snapshot.walls.iter().filter(|wall| is_half_space(wall));
            // Several half-spaces form a box; a single one is unlimited ground.
            if balls.is_empty() || planes.count() > 1 {
                balls.extend(bounds.corners().map(|corner| (corner, 0.0)));
            }
            for wall in snapshot.walls.iter().filter(|wall| !is_half_space(wall)) {
                let surface = wall_surface(wall, &bounds);
                let inside = |&vertex: &Vec3| vertex.clamp(bounds.min, bounds.max) == vertex;
                let vertices = surface.vertices.into_iter().filter(inside);
                balls.extend(vertices.map(|vertex| (vertex, 0.0)));
            }
        }
        Self::looking(&balls, back, up, aspect)
    }

    /// Views a box from slightly above and to the side.
    pub fn fit(bounds: &Bounds, up: Vec3, aspect: f64) -> Self {
        let corners = bounds.corners().map(|corner| (corner, 0.0));
        Self::looking(&corners, from_above(up), up, aspect)
    }

    /// Views balls along `-back`; `up` is drawn upwards.
    pub fn looking(balls: &[(Vec3, f64)], back: Vec3, up: Vec3, aspect: f64) -> Self {
        let back = back.normalize_or(Vec3::Z);
        let right = up.cross(back).normalize_or(back.any_orthonormal_vector());
        let up = back.cross(right);
        let span = |axis: Vec3| {
            let mut ends = (f64::INFINITY, f64::NEG_INFINITY);
            for &(center, radius) in balls {
                ends.0 = ends.0.min(center.dot(axis) - radius);
                ends.1 = ends.1.max(center.dot(axis) + radius);
            }
            // Without any object, view the origin.
            if ends.0 <= ends.1 { ends } else { (0.0, 0.0) }
        };
        let aspect = if aspect.is_finite() && aspect > 0.0 { aspect } else { 1.0 };
        let [(left, right_end), (low, high), (far, near)] = [right, up, back].map(span);
        let needed = (right_end - left).max((high - low) * aspect) / (1.0 - 2.0 * BORDER);
        let width = if needed.is_finite() && needed > 0.0 { needed } else { 1.0 };
        Self {
            center: 0.5 * ((left + right_end) * right + (low + high) * up + (far + near) * back),
            right,
            up,
            back,
            view: [width, width / aspect],
        }
    }
}

fn is_half_space(wall: &WallView) -> bool {
    matches!(wall.shape, Shape::HalfSpace { .. })
}

/// The direction towards a camera slightly above and to the side.
fn from_above(up: Vec3) -> Vec3 {
    let up = up.normalize_or(Vec3::Z);
    let (side, front) = horizontal(up);
    (front + SIDEWAYS * side + ELEVATION * up).normalize_or(front)
}

/// A direction to the right and one to the front, both at right angles to `up`.
fn horizontal(up: Vec3) -> (Vec3, Vec3) {
    let guess = if up.x.abs() < 0.9 { Vec3::X } else { Vec3::Y };
    let right = (guess - guess.dot(up) * up).normalize_or(Vec3::X);
    // Right × up points towards the viewer.
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
                    let seen = corner - camera.center;
                    let [width, height] = camera.view;
                    assert!(seen.dot(camera.right).abs() <= 0.5 * width, "{up} {aspect}");
                    assert!(seen.dot(camera.up).abs() <= 0.5 * height, "{up} {aspect}");
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
