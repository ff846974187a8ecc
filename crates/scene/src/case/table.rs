//! The comparisons of a case as text: for the terminal.

use super::judge::{Row, Verdict};
use super::result::CaseResult;
use std::fmt::Write as _;

/// A value with six digits.
pub(super) fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| rounded(value, 6))
}

/// A value with so many digits, without idle zeros.
fn rounded(value: f64, digits: i32) -> String {
    let size = value.abs();
    if value == 0.0 {
        return "0".to_owned();
    }
    let text = if (1e-3..1e6).contains(&size) {
        let decimals = f64::from(digits) - 1.0 - libm::floor(libm::log10(size));
        let digits = decimals.clamp(0.0, 8.0) as usize;
        let text = format!("{value:.digits$}");
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => text,
        }
    } else {
        let digits = (digits - 2).clamp(0, 8) as usize;
        let text = format!("{value:.digits$e}");
        match text.split_once('e') {
            Some((digits, exponent)) if digits.contains('.') => {
                format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
            }
            _ => text,
        }
    };
    text.replace('-', "−")
}

/// A value with the width around it.
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
        row.verdict.word().to_owned(),
    ]
}

/// Our value; of several runs the mean, the standard deviation and how many.
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
    let width = |column: usize| {
        lines.iter().map(|line| line[column].chars().count()).max().unwrap_or_default()
    };
    let widths = [0, 1, 2, 3, 4].map(width);
    let mut text = format!(
        "{} ({} {}): {}, {} size, {:.1} s of computing\n",
        result.case, result.paper, result.section, result.title, result.size, result.wall_time
    );
    let aligned = |line: &[String; 5]| {
        let cells = line.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        format!("  {}", cells.collect::<Vec<_>>().join("  ")).trim_end().to_owned()
    };
    let _ = writeln!(text, "{}", aligned(&lines[0]));
    for (row, line) in result.rows.iter().zip(&lines[1..]) {
        let _ = writeln!(text, "{}", aligned(line));
        if matches!(row.verdict, Verdict::DiffersKnown | Verdict::Fails | Verdict::NotComparable) {
            let _ = writeln!(text, "      {}", row.remark);
        }
    }
    let _ = writeln!(text, "  {}\n", result.counts());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits_and_no_idle_zeros() {
        let shown = |value: f64| number(Some(value));
        assert_eq!(shown(0.9), "0.9");
        assert_eq!(shown(-44.705), "−44.705");
        assert_eq!(shown(0.000_123_456), "1.2346e−4");
        assert_eq!(shown(1e-4), "1e−4");
        assert_eq!(shown(12_360.0), "12360");
        assert_eq!(shown(17.980_234_5), "17.9802");
        assert_eq!(shown(0.0), "0");
        assert_eq!(number(None), "–");
    }
}
