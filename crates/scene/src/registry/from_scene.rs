//! Parameters of an entry, read from a scene file.

use crate::expression::Program;
use crate::text::table::Table;
use crate::text::value::Value;
use esker::Vec3;
use esker::parameters::{ITSELF, Limits, Parameters, VectorFunction};
use std::sync::Arc;

/// Parameters from a value of the scene file: its keys, or the value itself.
pub(super) struct FromValue<'v, 'a> {
    value: &'v Value<'a>,
    /// True if keys were read, and the table if it is one.
    table: Option<Option<Table<'a>>>,
    /// True if the value itself was read.
    is_itself: bool,
}

impl<'v, 'a> FromValue<'v, 'a> {
    pub(super) fn new(value: &'v Value<'a>) -> Self {
        Self { value, table: None, is_itself: false }
    }

    fn table(&mut self) -> Option<&Table<'a>> {
        self.table.get_or_insert_with(|| self.value.table()).as_ref()
    }

    /// Reports unknown keys. False if a table is required and missing.
    pub(super) fn finish(mut self) -> bool {
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
