//! The three parts of a frame: particles as points, contacts as lines, walls as triangles.

use super::vtk::{ArrayType, Blocks, Cells, Element, Header, ITEMS_OF_BLOCK, PolyData, Scalar};
use esker::Quat;
use esker::measure::{ContactView, ParticleView, Partner, Snapshot};
use esker::rotation::rotation_vector;
use esker_draw::Bounds;
use esker_draw::wall_surface;
use std::io;

/// Appends the bytes of an item, given by its index.
type AppendIndexed = Box<dyn Fn(u64, &mut Vec<u8>) + Send + Sync>;
/// Appends the bytes of an item.
type Append<T> = Box<dyn Fn(&T, &mut Vec<u8>) + Send + Sync>;

/// The values of an array.
pub(super) enum Values<T> {
    /// They follow from the index of the particle or contact.
    OfIndex(AppendIndexed),
    /// They are those of the particle or contact.
    OfItem(Append<T>),
}

/// An array with one item for each particle or contact.
pub(super) struct Array<T> {
    pub array: ArrayType,
    /// Bytes of an item.
    pub item: usize,
    pub values: Values<T>,
}

/// An array of numbers of each item.
fn of_item<T, S: Scalar, const N: usize>(
    element: Element,
    name: &'static str,
    values: impl Fn(&T) -> [S; N] + Send + Sync + 'static,
) -> Array<T> {
    let append = move |item: &T, bytes: &mut Vec<u8>| {
        values(item).into_iter().for_each(|number| number.append_to(bytes));
    };
    let array = ArrayType::of::<S, N>(element, name);
    Array { array, item: N * size_of::<S>(), values: Values::OfItem(Box::new(append)) }
}

/// Points of the cells, and their ends.
fn of_cells<T>(kind: Cells) -> [Array<T>; 2] {
    let points = kind.points();
    let corners = move |index: u64, bytes: &mut Vec<u8>| {
        (0..points).for_each(|corner| (points * index as i64 + corner).append_to(bytes));
    };
    let ends = move |index: u64, bytes: &mut Vec<u8>| {
        (points * (index as i64 + 1)).append_to(bytes);
    };
    let array = |name| ArrayType::of::<i64, 1>(Element::Cells, name);
    [
        Array {
            array: array("connectivity"),
            item: 8 * points as usize,
            values: Values::OfIndex(Box::new(corners)),
        },
        Array { array: array("offsets"), item: 8, values: Values::OfIndex(Box::new(ends)) },
    ]
}

/// The arrays of the particles.
pub(super) fn particle_arrays() -> Vec<Array<ParticleView>> {
    let data = Element::PointData;
    let [corners, ends] = of_cells(Cells::Verts);
    vec![
        of_item(Element::Points, "Points", |p: &ParticleView| p.position.to_array()),
        corners,
        ends,
        of_item(data, "radius", |p: &ParticleView| [p.radius]),
        of_item(data, "id", |p: &ParticleView| [i64::from(p.id.number())]),
        of_item(data, "group", |p: &ParticleView| [p.group.number()]),
        of_item(data, "material", |p: &ParticleView| [p.material.number()]),
        of_item(data, "mass", |p: &ParticleView| [p.mass]),
        of_item(data, "charge", |p: &ParticleView| [p.charge]),
        of_item(data, "velocity", |p: &ParticleView| p.velocity.to_array()),
        of_item(data, "spin", |p: &ParticleView| p.spin.to_array()),
        of_item(data, "orientation", orientation),
        of_item(data, "rotation_vector", |p: &ParticleView| {
            rotation_vector(p.orientation).to_array()
        }),
        of_item(data, "force", |p: &ParticleView| p.force.to_array()),
        of_item(data, "torque", |p: &ParticleView| p.torque.to_array()),
        of_item(data, "coordination", |p: &ParticleView| [p.coordination]),
        of_item(data, "image", |p: &ParticleView| p.image),
    ]
}

/// The arrays of the contacts.
pub(super) fn contact_arrays() -> Vec<Array<ContactView>> {
    let data = Element::CellData;
    let [corners, ends] = of_cells(Cells::Lines);
    let centers = |c: &ContactView, bytes: &mut Vec<u8>| {
        let both = [c.first_position.to_array(), c.second_position.to_array()];
        both.as_flattened().iter().for_each(|number| number.append_to(bytes));
    };
    let points = Array {
        array: ArrayType::of::<f64, 3>(Element::Points, "Points"),
        item: 48,
        values: Values::OfItem(Box::new(centers)),
    };
    vec![
        points,
        corners,
        ends,
        of_item(data, "first", |c: &ContactView| [i64::from(c.first.number())]),
        of_item(data, "second", |c: &ContactView| [second_index(c)]),
        of_item(data, "with_wall", |c: &ContactView| {
            [u8::from(matches!(c.second, Partner::Wall(_)))]
        }),
        of_item(data, "normal", |c: &ContactView| c.normal.to_array()),
        of_item(data, "overlap", |c: &ContactView| [c.overlap]),
        of_item(data, "normal_force", |c: &ContactView| [c.elastic + c.damping - c.cohesion]),
        of_item(data, "tangential_force", |c: &ContactView| c.tangential.to_array()),
        of_item(data, "force_magnitude", |c: &ContactView| [c.force().length()]),
        of_item(data, "contact_radius", |c: &ContactView| [c.contact_radius]),
        of_item(data, "sliding", |c: &ContactView| [u8::from(c.sliding)]),
    ]
}

/// The header of the particles without arrays.
pub(super) fn particle_header(snapshot: &Snapshot, count: usize) -> Header {
    let mut header = Header::new(Cells::Verts, count, count);
    describe(&mut header, snapshot);
    header.field_words("groups", &snapshot.groups);
    header.field_words("materials", &snapshot.materials);
    header
}

/// The header of the contacts without arrays.
pub(super) fn contact_header(snapshot: &Snapshot, count: usize) -> Header {
    let mut header = Header::new(Cells::Lines, 2 * count, count);
    describe(&mut header, snapshot);
    header
}

/// Particles as points.
pub(super) fn particles(snapshot: &Snapshot) -> io::Result<PolyData> {
    let header = particle_header(snapshot, snapshot.particles.len());
    piece(header, &particle_arrays(), &snapshot.particles)
}

/// Contacts as lines between the two partners.
pub(super) fn contacts(snapshot: &Snapshot) -> io::Result<PolyData> {
    let header = contact_header(snapshot, snapshot.contacts.len());
    piece(header, &contact_arrays(), &snapshot.contacts)
}

/// A piece of items in memory.
fn piece<T>(header: Header, arrays: &[Array<T>], items: &[T]) -> io::Result<PolyData> {
    let mut piece = PolyData::empty(header);
    let mut bytes = Vec::new();
    for array in arrays {
        let mut blocks = Blocks::new(array.item);
        for (block, items) in items.chunks(ITEMS_OF_BLOCK).enumerate() {
            bytes.clear();
            let first = (block * ITEMS_OF_BLOCK) as u64;
            for (index, item) in (first..).zip(items) {
                match &array.values {
                    Values::OfIndex(append) => append(index, &mut bytes),
                    Values::OfItem(append) => append(item, &mut bytes),
                }
            }
            blocks.add(&bytes)?;
        }
        piece.append(array.array, &blocks);
    }
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
    piece.header.field_words("walls", &names);
    piece.column(Element::CellData, "wall", index.into_iter())?;
    piece.column(Element::CellData, "velocity", velocity.into_iter())?;
    Ok(piece)
}

fn describe(header: &mut Header, snapshot: &Snapshot) {
    // VTK's readers take the time of a file from a field of this name.
    header.field_number("TimeValue", snapshot.time);
    header.field_number("step", snapshot.step as f64);
    header.field_number("time_step", snapshot.time_step);
    header.field_words("stage", std::slice::from_ref(&snapshot.stage));
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
