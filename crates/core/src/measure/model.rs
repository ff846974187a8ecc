//! Measures: named numbers computed from one state.

use super::Snapshot;
use crate::Problem;
use crate::id::ParticleId;
use std::fmt::Debug;

/// One column of a measure.
///
/// ```
/// use esker::measure::Column;
///
/// let columns = Column::all(&[("mass", "kg"), ("count", "")]);
/// assert_eq!(columns[0], Column::new("mass", "kg"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name in tables.
    pub name: String,
    /// Its unit; empty for a pure number.
    pub unit: &'static str,
}

impl Column {
    /// A column.
    pub fn new(name: impl Into<String>, unit: &'static str) -> Self {
        Self { name: name.into(), unit }
    }

    /// Several columns, each with its name and unit.
    pub fn all(columns: &[(&str, &'static str)]) -> Vec<Self> {
        columns.iter().map(|(name, unit)| Self::new(*name, unit)).collect()
    }
}

/// Columns that are values of one quantity at several positions, plotted as a line over these.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// Range of the columns, counted from 0.
    pub columns: std::ops::Range<usize>,
    /// The position of each.
    pub positions: Vec<f64>,
    /// Name and unit of the positions.
    pub along: String,
    /// Name and unit of the values.
    pub label: &'static str,
}

/// Names of groups and walls that a measure refers to, so that the scene reader can check them.
///
/// ```
/// use esker::measure::{AtRest, Group, Measure, Reference};
///
/// let group = Group("grains".to_owned());
/// assert_eq!(group.reference("particles"), Some(("particles", Reference::Group("grains"))));
/// assert_eq!(Group::default().reference("particles"), None); // all particles
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference<'a> {
    /// A group of particles.
    Group(&'a str),
    /// A wall.
    Wall(&'a str),
    /// A wall that is a plane, a rectangle or a disc.
    PlaneWall(&'a str),
}

/// State of a measure between two evaluations; saved with a run.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MeasureState {
    /// The time of the last evaluation [s].
    pub time: Option<f64>,
    /// The step of the last evaluation.
    pub step: Option<u64>,
    /// Numbers with a meaning defined by the measure.
    pub numbers: Vec<f64>,
    /// Ids of particles, in order.
    pub ids: Vec<ParticleId>,
    /// One number for each id.
    pub of_ids: Vec<f64>,
}

/// A quantity computed from the particles, contacts and walls of one state.
///
/// The same snapshot and the same state of the measure give the same bits: sums are exact or in order of id.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
/// use esker::measure::{Column, MeasureState, Measure, Snapshot};
///
/// /// The number of particles above a height.
/// #[derive(Debug)]
/// struct Above(f64);
///
/// impl Measure for Above {
///     fn name(&self) -> &'static str {
///         "above"
///     }
///
///     fn columns(&self) -> Vec<Column> {
///         Column::all(&[("count", "")])
///     }
///
///     fn values(&self, now: &Snapshot, _: &mut MeasureState) -> Vec<Option<f64>> {
///         let count = now.particles.iter().filter(|particle| particle.position.z > self.0).count();
///         vec![Some(count as f64)]
///     }
/// }
///
/// let now = snapshot(vec![Sphere::new(RADIUS, Vec3::ZERO), Sphere::new(RADIUS, Vec3::Z)]);
/// assert_eq!(Above(0.5).values(&now, &mut MeasureState::default()), [Some(1.0)]);
/// ```
pub trait Measure: Debug + Send + Sync {
    /// Its name in scene files and tables.
    fn name(&self) -> &'static str;

    /// Its columns, in order.
    fn columns(&self) -> Vec<Column>;

    /// The column that a report shows first.
    fn main_column(&self) -> usize {
        0
    }

    /// Its columns that are a profile, if any.
    fn profile(&self) -> Option<Profile> {
        None
    }

    /// Names to which it refers, with their options.
    fn references(&self) -> Vec<(&'static str, Reference<'_>)> {
        Vec::new()
    }

    /// Problems of its options; the path of a problem is that of the option.
    fn problems(&self) -> Vec<Problem> {
        Vec::new()
    }

    /// One number per column; `None` if undefined, such as the slope without a heap.
    fn values(&self, now: &Snapshot, measure_state: &mut MeasureState) -> Vec<Option<f64>>;
}
