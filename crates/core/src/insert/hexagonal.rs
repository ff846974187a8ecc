//! Hexagonal close packing: layers of a triangular lattice, stacked ABAB along z. With the spacing of one diameter the
//! volume fraction is π/(3√2) = 0.7405, the largest possible for equal spheres, and every interior particle has 12
//! neighbours.

use super::{Pattern, Placement, SharedPattern};
use crate::Vec3;
use crate::parameters::{Described, Limits, Parameters};
use std::sync::Arc;

/// Points of a hexagonal close packing inside a box.
///
/// ```
/// use esker::prelude::*;
/// use esker::insert::{Hexagonal, Pattern};
///
/// let pattern = Hexagonal { min: Vec3::ZERO, max: Vec3::splat(0.1), spacing: 0.01, count: None };
/// let points: Vec<Vec3> = pattern.points(0.005).collect();
/// assert!((points[1].distance(points[0]) - 0.01).abs() < 1e-12);
/// let placement: Placement = pattern.into();
/// # drop(placement);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hexagonal {
    /// Lower corner of the box [m].
    pub min: Vec3,
    /// Upper corner of the box [m].
    pub max: Vec3,
    /// Distance of nearest neighbours [m].
    pub spacing: f64,
    /// Number of particles; as many as fit if none is given.
    pub count: Option<usize>,
}

impl Hexagonal {
    /// Distances of columns, rows and layers [m].
    fn distances(&self) -> Vec3 {
        Vec3::new(1.0, 0.75f64.sqrt(), (2.0_f64 / 3.0).sqrt()) * self.spacing
    }

    /// The number of columns, rows and layers that fit.
    fn counts(&self, radius: f64) -> [f64; 3] {
        let (distances, extent) =
            (self.distances(), self.max - self.min - Vec3::splat(2.0 * radius));
        // A last row that is outside only by a rounding error is included.
        [0, 1, 2].map(|axis| (extent[axis] / distances[axis] + 1e-9).floor().max(-1.0) + 1.0)
    }
}

impl Pattern for Hexagonal {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn bounds(&self) -> (Vec3, Vec3) {
        (self.min, self.max)
    }

    fn count(&self) -> Option<usize> {
        self.count
    }

    fn most_points(&self, radius: f64) -> f64 {
        self.counts(radius).iter().product()
    }

    fn points(&self, radius: f64) -> Box<dyn Iterator<Item = Vec3> + '_> {
        let spacing = self.distances();
        let first = self.min + Vec3::splat(radius);
        let last = self.max - Vec3::splat(radius * (1.0 - 1e-9));
        let [along_x, along_y, layers] = self.counts(radius).map(|count| count as usize);
        let points = (0..layers).flat_map(move |k| {
            (0..along_y).flat_map(move |j| (0..along_x).map(move |i| (i, j, k)))
        });
        let position = move |(i, j, k): (usize, usize, usize)| {
            // Every second row is shifted by half a spacing, every second layer over the gaps of the one below.
            let shift_x = if (j + k) % 2 == 1 { 0.5 * spacing.x } else { 0.0 };
            let shift_y = if k % 2 == 1 { spacing.y / 3.0 } else { 0.0 };
            let steps = Vec3::new(i as f64, j as f64, k as f64);
            first + steps * spacing + Vec3::new(shift_x, shift_y, 0.0)
        };
        Box::new(points.map(position).filter(move |point| point.cmple(last).all()))
    }

    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let Self { min, max, spacing, .. } = self;
        if !(min.is_finite() && max.is_finite() && min.cmple(*max).all()) {
            problems.push(format!(
                "the lower corner {min} of the box is not below the upper corner {max}"
            ));
        }
        if !(spacing.is_finite() && *spacing > 0.0) {
            problems.push(format!("the spacing must be positive, not {spacing}"));
        }
        problems
    }
}

impl From<Hexagonal> for Placement {
    fn from(pattern: Hexagonal) -> Self {
        Self::Pattern(SharedPattern(Arc::new(pattern)))
    }
}

impl Described for Hexagonal {
    const NAME: &'static str = "hexagonal";
    const ABOUT: &'static str = "Points of a hexagonal close packing, layers along z";

    fn from_parameters(parameters: &mut dyn Parameters) -> Self {
        let min = parameters.vector("min", "Lower corner [m]");
        let max = parameters.vector("max", "Upper corner [m]");
        if !min.cmple(max).all() {
            let message = "`min` must be below `max` along each axis".to_owned();
            parameters.problem("max", message, "not above `min`");
        }
        Self {
            min,
            max,
            spacing: parameters.number(
                "spacing",
                "Distance of nearest neighbours [m]",
                Limits::Positive,
            ),
            count: parameters
                .optional_count("count", "Number of particles; default: as many as fit"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points() -> Vec<Vec3> {
        let pattern =
            Hexagonal { min: Vec3::ZERO, max: Vec3::splat(0.1), spacing: 0.01, count: None };
        pattern.points(0.005).collect()
    }

    #[test]
    fn an_interior_particle_has_twelve_neighbours_at_the_spacing_and_none_is_nearer() {
        let points = points();
        let center = Vec3::splat(0.05);
        let inner =
            points.iter().copied().min_by(|a, b| a.distance(center).total_cmp(&b.distance(center)));
        let inner = inner.expect("there are points");
        let apart: Vec<f64> =
            points.iter().map(|point| point.distance(inner)).filter(|d| *d > 0.0).collect();
        let neighbours = apart.iter().filter(|d| (**d - 0.01).abs() < 1e-12).count();
        assert_eq!(neighbours, 12);
        assert!(apart.iter().all(|d| *d > 0.01 - 1e-12));
    }

    #[test]
    fn all_particles_are_inside_the_box() {
        for point in points() {
            assert!(point.min_element() > 0.005 - 1e-12 && point.max_element() < 0.095 + 1e-12);
        }
    }

    #[test]
    fn the_volume_fraction_of_a_large_box_is_that_of_the_densest_packing() {
        let pattern =
            Hexagonal { min: Vec3::ZERO, max: Vec3::splat(1.0), spacing: 0.01, count: None };
        let count = pattern.points(0.005).count() as f64;
        let volume = std::f64::consts::PI / 6.0 * 1e-6;
        let densest = std::f64::consts::PI / (3.0 * 2f64.sqrt());
        // The box loses at most about one layer of 82 and half a column of 100 along each axis.
        assert!((count * volume / densest - 1.0).abs() < 0.03, "{}", count * volume);
    }

    #[test]
    fn a_box_smaller_than_a_particle_holds_none() {
        let pattern =
            Hexagonal { min: Vec3::ZERO, max: Vec3::splat(0.009), spacing: 0.01, count: None };
        assert_eq!(pattern.points(0.005).count(), 0);
    }
}
