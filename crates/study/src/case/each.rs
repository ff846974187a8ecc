//! `each = "file.csv"`: an entry of a case file that is repeated for each row of a table. `{column}` in any of its
//! texts is replaced by the cell of the row; `where` selects rows. A quantity keeps the columns of its name as its
//! `series`, so that a page can show all points in one row.

use super::folder::Files;
use toml::{Table, Value};

/// The list whose entries become comparisons.
const QUANTITIES: &str = "quantities";

/// Replaces each entry that has `each` by one entry per row, in all lists of tables.
pub(super) fn expand(table: &mut Table, files: &Files) -> Result<(), String> {
    for (key, value) in table.iter_mut() {
        match value {
            Value::Array(list) => expand_list(list, files, key == QUANTITIES)?,
            Value::Table(table) => expand(table, files)?,
            _ => {}
        }
    }
    Ok(())
}

fn expand_list(list: &mut Vec<Value>, files: &Files, compared: bool) -> Result<(), String> {
    let mut expanded = Vec::with_capacity(list.len());
    for mut item in std::mem::take(list) {
        if let Value::Table(entry) = &mut item {
            if let Some(each) = entry.remove("each") {
                let each = each.as_str().ok_or("`each` is the name of a CSV file")?.to_owned();
                let wanted = entry.remove("where");
                for row in rows(files, &each, wanted.as_ref())? {
                    let mut point = filled(entry, &row);
                    if compared && let Some(series) = series(entry, &row) {
                        point.insert("series".to_owned(), series);
                    }
                    expanded.push(Value::Table(point));
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

/// The rows of a table of the case that `wanted` selects: `{ column = "text" }` or a list of texts.
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
        return Err(format!("no row of `{name}` matches `where`"));
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

/// The name of an entry before the replacement of `{column}`, and the cells that replace it.
fn series(entry: &Table, row: &NamedRow) -> Option<Value> {
    let name = entry.get("name")?.as_str()?;
    let used = row.iter().filter(|(column, _)| name.contains(&format!("{{{column}}}")));
    let cells: Vec<Value> = used
        .map(|(column, cell)| Value::Array(vec![column.clone().into(), cell.clone().into()]))
        .collect();
    let series = [("name".to_owned(), name.into()), ("cells".to_owned(), Value::Array(cells))];
    Some(Value::Table(series.into_iter().collect()))
}

fn filled(entry: &Table, row: &NamedRow) -> Table {
    entry.iter().map(|(key, item)| (key.clone(), filled_value(item, row))).collect()
}

fn filled_value(value: &Value, row: &NamedRow) -> Value {
    match value {
        Value::String(text) => {
            let mut text = text.clone();
            for (column, cell) in row {
                text = text.replace(&format!("{{{column}}}"), cell);
            }
            Value::String(text)
        }
        Value::Array(list) => {
            Value::Array(list.iter().map(|item| filled_value(item, row)).collect())
        }
        Value::Table(table) => Value::Table(filled(table, row)),
        other => other.clone(),
    }
}
