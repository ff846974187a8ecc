//! Particles at the points of a pattern, in the order of the points.

use super::place::{FreeSpace, Ids, check_amount, wrapped};
use super::region::Container;
use super::{Radius, Region};
use crate::Vec3;
use crate::domain::Domain;
use std::fmt::Debug;
use std::sync::Arc;

/// Points at which particles are placed.
///
/// ```
/// use esker::prelude::*;
/// use esker::insert::{Pattern, SharedPattern};
/// use std::sync::Arc;
///
/// /// A row of particles along x that touch each other.
/// #[derive(Debug)]
/// struct Row(usize);
///
/// impl Pattern for Row {
///     fn name(&self) -> &str {
///         "row"
///     }
///
///     fn bounds(&self) -> (Vec3, Vec3) {
///         (Vec3::ZERO, Vec3::ONE)
///     }
///
///     fn most_points(&self, _largest_radius: f64) -> f64 {
///         self.0 as f64
///     }
///
///     fn points(&self, radius: f64) -> Box<dyn Iterator<Item = Vec3> + '_> {
///         Box::new((0..self.0).map(move |i| Vec3::splat(radius) + Vec3::X * 2.0 * radius * i as f64))
///     }
/// }
///
/// let placement = Placement::Pattern(SharedPattern(Arc::new(Row(3))));
/// assert_eq!(Row(3).points(0.1).last().unwrap().x, 0.5);
/// # drop(placement);
/// ```
pub trait Pattern: Debug + Send + Sync {
    /// A short description.
    fn name(&self) -> &str;

    /// The box that holds the particles [m].
    fn bounds(&self) -> (Vec3, Vec3);

    /// The number of particles; as many as fit if `None`.
    fn count(&self) -> Option<usize> {
        None
    }

    /// An upper bound on the number of points for this largest radius [m], computed without listing them.
    fn most_points(&self, largest_radius: f64) -> f64;

    /// Centres [m] of particles with this largest radius [m], all inside the box. The order is the order
    /// of the ids.
    fn points(&self, largest_radius: f64) -> Box<dyn Iterator<Item = Vec3> + '_>;

    /// Invalid parameters, one sentence without a full stop each.
    fn problems(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A pattern shared by clones of a source; equal if it is the same object.
#[derive(Debug, Clone)]
pub struct SharedPattern(pub Arc<dyn Pattern>);

impl PartialEq for SharedPattern {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Positions and radii. Points that are occupied or too close to a wall are left empty.
pub(super) fn place(
    pattern: &dyn Pattern,
    radii: &Radius,
    ids: Ids,
    occupied: &[(Vec3, f64)],
    domain: &Domain,
    clear: &dyn Fn(Vec3, f64) -> bool,
) -> Result<Vec<(Vec3, f64)>, String> {
    let (min, max) = pattern.bounds();
    let (smallest, largest) = radii.bounds();
    let wanted = pattern.count().unwrap_or(usize::MAX);
    let expected = pattern.most_points(largest).min(wanted as f64);
    check_amount(expected)?;
    let expected = expected as usize;
    let container = Container::new(&Region::Box { min, max }, domain);
    let space = FreeSpace { container: &container, occupied, domain, clear };
    let mut levels = space.levels(&[smallest, largest], expected);
    let mut placed = Vec::with_capacity(expected);
    for point in pattern.points(largest) {
        if placed.len() == wanted {
            break;
        }
        let radius = ids.radius(radii, placed.len());
        let position = wrapped(point, domain);
        // Neighbours may touch; rounding errors are not an overlap.
        let free = !levels.overlaps(position, radius * (1.0 - 1e-9));
        if free && space.is_clear_of_walls(position, radius) {
            levels.insert(position, radius);
            placed.push((position, radius));
        }
    }
    match pattern.count() {
        Some(count) if placed.len() < count => Err(format!(
            "only {} of {count} particles fit into the pattern `{}`; make the box larger or the \
             spacing smaller",
            placed.len(),
            pattern.name()
        )),
        _ => Ok(placed),
    }
}
