//! Diagnostics of a scene file with location and help, in the format of rustc.

use crate::text::source::Source;
use crate::text::visible::visible;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet, renderer::DecorStyle};
use std::fmt::Write as _;
use std::ops::Range;

/// Largest number of diagnostics shown. Each costs a pass over the whole text.
const MOST_SHOWN: usize = 50;

/// Severity: whether the scene can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Severity {
    /// The scene cannot be used.
    #[default]
    Error,
    /// The scene can be used, but may contain a mistake.
    Warning,
}

/// A diagnostic of a scene file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diagnostic {
    /// Severity: whether the scene can be used.
    pub severity: Severity,
    /// The problem.
    pub message: String,
    /// Location: bytes of the text as read (overrides included).
    pub span: Option<Range<usize>>,
    /// Label of the location.
    pub label: String,
    /// Help: the expected value.
    pub help: Option<String>,
    /// A related location with its label.
    pub other: Option<(Range<usize>, String)>,
}

impl Diagnostic {
    /// An error at a location.
    pub fn error(message: impl Into<String>, span: Range<usize>) -> Self {
        Self { message: message.into(), span: Some(span), ..Self::default() }
    }

    /// A warning at a location.
    pub fn warning(message: impl Into<String>, span: Range<usize>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(message, span) }
    }

    /// Adds the label of the location.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds the help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The diagnostic as text with its line of the file, ending in a line break.
    pub fn render(&self, source: &Source, colour: bool) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let location = self.span.clone().map(|span| source.locate(span));
        let (message, label) = (visible(&self.message), visible(&self.label));
        let name = visible(location.as_ref().map_or(source.name(), |location| location.name));
        // A related location is shown only if it is in the same text, not in an argument.
        let other = self.other.as_ref().and_then(|(span, label)| {
            let there = source.locate(span.clone());
            let same = location.as_ref().is_some_and(|location| location.name == there.name);
            (same && there.change.is_none()).then(|| (there.span, visible(label)))
        });
        let title = level.primary_title(message.as_ref());
        let group = match &location {
            Some(location) => {
                let mut annotation = AnnotationKind::Primary.span(location.span.clone());
                if !label.is_empty() {
                    annotation = annotation.label(label.as_ref());
                }
                let mut snippet =
                    Snippet::source(location.text).path(name.as_ref()).annotation(annotation);
                if let Some((span, label)) = &other {
                    let second = AnnotationKind::Context.span(span.clone());
                    snippet = snippet.annotation(second.label(label.as_ref()));
                }
                title.element(snippet)
            }
            None => title.element(annotate_snippets::Origin::path(name.as_ref())),
        };
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        // The width is fixed so that a message is the same in every terminal.
        let renderer = renderer.decor_style(DecorStyle::Ascii).term_width(400);
        let mut text = renderer.render(&[group]);
        text.push('\n');
        if let Some(help) = &self.help {
            let word = if colour { "\x1b[1;36mhelp\x1b[0m" } else { "help" };
            let _ = writeln!(text, "{word}: {}", visible(help));
        }
        if let Some(change) = location.and_then(|location| location.change) {
            let _ = writeln!(text, "note: this value was set by `{}`", visible(change));
        }
        text
    }
}

/// All diagnostics of a scene file.
#[derive(Debug, Clone)]
pub struct Diagnostics {
    /// The file.
    pub source: Source,
    /// Diagnostics in order of location.
    pub list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Sorts diagnostics by location; those without one come first.
    pub fn new(source: Source, mut list: Vec<Diagnostic>) -> Self {
        list.sort_by_key(|one| one.span.as_ref().map(|span| (span.start, span.end)));
        list.dedup();
        Self { source, list }
    }

    /// All diagnostics as text, separated by empty lines, and their number.
    pub fn render(&self, colour: bool) -> String {
        let mut text = String::new();
        // Errors come first if not all diagnostics are shown.
        let errors = self.list.iter().filter(|one| one.severity == Severity::Error);
        let warnings = self.list.iter().filter(|one| one.severity == Severity::Warning);
        let all: Vec<&Diagnostic> = match self.list.len() > MOST_SHOWN {
            true => errors.chain(warnings).collect(),
            false => self.list.iter().collect(),
        };
        for diagnostic in all.iter().take(MOST_SHOWN) {
            text.push_str(&diagnostic.render(&self.source, colour));
            text.push('\n');
        }
        if let Some(more) = all.len().checked_sub(MOST_SHOWN).filter(|more| *more > 0) {
            let _ = writeln!(text, "and {more} more\n");
        }
        let counts: Vec<String> = [(Severity::Error, "error"), (Severity::Warning, "warning")]
            .into_iter()
            .filter_map(|(severity, word)| {
                match self.list.iter().filter(|one| one.severity == severity).count() {
                    0 => None,
                    1 => Some(format!("1 {word}")),
                    count => Some(format!("{count} {word}s")),
                }
            })
            .collect();
        let _ = writeln!(text, "{} in {}", counts.join(", "), visible(self.source.name()));
        text
    }
}

/// A diagnostic with line and column numbers, for programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedRemark {
    /// Severity: whether the scene can be used.
    pub severity: Severity,
    /// The problem.
    pub message: String,
    /// Label of the location.
    pub label: String,
    /// Help: the expected value.
    pub help: Option<String>,
    /// Path of the key, such as `walls[2].material`; empty if it concerns the whole text.
    pub path: String,
    /// Name of the file, or `command line` for an override.
    pub file: String,
    /// Line and column, counted from 1.
    pub location: Option<(usize, usize)>,
}

impl Diagnostics {
    /// All diagnostics with their locations.
    pub fn placed(&self) -> Vec<PlacedRemark> {
        let paths = self.source.paths();
        let placed = |one: &Diagnostic| {
            let location = one.span.clone().map(|span| self.source.locate(span));
            let line = |text: &str, at: usize| {
                let before = text.get(..at).unwrap_or(text);
                let start = before.rfind('\n').map_or(0, |end| end + 1);
                (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
            };
            let inner = one.span.as_ref().and_then(|span| {
                let holds = |(other, _): &&(Range<usize>, String)| {
                    other.start <= span.start && span.end <= other.end && *span != (0..0)
                };
                paths.iter().filter(holds).min_by_key(|(other, _)| other.len())
            });
            PlacedRemark {
                severity: one.severity,
                message: one.message.clone(),
                label: one.label.clone(),
                help: one.help.clone(),
                path: inner.map(|(_, path)| path.clone()).unwrap_or_default(),
                file: location
                    .as_ref()
                    .map_or(self.source.name(), |location| location.name)
                    .to_owned(),
                location: location.map(|location| line(location.text, location.span.start)),
            }
        };
        self.list.iter().map(placed).collect()
    }
}

impl std::fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.render(false).trim_end())
    }
}

impl std::error::Error for Diagnostics {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_the_form_of_the_design() {
        let text = format!("{}material = \"grian\"\n", "\n".repeat(26));
        let span = text.find('"').map(|start| start..start + 7).expect("the quote is there");
        let error = Diagnostic::error("unknown material `grian`", span)
            .label("not defined in [materials]")
            .help("did you mean `grain`? defined here: grain, floor");
        let shown = Diagnostics::new(Source::new("pile.toml", &text), vec![error]).render(false);
        let expected = "\
error: unknown material `grian`
  --> pile.toml:27:12
   |
27 | material = \"grian\"
   |            ^^^^^^^ not defined in [materials]
help: did you mean `grain`? defined here: grain, floor

1 error in pile.toml
";
        assert_eq!(shown, expected);
    }
}
