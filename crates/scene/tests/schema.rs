//! The schema accepts every good scene and knows exactly the keys that the reader knows.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn good_scenes() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good");
    let entries = std::fs::read_dir(folder).expect("the folder is in the repository");
    entries
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect()
}

#[test]
fn every_good_scene_fits_the_schema() {
    let schema = esker_scene::schema::schema();
    let validator = jsonschema::validator_for(&schema).expect("the schema is a schema");
    for path in good_scenes() {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let scene: Value = toml::from_str(&text).expect("it is TOML");
        let errors: Vec<String> = validator
            .iter_errors(&scene)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{}: {errors:#?}", path.display());
    }
}

/// The parts of a schema that can describe the value of a key or an index.
fn below<'a>(nodes: Vec<&'a Value>, step: &str) -> Vec<&'a Value> {
    let mut found = Vec::new();
    for node in nodes {
        let next = match step {
            "[]" => node.get("items"),
            key => node
                .get("properties")
                .and_then(|properties| properties.get(key))
                .or(node.get("additionalProperties").filter(|other| other.is_object())),
        };
        found.extend(next.into_iter().flat_map(alternatives));
    }
    found
}

fn alternatives(node: &Value) -> Vec<&Value> {
    match node.get("anyOf").and_then(Value::as_array) {
        Some(ways) => ways.iter().flat_map(alternatives).collect(),
        None => vec![node],
    }
}

/// `particles[3].insert` as `particles[].insert`; digits within a word are kept.
fn without_indices(path: &str) -> String {
    let parts = path.split('[').enumerate().map(|(index, part)| match index {
        0 => part.to_owned(),
        _ => format!("[{}", part.trim_start_matches(|c: char| c.is_ascii_digit())),
    });
    parts.collect()
}

/// Names of the parameters of pairs that laws read, from the calls in their source.
fn law_parameters() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src/law");
    // these two are read in a loop over their names
    let mut names = vec!["mie_attraction_exponent".to_owned(), "mie_repulsion_exponent".to_owned()];
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is in the repository") {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("it is text");
            // examples of the documentation have parameters of their own
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            let text = code.collect::<Vec<_>>().join("\n");
            for call in [".require(", ".optional(", ".of_pair_or_materials("] {
                let arguments = text.split(call).skip(1);
                let literals = arguments.filter_map(|text| text.trim_start().strip_prefix('"'));
                names.extend(literals.filter_map(|text| Some(text.split_once('"')?.0.to_owned())));
            }
        }
    }
    names
}

#[test]
fn the_schema_has_exactly_the_keys_of_the_reader() {
    let schema = esker_scene::schema::schema();
    let mut known: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for path in good_scenes() {
        let loaded = esker_scene::load(&path).unwrap_or_else(|errors| panic!("{errors}"));
        for (path, keys) in loaded.known_keys() {
            let pattern = without_indices(path);
            // The same tables inside a stage.
            let pattern = pattern.replace("stages[].insert[]", "particles[]");
            let pattern = pattern.replace("stages[].add_walls[]", "walls[]");
            known.entry(pattern).or_default().extend(keys);
        }
    }
    for (pattern, keys) in known {
        let mut nodes = alternatives(&schema);
        for step in pattern.replace("[]", ".[]").split('.').filter(|step| !step.is_empty()) {
            nodes = below(nodes, step);
        }
        let described: BTreeSet<&str> = nodes
            .iter()
            .filter_map(|node| node.get("properties")?.as_object())
            .flat_map(|properties| properties.keys().map(String::as_str))
            .collect();
        // parameters of pairs are keys that the reader passes on to the laws
        let is_pair = ["contact.pairs[]", "stages[].set_pair[]"].contains(&pattern.as_str());
        let parameters = if is_pair { law_parameters() } else { Vec::new() };
        let keys: BTreeSet<&str> =
            keys.into_iter().chain(parameters.iter().map(String::as_str)).collect();
        assert_eq!(described, keys, "keys of `{pattern}`");
    }
}
