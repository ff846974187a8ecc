//! Walls that move together and share an edge act like one surface.

mod common;

use common::*;
use esker::measure::Partner;
use esker::prelude::*;
use esker::stage::Change;
use esker::wall::{Mesh, SMOOTH_ANGLE};
use std::sync::Arc;

fn rectangle(corner: [f64; 3], first: [f64; 3], second: [f64; 3]) -> Shape {
    let edges = [Vec3::from_array(first), Vec3::from_array(second)];
    Shape::Rectangle { corner: Vec3::from_array(corner), edges }
}

fn mesh(corners: &[[f64; 3]], triangles: Vec<[u32; 3]>) -> Shape {
    let vertices = corners.iter().map(|corner| Vec3::from_array(*corner)).collect();
    Shape::Mesh(Arc::new(Mesh::new(vertices, triangles, SMOOTH_ANGLE).expect("a mesh").0))
}

/// The same rectangle as two triangles.
fn meshed(shape: &Shape) -> Shape {
    let Shape::Rectangle { corner, edges: [a, b] } = shape else { panic!("a rectangle") };
    let corners = [*corner, *corner + *a, *corner + *a + *b, *corner + *b].map(|at| at.to_array());
    mesh(&corners, vec![[0, 1, 2], [0, 2, 3]])
}

/// All orders of a list.
fn orders<T: Clone>(list: &[T]) -> Vec<Vec<T>> {
    if list.len() < 2 {
        return vec![list.to_vec()];
    }
    let mut all = Vec::new();
    for first in 0..list.len() {
        let mut rest = list.to_vec();
        let chosen = rest.remove(first);
        all.extend(orders(&rest).into_iter().map(|mut tail| {
            tail.insert(0, chosen.clone());
            tail
        }));
    }
    all
}

/// Ratio of the speeds after and before the impact of a sphere that falls along z on these walls, and its lateral
/// velocity after the impact.
fn impact(shapes: &[Shape], at: Vec3) -> (f64, Vec3) {
    let (mut scene, material) = scene(damped(), Pair::new().restitution(0.8));
    for (index, shape) in shapes.iter().enumerate() {
        scene.add_wall(&format!("wall {index}"), shape.clone(), material);
    }
    scene.add_sphere(material, sphere(at + Vec3::Z * RADIUS, -Vec3::Z));
    scene.step = StepSize::Fixed(duration(mass(RADIUS), RADIUS, 1.0) / 5000.0);
    let mut simulation = scene.build().expect("a valid scene");
    loop {
        simulation.step().expect("a healthy step");
        if position(&simulation, 0).z > at.z + RADIUS {
            let velocity = velocity(&simulation, 0);
            return (velocity.z, velocity - velocity.z * Vec3::Z);
        }
    }
}

/// Checks that a restitution of 0.8 results for each order of these walls, with the same bits.
#[track_caller]
fn check_impact(what: &str, shapes: &[Shape], at: Vec3) {
    let first = impact(shapes, at);
    // the end of the contact is known to a step, 1/5000 of its duration
    assert_close(first.0, 0.8, 1e-3);
    assert!(first.1.length() < 1e-9, "{what}: {}", first.1);
    for order in orders(shapes) {
        assert_eq!(impact(&order, at), first, "{what}, in another order");
    }
}

/// The top and two sides of a box with its corner at the origin.
fn corner_of_a_box() -> [Shape; 3] {
    [
        rectangle([0.0; 3], [0.2, 0.0, 0.0], [0.0, 0.2, 0.0]),
        rectangle([0.0; 3], [0.0, 0.2, 0.0], [0.0, 0.0, -0.2]),
        rectangle([0.0; 3], [0.2, 0.0, 0.0], [0.0, 0.0, -0.2]),
    ]
}

#[test]
fn the_restitution_is_met_on_a_convex_edge_and_on_a_vertex() {
    let [top, side, front] = corner_of_a_box();
    check_impact("edge of two", &[top.clone(), side.clone()], 0.05 * Vec3::Y);
    check_impact("vertex of two", &[top.clone(), side.clone()], Vec3::ZERO);
    check_impact("vertex of three", &[top.clone(), side.clone(), front.clone()], Vec3::ZERO);
    check_impact("two meshes", &[meshed(&top), meshed(&side)], 0.05 * Vec3::Y);
    check_impact("three meshes", &[meshed(&top), meshed(&side), meshed(&front)], Vec3::ZERO);
    check_impact("mesh and rectangle", &[meshed(&top), side, front], Vec3::ZERO);
}

#[test]
fn the_restitution_is_met_where_edges_overlap_in_part() {
    let top = rectangle([0.0, -0.1, 0.0], [0.2, 0.0, 0.0], [0.0, 0.2, 0.0]);
    // it begins in the middle of the other wall's edge: its corner is a T-junction
    let side = rectangle([0.0, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, -0.2]);
    for y in [-0.03, 0.0, 0.03] {
        check_impact("T-junction", &[top.clone(), side.clone()], y * Vec3::Y);
        check_impact("T-junction", &[meshed(&top), meshed(&side)], y * Vec3::Y);
    }
}

#[test]
fn the_restitution_is_met_on_the_rim_of_a_closed_cylinder_and_of_an_outlet() {
    let (start, end) = (-0.2 * Vec3::Z, Vec3::ZERO);
    let drum = Shape::Cylinder { start, end, radius: 0.05, side: Side::Outside };
    let lid = Shape::Disc { center: Vec3::ZERO, normal: Vec3::Z, radius: 0.05 };
    check_impact("rim of a lid", &[drum.clone(), lid.clone()], 0.05 * Vec3::X);
    check_impact("near the rim", &[drum, lid], Vec3::new(0.04, 0.025, 0.0));
    let out = |side| Shape::Cylinder { start, end, radius: 0.1, side };
    let cone = |side| Shape::Cone { start, end, start_radius: 0.2, end_radius: 0.1, side };
    check_impact("rims", &[out(Side::Inside), cone(Side::Outside)], 0.1 * Vec3::Y);
}

#[test]
fn a_wall_twice_acts_once() {
    let floors = [
        floor(),
        rectangle([-0.1, -0.1, 0.0], [0.2, 0.0, 0.0], [0.0, 0.2, 0.0]),
        Shape::Disc { center: Vec3::ZERO, normal: Vec3::Z, radius: 0.1 },
    ];
    check_impact("half-spaces", &[floor(), floor()], Vec3::ZERO);
    check_impact("a rectangle and a disc on a half-space", &floors, Vec3::new(0.01, 0.02, 0.0));
    check_impact("at the edge of the rectangle", &floors[..2], Vec3::new(0.1, 0.02, 0.0));
}

/// Positions, velocities and spins of a sphere that slides, then rolls over z = 0 along x.
fn path(shapes: &[Shape], motion: &Motion) -> Vec<[Vec3; 3]> {
    let contact = frictional().rolling(rolling::ElasticPlastic::default());
    let pair = Pair::new().damping_ratio(0.1).friction(0.3).rolling_friction(0.02);
    let (mut scene, material) = scene(contact, pair);
    scene.gravity = -G * Vec3::Z;
    for (index, shape) in shapes.iter().enumerate() {
        let name = format!("wall {index}");
        scene.add_moving_wall(&name, shape.clone(), material, motion.clone());
    }
    let overlap = overlap_under(mass(RADIUS) * G, RADIUS);
    let start = Vec3::new(-0.0213, 0.0137, RADIUS - overlap);
    scene.add_sphere(material, sphere(start, Vec3::new(0.3, 0.02, 0.0)));
    scene.step = StepSize::Fixed(1e-5);
    let mut simulation = scene.build().expect("a valid scene");
    let mut path = Vec::new();
    for _ in 0..20_000 {
        simulation.step().expect("a healthy step");
        path.push([position(&simulation, 0), velocity(&simulation, 0), spin(&simulation, 0)]);
    }
    path
}

fn left() -> Shape {
    rectangle([-0.5, -0.2, 0.0], [0.5, 0.0, 0.0], [0.0, 0.4, 0.0])
}

fn right() -> Shape {
    rectangle([0.0, -0.2, 0.0], [0.5, 0.0, 0.0], [0.0, 0.4, 0.0])
}

fn whole() -> Shape {
    rectangle([-0.5, -0.2, 0.0], [1.0, 0.0, 0.0], [0.0, 0.4, 0.0])
}

#[test]
fn a_sphere_rolls_over_the_seam_of_two_walls_as_over_one() {
    let expected = path(&[whole()], &Motion::Still);
    let (first, last) = (expected[0][0], expected[expected.len() - 1][0]);
    assert!(first.x < -0.02 && last.x > 0.015, "it comes over the seam: {first} {last}");
    let shapes = [left(), right()];
    let meshes = [meshed(&shapes[0]), meshed(&shapes[1])];
    // Seams of rectangles are exact: the same bits. So are those of meshes at these positions.
    for floor in [&shapes, &meshes, &[meshes[0].clone(), shapes[1].clone()]] {
        for order in orders(floor) {
            assert_eq!(path(&order, &Motion::Still), expected);
        }
    }
    // with the half-space that contains both as well
    assert_eq!(path(&[shapes[1].clone(), floor(), shapes[0].clone()], &Motion::Still), expected);
}

#[test]
fn a_seam_that_moves_is_no_seam() {
    let shaken = Motion::Displacement(Arc::new(|t| {
        (0.004 * (30.0 * t).sin() * Vec3::X, 0.12 * (30.0 * t).cos() * Vec3::X)
    }));
    let motions = [
        Motion::Velocity(Vec3::new(-0.05, 0.1, 0.0)),
        Motion::Rotation { point: Vec3::new(0.1, 0.0, 0.0), axis: Vec3::Z, rate: 0.7 },
        Motion::Superposition(vec![shaken.clone(), Motion::Velocity(0.02 * Vec3::Y)]),
        shaken,
    ];
    for motion in motions {
        let expected = path(&[whole()], &motion);
        for order in orders(&[left(), meshed(&right())]) {
            for (found, expected) in path(&order, &motion).iter().zip(&expected) {
                for part in 0..3 {
                    // rounding of the positions of edges in a moving frame, 1e-16 m of an overlap of 1e-5 m, over a
                    // path of thousands of steps
                    let error = found[part].distance(expected[part]);
                    assert!(error < 1e-9 * [0.1, 0.3, 30.0][part], "{motion:?}: {error:e}");
                }
            }
        }
    }
}

#[test]
fn history_crosses_the_seam_of_two_materials() {
    // A sphere that rolls down a slope is slowed by the friction 2/7 m g sin α, which its spring transmits; a contact
    // without history at the seam would begin without friction.
    let (mut scene, material) = scene(frictional(), Pair::new().damping_ratio(0.3).friction(0.3));
    let same = scene.materials[0].1.clone();
    let other = scene.add_material("other", same);
    scene.set_pair(material, other, Pair::new().damping_ratio(0.2).friction(0.6));
    let angle = 0.1_f64;
    scene.gravity = G * Vec3::new(angle.sin(), 0.0, -angle.cos());
    scene.add_wall("left", left(), material);
    scene.add_wall("right", right(), other);
    let weight = mass(RADIUS) * G;
    let overlap = overlap_under(weight * angle.cos(), RADIUS);
    let start = Vec3::new(-0.01, 0.003, RADIUS - overlap);
    scene.add_sphere(material, sphere(start, Vec3::ZERO));
    scene.step = StepSize::Fixed(1e-5);
    let mut simulation = scene.build().expect("a valid scene");
    let mut walls = Vec::new();
    while position(&simulation, 0).x < 0.005 {
        simulation.step().expect("a healthy step");
        let contacts = simulation.contacts();
        assert_eq!(contacts.len(), 1);
        if position(&simulation, 0).x > -0.002 {
            // the spring still oscillates slightly about this value since the start
            assert_close(-contacts[0].tangential.x, 2.0 / 7.0 * weight * angle.sin(), 0.05);
            assert_close(contacts[0].elastic, weight * angle.cos(), 1e-3);
            walls.push(contacts[0].second);
        }
    }
    walls.dedup();
    assert_eq!(walls, [Partner::Wall(WallId::new(0)), Partner::Wall(WallId::new(1))]);
}

#[test]
fn a_sphere_in_a_closed_cylinder_has_two_contacts_in_its_corner() {
    let tilt = 0.6_f64;
    let (start, end) = (Vec3::ZERO, 0.2 * Vec3::Z);
    let barrel = Shape::Cylinder { start, end, radius: 0.05, side: Side::Inside };
    let cap = Shape::Disc { center: Vec3::ZERO, normal: Vec3::Z, radius: 0.05 };
    for shapes in orders(&[barrel, cap]) {
        let (mut scene, material) = scene(damped(), Pair::new().damping_ratio(0.5));
        scene.gravity = G * Vec3::new(tilt.sin(), 0.0, -tilt.cos());
        for (index, shape) in shapes.iter().enumerate() {
            scene.add_wall(&format!("wall {index}"), shape.clone(), material);
        }
        scene.add_sphere(material, sphere(Vec3::new(0.05 - RADIUS, 0.0, RADIUS), Vec3::ZERO));
        scene.step = StepSize::Fixed(1e-5);
        let mut simulation = scene.build().expect("a valid scene");
        run_until(&mut simulation, 0.5);
        let mut forces: Vec<f64> = simulation.contacts().iter().map(|c| c.elastic).collect();
        forces.sort_by(f64::total_cmp);
        let weight = mass(RADIUS) * G;
        assert_eq!(forces.len(), 2);
        assert_close(forces[0], weight * tilt.sin(), 1e-9);
        assert_close(forces[1], weight * tilt.cos(), 1e-9);
    }
}

/// Walls that a sphere touches, with the normals of the contacts, in order of wall.
fn touched(shapes: &[Shape], motions: &[Motion], at: Vec3) -> Vec<(WallId, Vec3)> {
    let (mut scene, material) = scene(hertz(), Pair::new());
    for (index, shape) in shapes.iter().enumerate() {
        let motion = motions.get(index).cloned().unwrap_or_default();
        scene.add_moving_wall(&format!("wall {index}"), shape.clone(), material, motion);
    }
    scene.add_sphere(material, sphere(at, Vec3::ZERO));
    let simulation = scene.build().expect("a valid scene");
    let wall = |partner| match partner {
        Partner::Wall(wall) => wall,
        Partner::Particle(_) => panic!("there is one particle"),
    };
    simulation.contacts().iter().map(|contact| (wall(contact.second), contact.normal)).collect()
}

#[test]
fn the_upper_rim_of_a_hopper_adds_no_contact_to_that_of_the_bin() {
    let bin =
        Shape::Cylinder { start: Vec3::ZERO, end: 0.2 * Vec3::Z, radius: 0.1, side: Side::Inside };
    let cone = Shape::Cone {
        start: -0.1 * Vec3::Z,
        end: Vec3::ZERO,
        start_radius: 0.09,
        end_radius: 0.1,
        side: Side::Inside,
    };
    let x = 0.1 - 0.98 * RADIUS;
    for shapes in orders(&[bin, cone]) {
        // 0.098 r above the join the foot of the centre on the slope of 1 in 10 is at its rim
        let found = touched(&shapes, &[], Vec3::new(x, 0.0, 0.09 * RADIUS));
        assert_eq!(found.len(), 2, "the face of the cone is touched too: {found:?}");
        // above that the rim of the cone is within the radius, but the bin is nearer
        let found = touched(&shapes, &[], Vec3::new(x, 0.0, 0.15 * RADIUS));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((found[0].1 - Vec3::X).length() < 1e-12);
    }
}

#[test]
fn a_ramp_on_a_floor_acts_when_its_face_is_reached() {
    let ramp = rectangle([0.0, -0.1, 0.0], [0.1, 0.0, 0.05], [0.0, 0.2, 0.0]);
    let slope = 0.5_f64.atan();
    for shapes in orders(&[floor(), ramp]) {
        let z = 0.99 * RADIUS;
        // the face is at x sin - z cos = -r: the distance to the edge is less than the radius, but the edge does not
        // act
        let distance = (RADIUS - z * slope.cos()) / slope.sin();
        let before = touched(&shapes, &[], Vec3::new(-1.01 * distance, 0.0, z));
        assert_eq!(before.len(), 1, "{before:?}");
        assert_eq!(before[0].1, -Vec3::Z);
        let on = touched(&shapes, &[], Vec3::new(-0.99 * distance, 0.0, z));
        assert_eq!(on.len(), 2, "{on:?}");
    }
}

#[test]
fn an_edge_belongs_to_the_wall_that_was_declared_first() {
    let [top, side, _] = corner_of_a_box();
    let at = Vec3::new(-0.5, 0.0, 0.5).normalize() * (0.99 * RADIUS) + 0.05 * Vec3::Y;
    for shapes in orders(&[top, side]) {
        let found = touched(&shapes, &[], at);
        assert_eq!(found.iter().map(|(wall, _)| wall.number()).collect::<Vec<_>>(), [0]);
    }
}

#[test]
fn walls_that_move_apart_each_count_their_edge() {
    let [top, side, _] = corner_of_a_box();
    let at = Vec3::new(-0.5, 0.0, 0.5).normalize() * (0.99 * RADIUS) + 0.05 * Vec3::Y;
    let (still, moving) = (Motion::Still, Motion::Velocity(Vec3::Y));
    let shapes = [top, side];
    assert_eq!(touched(&shapes, &[still.clone(), still.clone()], at).len(), 1);
    assert_eq!(touched(&shapes, &[moving.clone(), moving.clone()], at).len(), 1);
    assert_eq!(touched(&shapes, &[still, moving], at).len(), 2);
}

#[test]
fn walls_are_joined_and_separated_by_stages() {
    let [top, side, _] = corner_of_a_box();
    let (mut scene, material) = scene(hertz(), Pair::new());
    scene.add_wall("top", top, material);
    scene.add_moving_wall("side", side, material, Motion::Velocity(1e-3 * Vec3::Y));
    let at = Vec3::new(-0.5, 0.0, 0.5).normalize() * (0.999 * RADIUS) + 0.05 * Vec3::Y;
    scene.add_sphere(material, Sphere { radius: RADIUS, ..sphere(at, Vec3::ZERO) });
    scene.step = StepSize::Fixed(1e-6);
    let stage = |name: &str, changes| {
        let end = End { after: Some(2e-6), ..End::default() };
        Stage { name: name.to_owned(), changes, end }
    };
    let set = |name: &str, motion: &Motion| Change::SetMotion(name.to_owned(), motion.clone());
    let moving = Motion::Velocity(1e-3 * Vec3::Y);
    scene.stages = vec![
        stage("apart", vec![]),
        stage("at rest", vec![set("side", &Motion::Still)]),
        stage("together", vec![set("top", &moving), set("side", &moving)]),
        stage("apart again", vec![set("top", &Motion::Still)]),
        stage("one", vec![Change::RemoveWall("side".to_owned())]),
    ];
    let mut simulation = scene.clone().build().expect("a valid scene");
    let mut counts = Vec::new();
    while !simulation.is_finished() {
        simulation.step().expect("a healthy step");
        let resumed = Simulation::restore(scene.clone(), simulation.save());
        let resumed = resumed.expect("its own state");
        assert_eq!(resumed.contacts().len(), simulation.contacts().len());
        counts.push(simulation.contacts().len());
    }
    counts.dedup();
    assert_eq!(counts, [2, 1, 2, 1]);
}
