//! Contents of `case.toml`.

use super::formula::Formula;
use serde::{Deserialize, Deserializer, Serialize, de};
use std::collections::BTreeMap;
use std::fmt;

/// Size of the runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Size {
    /// All cases together take minutes.
    Quick,
    /// As in the paper.
    Full,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Quick => "quick",
            Self::Full => "full",
        })
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CaseFile {
    pub format: u32,
    pub paper: String,
    pub section: String,
    pub title: String,
    /// True if the quick size takes seconds and is part of the tests.
    #[serde(default)]
    pub tested: bool,
    #[serde(default, rename = "let")]
    pub definitions: BTreeMap<String, Formula>,
    pub runs: Vec<RunFile>,
    pub quantities: Vec<Quantity>,
    #[serde(default)]
    pub plots: Vec<PlotFile>,
    #[serde(default)]
    pub pictures: Vec<PicturesFile>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RunFile {
    pub name: String,
    #[serde(default = "scene_toml")]
    pub scene: String,
    #[serde(default)]
    pub set: Vec<String>,
    #[serde(default)]
    pub quick: Vec<String>,
    #[serde(default)]
    pub full: Vec<String>,
    pub only: Option<Size>,
}

fn scene_toml() -> String {
    "scene.toml".to_owned()
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Quantity {
    pub id: String,
    pub name: String,
    #[serde(default)]
    pub unit: String,
    pub value: Formula,
    pub published: Option<Formula>,
    pub published_tolerance: Option<Tolerance>,
    pub theory: Option<Formula>,
    pub theory_tolerance: Option<Tolerance>,
    /// Reason for the tolerances.
    #[serde(default)]
    pub reason: String,
    pub known: Option<Known>,
    /// A verbal statement of the paper; `holds` is a formula of `value`.
    pub claim: Option<String>,
    pub holds: Option<Formula>,
    /// Reason why the two cannot be compared.
    pub not_comparable: Option<String>,
    /// The parameter that was fitted to the published figures.
    pub calibrated: Option<String>,
    /// Kind of the reference `theory`.
    #[serde(default)]
    pub against: Against,
    pub only: Option<Size>,
    /// Set by `each`, not by authors of cases.
    pub series: Option<Series>,
}

/// Origin of the value of `theory`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub(super) enum Against {
    /// A closed form or an independent program.
    #[default]
    #[serde(rename = "theory")]
    Theory,
    /// Another run of the case.
    #[serde(rename = "self")]
    OwnRun,
}

/// The series to which a comparison belongs.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Series {
    /// Name with `{column}`.
    pub name: String,
    /// Column and cell.
    pub cells: Vec<(String, String)>,
}

/// A recorded difference.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Known {
    /// The computed value.
    pub ours: Recorded,
    /// Largest change of the computed value before the row fails.
    pub moves: Plain,
    /// The cause, or `unknown`.
    pub cause: String,
    /// The size at which the difference exists; at the other size the row is judged as usual.
    pub only: Option<Size>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
pub(super) enum Recorded {
    Both(Plain),
    Each { quick: Plain, full: Plain },
}

impl Recorded {
    pub(super) fn at(self, size: Size) -> f64 {
        match (self, size) {
            (Self::Both(value), _)
            | (Self::Each { quick: value, .. }, Size::Quick)
            | (Self::Each { full: value, .. }, Size::Full) => value.0,
        }
    }
}

/// Largest accepted deviation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Tolerance {
    Absolute(f64),
    /// A fraction of the expected value.
    Relative(f64),
}

impl Tolerance {
    pub(super) fn around(self, expected: f64) -> f64 {
        match self {
            Self::Absolute(width) => width,
            Self::Relative(fraction) => fraction * expected.abs(),
        }
    }
}

impl<'de> Deserialize<'de> for Tolerance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match NumberOrText::deserialize(deserializer)? {
            NumberOrText::Number(width) if width >= 0.0 => Ok(Self::Absolute(width)),
            NumberOrText::Text(text) => {
                let fraction =
                    text.strip_suffix('%').and_then(|text| text.trim().parse::<f64>().ok());
                let absolute = text.parse::<f64>().ok();
                match (fraction, absolute) {
                    (Some(fraction), _) => Ok(Self::Relative(0.01 * fraction)),
                    (None, Some(width)) => Ok(Self::Absolute(width)),
                    _ => Err(de::Error::custom("a tolerance is a number or a text like \"0.5 %\"")),
                }
            }
            NumberOrText::Number(_) => Err(de::Error::custom("a tolerance must not be negative")),
        }
    }
}

/// A number, possibly given as text in a cell of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plain(pub f64);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match NumberOrText::deserialize(deserializer)? {
            NumberOrText::Number(number) => Ok(Self(number)),
            NumberOrText::Text(text) => text.parse().map(Self).map_err(de::Error::custom),
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum NumberOrText {
    Number(f64),
    Text(String),
}

impl<'de> Deserialize<'de> for Formula {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match NumberOrText::deserialize(deserializer)? {
            NumberOrText::Number(number) => Ok(Self::constant(number)),
            NumberOrText::Text(text) => Self::parse(&text).map_err(de::Error::custom),
        }
    }
}

/// A plot of the paper, redrawn.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlotFile {
    pub title: String,
    pub x: String,
    pub y: String,
    #[serde(default)]
    pub x_logarithmic: bool,
    #[serde(default)]
    pub y_logarithmic: bool,
    #[serde(default)]
    pub caption: String,
    #[serde(default)]
    pub lines: Vec<LineFile>,
    #[serde(default)]
    pub points: Vec<PointsFile>,
    #[serde(default)]
    pub theory: Vec<TheoryFile>,
}

/// A computed line: two columns.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LineFile {
    pub name: String,
    pub x: Formula,
    pub y: Formula,
}

/// Points: of a published table, or of formulas.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PointsFile {
    pub name: String,
    pub file: Option<String>,
    #[serde(rename = "where")]
    pub chosen: Option<toml::Value>,
    #[serde(default)]
    pub x: Vec<Formula>,
    #[serde(default)]
    pub y: Vec<Formula>,
    /// Columns of the table, in place of formulas.
    pub columns: Option<[String; 2]>,
    /// True if points are joined.
    #[serde(default)]
    pub joined: bool,
}

/// A theoretical curve: a formula of `x`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TheoryFile {
    pub name: String,
    pub formula: Formula,
    pub from: Formula,
    pub to: Formula,
}

/// Pictures of a run at the times shown in the paper.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PicturesFile {
    pub run: String,
    pub times: Vec<f64>,
    /// Direction towards the camera; by default from above and the side.
    pub from: Option<[f64; 3]>,
    /// The box to show; by default that of the initial state.
    pub min: Option<[f64; 3]>,
    pub max: Option<[f64; 3]>,
    /// A point: grains that are entirely nearer to the camera are omitted.
    pub cut: Option<[f64; 3]>,
    /// True if grains have a stripe that shows their rotation.
    #[serde(default)]
    pub stripe: bool,
}
