//! Parameters in order of their effect on a result.

use super::plan::{Method, Plan};
use super::statistics::vary;
use super::units::with_unit;
use super::{grid, latin, morris, saltelli};
use esker_draw::{aligned, rounded};

/// A number with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Estimate {
    /// The number; none with too few runs.
    pub value: Option<f64>,
    /// Its interval, if available.
    pub interval: Option<[f64; 2]>,
}

impl Estimate {
    fn plain(value: Option<f64>) -> Self {
        Self { value, interval: None }
    }

    /// `0.52 [0.48, 0.56]`.
    pub fn text(&self) -> String {
        let value = self.value.map_or_else(|| "–".to_owned(), |value| rounded(value, 4));
        match self.interval {
            Some([low, high]) => format!("{value} [{}, {}]", rounded(low, 3), rounded(high, 3)),
            None => value,
        }
    }
}

/// The parameters in order of their effect on one result.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The result.
    pub column: String,
    /// Its unit; empty for a pure number.
    pub unit: &'static str,
    /// Names of the numbers; the first one determines the order.
    pub heads: Vec<&'static str>,
    /// Index of the parameter and its numbers, in order of decreasing effect.
    pub rows: Vec<(usize, Vec<Estimate>)>,
    /// Remarks.
    pub remarks: Vec<String>,
}

impl Ranking {
    /// Ranks the parameters by their effect on the results of the points; none if these do not vary.
    pub fn new(plan: &Plan, column: &str, results: &[f64]) -> Option<Self> {
        let (heads, rows, remarks) = match plan.method {
            Method::Grid => of_grid(plan, results)?,
            Method::Sobol => of_sobol(plan, results)?,
            Method::Morris => of_morris(plan, results)?,
            Method::Latin => of_latin(plan, results)?,
        };
        let mut rows: Vec<(usize, Vec<Estimate>)> = rows.into_iter().enumerate().collect();
        let size = |row: &(usize, Vec<Estimate>)| {
            row.1.first().and_then(|estimate| estimate.value).map_or(-1.0, f64::abs)
        };
        rows.sort_by(|one, other| size(other).total_cmp(&size(one)));
        Some(Self { column: column.to_owned(), unit: "", heads, rows, remarks })
    }

    /// The result with its unit.
    pub fn title(&self) -> String {
        with_unit(&self.column, self.unit)
    }

    /// Heads and cells as texts: rank, parameter, numbers.
    pub fn cells(&self, plan: &Plan) -> Vec<Vec<String>> {
        let heads = ["", "parameter"].into_iter().chain(self.heads.iter().copied());
        let mut lines: Vec<Vec<String>> = vec![heads.map(str::to_owned).collect()];
        for (rank, (parameter, numbers)) in self.rows.iter().enumerate() {
            let mut line = vec![(rank + 1).to_string(), plan.parameters[*parameter].key.clone()];
            line.extend(numbers.iter().map(Estimate::text));
            lines.push(line);
        }
        lines
    }

    /// As a table for the terminal.
    pub fn text(&self, plan: &Plan) -> String {
        let mut text = format!("{}\n", self.title());
        for line in aligned(&self.cells(plan)) {
            text.push_str(&line);
            text.push('\n');
        }
        for remark in &self.remarks {
            text.push_str(&format!("  {remark}\n"));
        }
        text
    }
}

type Parts = (Vec<&'static str>, Vec<Vec<Estimate>>, Vec<String>);

fn of_sobol(plan: &Plan, results: &[f64]) -> Option<Parts> {
    let (indices, rows) = saltelli::indices(results, plan.parameters.len(), plan.seed)?;
    let mut remarks = Vec::new();
    if rows < plan.samples {
        remarks.push(format!("from {rows} of {} rows: the others lack a result", plan.samples));
    }
    let sum: f64 = indices.iter().map(|index| index.first).sum();
    remarks.push(format!("first-order indices add up to {}", rounded(sum, 3)));
    let row = |index: &saltelli::Indices| {
        vec![
            Estimate { value: Some(index.total), interval: index.total_interval },
            Estimate { value: Some(index.first), interval: index.first_interval },
        ]
    };
    Some((vec!["total order", "first order"], indices.iter().map(row).collect(), remarks))
}

fn of_morris(plan: &Plan, results: &[f64]) -> Option<Parts> {
    if !vary(results) {
        return None;
    }
    let count = plan.parameters.len();
    let effects = morris::effects(&plan.points, results, count, plan.seed);
    let row = |effect: &Option<morris::Effect>| {
        vec![
            Estimate {
                value: effect.map(|effect| effect.size),
                interval: effect.and_then(|effect| effect.interval),
            },
            Estimate::plain(effect.map(|effect| effect.mean)),
            Estimate::plain(effect.and_then(|effect| effect.deviation)),
        ]
    };
    let least = effects.iter().map(|effect| effect.map_or(0, |effect| effect.count)).min();
    let mut remarks = Vec::new();
    if let Some(least) = least.filter(|least| *least < plan.samples) {
        remarks.push(format!(
            "from {least} of {} elementary effects at least: the others lack a result",
            plan.samples
        ));
    }
    Some((vec!["μ*", "μ", "σ"], effects.iter().map(row).collect(), remarks))
}

fn of_latin(plan: &Plan, results: &[f64]) -> Option<Parts> {
    let (influences, fraction) =
        latin::influences(&plan.points, results, plan.parameters.len(), plan.seed)?;
    let row = |influence: &latin::Influence| {
        vec![
            Estimate { value: Some(influence.rank_correlation), interval: influence.interval },
            Estimate::plain(influence.regression),
        ]
    };
    let remark = match fraction {
        Some(fraction) => {
            format!(
                "a linear regression explains {} % of the variance",
                rounded(100.0 * fraction, 3)
            )
        }
        None => "too few runs for a regression".to_owned(),
    };
    let rows = influences.iter().map(row).collect();
    Some((vec!["rank correlation", "regression"], rows, vec![remark]))
}

fn of_grid(plan: &Plan, results: &[f64]) -> Option<Parts> {
    let levels: Vec<usize> = plan.parameters.iter().filter_map(|one| one.levels()).collect();
    let effects = grid::main_effects(&plan.points, results, &levels)?;
    let row = |effect: &grid::MainEffect| {
        vec![Estimate::plain(effect.fraction), Estimate::plain(effect.range)]
    };
    let mut remarks = Vec::new();
    let whole = results.iter().all(|result| result.is_finite());
    if whole && effects.len() > 1 {
        let rest = 1.0 - effects.iter().filter_map(|effect| effect.fraction).sum::<f64>();
        remarks.push(format!("in interaction with others: {}", rounded(rest.max(0.0), 3)));
    } else if !whole {
        remarks.push("some runs lack a result, so that the fractions overlap".to_owned());
    }
    let rows = effects.iter().map(row).collect();
    Some((vec!["fraction of the variance", "range of the means"], rows, remarks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::Parameter;

    fn plan(method: Method, samples: usize) -> Plan {
        let parameters = ["weak=0..1", "strong=0..1", "idle=0..1"]
            .map(|text| Parameter::parse(text).expect("it is good"))
            .to_vec();
        Plan::new(parameters, Some(method), Some(samples), 1, 1).expect("it is good")
    }

    /// 2 a − 5 b: with every method b is first, then a, then the parameter without effect.
    #[test]
    fn every_method_ranks_the_parameters_of_a_plain_function_alike() {
        for method in [Method::Sobol, Method::Morris, Method::Latin] {
            let plan = plan(method, 64);
            let results: Vec<f64> = plan.points.iter().map(|x| 2.0 * x[0] - 5.0 * x[1]).collect();
            let ranking = Ranking::new(&plan, "result", &results).expect("it varies");
            let order: Vec<usize> = ranking.rows.iter().map(|(parameter, _)| *parameter).collect();
            assert_eq!(order, [1, 0, 2], "{method}");
            let text = ranking.text(&plan);
            assert!(text.starts_with("result\n") && text.contains("1  strong"), "{text}");
        }
    }

    #[test]
    fn what_does_not_vary_is_not_ranked() {
        for method in [Method::Sobol, Method::Morris, Method::Latin] {
            let plan = plan(method, 8);
            assert_eq!(Ranking::new(&plan, "result", &vec![3.0; plan.points.len()]), None);
        }
    }
}
