//! Tables of run folders as arrays.

use numpy::IntoPyArray;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::path::{Path, PathBuf};

/// One column: numbers, or texts.
enum Column {
    Numbers(Vec<f64>),
    Texts(Vec<String>),
}

/// The columns of a CSV file: arrays of numbers, empty cells as nan; lists of texts.
#[pyfunction]
pub fn read_table(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyDict>> {
    let (names, columns) = py.detach(|| read(&path))?;
    let table = PyDict::new(py);
    for (name, column) in names.into_iter().zip(columns) {
        match column {
            Column::Numbers(values) => table.set_item(name, values.into_pyarray(py))?,
            Column::Texts(values) => table.set_item(name, PyList::new(py, values)?)?,
        }
    }
    Ok(table)
}

fn read(path: &Path) -> PyResult<(Vec<String>, Vec<Column>)> {
    let (file, _) = esker_scene::plain_file::open(path).map_err(|error| {
        PyOSError::new_err(format!("cannot read `{}`: {error}", path.display()))
    })?;
    let wrong = |error: csv::Error| {
        PyValueError::new_err(format!("`{}` is not a table: {error}", path.display()))
    };
    let mut reader = csv::Reader::from_reader(std::io::BufReader::new(file));
    let names: Vec<String> = reader.headers().map_err(wrong)?.iter().map(str::to_owned).collect();
    let mut columns: Vec<Column> = names.iter().map(|_| Column::Numbers(Vec::new())).collect();
    let mut record = csv::StringRecord::new();
    let mut rows = 0;
    while reader.read_record(&mut record).map_err(wrong)? {
        for (column, cell) in columns.iter_mut().zip(&record) {
            match column {
                Column::Texts(texts) => texts.push(cell.to_owned()),
                Column::Numbers(numbers) => match number(cell) {
                    Some(value) => numbers.push(value),
                    None if rows == 0 => *column = Column::Texts(vec![cell.to_owned()]),
                    None => *column = Column::Texts(Vec::new()),
                },
            }
        }
        rows += 1;
    }
    // A column whose first rows are numbers but not all is read again as texts.
    for (index, column) in columns.iter_mut().enumerate() {
        if let Column::Texts(texts) = column
            && texts.len() != rows
        {
            *texts = texts_of(path, index)?;
        }
    }
    Ok((names, columns))
}

fn number(cell: &str) -> Option<f64> {
    if cell.is_empty() { Some(f64::NAN) } else { cell.parse().ok() }
}

fn texts_of(path: &Path, column: usize) -> PyResult<Vec<String>> {
    let wrong = |error: csv::Error| PyValueError::new_err(error.to_string());
    let mut reader = csv::Reader::from_path(path).map_err(wrong)?;
    let texts = reader
        .records()
        .map(|record| Ok(record.map_err(wrong)?.get(column).unwrap_or_default().to_owned()));
    texts.collect()
}

/// A folder of this name under `parent` that does not exist yet.
#[pyfunction]
pub fn fresh_folder(parent: PathBuf, name: &str) -> PathBuf {
    esker_scene::run::fresh_folder(&parent, name)
}
