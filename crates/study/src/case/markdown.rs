//! `VALIDATION.md`, from results.
//!
//! The page holds both sizes of every case. A run of some cases at one size replaces what it
//! compares and keeps the rest as it stands.

use super::file::Size;
use super::judge::{Row, Verdict};
use super::result::CaseResult;
use super::table::{HEADS, cells};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const TITLE: &str = "# Validation\n";
const INTRODUCTION: &str = "Published problems, run by `esker reproduce`, which wrote this page: what was published, what \
     theory says, what comes out here. Tolerances stand behind the ±; their reasons, the sources of \
     the figures and what had to be reconstructed are in `cases/`. Verdicts: *agrees*: within the \
     tolerances; *qualitative*: what the paper says in words holds; *differs (known)*: beyond the \
     tolerance, with the cause or 'unknown'; such a row fails as soon as our value moves; *not \
     comparable*: the two are not the same quantity; *fails*. Of several runs the mean ± the standard \
     deviation is given. The full size is that of the paper.";

/// What begins the part of a case.
const CASE: &str = "\n## ";
/// What begins the part of a size.
const PART: &str = "\n### ";

/// What the page says about a case.
#[derive(Default)]
pub(super) struct Section {
    pub head: String,
    pub parts: BTreeMap<Part, String>,
}

/// A part of a section.
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

    /// For the table of all cases; the heading says `Quick size`.
    fn word(self) -> &'static str {
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

/// The comparisons of many cases as a page of Markdown; what `earlier`, such a page, says of other
/// cases and of the other size is kept.
pub fn markdown(results: &[CaseResult], earlier: Option<&str>) -> Result<String, String> {
    let mut sections = earlier.map_or_else(|| Ok(BTreeMap::new()), read)?;
    for result in results {
        let section: &mut Section = sections.entry(result.case.clone()).or_default();
        section.head = head(&result.case, [&result.paper, &result.section, &result.title]);
        let part = Part::of(result);
        section.parts.retain(|old, _| (*old == Part::Both) == (part == Part::Both));
        section.parts.insert(part, comparisons(result));
    }
    Ok(written(&sections))
}

/// What is said first of a case.
pub(super) fn head(case: &str, [paper, section, title]: [&str; 3]) -> String {
    let [paper, section, title] = [paper, section, title].map(escaped);
    format!("{paper} {section}: {title}. [What it shows](cases/{case}/README.md).")
}

/// Takes a page apart.
pub(super) fn read(page: &str) -> Result<BTreeMap<String, Section>, String> {
    if !page.starts_with(TITLE) {
        return Err(format!("it does not begin with `{}`", TITLE.trim_end()));
    }
    page.split(CASE).skip(1).map(section).collect()
}

fn section(text: &str) -> Result<(String, Section), String> {
    let (name, text) = text.split_once('\n').unwrap_or((text, ""));
    let mut pieces = text.split(PART);
    let head = pieces.next().unwrap_or_default().trim().to_owned();
    let mut parts = BTreeMap::new();
    for piece in pieces {
        let (heading, text) = piece.split_once('\n').unwrap_or((piece, ""));
        let part = Part::ALL.into_iter().find(|part| part.heading() == heading);
        let part = part.ok_or_else(|| format!("`{name}` has a part `{heading}`"))?;
        parts.insert(part, text.trim().to_owned());
    }
    if parts.is_empty() {
        return Err(format!("`{name}` has no part of a size"));
    }
    Ok((name.to_owned(), Section { head, parts }))
}

fn written(sections: &BTreeMap<String, Section>) -> String {
    let mut text = format!("{TITLE}\n{INTRODUCTION}\n\n");
    let words = Verdict::ALL.map(Verdict::word).join(" | ");
    let _ = writeln!(text, "| case | size | {words} |");
    let _ = writeln!(text, "|---|---|{}", "---|".repeat(Verdict::ALL.len()));
    for (name, section) in sections {
        for (part, comparisons) in &section.parts {
            let counts = Verdict::ALL.map(|verdict| count(comparisons, verdict)).join(" | ");
            let _ = writeln!(text, "| {name} | {} | {counts} |", part.word());
        }
    }
    for (name, section) in sections {
        let _ = write!(text, "{CASE}{name}\n\n{}\n", section.head);
        for (part, comparisons) in &section.parts {
            let _ = write!(text, "{PART}{}\n\n{comparisons}\n", part.heading());
        }
    }
    text
}

/// How many rows end in a verdict; nothing for none.
fn count(comparisons: &str, verdict: Verdict) -> String {
    let end = format!("| {verdict} |");
    match comparisons.lines().filter(|line| line.ends_with(&end)).count() {
        0 => String::new(),
        count => count.to_string(),
    }
}

/// The table of a case at a size, and the remarks.
fn comparisons(result: &CaseResult) -> String {
    let on = if result.day.is_empty() { String::new() } else { format!("{}: ", result.day) };
    let mut text = format!("{on}{}.\n\n", result.computing());
    let _ = writeln!(text, "| {} |", HEADS.join(" | "));
    let _ = writeln!(text, "|{}", "---|".repeat(HEADS.len()));
    for row in &result.rows {
        let _ = writeln!(text, "| {} |", line(row).join(" | "));
    }
    let remarks: Vec<String> = result.rows.iter().filter_map(remark).collect();
    if !remarks.is_empty() {
        let _ = write!(text, "\n{}", remarks.join("\n"));
    }
    text.trim_end().to_owned()
}

/// The cells of a row.
pub(super) fn line(row: &Row) -> [String; 5] {
    cells(row).map(|cell| escaped(&cell))
}

/// The remark on a row that needs one.
pub(super) fn remark(row: &Row) -> Option<String> {
    let remarked =
        matches!(row.verdict, Verdict::DiffersKnown | Verdict::Fails | Verdict::NotComparable);
    remarked.then(|| format!("- *{}*: {}", escaped(&row.name), escaped(&row.remark)))
}

/// A cell of a table: no bars, no lines, no HTML.
fn escaped(cell: &str) -> String {
    without_html(&cell.replace('|', "\\|").replace('\n', " "))
}

/// Markdown passes HTML on to the reader of the page. It begins with `<` and a letter, `/`, `!` or `?`
/// (CommonMark 0.31, 6.6 and 4.6); any other `<` is the sign.
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
    fn a_size_replaces_itself_and_keeps_the_other_and_other_cases() {
        let one = result("b", Size::Quick, false, "fall");
        let page = markdown(&[one.clone(), result("a", Size::Full, false, "rise")], None).unwrap();
        let fuller = CaseResult { wall_time: 50.0, size: Size::Full, ..one.clone() };
        let page = markdown(std::slice::from_ref(&fuller), Some(&page)).unwrap();
        assert!(page.contains("| a | full |") && page.contains("| b | quick |"), "{page}");
        assert!(page.contains("| b | full |") && page.contains(" 2.0 s of computing"), "{page}");
        assert!(page.contains("2026-11-16: 0 runs, 50.0 s of computing, 1.5 s of the processor"));
        let again = CaseResult { wall_time: 60.0, ..fuller };
        let page = markdown(std::slice::from_ref(&again), Some(&page)).unwrap();
        assert!(!page.contains(" 50.0 s") && page.contains(" 60.0 s"), "{page}");
        assert_eq!(markdown(&[again], Some(&page)).unwrap(), page);
        assert_eq!(page.matches("\n## ").count(), 2);
        let order =
            ["\n## a", "\n## b", "### Quick size", "### Full size"].map(|text| page.rfind(text));
        assert!(order.is_sorted(), "{page}");
    }

    #[test]
    fn a_case_that_has_come_to_have_one_size_has_one_part() {
        let quick = markdown(&[result("a", Size::Quick, false, "fall")], None).unwrap();
        let page = markdown(&[result("a", Size::Full, true, "fall")], Some(&quick)).unwrap();
        assert!(page.contains("| a | one |") && !page.contains("Quick size"), "{page}");
        let page = markdown(&[result("a", Size::Full, false, "fall")], Some(&page)).unwrap();
        assert!(page.contains("| a | full |") && !page.contains("One size"), "{page}");
    }

    #[test]
    fn html_of_a_case_is_text_in_the_page() {
        let title = "<script>alert(1)</script> <!-- α<β, α < 3 --> <img src=x>";
        let page = markdown(&[result("a", Size::Quick, false, title)], None).unwrap();
        assert!(!page.contains("<script") && !page.contains("<!--") && !page.contains("<img"));
        assert!(page.contains("&lt;script>alert(1)&lt;/script> &lt;!-- α<β, α < 3 -->"), "{page}");
        assert_eq!(escaped("a|b\nc <b>"), "a\\|b c &lt;b>");
    }

    #[test]
    fn a_page_of_another_kind_is_refused() {
        let one = [result("a", Size::Quick, false, "fall")];
        assert!(markdown(&one, Some("# Notes\n")).unwrap_err().contains("# Validation"));
        let other = "# Validation\n\n## a\n\nmine\n\n### Sources\n\nsome\n";
        assert!(markdown(&one, Some(other)).unwrap_err().contains("Sources"));
    }
}
