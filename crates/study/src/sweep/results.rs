//! The results of a sweep in tables: of the runs, of the points, of the effects.

use super::collect;
use super::perform::Prepared;
use super::plan::Plan;
use super::ranking::Ranking;
use super::statistics::{deviation, mean};
use super::units::{of_key, with_unit};
use crate::batch::{Attempt, RunResult};
use esker_draw::{OutputError, aligned, rounded};
use esker_scene::output::{Cell, Table};
use esker_scene::run::RunError;
use std::path::Path;

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The run has ended.
    Made(RunResult),
    /// It could not be run.
    Refused(String),
    /// It has not ended yet.
    Unfinished,
}

impl Outcome {
    /// Outcome of an attempt.
    pub fn of(attempt: &Result<Attempt, RunError>) -> Self {
        match attempt {
            Ok(Attempt::Made(result)) => Self::Made(result.clone()),
            Ok(Attempt::Interrupted) => Self::Unfinished,
            Err(error) => Self::Refused(error.to_string()),
        }
    }

    /// How the run ended.
    pub fn name(&self) -> &str {
        match self {
            Self::Made(result) => &result.ended,
            Self::Refused(_) => "refused",
            Self::Unfinished => "unfinished",
        }
    }

    /// Reason why there is no result.
    pub fn failure(&self) -> Option<&str> {
        match self {
            Self::Made(result) => result.failure.as_deref(),
            Self::Refused(why) => Some(why),
            Self::Unfinished => None,
        }
    }
}

/// The results of a sweep.
#[derive(Debug)]
pub struct Results<'a> {
    /// The sweep.
    pub prepared: &'a Prepared,
    /// The outcome of each run.
    pub outcomes: Vec<Outcome>,
    /// For each run, the value of each column; NaN if missing.
    pub values: Vec<Vec<f64>>,
}

impl<'a> Results<'a> {
    /// Reads the results from the folders of the runs. A run stopped as unphysical has none, since its last state is
    /// not the requested one.
    pub fn new(prepared: &'a Prepared, outcomes: Vec<Outcome>) -> Result<Self, OutputError> {
        let columns = &prepared.collected.columns;
        let mut values: Vec<Vec<f64>> = Vec::with_capacity(outcomes.len());
        for (index, outcome) in outcomes.iter().enumerate() {
            let first = prepared.firsts[index];
            if first < index {
                values.push(values[first].clone());
                continue;
            }
            let mut row = vec![f64::NAN; columns.len()];
            if let Outcome::Made(result) = outcome
                && result.failure.is_none()
            {
                let numbers = collect::numbers(&result.folder)?;
                for (cell, column) in row.iter_mut().zip(columns) {
                    let found = numbers.iter().find(|(name, _)| name == column);
                    *cell = found.map_or(f64::NAN, |(_, value)| *value);
                }
            }
            values.push(row);
        }
        Ok(Self { prepared, outcomes, values })
    }

    fn plan(&self) -> &Plan {
        &self.prepared.sweep.plan
    }

    /// The values of a column at a point, one for each seed with a result.
    fn at(&self, point: usize, column: usize) -> Vec<f64> {
        let seeds = self.plan().seeds;
        let runs = self.values[point * seeds..(point + 1) * seeds].iter();
        runs.map(|row| row[column]).filter(|value| value.is_finite()).collect()
    }

    /// The mean over the seeds at each point; NaN if there is no result.
    pub fn means(&self, column: usize) -> Vec<f64> {
        (0..self.plan().points.len()).map(|point| mean(&self.at(point, column))).collect()
    }

    /// The standard deviation over the seeds at each point; none with fewer than two.
    pub fn deviations(&self, column: usize) -> Vec<Option<f64>> {
        (0..self.plan().points.len()).map(|point| deviation(&self.at(point, column))).collect()
    }

    /// For a sweep of one parameter, which has no ranking: its values and, for each result that varies, the mean and
    /// standard deviation over the seeds. Heads first.
    pub fn by_value(&self, rankings: &[(usize, Ranking)]) -> Vec<Vec<String>> {
        let parameter = &self.plan().parameters[0];
        let mut head = vec![with_unit(&parameter.key, of_key(&parameter.key))];
        head.extend(rankings.iter().map(|(_, ranking)| ranking.title()));
        let mut rows: Vec<Vec<String>> = (0..self.plan().points.len())
            .map(|point| vec![self.prepared.runs[point * self.plan().seeds].settings[0].clone()])
            .collect();
        for (column, _) in rankings {
            let found = self.means(*column).into_iter().zip(self.deviations(*column));
            for (row, (mean, deviation)) in rows.iter_mut().zip(found) {
                row.push(match deviation {
                    _ if !mean.is_finite() => "–".to_owned(),
                    Some(deviation) => format!("{} ± {}", rounded(mean, 4), rounded(deviation, 2)),
                    None => rounded(mean, 4),
                });
            }
        }
        std::iter::once(head).chain(rows).collect()
    }

    /// The same as aligned text.
    pub fn values_text(&self, rankings: &[(usize, Ranking)]) -> String {
        let lines = aligned(&self.by_value(rankings));
        let mut text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        if self.plan().seeds > 1 {
            let seeds = self.plan().seeds;
            text.push_str(&format!("  mean ± standard deviation over {seeds} seeds\n"));
        }
        text
    }

    /// True if there are parameters to rank.
    pub fn has_ranking(&self) -> bool {
        self.plan().parameters.len() > 1
    }

    /// The rankings of the columns that vary, in order, and the names of those that do not.
    pub fn rankings(&self) -> (Vec<(usize, Ranking)>, Vec<&str>) {
        let (mut rankings, mut constant) = (Vec::new(), Vec::new());
        for column in 0..self.prepared.collected.ranked {
            let name = self.prepared.collected.columns[column].as_str();
            match Ranking::new(self.plan(), name, &self.means(column)) {
                Some(mut ranking) => {
                    ranking.unit = self.prepared.collected.units[column];
                    ranking.remarks.extend(self.spread(column));
                    rankings.push((column, ranking));
                }
                None => constant.push(name),
            }
        }
        (rankings, constant)
    }

    /// Variation of a result due to the seed alone.
    fn spread(&self, column: usize) -> Option<String> {
        if self.plan().seeds < 2 {
            return None;
        }
        let points = 0..self.plan().points.len();
        let squares: Vec<f64> = points
            .filter_map(|point| deviation(&self.at(point, column)))
            .map(|deviation| deviation * deviation)
            .collect();
        let means: Vec<f64> =
            self.means(column).into_iter().filter(|value| value.is_finite()).collect();
        if squares.is_empty() {
            return None;
        }
        let seeds = self.plan().seeds;
        let lacking = (0..self.plan().points.len())
            .filter(|point| (1..seeds).contains(&self.at(*point, column).len()))
            .count();
        let lacking = match lacking {
            0 => String::new(),
            count => format!("; {count} points lack some of their seeds"),
        };
        Some(format!(
            "standard deviation between seeds {}, between points {}{lacking}",
            rounded(libm::sqrt(mean(&squares)), 3),
            deviation(&means).map_or_else(|| "–".to_owned(), |value| rounded(value, 3))
        ))
    }

    /// `results.csv`: a row for each run.
    pub fn write_runs(&self, path: &Path) -> Result<(), OutputError> {
        let plan = self.plan();
        let mut header = vec!["run".to_owned()];
        header.extend(plan.parameters.iter().map(|parameter| parameter.key.clone()));
        header.extend((plan.seeds > 1).then(|| "seed".to_owned()));
        header.push("ended".to_owned());
        header.extend(self.prepared.collected.columns.iter().cloned());
        header.push("error".to_owned());
        let mut table = Table::create(path, &header)?;
        for ((run, outcome), values) in
            self.prepared.runs.iter().zip(&self.outcomes).zip(&self.values)
        {
            let mut row = vec![Cell::Text(&run.name)];
            row.extend(run.settings.iter().map(|text| Cell::Text(text)));
            row.extend(run.seed.map(Cell::Integer));
            row.push(Cell::Text(outcome.name()));
            row.extend(values.iter().map(|value| cell(Some(*value))));
            let why = outcome.failure().unwrap_or_default().lines().next().unwrap_or_default();
            row.push(Cell::Text(why.strip_prefix("error: ").unwrap_or(why)));
            table.push_row(&row)?;
        }
        table.flush()
    }

    /// `points.csv`: a row for each point, with mean and standard deviation over the seeds.
    pub fn write_points(&self, path: &Path) -> Result<(), OutputError> {
        let plan = self.plan();
        let columns = &self.prepared.collected.columns;
        let mut header: Vec<String> =
            plan.parameters.iter().map(|parameter| parameter.key.clone()).collect();
        header.push("runs".to_owned());
        for column in columns {
            header.extend([column.clone(), format!("{column} deviation")]);
        }
        let mut table = Table::create(path, &header)?;
        for point in 0..plan.points.len() {
            let run = &self.prepared.runs[point * plan.seeds];
            let mut row: Vec<Cell> = run.settings.iter().map(|text| Cell::Text(text)).collect();
            let done = &self.outcomes[point * plan.seeds..(point + 1) * plan.seeds];
            row.push(Cell::Integer(
                done.iter().filter(|one| one.name() == "finished").count() as u64
            ));
            for column in 0..columns.len() {
                let values = self.at(point, column);
                row.extend([cell(Some(mean(&values))), cell(deviation(&values))]);
            }
            table.push_row(&row)?;
        }
        table.flush()
    }

    /// `effects.csv`: a row for each result and parameter, in order of decreasing effect.
    pub fn write_effects(
        &self,
        path: &Path,
        rankings: &[(usize, Ranking)],
    ) -> Result<(), OutputError> {
        let header = ["result", "rank", "parameter", "measure", "value", "low", "high"];
        let mut table = Table::create(path, &header)?;
        for (_, ranking) in rankings {
            for (rank, (parameter, numbers)) in ranking.rows.iter().enumerate() {
                for (head, number) in ranking.heads.iter().zip(numbers) {
                    table.push_row(&[
                        Cell::Text(&ranking.column),
                        Cell::Integer(rank as u64 + 1),
                        Cell::Text(&self.plan().parameters[*parameter].key),
                        Cell::Text(head),
                        cell(number.value),
                        cell(number.interval.map(|ends| ends[0])),
                        cell(number.interval.map(|ends| ends[1])),
                    ])?;
                }
            }
        }
        table.flush()
    }
}

fn cell(value: Option<f64>) -> Cell<'static> {
    value.filter(|value| value.is_finite()).map_or(Cell::Empty, Cell::Number)
}
