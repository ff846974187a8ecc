//! Verdicts.

use super::file::{Against, Known, Quantity, Series, Size, Tolerance};
use super::folder::Case;
use super::scope::{Bound, Data};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// The result of a comparison; it states the kind of reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Verdict {
    /// Within the tolerance of a published number.
    #[serde(rename = "agrees")]
    Agrees,
    /// The same, but the published number is smaller than its tolerance and cannot be distinguished from zero.
    #[serde(rename = "agrees †")]
    AgreesWithZero,
    /// Within the tolerance of a closed form or of an independent program; nothing was published.
    #[serde(rename = "theory")]
    Theory,
    /// Within the tolerance of another run of Esker.
    #[serde(rename = "self")]
    OwnRun,
    /// A statement of the paper in words holds.
    #[serde(rename = "in words")]
    InWords,
    /// A parameter was fitted to the published figures: no evidence of agreement.
    #[serde(rename = "calibrated")]
    Calibrated,
    /// Outside the tolerance, unchanged since the difference was recorded.
    #[serde(rename = "differs")]
    Differs,
    /// The two are different quantities, or the paper lacks necessary data.
    #[serde(rename = "not comparable")]
    NotComparable,
    /// Outside the tolerance, or the computed value of a known difference has changed.
    #[serde(rename = "fails")]
    Fails,
}

impl Verdict {
    /// All verdicts, agreement first.
    pub const ALL: [Self; 9] = [
        Self::Agrees,
        Self::AgreesWithZero,
        Self::Theory,
        Self::OwnRun,
        Self::InWords,
        Self::Calibrated,
        Self::Differs,
        Self::NotComparable,
        Self::Fails,
    ];

    /// Short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::AgreesWithZero => "agrees †",
            Self::Theory => "theory",
            Self::OwnRun => "self",
            Self::InWords => "in words",
            Self::Calibrated => "calibrated",
            Self::Differs => "differs",
            Self::NotComparable => "not comparable",
            Self::Fails => "fails",
        }
    }

    /// Meaning in one sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Agrees => "within the tolerance of a published number",
            Self::AgreesWithZero => {
                "the same, but the published number is smaller than its tolerance and cannot be \
                 told from zero"
            }
            Self::Theory => {
                "within the tolerance of a closed form or of an independent program; no number was \
                 published"
            }
            Self::OwnRun => "within the tolerance of another run of Esker",
            Self::InWords => "a statement of the paper in words holds",
            Self::Calibrated => {
                "a parameter was fitted to the published figures, so this is no agreement"
            }
            Self::Differs => {
                "outside the tolerance; the cause is given, or \"unknown\". The row fails if our \
                 value changes"
            }
            Self::NotComparable => {
                "the two are different quantities, or the paper lacks necessary data"
            }
            Self::Fails => "anything else",
        }
    }

    /// True if the row has a remark that the reader must see.
    pub fn is_remarked(self) -> bool {
        matches!(self, Self::Calibrated | Self::Differs | Self::NotComparable | Self::Fails)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Id of the quantity.
    pub id: String,
    /// Name of the quantity.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// The published value.
    pub published: Option<f64>,
    /// Its tolerance.
    pub published_tolerance: Option<f64>,
    /// The theoretical value.
    pub theory: Option<f64>,
    /// Its tolerance.
    pub theory_tolerance: Option<f64>,
    /// The verbal statement of the paper.
    pub claim: Option<String>,
    /// The computed value; of several runs, the mean.
    pub ours: Option<f64>,
    /// Standard deviation over the runs.
    pub spread: Option<f64>,
    /// Number of runs, if the value is a mean.
    pub runs: Option<usize>,
    /// The verdict.
    pub verdict: Verdict,
    /// Reason for the tolerance.
    pub reason: String,
    /// The cause of a known difference, or of a failure.
    pub remark: String,
    /// The series to which it belongs.
    #[serde(skip)]
    pub(super) series: Option<Series>,
}

/// Judges the quantities whose runs have been made.
pub(super) fn rows(
    case: &Case,
    size: Size,
    data: &Data<'_>,
    failed: &[(String, String)],
) -> Vec<Row> {
    let here = |quantity: &&Quantity| {
        quantity.only.is_none_or(|only| only == size) && data.has_runs_of(&quantity.value)
    };
    case.text.quantities.iter().filter(here).map(|one| row(case, one, size, data, failed)).collect()
}

fn row(
    case: &Case,
    quantity: &Quantity,
    size: Size,
    data: &Data<'_>,
    failed: &[(String, String)],
) -> Row {
    let mut row = empty(quantity);
    let needs = case.needs(&quantity.value);
    let stopped = failed
        .iter()
        .find(|(name, _)| needs.contain(name))
        .map(|(_, why)| format!("the run stopped: {why}"));
    match stopped.map_or(Ok(()), Err).and_then(|()| fill(&mut row, quantity, data)) {
        Ok(()) => judge(&mut row, quantity, size, data),
        Err(what) => row.remark = what,
    }
    row
}

/// A row with the data of the case only.
fn empty(quantity: &Quantity) -> Row {
    Row {
        id: quantity.id.clone(),
        name: quantity.name.clone(),
        unit: quantity.unit.clone(),
        published: None,
        published_tolerance: None,
        theory: None,
        theory_tolerance: None,
        claim: quantity.claim.clone(),
        ours: None,
        spread: None,
        runs: None,
        verdict: Verdict::Fails,
        reason: quantity.reason.clone(),
        remark: String::new(),
        series: quantity.series.clone(),
    }
}

/// The expected row if it does not fail, as far as it can be determined without a run.
pub(super) struct Foreseen {
    /// All but the computed value.
    pub row: Row,
    /// True if the published and the theoretical value need runs; they are then omitted.
    pub take_runs: [bool; 2],
}

/// The rows of a case that do not fail.
pub(super) fn foreseen(case: &Case, size: Size) -> Result<Vec<Foreseen>, String> {
    let data = Data::new(case, BTreeMap::new());
    case.compared(size).map(|quantity| foresee(quantity, size, &data)).collect()
}

fn foresee(quantity: &Quantity, size: Size, nothing: &Data<'_>) -> Result<Foreseen, String> {
    let takes_runs = |formula: &Option<super::Formula>| {
        formula.as_ref().is_some_and(|formula| !nothing.has_runs_of(formula))
    };
    let take_runs = [&quantity.published, &quantity.theory].map(takes_runs);
    let mut told = quantity.clone();
    for (formula, takes_runs) in [&mut told.published, &mut told.theory].into_iter().zip(take_runs)
    {
        formula.take_if(|_| takes_runs);
    }
    let mut row = empty(quantity);
    expect(&mut row, &told, nothing)?;
    (row.verdict, row.remark) = if let Some(why) = &quantity.not_comparable {
        (Verdict::NotComparable, why.clone())
    } else if let Some(known) = known_at(quantity, size) {
        (Verdict::Differs, cause(known))
    } else {
        success(&row, quantity)
    };
    Ok(Foreseen { row, take_runs })
}

/// The verdict of a row within its tolerances, by the kind of its reference.
fn success(row: &Row, quantity: &Quantity) -> (Verdict, String) {
    if let Some(what) = &quantity.calibrated {
        return (Verdict::Calibrated, format!("calibrated: {what}"));
    }
    let is_zero = match (row.published, row.published_tolerance) {
        (Some(published), Some(width)) => published.abs() <= width,
        _ => false,
    };
    let verdict = if quantity.claim.is_some() {
        Verdict::InWords
    } else if quantity.published.is_some() {
        if is_zero { Verdict::AgreesWithZero } else { Verdict::Agrees }
    } else if quantity.against == Against::OwnRun {
        Verdict::OwnRun
    } else {
        Verdict::Theory
    };
    (verdict, String::new())
}

fn known_at(quantity: &Quantity, size: Size) -> Option<&Known> {
    quantity.known.as_ref().filter(|known| known.only.is_none_or(|only| only == size))
}

fn cause(known: &Known) -> String {
    format!("cause: {}", known.cause)
}

fn fill(row: &mut Row, quantity: &Quantity, data: &Data<'_>) -> Result<(), String> {
    expect(row, quantity, data)?;
    let sample = quantity.value.sample(data)?;
    row.ours = Some(sample.mean);
    row.spread = sample.deviation;
    row.runs = (sample.count > 1).then_some(sample.count);
    Ok(())
}

/// The published and the theoretical value.
fn expect(row: &mut Row, quantity: &Quantity, data: &Data<'_>) -> Result<(), String> {
    let expected = |formula: &Option<super::Formula>| {
        formula.as_ref().map(|formula| formula.number(data)).transpose()
    };
    row.published = expected(&quantity.published)?;
    row.theory = expected(&quantity.theory)?;
    let width = |tolerance: Option<Tolerance>, around: Option<f64>| {
        tolerance.zip(around).map(|(tolerance, around)| tolerance.around(around))
    };
    row.published_tolerance = width(quantity.published_tolerance, row.published);
    row.theory_tolerance = width(quantity.theory_tolerance, row.theory);
    Ok(())
}

fn judge(row: &mut Row, quantity: &Quantity, size: Size, data: &Data<'_>) {
    let Some(ours) = row.ours else { return };
    if let Some(why) = &quantity.not_comparable {
        row.verdict = Verdict::NotComparable;
        row.remark.clone_from(why);
        return;
    }
    let within = |expected: Option<f64>, width: Option<f64>| match (expected, width) {
        (Some(expected), Some(width)) => (ours - expected).abs() <= width,
        _ => true,
    };
    let agrees =
        within(row.published, row.published_tolerance) && within(row.theory, row.theory_tolerance);
    let holds = match &quantity.holds {
        None => Ok(true),
        Some(formula) => {
            let scope = Bound { inner: data, word: "value", value: ours };
            formula.number(&scope).map(|truth| truth != 0.0)
        }
    };
    let holds = match holds {
        Ok(holds) => holds,
        Err(what) => {
            row.remark = what;
            return;
        }
    };
    let known = known_at(quantity, size);
    match known {
        Some(known) => {
            (row.verdict, row.remark) = known_difference(known, size, ours, agrees && holds)
        }
        None if agrees && holds => (row.verdict, row.remark) = success(row, quantity),
        None => row.remark = "beyond the tolerance".to_owned(),
    }
    if row.verdict == Verdict::Fails && !holds && known.is_none() {
        row.remark = "the statement of the paper does not hold".to_owned();
    }
}

fn known_difference(known: &Known, size: Size, ours: f64, agrees: bool) -> (Verdict, String) {
    let recorded = known.ours.at(size);
    if agrees {
        let what = "the value agrees now: the recorded difference is out of date";
        return (Verdict::Fails, format!("{what} (cause given: {})", known.cause));
    }
    if (ours - recorded).abs() <= known.moves.0 {
        return (Verdict::Differs, cause(known));
    }
    let moved = format!("the recorded value was {recorded} ± {}; it has changed", known.moves.0);
    (Verdict::Fails, format!("{moved} (cause of the known difference: {})", known.cause))
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
