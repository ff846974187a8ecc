//! Python values as TOML text.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};
use std::fmt::Write;

/// Largest nesting depth of tables and lists.
const DEEPEST: usize = 64;

/// A dict of tables as the text of a scene file.
#[pyfunction]
pub fn to_toml(tables: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut plain = String::new();
    let mut sections = String::new();
    for (key, value) in entries(tables, "")? {
        if let Ok(list) = list_of(&value)
            && !list.is_empty()
            && list.iter().all(|item| item.cast::<PyMapping>().is_ok())
        {
            for item in list {
                let _ = write!(sections, "\n[[{}]]\n", key_text(&key));
                lines(&mut sections, &item, &key)?;
            }
        } else if value.cast::<PyMapping>().is_ok() {
            let _ = write!(sections, "\n[{}]\n", key_text(&key));
            lines(&mut sections, &value, &key)?;
        } else {
            line(&mut plain, &key, &value, &key)?;
        }
    }
    Ok(plain + &sections)
}

/// The entries of a mapping, without those that are None.
fn entries<'py>(
    mapping: &Bound<'py, PyAny>,
    path: &str,
) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let mapping = mapping.cast::<PyMapping>().map_err(|_| wrong(path, mapping))?;
    let mut found = Vec::new();
    for item in mapping.items()?.iter() {
        let (key, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
        let name: String = key.extract().map_err(|_| {
            PyTypeError::new_err(format!("keys of a scene are strings; `{path}` has {key:?}"))
        })?;
        if !value.is_none() {
            found.push((name, value));
        }
    }
    Ok(found)
}

fn lines(text: &mut String, table: &Bound<'_, PyAny>, path: &str) -> PyResult<()> {
    for (key, value) in entries(table, path)? {
        line(text, &key, &value, &format!("{path}.{key}"))?;
    }
    Ok(())
}

/// `key = value`; a list of tables has a line for each.
fn line(text: &mut String, key: &str, value: &Bound<'_, PyAny>, path: &str) -> PyResult<()> {
    let _ = write!(text, "{} = ", key_text(key));
    match list_of(value) {
        Ok(list) if list.len() > 1 && list.iter().all(|item| item.cast::<PyMapping>().is_ok()) => {
            text.push_str("[\n");
            for item in list {
                text.push_str("    ");
                inline(text, &item, path, 0)?;
                text.push_str(",\n");
            }
            text.push(']');
        }
        _ => inline(text, value, path, 0)?,
    }
    text.push('\n');
    Ok(())
}

/// A value as TOML on one line.
pub fn value_text(value: &Bound<'_, PyAny>, path: &str) -> PyResult<String> {
    let mut text = String::new();
    inline(&mut text, value, path, 0)?;
    Ok(text)
}

fn inline(text: &mut String, value: &Bound<'_, PyAny>, path: &str, depth: usize) -> PyResult<()> {
    if depth > DEEPEST {
        return Err(PyValueError::new_err(format!("`{path}` is nested too deeply")));
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        text.push_str(if flag.is_true() { "true" } else { "false" });
    } else if value.is_instance_of::<PyInt>() {
        let number: i64 = value.extract().map_err(|_| {
            PyValueError::new_err(format!("`{path}`: {value} does not fit into 64 bits"))
        })?;
        let _ = write!(text, "{number}");
    } else if value.is_instance_of::<PyFloat>() {
        number(text, value.extract()?);
    } else if let Ok(words) = value.cast::<PyString>() {
        text.push_str(&quoted(&words.to_cow()?));
    } else if let Ok(list) = list_of(value) {
        text.push('[');
        for (index, item) in list.iter().enumerate() {
            text.push_str(if index > 0 { ", " } else { "" });
            inline(text, item, path, depth + 1)?;
        }
        text.push(']');
    } else if value.cast::<PyMapping>().is_ok() {
        text.push_str("{ ");
        for (index, (key, item)) in entries(value, path)?.iter().enumerate() {
            text.push_str(if index > 0 { ", " } else { "" });
            let _ = write!(text, "{} = ", key_text(key));
            inline(text, item, &format!("{path}.{key}"), depth + 1)?;
        }
        text.push_str(" }");
    } else if let Some(plain) = of_numpy(value)? {
        inline(text, &plain, path, depth + 1)?;
    } else if let Ok(file) = value.call_method0("__fspath__") {
        inline(text, &file, path, depth + 1)?;
    } else {
        return Err(wrong(path, value));
    }
    Ok(())
}

/// NumPy's scalars and arrays as values of Python.
fn of_numpy<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if value.hasattr("dtype")? && value.hasattr("tolist")? {
        return value.call_method0("tolist").map(Some);
    }
    Ok(None)
}

fn list_of<'py>(value: &Bound<'py, PyAny>) -> Result<Vec<Bound<'py, PyAny>>, ()> {
    if let Ok(list) = value.cast::<PyList>() {
        return Ok(list.iter().collect());
    }
    value.cast::<PyTuple>().map(|tuple| tuple.iter().collect()).map_err(|_| ())
}

/// The shortest text that is parsed as the same number, as a float of TOML.
fn number(text: &mut String, number: f64) {
    let _ = match number {
        number if number.is_nan() => write!(text, "nan"),
        number => write!(text, "{number:?}"),
    };
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn key_text(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(bare) { key.to_owned() } else { quoted(key) }
}

fn wrong(path: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let kind = value.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "`{path}`: a scene has numbers, strings, flags, lists and tables, not a value of type {kind}"
    ))
}

/// Overrides as pairs of a path and a value in TOML. A string remains a text.
pub fn settings(changes: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, String)>> {
    let Some(changes) = changes else { return Ok(Vec::new()) };
    let pair = |(path, value): (String, Bound<'_, PyAny>)| {
        let text = value_text(&value, &path)?;
        Ok((path, text))
    };
    entries(changes.as_any(), "set")?.into_iter().map(pair).collect()
}
