//! One value of a scene file, with its location and its key path.

use super::motion_functions::MotionFunctions;
use super::provided::Provided;
use super::table::Table;
use super::words;
use crate::bundle::ReceivedFiles;
use crate::diagnostic::Diagnostic;
use esker::Vec3;
pub(crate) use esker::parameters::Limits;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// State of the reader. Reading continues after an error, so that all errors are reported.
#[derive(Debug, Default)]
pub(crate) struct Context {
    /// Folder of the scene file, to which paths are relative.
    pub base: PathBuf,
    /// Lists of particles that are given by the program, not by files.
    pub provided: Provided,
    /// Files that another rank has read.
    pub received: Option<Arc<ReceivedFiles>>,
    /// Errors and warnings.
    pub remarks: RefCell<Vec<Diagnostic>>,
    /// Paths in the file of items that have another path in the engine.
    pub paths: RefCell<Vec<(String, String)>>,
    /// Files that the scene names.
    pub files: RefCell<Vec<PathBuf>>,
    /// Functions of time of the motions of walls read so far.
    pub motions: MotionFunctions,
    /// Location of each key path.
    pub spans: BTreeMap<String, Range<usize>>,
    /// Keys that the reader knows in the table at each path, for the test of the schema.
    pub known: RefCell<BTreeMap<String, BTreeSet<&'static str>>>,
}

impl Context {
    /// Records the locations of all values and refuses numbers that are not finite.
    pub fn new(root: &DeTable<'_>, base: &Path) -> Self {
        let mut context = Self { base: base.to_owned(), ..Self::default() };
        context.walk_table(root, "");
        context
    }

    fn walk_table(&mut self, table: &DeTable<'_>, path: &str) {
        for (key, value) in table.iter() {
            let path = join(path, key.get_ref());
            self.walk(value, &path);
        }
    }

    fn walk(&mut self, value: &Spanned<DeValue<'_>>, path: &str) {
        self.spans.insert(path.to_owned(), value.span());
        match value.get_ref() {
            DeValue::Table(table) => self.walk_table(table, path),
            DeValue::Array(list) => {
                for (index, item) in list.iter().enumerate() {
                    self.walk(item, &format!("{path}[{index}]"));
                }
            }
            DeValue::Float(float) => {
                let text = float.as_str();
                let number = text.parse::<f64>();
                if !number.is_ok_and(|number| number.is_finite() || is_rigid(path, number)) {
                    self.report(
                        Diagnostic::error(format!("`{path}` is {text}"), value.span())
                            .label("not a finite number"),
                    );
                }
            }
            _ => {}
        }
    }

    /// Notes an error or a warning.
    pub fn report(&self, remark: Diagnostic) {
        self.remarks.borrow_mut().push(remark);
    }
}

/// True if this is the infinite modulus of a rigid material.
fn is_rigid(path: &str, number: f64) -> bool {
    let material =
        path.strip_prefix("materials.").and_then(|rest| rest.strip_suffix(".young_modulus"));
    material.is_some() && number == f64::INFINITY
}

/// `path.key`, or `key` at the top.
pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// A value with its location.
#[derive(Debug, Clone)]
pub(crate) struct Value<'a> {
    pub context: &'a Context,
    pub value: &'a Spanned<DeValue<'a>>,
    pub path: String,
}

impl<'a> Value<'a> {
    /// Its location.
    pub fn span(&self) -> Range<usize> {
        self.value.span()
    }

    /// Its last key, for messages.
    pub fn key(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or(&self.path)
    }

    /// Notes an error here.
    pub fn report(&self, message: impl Into<String>, label: impl Into<String>) {
        self.context.report(Diagnostic::error(message, self.span()).label(label));
    }

    /// Notes an error at this value, with the expected value.
    pub fn report_with(
        &self,
        message: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.context.report(Diagnostic::error(message, self.span()).label(label).help(help));
    }

    /// Reports that another kind of value is expected here.
    pub fn expected(&self, what: &str) {
        let found = describe(self.value.get_ref());
        self.report(format!("`{}` must be {what}", self.key()), format!("this is {found}"));
    }

    /// A number, if the value is one; reports nothing.
    fn plain_number(&self) -> Option<f64> {
        match self.value.get_ref() {
            DeValue::Float(float) => float.as_str().parse().ok(),
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().parse().ok(),
            DeValue::Integer(integer) => {
                i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(|i| i as f64)
            }
            _ => None,
        }
    }

    /// A number within limits.
    pub fn number(&self, limits: Limits) -> Option<f64> {
        let Some(number) = self.plain_number() else {
            self.expected("a number");
            return None;
        };
        let (good, label) = match limits {
            Limits::Any => (true, ""),
            Limits::Positive => (number > 0.0, "must be greater than zero"),
            Limits::NotNegative => (number >= 0.0, "must not be negative"),
        };
        // Numbers that are not finite were reported when the file was traversed.
        if !good && number.is_finite() {
            self.report(format!("`{}` is {number}", self.key()), label);
        }
        Some(number)
    }

    /// A whole number, zero or more.
    pub fn count(&self) -> Option<u64> {
        let count = match self.value.get_ref() {
            DeValue::Integer(integer) => {
                u64::from_str_radix(integer.as_str(), integer.radix()).ok()
            }
            _ => None,
        };
        if count.is_none() {
            self.expected("a whole number, zero or more");
        }
        count
    }

    /// True or false.
    pub fn flag(&self) -> Option<bool> {
        if let DeValue::Boolean(flag) = self.value.get_ref() {
            return Some(*flag);
        }
        self.expected("`true` or `false`");
        None
    }

    /// A text.
    pub fn text(&self) -> Option<&'a str> {
        let text = self.value.get_ref().as_str();
        if text.is_none() {
            self.expected("a text in quotes");
        }
        text
    }

    /// Three numbers.
    pub fn vec3(&self) -> Option<Vec3> {
        let items = self.value.get_ref().as_array().filter(|items| items.len() == 3);
        if items.is_none() {
            self.expected("a list of three numbers, such as [0, 0, 1]");
            return None;
        }
        let numbers: Vec<f64> =
            self.list()?.iter().filter_map(|item| item.number(Limits::Any)).collect();
        (numbers.len() == 3).then(|| Vec3::from_slice(&numbers))
    }

    /// Three numbers, not all zero.
    pub fn direction(&self) -> Option<Vec3> {
        let vector = self.vec3()?;
        let length = libm::hypot(libm::hypot(vector.x, vector.y), vector.z);
        if length > 0.0 && length.is_finite() {
            return Some(vector / length);
        }
        self.report(format!("`{}` has no direction", self.key()), "its length is zero");
        None
    }

    /// A list.
    pub fn list(&self) -> Option<Vec<Value<'a>>> {
        let Some(list) = self.value.get_ref().as_array() else {
            self.expected("a list");
            return None;
        };
        let item = |(index, value)| Value {
            context: self.context,
            value,
            path: format!("{}[{index}]", self.path),
        };
        Some(list.iter().enumerate().map(item).collect())
    }

    /// A list of texts.
    pub fn texts(&self) -> Option<Vec<&'a str>> {
        Some(self.list()?.iter().filter_map(Value::text).collect())
    }

    /// A table.
    pub fn table(&self) -> Option<Table<'a>> {
        let Some(table) = self.value.get_ref().as_table() else {
            self.expected("a table");
            return None;
        };
        Some(Table::new(self.context, table, self.path.clone(), Some(self.span())))
    }

    /// A list of tables.
    pub fn tables(&self) -> Option<Vec<Table<'a>>> {
        Some(self.list()?.iter().filter_map(Value::table).collect())
    }

    /// One of several names.
    pub fn word(&self, words: &[&'static str]) -> Option<&'static str> {
        let text = self.text()?;
        let found = words.iter().find(|word| **word == text).copied();
        if found.is_none() {
            self.report_with(
                format!("unknown option `{text}` for `{}`", self.key()),
                "not an option of this key",
                words::suggestion(text, words, "options here"),
            );
        }
        found
    }

    /// The variant with this name; reports an unknown name.
    pub fn variant<T: Copy>(&self, variants: &[(&'static str, T)]) -> Option<T> {
        let names: Vec<_> = variants.iter().map(|(name, _)| *name).collect();
        let found = self.word(&names)?;
        variants.iter().find(|(name, _)| *name == found).map(|(_, variant)| *variant)
    }

    /// True if this is a text.
    pub fn is_text(&self) -> bool {
        self.value.get_ref().is_str()
    }

    /// True if this is a table.
    pub fn is_table(&self) -> bool {
        self.value.get_ref().is_table()
    }

    /// True if this is a number.
    pub fn is_number(&self) -> bool {
        matches!(self.value.get_ref(), DeValue::Integer(_) | DeValue::Float(_))
    }

    /// True if this is a list.
    pub fn is_list(&self) -> bool {
        self.value.get_ref().is_array()
    }
}

/// Kind of the value found, with its article.
fn describe(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(_) => "a text".to_owned(),
        DeValue::Integer(number) => format!("the number {number}"),
        DeValue::Float(number) => format!("the number {number}"),
        DeValue::Boolean(flag) => format!("`{flag}`"),
        DeValue::Datetime(_) => "a date or time".to_owned(),
        DeValue::Array(list) => match list.len() {
            1 => "a list of one value".to_owned(),
            count => format!("a list of {count} values"),
        },
        DeValue::Table(_) => "a table".to_owned(),
    }
}
