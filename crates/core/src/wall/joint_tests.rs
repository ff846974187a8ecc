use super::*;
use crate::Quat;
use crate::material::MaterialId;
use crate::wall::{Motion, Side, Wall};
use std::sync::Arc;

fn live(shape: Shape, motion: Motion) -> LiveWall {
    LiveWall::new(Wall { name: String::new(), material: MaterialId::new(0), shape, motion }, 0.0)
}

/// The groups of walls at rest with these shapes.
fn joints(shapes: &[Shape]) -> Vec<u32> {
    let mut walls: Vec<LiveWall> =
        shapes.iter().map(|shape| live(shape.clone(), Motion::Still)).collect();
    join_walls(&mut walls);
    walls.iter().map(|wall| wall.joint).collect()
}

fn plane(point: Vec3, normal: Vec3) -> Shape {
    Shape::HalfSpace { point, normal }
}

fn tile(x: f64, z: f64) -> Shape {
    Shape::Rectangle { corner: Vec3::new(x, 0.0, z), edges: [Vec3::X, Vec3::Y] }
}

#[test]
fn a_single_wall_and_a_box_of_half_spaces_are_joined_to_nothing() {
    assert_eq!(joints(&[tile(0.0, 0.0)]), [0]);
    let sides = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
    assert_eq!(joints(&sides.map(|normal| plane(-normal, normal))), [0; 6]);
    assert_eq!(joints(&[plane(Vec3::X, Vec3::Z), plane(Vec3::Y, Vec3::Z)]), [1, 1]);
}

#[test]
fn rectangles_that_share_an_edge_or_a_corner_are_joined() {
    assert_eq!(joints(&[tile(0.0, 0.0), tile(1.0, 0.0)]), [1, 1]);
    assert_eq!(joints(&[tile(0.0, 0.0), tile(5.0, 0.0), tile(1.0, 0.0)]), [1, 0, 1]);
    assert_eq!(joints(&[tile(0.0, 0.0), tile(0.5, 0.1)]), [0, 0]);
    let wall = Shape::Rectangle { corner: Vec3::X, edges: [Vec3::Y, Vec3::Z] };
    assert_eq!(joints(&[tile(0.0, 0.0), wall.clone()]), [1, 1]);
    assert_eq!(joints(&[plane(Vec3::ZERO, Vec3::Z), wall]), [1, 1]);
}

#[test]
fn a_cylinder_is_joined_where_its_rim_is() {
    let (start, end, side) = (Vec3::ZERO, Vec3::Z, Side::Inside);
    let drum = Shape::Cylinder { start, end, radius: 0.5, side };
    let lid = |z: f64| Shape::Disc { center: Vec3::Z * z, normal: Vec3::Z, radius: 0.5 };
    assert_eq!(joints(&[drum.clone(), lid(0.0), lid(1.0), lid(1.1)]), [1, 1, 1, 0]);
    // the plane passes between the rims
    assert_eq!(joints(&[drum.clone(), plane(Vec3::Z * 0.5, Vec3::Z)]), [0, 0]);
    assert_eq!(joints(&[drum, plane(Vec3::ZERO, Vec3::Z)]), [1, 1]);
}

#[test]
fn only_walls_that_move_together_are_joined() {
    let rotation = |rate: f64| Motion::Rotation { point: Vec3::ZERO, axis: Vec3::Z, rate };
    let shaken = Motion::Displacement(Arc::new(|_| (Vec3::ZERO, Vec3::ZERO)));
    let same = Motion::Displacement(Arc::new(|_| (Vec3::ZERO, Vec3::ZERO)));
    let joined = |first: &Motion, second: &Motion| {
        let mut walls = [live(tile(0.0, 0.0), first.clone()), live(tile(1.0, 0.0), second.clone())];
        join_walls(&mut walls);
        walls[0].joint > 0
    };
    let together = Motion::Superposition(vec![rotation(1.0), shaken.clone()]);
    for motion in [Motion::Still, rotation(2.0), shaken.clone(), together.clone()] {
        assert!(joined(&motion, &motion), "{motion:?}");
    }
    assert!(joined(&Motion::Still, &Motion::Velocity(Vec3::ZERO)));
    for (first, second) in [
        (Motion::Still, rotation(1.0)),
        (rotation(1.0), rotation(1.1)),
        (Motion::Velocity(Vec3::X), Motion::Velocity(Vec3::Y)),
        (shaken.clone(), same),
        (together, shaken),
    ] {
        assert!(!joined(&first, &second), "{first:?} {second:?}");
    }
}

#[test]
fn walls_that_began_the_same_motion_at_other_times_are_not_joined() {
    let motion = Motion::Oscillation { amplitude: Vec3::X, frequency: 1.0, phase: 0.0 };
    let mut walls = [live(tile(0.0, 0.0), motion.clone()), live(tile(1.0, 0.0), motion)];
    walls[1].since = 0.1;
    join_walls(&mut walls);
    assert_eq!(walls[0].joint, 0);
}

#[test]
fn what_is_joined_is_seen_where_the_motion_began() {
    let mut walls = [live(tile(0.0, 0.0), Motion::Still), live(tile(7.0, 0.0), Motion::Still)];
    join_walls(&mut walls);
    assert_eq!(walls[1].joint, 0);
    // an earlier stage has moved the second wall next to the first
    walls[1].base = Pose { translation: Vec3::X * -6.0, ..Pose::IDENTITY };
    join_walls(&mut walls);
    assert_eq!([walls[0].joint, walls[1].joint], [1, 1]);
    let half_turn = Quat::from_xyzw(0.0, 0.0, 1.0, 0.0);
    walls[0].base = Pose { rotation: half_turn, ..Pose::IDENTITY };
    join_walls(&mut walls);
    assert_eq!(walls[1].joint, 0);
}

#[test]
fn walls_that_are_gone_and_walls_of_particles_are_joined_to_nothing() {
    let mut walls = [live(tile(0.0, 0.0), Motion::Still), live(tile(1.0, 0.0), Motion::Still)];
    walls[1].present = false;
    join_walls(&mut walls);
    assert_eq!(walls[0].joint, 0);
    assert_eq!(joints(&[tile(0.0, 0.0), Shape::Particles(Vec::new())]), [0, 0]);
}
