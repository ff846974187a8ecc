//! Types of options that several measures use.

use super::{ParticleView, Reference, Snapshot};
use crate::wall::Shape;
use crate::{Problem, Vec3, insert};

/// A group of particles by name, or `all`: every particle that moves freely.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Group(pub String);

impl Default for Group {
    fn default() -> Self {
        Self("all".to_owned())
    }
}

impl Group {
    /// Its particles, in order of id.
    pub fn of<'a>(&self, snapshot: &'a Snapshot) -> Vec<&'a ParticleView> {
        if self.0 == "all" {
            return snapshot.free(None).collect();
        }
        match snapshot.group(&self.0) {
            Some(group) => snapshot.selected(Some(group)).collect(),
            None => Vec::new(),
        }
    }

    /// The group as a reference of an option; none for `all`.
    pub fn reference<'a>(&'a self, option: &'static str) -> Option<(&'static str, Reference<'a>)> {
        (self.0 != "all").then_some((option, Reference::Group(&self.0)))
    }
}

/// A direction along an axis.
///
/// ```
/// use esker::measure::Axis;
/// use esker::prelude::*;
///
/// assert_eq!(Axis::MinusZ.vector(), -Vec3::Z);
/// assert_eq!(Axis::Y.across(), [0, 2]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
pub enum Axis {
    /// Along x.
    #[cfg_attr(feature = "serde", serde(rename = "x"))]
    X,
    /// Along y.
    #[cfg_attr(feature = "serde", serde(rename = "y"))]
    Y,
    /// Along z.
    #[cfg_attr(feature = "serde", serde(rename = "z"))]
    Z,
    /// Against x.
    #[cfg_attr(feature = "serde", serde(rename = "-x"))]
    MinusX,
    /// Against y.
    #[cfg_attr(feature = "serde", serde(rename = "-y"))]
    MinusY,
    /// Against z.
    #[cfg_attr(feature = "serde", serde(rename = "-z"))]
    MinusZ,
}

impl Axis {
    /// 0, 1 or 2.
    pub fn index(self) -> usize {
        match self {
            Self::X | Self::MinusX => 0,
            Self::Y | Self::MinusY => 1,
            Self::Z | Self::MinusZ => 2,
        }
    }

    /// As a unit vector.
    pub fn vector(self) -> Vec3 {
        let axis = Vec3::AXES[self.index()];
        if matches!(self, Self::MinusX | Self::MinusY | Self::MinusZ) { -axis } else { axis }
    }

    /// The two axes normal to it.
    pub fn across(self) -> [usize; 2] {
        match self.index() {
            0 => [1, 2],
            1 => [0, 2],
            _ => [0, 1],
        }
    }
}

/// Names of the axes.
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

/// A part of space.
///
/// ```
/// use esker::measure::Region;
///
/// let region = Region::Ball { center: [0.0; 3], radius: 0.5 };
/// let volume = region.shape().volume();
/// assert!((volume - std::f64::consts::PI / 6.0).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase", deny_unknown_fields))]
pub enum Region {
    /// A box along the axes.
    Box {
        /// Lower corner [m].
        min: [f64; 3],
        /// Upper corner [m].
        max: [f64; 3],
    },
    /// A cylinder.
    Cylinder {
        /// Centre of one end [m].
        start: [f64; 3],
        /// Centre of the other end [m].
        end: [f64; 3],
        /// Radius [m].
        radius: f64,
    },
    /// A ball.
    Ball {
        /// Centre [m].
        center: [f64; 3],
        /// Radius [m].
        radius: f64,
    },
}

impl Region {
    /// The region as a type of the engine.
    pub fn shape(&self) -> insert::Region {
        match *self {
            Self::Box { min, max } => insert::Region::Box { min: min.into(), max: max.into() },
            Self::Cylinder { start, end, radius } => {
                insert::Region::Cylinder { start: start.into(), end: end.into(), radius }
            }
            Self::Ball { center, radius } => insert::Region::Ball { center: center.into(), radius },
        }
    }

    /// Problems of the region.
    pub fn problems(&self, option: &'static str) -> Vec<Problem> {
        let shape = self.shape();
        let mut messages = shape.problems();
        if messages.is_empty() && shape.volume() <= 0.0 {
            messages.push("the region has no volume".to_owned());
        }
        messages.into_iter().map(|message| Problem::at(option, message)).collect()
    }
}

/// A plane: a point, its normal, and whether both sides count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plane {
    pub point: Vec3,
    pub normal: Vec3,
    pub two_sided: bool,
}

impl Plane {
    /// The plane of a wall at its current position; `None` if the wall was removed or is not
    /// plane.
    pub fn of_wall(snapshot: &Snapshot, name: &str) -> Option<Self> {
        let wall = snapshot.walls.iter().rfind(|wall| wall.name == name && wall.present)?;
        let (point, normal, two_sided) = match &wall.shape {
            Shape::HalfSpace { point, normal } => (*point, *normal, false),
            Shape::Rectangle { corner, edges } => {
                (*corner, edges[0].cross(edges[1]).normalize_or_zero(), true)
            }
            Shape::Disc { center, normal, .. } => (*center, *normal, true),
            _ => return None,
        };
        let pose = &wall.pose;
        Some(Self {
            point: pose.to_world(point),
            normal: pose.direction_to_world(normal),
            two_sided,
        })
    }

    /// Distance of a point from it [m], negative below a plane with one side.
    pub fn distance(&self, point: Vec3) -> f64 {
        let distance = (point - self.point).dot(self.normal);
        if self.two_sided { distance.abs() } else { distance }
    }
}

/// A problem if a number is not greater than zero.
pub(super) fn positive(option: &'static str, number: Option<f64>) -> Option<Problem> {
    number.filter(|number| !(*number > 0.0)).map(|number| {
        Problem::at(option, format!("`{option}` is {number}, and must be greater than zero"))
    })
}

/// A problem if a number is not a fraction.
pub(super) fn fraction(option: &'static str, number: f64) -> Option<Problem> {
    (!(number > 0.0 && number <= 1.0)).then(|| {
        Problem::at(option, format!("`{option}` is {number}, and must be above 0 and at most 1"))
    })
}
