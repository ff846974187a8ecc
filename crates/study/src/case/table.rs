//! The comparisons of a case as text for the terminal.

use super::judge::Row;
use super::result::CaseResult;
use esker_draw::{aligned, number, rounded};
use std::fmt::Write as _;

/// A value with its tolerance.
pub(super) fn with_width(value: Option<f64>, width: Option<f64>) -> String {
    match (value, width) {
        (None, _) => "–".to_owned(),
        (Some(_), None) => number(value),
        (Some(_), Some(width)) => format!("{} ± {}", number(value), rounded(width, 3)),
    }
}

/// The cells of a row: quantity, published, theory, ours, verdict.
pub(super) fn cells(row: &Row) -> [String; 5] {
    let unit = if row.unit.is_empty() { String::new() } else { format!(" [{}]", row.unit) };
    let published = match (&row.claim, row.published) {
        (Some(claim), None) => claim.clone(),
        _ => with_width(row.published, row.published_tolerance),
    };
    [
        format!("{}{unit}", row.name),
        published,
        with_width(row.theory, row.theory_tolerance),
        ours(row),
        row.verdict.name().to_owned(),
    ]
}

/// The computed value; of several runs the mean, the standard deviation and their number.
fn ours(row: &Row) -> String {
    let text = with_width(row.ours, row.spread);
    row.runs.map_or(text.clone(), |runs| format!("{text} ({runs} runs)"))
}

/// The heads of the columns.
pub(super) const HEADS: [&str; 5] = ["quantity", "published", "theory", "ours", "verdict"];

/// All comparisons of a case, aligned, with the remarks on those that differ or fail.
pub fn text_table(result: &CaseResult) -> String {
    let mut lines: Vec<[String; 5]> = vec![HEADS.map(str::to_owned)];
    lines.extend(result.rows.iter().map(cells));
    let lines = aligned(&lines);
    let mut text = format!(
        "{} ({} {}): {}, {} size, {}\n",
        result.case,
        result.paper,
        result.section,
        result.title,
        result.size,
        result.computing()
    );
    let _ = writeln!(text, "{}", lines[0]);
    for (row, line) in result.rows.iter().zip(&lines[1..]) {
        let _ = writeln!(text, "{line}");
        if row.verdict.is_remarked() {
            let _ = writeln!(text, "      {}", row.remark);
        }
    }
    let _ = writeln!(text, "  {}\n", result.counts());
    text
}
