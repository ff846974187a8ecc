//! `VALIDATION.md`, from results.

use super::judge::Verdict;
use super::result::CaseResult;
use super::table::{HEADS, cells};
use std::fmt::Write as _;

/// The comparisons of many cases as a page of Markdown.
pub fn markdown(results: &[CaseResult]) -> String {
    let mut text = String::from(
        "# Validation\n\n\
         Published problems, run by `esker reproduce`, which wrote this page: what was published, what \
         theory says, what comes out here. Tolerances stand behind the ±; their reasons, the sources of \
         the figures and what had to be reconstructed are in `cases/`. Verdicts: *agrees*: within the \
         tolerances; *qualitative*: what the paper says in words holds; *differs (known)*: beyond the \
         tolerance, with the cause or 'unknown'; such a row fails as soon as our value moves; *not \
         comparable*: the two are not the same quantity; *fails*.\n\n",
    );
    summary(&mut text, results);
    for result in results {
        section(&mut text, result);
    }
    text
}

fn summary(text: &mut String, results: &[CaseResult]) {
    let words = Verdict::ALL.map(Verdict::word).join(" | ");
    let _ = writeln!(text, "| case | size | {words} |");
    let _ = writeln!(text, "|---|---|{}", "---|".repeat(Verdict::ALL.len()));
    for result in results {
        let counts = Verdict::ALL.map(|verdict| match result.count(verdict) {
            0 => String::new(),
            count => count.to_string(),
        });
        let _ = writeln!(text, "| {} | {} | {} |", result.case, result.size, counts.join(" | "));
    }
}

fn section(text: &mut String, result: &CaseResult) {
    let _ = writeln!(text, "\n## {}\n", result.case);
    let _ = writeln!(
        text,
        "{} {}: {}. [What it shows](cases/{}/README.md).\n",
        result.paper, result.section, result.title, result.case
    );
    let _ = writeln!(text, "| {} |", HEADS.join(" | "));
    let _ = writeln!(text, "|{}", "---|".repeat(HEADS.len()));
    for row in &result.rows {
        let cells = cells(row).map(|cell| escaped(&cell));
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    let remarked = |verdict| {
        matches!(verdict, Verdict::DiffersKnown | Verdict::Fails | Verdict::NotComparable)
    };
    let remarks: Vec<_> = result.rows.iter().filter(|row| remarked(row.verdict)).collect();
    if !remarks.is_empty() {
        text.push('\n');
    }
    for row in remarks {
        let _ = writeln!(text, "- *{}*: {}", escaped(&row.name), escaped(&row.remark));
    }
}

/// A cell of a table: no bars, no lines.
fn escaped(cell: &str) -> String {
    cell.replace('|', "\\|").replace('\n', " ")
}
