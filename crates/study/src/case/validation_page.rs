//! `VALIDATION.md`: one row for each case and size, by paper, from the `RESULTS.md` of all cases.

use super::judge::Verdict;
use super::results_page::Page;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const TITLE: &str = "# Validation\n";
const INTRODUCTION: &str = "Published problems, computed with `esker reproduce`, which writes this \
page and the `RESULTS.md` of each case. A count is a number of comparisons; each point of a series counts. \
Tolerances and their reasons, the sources of the figures and everything that had to be reconstructed are \
in the folder of the case.";
const VERDICTS: &str = "| verdict | meaning |
|---|---|
| agrees | within the tolerances |
| qualitative | a statement of the paper in words holds |
| differs (known) | outside the tolerance; the cause is given, or \"unknown\". The row fails if our value changes |
| not comparable | the two are different quantities, or the paper lacks necessary data |
| fails | anything else |

The full size is that of the paper; the quick size takes minutes for all cases together. \"One\" means \
that both are the same.";

/// The summary of all cases from their pages of results.
pub fn validation_page<'a>(pages: impl IntoIterator<Item = &'a str>) -> Result<String, String> {
    let mut papers: BTreeMap<String, BTreeMap<String, Page>> = BTreeMap::new();
    for text in pages {
        let page = Page::read(text)?;
        let paper = page.head.split_once(", ").map_or("", |(paper, _)| paper).to_owned();
        papers.entry(paper).or_default().insert(page.case.clone(), page);
    }
    let mut text = format!("{TITLE}\n{INTRODUCTION}\n\n{VERDICTS}\n");
    for (paper, cases) in &papers {
        let _ = write!(text, "\n## {paper}\n\n{}", table(paper, cases));
    }
    Ok(text)
}

/// Whether a file may be replaced by the summary.
pub fn is_validation_page(text: &str) -> bool {
    text.starts_with(TITLE)
}

fn table(paper: &str, cases: &BTreeMap<String, Page>) -> String {
    let verdicts = Verdict::ALL.map(Verdict::word).join(" | ");
    let mut text = format!("| case | problem | size | date | {verdicts} |\n");
    let _ = writeln!(text, "|{}", "---|".repeat(4 + Verdict::ALL.len()));
    for (case, page) in cases {
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
        .find(|(name, _)| *name == verdict.word())
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

Comparisons: agrees 12, differs (known) 2.

| quantity | published | theory | ours | verdict |

## Full size

2026-11-17: 2 runs, 3.0 s of computing.

Comparisons: agrees 13.
";

    #[test]
    fn a_case_has_a_row_for_each_size_below_its_paper() {
        let rise = FALL.replace("fall", "rise").replace("galilei-1638", "archimedes");
        let page = validation_page([FALL, rise.as_str()]).unwrap();
        let order = ["## archimedes", "(cases/rise/", "## galilei-1638", "(cases/fall/"];
        assert!(order.map(|text| page.find(text).unwrap_or(usize::MAX)).is_sorted(), "{page}");
        let row =
            "| [fall](cases/fall/RESULTS.md) | 3: Fall | quick | 2026-11-16 | 12 |  | 2 |  |  |";
        assert!(page.contains(row), "{page}");
        let row =
            "| [fall](cases/fall/RESULTS.md) | 3: Fall | full | 2026-11-17 | 13 |  |  |  |  |";
        assert!(page.contains(row), "{page}");
        assert!(is_validation_page(&page) && !is_validation_page("# Notes\n"));
    }
}
