//! The folder of a case: its files, parsed and checked.

use super::each;
use super::file::{CaseFile, PicturesFile, Quantity, Size};
use super::formula::{Formula, matches};
use esker_scene::plain_file::{self, LONGEST_FILE};
use esker_scene::text::nesting::bounded;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

/// Written by `esker reproduce`, therefore not an input of the case.
const RESULTS: &str = "RESULTS.md";

/// The files of a case by their path in its folder.
#[derive(Debug, Clone, Default)]
pub struct Files(BTreeMap<String, Vec<u8>>);

impl Files {
    /// Adds a file.
    pub fn insert(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.0.insert(path.into(), bytes.into());
    }

    fn add_folder(&mut self, folder: &Path, under: &str) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = format!("{under}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                self.add_folder(&entry.path(), &format!("{name}/"))?;
            } else if name != RESULTS {
                let bytes = plain_file::read(&entry.path(), LONGEST_FILE).map_err(|error| {
                    io::Error::new(error.kind(), format!("cannot read `{name}`: {error}"))
                })?;
                self.insert(name, bytes);
            }
        }
        Ok(())
    }

    /// All files.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Result<&str, String> {
        let bytes = self.0.get(path).ok_or_else(|| format!("there is no file `{path}`"))?;
        std::str::from_utf8(bytes).map_err(|_| format!("`{path}` is not text"))
    }
}

/// An error in a case.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("case `{case}`: {what}")]
pub struct CaseError {
    /// Its name.
    pub case: String,
    /// The problem.
    pub what: String,
}

/// A published problem.
#[derive(Debug, Clone)]
pub struct Case {
    /// The name of its folder.
    pub name: String,
    /// The files beside `case.toml`.
    pub files: Files,
    pub(super) text: CaseFile,
}

/// A run of a case at one size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedRun {
    /// Its name.
    pub name: String,
    /// The scene file.
    pub scene: String,
    /// Overrides of the scene, `KEY=VALUE`.
    pub changes: Vec<String>,
}

/// The runs that a formula needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Needs {
    /// By name: all of them.
    pub runs: BTreeSet<String>,
    /// By a pattern of names: at least one.
    pub patterns: BTreeSet<String>,
}

impl Needs {
    /// True if these runs are sufficient.
    pub(super) fn are_in<'a>(&self, names: impl Iterator<Item = &'a str>) -> bool {
        let names: BTreeSet<&str> = names.collect();
        let like = |pattern: &String| names.iter().any(|name| matches(pattern, name));
        self.runs.iter().all(|run| names.contains(run.as_str())) && self.patterns.iter().all(like)
    }

    /// True if a run is among them.
    pub(super) fn contain(&self, run: &str) -> bool {
        self.runs.contains(run) || self.patterns.iter().any(|pattern| matches(pattern, run))
    }
}

impl Case {
    /// Reads a case from a folder; its name is that of the folder.
    pub fn open(folder: &Path) -> Result<Self, CaseError> {
        let name = folder.canonicalize().ok();
        let name = name.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy());
        let name = name.unwrap_or_default().into_owned();
        let mut files = Files::default();
        files
            .add_folder(folder, "")
            .map_err(|error| CaseError { case: name.clone(), what: error.to_string() })?;
        Self::read(&name, files)
    }

    /// Reads a case from its files.
    pub fn read(name: &str, files: Files) -> Result<Self, CaseError> {
        let wrong = |what: String| CaseError { case: name.to_owned(), what };
        let text = files.text("case.toml").map_err(wrong)?;
        let mut table: toml::Table =
            bounded(text).parse().map_err(|error: toml::de::Error| wrong(error.to_string()))?;
        each::expand(&mut table, &files).map_err(wrong)?;
        let text: CaseFile =
            table.try_into().map_err(|error: toml::de::Error| wrong(error.to_string()))?;
        let case = Self { name: name.to_owned(), files, text };
        case.check().map_err(wrong)?;
        Ok(case)
    }

    /// The key of its paper, such as `campello-2015`.
    pub fn paper(&self) -> &str {
        &self.text.paper
    }

    /// Section or example of the paper.
    pub fn section(&self) -> &str {
        &self.text.section
    }

    /// Title.
    pub fn title(&self) -> &str {
        &self.text.title
    }

    /// True if its quick size is part of the tests.
    pub fn tested(&self) -> bool {
        self.text.tested
    }

    /// The README: the reconstructed data, and what agreement shows.
    pub fn readme(&self) -> &str {
        self.files.text("README.md").unwrap_or_default()
    }

    /// The quantities that are compared at a size.
    pub(super) fn compared(&self, size: Size) -> impl Iterator<Item = &Quantity> {
        let runs = self.runs(size);
        self.text.quantities.iter().filter(move |quantity| {
            quantity.only.is_none_or(|only| only == size)
                && self.needs(&quantity.value).are_in(runs.iter().map(|run| run.name.as_str()))
        })
    }

    /// The definition of a name in formulas.
    pub(super) fn definition(&self, word: &str) -> Option<&Formula> {
        let quantity = || self.text.quantities.iter().find(|quantity| quantity.id == word);
        self.text.definitions.get(word).or_else(|| quantity().map(|quantity| &quantity.value))
    }

    /// The runs that a formula needs, directly or through definitions.
    pub(super) fn needs(&self, formula: &Formula) -> Needs {
        let (mut needs, mut seen) = (Needs::default(), BTreeSet::new());
        let mut open = vec![formula];
        while let Some(formula) = open.pop() {
            let references = formula.references();
            needs.runs.extend(references.runs);
            needs.patterns.extend(references.patterns);
            for word in references.words {
                if let Some(inner) = self.definition(&word)
                    && seen.insert(word)
                {
                    open.push(inner);
                }
            }
        }
        needs
    }

    /// The runs of a size.
    pub fn runs(&self, size: Size) -> Vec<PlannedRun> {
        let here = self.text.runs.iter().filter(|run| run.only.is_none_or(|only| only == size));
        here.map(|run| {
            let more = if size == Size::Quick { &run.quick } else { &run.full };
            let changes = run.set.iter().chain(more).cloned().collect();
            PlannedRun { name: run.name.clone(), scene: run.scene.clone(), changes }
        })
        .collect()
    }

    /// True if both sizes have the same runs and comparisons.
    pub fn has_one_size(&self) -> bool {
        self.runs(Size::Quick) == self.runs(Size::Full)
            && self.text.quantities.iter().all(|quantity| quantity.only.is_none())
    }

    /// Checks beyond those of the TOML reader.
    fn check(&self) -> Result<(), String> {
        if self.text.format != 1 {
            return Err(format!(
                "unknown format {}: this program reads format 1",
                self.text.format
            ));
        }
        self.files.text("README.md")?;
        unique("run", self.text.runs.iter().map(|run| run.name.as_str()))?;
        unique("quantity", self.text.quantities.iter().map(|quantity| quantity.id.as_str()))?;
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        for run in &self.text.runs {
            if !run.name.chars().all(word) {
                return Err(format!(
                    "run `{}`: a name consists of letters, digits and `_`",
                    run.name
                ));
            }
            self.files.text(&run.scene)?;
        }
        for (index, pictures) in self.text.pictures.iter().enumerate() {
            self.check_pictures(pictures)
                .map_err(|what| format!("entry {} of `[[pictures]]`: {what}", index + 1))?;
        }
        self.check_words()?;
        self.text.quantities.iter().try_for_each(|quantity| self.check_quantity(quantity))
    }

    /// Every name in every formula is defined.
    fn check_words(&self) -> Result<(), String> {
        let text = &self.text;
        let mut all: Vec<(&Formula, &str)> = Vec::new();
        all.extend(text.definitions.values().map(|formula| (formula, "")));
        for quantity in &text.quantities {
            all.push((&quantity.value, ""));
            let expected = [&quantity.published, &quantity.theory].into_iter().flatten();
            all.extend(expected.map(|formula| (formula, "")));
            all.extend(quantity.holds.iter().map(|formula| (formula, "value")));
        }
        for plot in &text.plots {
            all.extend(plot.lines.iter().flat_map(|line| [(&line.x, ""), (&line.y, "")]));
            let points = plot.points.iter().flat_map(|points| points.x.iter().chain(&points.y));
            all.extend(points.map(|formula| (formula, "")));
            all.extend(plot.theory.iter().map(|curve| (&curve.formula, "x")));
        }
        for (formula, own) in all {
            let mut words = formula.references().words.into_iter();
            if let Some(word) = words.find(|word| word != own && self.definition(word).is_none()) {
                return Err(format!("`{}`: `{word}` is not defined", formula.text()));
            }
        }
        Ok(())
    }

    fn known_run(&self, name: &str) -> Result<(), String> {
        if self.text.runs.iter().any(|run| run.name == *name) {
            return Ok(());
        }
        Err(format!("there is no run `{name}`"))
    }

    fn check_pictures(&self, pictures: &PicturesFile) -> Result<(), String> {
        self.known_run(&pictures.run)?;
        if pictures.times.is_empty() {
            return Err("`times` is empty".to_owned());
        }
        if pictures.min.is_some() != pictures.max.is_some() {
            return Err("`min` and `max` must be given together".to_owned());
        }
        Ok(())
    }

    fn check_quantity(&self, quantity: &Quantity) -> Result<(), String> {
        let wrong = |what: &str| Err(format!("quantity `{}`: {what}", quantity.id));
        let needs = self.needs(&quantity.value);
        for run in &needs.runs {
            self.known_run(run).map_err(|what| format!("quantity `{}`: {what}", quantity.id))?;
        }
        for pattern in &needs.patterns {
            if !self.text.runs.iter().any(|run| matches(pattern, &run.name)) {
                return wrong(&format!("there is no run with a name like `{pattern}`"));
            }
        }
        if quantity.not_comparable.is_some() {
            return Ok(());
        }
        if quantity.claim.is_some() != quantity.holds.is_some() {
            return wrong("`claim` and `holds` must be given together");
        }
        let compared = [
            (quantity.published.is_some(), quantity.published_tolerance.is_some()),
            (quantity.theory.is_some(), quantity.theory_tolerance.is_some()),
        ];
        // A calibrated value is shown beside the published one, and judged only if it has a tolerance.
        let shown = quantity.calibrated.is_some();
        let incomplete =
            |(value, tolerance): &(bool, bool)| value != tolerance && !(shown && *value);
        if compared.iter().any(incomplete) {
            return wrong(
                "`published` and `theory` each need a tolerance, and each tolerance needs its \
                 value",
            );
        }
        if quantity.claim.is_none() && compared.iter().all(|(value, _)| !value) {
            return wrong("nothing to compare with: `published`, `theory` or `claim`");
        }
        let has_tolerance = compared.iter().any(|(_, tolerance)| *tolerance);
        if quantity.claim.is_none() && has_tolerance && quantity.reason.is_empty() {
            return wrong("a tolerance needs its `reason`");
        }
        if quantity.known.as_ref().is_some_and(|known| known.cause.is_empty()) {
            return wrong("a known difference must state its `cause`, or `unknown`");
        }
        Ok(())
    }
}

fn unique<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(format!("the name `{name}` is used twice ({what})"));
        }
    }
    Ok(())
}
