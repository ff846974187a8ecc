//! Plots of probes and of the forces on walls for the report.

use super::measure_plots;
use super::probe;
use crate::Outputs;
use crate::plain_file;
use esker::measure::Column;
use esker_draw::{Mark, OutputError, Plot, Series};
use std::collections::BTreeMap;
use std::path::Path;

/// Largest number of walls in one plot.
const MOST_WALLS: usize = 9;

/// The unit of a column of a probe, by its name.
fn unit(column: &str) -> &'static str {
    let units = [
        ("energy", "J"),
        ("torque", "N m"),
        ("force", "N"),
        ("velocity", "m/s"),
        ("speed", "m/s"),
        ("spin", "rad/s"),
        ("angle", "rad"),
        ("position", "m"),
        ("displacement", "m"),
        ("overlap", "m"),
        ("radius", "m"),
        ("mass", "kg"),
        ("work", "J"),
    ];
    units.iter().find(|(part, _)| column.contains(part)).map_or("", |(_, unit)| unit)
}

/// The columns of all probes over time.
pub(super) fn probes(
    folder: &Path,
    outputs: &Outputs,
) -> Result<Vec<(String, String)>, OutputError> {
    let mut plots = Vec::new();
    for one in &outputs.probes {
        let rows = measure_plots::read(&folder.join(format!("probes/{}.csv", one.name)))?;
        let columns: Vec<Column> = probe::columns(one)
            .into_iter()
            .filter(|name| name != "time" && name != "step")
            .map(|name| Column { unit: unit(&name), name })
            .collect();
        let drawn = measure_plots::over_time(&one.name, &columns, 0, None, &rows);
        plots.extend(drawn.into_iter().map(|plot| (String::new(), plot.svg())));
    }
    Ok(plots)
}

/// The magnitude of the force on each wall over time.
pub(super) fn walls(
    folder: &Path,
    outputs: &Outputs,
) -> Result<Vec<(String, String)>, OutputError> {
    if outputs.walls.is_none() {
        return Ok(Vec::new());
    }
    let path = folder.join("walls.csv");
    let wrong = |error: csv::Error| OutputError::content(&path, error.to_string());
    let file = plain_file::open(&path).map_err(OutputError::system("read", &path))?.0;
    let mut reader = csv::Reader::from_reader(file);
    let mut lines: BTreeMap<String, Vec<[f64; 2]>> = BTreeMap::new();
    for record in reader.records() {
        let record = record.map_err(wrong)?;
        let number = |column: usize| {
            record.get(column).and_then(|cell| cell.parse::<f64>().ok()).unwrap_or(f64::NAN)
        };
        // time, step, wall, force
        let force = [3, 4, 5].map(number).iter().map(|part| part * part).sum::<f64>().sqrt();
        let name = record.get(2).unwrap_or_default().to_owned();
        lines.entry(name).or_default().push([number(0), force]);
    }
    let series: Vec<Series> = lines
        .into_iter()
        .filter(|(_, points)| points.len() > 2 && points.iter().any(|point| point[1] > 0.0))
        .take(MOST_WALLS)
        .map(|(name, points)| Series { name, points, mark: Mark::Line })
        .collect();
    if series.is_empty() {
        return Ok(Vec::new());
    }
    let plot = Plot {
        title: "Force on walls".to_owned(),
        x_label: "time [s]".to_owned(),
        y_label: "force [N]".to_owned(),
        series,
        ..Plot::default()
    };
    Ok(vec![(String::new(), plot.svg())])
}
