//! A table of a scene file: returns values by key and reports unknown keys at the end.

use super::value::{Context, Limits, Value, join};
use super::words;
use crate::diagnostic::Diagnostic;
use esker::Vec3;
use std::cell::RefCell;
use std::ops::Range;
use toml::de::DeTable;

/// Largest number of unknown keys of a table that are named individually.
const MOST_UNKNOWN: usize = 24;

/// A table being read. Missing or invalid values are reported and replaced by a valid value:
/// the scene is refused at the end, with all its errors.
#[derive(Debug)]
pub(crate) struct Table<'a> {
    pub context: &'a Context,
    pub path: String,
    values: Option<&'a DeTable<'a>>,
    span: Option<Range<usize>>,
    known: RefCell<Vec<&'static str>>,
    missing: RefCell<Vec<Missing>>,
}

/// A required key that is missing. Reported at the end, since an unknown key that resembles one of the missing keys is
/// reported instead.
#[derive(Debug)]
struct Missing {
    keys: Vec<&'static str>,
    /// True if any unknown key may be a misspelling of it.
    any: bool,
    error: Diagnostic,
}

/// A name with or without a table of options: `"hertz"` or `{ hertz = { … } }`.
#[derive(Debug)]
pub(crate) struct Choice<'a> {
    pub word: &'static str,
    pub value: Option<Value<'a>>,
    source_value: Value<'a>,
}

impl<'a> Table<'a> {
    /// A table at a path; the root of the file has no location.
    pub fn new(
        context: &'a Context,
        values: &'a DeTable<'a>,
        path: String,
        span: Option<Range<usize>>,
    ) -> Self {
        Self {
            context,
            path,
            values: Some(values),
            span,
            known: RefCell::default(),
            missing: RefCell::default(),
        }
    }

    /// Notes an error about the table as a whole.
    pub fn report(&self, message: impl Into<String>, help: Option<String>) {
        let span = self.span.clone();
        self.context.report(Diagnostic {
            message: message.into(),
            span,
            help,
            ..Diagnostic::default()
        });
    }

    /// Records that none of these keys is present.
    pub fn missing(&self, keys: &[&'static str], message: impl Into<String>, help: Option<String>) {
        let span = self.span.clone();
        let error = Diagnostic { message: message.into(), span, help, ..Diagnostic::default() };
        self.missing.borrow_mut().push(Missing { keys: keys.to_vec(), any: keys.len() > 1, error });
    }

    /// Name of the table in messages.
    fn title(&self) -> String {
        if self.path.is_empty() { "the scene".to_owned() } else { format!("`{}`", self.path) }
    }

    fn value(&self, key: &str) -> Option<Value<'a>> {
        let value = self.values?.get(key)?;
        Some(Value { context: self.context, value, path: join(&self.path, key) })
    }

    /// A value, without marking the key as known.
    pub fn peek(&self, key: &str) -> Option<Value<'a>> {
        self.value(key)
    }

    /// An optional value.
    pub fn optional(&self, key: &'static str) -> Option<Value<'a>> {
        self.known.borrow_mut().push(key);
        self.value(key)
    }

    /// A required value.
    pub fn required(&self, key: &'static str) -> Option<Value<'a>> {
        let value = self.optional(key);
        if value.is_none() {
            self.missing(&[key], format!("{} needs `{key}`", self.title()), None);
        }
        value
    }

    /// A required number; NaN after an error.
    pub fn number(&self, key: &'static str, limits: Limits) -> f64 {
        self.required(key).and_then(|value| value.number(limits)).unwrap_or(f64::NAN)
    }

    /// A required number greater than zero.
    pub fn positive(&self, key: &'static str) -> f64 {
        self.number(key, Limits::Positive)
    }

    /// An optional number.
    pub fn optional_number(&self, key: &'static str, limits: Limits) -> Option<f64> {
        self.optional(key)?.number(limits)
    }

    /// Three required numbers.
    pub fn vec3(&self, key: &'static str) -> Vec3 {
        self.required(key).and_then(|value| value.vec3()).unwrap_or(Vec3::ZERO)
    }

    /// Three optional numbers, zero if missing.
    pub fn optional_vec3(&self, key: &'static str) -> Vec3 {
        self.optional(key).and_then(|value| value.vec3()).unwrap_or(Vec3::ZERO)
    }

    /// A required unit vector.
    pub fn direction(&self, key: &'static str) -> Vec3 {
        self.required(key).and_then(|value| value.direction()).unwrap_or(Vec3::Z)
    }

    /// An optional whole number.
    pub fn optional_count(&self, key: &'static str) -> Option<usize> {
        self.optional(key)?.count().map(|count| count as usize)
    }

    /// True or false, with a default.
    pub fn flag(&self, key: &'static str, missing: bool) -> bool {
        self.optional(key).and_then(|value| value.flag()).unwrap_or(missing)
    }

    /// True if the key is present.
    pub fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// All keys and values in the order of the file, for tables whose keys are names.
    pub fn entries(&self) -> Vec<(String, Range<usize>, Value<'a>)> {
        let Some(values) = self.values else { return Vec::new() };
        let mut entries: Vec<_> = values
            .iter()
            .map(|(key, value)| {
                let name = key.get_ref().to_string();
                let path = join(&self.path, &name);
                (name, key.span(), Value { context: self.context, value, path })
            })
            .collect();
        entries.sort_by_key(|(_, span, _)| span.start);
        entries
    }

    /// The one key out of several that is required.
    pub fn one_of(&self, keys: &[&'static str]) -> Option<(&'static str, Value<'a>)> {
        self.known.borrow_mut().extend(keys);
        let mut found: Vec<_> =
            keys.iter().filter_map(|key| Some((*key, self.value(key)?))).collect();
        if found.len() > 1 {
            found.sort_by_key(|(_, value)| value.span().start);
            let (first, second) = (found[0].0, found[1].0);
            found[1].1.report(
                format!("`{first}` and `{second}` exclude each other"),
                format!("`{first}` is given too"),
            );
        }
        if found.is_empty() {
            let which = if keys.len() > 1 { "one of " } else { "" };
            let words = words::alternatives(keys);
            self.missing(keys, format!("{} needs {which}{words}", self.title()), None);
            if let Some(missing) = self.missing.borrow_mut().last_mut() {
                missing.any = true;
            }
            return None;
        }
        Some(found.swap_remove(0))
    }

    /// Reports keys that were never read, except those for which `allowed` is true.
    pub fn finish_with(self, allowed: impl Fn(&str) -> bool) {
        let mut known = self.known.take();
        known.sort_unstable();
        known.dedup();
        let (mut unknown, mut last) = (Vec::new(), None);
        for (name, span, _) in self.entries() {
            if !known.contains(&name.as_str()) && !allowed(&name) {
                if unknown.len() < MOST_UNKNOWN {
                    self.context.report(
                        Diagnostic::error(format!("unknown key `{name}`"), span.clone())
                            .label(format!("not a key of {}", self.title()))
                            .help(words::suggestion(&name, &known, "keys here")),
                    );
                }
                last = Some(span);
                unknown.push(name);
            }
        }
        if let (Some(more), Some(span)) = (unknown.len().checked_sub(MOST_UNKNOWN), last)
            && more > 0
        {
            let message = format!("and {more} more unknown keys");
            let label = format!("the last one in {}", self.title());
            self.context.report(Diagnostic::error(message, span).label(label));
        }
        unknown.truncate(MOST_UNKNOWN);
        self.missing.borrow_mut().retain(|missing| {
            !unknown.iter().any(|name| missing.any || words::nearest(name, &missing.keys).is_some())
        });
        self.context.known.borrow_mut().entry(self.path.clone()).or_default().extend(known);
    }

    /// Reports keys that were never read.
    pub fn finish(self) {
        self.finish_with(|_| false);
    }
}

/// A table that is dropped before it was read completely still reports missing keys.
impl Drop for Table<'_> {
    fn drop(&mut self) {
        for missing in self.missing.take() {
            self.context.report(missing.error);
        }
    }
}

impl<'a> Value<'a> {
    /// A name, or a table with the name as its only key and the options as its value.
    pub fn choice(&self, words: &[&'static str]) -> Option<Choice<'a>> {
        if self.is_text() {
            return Some(Choice {
                word: self.word(words)?,
                value: None,
                source_value: self.clone(),
            });
        }
        let entries = self.table()?.entries();
        let [(name, span, value)] = entries.as_slice() else {
            self.report_with(
                format!("`{}` must be a single name", self.key()),
                format!("{} keys here", entries.len()),
                words::suggestion("", words, "options here"),
            );
            return None;
        };
        let Some(word) = words.iter().find(|word| *word == name) else {
            self.context.report(
                Diagnostic::error(
                    format!("unknown option `{name}` for `{}`", self.key()),
                    span.clone(),
                )
                .label("not an option of this key")
                .help(words::suggestion(name, words, "options here")),
            );
            return None;
        };
        Some(Choice { word, value: Some(value.clone()), source_value: self.clone() })
    }
}

impl<'a> Choice<'a> {
    /// Notes an error at the name.
    pub fn report(&self, message: impl Into<String>, label: impl Into<String>) {
        self.source_value.report(message, label);
    }

    /// The options; an empty table for a name without options.
    pub fn table(&self) -> Option<Table<'a>> {
        match &self.value {
            Some(value) => value.table(),
            None => Some(Table {
                context: self.source_value.context,
                path: join(&self.source_value.path, self.word),
                values: None,
                span: Some(self.source_value.span()),
                known: RefCell::default(),
                missing: RefCell::default(),
            }),
        }
    }
}
