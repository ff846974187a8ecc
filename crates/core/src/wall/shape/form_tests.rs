//! Chunks compared with single particles.

use super::*;
use crate::random::{Draws, Purpose};
use crate::{Quat, Vec3};

fn shapes() -> Vec<Shape> {
    let (start, end) = (Vec3::new(0.1, -0.3, 0.2), Vec3::new(0.4, 0.5, -0.1));
    let normal = (end - start).normalize();
    let (first, second) = normal.any_orthonormal_pair();
    let mut shapes = vec![
        Shape::HalfSpace { point: start, normal },
        Shape::Rectangle { corner: start, edges: [first * 0.6, second * 0.4] },
        Shape::Disc { center: start, normal, radius: 0.5 },
    ];
    for side in [Side::Inside, Side::Outside] {
        shapes.extend([
            Shape::Cylinder { start, end, radius: 0.5, side },
            Shape::Cone { start, end, start_radius: 0.0, end_radius: 0.6, side },
            Shape::Cone { start, end, start_radius: 0.7, end_radius: 0.3, side },
            Shape::Sphere { center: start, radius: 0.6, side },
        ]);
    }
    shapes
}

/// Points anywhere, on the axis, at its ends, and one that is not a number.
fn positions(chunk: u64) -> Positions {
    let draws = Draws::new(3, Purpose::Test, chunk);
    let mut positions = [[0.0; WIDTH]; 4];
    for c in 0..WIDTH {
        for (part, column) in positions.iter_mut().enumerate() {
            column[c] = 2.0 * draws.uniform((4 * c + part) as u32) - 1.0;
        }
        positions[3][c] = 0.1 + 0.05 * positions[3][c];
    }
    let (start, end) = (Vec3::new(0.1, -0.3, 0.2), Vec3::new(0.4, 0.5, -0.1));
    let special = [start, end, 0.5 * (start + end), Vec3::splat(f64::NAN)];
    // only in every other chunk, since one centre beyond a rim selects the loop with rims
    if chunk.is_multiple_of(2) {
        for (c, at) in special.iter().enumerate() {
            for axis in 0..3 {
                positions[axis][c] = at[axis];
            }
        }
    }
    positions
}

#[test]
fn a_chunk_feels_what_each_of_its_particles_feels() {
    let rotated = Pose {
        rotation: Quat::from_xyzw(0.1, -0.7, 0.5, 0.5).normalize(),
        translation: Vec3::new(0.01, 0.02, -0.03),
        ..Pose::IDENTITY
    };
    let interaction_range = 0.02;
    let mut acting = 0;
    for (shape, pose) in shapes().iter().flat_map(|s| [(s, Pose::IDENTITY), (s, rotated)]) {
        let form = Form::new(shape);
        for chunk in 0..40 {
            let positions = positions(chunk);
            let mut closest_points = ClosestPoints::NONE;
            form.closest_points_of_chunk(&pose, shape.deepest(), &positions, &mut closest_points);
            for c in 0..WIDTH {
                let [x, y, z, radius] = positions.map(|column| column[c]);
                let local = pose.to_local(Vec3::new(x, y, z));
                let alone = shape.contact(local, radius, interaction_range);
                let together =
                    Some(closest_points.at(c)).filter(|t| t.distance < radius + interaction_range);
                let bits = |closest: ClosestPoint| {
                    let normal = closest.normal.to_array();
                    (normal.map(f64::to_bits), closest.distance.to_bits())
                };
                let alone = alone.map(|closest| {
                    bits(ClosestPoint {
                        normal: pose.direction_to_world(closest.normal),
                        ..closest
                    })
                });
                assert_eq!(together.map(bits), alone, "{shape:?} at {x}, {y}, {z}");
                acting += usize::from(together.is_some());
            }
        }
    }
    assert!(acting > 1000, "only {acting} act");
}
