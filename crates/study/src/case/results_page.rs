//! `RESULTS.md` of a case: its comparisons at both sizes as Markdown.
//!
//! The comparisons of a run at one size replace those of that size; those of the other are kept.

use super::file::Size;
use super::judge::{Row, Verdict};
use super::result::CaseResult;
use super::series::{Line, lines};
use super::table::HEADS;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const TITLE: &str = "# Results of ";
const LINKS: &str = "Sources, reconstruction and meaning: [README.md](README.md). Verdicts and all \
     cases: [VALIDATION.md](../../VALIDATION.md).";
/// Begins the line that counts the verdicts.
const COUNTS: &str = "Comparisons: ";
/// Begins the comparisons of a size.
const PART: &str = "\n## ";

/// The page of a case.
#[derive(Default)]
pub(super) struct Page {
    pub case: String,
    /// Paper, section and title.
    pub head: String,
    pub parts: BTreeMap<Part, String>,
}

/// A size on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Both,
    Quick,
    Full,
}

impl Part {
    const ALL: [Self; 3] = [Self::Both, Self::Quick, Self::Full];

    fn of(result: &CaseResult) -> Self {
        match result.size {
            _ if result.only_size => Self::Both,
            Size::Quick => Self::Quick,
            Size::Full => Self::Full,
        }
    }

    /// Its name in the table of all cases.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Both => "one",
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }

    pub(super) fn heading(self) -> &'static str {
        match self {
            Self::Both => "One size",
            Self::Quick => "Quick size",
            Self::Full => "Full size",
        }
    }
}

/// The page of a case with a new result; the comparisons of the other size in `earlier`, an earlier version of the
/// page, are kept.
pub fn results_page(result: &CaseResult, earlier: Option<&str>) -> Result<String, String> {
    let mut page = earlier.map_or_else(|| Ok(Page::default()), Page::read)?;
    if earlier.is_some() && page.case != result.case {
        return Err(format!("it has the results of `{}`", page.case));
    }
    page.case.clone_from(&result.case);
    page.head = head([&result.paper, &result.section, &result.title]);
    let part = Part::of(result);
    page.parts.retain(|old, _| (*old == Part::Both) == (part == Part::Both));
    page.parts.insert(part, comparisons(result));
    Ok(page.text())
}

/// Paper, section and title of a case.
pub(super) fn head([paper, section, title]: [&str; 3]) -> String {
    let [paper, section, title] = [paper, section, title].map(escaped);
    format!("{paper}, {section}: {title}.")
}

impl Page {
    /// Parses a page.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let rest = text
            .strip_prefix(TITLE)
            .ok_or_else(|| format!("it does not begin with `{}`", TITLE.trim_end()))?;
        let mut pieces = rest.split(PART);
        let (case, head) = pieces.next().unwrap_or_default().split_once('\n').unwrap_or_default();
        let head = head.trim().lines().next().unwrap_or_default().to_owned();
        let mut parts = BTreeMap::new();
        for piece in pieces {
            let (heading, text) = piece.split_once('\n').unwrap_or((piece, ""));
            let part = Part::ALL.into_iter().find(|part| part.heading() == heading);
            let part = part.ok_or_else(|| format!("it has a section `{heading}`"))?;
            parts.insert(part, text.trim().to_owned());
        }
        if parts.is_empty() {
            return Err("it has no section of a size".to_owned());
        }
        Ok(Self { case: case.to_owned(), head, parts })
    }

    fn text(&self) -> String {
        let mut text = format!("{TITLE}{}\n\n{}\n\n{LINKS}\n", self.case, self.head);
        for (part, comparisons) in &self.parts {
            let _ = write!(text, "{PART}{}\n\n{comparisons}\n", part.heading());
        }
        text
    }

    /// The key of the paper.
    pub(super) fn paper(&self) -> &str {
        self.head.split_once(", ").map_or("", |(paper, _)| paper)
    }

    /// The line that counts the verdicts at a size.
    pub(super) fn counts_line(comparisons: &str) -> &str {
        comparisons.lines().find(|line| line.starts_with(COUNTS)).unwrap_or_default()
    }

    /// `agrees 5, fails 1`.
    pub(super) fn counts(comparisons: &str) -> &str {
        let line = Self::counts_line(comparisons).strip_prefix(COUNTS);
        line.and_then(|line| line.strip_suffix('.')).unwrap_or_default()
    }

    /// The date of the last run of a size; empty if the page does not state it.
    pub(super) fn day(comparisons: &str) -> &str {
        comparisons.split_once(": ").map_or("", |(day, _)| day)
    }
}

/// The comparisons of a case at a size: duration, verdicts, table and remarks.
fn comparisons(result: &CaseResult) -> String {
    let day = if result.day.is_empty() { "undated" } else { &result.day };
    section(&format!("{day}: {}.", result.computing()), &result.rows)
}

fn section(computing: &str, rows: &[Row]) -> String {
    let lines = lines(rows);
    let mut text = format!("{computing}\n\n{}\n\n", counts_line(rows));
    let _ = writeln!(text, "| {} |", HEADS.join(" | "));
    let _ = writeln!(text, "|{}", "---|".repeat(HEADS.len()));
    for line in &lines {
        let _ = writeln!(text, "| {} |", cells(line).join(" | "));
    }
    let remarks = remarks(&lines);
    if !remarks.is_empty() {
        let _ = write!(text, "\n{}", remarks.join("\n"));
    }
    text.trim_end().to_owned()
}

/// `Comparisons: agrees 5, fails 1.`, each point of a series counted.
pub(super) fn counts_line(rows: &[Row]) -> String {
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let counted = Verdict::ALL.into_iter().filter(|verdict| count(*verdict) > 0);
    let counts: Vec<String> =
        counted.map(|verdict| format!("{verdict} {}", count(verdict))).collect();
    format!("{COUNTS}{}.", counts.join(", "))
}

/// The cells of a line.
pub(super) fn cells(line: &Line<'_>) -> [String; 5] {
    line.cells().map(|cell| escaped(&cell))
}

/// The remarks on the lines of a table; a remark shared by several lines names all of them.
pub(super) fn remarks(lines: &[Line<'_>]) -> Vec<String> {
    let mut names_by_remark: Vec<(&str, Vec<String>)> = Vec::new();
    for line in lines {
        for remark in line.remarks() {
            let name = format!("*{}*", escaped(&line.quantity()));
            match names_by_remark.iter_mut().find(|(known, _)| *known == remark) {
                Some((_, names)) => names.push(name),
                None => names_by_remark.push((remark, vec![name])),
            }
        }
    }
    let text = |(remark, names): (&str, Vec<String>)| {
        format!("- {}: {}", names.join("; "), escaped(remark))
    };
    names_by_remark.into_iter().map(text).collect()
}

/// A cell of a table: no bars, no lines, no HTML.
fn escaped(cell: &str) -> String {
    without_html(&cell.replace('|', "\\|").replace('\n', " "))
}

/// Markdown passes HTML to the browser of the reader. It begins with `<` and a letter, `/`, `!` or `?` (CommonMark
/// 0.31, 6.6 and 4.6); any other `<` is displayed.
fn without_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let begins = |next: &char| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?');
        if character == '<' && rest.peek().is_some_and(begins) {
            escaped.push_str("&lt;");
        } else {
            escaped.push(character);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(case: &str, size: Size, only_size: bool, title: &str) -> CaseResult {
        CaseResult {
            case: case.to_owned(),
            paper: "galilei-1638".to_owned(),
            section: "3".to_owned(),
            title: title.to_owned(),
            size,
            only_size,
            wall_time: 2.0,
            processor_time: Some(1.5),
            day: "2026-11-16".to_owned(),
            runs: Vec::new(),
            rows: Vec::new(),
            plots: Vec::new(),
            pictures: Vec::new(),
            readme: String::new(),
        }
    }

    #[test]
    fn a_size_replaces_itself_and_keeps_the_other() {
        let quick = result("b", Size::Quick, false, "fall");
        let page = results_page(&quick, None).unwrap();
        let full = CaseResult { wall_time: 50.0, size: Size::Full, ..quick };
        let page = results_page(&full, Some(&page)).unwrap();
        assert!(page.contains("2026-11-16: 0 runs, 50.0 s of computing, 1.5 s of the processor"));
        let again = CaseResult { wall_time: 60.0, ..full };
        let page = results_page(&again, Some(&page)).unwrap();
        assert!(!page.contains(" 50.0 s") && page.contains(" 60.0 s"), "{page}");
        assert!(page.contains(" 2.0 s of computing"), "{page}");
        assert_eq!(results_page(&again, Some(&page)).unwrap(), page);
        let order =
            ["# Results of b", "## Quick size", "## Full size"].map(|text| page.rfind(text));
        assert!(order.is_sorted() && order[0].is_some(), "{page}");
    }

    #[test]
    fn a_case_that_has_come_to_have_one_size_has_one_part() {
        let quick = results_page(&result("a", Size::Quick, false, "fall"), None).unwrap();
        let page = results_page(&result("a", Size::Full, true, "fall"), Some(&quick)).unwrap();
        assert!(page.contains("## One size") && !page.contains("Quick size"), "{page}");
        let page = results_page(&result("a", Size::Full, false, "fall"), Some(&page)).unwrap();
        assert!(page.contains("## Full size") && !page.contains("One size"), "{page}");
    }

    #[test]
    fn html_of_a_case_is_text_in_the_page() {
        let title = "<script>alert(1)</script> <!-- α<β, α < 3 --> <img src=x>";
        let page = results_page(&result("a", Size::Quick, false, title), None).unwrap();
        assert!(!page.contains("<script") && !page.contains("<!--") && !page.contains("<img"));
        assert!(page.contains("&lt;script>alert(1)&lt;/script> &lt;!-- α<β, α < 3 -->"), "{page}");
        assert_eq!(escaped("a|b\nc <b>"), "a\\|b c &lt;b>");
    }

    #[test]
    fn a_page_of_another_kind_or_case_is_refused() {
        let one = result("a", Size::Quick, false, "fall");
        assert!(results_page(&one, Some("# Notes\n")).unwrap_err().contains("# Results of"));
        let other = "# Results of a\n\nmine\n\n## Sources\n\nsome\n";
        assert!(results_page(&one, Some(other)).unwrap_err().contains("Sources"));
        let page = results_page(&result("b", Size::Quick, false, "fall"), None).unwrap();
        assert!(results_page(&one, Some(&page)).unwrap_err().contains("`b`"));
    }
}
