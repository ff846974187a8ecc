//! Culling by bounds compared with a test of all facets.

use super::*;
use crate::material::MaterialId;
use crate::random::{Draws, Purpose};
use crate::wall::{Motion, Shape, Wall};
use crate::wall_contact::neighbours::lower;
use crate::{Quat, Vec3};
use std::sync::Arc;

/// Adjacent roofs, with facets from a third to three times as large as the particles.
fn roofs() -> Mesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let columns = [0.0, 0.1, 0.4, 0.45, 0.8, 1.0];
    for (index, x) in columns.iter().enumerate() {
        for row in 0..8 {
            let height = if index % 2 == 0 { 0.0 } else { 0.06 };
            vertices.push(Vec3::new(*x, 0.13 * f64::from(row), height));
        }
    }
    for column in 0..columns.len() as u32 - 1 {
        for row in 0..7 {
            let [a, b] = [8 * column + row, 8 * (column + 1) + row];
            triangles.extend([[a, b, a + 1], [b, b + 1, a + 1]]);
        }
    }
    Mesh::new(vertices, triangles, crate::wall::SMOOTH_ANGLE).expect("it is a mesh").0
}

#[test]
fn what_the_bounds_leave_out_touches_nothing() {
    let mesh = Arc::new(roofs());
    let wall = Wall {
        name: "roofs".into(),
        material: MaterialId::new(0),
        shape: Shape::Mesh(Arc::clone(&mesh)),
        motion: Motion::Still,
    };
    let mut wall = LiveWall::new(wall, 0.0);
    let (interaction_range, skin) = (0.004, 0.03);
    let (mut touching, mut left_out, mut spared) = (0, 0, 0);
    for round in 0..60 {
        let draws = Draws::new(11, Purpose::Test, round);
        let mut draw = 0;
        let mut number = || {
            draw += 1;
            2.0 * draws.uniform(draw) - 1.0
        };
        // the wall rotates and the particles move by at most the skin in its frame
        let axis = Vec3::new(number(), number(), number()).normalize();
        wall.listed_pose.rotation = Quat::from_axis_angle(axis, number());
        wall.pose = wall.listed_pose;
        wall.pose.rotation *= Quat::from_axis_angle(axis, 0.005);
        wall.pose.translation = Vec3::new(0.001, -0.002, 0.001);
        let mut records = Vec::new();
        let (mut facets, mut clearances, mut bounds) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..WIDTH {
            let [x, y] = [0.5 + 0.5 * number(), 0.45 + 0.45 * number()];
            let local = Vec3::new(x, y, 0.1 * number());
            let gone = 0.01 * Vec3::new(number(), number(), number());
            let radius = 0.05 + 0.01 * number();
            let mut near = Vec::new();
            mesh.distances_near(local, radius + interaction_range + skin, &mut near);
            facets.push(near.iter().map(|(facet, _)| *facet).collect::<Vec<_>>());
            let lower: Vec<f32> = near.iter().map(|(_, away)| lower(*away)).collect();
            bounds.push(lower.iter().copied().fold(f32::INFINITY, f32::min));
            clearances.push(lower);
            records.push(HotData {
                position: (wall.listed_pose.to_world(local) + gone).to_array(),
                radius,
                listed_position: wall.listed_pose.to_world(local).to_array(),
                ..bytemuck::Zeroable::zeroed()
            });
        }
        let mut test = WallTest::default();
        let slots = 0..WIDTH as u32;
        let near = test.near(&records, slots, bounds.iter().copied(), &wall, interaction_range);
        let (mut all, mut few) = (MeshContacts::default(), MeshContacts::default());
        let mut chosen = NearFacets::default();
        chosen.clear();
        for lane in (0..WIDTH).filter(|lane| near >> lane & 1 == 1) {
            chosen.choose(
                &mesh,
                lane,
                &test.near_mesh(lane, interaction_range),
                &facets[lane],
                &clearances[lane],
            );
        }
        for (lane, record) in records.iter().enumerate() {
            let local = wall.pose.to_local(record.position.into());
            mesh.contacts(local, record.radius + interaction_range, &facets[lane], &mut all);
            if near >> lane & 1 == 0 {
                assert!(all.as_slice().is_empty(), "round {round}, lane {lane}");
                left_out += usize::from(!facets[lane].is_empty());
                continue;
            }
            let near = test.near_mesh(lane, interaction_range);
            chosen.contacts(&mesh, lane, &near, &facets[lane], &mut few);
            assert_eq!(few.as_slice(), all.as_slice(), "round {round}, lane {lane}");
            touching += usize::from(!all.as_slice().is_empty());
            let limit = near.limit + near.moved;
            spared += clearances[lane].iter().filter(|away| f64::from(**away) >= limit).count();
        }
    }
    // the test is meaningful only if all of these occur
    assert!(touching > 300 && left_out > 30 && spared > 300, "{touching} {left_out} {spared}");
}
