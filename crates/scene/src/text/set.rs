//! Where in the text of a scene file a value given on the command line goes.

use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// One step down a path.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    Key(String),
    Item(usize),
}

/// `a.b[0].c` in steps; nothing if it is not of that form.
pub(super) fn parse_path(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let (key, items) = part.split_at(part.find('[').unwrap_or(part.len()));
        let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if key.is_empty() || !key.chars().all(bare) {
            return None;
        }
        steps.push(Step::Key(key.to_owned()));
        for item in items.split_terminator(']') {
            steps.push(Step::Item(item.strip_prefix('[')?.parse().ok()?));
        }
    }
    Some(steps)
}

const NOT_A_TABLE: &str =
    "a step of the path is not a table; the first item of a list is `list[0]`";

/// What to replace by what, so that the value at the end of `steps` becomes `value`.
pub(super) fn place_value(
    text: &str,
    root: &DeTable<'_>,
    steps: &[Step],
    value: &str,
) -> Result<(Range<usize>, String), String> {
    // The tables on the way, with the step that leaves each.
    let mut tables: Vec<(Option<Range<usize>>, usize)> = vec![(None, 0)];
    let mut found: Option<&toml::Spanned<DeValue<'_>>> = None;
    for (index, step) in steps.iter().enumerate() {
        found = match step {
            Step::Key(key) => {
                let mut table = root;
                if let Some(value) = found {
                    table = value.get_ref().as_table().ok_or(NOT_A_TABLE)?;
                    tables.push((Some(value.span()), index));
                }
                match table.get(key.as_str()) {
                    Some(value) => Some(value),
                    None => return insert_somewhere(text, &tables, steps, value),
                }
            }
            Step::Item(item) => {
                let list = found.and_then(|value| value.get_ref().as_array());
                let list = list.ok_or("a step of the path is not a list")?;
                let length = list.len();
                Some(
                    list.get(*item)
                        .ok_or(format!("the list has {length} items, counted from 0"))?,
                )
            }
        };
    }
    match found.map(|value| (value.span(), value.get_ref())) {
        Some((span, DeValue::Table(_))) if !text[span.clone()].starts_with('{') => {
            Err("it names a whole table; name one of its keys".to_owned())
        }
        Some((span, DeValue::Array(_))) if text[span.clone()].starts_with("[[") => {
            Err("it names a list of tables; name one of their keys".to_owned())
        }
        Some((span, _)) => Ok((span, value.to_owned())),
        None => Err("the path is empty".to_owned()),
    }
}

/// A new key in the innermost table that can take it. Tables that exist only through dotted keys
/// or through the headers of their own tables cannot, which shows when the result is read back.
fn insert_somewhere(
    text: &str,
    tables: &[(Option<Range<usize>>, usize)],
    steps: &[Step],
    value: &str,
) -> Result<(Range<usize>, String), String> {
    for (span, depth) in tables.iter().rev() {
        let (range, new) = insert(text, span.clone(), &steps[*depth..], value)?;
        let mut result = text.to_owned();
        result.replace_range(range.clone(), &new);
        if DeTable::parse(&result).is_ok_and(|document| exists(document.get_ref(), steps)) {
            return Ok((range, new));
        }
    }
    Err("there is no place for it in the file; write it there by hand".to_owned())
}

fn exists(root: &DeTable<'_>, steps: &[Step]) -> bool {
    let Some((Step::Key(first), rest)) = steps.split_first() else { return false };
    let mut found = root.get(first.as_str());
    for step in rest {
        found = found.and_then(|value| match step {
            Step::Key(key) => value.get_ref().as_table()?.get(key.as_str()),
            Step::Item(item) => value.get_ref().as_array()?.get(*item),
        });
    }
    found.is_some()
}

/// A new key in the table that stands at `span`, or at the top of the file.
fn insert(
    text: &str,
    span: Option<Range<usize>>,
    steps: &[Step],
    value: &str,
) -> Result<(Range<usize>, String), String> {
    let mut keys = Vec::new();
    for step in steps {
        match step {
            Step::Key(key) => keys.push(key.as_str()),
            Step::Item(_) => return Err("there is no such list in the file".to_owned()),
        }
    }
    let line = format!("{} = {value}", keys.join("."));
    let Some(span) = span else { return Ok((0..0, format!("{line}\n"))) };
    if text[span.clone()].starts_with('{') {
        let rest = text[span.start + 1..span.end].trim_start();
        let comma = if rest.starts_with('}') { "" } else { "," };
        return Ok((span.start + 1..span.start + 1, format!(" {line}{comma}")));
    }
    let end = text[span.start..].find('\n').map_or(text.len(), |length| span.start + length);
    Ok((end..end, format!("\n{line}")))
}
