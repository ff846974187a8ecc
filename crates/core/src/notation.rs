//! Names of settings in messages.
//!
//! Messages of the engine name settings of a [`Scene`](crate::Scene). A program that reads scenes from files sets
//! [`Scene::notation`](crate::Scene::notation), so that its users see the keys that they wrote.

use crate::Vec3;
use std::fmt;

/// A setting of a scene in a message, optionally with a value to try.
///
/// ```
/// use esker::Setting;
///
/// assert_eq!(Setting::AutomaticStep.to_string(), "`step: StepSize::Auto`");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Setting {
    /// The automatic time step.
    AutomaticStep,
    /// An automatic time step with an upper bound.
    StepAtMost,
    /// A time step between two bounds [s].
    StepBetween {
        /// Longest step.
        max: f64,
        /// Shortest step.
        min: f64,
    },
    /// A time step beyond the limit is a warning.
    WarnOfStep,
    /// The largest overlap, with its value or without.
    OverlapLimit(Option<f64>),
    /// An overlap beyond the limit is a warning.
    WarnOfOverlap,
    /// The most iterations of an implicit integrator.
    MostIterations,
    /// The tolerance of an integrator.
    Tolerance,
    /// A step of the shortest length is accepted regardless of its error.
    AcceptError,
    /// The domain.
    Domain,
    /// Particles outside the domain are deleted.
    DeleteOutside,
    /// Motion without rotations.
    NoRotations,
    /// The normal of a half-space.
    Normal(Vec3),
    /// Particles are inside a cylinder, cone or sphere (true), or outside.
    ParticlesInside(bool),
    /// A dense packing of inserted particles.
    DensePacking,
    /// Contacts of inserted particles without history.
    WithoutHistory,
    /// The end of a stage after a time.
    EndAfter,
    /// The parameters of pairs of materials.
    Pairs,
    /// The parameters of a pair of materials of these names.
    Pair([String; 2]),
    /// A parameter of a pair or a material.
    Parameter(String),
    /// An option of a law or integrator: its field, and the variant or number.
    Choice {
        /// Field of the law or integrator.
        option: &'static str,
        /// Variant of its enum, or a number.
        value: &'static str,
    },
}

/// The setting as the library names it.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AutomaticStep => f.write_str("`step: StepSize::Auto`"),
            Self::StepAtMost => f.write_str("`StepSize::AtMost`"),
            Self::StepBetween { max, min } => {
                write!(f, "`step: StepSize::Between {{ max: {max:.1e}, min: {min:.1e} }}`")
            }
            Self::WarnOfStep => f.write_str("`health.step_limit: StepLimit::Warn`"),
            Self::OverlapLimit(None) => f.write_str("`health.overlap_limit`"),
            Self::OverlapLimit(Some(limit)) => write!(f, "`overlap_limit: {limit}`"),
            Self::WarnOfOverlap => f.write_str("`overlap: OverlapPolicy::Warn`"),
            Self::MostIterations => f.write_str("`most_iterations`"),
            Self::Tolerance => f.write_str("`tolerance`"),
            Self::AcceptError => f.write_str("`accept: true`"),
            Self::Domain => f.write_str("`domain`"),
            Self::DeleteOutside => f.write_str("`outside: Outside::Delete`"),
            Self::NoRotations => f.write_str("`rotations: false`"),
            Self::Normal(normal) => {
                write!(f, "`normal: Vec3::new({}, {}, {})`", normal.x, normal.y, normal.z)
            }
            Self::ParticlesInside(true) => f.write_str("`side: Side::Inside`"),
            Self::ParticlesInside(false) => f.write_str("`side: Side::Outside`"),
            Self::DensePacking => f.write_str("`Placement::Grow`"),
            Self::WithoutHistory => f.write_str("`inherited: None`"),
            Self::EndAfter => f.write_str("`End::after`"),
            Self::Pairs => f.write_str("`Scene::pairs`"),
            Self::Pair([first, second]) => write!(f, "a pair of `{first}` and `{second}`"),
            Self::Parameter(name) => write!(f, "`{name}`"),
            Self::Choice { option, value } => write!(f, "`{option}: {value}`"),
        }
    }
}

/// Names of settings in messages: those of the library, or the keys of a file format.
///
/// ```
/// use esker::prelude::*;
/// use esker::{Notation, Setting};
///
/// let mut scene = Scene::new();
/// scene.notation = Notation::new(|setting| match setting {
///     Setting::NoRotations => "the option --no-rotations".to_owned(),
///     other => other.to_string(),
/// });
/// assert_eq!(scene.notation.name(&Setting::NoRotations), "the option --no-rotations");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Notation(fn(&Setting) -> String);

impl Notation {
    /// A notation from a function that names a setting.
    pub const fn new(name: fn(&Setting) -> String) -> Self {
        Self(name)
    }

    /// The name of a setting.
    pub fn name(self, setting: &Setting) -> String {
        (self.0)(setting)
    }
}

impl Default for Notation {
    fn default() -> Self {
        Self(Setting::to_string)
    }
}
