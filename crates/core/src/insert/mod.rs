//! Insertion of particles: sources and their patterns.

mod grow;
mod grow_pairs;
mod hexagonal;
mod lattice;
mod levels;
mod pattern;
mod place;
mod problems;
mod radius;
mod random_addition;
mod region;
mod restart;
mod stream;

pub use hexagonal::Hexagonal;
pub use pattern::{Pattern, SharedPattern};
#[cfg(test)]
use place::place;
pub(crate) use place::{check_amount, place_clear_of};
pub(crate) use stream::{Stream, StreamState, points_of_stream};

use crate::material::MaterialId;
pub use crate::sphere::Sphere;
use crate::{Quat, Vec3};
pub use restart::Restart;
use std::sync::Arc;

/// A group of particles and its insertion.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::scene;
/// use esker::prelude::*;
///
/// let (mut scene, grain) = scene(ContactModel::normal(Hertz::default()), Pair::new());
/// let region = Region::Box { min: Vec3::ZERO, max: Vec3::splat(0.1) };
/// let placement = Placement::Random { region, amount: Amount::Count(50) };
/// scene.particles.push(Source {
///     velocity: Vec3::Z * -1.0,
///     ..Source::new("rain", grain, Radius::Constant(2e-3), placement)
/// });
/// let simulation = scene.build()?;
/// assert_eq!(simulation.counts().present, 50);
/// assert!(simulation.particles().iter().all(|(_, particle)| particle.velocity.z == -1.0));
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Source {
    /// Name of the group.
    pub name: String,
    /// Their material.
    pub material: MaterialId,
    /// Their radii; none for a list, whose spheres have their own radii.
    pub radius: Option<Radius>,
    /// Position and time of the insertion.
    pub placement: Placement,
    /// Initial velocity [m/s], added to that of a list.
    pub velocity: Vec3,
    /// Each component of the initial velocity gets a uniform random part up to this [m/s].
    pub random_velocity: f64,
    /// Initial spin [rad/s], added to that of a list.
    pub spin: Vec3,
    /// Electric charge [C].
    pub charge: f64,
    /// True if they are fixed: infinite mass, no motion.
    pub fixed: bool,
    /// Contact history of a list from an earlier run.
    pub inherited: Option<Arc<Restart>>,
    /// For each particle of a list, the index of the source with its group, material and charge; this source if empty.
    pub members: Vec<usize>,
    /// Orientation of each particle of a list; unrotated if empty. Unit quaternions.
    pub orientations: Vec<Quat>,
    /// Charge of each particle of a list [C]; that of the group if empty.
    pub charges: Vec<f64>,
}

impl Source {
    /// A group of particles at rest, with radii from a distribution.
    pub fn new(
        name: impl Into<String>,
        material: MaterialId,
        radius: Radius,
        placement: Placement,
    ) -> Self {
        let list = Self::list(name, material, Vec::new());
        Self { radius: Some(radius), placement, ..list }
    }

    /// A group of listed spheres.
    pub fn list(name: impl Into<String>, material: MaterialId, spheres: Vec<Sphere>) -> Self {
        Self {
            name: name.into(),
            material,
            radius: None,
            placement: Placement::List(spheres),
            velocity: Vec3::ZERO,
            random_velocity: 0.0,
            spin: Vec3::ZERO,
            charge: 0.0,
            fixed: false,
            inherited: None,
            members: Vec::new(),
            orientations: Vec::new(),
            charges: Vec::new(),
        }
    }
}

/// Distribution of radii [m].
///
/// ```
/// use esker::prelude::*;
///
/// let radius = Radius::Uniform { min: 1e-3, max: 3e-3 };
/// assert_eq!(radius.bounds(), (1e-3, 3e-3));
/// // one radius of 1 mm for each three of 2 mm
/// let mix = Radius::Mix(vec![(1e-3, 1.0), (2e-3, 3.0)]);
/// assert!(mix.problems().is_empty());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Radius {
    /// All equal.
    Constant(f64),
    /// Uniform between two bounds.
    Uniform {
        /// Smallest.
        min: f64,
        /// Largest.
        max: f64,
    },
    /// Normal, truncated at `truncate` standard deviations on both sides.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation before truncation.
        deviation: f64,
        /// Truncation in standard deviations.
        truncate: f64,
    },
    /// Log-normal: the logarithm is normal, truncated at `truncate` standard deviations.
    LogNormal {
        /// Median radius.
        median: f64,
        /// Deviation of the natural logarithm.
        deviation: f64,
        /// Truncation in standard deviations.
        truncate: f64,
    },
    /// A mix of sizes, each with its fraction by number.
    Mix(Vec<(f64, f64)>),
}

/// A region of space.
///
/// ```
/// use esker::prelude::*;
///
/// let cube = Region::Box { min: Vec3::ZERO, max: Vec3::splat(0.1) };
/// assert!((cube.volume() - 1e-3).abs() < 1e-15);
/// assert!(cube.holds(Vec3::splat(0.05), 0.04) && !cube.holds(Vec3::splat(0.05), 0.06));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Region {
    /// An axis-aligned box.
    Box {
        /// Lower corner [m].
        min: Vec3,
        /// Upper corner [m].
        max: Vec3,
    },
    /// A circular cylinder with flat ends.
    Cylinder {
        /// Centre of one end [m].
        start: Vec3,
        /// Centre of the other end [m].
        end: Vec3,
        /// Radius [m].
        radius: f64,
    },
    /// A ball.
    Ball {
        /// Centre [m].
        center: Vec3,
        /// Radius [m].
        radius: f64,
    },
}

/// Number of particles.
///
/// ```
/// use esker::prelude::*;
///
/// let region = Region::Box { min: Vec3::ZERO, max: Vec3::ONE };
/// let placement = Placement::Grow { region, amount: Amount::Fraction(0.5) };
/// assert!(placement.problems().is_empty());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// A number.
    Count(usize),
    /// Volume of the particles as a fraction of the region's.
    Fraction(f64),
}

/// Position and time of the insertion. Particles are completely inside their region.
///
/// ```
/// use esker::prelude::*;
///
/// let lattice = Placement::Lattice {
///     min: Vec3::ZERO,
///     max: Vec3::splat(0.1),
///     spacing: Vec3::splat(0.01),
///     count: None,
///     jitter: 0.0,
/// };
/// assert!(lattice.problems().is_empty());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Placement {
    /// A list.
    List(Vec<Sphere>),
    /// On the points of a rectangular lattice inside a box, from low to high x, then y, then z
    /// (the upward direction last), until the count is reached.
    Lattice {
        /// Lower corner of the box [m].
        min: Vec3,
        /// Upper corner of the box [m].
        max: Vec3,
        /// Distance of neighbouring points along each axis [m].
        spacing: Vec3,
        /// Number of particles; all that fit if none is given.
        count: Option<usize>,
        /// Each centre is displaced at random by up to this in every direction [m].
        jitter: f64,
    },
    /// At the points of a pattern.
    Pattern(SharedPattern),
    /// At random without overlap: loose, up to a fraction of about 0.35.
    Random {
        /// The region.
        region: Region,
        /// Number of particles.
        amount: Amount,
    },
    /// Random, dense: points are distributed, then grown to full size while overlaps are removed; up to a fraction of
    /// about 0.6.
    Grow {
        /// The region.
        region: Region,
        /// Number of particles.
        amount: Amount,
    },
    /// An inlet: particles are inserted over time in a region, each as soon as there is room.
    Stream {
        /// The region.
        region: Region,
        /// Particles per second.
        rate: f64,
        /// Total number; default: the stream continues to the end.
        count: Option<usize>,
        /// Start, counted from the stage that inserts them [s].
        start: f64,
    },
}

#[cfg(test)]
mod tests;
