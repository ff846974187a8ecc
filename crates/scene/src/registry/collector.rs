//! The JSON schema of an entry, collected from the parameters that it declares.

use crate::schema::build;
use esker::Vec3;
use esker::parameters::{ITSELF, Limits, Parameters, VectorFunction};
use serde_json::{Map, Value as Json, json};

/// Collects the schema of a description.
#[derive(Default)]
pub(super) struct Collector {
    properties: Map<String, Json>,
    required: Vec<&'static str>,
    one_of: Vec<&'static str>,
}

impl Collector {
    fn add(&mut self, key: &'static str, schema: Json, required: bool) {
        self.properties.insert(key.to_owned(), schema);
        if required {
            self.required.push(key);
        }
    }

    pub(super) fn schema(mut self, about: &str) -> Json {
        if let Some(itself) = self.properties.remove(ITSELF) {
            return itself;
        }
        let table = json!({
            "type": "object", "properties": self.properties, "required": self.required,
            "additionalProperties": false, "description": about,
        });
        if self.one_of.is_empty() { table } else { build::exactly_one(table, &self.one_of) }
    }
}

fn number_schema(about: &str, limits: Limits) -> Json {
    match limits {
        Limits::Any => build::number(about),
        Limits::Positive => build::positive(about),
        Limits::NotNegative => build::not_negative(about),
    }
}

impl Parameters for Collector {
    fn number(&mut self, key: &'static str, about: &'static str, limits: Limits) -> f64 {
        self.add(key, number_schema(about, limits), true);
        1.0
    }

    fn optional_number(
        &mut self,
        key: &'static str,
        about: &'static str,
        limits: Limits,
    ) -> Option<f64> {
        self.add(key, number_schema(about, limits), false);
        None
    }

    fn optional_count(&mut self, key: &'static str, about: &'static str) -> Option<usize> {
        self.add(key, build::count(about), false);
        None
    }

    fn vector(&mut self, key: &'static str, about: &'static str) -> Vec3 {
        self.add(key, build::vector(about), true);
        Vec3::ZERO
    }

    fn direction(&mut self, key: &'static str, about: &'static str) -> Vec3 {
        self.add(key, build::vector(about), true);
        Vec3::Z
    }

    fn word(
        &mut self,
        key: &'static str,
        about: &'static str,
        words: &'static [&'static str],
    ) -> usize {
        self.add(key, build::words(about, words), true);
        0
    }

    fn one_number(&mut self, keys: &[(&'static str, &'static str)]) -> (usize, f64) {
        for (key, about) in keys {
            self.add(key, build::number(about), false);
            self.one_of.push(key);
        }
        (0, 1.0)
    }

    fn vector_function(&mut self, key: &'static str, about: &'static str) -> VectorFunction {
        let constant = build::number("Constant");
        let expression = build::text("Expression of x, y, z [m] and t [s]");
        let mut schema =
            build::list(about, build::either("A component", vec![constant, expression]));
        (schema["minItems"], schema["maxItems"]) = (json!(3), json!(3));
        self.add(key, schema, false);
        VectorFunction::Constant(Vec3::ZERO)
    }

    fn problem(&mut self, _: &'static str, _: String, _: &'static str) {}
}
