//! Several runs of one kind, such as seeds: `each('nut_*', max(run.nut.position_y))` is the list of a number for each
//! run whose name matches the pattern; `*` stands for any characters.

use super::series::Series;
use super::{Node, Scope, Value, evaluate};
use std::rc::Rc;

/// The function that creates a list.
pub(super) const EACH: &str = "each";
/// Name of the run inside this function.
pub(super) const RUN: &str = "run";

/// True if a name matches a pattern; `*` stands for any characters, including none.
pub fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(tail) = name.strip_prefix(start) else {
        return false;
    };
    let ends = tail.char_indices().map(|(at, _)| at).chain([tail.len()]);
    ends.into_iter().any(|at| matches(rest, &tail[at..]))
}

/// A number for each run that has been made.
pub(super) fn each(arguments: &[Node], scope: &dyn Scope) -> Result<Value, String> {
    let [Node::Text(pattern), formula] = arguments else {
        return Err("`each` takes names of runs in quotes, such as 'seed_*', and a formula".into());
    };
    let runs = scope.runs(pattern);
    if runs.is_empty() {
        return Err(format!("no run has a name like `{pattern}`"));
    }
    let of = |run: String| {
        evaluate(formula, &OfRun { inner: scope, run: &run })
            .and_then(|value| value.number())
            .map_err(|what| format!("run `{run}`: {what}"))
    };
    Ok(Value::List(runs.into_iter().map(of).collect::<Result<_, _>>()?))
}

/// All numbers of numbers and lists.
fn numbers(values: &[Value]) -> Result<Vec<f64>, String> {
    let mut all = Vec::new();
    for value in values {
        match value {
            Value::List(list) => all.extend_from_slice(list),
            other => all.push(other.number()?),
        }
    }
    Ok(all)
}

/// Functions of lists and of several numbers.
pub(super) fn call(name: &str, values: &[Value]) -> Result<Value, String> {
    let numbers = numbers(values)?;
    let extreme = |sign: f64| {
        let found = numbers.iter().copied().max_by(|a, b| (sign * a).total_cmp(&(sign * b)));
        found.ok_or_else(|| "nothing to compare".to_owned())
    };
    let number = match name {
        "mean" | "mean_of" => mean(&numbers)?,
        "deviation_of" => deviation(&numbers)?,
        "sum" => numbers.iter().sum(),
        "count" => numbers.len() as f64,
        "min" => extreme(-1.0)?,
        "max" => extreme(1.0)?,
        _ => return Err(format!("`{name}` is not a function of a list of numbers")),
    };
    Ok(Value::Number(number))
}

pub(super) fn mean(numbers: &[f64]) -> Result<f64, String> {
    match numbers {
        [] => Err("the mean of an empty list".to_owned()),
        [one] => Ok(*one),
        all => Ok(all.iter().sum::<f64>() / all.len() as f64),
    }
}

/// Standard deviation of a sample, with divisor n − 1.
pub(super) fn deviation(numbers: &[f64]) -> Result<f64, String> {
    if numbers.len() < 2 {
        return Err("a deviation needs two values".to_owned());
    }
    let mean = mean(numbers)?;
    let squares: f64 = numbers.iter().map(|number| (number - mean) * (number - mean)).sum();
    Ok(libm::sqrt(squares / (numbers.len() - 1) as f64))
}

/// A function of corresponding numbers of two lists of the same runs.
pub(super) fn zip(a: &[f64], b: &[f64], of: impl Fn(f64, f64) -> f64) -> Result<Rc<[f64]>, String> {
    if a.len() != b.len() {
        return Err(format!("lists of {} and {} numbers", a.len(), b.len()));
    }
    Ok(a.iter().zip(b).map(|(a, b)| of(*a, *b)).collect())
}

/// A scope in which `run` denotes one of the runs.
struct OfRun<'a> {
    inner: &'a dyn Scope,
    run: &'a str,
}

impl OfRun<'_> {
    fn named<'b>(&'b self, run: &'b str) -> &'b str {
        if run == RUN { self.run } else { run }
    }
}

impl Scope for OfRun<'_> {
    fn column(&self, run: &str, table: &str, column: &str) -> Result<Rc<Series>, String> {
        self.inner.column(self.named(run), table, column)
    }

    fn word(&self, word: &str) -> Result<Value, String> {
        self.inner.word(word)
    }

    fn events(&self, run: &str, kind: &str, partners: &[String]) -> Result<Vec<f64>, String> {
        self.inner.events(self.named(run), kind, partners)
    }

    fn last_state(&self, run: &str, particle: u64, column: &str) -> Result<f64, String> {
        self.inner.last_state(self.named(run), particle, column)
    }

    fn summary(&self, run: &str, path: &str) -> Result<f64, String> {
        self.inner.summary(self.named(run), path)
    }

    fn runs(&self, pattern: &str) -> Vec<String> {
        self.inner.runs(pattern)
    }
}
