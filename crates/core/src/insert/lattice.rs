//! Particles on the points of a rectangular lattice: x runs fastest, z slowest.

use super::place::{FreeSpace, Ids, check_amount, wrapped};
use super::region::Container;
use super::{Placement, Radius, Region, Source};
use crate::Vec3;
use crate::domain::Domain;
use crate::random::Purpose;

/// Displacements tried at one point before it is left empty.
const MOST_JITTERS: u32 = 100;

/// Positions and radii in order of id. Occupied points are left empty; the next particle is placed at the next point.
pub(super) fn place(
    source: &Source,
    radius: &Radius,
    ids: Ids,
    occupied: &[(Vec3, f64)],
    domain: &Domain,
    clear: &dyn Fn(Vec3, f64) -> bool,
) -> Result<Vec<(Vec3, f64)>, String> {
    let Placement::Lattice { min, max, spacing, count, jitter } = source.placement else {
        return Ok(Vec::new());
    };
    let (smallest, largest) = radius.bounds();
    let container = Container::new(&Region::Box { min, max }, domain);
    let lines = lines(&container, min, max, spacing, largest, jitter)?;
    for (axis, line) in lines.iter().enumerate() {
        if line.count > 1 && spacing[axis] < 2.0 * smallest * (1.0 - 1e-9) {
            return Err(format!(
                "the spacing {} m is less than a diameter of {} m",
                spacing[axis],
                2.0 * smallest
            ));
        }
    }
    let points = lines.iter().map(|line| line.count as f64).product::<f64>();
    let expected = points.min(count.map_or(f64::INFINITY, |count| count as f64));
    check_amount(expected)?;
    let wanted = count.unwrap_or(usize::MAX);
    let space = FreeSpace { container: &container, occupied, domain, clear };
    let placed = walk(&Walk { radius, ids, lines, jitter, wanted }, &space);
    match count {
        Some(count) if placed.len() < count => Err(format!(
            "only {} of {count} particles fit on the lattice; make the box larger or the spacing \
             smaller",
            placed.len()
        )),
        _ => Ok(placed),
    }
}

/// The points along one axis.
#[derive(Debug, Clone, Copy)]
struct Line {
    first: f64,
    spacing: f64,
    count: usize,
}

/// The lattice points along each axis that keep the largest particle inside.
fn lines(
    container: &Container,
    min: Vec3,
    max: Vec3,
    spacing: Vec3,
    largest: f64,
    jitter: f64,
) -> Result<[Line; 3], String> {
    let mut lines = [Line { first: 0.0, spacing: 0.0, count: 1 }; 3];
    for (axis, line) in lines.iter_mut().enumerate() {
        let length = max[axis] - min[axis];
        // a last point that is outside only by a rounding error is included
        let fits = |length: f64| (length / spacing[axis] + 1e-9).floor();
        let (first, count) = if container.open()[axis] {
            (min[axis] + 0.5 * spacing[axis], fits(length))
        } else if length == 0.0 {
            (min[axis], 1.0)
        } else {
            let margin = largest + jitter;
            (min[axis] + margin, fits(length - 2.0 * margin) + 1.0)
        };
        if count < 1.0 {
            return Err(format!("a particle of radius {largest} m does not fit in the box"));
        }
        *line = Line { first, spacing: spacing[axis], count: count as usize };
    }
    Ok(lines)
}

/// Parameters of the traversal of the lattice.
struct Walk<'a> {
    radius: &'a Radius,
    ids: Ids,
    lines: [Line; 3],
    jitter: f64,
    wanted: usize,
}

/// Places particles on the points in order.
fn walk(walk: &Walk<'_>, space: &FreeSpace<'_>) -> Vec<(Vec3, f64)> {
    let [along_x, along_y, along_z] = walk.lines;
    let (smallest, largest) = walk.radius.bounds();
    let points = along_x.count.saturating_mul(along_y.count).saturating_mul(along_z.count);
    let mut levels = space.levels(&[smallest, largest], points.min(walk.wanted));
    let mut placed = Vec::new();
    let mut attempt = 0;
    for point in 0..points {
        if placed.len() == walk.wanted {
            break;
        }
        let step = [
            point % along_x.count,
            point / along_x.count % along_y.count,
            point / along_x.count / along_y.count,
        ];
        let point = Vec3::from_array(std::array::from_fn(|axis| {
            walk.lines[axis].first + walk.lines[axis].spacing * step[axis] as f64
        }));
        let radius = walk.ids.radius(walk.radius, placed.len());
        let attempts = if walk.jitter > 0.0 { MOST_JITTERS } else { 1 };
        for _ in 0..attempts {
            let position =
                wrapped(point + walk.displacement(space, placed.len(), attempt), space.domain);
            attempt += 1;
            // neighbours on the lattice may touch; rounding errors are not an overlap
            let free = !levels.overlaps(position, radius * (1.0 - 1e-9));
            if free && space.is_clear_of_walls(position, radius) {
                levels.insert(position, radius);
                placed.push((position, radius));
                attempt = 0;
                break;
            }
        }
    }
    placed
}

impl Walk<'_> {
    /// A random displacement, none along an axis in which the box is flat [m].
    fn displacement(&self, space: &FreeSpace<'_>, index: usize, attempt: u32) -> Vec3 {
        if self.jitter == 0.0 {
            return Vec3::ZERO;
        }
        let draws = self.ids.draws(Purpose::Position, index);
        let (low, high) = space.container.bounds();
        Vec3::from_array(std::array::from_fn(|axis| {
            let uniform = draws.uniform(attempt.wrapping_mul(3).wrapping_add(axis as u32));
            let amplitude = if low[axis] == high[axis] { 0.0 } else { self.jitter };
            amplitude * (2.0 * uniform - 1.0)
        }))
    }
}

#[cfg(test)]
#[path = "lattice_tests.rs"]
mod tests;
