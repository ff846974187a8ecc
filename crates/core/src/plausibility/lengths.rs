//! Lengths for which the rounding error of coordinates is not small compared with the smallest
//! particle.

use crate::Vec3;
use crate::scene::Scene;
use crate::wall::{Shape, Wall};

/// Largest coordinate in units of the smallest radius without a warning. Beyond it the rounding error is 1e-7 of the
/// radius, which is not small compared with the overlap of stiff contacts.
const MOST_RADII: f64 = 1e9;

/// A warning for each wall, group and domain that extends too far.
pub(super) fn warnings(scene: &Scene, smallest: f64) -> Vec<String> {
    if !(smallest.is_finite() && smallest > 0.0) {
        return Vec::new();
    }
    let walls =
        scene.all_walls().map(|wall| (format!("wall `{}`", wall.name), largest_distance(wall)));
    let groups = scene.all_sources().filter_map(|source| {
        Some((format!("group `{}`", source.name), farthest(source.bounds()?)))
    });
    let domain = scene
        .domain
        .iter()
        .map(|domain| ("the domain".to_owned(), farthest((domain.min, domain.max))));
    let all = walls.chain(groups).chain(domain);
    all.filter(|(_, length)| *length > MOST_RADII * smallest)
        .map(|(name, length)| {
            format!(
                "{name} extends to {length:.1e} m, {:.1e} times the smallest radius; beyond 1e9 times, \
                 the rounding error of coordinates is not small compared with overlaps",
                length / smallest
            )
        })
        .collect()
}

/// Largest absolute coordinate of a wall [m].
fn largest_distance(wall: &Wall) -> f64 {
    match (&wall.shape, wall.shape.bounds()) {
        (Shape::HalfSpace { point, .. }, _) => farthest((*point, *point)),
        (_, Some(bounds)) => farthest(bounds),
        _ => 0.0,
    }
}

fn farthest((low, high): (Vec3, Vec3)) -> f64 {
    low.abs().max(high.abs()).max_element()
}
