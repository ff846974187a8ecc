//! Comparisons on a Markdown page: the points of a series share one line, which shows the largest deviation.
//!
//! A series consists of the comparisons that `each` derives from one name, along the columns that hold numbers (`{t}`,
//! `{particle}`). Columns of text (`{scheme}`) and different verdicts separate series. A point that fails has a
//! separate line.

use super::judge::{Row, Verdict};
use super::table::cells;
use esker_draw::{number, rounded};

/// One comparison, or the points of a series.
pub(super) struct Line<'a> {
    name: String,
    rows: Vec<&'a Row>,
}

/// The lines of a table, in the order of the first comparison of each.
pub(super) fn lines(rows: &[Row]) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for row in rows {
        let name = series_name(row);
        let belongs = |line: &&mut Line<'_>| {
            name.as_deref() == Some(line.name.as_str()) && alike(line.rows[0], row)
        };
        match lines.iter_mut().find(belongs) {
            Some(line) => line.rows.push(row),
            None => lines.push(Line { name: name.unwrap_or_default(), rows: vec![row] }),
        }
    }
    lines
}

/// The name of the series with `{column}` for each column of numbers; none for a single comparison.
fn series_name(row: &Row) -> Option<String> {
    let series = row.series.as_ref().filter(|_| row.verdict != Verdict::Fails)?;
    let mut name = series.name.clone();
    let mut points = false;
    for (column, cell) in &series.cells {
        if cell.parse::<f64>().is_ok() {
            points = true;
        } else {
            name = name.replace(&format!("{{{column}}}"), cell);
        }
    }
    points.then_some(name)
}

fn alike(one: &Row, other: &Row) -> bool {
    one.verdict == other.verdict && one.unit == other.unit && one.claim == other.claim
}

impl Line<'_> {
    /// The cells: quantity, published, theory, ours, verdict.
    pub(super) fn cells(&self) -> [String; 5] {
        let [row] = self.rows[..] else { return self.cells_of_series() };
        cells(row)
    }

    fn cells_of_series(&self) -> [String; 5] {
        let first = self.rows[0];
        let unit = if first.unit.is_empty() { String::new() } else { format!(" [{}]", first.unit) };
        let published = self.range(|row| row.published, |row| row.published_tolerance);
        let published = match &first.claim {
            Some(claim) if published == "–" => claim.clone(),
            _ => published,
        };
        [
            format!("{}, {} points{unit}", self.filled_name(), self.rows.len()),
            published,
            self.range(|row| row.theory, |row| row.theory_tolerance),
            self.largest_deviation().unwrap_or_else(|| self.range(|row| row.ours, |_| None)),
            first.verdict.name().to_owned(),
        ]
    }

    /// The name of the quantity without its unit.
    pub(super) fn quantity(&self) -> String {
        let [row] = self.rows[..] else { return self.filled_name() };
        row.name.clone()
    }

    /// True if a quantity is among the points.
    pub(super) fn contains(&self, id: &str) -> bool {
        self.rows.iter().any(|row| row.id == id)
    }

    /// The remarks on a difference, on a failure or on incomparable quantities, each once.
    pub(super) fn remarks(&self) -> Vec<&str> {
        let mut remarks: Vec<&str> = Vec::new();
        for row in self.rows.iter().filter(|row| row.verdict.is_remarked()) {
            if !remarks.contains(&row.remark.as_str()) {
                remarks.push(&row.remark);
            }
        }
        remarks
    }

    /// The name with the values or the range of each column: `sphere 1, 2, position x at 0.4 … 1.5 s`.
    fn filled_name(&self) -> String {
        let columns = self.rows[0].series.iter().flat_map(|series| &series.cells);
        let mut name = self.name.clone();
        for (column, _) in columns {
            let mark = format!("{{{column}}}");
            if name.contains(&mark) {
                name = name.replace(&mark, &self.values(column));
            }
        }
        name
    }

    /// The distinct cells of a column in ascending order: a few are listed, many are shown as a range.
    fn values(&self, column: &str) -> String {
        let all = self.rows.iter().filter_map(|row| cell(row, column));
        let mut values: Vec<(f64, &str)> =
            all.filter_map(|cell| Some((cell.parse().ok()?, cell))).collect();
        values.sort_by(|one, other| one.0.total_cmp(&other.0));
        values.dedup_by(|one, other| one.1 == other.1);
        match values[..] {
            [(_, first), .., (_, last)] if values.len() > 3 => format!("{first} … {last}"),
            _ => values.iter().map(|(_, cell)| *cell).collect::<Vec<_>>().join(", "),
        }
    }

    /// The range of a value over the points, with the range of its tolerance.
    fn range(
        &self,
        value: impl Fn(&Row) -> Option<f64>,
        width: impl Fn(&Row) -> Option<f64>,
    ) -> String {
        let span = |values: Option<(f64, f64)>, digits| match values? {
            (least, greatest) if least == greatest => Some(rounded(least, digits)),
            (least, greatest) => {
                Some(format!("{} … {}", rounded(least, digits), rounded(greatest, digits)))
            }
        };
        let values = span(extremes(self.rows.iter().filter_map(|row| value(row))), 6);
        let widths = span(extremes(self.rows.iter().filter_map(|row| width(row))), 3);
        match (values, widths) {
            (None, _) => "–".to_owned(),
            (Some(values), None) => values,
            (Some(values), Some(widths)) => format!("{values} ± {widths}"),
        }
    }

    /// The deviation that is largest in units of its tolerance, and the point at which it occurs.
    fn largest_deviation(&self) -> Option<String> {
        let deviations = self.rows.iter().filter_map(|row| Some((row, deviation(row)?)));
        let (row, (_, difference)) =
            deviations.reduce(|worst, next| if next.1.0 > worst.1.0 { next } else { worst })?;
        let columns = row.series.iter().flat_map(|series| &series.cells);
        let largest_at: Vec<String> = columns
            .filter(|(_, cell)| cell.parse::<f64>().is_ok())
            .map(|(column, cell)| format!("{column} = {cell}"))
            .collect();
        let ours = number(row.ours);
        Some(format!(
            "largest deviation {}: {ours} at {}",
            rounded(difference, 3),
            largest_at.join(", ")
        ))
    }
}

fn cell<'a>(row: &'a Row, column: &str) -> Option<&'a str> {
    let cells = &row.series.as_ref()?.cells;
    cells.iter().find(|(name, _)| name == column).map(|(_, cell)| cell.as_str())
}

fn extremes(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |found, value| {
        let (least, greatest) = found.unwrap_or((value, value));
        Some((f64::min(least, value), f64::max(greatest, value)))
    })
}

/// The deviation in units of the tolerance and its value, relative to the published or the theoretical value, whichever
/// is farther; none without a tolerance.
fn deviation(row: &Row) -> Option<(f64, f64)> {
    let ours = row.ours?;
    let of = |expected: Option<f64>, tolerance: Option<f64>| {
        let (expected, tolerance) = (expected?, tolerance?);
        let difference = (ours - expected).abs();
        let scaled = if difference == 0.0 { 0.0 } else { difference / tolerance };
        Some((scaled, difference))
    };
    let published = of(row.published, row.published_tolerance);
    let theory = of(row.theory, row.theory_tolerance);
    match (published, theory) {
        (Some(one), Some(other)) => Some(if other.0 > one.0 { other } else { one }),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::super::file::Series;
    use super::*;

    fn point(name: &str, cells: &[(&str, &str)], published: f64, ours: f64) -> Row {
        let cells = cells.iter().map(|(column, cell)| ((*column).into(), (*cell).into())).collect();
        Row {
            id: String::new(),
            name: "point".to_owned(),
            unit: "m".to_owned(),
            published: Some(published),
            published_tolerance: Some(0.1),
            theory: None,
            theory_tolerance: None,
            claim: None,
            ours: Some(ours),
            spread: None,
            runs: None,
            verdict: Verdict::Agrees,
            reason: String::new(),
            remark: String::new(),
            series: Some(Series { name: name.to_owned(), cells }),
        }
    }

    fn shown(rows: &[Row]) -> Vec<[String; 5]> {
        lines(rows).iter().map(Line::cells).collect()
    }

    #[test]
    fn points_along_numbers_share_a_line_with_their_largest_deviation() {
        let at = |t: &str, published, ours| {
            point("{scheme}: x at {t} s", &[("scheme", "leapfrog"), ("t", t)], published, ours)
        };
        let rows = [at("1", 1.0, 1.01), at("2", 2.0, 1.95), at("3", 3.0, 3.02), at("10", 4.0, 4.0)];
        let expected = [
            "leapfrog: x at 1 … 10 s, 4 points [m]",
            "1 … 4 ± 0.1",
            "–",
            "largest deviation 0.05: 1.95 at t = 2",
            "agrees",
        ];
        assert_eq!(shown(&rows), [expected]);
    }

    #[test]
    fn text_columns_verdicts_and_failures_separate_lines() {
        let at = |scheme: &str, t: &str| {
            point("{scheme}: x at {t} s", &[("scheme", scheme), ("t", t)], 1.0, 1.0)
        };
        let mut rows = [at("a", "1"), at("a", "2"), at("b", "1"), at("b", "2"), at("b", "3")];
        rows[4].verdict = Verdict::Fails;
        rows[4].remark = "beyond the tolerance".to_owned();
        let names: Vec<String> = shown(&rows).into_iter().map(|[name, ..]| name).collect();
        assert_eq!(
            names,
            ["a: x at 1, 2 s, 2 points [m]", "b: x at 1, 2 s, 2 points [m]", "point [m]"]
        );
        let lines = lines(&rows);
        assert_eq!(lines[2].remarks(), ["beyond the tolerance"]);
        assert_eq!(lines[0].remarks(), [""; 0]);
    }

    #[test]
    fn the_deviation_is_judged_in_units_of_its_tolerance() {
        let mut rows = [
            point("x at {t} s", &[("t", "1")], 1.0, 1.05),
            point("x at {t} s", &[("t", "2")], 1.0, 1.2),
        ];
        rows[1].published_tolerance = Some(1.0);
        let [line] = &shown(&rows)[..] else { panic!("one line") };
        assert_eq!(line[1], "1 ± 0.1 … 1");
        assert_eq!(line[3], "largest deviation 0.05: 1.05 at t = 1");
    }

    #[test]
    fn a_series_that_cannot_be_compared_shows_its_range() {
        let mut rows = [
            point("x at {t} s", &[("t", "1")], 1.0, 5.0),
            point("x at {t} s", &[("t", "2")], 2.0, 7.0),
        ];
        for row in &mut rows {
            row.published_tolerance = None;
            row.verdict = Verdict::NotComparable;
            row.remark = "another quantity".to_owned();
        }
        let [line] = &shown(&rows)[..] else { panic!("one line") };
        assert_eq!(line[1], "1 … 2");
        assert_eq!(line[3], "5 … 7");
        assert_eq!(lines(&rows)[0].remarks(), ["another quantity"]);
    }
}
