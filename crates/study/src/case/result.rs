//! Results of a case.

use super::file::Size;
use super::judge::{Row, Verdict};
use crate::batch::RunResult;
use serde::Serialize;

/// Results of a case.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CaseResult {
    /// Name of the case.
    pub case: String,
    /// The paper.
    pub paper: String,
    /// Section of the paper.
    pub section: String,
    /// Title.
    pub title: String,
    /// Size of the runs.
    pub size: Size,
    /// True if both sizes are the same.
    pub only_size: bool,
    /// Wall-clock time of all runs [s].
    pub wall_time: f64,
    /// Processor time of all runs, if known [s].
    pub processor_time: Option<f64>,
    /// The date of the last of them.
    pub day: String,
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
    /// The README: the reconstructed data, and what agreement shows.
    #[serde(skip)]
    pub readme: String,
}

impl CaseResult {
    /// Number of rows with a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rows.iter().filter(|row| row.verdict == verdict).count()
    }

    /// `3 runs, 12.0 s of computing, 11.4 s of the processor`.
    pub fn computing(&self) -> String {
        let runs = runs(self.runs.len());
        let processor = self.processor_time.map(|time| format!(", {time:.1} s of the processor"));
        format!("{runs}, {:.1} s of computing{}", self.wall_time, processor.unwrap_or_default())
    }

    /// `agrees: 5, differs: 1`.
    pub fn counts(&self) -> String {
        let counted = Verdict::ALL.into_iter().filter(|verdict| self.count(*verdict) > 0);
        let text: Vec<String> =
            counted.map(|verdict| format!("{verdict}: {}", self.count(verdict))).collect();
        text.join(", ")
    }
}

/// `1 run`, `3 runs`.
pub(super) fn runs(count: usize) -> String {
    if count == 1 { "1 run".to_owned() } else { format!("{count} runs") }
}
