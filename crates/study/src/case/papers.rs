//! The papers: the implementation of each of their sections, figures, tables and equations in Esker, and its verdict.
//! One table, `cases/papers.toml`, is the source of the page of the papers, the summary of validation, the report, the
//! end of `esker reproduce` and the order of lists.

use super::file::Size;
use super::folder::Case;
use super::judge::{self, Verdict};
use super::result::CaseResult;
use esker_draw::aligned;
use serde::Deserialize;
use std::collections::BTreeMap;

/// All papers, in order.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Papers {
    /// The papers.
    pub papers: Vec<Paper>,
}

/// A paper.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// Its name in `case.toml`.
    pub key: String,
    /// Its short name in citations of equations.
    pub tag: String,
    /// Authors and year.
    pub name: String,
    /// The full citation without the DOI.
    pub citation: String,
    /// Digital object identifier.
    pub doi: Option<String>,
    /// The plot shown for it.
    pub plot: PlotOfPaper,
    /// Problems, each computed by a case.
    pub problems: Vec<Problem>,
    /// Equations, each described on a page.
    pub equations: Vec<Equations>,
}

/// A plot of a case.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlotOfPaper {
    /// Name of the case.
    pub case: String,
    /// Index among its plots.
    pub index: usize,
}

/// A section, figure or table that a case computes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Problem {
    /// Section, figures and tables.
    pub at: String,
    /// Title.
    pub what: String,
    /// Name of the case.
    pub case: String,
}

/// Equations and how a scene uses them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equations {
    /// Numbers.
    pub at: String,
    /// Their content.
    pub what: String,
    /// Keys and options of a scene.
    #[serde(rename = "use")]
    pub used_as: String,
    /// The page that describes them, in `docs/`.
    pub page: String,
    /// Extent of the implementation.
    #[serde(rename = "as")]
    pub form: Form,
    /// Errata.
    pub errata: Option<String>,
}

/// Extent of an implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// As printed.
    Printed,
    /// With a correction that the errata state.
    Corrected,
    /// Partly.
    Part,
}

impl Form {
    /// Short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Printed => "printed",
            Self::Corrected => "corrected",
            Self::Part => "part",
        }
    }
}

/// Number of rows with each verdict.
pub type Counts = BTreeMap<Verdict, usize>;

/// The overall verdict of many comparisons: `partly` if some agree and some differ; without a difference `agrees` if a
/// published number was met, else the most frequent kind of reference.
pub fn overall(counts: &Counts) -> &'static str {
    let count = |verdict: Verdict| counts.get(&verdict).copied().unwrap_or(0);
    if count(Verdict::Fails) > 0 {
        return Verdict::Fails.name();
    }
    let evidence = [Verdict::AgreesWithZero, Verdict::OwnRun, Verdict::InWords, Verdict::Theory];
    // of equally frequent ones, the last
    let frequent = evidence.into_iter().max_by_key(|verdict| count(*verdict));
    let best = if count(Verdict::Agrees) > 0 { Some(Verdict::Agrees) } else { frequent };
    let best = best.filter(|verdict| count(*verdict) > 0);
    match (best, count(Verdict::Differs) > 0) {
        (Some(_), true) => "partly",
        (None, true) => Verdict::Differs.name(),
        (Some(best), false) => best.name(),
        (None, false) => {
            let weak = [Verdict::Calibrated, Verdict::NotComparable];
            weak.into_iter().find(|verdict| count(*verdict) > 0).map_or("–", Verdict::name)
        }
    }
}

impl Papers {
    /// Parses the table.
    pub fn read(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| format!("papers.toml: {error}"))
    }

    /// Rank of a case: papers and problems in the order of the table, then all others.
    pub fn rank(&self, paper: &str, case: &str) -> (usize, usize) {
        let index = self.papers.iter().position(|known| known.key == paper);
        let problems = index.map(|index| &self.papers[index].problems);
        let problem = problems.and_then(|all| all.iter().position(|one| one.case == case));
        (index.unwrap_or(usize::MAX), problem.unwrap_or(usize::MAX))
    }

    /// Sorts cases by paper and section.
    pub fn sort(&self, cases: &mut [Case]) {
        cases.sort_by(|one, other| {
            let rank = |case: &Case| self.rank(case.paper(), &case.name);
            rank(one).cmp(&rank(other)).then_with(|| one.name.cmp(&other.name))
        });
    }

    /// Authors and year of a paper; its key if it is not in the table.
    pub fn name<'a>(&'a self, key: &'a str) -> &'a str {
        self.papers.iter().find(|paper| paper.key == key).map_or(key, |paper| paper.name.as_str())
    }

    /// The problems that have results, with their verdicts: paper, section, case, title, verdict.
    pub fn summary(&self, results: &[CaseResult]) -> Vec<[String; 5]> {
        let mut lines = Vec::new();
        for paper in &self.papers {
            for problem in &paper.problems {
                let Some(result) = results.iter().find(|one| one.case == problem.case) else {
                    continue;
                };
                let counts = counted(result.rows.iter().map(|row| row.verdict));
                lines.push(problem.cells(&paper.name, overall(&counts)));
            }
        }
        lines
    }

    /// The same as text for the terminal, with a heading; empty if no case belongs to a paper.
    pub fn summary_text(&self, results: &[CaseResult]) -> String {
        let mut lines = vec![SUMMARY_HEADS.map(str::to_owned)];
        lines.extend(self.summary(results));
        if lines.len() == 1 {
            return String::new();
        }
        aligned(&lines).into_iter().map(|line| line + "\n").collect()
    }
}

/// Counts verdicts.
fn counted(verdicts: impl Iterator<Item = Verdict>) -> Counts {
    let mut counts = Counts::new();
    for verdict in verdicts {
        *counts.entry(verdict).or_default() += 1;
    }
    counts
}

/// The heads of the summary.
pub const SUMMARY_HEADS: [&str; 5] = ["paper", "section", "case", "problem", "verdict"];

impl Problem {
    /// The verdicts that follow from the case without a run, at its largest size.
    pub(super) fn foreseen(&self, case: &Case) -> Result<Counts, String> {
        let size = if case.has_one_size() { Size::Quick } else { Size::Full };
        let foreseen =
            judge::foreseen(case, size).map_err(|what| format!("{}: {what}", case.name))?;
        Ok(counted(foreseen.iter().map(|one| one.row.verdict)))
    }

    fn cells(&self, paper: &str, verdict: &str) -> [String; 5] {
        [paper, &self.at, &self.case, &self.what, verdict].map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(verdicts: &[Verdict]) -> Counts {
        counted(verdicts.iter().copied())
    }

    #[test]
    fn one_word_names_the_best_evidence_and_never_hides_a_difference() {
        use Verdict::*;
        assert_eq!(overall(&counts(&[Agrees, Theory, NotComparable])), "agrees");
        assert_eq!(overall(&counts(&[Theory, InWords])), "theory");
        assert_eq!(overall(&counts(&[Theory, InWords, InWords])), "in words");
        assert_eq!(overall(&counts(&[Agrees, Differs])), "partly");
        assert_eq!(overall(&counts(&[Differs, Calibrated, NotComparable])), "differs");
        assert_eq!(overall(&counts(&[Agrees, Differs, Fails])), "fails");
        // a fitted value is not agreement
        assert_eq!(overall(&counts(&[Calibrated])), "calibrated");
        assert_eq!(overall(&counts(&[AgreesWithZero])), "agrees †");
        assert_eq!(overall(&Counts::new()), "–");
    }
}
