//! The report of a sweep: rankings, and every result over every parameter.

use super::Estimate;
use super::plan::{Method, Plan};
use super::ranking::Ranking;
use super::results::Results;
use super::statistics::mean;
use super::units::{of_key, with_unit};
use super::vary::Parameter;
use esker_draw::{Mark, OutputError, Plot, Report, ReportTable, Series, rounded};

/// Largest number of results that are plotted; others are only in the tables.
const MOST_PLOTTED: usize = 12;
/// Largest number of runs listed on the page; others are only in `results.csv`.
const MOST_LISTED: usize = 200;
/// Number of intervals of a range whose means are joined.
const PARTS: usize = 8;
/// Smallest number of points in such an interval.
const FEWEST_IN_PART: usize = 4;

/// The page.
pub fn page(
    name: &str,
    results: &Results<'_>,
    rankings: &[(usize, Ranking)],
    constant: &[&str],
) -> Result<String, OutputError> {
    let prepared = results.prepared;
    let plan = &prepared.sweep.plan;
    let mut tables: Vec<ReportTable> = if results.has_ranking() {
        rankings.iter().map(|(_, ranking)| ranking_table(plan, ranking)).collect()
    } else {
        value_table(results, rankings).into_iter().collect()
    };
    tables.push(parameter_table(plan));
    tables.extend(run_table(results, rankings));
    let mut plots = Vec::new();
    for (column, ranking) in rankings.iter().take(MOST_PLOTTED) {
        plots.extend(overview(plan, ranking).filter(|_| results.has_ranking()));
        let (means, deviations) = (results.means(*column), results.deviations(*column));
        for (parameter, _) in &ranking.rows {
            let plot = main_effect(plan, *parameter, ranking, (&means, &deviations));
            plots.push((String::new(), plot.svg()));
        }
    }
    let mut warnings: Vec<String> = plan.remarks();
    let failed = results.outcomes.iter().filter(|outcome| outcome.failure().is_some()).count();
    if failed > 0 {
        warnings.push(format!(
            "{failed} of {} runs failed; the table of runs states the causes.",
            results.outcomes.len()
        ));
    }
    if !constant.is_empty() {
        warnings
            .push(format!("These results do not vary or are missing: {}.", constant.join(", ")));
    }
    let report = Report {
        title: format!("Sweep of {name}"),
        summary: summary(results),
        warnings,
        plots,
        tables,
        scene: prepared.sweep.scene.text.clone(),
        ..Report::default()
    };
    report.render()
}

fn summary(results: &Results<'_>) -> Vec<(String, String)> {
    let prepared = results.prepared;
    let plan = &prepared.sweep.plan;
    let wall_time: f64 = prepared
        .different()
        .into_iter()
        .map(|index| match &results.outcomes[index] {
            super::Outcome::Made(result) => result.wall_time,
            _ => 0.0,
        })
        .sum();
    let mut rows = vec![
        ("Method", plan.method.to_string()),
        ("Parameters", plan.parameters.len().to_string()),
        ("Points", plan.points.len().to_string()),
        ("Distinct runs", prepared.different().len().to_string()),
        ("Computing", format!("{wall_time:.1} s")),
    ];
    match plan.method {
        Method::Grid => {}
        Method::Sobol => rows.push(("Rows", plan.samples.to_string())),
        Method::Morris => rows.push(("Paths", plan.samples.to_string())),
        Method::Latin => rows.push(("Samples", plan.samples.to_string())),
    }
    if plan.method != Method::Grid {
        rows.push(("Seed of the sampling", plan.seed.to_string()));
    }
    if plan.seeds > 1 {
        rows.push(("Seeds per point", plan.seeds.to_string()));
    }
    if !prepared.sweep.common.is_empty() {
        rows.push(("Overrides", prepared.sweep.common.join("; ")));
    }
    rows.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn ranking_table(plan: &Plan, ranking: &Ranking) -> ReportTable {
    let mut cells = ranking.cells(plan).into_iter();
    let columns = cells.next().unwrap_or_default();
    let mut title = format!("Effects on {}", ranking.title());
    if !ranking.remarks.is_empty() {
        title = format!("{title} ({})", ranking.remarks.join("; "));
    }
    ReportTable { title, columns, rows: cells.collect() }
}

fn parameter_table(plan: &Plan) -> ReportTable {
    let row = |parameter: &Parameter| vec![parameter.key.clone(), parameter.shown()];
    ReportTable {
        title: "Parameters".to_owned(),
        columns: ["parameter", "values"].map(str::to_owned).to_vec(),
        rows: plan.parameters.iter().map(row).collect(),
    }
}

/// Results over the values of a single parameter.
fn value_table(results: &Results<'_>, rankings: &[(usize, Ranking)]) -> Option<ReportTable> {
    let shown = &rankings[..rankings.len().min(MOST_PLOTTED)];
    let mut cells = results.by_value(shown).into_iter();
    let columns = cells.next()?;
    let title = match results.prepared.sweep.plan.seeds {
        1 => "Results".to_owned(),
        seeds => format!("Results: mean ± standard deviation over {seeds} seeds"),
    };
    Some(ReportTable { title, columns, rows: cells.collect() })
}

/// The runs with their results; if there are many, only failed ones.
fn run_table(results: &Results<'_>, rankings: &[(usize, Ranking)]) -> Option<ReportTable> {
    let prepared = results.prepared;
    let plan = &prepared.sweep.plan;
    let all = prepared.runs.len() <= MOST_LISTED;
    let mut columns = vec!["run".to_owned()];
    columns.extend(plan.parameters.iter().map(|parameter| parameter.key.clone()));
    columns.extend((plan.seeds > 1).then(|| "seed".to_owned()));
    columns.push("ended".to_owned());
    let shown = &rankings[..rankings.len().min(MOST_PLOTTED)];
    columns.extend(shown.iter().map(|(_, ranking)| ranking.title()));
    let rows: Vec<Vec<String>> = prepared
        .runs
        .iter()
        .zip(results.outcomes.iter().zip(&results.values))
        .filter(|(_, (outcome, _))| all || outcome.failure().is_some())
        .take(MOST_LISTED)
        .map(|(run, (outcome, values))| {
            let mut row = vec![run.name.clone()];
            row.extend(run.settings.iter().cloned());
            row.extend(run.seed.map(|seed| seed.to_string()));
            row.push(outcome.failure().unwrap_or(outcome.name()).to_owned());
            row.extend(shown.iter().map(|(column, _)| match values[*column] {
                value if value.is_finite() => rounded(value, 4),
                _ => "–".to_owned(),
            }));
            row
        })
        .collect();
    let title = if all { "Runs" } else { "Runs that failed" }.to_owned();
    (!rows.is_empty()).then_some(ReportTable { title, columns, rows })
}

/// A result over a parameter: the points, with bars of one standard deviation over the seeds, and the means of
/// intervals of similar values.
fn main_effect(
    plan: &Plan,
    parameter: usize,
    ranking: &Ranking,
    (means, deviations): (&[f64], &[Option<f64>]),
) -> Plot {
    let one = &plan.parameters[parameter];
    let points: Vec<[f64; 2]> = plan
        .points
        .iter()
        .zip(means)
        .map(|(point, result)| [one.number(point[parameter]), *result])
        .collect();
    let most = (points.len() / FEWEST_IN_PART).clamp(1, PARTS);
    let parts = one.levels().unwrap_or(most);
    let part = |coordinate: f64| match one.levels() {
        Some(_) => coordinate as usize,
        None => ((coordinate * parts as f64) as usize).min(parts - 1),
    };
    let mut line = Vec::new();
    for index in 0..parts {
        let inside = |(point, _): &(&Vec<f64>, &[f64; 2])| part(point[parameter]) == index;
        let here: Vec<[f64; 2]> = plan
            .points
            .iter()
            .zip(&points)
            .filter(inside)
            .map(|(_, point)| *point)
            .filter(|point| point[1].is_finite())
            .collect();
        if !here.is_empty() {
            let along =
                |axis: usize| mean(&here.iter().map(|point| point[axis]).collect::<Vec<_>>());
            line.push([along(0), along(1)]);
        }
    }
    let several = line.len() > 1 && line.len() < points.len();
    let mut series = vec![match plan.seeds {
        1 => Series { name: "runs".to_owned(), points, mark: Mark::Points },
        _ => with_bars(&points, deviations),
    }];
    if several {
        let mark = Mark::JoinedPoints;
        series.push(Series { name: "mean".to_owned(), points: line, mark });
    }
    Plot {
        title: format!("{} over {}", ranking.column, one.key),
        x_label: with_unit(&one.key, of_key(&one.key)),
        y_label: ranking.title(),
        x_scale: one.scale(),
        x_words: one.words().unwrap_or_default(),
        series,
        ..Plot::default()
    }
}

/// Points with bars of one standard deviation to each side.
fn with_bars(points: &[[f64; 2]], deviations: &[Option<f64>]) -> Series {
    let bar = |(&[x, y], deviation): (&[f64; 2], &Option<f64>)| {
        let half = deviation.unwrap_or(0.0);
        [[x, y - half], [x, y], [x, y + half]]
    };
    Series {
        name: "mean ± standard deviation over seeds".to_owned(),
        points: points.iter().zip(deviations).flat_map(bar).collect(),
        mark: Mark::Intervals,
    }
}

/// One plot of all parameters: μ* and σ, or the indices of the ranking, with intervals.
fn overview(plan: &Plan, ranking: &Ranking) -> Option<(String, String)> {
    let (plot, caption) = match plan.method {
        Method::Morris => (
            effects_and_deviations(plan, ranking),
            "Large μ*: large effect. Large σ: nonlinear effect, or interaction with other \
             parameters. Lines are 95 % intervals of μ*.",
        ),
        Method::Sobol => {
            let plot = side_by_side(plan, ranking, &[0, 1], "fraction of the variance");
            (plot, "Indices with 95 % intervals, in order of decreasing effect.")
        }
        Method::Latin => {
            let plot = side_by_side(plan, ranking, &[0], "rank correlation");
            (plot, "With 95 % intervals, in order of decreasing effect.")
        }
        Method::Grid => return None,
    };
    Some((caption.to_owned(), plot.svg()))
}

/// An interval for a plot of intervals, along the horizontal axis at a height.
fn interval(estimate: &Estimate, height: f64) -> [[f64; 2]; 3] {
    let middle = estimate.value.unwrap_or(f64::NAN);
    let [low, high] = estimate.interval.unwrap_or([middle; 2]);
    [low, middle, high].map(|position| [position, height])
}

/// For Morris: σ over μ*.
fn effects_and_deviations(plan: &Plan, ranking: &Ranking) -> Plot {
    let series = |(parameter, numbers): &(usize, Vec<Estimate>)| Series {
        name: plan.parameters[*parameter].key.clone(),
        points: interval(&numbers[0], numbers[2].value.unwrap_or(f64::NAN)).to_vec(),
        mark: Mark::Intervals,
    };
    Plot {
        title: format!("Effects on {}", ranking.column),
        x_label: with_unit("μ*", ranking.unit),
        y_label: with_unit("σ", ranking.unit),
        from_zero: true,
        series: ranking.rows.iter().map(series).collect(),
        ..Plot::default()
    }
}

/// Some numbers of each parameter with their intervals, one row per parameter.
fn side_by_side(plan: &Plan, ranking: &Ranking, numbers: &[usize], x_label: &str) -> Plot {
    let count = ranking.rows.len();
    let names = ranking.rows.iter().rev().map(|(index, _)| plan.parameters[*index].key.clone());
    let series = |(position, number): (usize, &usize)| {
        // Several numbers of one parameter are stacked within its row.
        let offset = 0.3 * (0.5 * (numbers.len() - 1) as f64 - position as f64);
        let height = |rank: usize| (count - 1 - rank) as f64 + offset;
        let points = ranking.rows.iter().enumerate();
        let points = points.flat_map(|(rank, (_, all))| interval(&all[*number], height(rank)));
        let name = ranking.heads[*number].to_owned();
        Series { name, points: points.collect(), mark: Mark::Intervals }
    };
    Plot {
        title: format!("Effects on {}", ranking.column),
        x_label: x_label.to_owned(),
        y_words: names.collect(),
        series: numbers.iter().enumerate().map(series).collect(),
        ..Plot::default()
    }
}
