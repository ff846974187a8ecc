//! Location in the text of a scene file at which an override is inserted.

use super::words;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// One step down a path.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// A key of a table.
    Key(String),
    /// An item of a list.
    Item(usize),
    /// Every key of a table.
    AllKeys,
    /// Every item of a list.
    AllItems,
}

/// `a.b[0].c` as steps, with `*` for all keys or items; none if it does not have this form.
pub fn parse_path(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let (key, items) = part.split_at(part.find('[').unwrap_or(part.len()));
        let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if key == "*" {
            steps.push(Step::AllKeys);
        } else if key.is_empty() || !key.chars().all(bare) {
            return None;
        } else {
            steps.push(Step::Key(key.to_owned()));
        }
        for item in items.split_terminator(']') {
            let item = item.strip_prefix('[')?;
            steps.push(if item == "*" { Step::AllItems } else { Step::Item(item.parse().ok()?) });
        }
    }
    Some(steps)
}

/// The paths that a path with `*` stands for; itself if it has none.
pub(super) fn expand(root: &DeTable<'_>, steps: &[Step]) -> Result<Vec<Vec<Step>>, String> {
    let Some(star) = steps.iter().position(|step| matches!(step, Step::AllKeys | Step::AllItems))
    else {
        return Ok(vec![steps.to_vec()]);
    };
    let (before, after) = (&steps[..star], &steps[star + 1..]);
    if find(root, before).is_none() {
        find_misspelt(root, before)?;
    }
    let inner = match (&steps[star], find(root, before)) {
        (Step::AllKeys, _) if before.is_empty() => {
            root.keys().map(|key| key.get_ref().to_string()).map(Step::Key).collect()
        }
        (Step::AllKeys, Some(DeValue::Table(table))) => {
            table.keys().map(|key| Step::Key(key.get_ref().to_string())).collect()
        }
        (Step::AllItems, Some(DeValue::Array(list))) => (0..list.len()).map(Step::Item).collect(),
        (Step::AllKeys, _) => return Err("`*` does not follow a table of the file".to_owned()),
        _ => return Err("`[*]` does not follow a list of the file".to_owned()),
    };
    let inner: Vec<Step> = inner;
    if inner.is_empty() {
        return Err("`*` matches nothing: there are no items".to_owned());
    }
    let mut paths = Vec::new();
    for step in inner {
        let path: Vec<Step> =
            before.iter().cloned().chain([step]).chain(after.iter().cloned()).collect();
        paths.extend(expand(root, &path)?);
    }
    Ok(paths)
}

/// The item at the end of a path.
fn find<'a, 'b>(root: &'a DeTable<'b>, steps: &[Step]) -> Option<&'a DeValue<'b>> {
    let (Step::Key(first), rest) = steps.split_first()? else { return None };
    let mut found = root.get(first.as_str())?.get_ref();
    for step in rest {
        found = match step {
            Step::Key(key) => found.as_table()?.get(key.as_str())?.get_ref(),
            Step::Item(item) => found.as_array()?.get(*item)?.get_ref(),
            Step::AllKeys | Step::AllItems => return None,
        };
    }
    Some(found)
}

/// Reports the first key of a path that is not in the file, if a similar key exists.
fn find_misspelt(root: &DeTable<'_>, steps: &[Step]) -> Result<(), String> {
    for end in 0..steps.len() {
        let table = match end {
            0 => Some(root),
            _ => find(root, &steps[..end]).and_then(DeValue::as_table),
        };
        let (Some(table), Step::Key(key)) = (table, &steps[end]) else { continue };
        let known: Vec<&str> = table.keys().map(|known| known.get_ref().as_ref()).collect();
        if !table.contains_key(key.as_str())
            && let Some(near) = words::nearest(key, &known)
        {
            return Err(format!("the file has no `{key}` there; did you mean `{near}`?"));
        }
    }
    Ok(())
}

/// Paths are expanded before values are inserted.
const STAR: &str = "`*` is not allowed here";
const NOT_A_TABLE: &str =
    "a component of the path is not a table; the first item of a list is `list[0]`";

/// The replacement that sets the value at the end of `steps` to `value`.
pub(super) fn replacement_of_value(
    text: &str,
    root: &DeTable<'_>,
    steps: &[Step],
    value: &str,
) -> Result<(Range<usize>, String), String> {
    // The tables along the path, with the step that leaves each.
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
                    None => {
                        refuse_misspelt(table, &steps[..index], key, &steps[index + 1..])?;
                        return insert_somewhere(text, &tables, steps, value);
                    }
                }
            }
            Step::Item(item) => {
                let list = found.and_then(|value| value.get_ref().as_array());
                let list = list.ok_or("a component of the path is not a list")?;
                let length = list.len();
                Some(
                    list.get(*item)
                        .ok_or(format!("the list has {}, counted from 0", items(length)))?,
                )
            }
            Step::AllKeys | Step::AllItems => return Err(STAR.to_owned()),
        };
    }
    match found.map(|value| (value.span(), value.get_ref())) {
        Some((span, DeValue::Table(_))) if !text[span.clone()].starts_with('{') => {
            Err("it is a whole table; give one of its keys".to_owned())
        }
        Some((span, DeValue::Array(_))) if text[span.clone()].starts_with("[[") => {
            Err("it is a list of tables; give one of their keys".to_owned())
        }
        Some((span, _)) => Ok((span, value.to_owned())),
        None => Err("the path is empty".to_owned()),
    }
}

/// Lists and materials are not created on the way to a key: there a name that is not in the file is a mistake.
fn refuse_misspelt(
    table: &DeTable<'_>,
    before: &[Step],
    key: &str,
    after: &[Step],
) -> Result<(), String> {
    let known: Vec<&str> = table.keys().map(|known| known.get_ref().as_ref()).collect();
    let nearest = words::nearest(key, &known);
    let missing = match (after.first(), nearest) {
        (Some(Step::Item(_) | Step::AllItems), _) => "list",
        (Some(Step::Key(_)), Some(_)) if before == [Step::Key("materials".to_owned())] => {
            "material"
        }
        _ => return Ok(()),
    };
    Err(match nearest {
        Some(near) => format!("the file has no {missing} `{key}` there; did you mean `{near}`?"),
        None => format!("the file has no {missing} `{key}` there"),
    })
}

fn items(count: usize) -> String {
    if count == 1 { "1 item".to_owned() } else { format!("{count} items") }
}

/// A new key in the innermost table that can take it. Tables that exist only through dotted keys or through the headers
/// of their own tables cannot take it, which is detected when the result is read back.
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
        if DeTable::parse(&result).is_ok_and(|document| find(document.get_ref(), steps).is_some()) {
            return Ok((range, new));
        }
    }
    Err("it cannot be added by an override; write it into the file".to_owned())
}

/// A new key in the table at `span`, or at the top of the file.
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
            Step::AllKeys | Step::AllItems => return Err(STAR.to_owned()),
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
