//! Reads scene files and writes run folders.
//!
//! A scene file is TOML. It is parsed into a tree of values with their locations, which hand-written code reads table
//! by table ([`load`]), so that every error names its line and all errors of a file are reported together.

// No panic reaches a user, libraries print nothing, functions stay below 60 lines (clippy.toml). Tests may.
#![cfg_attr(
    not(test),
    warn(clippy::print_stderr, clippy::print_stdout, clippy::too_many_lines, clippy::unwrap_used)
)]

pub mod builtin;
mod bundle;
pub mod check;
pub mod diagnostic;
pub mod expression;
mod mesh;
mod notation;
pub mod output;
pub mod plain_file;
mod read;
mod registry;
pub mod run;
pub mod schema;
pub mod settings;
mod snippet;
pub mod text;

pub use bundle::Bundle;
pub use diagnostic::{Diagnostic, Diagnostics, PlacedRemark, Severity};
pub use registry::laws::{LawInForce, law_words};
pub use registry::measures::measure_words;
pub use settings::{FromCheckpoint, Outputs};
pub use text::provided::{ParticleArrays, Provided};
pub use text::source::{Setting, Source};
pub use text::visible::visible;
pub use text::words::suggestion;

use bundle::ReceivedFiles;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use text::table::Table;
use text::value::Context;
use toml::de::DeTable;

/// The longest scene file that is read [bytes].
const LONGEST_SCENE: u64 = 64 << 20;

/// A scene file that has been read without errors.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The scene, ready to be built.
    pub scene: esker::Scene,
    /// Outputs of the run.
    pub outputs: Outputs,
    /// Groups that come from a checkpoint of another run.
    pub checkpoints: Vec<FromCheckpoint>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// The text as read, overrides included.
    pub source: Source,
    /// The laws of the scene with all their options.
    pub laws: Vec<LawInForce>,
    /// Files that the scene names.
    pub files: Vec<PathBuf>,
    /// Paths in the file of items that have another path in the engine.
    paths: Vec<(String, String)>,
    /// Lists of particles that were given by the program.
    provided: Provided,
    /// Files that another rank has read; none if this one reads them.
    received: Option<Arc<ReceivedFiles>>,
    /// The folder to which its paths are relative.
    base: PathBuf,
    spans: BTreeMap<String, Range<usize>>,
    known: BTreeMap<String, BTreeSet<&'static str>>,
}

impl Loaded {
    /// Converts problems found by the engine into diagnostics at their location in the file.
    pub fn explain(&self, error: &esker::Error) -> Diagnostics {
        let list = match error {
            esker::Error::Scene(problems) => {
                problems.iter().map(|problem| self.located(problem)).collect()
            }
            esker::Error::Step(esker::StepError { at_start: Some(problem), .. }) => {
                vec![self.located(problem)]
            }
            // A problem without a key concerns the whole file.
            other => vec![Diagnostic::error(other.to_string(), 0..0)],
        };
        Diagnostics::new(self.source.clone(), list)
    }

    fn located(&self, problem: &esker::Problem) -> Diagnostic {
        let given = &self.in_file(&problem.path);
        // The engine's names for the parts of `friction = { static = …, dynamic = … }`.
        let names = [
            ("static", "static_friction"),
            ("dynamic", "dynamic_friction"),
            ("weakening", "friction_weakening"),
        ];
        let parts = names.iter().find_map(|(part, name)| {
            let pair = given.strip_suffix(name)?.strip_suffix('.')?;
            Some(format!("{pair}.friction.{part}"))
        });
        let path = parts.filter(|path| self.spans.contains_key(path));
        let (span, known) = nearest_span(&self.spans, path.as_ref().unwrap_or(given));
        // A path that is not in the file is named in the message, since the location is only that of its parent.
        let label = match &problem.label {
            Some(label) => label.clone(),
            None if known => String::new(),
            None => given.clone(),
        };
        let other = problem
            .other
            .as_ref()
            .map(|(path, label)| (nearest_span(&self.spans, &self.in_file(path)).0, label.clone()));
        Diagnostic {
            message: problem.message.clone(),
            span: Some(span),
            label,
            help: with_nearest_word(problem),
            other,
            ..Diagnostic::default()
        }
    }

    /// The path in the file of an item that has another path in the engine.
    fn in_file(&self, path: &str) -> String {
        let named = self.paths.iter().find_map(|(engine, file)| {
            Some(format!("{file}{}", path.strip_prefix(engine.as_str())?))
        });
        named.unwrap_or_else(|| path.to_owned())
    }

    /// The warnings as text; empty if there are none.
    pub fn render_warnings(&self, colour: bool) -> String {
        if self.warnings.is_empty() {
            return String::new();
        }
        Diagnostics::new(self.source.clone(), self.warnings.clone()).render(colour)
    }

    /// Lists of particles that were given by the program.
    pub fn provided(&self) -> &Provided {
        &self.provided
    }

    /// The keys accepted in each table that was read, by path.
    pub fn known_keys(&self) -> &BTreeMap<String, BTreeSet<&'static str>> {
        &self.known
    }
}

/// The help of a problem, after the suggested name.
fn with_nearest_word(problem: &esker::Problem) -> Option<String> {
    let words: Vec<&str> = problem.words.iter().map(String::as_str).collect();
    let given = problem.path.rsplit('.').next().unwrap_or_default();
    match (text::words::misspelt(given, &words), &problem.help) {
        (Some(word), Some(help)) => Some(format!("did you mean `{word}`? {help}")),
        (Some(word), None) => Some(format!("did you mean `{word}`?")),
        (None, help) => help.clone(),
    }
}

/// The location of a key path or of its longest known prefix, and whether it is exact; the start of
/// the file if there is none.
fn nearest_span(spans: &BTreeMap<String, Range<usize>>, path: &str) -> (Range<usize>, bool) {
    let mut path = path;
    let mut whole = true;
    loop {
        if let Some(span) = spans.get(path) {
            return (span.clone(), whole);
        }
        whole = false;
        match path.rfind(['.', '[']) {
            Some(end) => path = &path[..end],
            None => return (0..0, whole),
        }
    }
}

/// Reads a scene file.
pub fn load(path: impl AsRef<Path>) -> Result<Loaded, Diagnostics> {
    load_with::<&str>(path, &[])
}

/// The text of a scene file, not yet parsed, to be read with any overrides.
#[derive(Debug, Clone)]
pub struct SceneText {
    /// Name of the file in messages.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The folder to which its paths are relative.
    pub base: PathBuf,
}

impl SceneText {
    /// Takes the text of a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Diagnostics> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let base = path.parent().unwrap_or(Path::new("")).to_path_buf();
        match plain_file::read(path, LONGEST_SCENE).map(String::from_utf8) {
            Ok(Ok(text)) => Ok(Self { name, text, base }),
            Ok(Err(error)) => Err(not_utf8(&name, &error)),
            Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                let help =
                    "a scene file must be short: put large numbers of particles into a CSV file";
                let error = Diagnostic {
                    message: format!("cannot read the file: {error}"),
                    help: Some(help.to_owned()),
                    ..Diagnostic::default()
                };
                Err(Diagnostics::new(Source::new(&name, ""), vec![error]))
            }
            Err(error) => {
                Err(alone(Source::new(&name, ""), format!("cannot read the file: {error}")))
            }
        }
    }

    /// Reads it with overrides: pairs of a key path such as `time.step` or
    /// `contact.pairs[0].friction` and a value in TOML.
    pub fn load<T: AsRef<str>>(&self, changes: &[(T, T)]) -> Result<Loaded, Diagnostics> {
        load_text_with(&self.name, &self.text, &self.base, changes)
    }

    /// As [`Self::load`], with the option from which each value came.
    pub fn load_set(&self, settings: &[Setting<'_>]) -> Result<Loaded, Diagnostics> {
        load_settings(&self.name, &self.text, &self.base, settings, &Provided::new())
    }

    /// As [`Self::load`], with particles given as arrays.
    pub fn load_provided(
        &self,
        settings: &[Setting<'_>],
        provided: &Provided,
    ) -> Result<Loaded, Diagnostics> {
        load_settings(&self.name, &self.text, &self.base, settings, provided)
    }
}

/// Reads a scene file with overrides.
pub fn load_with<T: AsRef<str>>(
    path: impl AsRef<Path>,
    changes: &[(T, T)],
) -> Result<Loaded, Diagnostics> {
    SceneText::open(path)?.load(changes)
}

/// Reads the text of a scene file; `base` is the folder to which its paths are relative.
pub fn load_text(name: &str, text: &str, base: impl AsRef<Path>) -> Result<Loaded, Diagnostics> {
    load_text_with::<&str>(name, text, base, &[])
}

/// Reads the text of a scene file with overrides.
pub fn load_text_with<T: AsRef<str>>(
    name: &str,
    text: &str,
    base: impl AsRef<Path>,
    changes: &[(T, T)],
) -> Result<Loaded, Diagnostics> {
    let settings: Vec<Setting<'_>> = changes
        .iter()
        .map(|(path, value)| Setting {
            option: "--set",
            path: path.as_ref(),
            value: value.as_ref(),
        })
        .collect();
    load_settings(name, text, base.as_ref(), &settings, &Provided::new())
}

fn load_settings(
    name: &str,
    text: &str,
    base: &Path,
    settings: &[Setting<'_>],
    provided: &Provided,
) -> Result<Loaded, Diagnostics> {
    // Byte order mark that some editors write.
    let mut source = Source::new(name, text.strip_prefix('\u{feff}').unwrap_or(text));
    for setting in settings {
        if let Err(what) = source.set(*setting) {
            return Err(wrong_argument(*setting, what));
        }
    }
    read_source(source, base, provided, None)
}

/// The error of a file that is not UTF-8, with its line.
fn not_utf8(name: &str, error: &std::string::FromUtf8Error) -> Diagnostics {
    let start = error.utf8_error().valid_up_to();
    let text = String::from_utf8_lossy(error.as_bytes());
    // Invalid bytes are replaced by one character.
    let wrong = Diagnostic::error("the file is not text in UTF-8", start..start + 1)
        .label("these bytes are not text");
    Diagnostics::new(Source::new(name, &text), vec![wrong])
}

/// An argument that cannot override a value of the scene.
fn wrong_argument(setting: Setting<'_>, message: String) -> Diagnostics {
    let Setting { option, path, value } = setting;
    let argument = format!("{option} {path}={value}");
    let span = option.len() + 1..argument.len();
    let error = Diagnostic::error(message, span);
    Diagnostics::new(Source::new("command line", &argument), vec![error])
}

fn alone(source: Source, message: impl Into<String>) -> Diagnostics {
    let error = Diagnostic { message: message.into(), ..Diagnostic::default() };
    Diagnostics::new(source, vec![error])
}

/// Reads a scene; the files that it names are those that were received, if any, or else of the file system.
fn read_source(
    source: Source,
    base: &Path,
    provided: &Provided,
    received: Option<Arc<ReceivedFiles>>,
) -> Result<Loaded, Diagnostics> {
    let text = source.text().to_owned();
    let (document, errors) = DeTable::parse_recoverable(text::nesting::bounded(&text));
    if !errors.is_empty() {
        return Err(Diagnostics::new(source, not_toml(&errors)));
    }
    let mut context = Context::new(document.get_ref(), base);
    context.provided = provided.clone();
    context.received = received;
    let parts = read::scene(Table::new(&context, document.get_ref(), String::new(), Some(0..0)));
    let remarks = context.remarks.take();
    if remarks.iter().any(|remark| remark.severity == Severity::Error) {
        return Err(Diagnostics::new(source, remarks));
    }
    Ok(Loaded {
        scene: parts.scene,
        outputs: parts.outputs,
        checkpoints: parts.checkpoints,
        laws: parts.laws,
        warnings: remarks,
        source,
        files: context.files.take(),
        paths: context.paths.take(),
        provided: context.provided,
        received: context.received,
        base: context.base,
        spans: context.spans,
        known: context.known.take(),
    })
}

/// Errors of the text itself. One unclosed bracket makes the parser report errors in all that follows, so only the
/// first is shown; keys given twice have no such consequences.
fn not_toml(errors: &[toml::de::Error]) -> Vec<Diagnostic> {
    let twice = |error: &&toml::de::Error| error.message() == "duplicate key";
    let shown: Vec<_> = match errors.iter().find(|error| !twice(error)) {
        Some(first) => vec![first],
        None => errors.iter().collect(),
    };
    shown
        .into_iter()
        .map(|error| {
            let (message, help) = if twice(&error) {
                ("this key is given twice".to_owned(), None)
            } else {
                let help = "an unclosed bracket or quote is reported on a later line";
                (format!("this is not TOML: {}", error.message()), Some(help.to_owned()))
            };
            Diagnostic { message, span: error.span(), help, ..Diagnostic::default() }
        })
        .collect()
}
