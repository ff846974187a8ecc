//! Building blocks of the schema: each returns the schema of one kind of value.

use serde_json::{Map, Value, json};

pub(super) fn number(about: &str) -> Value {
    json!({ "type": "number", "description": about })
}

pub(super) fn positive(about: &str) -> Value {
    json!({ "type": "number", "exclusiveMinimum": 0, "description": about })
}

pub(super) fn not_negative(about: &str) -> Value {
    json!({ "type": "number", "minimum": 0, "description": about })
}

pub(super) fn count(about: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": about })
}

pub(super) fn flag(about: &str) -> Value {
    json!({ "type": "boolean", "description": about })
}

pub(super) fn text(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

pub(super) fn vector(about: &str) -> Value {
    json!({
        "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3,
        "description": about,
    })
}

pub(super) fn words(about: &str, words: &[&str]) -> Value {
    json!({ "type": "string", "enum": words, "description": about })
}

pub(super) fn list(about: &str, items: Value) -> Value {
    json!({ "type": "array", "items": items, "description": about })
}

pub(super) fn either(about: &str, ways: Vec<Value>) -> Value {
    json!({ "anyOf": ways, "description": about })
}

/// A table; keys that start with `!` must be there.
pub(super) fn table<const N: usize>(about: &str, keys: [(&str, Value); N]) -> Value {
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

/// A table whose keys are names.
pub(super) fn named(about: &str, values: Value) -> Value {
    json!({ "type": "object", "additionalProperties": values, "description": about })
}

/// The same table with exactly one of these keys.
pub(super) fn exactly_one(mut table: Value, keys: &[&str]) -> Value {
    let ways: Vec<Value> = keys.iter().map(|key| json!({ "required": [key] })).collect();
    table["oneOf"] = Value::Array(ways);
    table
}

/// A word alone, or as the only key of a table that holds its options.
pub(super) fn choice(about: &str, alone: &[&str], with_options: Vec<(&str, Value)>) -> Value {
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
