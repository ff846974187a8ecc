//! The text of a scene file and the values that the command line overrides.

use super::nesting::bounded;
use super::set::{expand, parse_path, replacement_of_value};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// A value that overrides one of a scene file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting<'a> {
    /// The command-line option that gave the value, such as `--set`, for messages.
    pub option: &'a str,
    /// Path of the key, such as `contact.pairs[0].friction`.
    pub path: &'a str,
    /// The value in TOML; other text is a string.
    pub value: &'a str,
}

/// The text of a scene file. Values given by `--set` are written into the text before it is read, so that the text
/// saved with a run is the scene as used; messages still refer to the file as the user wrote it, or to the argument.
#[derive(Debug, Clone)]
pub struct Source {
    name: String,
    original: String,
    text: String,
    changes: Vec<Change>,
}

/// A part of the text written by `--set`.
#[derive(Debug, Clone)]
struct Change {
    /// The new part, in the current text.
    now: Range<usize>,
    /// Length of the replaced text.
    before: usize,
    /// The argument as given.
    argument: String,
}

/// The location of a message.
#[derive(Debug)]
pub(crate) struct Location<'a> {
    pub name: &'a str,
    pub text: &'a str,
    pub span: Range<usize>,
    pub change: Option<&'a str>,
}

impl Source {
    /// A file as it is.
    pub fn new(name: &str, text: &str) -> Self {
        Self {
            name: name.to_owned(),
            original: text.to_owned(),
            text: text.to_owned(),
            changes: Vec::new(),
        }
    }

    /// Name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text as read, overrides included.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Replaces the value at this path, or adds it; with `*` in the path, at all matching paths.
    pub fn set(&mut self, setting: Setting<'_>) -> Result<(), String> {
        let Setting { option, path, value } = setting;
        let argument = format!("{option} {path}={value}");
        let explain = |what: &str| format!("`{argument}`: {what}");
        let steps =
            parse_path(path).ok_or_else(|| explain("the key is not a path like `a.b[0].c`"))?;
        let value = match DeValue::parse(bounded(value)) {
            Ok(_) => value.to_owned(),
            Err(_) => toml::Value::String(value.to_owned()).to_string(),
        };
        // A file that does not parse is reported later.
        let Ok(document) = DeTable::parse(bounded(&self.text)) else { return Ok(()) };
        let paths = expand(document.get_ref(), &steps).map_err(|what| explain(&what))?;
        for steps in paths {
            let text = self.text.clone();
            let Ok(document) = DeTable::parse(&text) else { return Ok(()) };
            let (range, new) = replacement_of_value(&text, document.get_ref(), &steps, &value)
                .map_err(|what| explain(&what))?;
            self.replace(range, &new, argument.clone());
        }
        Ok(())
    }

    /// The location of every key path in the current text; empty if the text does not parse.
    pub(crate) fn paths(&self) -> Vec<(Range<usize>, String)> {
        match DeTable::parse(bounded(&self.text)) {
            Ok(document) => {
                let context = super::value::Context::new(document.get_ref(), "".as_ref());
                context.spans.into_iter().map(|(path, span)| (span, path)).collect()
            }
            Err(_) => Vec::new(),
        }
    }

    fn replace(&mut self, range: Range<usize>, new: &str, argument: String) {
        let shift = |position: usize| position + new.len() - range.len();
        let mut before = range.len();
        self.changes.retain_mut(|change| {
            if change.now.start >= range.start && change.now.end <= range.end && !range.is_empty() {
                before = before - change.now.len() + change.before;
                return false;
            }
            if change.now.start >= range.end {
                change.now = shift(change.now.start)..shift(change.now.end);
            }
            true
        });
        self.text.replace_range(range.clone(), new);
        self.changes.push(Change { now: range.start..range.start + new.len(), before, argument });
    }

    /// Location of a span of the current text for the user: in the file, or in an argument.
    pub(crate) fn locate(&self, span: Range<usize>) -> Location<'_> {
        let inside =
            self.changes.iter().find(|one| one.now.start <= span.start && span.end <= one.now.end);
        let original = |position: usize| {
            self.changes.iter().filter(|one| one.now.start < position).fold(
                position,
                |shifted, one| {
                    (shifted + one.before)
                        .saturating_sub(one.now.len().min(position - one.now.start))
                },
            )
        };
        match inside {
            Some(change) => Location {
                name: "command line",
                text: &self.text[change.now.clone()],
                span: one_line(
                    &self.text[change.now.clone()],
                    span.start - change.now.start..span.end - change.now.start,
                ),
                change: Some(&change.argument),
            },
            None => Location {
                name: &self.name,
                text: &self.original,
                span: one_line(&self.original, original(span.start)..original(span.end)),
                change: None,
            },
        }
    }
}

/// Restricts a span to its first line and to the text, so that a message stays short.
fn one_line(text: &str, span: Range<usize>) -> Range<usize> {
    let mut start = span.start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let line_end = text[start..].find(['\n', '\r']).map_or(text.len(), |length| start + length);
    // At least one character is marked, if there is one.
    let mut end = span.end.max(start + 1).clamp(start, line_end);
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_hand<'a>(path: &'a str, value: &'a str) -> Setting<'a> {
        Setting { option: "--set", path, value }
    }

    fn after(text: &str, path: &str, value: &str) -> String {
        let mut source = Source::new("a.toml", text);
        source.set(by_hand(path, value)).expect("the path is good");
        source.text().to_owned()
    }

    #[test]
    fn a_value_is_replaced_or_added_where_it_belongs() {
        assert_eq!(after("[time]\nstep = 1\n", "time.step", "2e-3"), "[time]\nstep = 2e-3\n");
        assert_eq!(after("[time]\nstep = 1\n", "time.step", "auto"), "[time]\nstep = \"auto\"\n");
        assert_eq!(after("[time]\n[domain]", "time.step", "2"), "[time]\nstep = 2\n[domain]");
        assert_eq!(after("a = 1", "time.step", "2"), "time.step = 2\na = 1");
        assert_eq!(after("a = {b = 1}", "a.c", "2"), "a = { c = 2,b = 1}");
        assert_eq!(
            after("[[w]]\nn = 1\n[[w]]\nn = 2", "w[1].n", "5"),
            "[[w]]\nn = 1\n[[w]]\nn = 5"
        );
    }

    #[test]
    fn a_star_stands_for_all_items_or_keys() {
        let pairs = "pairs = [{ f = 1 }, { f = 2, g = 3 }, { g = 4 }]";
        assert_eq!(
            after(pairs, "pairs[*].f", "9"),
            "pairs = [{ f = 9 }, { f = 9, g = 3 }, { f = 9, g = 4 }]"
        );
        assert_eq!(
            after("[m]\na = { e = 1 }\n[m.b]\ne = 2\n", "m.*.e", "7"),
            "[m]\na = { e = 7 }\n[m.b]\ne = 7\n"
        );
        let mut source = Source::new("a.toml", pairs);
        let error = source.set(by_hand("pairs.*.f", "5")).expect_err("a list has no keys");
        assert_eq!(error, "`--set pairs.*.f=5`: `*` does not follow a table of the file");
    }

    #[test]
    fn a_location_after_a_change_is_where_the_user_wrote_it() {
        let mut source = Source::new("a.toml", "a = 1\nb = 2\n");
        source.set(by_hand("c.d", "100")).expect("good");
        source.set(by_hand("a", "12345")).expect("good");
        let at = source.text().find("2\n").expect("there");
        let location = source.locate(at..at + 1);
        assert_eq!((location.text, location.span), ("a = 1\nb = 2\n", 10..11));
    }

    #[test]
    fn a_wrong_path_is_named() {
        let mut source = Source::new("a.toml", "[[w]]\nn = 1\n");
        let error = source.set(by_hand("w[3].n", "5")).expect_err("no such item");
        assert_eq!(error, "`--set w[3].n=5`: the list has 1 item, counted from 0");
    }
}
