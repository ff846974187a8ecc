//! What `case.toml` says, as it is written there.

use super::formula::Formula;
use serde::{Deserialize, Deserializer, Serialize, de};
use std::collections::BTreeMap;
use std::fmt;

/// How much is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Size {
    /// Minutes for all cases together.
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
    /// Whether the quick size takes seconds and is part of the tests.
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
    /// Why the tolerances are what they are.
    #[serde(default)]
    pub reason: String,
    pub known: Option<Known>,
    /// What the paper says in words; `holds` is a formula of `value`.
    pub claim: Option<String>,
    pub holds: Option<Formula>,
    /// Why the two cannot be compared.
    pub not_comparable: Option<String>,
    /// What was fitted to the published figures.
    pub calibrated: Option<String>,
    /// What `theory` is.
    #[serde(default)]
    pub against: Against,
    pub only: Option<Size>,
    /// Written by `each`, not by authors of cases.
    pub series: Option<Series>,
}

/// Where the value of `theory` comes from.
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

/// The series that a comparison is a point of.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Series {
    /// Name with `{column}`.
    pub name: String,
    /// Column and cell.
    pub cells: Vec<(String, String)>,
}

/// A difference that is known.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Known {
    /// Our value.
    pub ours: Recorded,
    /// How far it may move before the row fails.
    pub moves: Plain,
    /// The cause, or `unknown`.
    pub cause: String,
    /// The size at which there is a difference; at the other the row is judged like any.
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

/// How close a value must be.
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

/// A number, which may come from a cell of a table as text.
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

/// A line of our data: two columns.
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
    /// Whether points are joined.
    #[serde(default)]
    pub joined: bool,
}

/// A curve of theory: a formula of `x`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TheoryFile {
    pub name: String,
    pub formula: Formula,
    pub from: Formula,
    pub to: Formula,
}

/// Pictures of a run at the instants that the paper shows.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PicturesFile {
    pub run: String,
    pub times: Vec<f64>,
    /// Direction towards the camera; from above and the side if not given.
    pub from: Option<[f64; 3]>,
    /// What must be in the picture; what is there at the start if not given.
    pub min: Option<[f64; 3]>,
    pub max: Option<[f64; 3]>,
    /// A point: grains that are wholly nearer to the camera are left out.
    pub cut: Option<[f64; 3]>,
    /// Whether grains have a stripe that shows their rotation.
    #[serde(default)]
    pub stripe: bool,
}
