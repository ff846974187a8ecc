//! Regions: volume, containment, random points.

use super::Region;
use crate::Vec3;
use std::f64::consts::{PI, TAU};

/// Largest distance by which a sphere may extend beyond its region due to rounding, as a fraction of its radius.
const SLACK: f64 = 1e-9;

impl Region {
    /// Volume [m³]; zero for a box that is flat in some direction.
    pub fn volume(&self) -> f64 {
        match self {
            Self::Box { min, max } => (*max - *min).element_product(),
            Self::Cylinder { start, end, radius } => {
                PI * radius * radius * (*end - *start).length()
            }
            Self::Ball { radius, .. } => 4.0 / 3.0 * PI * radius * radius * radius,
        }
    }

    /// Lower and upper corner of the smallest box around it [m].
    pub fn bounds(&self) -> (Vec3, Vec3) {
        match self {
            Self::Box { min, max } => (*min, *max),
            Self::Cylinder { start, end, radius } => {
                // the extent of a disc along an axis at an angle with cosine a is √(1 - a²) of its radius
                let axis = (*end - *start).normalize_or_zero();
                let half_extent = (Vec3::ONE - axis * axis).max(Vec3::ZERO);
                let half_extent = *radius
                    * Vec3::new(half_extent.x.sqrt(), half_extent.y.sqrt(), half_extent.z.sqrt());
                (start.min(*end) - half_extent, start.max(*end) + half_extent)
            }
            Self::Ball { center, radius } => (center - radius, center + radius),
        }
    }

    /// True if a sphere lies completely inside. In a direction in which a box is flat its centre must lie in that
    /// plane.
    pub fn holds(&self, position: Vec3, radius: f64) -> bool {
        Container::closed(self).holds(position, radius)
    }

    /// The point of the region that corresponds to three numbers in [0, 1), uniform over the points at which a sphere
    /// of this radius lies completely inside; `None` if there is no such point.
    pub fn random_point(&self, radius: f64, uniform: [f64; 3]) -> Option<Vec3> {
        Container::closed(self).random_point(radius, uniform)
    }

    /// Problems of the numbers, each in one sentence without a full stop.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut check = |right: bool, message: String| {
            if !right {
                problems.push(message);
            }
        };
        let (low, high) = self.bounds();
        check(low.is_finite() && high.is_finite(), "the region is not finite".to_owned());
        match self {
            Self::Box { min, max } => check(
                min.cmple(*max).all(),
                format!("the lower corner {min} of the box is not below the upper corner {max}"),
            ),
            Self::Cylinder { start, end, radius } => {
                check(
                    *radius > 0.0,
                    format!("the cylinder's radius must be positive, not {radius}"),
                );
                check(
                    start != end,
                    format!("the cylinder has no length: both ends are at {start}"),
                );
            }
            Self::Ball { radius, .. } => {
                check(*radius > 0.0, format!("the ball's radius must be positive, not {radius}"));
            }
        }
        problems
    }
}

/// A region together with the periodic directions in which it spans a whole period and therefore has no ends.
#[derive(Debug, Clone)]
pub(super) struct Container {
    region: Region,
    open: [bool; 3],
}

impl Container {
    /// A region with all its ends.
    pub fn closed(region: &Region) -> Self {
        Self { region: region.clone(), open: [false; 3] }
    }

    /// A region within a domain.
    pub fn new(region: &Region, domain: &crate::domain::Domain) -> Self {
        let period = domain.period();
        let extent = match region {
            Region::Box { min, max } => *max - *min,
            // only a cylinder along the periodic direction can span it
            Region::Cylinder { start, end, .. } => {
                let along = *end - *start;
                let axis = along.abs().max_position();
                let is_aligned = (along.length() - along[axis].abs()) <= SLACK * along.length();
                if is_aligned { along.abs() } else { Vec3::ZERO }
            }
            Region::Ball { .. } => Vec3::ZERO,
        };
        let open = std::array::from_fn(|axis| {
            period[axis] > 0.0 && extent[axis] >= period[axis] * (1.0 - SLACK)
        });
        Self { region: region.clone(), open }
    }

    /// Volume [m³].
    pub fn volume(&self) -> f64 {
        self.region.volume()
    }

    /// Corners of the box around the region [m].
    pub fn bounds(&self) -> (Vec3, Vec3) {
        self.region.bounds()
    }

    /// The directions in which there are no ends.
    pub fn open(&self) -> [bool; 3] {
        self.open
    }

    /// True if a sphere lies completely inside.
    pub fn holds(&self, position: Vec3, radius: f64) -> bool {
        let needed = self.nearest_inside(position, radius);
        needed.is_some_and(|needed| (needed - position).length() <= SLACK * radius)
    }

    /// The point nearest to `position` at which a sphere of this radius lies completely inside; `None` if there is
    /// none.
    pub fn nearest_inside(&self, position: Vec3, radius: f64) -> Option<Vec3> {
        match &self.region {
            Region::Box { min, max } => {
                let mut nearest = position;
                for axis in (0..3).filter(|&axis| !self.open[axis]) {
                    let (low, high) = inset(min[axis], max[axis], radius)?;
                    nearest[axis] = position[axis].max(low).min(high);
                }
                Some(nearest)
            }
            Region::Cylinder { start, end, radius: wall } => {
                let length = (*end - *start).length();
                let axis = (*end - *start) / length;
                let along = (position - *start).dot(axis);
                let across = position - *start - along * axis;
                let along = if self.has_open_ends() {
                    along
                } else {
                    let (low, high) = inset(0.0, length, radius)?;
                    along.max(low).min(high)
                };
                Some(*start + along * axis + shortened(across, wall - radius)?)
            }
            Region::Ball { center, radius: wall } => {
                Some(*center + shortened(position - *center, wall - radius)?)
            }
        }
    }

    /// The point that corresponds to three numbers in [0, 1), uniform over the points at which a sphere of this radius
    /// lies completely inside; `None` if there is none.
    pub fn random_point(&self, radius: f64, uniform: [f64; 3]) -> Option<Vec3> {
        match &self.region {
            Region::Box { min, max } => {
                let mut point = Vec3::ZERO;
                for axis in 0..3 {
                    let (low, high) = if self.open[axis] {
                        (min[axis], max[axis])
                    } else {
                        inset(min[axis], max[axis], radius)?
                    };
                    point[axis] = low + uniform[axis] * (high - low);
                }
                Some(point)
            }
            Region::Cylinder { start, end, radius: wall } => {
                let length = (*end - *start).length();
                let axis = (*end - *start) / length;
                let (first, second) = axis.any_orthonormal_pair();
                let (low, high) =
                    if self.has_open_ends() { (0.0, length) } else { inset(0.0, length, radius)? };
                let angle = TAU * uniform[1];
                let distance = interval(wall - radius, radius)? * uniform[0].sqrt();
                let across = libm::cos(angle) * first + libm::sin(angle) * second;
                Some(*start + (low + uniform[2] * (high - low)) * axis + distance * across)
            }
            Region::Ball { center, radius: wall } => {
                let distance = interval(wall - radius, radius)? * libm::cbrt(uniform[0]);
                let angle = TAU * uniform[1];
                let height = 2.0 * uniform[2] - 1.0;
                let across = (1.0 - height * height).max(0.0).sqrt();
                let direction =
                    Vec3::new(across * libm::cos(angle), across * libm::sin(angle), height);
                Some(*center + distance * direction)
            }
        }
    }

    /// True if a cylinder spans the whole period.
    fn has_open_ends(&self) -> bool {
        self.open.contains(&true)
    }
}

/// Range of the centre of a sphere between two ends; a single value if they coincide.
fn inset(low: f64, high: f64, radius: f64) -> Option<(f64, f64)> {
    if low == high {
        return Some((low, high));
    }
    let middle = 0.5 * (low + high);
    let half = interval(0.5 * (high - low) - radius, radius)?;
    if half == 0.0 { Some((middle, middle)) } else { Some((low + radius, high - radius)) }
}

/// The space left beside a sphere: zero if it just fits, `None` if it does not.
fn interval(space: f64, radius: f64) -> Option<f64> {
    (space >= -SLACK * radius).then_some(space.max(0.0))
}

/// A vector shortened to a length; `None` if not even zero is allowed.
fn shortened(vector: Vec3, longest: f64) -> Option<Vec3> {
    let length = vector.length();
    // the slack of a sphere that just fits is relative to its container
    let longest = interval(longest, length.max(longest.abs()))?;
    Some(if length > longest { vector * (longest / length) } else { vector })
}

#[cfg(test)]
#[path = "region_tests.rs"]
mod tests;
