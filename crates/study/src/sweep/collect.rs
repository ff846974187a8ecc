//! The numbers of a run: those of its summary and the last values of its probes.

use super::vary::Wrong;
use esker::Simulation;
use esker_draw::OutputError;
use esker_scene::Loaded;
use esker_scene::plain_file::{self, LONGEST_FILE};
use esker_scene::run::{self, RunError};
use esker_scene::text::words;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Parts of the summary that are not results of the scene.
const LEFT_OUT: [&str; 4] = ["failure", "resumed_at_step", "seed", "version"];
/// Numbers other than measures and probes that are collected by default. Wall-clock times are excluded, so that the
/// same sweep gives the same table.
const USUAL: [&str; 5] = ["time", "steps", "particles.present", "contacts", "energy.kinetic"];

/// Names and values, in the order of the summary, then of the probes. Missing values are NaN.
pub type Numbers = Vec<(String, f64)>;

/// The numbers of a finished run.
pub fn numbers(folder: &Path) -> Result<Numbers, OutputError> {
    let path = folder.join("summary.json");
    let text =
        plain_file::read_text(&path, LONGEST_FILE).map_err(OutputError::system("read", &path))?;
    let summary = serde_json::from_str(&text)
        .map_err(|error| OutputError::content(&path, error.to_string()))?;
    let mut numbers = Numbers::new();
    flatten(&summary, String::new(), &mut numbers);
    let probes = folder.join("probes");
    let mut files: Vec<_> = fs::read_dir(&probes)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    files.sort();
    for file in files {
        let name = file.file_stem().map(|name| name.to_string_lossy().into_owned());
        let text = plain_file::read_text(&file, LONGEST_FILE)
            .map_err(OutputError::system("read", &file))?;
        let mut lines = text.lines();
        let header = lines.next().unwrap_or_default();
        let last = lines.next_back().unwrap_or_default();
        let cells = last.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN));
        let cells = cells.chain(std::iter::repeat(f64::NAN));
        for (column, value) in header.split(',').zip(cells).filter(|(column, _)| is_result(column))
        {
            add(&mut numbers, format!("{}.{column}", name.clone().unwrap_or_default()), value);
        }
    }
    Ok(numbers)
}

/// The names of the results that a run of a scene will have, and those that are collected by default.
pub fn names(loaded: &Loaded, simulation: &Simulation) -> Result<Vec<String>, RunError> {
    let summary = run::summary_at_start(loaded, simulation);
    let summary = serde_json::from_str(&summary.json())
        .map_err(|error| OutputError::Report(error.to_string()))?;
    let mut numbers = Numbers::new();
    flatten(&summary, String::new(), &mut numbers);
    for (probe, columns) in run::probe_columns(&loaded.outputs) {
        for column in columns.iter().filter(|column| is_result(column)) {
            add(&mut numbers, format!("{probe}.{column}"), f64::NAN);
        }
    }
    Ok(numbers.into_iter().map(|(name, _)| name).collect())
}

fn is_result(column: &str) -> bool {
    column != "time" && column != "step"
}

fn add(numbers: &mut Numbers, name: String, value: f64) {
    if !LEFT_OUT.contains(&name.as_str()) && !numbers.iter().any(|(known, _)| *known == name) {
        numbers.push((name, value));
    }
}

/// Numbers by their path in the JSON. A list of pairs of a name and a value counts as a table.
fn flatten(value: &Value, path: String, numbers: &mut Numbers) {
    let below = |name: &str| match path.is_empty() {
        true => name.to_owned(),
        false => format!("{path}.{name}"),
    };
    match value {
        Value::Object(table) => {
            table.iter().for_each(|(key, value)| flatten(value, below(key), numbers));
        }
        Value::Array(list) => {
            for (index, item) in list.iter().enumerate() {
                match item.as_array().map(Vec::as_slice) {
                    Some([Value::String(name), value]) => flatten(value, below(name), numbers),
                    _ => flatten(item, below(&index.to_string()), numbers),
                }
            }
        }
        Value::Number(number) => add(numbers, path, number.as_f64().unwrap_or(f64::NAN)),
        Value::Null => add(numbers, path, f64::NAN),
        Value::Bool(_) | Value::String(_) => {}
    }
}

/// The collected columns; the first ones are ranked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Collected {
    /// All columns.
    pub columns: Vec<String>,
    /// The unit of each; empty for a pure number.
    pub units: Vec<&'static str>,
    /// Number of columns that are ranked and plotted.
    pub ranked: usize,
}

/// Selects columns: those that `wanted` names (a whole name, its end after a point, or with `*` the beginning of it or
/// of a part after a point), otherwise the measures and probes, which are ranked, and a few more.
pub fn chosen(names: &[String], wanted: &[String], probes: &[String]) -> Result<Collected, Wrong> {
    if wanted.is_empty() {
        let of_probe = |name: &&String| {
            name.rsplit_once('.').is_some_and(|(probe, _)| probes.iter().any(|one| one == probe))
        };
        let measured = names.iter().filter(|name| name.starts_with("measured."));
        let probed = names.iter().filter(of_probe);
        let always = names.iter().filter(|name| name.starts_with("measures."));
        let mut columns: Vec<String> = measured.chain(probed).chain(always).cloned().collect();
        let ranked = columns.len();
        columns.extend(
            USUAL
                .iter()
                .filter(|one| names.iter().any(|name| name == *one))
                .map(|one| (*one).to_owned()),
        );
        return Ok(Collected { columns, ranked, units: Vec::new() });
    }
    let mut columns: Vec<String> = Vec::new();
    for word in wanted {
        for name in named(names, word)? {
            if !columns.contains(&name) {
                columns.push(name);
            }
        }
    }
    let ranked = columns.len();
    Ok(Collected { columns, ranked, units: Vec::new() })
}

fn named(names: &[String], word: &str) -> Result<Vec<String>, Wrong> {
    if names.iter().any(|name| name == word) {
        return Ok(vec![word.to_owned()]);
    }
    let found: Vec<String> = match word.strip_suffix('*') {
        Some(start) => {
            let below = format!(".{start}");
            let begins = |name: &&String| name.starts_with(start) || name.contains(&below);
            names.iter().filter(begins).cloned().collect()
        }
        None => {
            let end = format!(".{word}");
            names.iter().filter(|name| name.ends_with(&end)).cloned().collect()
        }
    };
    match found.len() {
        0 => {
            let mut all: Vec<&str> = names.iter().map(String::as_str).collect();
            all.extend(names.iter().filter_map(|name| Some(name.rsplit_once('.')?.1)));
            let tables: Vec<&str> = names
                .iter()
                .filter_map(|name| name.rsplit_once('.')?.0.rsplit('.').next())
                .collect();
            let list = names.join(", ");
            let bare = word.trim_end_matches(['.', '*']);
            let help = match (words::nearest(bare, &all), words::nearest(bare, &tables)) {
                (Some(near), _) if !word.ends_with('*') => {
                    format!("did you mean `{near}`? there are: {list}")
                }
                (_, Some(near)) => format!("did you mean `{near}.*`? there are: {list}"),
                _ => format!("there are: {list}"),
            };
            Err(Wrong::new(format!("`--collect {word}`: a run has no such result"), help))
        }
        1 => Ok(found),
        _ if word.ends_with('*') => Ok(found),
        _ => Err(Wrong::new(
            format!("`--collect {word}` is ambiguous: {}", found.join(", ")),
            "give the whole name",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        let names = [
            "time",
            "measures.rattlers",
            "heap.max_height",
            "drum.max_height",
            "heap.count",
            "measured.flank.angle",
        ];
        names.map(str::to_owned).to_vec()
    }

    fn choose(words: &[&str]) -> Result<Vec<String>, Wrong> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        chosen(&names(), &words, &["heap".to_owned()]).map(|collected| collected.columns)
    }

    #[test]
    fn columns_are_named_in_whole_by_their_end_or_by_a_star() {
        assert_eq!(choose(&["rattlers"]).expect("good"), ["measures.rattlers"]);
        assert_eq!(
            choose(&["heap.*", "time"]).expect("good"),
            ["heap.max_height", "heap.count", "time"]
        );
        assert_eq!(
            choose(&[]).expect("good"),
            ["measured.flank.angle", "heap.max_height", "heap.count", "measures.rattlers", "time"]
        );
    }

    #[test]
    fn unknown_columns_get_a_suggestion_and_doubtful_ones_a_question() {
        let wrong = choose(&["ratlers"]).expect_err("unknown");
        assert_eq!(wrong.message, "`--collect ratlers`: a run has no such result");
        assert!(wrong.help.starts_with("did you mean `rattlers`?"), "{}", wrong.help);
        let wrong = choose(&["max_height"]).expect_err("two of them");
        assert!(wrong.message.contains("heap.max_height, drum.max_height"), "{}", wrong.message);
    }

    #[test]
    fn a_summary_becomes_names_and_numbers() {
        let summary = serde_json::json!({
            "title": "x", "seed": 4, "steps": 7, "failure": null,
            "measures": { "rattlers": 0.5, "angles": [["grains", 30.0], ["dust", null]] },
            "walls": [1.5, 2.5],
        });
        let mut numbers = Numbers::new();
        flatten(&summary, String::new(), &mut numbers);
        numbers.sort_by(|one, other| one.0.cmp(&other.0));
        let names: Vec<&str> = numbers.iter().map(|(name, _)| name.as_str()).collect();
        let expected = [
            "measures.angles.dust",
            "measures.angles.grains",
            "measures.rattlers",
            "steps",
            "walls.0",
            "walls.1",
        ];
        assert_eq!(names, expected);
        assert!(numbers[0].1.is_nan() && numbers[1].1 == 30.0 && numbers[5].1 == 2.5);
    }
}
