//! The simulation domain, its periodic directions, and the treatment of particles that leave it.

use crate::Vec3;

/// Treatment of a particle whose centre leaves the domain.
///
/// ```
/// use esker::prelude::*;
///
/// let mut domain = Domain::new(Vec3::ZERO, Vec3::ONE);
/// assert_eq!(domain.outside, Outside::Error);
/// domain.outside = Outside::Delete; // as at the outlet of a hopper
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Outside {
    /// The run stops with an error.
    #[default]
    Error,
    /// The particle is removed and counted.
    Delete,
}

/// An axis-aligned box, periodic in any of its directions.
///
/// ```
/// use esker::prelude::*;
///
/// let mut domain = Domain::new(Vec3::ZERO, Vec3::new(2.0, 1.0, 1.0));
/// domain.periodic[0] = true;
/// assert_eq!(domain.nearest_image(Vec3::X * 1.5), Vec3::X * -0.5);
/// assert!(!domain.contains(Vec3::Y * 1.5));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Domain {
    /// Lower corner [m].
    pub min: Vec3,
    /// Upper corner [m].
    pub max: Vec3,
    /// Periodic directions.
    pub periodic: [bool; 3],
    /// Treatment of particles that leave in the other directions.
    pub outside: Outside,
}

impl Domain {
    /// A box without periodic directions.
    pub fn new(min: Vec3, max: Vec3) -> Self {
        Self { min, max, periodic: [false; 3], outside: Outside::Error }
    }

    /// Edge lengths [m].
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// Period in each direction [m]; zero if not periodic.
    pub fn period(&self) -> Vec3 {
        let size = self.size();
        Vec3::from_array(std::array::from_fn(
            |axis| if self.periodic[axis] { size[axis] } else { 0.0 },
        ))
    }

    /// The shortest vector equivalent to `difference`.
    pub fn nearest_image(&self, mut difference: Vec3) -> Vec3 {
        let size = self.size();
        for axis in 0..3 {
            if self.periodic[axis] {
                difference[axis] -= size[axis] * libm::rint(difference[axis] / size[axis]);
            }
        }
        difference
    }

    /// True if a point is inside in every direction that is not periodic.
    pub fn contains(&self, point: Vec3) -> bool {
        (0..3).all(|axis| {
            self.periodic[axis] || (point[axis] >= self.min[axis] && point[axis] <= self.max[axis])
        })
    }
}
