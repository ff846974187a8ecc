//! Random sequential addition: particles are placed one after the other at random points, and an occupied point is
//! rejected. Only for loose packings: spheres of one size jam at a fraction of 0.384 (Zhang & Torquato 2013), and well
//! below it hardly any point is free.
//!
//! Large particles are placed first; ids remain in the order of generation.

use super::place::{FreeSpace, Ids, NotPlaced};
use crate::Vec3;

/// Points tried for one particle before the region counts as full. Free space of one part in ten thousand is found with
/// a probability of 1 - e⁻¹⁰.
const MOST_ATTEMPTS: u32 = 100_000;

/// Positions and radii in order of id.
pub(super) fn place(
    space: &FreeSpace<'_>,
    radii: &[f64],
    ids: Ids,
) -> Result<Vec<(Vec3, f64)>, NotPlaced> {
    let mut largest_first: Vec<usize> = (0..radii.len()).collect();
    largest_first.sort_by(|&a, &b| radii[b].total_cmp(&radii[a]).then(a.cmp(&b)));
    let mut levels = space.levels(radii, radii.len());
    let mut placed = vec![(Vec3::ZERO, 0.0); radii.len()];
    for (done, &index) in largest_first.iter().enumerate() {
        let radius = radii[index];
        let mut position = None;
        for attempt in 0..MOST_ATTEMPTS {
            let uniform = ids.position_draw(index, attempt);
            let Some(point) = space.container.random_point(radius, uniform) else {
                let message = format!("a particle of radius {radius} m does not fit in the region");
                return Err(message.into());
            };
            if !levels.overlaps(point, radius) && space.is_clear_of_walls(point, radius) {
                position = Some(point);
                break;
            }
        }
        let Some(position) = position else {
            return Err(NotPlaced::TooDense { placed: done, wanted: radii.len() });
        };
        levels.insert(position, radius);
        placed[index] = (position, radius);
    }
    Ok(placed)
}
