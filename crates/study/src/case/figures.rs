//! The plots of a paper, redrawn: computed lines, theoretical curves and published points.

use super::each;
use super::file::{PlotFile, PointsFile, TheoryFile};
use super::folder::Case;
use super::formula::{Formula, Value};
use super::scope::{Bound, Data};
use esker_draw::{Mark, Plot, Scale, Series};

/// Number of points of a theoretical curve.
const SAMPLES: usize = 400;

/// Caption and SVG of every plot with at least one computed line.
pub(super) fn plots(case: &Case, data: &Data<'_>) -> Result<Vec<(String, String)>, String> {
    let mut drawn = Vec::new();
    for file in &case.text.plots {
        let plot =
            plot(case, file, data).map_err(|what| format!("plot `{}`: {what}", file.title))?;
        // A plot of published points and theory alone shows no result of Esker.
        if plot.series.iter().any(|series| series.mark != Mark::Dashes) && has_ours(file, data) {
            drawn.push((file.caption.clone(), plot.svg()));
        }
    }
    Ok(drawn)
}

fn has_ours(file: &PlotFile, data: &Data<'_>) -> bool {
    let lines = file.lines.iter().any(|line| data.has_runs_of(&line.y));
    lines || file.points.iter().any(|points| !points.y.is_empty() && made(points, data))
}

fn made(points: &PointsFile, data: &Data<'_>) -> bool {
    points.x.iter().chain(&points.y).all(|formula| data.has_runs_of(formula))
}

fn plot(case: &Case, file: &PlotFile, data: &Data<'_>) -> Result<Plot, String> {
    let mut series = Vec::new();
    for line in file.lines.iter().filter(|line| data.has_runs_of(&line.y)) {
        let points = joined(&column(&line.x, data)?, &column(&line.y, data)?)?;
        series.push(Series { name: line.name.clone(), points, mark: Mark::Line });
    }
    for points in file.points.iter().filter(|points| made(points, data)) {
        let mark = if points.joined { Mark::JoinedPoints } else { Mark::Points };
        let name = points.name.clone();
        series.push(Series { name, points: published_points(case, points, data)?, mark });
    }
    for curve in &file.theory {
        let name = curve.name.clone();
        series.push(Series { name, points: sampled(curve, data)?, mark: Mark::Dashes });
    }
    let scale = |logarithmic| if logarithmic { Scale::Logarithmic } else { Scale::Linear };
    Ok(Plot {
        title: file.title.clone(),
        x_label: file.x.clone(),
        y_label: file.y.clone(),
        x_scale: scale(file.x_logarithmic),
        y_scale: scale(file.y_logarithmic),
        series,
        ..Plot::default()
    })
}

fn column(formula: &Formula, data: &Data<'_>) -> Result<Vec<f64>, String> {
    match formula.value(data)? {
        Value::Series(series) => Ok(series.values.clone()),
        _ => Err(format!("`{}` is not a column", formula.text())),
    }
}

fn joined(x: &[f64], y: &[f64]) -> Result<Vec<[f64; 2]>, String> {
    if x.len() != y.len() {
        return Err(format!("{} values along x and {} along y", x.len(), y.len()));
    }
    Ok(x.iter().zip(y).map(|(x, y)| [*x, *y]).collect())
}

fn published_points(
    case: &Case,
    file: &PointsFile,
    data: &Data<'_>,
) -> Result<Vec<[f64; 2]>, String> {
    if let (Some(name), Some(columns)) = (&file.file, &file.columns) {
        let rows = each::rows(&case.files, name, file.chosen.as_ref())?;
        let cell = |row: &each::NamedRow, column: &str| {
            let found = row.iter().find(|(name, _)| name == column);
            found
                .and_then(|(_, cell)| cell.parse::<f64>().ok())
                .ok_or_else(|| format!("`{name}`: no number in column `{column}`"))
        };
        return rows
            .iter()
            .map(|row| Ok([cell(row, &columns[0])?, cell(row, &columns[1])?]))
            .collect();
    }
    let numbers = |list: &[Formula]| {
        list.iter().map(|formula| formula.number(data)).collect::<Result<Vec<f64>, _>>()
    };
    joined(&numbers(&file.x)?, &numbers(&file.y)?)
}

fn sampled(curve: &TheoryFile, data: &Data<'_>) -> Result<Vec<[f64; 2]>, String> {
    let (from, to) = (curve.from.number(data)?, curve.to.number(data)?);
    (0..=SAMPLES)
        .map(|index| {
            let x = from + (to - from) * index as f64 / SAMPLES as f64;
            let scope = Bound { inner: data, word: "x", value: x };
            let y = curve.formula.value(&scope)?.number()?;
            Ok([x, y])
        })
        .collect()
}
