//! Plots of measures for the report: their values over time, and profiles at some times.

use super::measure_table::table_name;
use crate::plain_file;
use crate::settings::Measured;
use esker::measure::{Column, Profile};
use esker_draw::{Mark, OutputError, Plot, Series};
use std::path::Path;

/// Smallest number of rows for a plot; two rows, start and end, are shown in the table.
const FEWEST_ROWS: usize = 3;
/// Largest ratio of two quantities of one unit in the same plot: smaller ones would coincide with the axis.
const LARGEST_RATIO: f64 = 30.0;
/// Largest number of quantities in one plot.
const MOST_LINES: usize = 9;
/// Number of times at which a profile is drawn.
const PROFILES: usize = 5;

/// The table of a measure: times, and the values of its columns row by row.
pub(super) struct Rows {
    times: Vec<f64>,
    values: Vec<Vec<f64>>,
}

/// The plots of all measures in a run folder, each with a caption.
pub(super) fn plots(
    folder: &Path,
    measures: &[Measured],
) -> Result<Vec<(String, String)>, OutputError> {
    let mut plots = Vec::new();
    for measured in measures {
        let rows = read(&folder.join(table_name(&measured.name)))?;
        let columns = measured.measure.columns();
        let profile = measured.measure.profile();
        let main = measured.measure.main_column();
        for plot in over_time(&measured.name, &columns, main, profile.as_ref(), &rows) {
            plots.push((String::new(), plot.svg()));
        }
        if let Some(profile) = profile {
            plots.extend(
                of_profile(&measured.name, &profile, &rows).map(|plot| (String::new(), plot.svg())),
            );
        }
    }
    Ok(plots)
}

pub(super) fn read(path: &Path) -> Result<Rows, OutputError> {
    let wrong = |error: csv::Error| OutputError::content(path, error.to_string());
    let mut reader = csv::Reader::from_reader(
        plain_file::open(path).map_err(OutputError::system("read", path))?.0,
    );
    let mut rows = Rows { times: Vec::new(), values: Vec::new() };
    for record in reader.records() {
        let record = record.map_err(wrong)?;
        let mut numbers = record.iter().map(|cell| cell.parse::<f64>().unwrap_or(f64::NAN));
        rows.times.push(numbers.next().unwrap_or(f64::NAN));
        // the step
        numbers.next();
        rows.values.push(numbers.collect());
    }
    Ok(rows)
}

impl Rows {
    fn value(&self, row: usize, column: usize) -> f64 {
        self.values[row].get(column).copied().unwrap_or(f64::NAN)
    }

    fn line(&self, column: usize, name: &str) -> Series {
        let rows = 0..self.times.len();
        let points: Vec<[f64; 2]> =
            rows.map(|row| [self.times[row], self.value(row, column)]).collect();
        Series { name: name.to_owned(), points, mark: Mark::Line }
    }
}

/// The largest magnitude of a line; zero if it is zero or empty.
fn size(line: &Series) -> f64 {
    line.points
        .iter()
        .map(|point| point[1].abs())
        .filter(|size| size.is_finite())
        .fold(0.0, f64::max)
}

/// Column numbers with the main one first.
pub(super) fn main_first(count: usize, main: usize) -> impl Iterator<Item = usize> {
    std::iter::once(main)
        .filter(move |main| *main < count)
        .chain((0..count).filter(move |i| *i != main))
}

/// The common quantity of columns, for a title: `mean_position_x` and `mean_position_y` are the mean position. None if
/// the columns are of more than three kinds.
fn quantity(lines: &[Series]) -> String {
    let mut kinds: Vec<String> = Vec::new();
    for line in lines {
        let stem = ["_x", "_y", "_z"].iter().find_map(|end| line.name.strip_suffix(end));
        let kind = stem.unwrap_or(&line.name).replace('_', " ");
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    if kinds.len() > 3 { String::new() } else { kinds.join(", ") }
}

/// All quantities but those of a profile over time, the main one first; quantities of one unit and of similar magnitude
/// share a plot.
pub(super) fn over_time(
    name: &str,
    columns: &[Column],
    main: usize,
    profile: Option<&Profile>,
    rows: &Rows,
) -> Vec<Plot> {
    if rows.times.len() < FEWEST_ROWS {
        return Vec::new();
    }
    let mut groups: Vec<(&str, f64, Vec<Series>)> = Vec::new();
    for index in main_first(columns.len(), main) {
        let column = &columns[index];
        if profile.is_some_and(|profile| profile.columns.contains(&index)) {
            continue;
        }
        let line = rows.line(index, &column.name);
        if !line.points.iter().any(|point| point[1].is_finite()) {
            continue;
        }
        let size = size(&line);
        let fits = |(unit, other, lines): &&mut (&str, f64, Vec<Series>)| {
            let alike = size.max(*other) <= LARGEST_RATIO * size.min(*other);
            *unit == column.unit
                && lines.len() < MOST_LINES
                && (alike || size == 0.0 || *other == 0.0)
        };
        match groups.iter_mut().find(fits) {
            Some((_, largest, lines)) => {
                *largest = largest.max(size);
                lines.push(line);
            }
            None => groups.push((column.unit, size, vec![line])),
        }
    }
    let plot = |(unit, _, series): (&str, f64, Vec<Series>)| {
        let what = quantity(&series);
        let title = match what.is_empty() || what == name.replace('_', " ") {
            true => name.to_owned(),
            false => format!("{name}: {what}"),
        };
        let y_label = match (what.is_empty(), unit.is_empty()) {
            (false, true) => what,
            (false, false) => format!("{what} [{unit}]"),
            (true, true) => "value".to_owned(),
            (true, false) => format!("[{unit}]"),
        };
        Plot { title, x_label: "time [s]".to_owned(), y_label, series, ..Plot::default() }
    };
    groups.into_iter().map(plot).collect()
}

/// A profile at some times from the start to the end.
fn of_profile(name: &str, profile: &Profile, rows: &Rows) -> Option<Plot> {
    let last = rows.times.len().checked_sub(1)?;
    let mut chosen: Vec<usize> = (0..PROFILES).map(|part| part * last / (PROFILES - 1)).collect();
    chosen.dedup();
    let series = |row: usize| {
        let columns = profile.columns.clone().zip(&profile.positions);
        let points =
            columns.map(|(column, position)| [*position, rows.value(row, column)]).collect();
        Series { name: format!("t = {:.4} s", rows.times[row]), points, mark: Mark::Line }
    };
    Some(Plot {
        title: format!("{name}, as a profile"),
        x_label: profile.along.clone(),
        y_label: profile.label.to_owned(),
        series: chosen.into_iter().map(series).collect(),
        ..Plot::default()
    })
}
