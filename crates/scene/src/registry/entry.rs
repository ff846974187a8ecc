//! An entry of a registry: name, reader of the options, and their schema.

use crate::expression::Program;
use crate::schema::build;
use crate::text::table::{Choice, Table};
use crate::text::value::Value;
use esker::Vec3;
use esker::parameters::{Described, ITSELF, Limits, Parameters, VectorFunction};
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

/// A name and its constructor.
pub(crate) struct Entry<T: 'static> {
    /// The name.
    pub name: &'static str,
    kind: Kind<T>,
}

enum Kind<T: 'static> {
    /// Reader and schema follow from one description.
    Described { about: &'static str, make: fn(&mut dyn Parameters) -> T },
    /// A table with nested tables, empty if the name is given alone.
    Table { read: fn(&Table<'_>) -> T, schema: fn() -> Json },
    /// Values other than named parameters, such as files.
    Own { read: fn(&Value<'_>) -> Option<T>, schema: fn() -> Json },
}

impl<T> Entry<T> {
    /// The entry of a type that describes itself.
    pub const fn of<D: Described + Into<T>>() -> Self {
        let make = |parameters: &mut dyn Parameters| D::from_parameters(parameters).into();
        Self { name: D::NAME, kind: Kind::Described { about: D::ABOUT, make } }
    }

    /// The entry of a function that describes the parameters that it reads.
    pub const fn new(
        name: &'static str,
        about: &'static str,
        make: fn(&mut dyn Parameters) -> T,
    ) -> Self {
        Self { name, kind: Kind::Described { about, make } }
    }

    /// The entry of a table that is optional.
    pub const fn table(
        name: &'static str,
        read: fn(&Table<'_>) -> T,
        schema: fn() -> Json,
    ) -> Self {
        Self { name, kind: Kind::Table { read, schema } }
    }

    /// An entry with its own reader and schema.
    pub const fn own(
        name: &'static str,
        read: fn(&Value<'_>) -> Option<T>,
        schema: fn() -> Json,
    ) -> Self {
        Self { name, kind: Kind::Own { read, schema } }
    }

    /// Reads the options.
    fn read(&self, value: &Value<'_>) -> Option<T> {
        match self.kind {
            Kind::Described { make, .. } => {
                let mut parameters = FromValue { value, table: None, is_itself: false };
                let made = make(&mut parameters);
                parameters.finish().then_some(made)
            }
            Kind::Table { read, .. } => {
                let table = value.table()?;
                let made = read(&table);
                table.finish();
                Some(made)
            }
            Kind::Own { read, .. } => read(value),
        }
    }

    /// Schema of the options.
    pub fn schema(&self) -> Json {
        match self.kind {
            Kind::Described { about, make } => {
                let mut collector = Collector::default();
                make(&mut collector);
                collector.schema(about)
            }
            Kind::Table { schema, .. } | Kind::Own { schema, .. } => schema(),
        }
    }

    /// True if the name alone is sufficient.
    pub fn stands_alone(&self) -> bool {
        let schema = self.schema();
        let has_none = |key: &str| {
            schema.get(key).and_then(Json::as_array).is_none_or(|required| required.is_empty())
        };
        schema.get("type").is_some_and(|kind| kind == "object")
            && has_none("required")
            && has_none("oneOf")
    }
}

/// The names of entries.
pub(crate) fn names<T>(entries: &[Entry<T>]) -> Vec<&'static str> {
    entries.iter().map(|entry| entry.name).collect()
}

/// Schema of `"name"` or `{ name = options }`.
pub(crate) fn choice_schema<T>(about: &str, entries: &[Entry<T>]) -> Json {
    let alone: Vec<&str> =
        entries.iter().filter(|entry| entry.stands_alone()).map(|entry| entry.name).collect();
    let options = entries.iter().map(|entry| (entry.name, entry.schema())).collect();
    build::choice(about, &alone, options)
}

/// Reads the entry of a name.
pub(crate) fn read<T>(entries: &[Entry<T>], name: &str, value: &Value<'_>) -> Option<T> {
    entries.iter().find(|entry| entry.name == name)?.read(value)
}

/// Reads `"name"` or `{ name = options }`.
pub(crate) fn read_choice<T>(entries: &[Entry<T>], choice: &Choice<'_>) -> Option<T> {
    let entry = entries.iter().find(|entry| entry.name == choice.word)?;
    match (&choice.value, &entry.kind) {
        (Some(value), _) => entry.read(value),
        (None, Kind::Described { make, .. }) if !entry.is_a_value() => {
            let table = choice.table()?;
            let made = make(&mut FromTable(&table));
            table.finish();
            Some(made)
        }
        (None, Kind::Table { read, .. }) => {
            let table = choice.table()?;
            let made = read(&table);
            table.finish();
            Some(made)
        }
        (None, _) => {
            let what = format!("`{}` needs its options", entry.name);
            choice.report(what, format!("such as {{ {} = … }}", entry.name));
            None
        }
    }
}

impl<T> Entry<T> {
    /// True if its options are one value instead of a table.
    fn is_a_value(&self) -> bool {
        self.schema().get("type").is_none_or(|kind| kind != "object")
    }
}

/// Parameters from a value of the scene file: its keys, or the value itself.
struct FromValue<'v, 'a> {
    value: &'v Value<'a>,
    /// True if keys were read, and the table if it is one.
    table: Option<Option<Table<'a>>>,
    /// True if the value itself was read.
    is_itself: bool,
}

impl<'a> FromValue<'_, 'a> {
    fn table(&mut self) -> Option<&Table<'a>> {
        self.table.get_or_insert_with(|| self.value.table()).as_ref()
    }

    /// Reports unknown keys. False if a table is required and missing.
    fn finish(mut self) -> bool {
        if self.is_itself {
            return true;
        }
        // A description without parameters reads no key.
        let table = self.table.take().unwrap_or_else(|| self.value.table());
        table.map(Table::finish).is_some()
    }

    fn keyed<R>(&mut self, placeholder: R, read: impl FnOnce(&mut FromTable<'_, 'a>) -> R) -> R {
        match self.table() {
            Some(table) => read(&mut FromTable(table)),
            None => placeholder,
        }
    }
}

impl Parameters for FromValue<'_, '_> {
    fn number(&mut self, key: &'static str, about: &'static str, limits: Limits) -> f64 {
        if key == ITSELF {
            self.is_itself = true;
            return self.value.number(limits).unwrap_or(f64::NAN);
        }
        self.keyed(f64::NAN, |table| table.number(key, about, limits))
    }

    fn optional_number(
        &mut self,
        key: &'static str,
        about: &'static str,
        limits: Limits,
    ) -> Option<f64> {
        self.keyed(None, |table| table.optional_number(key, about, limits))
    }

    fn optional_count(&mut self, key: &'static str, about: &'static str) -> Option<usize> {
        self.keyed(None, |table| table.optional_count(key, about))
    }

    fn vector(&mut self, key: &'static str, about: &'static str) -> Vec3 {
        if key == ITSELF {
            self.is_itself = true;
            return self.value.vec3().unwrap_or(Vec3::ZERO);
        }
        self.keyed(Vec3::ZERO, |table| table.vector(key, about))
    }

    fn direction(&mut self, key: &'static str, about: &'static str) -> Vec3 {
        self.keyed(Vec3::Z, |table| table.direction(key, about))
    }

    fn word(
        &mut self,
        key: &'static str,
        about: &'static str,
        words: &'static [&'static str],
    ) -> usize {
        self.keyed(0, |table| table.word(key, about, words))
    }

    fn one_number(&mut self, keys: &[(&'static str, &'static str)]) -> (usize, f64) {
        self.keyed((0, f64::NAN), |table| table.one_number(keys))
    }

    fn vector_function(&mut self, key: &'static str, about: &'static str) -> VectorFunction {
        let placeholder = VectorFunction::Constant(Vec3::ZERO);
        self.keyed(placeholder, |table| table.vector_function(key, about))
    }

    fn problem(&mut self, key: &'static str, message: String, label: &'static str) {
        if key == ITSELF {
            return self.value.report(message, label);
        }
        self.keyed((), |table| table.problem(key, message, label));
    }
}

/// Parameters from the keys of a table.
pub(super) struct FromTable<'t, 'a>(pub &'t Table<'a>);

impl Parameters for FromTable<'_, '_> {
    fn number(&mut self, key: &'static str, _: &'static str, limits: Limits) -> f64 {
        self.0.number(key, limits)
    }

    fn optional_number(
        &mut self,
        key: &'static str,
        _: &'static str,
        limits: Limits,
    ) -> Option<f64> {
        self.0.optional_number(key, limits)
    }

    fn optional_count(&mut self, key: &'static str, _: &'static str) -> Option<usize> {
        self.0.optional_count(key)
    }

    fn vector(&mut self, key: &'static str, _: &'static str) -> Vec3 {
        self.0.vec3(key)
    }

    fn direction(&mut self, key: &'static str, _: &'static str) -> Vec3 {
        self.0.direction(key)
    }

    fn word(
        &mut self,
        key: &'static str,
        _: &'static str,
        words: &'static [&'static str],
    ) -> usize {
        let found = self.0.required(key).and_then(|value| value.word(words));
        words.iter().position(|word| Some(*word) == found).unwrap_or(0)
    }

    fn one_number(&mut self, keys: &[(&'static str, &'static str)]) -> (usize, f64) {
        let names: Vec<&'static str> = keys.iter().map(|(key, _)| *key).collect();
        let Some((found, value)) = self.0.one_of(&names) else { return (0, f64::NAN) };
        let index = names.iter().position(|name| *name == found).unwrap_or(0);
        (index, value.number(Limits::Any).unwrap_or(f64::NAN))
    }

    fn vector_function(&mut self, key: &'static str, _: &'static str) -> VectorFunction {
        let value = self.0.optional(key);
        value.map_or(VectorFunction::Constant(Vec3::ZERO), |value| vector_function(&value))
    }

    fn problem(&mut self, key: &'static str, message: String, label: &'static str) {
        // A missing key has been reported.
        if let Some(value) = self.0.peek(key) {
            value.report(message, label);
        }
    }
}

/// Three components, each a number or an expression of `x`, `y`, `z` and `t`.
fn vector_function(value: &Value<'_>) -> VectorFunction {
    let parts = if value.is_list() { value.list().unwrap_or_default() } else { Vec::new() };
    if parts.len() != 3 || parts.iter().all(|part| !part.is_text()) {
        return VectorFunction::Constant(value.vec3().unwrap_or(Vec3::ZERO));
    }
    let programs: Vec<Program> = parts.iter().filter_map(program).collect();
    let Ok([x, y, z]) = <[Program; 3]>::try_from(programs) else {
        return VectorFunction::Constant(Vec3::ZERO);
    };
    let written: Vec<String> = parts.iter().map(written).collect();
    let function = move |position: Vec3, time: f64| {
        let position = position.to_array();
        Vec3::new(x.at(position, time), y.at(position, time), z.at(position, time))
    };
    VectorFunction::Varying(Arc::new(function), format!("[{}]", written.join(", ")).into())
}

fn program(value: &Value<'_>) -> Option<Program> {
    if value.is_number() {
        return value.number(Limits::Any).map(Program::constant);
    }
    let text = value.text()?;
    Program::parse(text).map_err(|error| crate::read::report_expression(value, text, error)).ok()
}

/// A component as written in the file.
fn written(value: &Value<'_>) -> String {
    if value.is_text() {
        value.text().unwrap_or_default().to_owned()
    } else {
        value.number(Limits::Any).unwrap_or_default().to_string()
    }
}

/// Collects the schema of a description.
#[derive(Default)]
struct Collector {
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

    fn schema(mut self, about: &str) -> Json {
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
