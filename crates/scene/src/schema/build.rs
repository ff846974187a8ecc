//! Building blocks of the schema: each returns the schema of one kind of value.

use serde_json::{Map, Value, json};

pub(crate) fn number(about: &str) -> Value {
    json!({ "type": "number", "description": about })
}

pub(crate) fn positive(about: &str) -> Value {
    json!({ "type": "number", "exclusiveMinimum": 0, "description": about })
}

pub(crate) fn not_negative(about: &str) -> Value {
    json!({ "type": "number", "minimum": 0, "description": about })
}

pub(crate) fn count(about: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": about })
}

pub(crate) fn flag(about: &str) -> Value {
    json!({ "type": "boolean", "description": about })
}

pub(crate) fn text(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

pub(crate) fn vector(about: &str) -> Value {
    json!({
        "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3,
        "description": about,
    })
}

pub(crate) fn words(about: &str, words: &[&str]) -> Value {
    json!({ "type": "string", "enum": words, "description": about })
}

pub(crate) fn list(about: &str, items: Value) -> Value {
    json!({ "type": "array", "items": items, "description": about })
}

pub(crate) fn either(about: &str, ways: Vec<Value>) -> Value {
    json!({ "anyOf": ways, "description": about })
}

/// A table; keys that start with `!` are required.
pub(crate) fn table<const N: usize>(about: &str, keys: [(&str, Value); N]) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (key, value) in keys {
        let name = key.trim_start_matches('!');
        if name != key {
            required.push(name.to_owned());
        }
        properties.insert(name.to_owned(), value);
    }
    json!({
        "type": "object", "properties": properties, "required": required,
        "additionalProperties": false, "description": about,
    })
}

/// A table with optional keys.
pub(crate) fn table_of<'k>(about: &str, keys: impl IntoIterator<Item = (&'k str, Value)>) -> Value {
    let properties: Map<String, Value> =
        keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    json!({
        "type": "object", "properties": properties, "additionalProperties": false,
        "description": about,
    })
}

/// A table whose keys are names.
pub(crate) fn named(about: &str, values: Value) -> Value {
    json!({ "type": "object", "additionalProperties": values, "description": about })
}

/// The same table with exactly one of these keys.
pub(crate) fn exactly_one(mut table: Value, keys: &[&str]) -> Value {
    let ways: Vec<Value> = keys.iter().map(|key| json!({ "required": [key] })).collect();
    table["oneOf"] = Value::Array(ways);
    table
}

/// A name, or a table with the name as its only key and the options as its value.
pub(crate) fn choice(about: &str, alone: &[&str], with_options: Vec<(&str, Value)>) -> Value {
    let mut ways = vec![words(about, alone)];
    ways.extend(with_options.into_iter().map(|(word, options)| {
        let description = options.get("description").cloned().unwrap_or_default();
        json!({
            "type": "object", "properties": { word: options }, "required": [word],
            "additionalProperties": false, "description": description,
        })
    }));
    either(about, ways)
}
