//! Errors of the engine as exceptions of Python. Their classes are in `esker/errors.py`.

use esker::StepError;
use esker_draw::OutputError;
use esker_scene::Diagnostics;
use esker_scene::builtin::OpenError;
use esker_scene::run::RunError;
use pyo3::exceptions::{PyFileNotFoundError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::path::Path;

/// An exception of a class of `esker.errors`, made from keyword arguments.
fn raise(py: Python<'_>, class: &str, arguments: &Bound<'_, PyDict>) -> PyErr {
    let made = py
        .import("esker.errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call((), Some(arguments)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

fn build(
    py: Python<'_>,
    class: &str,
    fill: impl FnOnce(&Bound<'_, PyDict>) -> PyResult<()>,
) -> PyErr {
    let arguments = PyDict::new(py);
    match fill(&arguments) {
        Ok(()) => raise(py, class, &arguments),
        Err(error) => error,
    }
}

/// The exception of an invalid scene.
pub fn scene(py: Python<'_>, diagnostics: &Diagnostics) -> PyErr {
    build(py, "SceneError", |arguments| {
        arguments.set_item("message", diagnostics.to_string())?;
        arguments.set_item("problems", problems(py, diagnostics)?)
    })
}

/// Diagnostics as dicts.
pub fn problems<'py>(py: Python<'py>, diagnostics: &Diagnostics) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for one in diagnostics.placed() {
        let item = PyDict::new(py);
        let is_error = one.severity == esker_scene::Severity::Error;
        item.set_item("severity", if is_error { "error" } else { "warning" })?;
        item.set_item("message", one.message)?;
        item.set_item("label", one.label)?;
        item.set_item("help", one.help)?;
        item.set_item("path", one.path)?;
        item.set_item("file", one.file)?;
        item.set_item("line", one.location.map(|location| location.0))?;
        item.set_item("column", one.location.map(|location| location.1))?;
        list.append(item)?;
    }
    Ok(list)
}

/// The exception of a run stopped as unphysical.
pub fn unphysical(py: Python<'_>, error: &StepError, folder: Option<&Path>) -> PyErr {
    build(py, "UnphysicalError", |arguments| {
        arguments.set_item("message", error.to_string())?;
        arguments.set_item("cause", error.cause.to_string())?;
        arguments.set_item("diagnosis", error.diagnosis.to_string())?;
        arguments.set_item("step", error.step)?;
        arguments.set_item("time", error.time)?;
        arguments.set_item("particle", crate::arrays::id_number(error.id))?;
        arguments.set_item("position", error.position.to_array().to_vec())?;
        arguments.set_item("velocity", error.velocity.to_array().to_vec())?;
        arguments.set_item("partner", error.partner.as_deref())?;
        arguments.set_item("advice", &error.advice)?;
        arguments.set_item("folder", folder.map(|folder| folder.display().to_string()))
    })
}

/// The exception of a file or folder that cannot be read or written.
pub fn output(py: Python<'_>, error: &OutputError) -> PyErr {
    let number = match error {
        OutputError::System { source, .. } => source.raw_os_error(),
        _ => None,
    };
    os_error(py, number, &error.to_string(), None)
}

fn os_error(py: Python<'_>, number: Option<i32>, message: &str, help: Option<&str>) -> PyErr {
    build(py, "OutputError", |arguments| {
        let message = match help {
            Some(help) => format!("{message}\nhelp: {help}"),
            None => message.to_owned(),
        };
        arguments.set_item("message", message)?;
        arguments.set_item("errno", number)
    })
}

/// The exception of a folder in which another run is active.
fn in_use(py: Python<'_>, message: &str) -> PyErr {
    build(py, "FolderInUseError", |arguments| {
        arguments.set_item("message", message)?;
        arguments.set_item("errno", py.None())
    })
}

/// The exception of a run that cannot start or continue.
pub fn run(py: Python<'_>, error: &RunError) -> PyErr {
    match error {
        RunError::Scene(diagnostics) => scene(py, diagnostics),
        RunError::Output(error) => output(py, error),
        RunError::InUse { .. } | RunError::LockLeft { .. } => in_use(py, &error.to_string()),
        other => os_error(py, None, &other.to_string(), in_python(other)),
    }
}

/// The remedy, in terms of the Python interface.
fn in_python(error: &RunError) -> Option<&'static str> {
    match error {
        RunError::Folder { .. } => Some(
            "`resume=True` continues it, `force=True` replaces it, `out=` selects another folder",
        ),
        RunError::NotOurs { .. } => Some("select a new or an empty folder with `out=`"),
        RunError::NothingToResume { .. } | RunError::NotInCheckpoint(_) => {
            Some("start again without `resume=True`")
        }
        RunError::OtherScene { .. } => Some(
            "`force=True` continues with the changed scene; without `resume=True` the run starts \
             again",
        ),
        _ => None,
    }
}

/// The exception of a scene that cannot be opened.
pub fn open(py: Python<'_>, error: &OpenError) -> PyErr {
    match error {
        OpenError::Unknown { message, help } => {
            PyFileNotFoundError::new_err(format!("{message}\nhelp: {help}"))
        }
        OpenError::Unreadable(diagnostics) => scene(py, diagnostics),
    }
}

/// The exception of an error of the engine about a scene or a step.
pub fn engine(py: Python<'_>, loaded: &esker_scene::Loaded, error: &esker::Error) -> PyErr {
    match error {
        esker::Error::Step(error) if error.at_start.is_none() => unphysical(py, error, None),
        other => scene(py, &loaded.explain(other)),
    }
}

/// Calls the engine; a panic becomes an exception that states that it is a bug.
pub fn without_panic<T>(act: impl FnOnce() -> T) -> PyResult<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(act)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        PyRuntimeError::new_err(format!(
            "this is a bug in Esker, please report it with the scene: {}",
            text.unwrap_or_else(|| "unknown panic".to_owned())
        ))
    })
}
