//! `each = "file.csv"`: one entry of a case file that stands for many, one for each row of a table.
//! `{column}` in any of its texts becomes what the row says; `where` chooses rows.

use super::folder::Files;
use toml::{Table, Value};

/// Puts the rows of tables into all lists of tables that ask for it.
pub(super) fn expand(table: &mut Table, files: &Files) -> Result<(), String> {
    for (_, value) in table.iter_mut() {
        match value {
            Value::Array(list) => expand_list(list, files)?,
            Value::Table(table) => expand(table, files)?,
            _ => {}
        }
    }
    Ok(())
}

fn expand_list(list: &mut Vec<Value>, files: &Files) -> Result<(), String> {
    let mut expanded = Vec::with_capacity(list.len());
    for mut item in std::mem::take(list) {
        if let Value::Table(entry) = &mut item {
            if let Some(each) = entry.remove("each") {
                let each = each.as_str().ok_or("`each` is the name of a CSV file")?.to_owned();
                let wanted = entry.remove("where");
                for row in rows(files, &each, wanted.as_ref())? {
                    expanded.push(filled(&Value::Table(entry.clone()), &row));
                }
                continue;
            }
            expand(entry, files)?;
        }
        expanded.push(item);
    }
    *list = expanded;
    Ok(())
}

/// A row: name of the column, text of the cell.
pub(super) type NamedRow = Vec<(String, String)>;

/// The rows of a table of the case that `wanted` chooses: `{ column = "text" }` or a list of texts.
pub(super) fn rows(
    files: &Files,
    name: &str,
    wanted: Option<&Value>,
) -> Result<Vec<NamedRow>, String> {
    let text = files.text(name)?;
    let wrong = |error: csv::Error| format!("`{name}`: {error}");
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let header = reader.headers().map_err(wrong)?.clone();
    if let Some(Value::Table(wanted)) = wanted {
        for column in wanted.keys() {
            if !header.iter().any(|known| known == column) {
                return Err(format!("`{name}` has no column `{column}`"));
            }
        }
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(wrong)?;
        let row: NamedRow =
            header.iter().zip(&record).map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
        if row.iter().all(|(column, cell)| chosen(wanted, column, cell)) {
            rows.push(row);
        }
    }
    if rows.is_empty() {
        return Err(format!("no row of `{name}` is as `where` says"));
    }
    Ok(rows)
}

fn chosen(wanted: Option<&Value>, column: &str, cell: &str) -> bool {
    let is = |value: &Value| match value {
        Value::String(text) => text == cell,
        Value::Integer(number) => cell.parse::<f64>().is_ok_and(|cell| cell == *number as f64),
        Value::Float(number) => cell.parse::<f64>().is_ok_and(|cell| cell == *number),
        _ => false,
    };
    match wanted.and_then(|wanted| wanted.get(column)) {
        None => true,
        Some(Value::Array(list)) => list.iter().any(is),
        Some(one) => is(one),
    }
}

fn filled(value: &Value, row: &NamedRow) -> Value {
    match value {
        Value::String(text) => {
            let mut text = text.clone();
            for (column, cell) in row {
                text = text.replace(&format!("{{{column}}}"), cell);
            }
            Value::String(text)
        }
        Value::Array(list) => Value::Array(list.iter().map(|item| filled(item, row)).collect()),
        Value::Table(table) => {
            Value::Table(table.iter().map(|(key, item)| (key.clone(), filled(item, row))).collect())
        }
        other => other.clone(),
    }
}
