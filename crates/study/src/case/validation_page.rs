//! `VALIDATION.md`: one row for each case and size, by paper, from the `RESULTS.md` of all cases.

use super::judge::Verdict;
use super::papers::{Papers, overall};
use super::results_page::Page;
use std::fmt::Write as _;

const TITLE: &str = "# Validation\n";
const INTRODUCTION: &str = "Published problems, computed with `esker reproduce`, which writes this \
page and the `RESULTS.md` of each case. A count is a number of comparisons; each point of a series counts. \
Tolerances and their reasons, the sources of the figures and everything that had to be reconstructed are \
in the folder of the case.";
const SIZES: &str = "The full size is that of the paper; the quick size takes minutes for all cases together. \"One\" means \
that both are the same.";

/// The summary of all cases from their pages of results, in the order of the papers.
pub fn validation_page<'a>(
    papers: &Papers,
    pages: impl IntoIterator<Item = &'a str>,
) -> Result<String, String> {
    let mut cases: Vec<Page> = Vec::new();
    for text in pages {
        cases.push(Page::read(text)?);
    }
    cases.sort_by(|one, other| {
        let rank = |page: &Page| papers.rank(page.paper(), &page.case);
        let names = |page: &Page| (page.paper().to_owned(), page.case.clone());
        rank(one).cmp(&rank(other)).then_with(|| names(one).cmp(&names(other)))
    });
    let mut text = format!("{TITLE}\n{INTRODUCTION}\n\n{}", overview(papers, &cases));
    text.push_str("\n| verdict | meaning |\n|---|---|\n");
    for verdict in Verdict::ALL {
        let _ = writeln!(text, "| {verdict} | {} |", verdict.meaning());
    }
    let _ = writeln!(text, "| partly | some comparisons agree, some differ |\n\n{SIZES}");
    for cases in cases.chunk_by(|one, other| one.paper() == other.paper()) {
        let paper = cases[0].paper();
        let _ = write!(text, "\n## {}\n\n{}", papers.name(paper), table(paper, cases));
    }
    Ok(text)
}

/// The table of the papers: computed problems, and the overall verdict.
fn overview(papers: &Papers, cases: &[Page]) -> String {
    let mut text =
        String::from("| paper | section | problem | case | verdict |\n|---|---|---|---|---|\n");
    for paper in &papers.papers {
        for problem in &paper.problems {
            let Some(page) = cases.iter().find(|page| page.case == problem.case) else { continue };
            let largest = page.parts.values().next_back().map_or("", String::as_str);
            let counts = Verdict::ALL
                .into_iter()
                .filter_map(|verdict| Some((verdict, count(largest, verdict).parse().ok()?)))
                .collect();
            let _ = writeln!(
                text,
                "| {} | {} | {} | [{case}](cases/{case}/RESULTS.md) | {} |",
                paper.name,
                problem.at,
                problem.what,
                overall(&counts),
                case = problem.case
            );
        }
    }
    text
}

/// True if a file may be replaced by the summary.
pub fn is_validation_page(text: &str) -> bool {
    text.starts_with(TITLE)
}

fn table(paper: &str, cases: &[Page]) -> String {
    let verdicts = Verdict::ALL.map(Verdict::name).join(" | ");
    let mut text = format!("| case | problem | size | date | {verdicts} |\n");
    let _ = writeln!(text, "|{}", "---|".repeat(4 + Verdict::ALL.len()));
    for page in cases {
        let case = &page.case;
        let head = page.head.strip_prefix(paper).unwrap_or(&page.head);
        let problem = head.trim_start_matches(", ").trim_end_matches('.');
        for (part, comparisons) in &page.parts {
            let counts = Verdict::ALL.map(|verdict| count(comparisons, verdict)).join(" | ");
            let _ = writeln!(
                text,
                "| [{case}](cases/{case}/RESULTS.md) | {problem} | {} | {} | {counts} |",
                part.name(),
                Page::day(comparisons)
            );
        }
    }
    text
}

/// The number of comparisons with a verdict; empty for none.
fn count(comparisons: &str, verdict: Verdict) -> String {
    let counts = Page::counts(comparisons).split(", ");
    let count = counts.filter_map(|count| count.rsplit_once(' '));
    count
        .into_iter()
        .find(|(name, _)| *name == verdict.name())
        .map_or_else(String::new, |(_, count)| count.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FALL: &str = "# Results of fall

galilei-1638, 3: Fall.

Links.

## Quick size

2026-11-16: 1 run, 2.0 s of computing.

Comparisons: agrees 12, differs 2.

| quantity | published | theory | ours | verdict |

## Full size

2026-11-17: 2 runs, 3.0 s of computing.

Comparisons: agrees 13.
";

    #[test]
    fn a_case_has_a_row_for_each_size_below_its_paper() {
        let rise = FALL.replace("fall", "rise").replace("galilei-1638", "archimedes");
        let page = validation_page(&Papers::default(), [FALL, rise.as_str()]).unwrap();
        let order = ["## archimedes", "(cases/rise/", "## galilei-1638", "(cases/fall/"];
        assert!(order.map(|text| page.find(text).unwrap_or(usize::MAX)).is_sorted(), "{page}");
        let row = "| [fall](cases/fall/RESULTS.md) | 3: Fall | quick | 2026-11-16 | 12 |  |  |  |  |  | 2 |  |  |";
        assert!(page.contains(row), "{page}");
        let row = "| [fall](cases/fall/RESULTS.md) | 3: Fall | full | 2026-11-17 | 13 |  |  |  |  |  |  |  |  |";
        assert!(page.contains(row), "{page}");
        let papers = "[[papers]]\nkey = 'galilei-1638'\ntag = 'G'\nname = 'Galilei'\ncitation = 'c'\n\
                      plot = { case = 'fall', index = 0 }\nequations = []\n\
                      problems = [{ at = 'day 3', what = 'fall', case = 'fall' }]\n";
        let papers = Papers::read(papers).unwrap();
        let page = validation_page(&papers, [rise.as_str(), FALL]).unwrap();
        let order = [
            "| Galilei | day 3 | fall | [fall](cases/fall/RESULTS.md) | agrees |",
            "## Galilei",
            "## archimedes",
        ];
        assert!(order.map(|text| page.find(text).unwrap_or(usize::MAX)).is_sorted(), "{page}");
        assert!(page.contains(order[0]) && page.contains(order[2]), "{page}");
        assert!(is_validation_page(&page) && !is_validation_page("# Notes\n"));
    }
}
