//! The scope of the formulas of a case: the tables of its runs and its definitions.

use super::folder::Case;
use super::formula::{Scope, Series, Value, matches};
use esker_scene::plain_file::{self, LONGEST_FILE};
use esker_scene::text::words;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Largest depth of references between definitions.
const DEEPEST: usize = 50;

/// The completed runs of a case, and its definitions.
pub(super) struct Data<'a> {
    case: &'a Case,
    /// Folders of the runs by name.
    folders: BTreeMap<String, PathBuf>,
    tables: RefCell<BTreeMap<PathBuf, Rc<Columns>>>,
    depth: Cell<usize>,
}

/// A table of texts.
struct Columns {
    header: Vec<String>,
    rows: Vec<csv::StringRecord>,
    time: Rc<[f64]>,
}

impl<'a> Data<'a> {
    pub(super) fn new(case: &'a Case, folders: BTreeMap<String, PathBuf>) -> Self {
        Self { case, folders, tables: RefCell::default(), depth: Cell::new(0) }
    }

    /// True if all runs that a formula needs, directly or by definitions, have been made.
    pub(super) fn has_runs_of(&self, formula: &super::Formula) -> bool {
        self.case.needs(formula).are_in(self.folders.keys().map(String::as_str))
    }

    fn folder(&self, run: &str) -> Result<&Path, String> {
        let names: Vec<&str> = self.folders.keys().map(String::as_str).collect();
        self.folders
            .get(run)
            .map(PathBuf::as_path)
            .ok_or_else(|| format!("no run `{run}`; {}", words::suggestion(run, &names, "runs")))
    }

    fn table(&self, path: &Path) -> Result<Rc<Columns>, String> {
        if let Some(table) = self.tables.borrow().get(path) {
            return Ok(Rc::clone(table));
        }
        let wrong = |error: csv::Error| format!("`{}`: {error}", path.display());
        let (file, _) =
            plain_file::open(path).map_err(|error| format!("`{}`: {error}", path.display()))?;
        let mut reader = csv::Reader::from_reader(file);
        let header: Vec<String> =
            reader.headers().map_err(wrong)?.iter().map(str::to_owned).collect();
        let rows: Vec<csv::StringRecord> =
            reader.records().collect::<Result<_, _>>().map_err(wrong)?;
        let time = header.iter().position(|name| name == "time");
        let time = rows.iter().map(|row| time.map_or(f64::NAN, |at| number(row, at))).collect();
        let table = Rc::new(Columns { header, rows, time });
        self.tables.borrow_mut().insert(path.to_path_buf(), Rc::clone(&table));
        Ok(table)
    }
}

fn number(row: &csv::StringRecord, column: usize) -> f64 {
    row.get(column).and_then(|text| text.parse().ok()).unwrap_or(f64::NAN)
}

impl Columns {
    fn index(&self, column: &str) -> Result<usize, String> {
        self.header.iter().position(|known| known == column).ok_or_else(|| {
            let names: Vec<&str> = self.header.iter().map(String::as_str).collect();
            format!("no column `{column}`; {}", words::suggestion(column, &names, "columns"))
        })
    }
}

impl Scope for Data<'_> {
    fn column(&self, run: &str, table: &str, column: &str) -> Result<Rc<Series>, String> {
        let folder = self.folder(run)?;
        let path = match table {
            "energy" => folder.join("energy.csv"),
            name => {
                let probe = folder.join("probes").join(format!("{name}.csv"));
                let measure = folder.join("measures").join(format!("{name}.csv"));
                if measure.is_file() { measure } else { probe }
            }
        };
        let table = self.table(&path)?;
        let index = table.index(column)?;
        let values = table.rows.iter().map(|row| number(row, index)).collect();
        Ok(Rc::new(Series { time: Rc::clone(&table.time), values }))
    }

    fn word(&self, word: &str) -> Result<Value, String> {
        let formula =
            self.case.definition(word).ok_or_else(|| format!("`{word}` is not defined"))?;
        if self.depth.get() > DEEPEST {
            return Err(format!("the definition of `{word}` is circular"));
        }
        self.depth.set(self.depth.get() + 1);
        let value = formula.value(self);
        self.depth.set(self.depth.get() - 1);
        value
    }

    fn events(&self, run: &str, kind: &str, partners: &[String]) -> Result<Vec<f64>, String> {
        let table = self.table(&self.folder(run)?.join("events.csv"))?;
        let [time, event, first, second] = ["time", "event", "first", "second"]
            .map(|column| table.index(column))
            .map(|index| index.unwrap_or(usize::MAX));
        let meant = |row: &&csv::StringRecord| {
            row.get(event) == Some(kind)
                && partners.first().is_none_or(|wanted| row.get(first) == Some(wanted))
                && partners.get(1).is_none_or(|wanted| row.get(second) == Some(wanted))
        };
        Ok(table.rows.iter().filter(meant).map(|row| number(row, time)).collect())
    }

    fn last_state(&self, run: &str, particle: u64, column: &str) -> Result<f64, String> {
        let table = self.table(&self.folder(run)?.join("final.csv"))?;
        let (id, index) = (table.index("id")?, table.index(column)?);
        let wanted = particle.to_string();
        let row = table.rows.iter().find(|row| row.get(id) == Some(wanted.as_str()));
        row.map(|row| number(row, index))
            .ok_or_else(|| format!("no particle {particle} at the end"))
    }

    fn summary(&self, run: &str, path: &str) -> Result<f64, String> {
        let file = self.folder(run)?.join("summary.json");
        let text = plain_file::read_text(&file, LONGEST_FILE)
            .map_err(|error| format!("`{}`: {error}", file.display()))?;
        let summary: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let mut value = &summary;
        for part in path.split('.') {
            value = match part.parse::<usize>() {
                Ok(index) => &value[index],
                Err(_) => &value[part],
            };
        }
        value.as_f64().ok_or_else(|| format!("the summary has no number `{path}`"))
    }

    fn runs(&self, pattern: &str) -> Vec<String> {
        let planned = self.case.text.runs.iter().map(|run| &run.name);
        let made = planned.filter(|name| self.folders.contains_key(*name));
        made.filter(|name| matches(pattern, name)).cloned().collect()
    }
}

/// A scope with an additional name.
pub(super) struct Bound<'a> {
    pub inner: &'a dyn Scope,
    pub word: &'static str,
    pub value: f64,
}

impl Scope for Bound<'_> {
    fn column(&self, run: &str, table: &str, column: &str) -> Result<Rc<Series>, String> {
        self.inner.column(run, table, column)
    }

    fn word(&self, word: &str) -> Result<Value, String> {
        if word == self.word { Ok(Value::Number(self.value)) } else { self.inner.word(word) }
    }

    fn events(&self, run: &str, kind: &str, partners: &[String]) -> Result<Vec<f64>, String> {
        self.inner.events(run, kind, partners)
    }

    fn last_state(&self, run: &str, particle: u64, column: &str) -> Result<f64, String> {
        self.inner.last_state(run, particle, column)
    }

    fn summary(&self, run: &str, path: &str) -> Result<f64, String> {
        self.inner.summary(run, path)
    }

    fn runs(&self, pattern: &str) -> Vec<String> {
        self.inner.runs(pattern)
    }
}
