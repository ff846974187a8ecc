//! What came out of a case.

use super::file::Size;
use super::judge::{Row, Verdict};
use crate::batch::RunResult;
use serde::Serialize;

/// What came out of a case.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CaseResult {
    /// Name of the case.
    pub case: String,
    /// The paper.
    pub paper: String,
    /// Section of the paper.
    pub section: String,
    /// What it is about.
    pub title: String,
    /// Size of the runs.
    pub size: Size,
    /// Seconds of computing of all runs.
    pub wall_time: f64,
    /// Its runs.
    pub runs: Vec<RunResult>,
    /// Its comparisons.
    pub rows: Vec<Row>,
    /// Caption and SVG of its plots.
    #[serde(skip)]
    pub plots: Vec<(String, String)>,
    /// Caption and PNG of its pictures.
    #[serde(skip)]
    pub pictures: Vec<(String, Vec<u8>)>,
    /// What had to be reconstructed and what agreement shows.
    #[serde(skip)]
    pub readme: String,
}

impl CaseResult {
    /// How many rows have a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rows.iter().filter(|row| row.verdict == verdict).count()
    }

    /// `agrees: 5, differs (known): 1`.
    pub fn counts(&self) -> String {
        let counted = Verdict::ALL.into_iter().filter(|verdict| self.count(*verdict) > 0);
        let text: Vec<String> =
            counted.map(|verdict| format!("{verdict}: {}", self.count(verdict))).collect();
        text.join(", ")
    }
}
