//! The three parts of a frame: particles as points, contacts as lines, walls as triangles.

use super::vtk::{Cells, PolyData};
use esker::Quat;
use esker::measure::{ContactView, ParticleView, Partner, Snapshot};
use esker::rotation::rotation_vector;
use esker_draw::Bounds;
use esker_draw::wall_surface;
use std::io;

/// Particles as points.
pub(super) fn particles(snapshot: &Snapshot) -> io::Result<PolyData> {
    let all = || snapshot.particles.iter();
    let count = snapshot.particles.len();
    let mut piece =
        PolyData::new(all().map(|p| p.position.to_array()), Cells::Verts, count, 0..count as i64)?;
    describe(&mut piece, snapshot);
    piece.field_words("groups", &snapshot.groups);
    piece.field_words("materials", &snapshot.materials);
    piece.point_column("radius", all().map(|p| [p.radius]))?;
    piece.point_column("id", all().map(|p| [i64::from(p.id.number())]))?;
    piece.point_column("group", all().map(|p| [p.group.number()]))?;
    piece.point_column("material", all().map(|p| [p.material.number()]))?;
    piece.point_column("mass", all().map(|p| [p.mass]))?;
    piece.point_column("charge", all().map(|p| [p.charge]))?;
    piece.point_column("velocity", all().map(|p| p.velocity.to_array()))?;
    piece.point_column("spin", all().map(|p| p.spin.to_array()))?;
    piece.point_column("orientation", all().map(orientation))?;
    piece.point_column(
        "rotation_vector",
        all().map(|p| rotation_vector(p.orientation).to_array()),
    )?;
    piece.point_column("force", all().map(|p| p.force.to_array()))?;
    piece.point_column("torque", all().map(|p| p.torque.to_array()))?;
    piece.point_column("coordination", all().map(|p| [p.coordination]))?;
    piece.point_column("image", all().map(|p| p.image))?;
    Ok(piece)
}

/// Contacts as lines between the two partners.
pub(super) fn contacts(snapshot: &Snapshot) -> io::Result<PolyData> {
    let all = || snapshot.contacts.iter();
    let count = snapshot.contacts.len();
    let ends: Vec<[f64; 3]> =
        all().flat_map(|c| [c.first_position.to_array(), c.second_position.to_array()]).collect();
    let mut piece = PolyData::new(ends.into_iter(), Cells::Lines, count, 0..2 * count as i64)?;
    describe(&mut piece, snapshot);
    piece.cell_column("first", all().map(|c| [i64::from(c.first.number())]))?;
    piece.cell_column("second", all().map(|c| [second_index(c)]))?;
    piece.cell_column(
        "with_wall",
        all().map(|c| [u8::from(matches!(c.second, Partner::Wall(_)))]),
    )?;
    piece.cell_column("normal", all().map(|c| c.normal.to_array()))?;
    piece.cell_column("overlap", all().map(|c| [c.overlap]))?;
    piece.cell_column("normal_force", all().map(|c| [c.elastic + c.damping - c.cohesion]))?;
    piece.cell_column("tangential_force", all().map(|c| c.tangential.to_array()))?;
    piece.cell_column("force_magnitude", all().map(|c| [c.force().length()]))?;
    piece.cell_column("contact_radius", all().map(|c| [c.contact_radius]))?;
    piece.cell_column("sliding", all().map(|c| [u8::from(c.sliding)]))?;
    Ok(piece)
}

/// Walls as triangles; half-spaces up to the edge of the domain.
pub(super) fn walls(snapshot: &Snapshot) -> io::Result<PolyData> {
    let extent = Bounds::of_domain(snapshot);
    let mut points = Vec::new();
    let mut connectivity = Vec::new();
    let mut index = Vec::new();
    let mut velocity = Vec::new();
    for (wall_index, wall) in snapshot.walls.iter().enumerate() {
        let surface = wall_surface(wall, &extent);
        let base = points.len() as i64;
        points.extend(surface.vertices.iter().map(|vertex| vertex.to_array()));
        for triangle in &surface.triangles {
            let corner = |vertex: u32| surface.vertices[vertex as usize];
            let middle = triangle.iter().map(|&v| corner(v)).sum::<esker::Vec3>() / 3.0;
            let pose = &wall.pose;
            let moved = pose.velocity + pose.spin.cross(middle - pose.center);
            connectivity.extend(triangle.iter().map(|&vertex| base + i64::from(vertex)));
            index.push([wall_index as i32]);
            velocity.push(moved.to_array());
        }
    }
    let mut piece =
        PolyData::new(points.into_iter(), Cells::Triangles, index.len(), connectivity.into_iter())?;
    // Without time: the file is valid for all frames until a wall moves.
    let names: Vec<String> = snapshot.walls.iter().map(|w| w.name.clone()).collect();
    piece.field_words("walls", &names);
    piece.cell_column("wall", index.into_iter())?;
    piece.cell_column("velocity", velocity.into_iter())?;
    Ok(piece)
}

fn describe(piece: &mut PolyData, snapshot: &Snapshot) {
    // VTK's readers take the time of a file from a field of this name.
    piece.field_number("TimeValue", snapshot.time);
    piece.field_number("step", snapshot.step as f64);
    piece.field_number("time_step", snapshot.time_step);
    piece.field_words("stage", std::slice::from_ref(&snapshot.stage));
}

fn second_index(contact: &ContactView) -> i64 {
    match contact.second {
        Partner::Particle(id) => i64::from(id.number()),
        Partner::Wall(wall) => i64::from(wall.number()),
    }
}

fn orientation(particle: &ParticleView) -> [f64; 4] {
    let Quat { x, y, z, w } = particle.orientation;
    [w, x, y, z]
}

#[cfg(test)]
mod tests {
    use super::*;
    use esker::Vec3;

    #[test]
    fn the_rotation_vector_is_axis_times_angle() {
        let axis = Vec3::new(2.0, -1.0, 2.0) / 3.0;
        for angle in [0.0, 1e-9, 0.5, 3.0] {
            for sign in [1.0, -1.0] {
                let found = rotation_vector(Quat::from_axis_angle(axis, angle) * sign);
                let error = (found - angle * axis).length();
                // The rounding errors of a few operations on numbers up to π.
                assert!(error < 4e-15, "{angle}: {found:?}");
            }
        }
    }
}
