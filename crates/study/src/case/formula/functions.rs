//! The functions of formulas.

use super::series::Series;
use super::{Scope, Value, list, map};
use esker_scene::text::words;
use std::rc::Rc;

/// Functions with their smallest and largest number of arguments.
const FUNCTIONS: [(&str, usize, usize); 39] = [
    ("abs", 1, 1),
    ("sqrt", 1, 1),
    ("exp", 1, 1),
    ("ln", 1, 1),
    ("sin", 1, 1),
    ("cos", 1, 1),
    ("tan", 1, 1),
    ("atan", 1, 1),
    ("gamma", 1, 1),
    ("round", 2, 2),
    ("hypot", 2, 2),
    ("atan2", 2, 2),
    ("mittag_leffler", 3, 3),
    ("if", 3, 3),
    ("min", 1, 9),
    ("max", 1, 9),
    ("first", 1, 1),
    ("last", 1, 1),
    ("count", 1, 1),
    ("sum", 1, 1),
    ("mean", 1, 1),
    ("slope", 1, 1),
    ("time", 1, 1),
    ("time_of_max", 1, 1),
    ("time_of_min", 1, 1),
    ("largest_step", 1, 1),
    ("sign_changes", 1, 1),
    ("turning", 1, 1),
    ("before", 1, 1),
    ("at", 2, 2),
    ("when", 2, 3),
    ("between", 3, 3),
    ("event", 3, 5),
    ("events", 2, 4),
    ("summary", 2, 2),
    ("final", 3, 3),
    ("each", 2, 2),
    ("mean_of", 1, 9),
    ("deviation_of", 1, 9),
];

/// True if the first argument of a function names a run.
pub(super) fn names_run(function: &str) -> bool {
    ["event", "events", "summary", "final"].contains(&function)
}

/// Checks that a function of this name and number of arguments exists.
pub(super) fn check(name: &str, count: usize) -> Result<(), String> {
    let Some((_, least, most)) = FUNCTIONS.iter().find(|known| known.0 == name) else {
        let names: Vec<&str> = FUNCTIONS.iter().map(|known| known.0).collect();
        let help = words::suggestion(name, &names, "functions here");
        return Err(format!("unknown function `{name}`; {help}"));
    };
    if (*least..=*most).contains(&count) {
        return Ok(());
    }
    let wanted = if least == most { least.to_string() } else { format!("{least} to {most}") };
    Err(format!("`{name}` takes {wanted} arguments, found {count}"))
}

/// Calls a function.
pub(super) fn call(name: &str, values: &[Value], scope: &dyn Scope) -> Result<Value, String> {
    match name {
        "event" | "events" | "summary" => of_run(name, values, scope),
        "final" => final_state(values, scope),
        "mean_of" | "deviation_of" => list::call(name, values),
        "min" | "max" if values.len() > 1 => list::call(name, values),
        _ => match (&values[0], of_number(name, values)) {
            (_, Some(result)) => result,
            (Value::Series(series), None) => of_series(name, series, &values[1..]),
            (Value::List(_), None) => list::call(name, values),
            (other, None) => Err(format!("`{name}` needs a column, found {}", other.kind())),
        },
    }
}

/// Functions of numbers, and of each value of a column.
fn of_number(name: &str, values: &[Value]) -> Option<Result<Value, String>> {
    let one: fn(f64) -> f64 = match name {
        "abs" => libm::fabs,
        "sqrt" => libm::sqrt,
        "exp" => libm::exp,
        "ln" => libm::log,
        "sin" => libm::sin,
        "cos" => libm::cos,
        "tan" => libm::tan,
        "atan" => libm::atan,
        "gamma" => libm::tgamma,
        _ => return of_numbers(name, values),
    };
    Some(map(&values[0], one))
}

fn of_numbers(name: &str, values: &[Value]) -> Option<Result<Value, String>> {
    let result = match (name, values) {
        ("round", [value, digits]) => digits.number().and_then(|digits| {
            let scale = libm::pow(10.0, digits);
            map(value, |x| libm::round(x * scale) / scale)
        }),
        ("hypot", [Value::Series(a), Value::Series(b)]) => {
            a.zip(b, libm::hypot).map(|series| Value::Series(Rc::new(series)))
        }
        ("hypot", [a, b]) => numbers(a, b).map(|(a, b)| Value::Number(libm::hypot(a, b))),
        ("atan2", [Value::Series(a), Value::Series(b)]) => {
            a.zip(b, libm::atan2).map(|series| Value::Series(Rc::new(series)))
        }
        ("atan2", [a, b]) => numbers(a, b).map(|(a, b)| Value::Number(libm::atan2(a, b))),
        ("mittag_leffler", [a, b, x]) => {
            numbers(a, b).and_then(|(a, b)| map(x, |x| mittag_leffler(a, b, x)))
        }
        ("if", [condition, yes, no]) => condition
            .number()
            .map(|condition| if condition != 0.0 { yes.clone() } else { no.clone() }),
        _ => return None,
    };
    Some(result)
}

fn numbers(a: &Value, b: &Value) -> Result<(f64, f64), String> {
    Ok((a.number()?, b.number()?))
}

/// Functions that reduce a column.
fn of_series(name: &str, series: &Rc<Series>, more: &[Value]) -> Result<Value, String> {
    let more: Vec<f64> = more.iter().map(Value::number).collect::<Result<_, _>>()?;
    let found = match (name, more.as_slice()) {
        ("first", []) => series.rows().next().map(|row| row.1),
        ("last", []) => series.rows().next_back().map(|row| row.1),
        ("count", []) => Some(series.rows().count() as f64),
        ("sum", []) => Some(series.rows().map(|row| row.1).sum()),
        ("mean", []) => series.mean(),
        ("slope", []) => series.slope(),
        ("max", []) => series.best(|value| value).map(|row| row.1),
        ("min", []) => series.best(|value| -value).map(|row| row.1),
        ("time_of_max", []) => series.best(|value| value).map(|row| row.0),
        ("time_of_min", []) => series.best(|value| -value).map(|row| row.0),
        ("largest_step", []) => series.largest_step(),
        ("sign_changes", []) => Some(series.sign_changes() as f64),
        ("turning", []) => Some(series.turning()),
        ("at", [time]) => series.at(*time),
        ("when", [level]) => series.crossing(*level, f64::NEG_INFINITY),
        ("when", [level, after]) => series.crossing(*level, *after),
        ("time", []) => {
            let values = series.time.to_vec();
            let times = Series { time: Rc::clone(&series.time), values };
            return Ok(Value::Series(Rc::new(times)));
        }
        ("before", []) => return Ok(Value::Series(Rc::new(series.before()))),
        ("between", [from, to]) => {
            return Ok(Value::Series(Rc::new(series.between(*from, *to))));
        }
        _ => return Err(format!("`{name}` is not a function of a column")),
    };
    found.map(Value::Number).ok_or_else(|| format!("`{name}` has no result for this column"))
}

/// Functions of results of a run other than its tables.
fn of_run(name: &str, values: &[Value], scope: &dyn Scope) -> Result<Value, String> {
    let [run, word, more @ ..] = values else {
        return Err(format!("`{name}` takes more arguments"));
    };
    let (run, word) = (text(run)?, text(word)?);
    let partner = |value: &Value| match value {
        Value::Number(id) => id.to_string(),
        Value::Text(name) => name.clone(),
        Value::Series(_) | Value::List(_) => String::new(),
    };
    let number = match (name, more) {
        ("summary", []) => scope.summary(run, word)?,
        ("events", partners) => {
            let partners: Vec<String> = partners.iter().map(partner).collect();
            scope.events(run, word, &partners)?.len() as f64
        }
        ("event", [number, partners @ ..]) => {
            let partners: Vec<String> = partners.iter().map(partner).collect();
            let times = scope.events(run, word, &partners)?;
            let number = number.number()?;
            // Counted from 1; negative numbers count from the end.
            let index = if number < 0.0 { times.len() as f64 + number } else { number - 1.0 };
            let time = (index >= 0.0).then(|| times.get(index as usize)).flatten();
            *time.ok_or_else(|| format!("there are {} events `{word}`", times.len()))?
        }
        _ => return Err(format!("`{name}` does not take these arguments")),
    };
    Ok(Value::Number(number))
}

fn final_state(values: &[Value], scope: &dyn Scope) -> Result<Value, String> {
    let [run, particle, column] = values else {
        return Err("`final` takes a run, a particle and a column".to_owned());
    };
    let particle = particle.number()?;
    if particle < 0.0 || particle.fract() != 0.0 {
        return Err("a particle is given by its id".to_owned());
    }
    scope.last_state(text(run)?, particle as u64, text(column)?).map(Value::Number)
}

fn text(value: &Value) -> Result<&str, String> {
    match value {
        Value::Text(text) => Ok(text),
        other => Err(format!("expected a name in quotes, found {}", other.kind())),
    }
}

/// E_{a,b}(x) = Σ x^k / Γ(a k + b), by its series. Alternating terms cancel: for a ≥ 1 and |x| ≤ 40 the sum is accurate
/// to 1e-8, which the test compares with closed forms.
fn mittag_leffler(a: f64, b: f64, x: f64) -> f64 {
    let mut sum = 0.0;
    let mut power = 1.0;
    for k in 0..400 {
        let gamma = libm::tgamma(a * f64::from(k) + b);
        if !gamma.is_finite() {
            break;
        }
        let term = power / gamma;
        sum += term;
        if k > 5 && term.abs() < 1e-17 * f64::abs(sum) {
            break;
        }
        power *= x;
    }
    sum
}
