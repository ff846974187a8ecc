//! `--vary KEY=VALUES`: a parameter of a sweep and its values.

use super::plan::MOST_RUNS;
use esker_draw::Scale;
use esker_scene::text::set::parse_path;

/// Digits of a value in a range: finer differences are insignificant and make names long.
const DIGITS: usize = 9;

/// A problem of the arguments of a sweep, with a suggestion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// The problem.
    pub message: String,
    /// Help: the expected value.
    pub help: String,
}

impl Wrong {
    pub(super) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }
}

/// Values of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// These values, as written into the scene.
    List(Vec<String>),
    /// Any value between two.
    Range {
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
        /// Linear or logarithmic.
        scale: Scale,
        /// True if values are rounded to whole numbers.
        whole: bool,
    },
}

/// A parameter of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its key in the scene, as in `--set`.
    pub key: String,
    /// Its values.
    pub values: Values,
}

const FORMS: &str = "KEY=a,b,c or KEY=lo..hi, the latter with `log`, `whole` or `in N` after it";

/// Separates a value from another setting that belongs to it.
const WITH: &str = " with ";

impl Parameter {
    /// Reads `KEY=a,b,c`, `KEY=lo..hi`, `KEY=lo..hi log`, `… whole` or `… in N` (N values of a grid).
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        let wrong = |what: &str| Wrong::new(format!("`--vary {text}` {what}"), FORMS);
        let (key, values) = text.split_once('=').ok_or_else(|| wrong("is not KEY=VALUES"))?;
        let (key, values) = (key.trim().to_owned(), values.trim());
        if parse_path(&key).is_none() {
            let what = format!("`--vary {text}`: `{key}` is not a path like `a.b[0].c`");
            return Err(Wrong::new(what, "`*` stands for all items: `contact.pairs[*].friction`"));
        }
        if values.is_empty() {
            return Err(wrong("has no values"));
        }
        let items = split_outside(values, ",");
        if let [one] = items.as_slice()
            && let Some(ends) = one.split_once("..").filter(|(low, _)| number(low).is_some())
        {
            return range(ends.0, ends.1)
                .map(|values| Self { key, values })
                .map_err(|what| wrong(&what));
        }
        let ranged =
            |item: &&String| item.split_once("..").is_some_and(|(low, _)| number(low).is_some());
        if let Some(item) = items.iter().find(ranged) {
            return Err(wrong(&format!("has the range `{item}` in a list of values")));
        }
        if items.iter().any(String::is_empty) {
            return Err(wrong("has an empty value between two commas"));
        }
        let twice = |(index, item): (usize, &String)| items[..index].contains(item);
        if let Some((_, item)) = items.iter().enumerate().find(|one| twice(*one)) {
            return Err(wrong(&format!("has the value `{item}` twice")));
        }
        let mut joined =
            items.iter().flat_map(|item| split_outside(item, WITH).into_iter().skip(1));
        let is_setting = |text: &str| {
            text.split_once('=').is_some_and(|(key, value)| {
                parse_path(key.trim()).is_some() && !value.trim().is_empty()
            })
        };
        if let Some(other) = joined.find(|text| !is_setting(text)) {
            let what = format!("`--vary {text}`: `{other}` after `with` is not KEY=VALUE");
            return Err(Wrong::new(
                what,
                "for example `linear with contact.pairs[*].normal_stiffness=1e4`",
            ));
        }
        Ok(Self { key, values: Values::List(items) })
    }

    /// The overrides of the scene at a coordinate of a point: `KEY=VALUE` of the parameter, then the settings that
    /// belong to that value.
    pub fn changes(&self, coordinate: f64) -> Vec<String> {
        let text = self.text(coordinate);
        let mut parts = split_outside(&text, WITH).into_iter();
        let first = format!("{}={}", self.key, parts.next().unwrap_or_default());
        let others = parts.filter_map(|part| {
            let (key, value) = part.split_once('=')?;
            Some(format!("{}={}", key.trim(), value.trim()))
        });
        [first].into_iter().chain(others).collect()
    }

    /// Short names of values that are not numbers: the texts as far as they differ.
    pub fn words(&self) -> Option<Vec<String>> {
        let Values::List(list) = &self.values else { return None };
        if list.iter().all(|item| number(item).is_some()) {
            return None;
        }
        let values: Vec<String> =
            list.iter().map(|item| split_outside(item, WITH).swap_remove(0)).collect();
        let alike = (0..values.len()).any(|index| values[..index].contains(&values[index]));
        Some(if alike { list.clone() } else { values })
    }

    /// Number of values; none for a range.
    pub fn levels(&self) -> Option<usize> {
        match &self.values {
            Values::List(list) => Some(list.len()),
            Values::Range { .. } => None,
        }
    }

    /// The scale of its axis in plots.
    pub fn scale(&self) -> Scale {
        match &self.values {
            Values::Range { scale, .. } => *scale,
            Values::List(list) => {
                let numbers: Vec<f64> = list.iter().filter_map(|item| number(item)).collect();
                // Values such as 1e5, 1e6, 1e7 are a logarithmic scale.
                match (
                    numbers.iter().copied().reduce(f64::min),
                    numbers.iter().copied().reduce(f64::max),
                ) {
                    (Some(low), Some(high)) if low > 0.0 && high / low >= 100.0 => {
                        Scale::Logarithmic
                    }
                    _ => Scale::Linear,
                }
            }
        }
    }

    /// Its value at a coordinate of a point, as text for the scene: a fraction of a range from 0 to 1,
    /// or the index of a value.
    pub fn text(&self, coordinate: f64) -> String {
        match &self.values {
            Values::List(list) => list.get(coordinate as usize).cloned().unwrap_or_default(),
            Values::Range { low, high, scale, whole } => {
                let value = between(*low, *high, *scale, coordinate);
                if *whole { format!("{:.0}", value.clamp(*low, *high)) } else { short(value) }
            }
        }
    }

    /// The same as a number for plots; words are counted from 0.
    pub fn number(&self, coordinate: f64) -> f64 {
        if self.words().is_some() {
            coordinate
        } else {
            number(&self.text(coordinate)).unwrap_or(f64::NAN)
        }
    }

    /// `0.1..0.9` or the list, as written by the user.
    pub fn shown(&self) -> String {
        match &self.values {
            Values::List(list) => list.join(", "),
            Values::Range { low, high, scale, whole } => format!(
                "{} .. {}{}{}",
                short(*low),
                short(*high),
                if *scale == Scale::Logarithmic { " log" } else { "" },
                if *whole { " whole" } else { "" }
            ),
        }
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().replace('_', "").parse().ok().filter(|number: &f64| number.is_finite())
}

/// The value at a fraction of a range.
fn between(low: f64, high: f64, scale: Scale, fraction: f64) -> f64 {
    match scale {
        Scale::Linear => low + fraction * (high - low),
        Scale::Logarithmic => low * libm::pow(high / low, fraction),
    }
}

/// A number with few digits that is a number in TOML too.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value);
    esker_scene::output::Cell::Number(rounded).to_string()
}

/// The text after `KEY=` if it is a range.
fn range(low: &str, rest: &str) -> Result<Values, String> {
    let mut words = rest.split_whitespace();
    let high = words.next().unwrap_or_default();
    let end = |text: &str| {
        number(text).ok_or_else(|| format!("has the end `{text}`, which is not a number"))
    };
    let (low, high) = (end(low)?, end(high)?);
    let (mut scale, mut whole, mut count) = (Scale::Linear, false, None);
    while let Some(word) = words.next() {
        match word {
            "log" => scale = Scale::Logarithmic,
            "whole" => whole = true,
            "in" => {
                let given = words.next().unwrap_or_default();
                let number = given.parse().ok().filter(|number: &usize| *number >= 2);
                let number = number.ok_or_else(|| {
                    format!("has `in {given}`: a number of values, at least 2, is missing")
                })?;
                if number > MOST_RUNS {
                    return Err(format!("has `in {given}`: a sweep has at most {MOST_RUNS} runs"));
                }
                count = Some(number);
            }
            other => {
                let help = esker_scene::suggestion(other, &["log", "whole", "in"], "known");
                return Err(format!("has an unknown option `{other}` after its range; {help}"));
            }
        }
    }
    if !(low < high) {
        return Err(format!("has the range from {low} to {high}: the first must be smaller"));
    }
    if scale == Scale::Logarithmic && low <= 0.0 {
        return Err(format!("has `log` with the end {low}: both must be above 0"));
    }
    let range = Values::Range { low, high, scale, whole };
    let Some(count) = count else { return Ok(range) };
    let parameter = Parameter { key: String::new(), values: range };
    let mut list: Vec<String> =
        (0..count).map(|index| parameter.text(index as f64 / (count - 1) as f64)).collect();
    list.dedup();
    Ok(Values::List(list))
}

/// Splits at separators outside brackets and quotes; surrounding blanks are removed.
fn split_outside(text: &str, separator: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let (mut depth, mut quote, mut start) = (0_i32, None, 0);
    for (offset, character) in text.char_indices() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            _ if depth == 0 && offset >= start && text[offset..].starts_with(separator) => {
                parts.push(text[start..offset].trim().to_owned());
                start = offset + separator.len();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim().to_owned());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<String> {
        match Parameter::parse(text).expect("it is good").values {
            Values::List(list) => list,
            Values::Range { .. } => panic!("{text} is a range"),
        }
    }

    fn message(text: &str) -> String {
        Parameter::parse(text).expect_err("it is wrong").message
    }

    #[test]
    fn lists_hold_numbers_words_and_vectors() {
        assert_eq!(list("a.b=1, 2e3,x"), ["1", "2e3", "x"]);
        assert_eq!(list("gravity=[0,0,-9.81],[0, 0, -1.6]"), ["[0,0,-9.81]", "[0, 0, -1.6]"]);
        assert_eq!(list("walls[0].mesh=../a.stl,'b,c.stl'"), ["../a.stl", "'b,c.stl'"]);
        assert_eq!(list("a=0.1..0.5 in 5"), ["0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(list("a=1..1000 log in 4"), ["1", "10", "100", "1000"]);
    }

    #[test]
    fn ranges_run_from_end_to_end() {
        let linear = Parameter::parse("materials.glass.young_modulus=1e5..3e5").expect("good");
        assert_eq!([0.0, 0.5, 1.0].map(|at| linear.text(at)), ["100000", "200000", "300000"]);
        let factors = Parameter::parse("a=1e5..1e7 log").expect("good");
        assert_eq!(factors.text(0.5), "1000000");
        let whole = Parameter::parse("a=10..20 whole").expect("good");
        assert_eq!(whole.text(0.26), "13");
        let small = Parameter::parse("a=1e-9..2e-9").expect("good");
        assert_eq!(small.text(1.0 / 3.0), "1.33333333e-9");
    }

    #[test]
    fn a_value_may_bring_other_settings_with_it() {
        let laws = Parameter::parse(
            "contact.normal=hertz,linear with contact.pairs[*].normal_stiffness=1e4 with a = [1, 2]",
        )
        .expect("good");
        assert_eq!(laws.levels(), Some(2));
        assert_eq!(laws.changes(0.0), ["contact.normal=hertz"]);
        assert_eq!(
            laws.changes(1.0),
            ["contact.normal=linear", "contact.pairs[*].normal_stiffness=1e4", "a=[1, 2]"]
        );
        assert_eq!(laws.words().expect("no numbers"), ["hertz", "linear"]);
        let alike = Parameter::parse("rolling=arm,arm with b=2").expect("good");
        assert_eq!(alike.words().expect("no numbers"), ["arm", "arm with b=2"]);
        assert!(message("a=x,y with z").contains("`z` after `with` is not KEY=VALUE"));
        assert_eq!(list("title='live with it',y"), ["'live with it'", "y"]);
    }

    #[test]
    fn words_are_counted_in_plots_and_numbers_are_not() {
        let words = Parameter::parse("contact.normal=hertz,linear").expect("good");
        assert_eq!(words.number(1.0), 1.0);
        assert_eq!(Parameter::parse("a=5,7").expect("good").number(1.0), 7.0);
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(message("a"), "`--vary a` is not KEY=VALUES");
        assert_eq!(message("a b=1"), "`--vary a b=1`: `a b` is not a path like `a.b[0].c`");
        assert!(message("a=1,,2").contains("an empty value"));
        assert!(message("a=1,2,1").contains("`1` twice"));
        assert!(message("a=3..2").contains("the first must be smaller"));
        assert!(message("a=0..2 log").contains("must be above 0"));
        assert!(message("a=1..2 lgo").contains("did you mean `log`?"));
        assert!(message("a=0,1..0.9").contains("the range `1..0.9` in a list"));
        assert!(message("a=1..x").contains("the end `x`"));
        assert!(message("a=1..2 in 1").contains("at least 2"));
        // Refused before a list of this length is allocated.
        assert!(message("a=1..2 in 99999999999999").contains("at most 1000000 runs"));
    }
}
