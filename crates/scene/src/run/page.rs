//! The report of a run: pictures with one camera, the energies, the summary and the scene.

use super::measure_plots;
use super::quantities::up;
use super::summary::{Ended, Summary};
use super::table_plots;
use crate::Loaded;
use crate::plain_file;
use esker::measure::Snapshot;
use esker_draw::{
    Camera, ColorBy, OutputError, Picture, PictureStyle, Plot, Report, ReportTable, Scale, Series,
};
use std::path::Path;

/// Lines of the energy plot: column, name.
const ENERGIES: [(&str, &str); 6] = [
    ("kinetic", "kinetic, translation"),
    ("rotational", "kinetic, rotation"),
    ("elastic_normal", "elastic, normal"),
    ("elastic_tangential", "elastic, tangential"),
    ("potential", "potential"),
    ("cohesion", "cohesion"),
];
const LOSSES: [(&str, &str); 6] = [
    ("damping_loss", "damping"),
    ("sliding_loss", "sliding"),
    ("rolling_loss", "rolling"),
    ("cohesion_loss", "cohesion"),
    ("wall_work", "work of walls"),
    ("field_work", "work of fields"),
];

/// Parts of the page that are available from the run.
pub(super) struct Parts<'a> {
    /// Snapshots to draw.
    pub instants: &'a [Snapshot],
    /// The viewer.
    pub viewer: Option<String>,
    /// Notes for the reader.
    pub notes: Vec<String>,
}

/// The page.
pub(super) fn report(
    summary: &Summary,
    loaded: &Loaded,
    folder: &Path,
    parts: Parts<'_>,
) -> Result<String, OutputError> {
    let Parts { instants, viewer, notes } = parts;
    let title = if summary.title.is_empty() { "A run of Esker" } else { &summary.title };
    let mut warnings = summary.warnings.clone();
    match &summary.ended {
        Ended::Finished => {}
        Ended::Interrupted => warnings.insert(0, "The run was interrupted.".to_owned()),
        Ended::OutOfTime => {
            warnings
                .insert(0, "The run was saved and ended at its limit of wall-clock time.".into());
        }
        Ended::Failed(error) => warnings.insert(0, format!("The run was stopped: {error}")),
    }
    warnings.extend(notes);
    let mut plots = measure_plots::plots(folder, &loaded.outputs.measures)?;
    plots.extend(table_plots::probes(folder, &loaded.outputs)?);
    plots.extend(table_plots::walls(folder, &loaded.outputs)?);
    plots.extend(energy_plots(folder, loaded)?);
    let report = Report {
        title: title.to_owned(),
        summary: main_quantities(summary, loaded).into_iter().chain(rows(summary)).collect(),
        warnings,
        viewer,
        pictures: pictures(instants, loaded)?,
        legend: legend(instants),
        plots,
        tables: tables(summary, loaded),
        scene: loaded.source.text().to_owned(),
    };
    report.render()
}

/// The main quantity of each measure at the end.
fn main_quantities(summary: &Summary, loaded: &Loaded) -> Vec<(String, String)> {
    let measured = summary.measured.iter().zip(&loaded.outputs.measures);
    let main = measured.filter_map(|(outcome, measured)| {
        let (column, value) = outcome.values.get(measured.measure.main_column())?;
        let name = format!("{}: {}", outcome.name, column.name).replace('_', " ");
        Some((name, rounded((*value)?, column.unit)))
    });
    main.collect()
}

#[allow(clippy::too_many_lines, reason = "one row after the other")]
fn rows(summary: &Summary) -> Vec<(String, String)> {
    let mut rows = vec![
        ("Particles", summary.particles.present.to_string()),
        ("Simulated time", format!("{:.4} s in {} steps", summary.time, summary.steps)),
        (
            "Time step",
            format!(
                "{:.3e} s, {:.2} of the limit",
                summary.time_step.step, summary.time_step.fraction_of_limit
            ),
        ),
        (
            "Computing",
            format!(
                "{:.1} s, {:.2} million particle steps per second",
                summary.wall_time,
                summary.particle_steps_per_second / 1e6
            ),
        ),
        ("Contacts at the end", summary.contacts.to_string()),
        (
            "Kinetic energy at the end",
            format!(
                "{:.3e} J translational, {:.3e} J rotational",
                summary.energy.kinetic, summary.energy.rotational
            ),
        ),
        ("Seed", summary.seed.to_string()),
    ];
    let counts = &summary.step_counts;
    rows.push(("Integrator", summary.integrator.to_owned()));
    if counts.iterations > 0 {
        rows.push((
            "Steps",
            format!(
                "{} taken, {} rejected, {} iterations, {} evaluations, {} not converged",
                summary.steps,
                counts.rejected,
                counts.iterations,
                counts.evaluations,
                counts.unconverged
            ),
        ));
    }
    if counts.longest > counts.shortest {
        let mean = summary.time_step.mean;
        let text = format!(
            "{:.3e} s to {:.3e} s, mean {mean:.3e} s, changed {} times",
            counts.shortest, counts.longest, summary.time_step.changes
        );
        rows.push(("Length of steps", text));
    }
    rows.extend(summary.time_step.limits().map(|limits| ("Steps limited by", limits)));
    if let Some(steps) = summary.time_step.steps_per_contact {
        rows.push(("Steps in the shortest contact (measured)", format!("{steps:.0}")));
    }
    if summary.overlaps.steps > 0 {
        let largest = 100.0 * summary.overlaps.largest;
        let text = format!("{}; the largest {largest:.1} % of the radius", summary.overlaps.steps);
        rows.push(("Steps with an overlap beyond the limit", text));
    }
    if summary.particles.deleted > 0 {
        rows.push(("Particles that left", summary.particles.deleted.to_string()));
    }
    if let Some(error) = summary.relative_closure_error {
        rows.push((
            "Energy error",
            format!("{} % of the energy exchanged", esker_draw::rounded(100.0 * error.abs(), 2)),
        ));
    }
    rows.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn pictures(instants: &[Snapshot], loaded: &Loaded) -> Result<Vec<(String, Vec<u8>)>, OutputError> {
    if instants.is_empty() {
        return Ok(Vec::new());
    }
    let up = up(loaded.scene.gravity);
    let mut style = PictureStyle { width: 720, height: 480, up, ..PictureStyle::default() };
    let aspect = style.width as f64 / style.height as f64;
    let all: Vec<&Snapshot> = instants.iter().collect();
    style.camera = Some(Camera::around(&all, up, aspect));
    let several_groups = have_several_groups(instants);
    // Colours by group if there are several groups, else by speed.
    style.color = if several_groups { ColorBy::Group } else { ColorBy::Speed };
    let ranges = instants.iter().map(|instant| style.color.range(instant));
    style.range = ranges.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let draw = |instant: &Snapshot| {
        let picture = Picture::draw(instant, &style);
        let caption =
            format!("t = {:.4} s, stage {}: {}", instant.time, instant.stage, picture.caption);
        Ok((caption, picture.png()?))
    };
    // Drawing takes longer than a short run, so the pictures are drawn in parallel.
    let broken = || OutputError::Picture("a picture could not be drawn".to_owned());
    std::thread::scope(|scope| {
        let drawn: Vec<_> =
            instants.iter().map(|instant| scope.spawn(move || draw(instant))).collect();
        drawn.into_iter().map(|one| one.join().unwrap_or_else(|_| Err(broken()))).collect()
    })
}

fn have_several_groups(instants: &[Snapshot]) -> bool {
    let differs = |instant: &Snapshot| {
        let first = instant.particles.first().map(|particle| particle.group);
        instant.particles.iter().any(|particle| Some(particle.group) != first)
    };
    instants.iter().any(differs)
}

/// The groups that pictures show, with their colours; nothing if pictures are not coloured by group.
fn legend(instants: &[Snapshot]) -> Vec<(String, [u8; 3])> {
    let Some(last) = instants.last().filter(|_| have_several_groups(instants)) else {
        return Vec::new();
    };
    let shown = |index: &usize| {
        let mut particles = instants.iter().flat_map(|instant| &instant.particles);
        particles.any(|particle| particle.group.index() == *index)
    };
    let named = last.groups.iter().enumerate().filter(|(index, _)| shown(index));
    named.map(|(index, name)| (name.clone(), esker_draw::group_color(index))).collect()
}

fn energy_plots(folder: &Path, loaded: &Loaded) -> Result<Vec<(String, String)>, OutputError> {
    if loaded.outputs.energy.is_none() {
        return Ok(Vec::new());
    }
    let path = folder.join("energy.csv");
    let wrong = |error: csv::Error| OutputError::content(&path, error.to_string());
    let mut reader = csv::Reader::from_reader(
        plain_file::open(&path).map_err(OutputError::system("read", &path))?.0,
    );
    let header = reader.headers().map_err(wrong)?.clone();
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().map_err(wrong)?;
    let number = |row: &csv::StringRecord, column: usize| {
        row.get(column).and_then(|text| text.parse::<f64>().ok()).unwrap_or(f64::NAN)
    };
    let series = |(column, name): (&str, &str)| {
        let index = header.iter().position(|known| known == column)?;
        let points: Vec<[f64; 2]> =
            rows.iter().map(|row| [number(row, 0), number(row, index)]).collect();
        let shows = points.iter().any(|point| point[1] != 0.0);
        shows.then(|| Series { name: name.to_owned(), points, ..Series::default() })
    };
    let plot = |title: &str, y_label: &str, y_scale: Scale, lines: &[(&str, &str)]| Plot {
        title: title.to_owned(),
        x_label: "time [s]".to_owned(),
        y_label: y_label.to_owned(),
        y_scale,
        series: lines.iter().filter_map(|line| series(*line)).collect(),
        ..Plot::default()
    };
    let all = [
        plot("Energy by kind", "energy [J]", Scale::Linear, &ENERGIES),
        plot("Kinetic energy", "energy [J]", Scale::Logarithmic, &ENERGIES[..2]),
        plot("Dissipation and work", "energy [J]", Scale::Linear, &LOSSES),
        plot("Energy error", "energy [J]", Scale::Linear, &[("closure_error", "energy error")]),
    ];
    let shown = all.iter().filter(|plot| !plot.series.is_empty());
    Ok(shown.map(|plot| (String::new(), plot.svg())).collect())
}

fn tables(summary: &Summary, loaded: &Loaded) -> Vec<ReportTable> {
    // The measures of the scene are first.
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (outcome, measured) in summary.measured.iter().zip(&loaded.outputs.measures) {
        // A profile is plotted instead.
        let profile = measured.measure.profile().map_or(0..0, |profile| profile.columns);
        let main = measured.measure.main_column();
        for index in measure_plots::main_first(outcome.values.len(), main) {
            if profile.contains(&index) {
                continue;
            }
            let (column, value) = &outcome.values[index];
            let value = value.map_or("none".to_owned(), |value| rounded(value, column.unit));
            rows.push(vec![format!("{}: {}", outcome.name, column.name), value]);
        }
    }
    let measures = &summary.measures;
    rows.extend([
        vec!["Mean coordination".to_owned(), format!("{:.3}", measures.mean_coordination)],
        vec![
            "Particles with at most one contact".to_owned(),
            format!("{:.1} %", 100.0 * measures.rattlers),
        ],
        vec![
            "Largest overlap, fraction of the radius".to_owned(),
            format!("{:.2e}", measures.largest_overlap),
        ],
    ]);
    if let Some(height) = measures.max_height {
        rows.push(vec!["Highest point".to_owned(), format!("{height:.4} m")]);
    }
    let columns = vec!["Measure at the end".to_owned(), "Value".to_owned()];
    vec![ReportTable { title: "Measures".to_owned(), columns, rows }]
}

/// A number of a measure with its unit, rounded.
fn rounded(value: f64, unit: &str) -> String {
    let plain = value == 0.0 || (1e-3..1e6).contains(&value.abs());
    let whole = value.fract() == 0.0 && value.abs() < 1e6;
    let number = match (plain, whole) {
        (_, true) => format!("{value}"),
        (true, false) => format!("{value:.4}"),
        (false, false) => format!("{value:.3e}"),
    };
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}
