//! An entry of a registry: name, reader of the options, and their schema.

use super::collector::Collector;
use super::from_scene::{FromTable, FromValue};
use crate::schema::build;
use crate::text::table::{Choice, Table};
use crate::text::value::Value;
use esker::parameters::{Described, Parameters};
use serde_json::Value as Json;

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
                let mut parameters = FromValue::new(value);
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
