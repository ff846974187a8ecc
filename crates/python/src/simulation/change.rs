//! Changes of a simulation between steps, made from Python.

use crate::field::PythonField;
use crate::state::{Shared, change_of};
use crate::{arrays, convert, error};
use esker::field::Field;
use esker_scene::run::ChangeMade;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;

/// Changes the motion of a wall from now on, or gravity if no wall is given.
pub(super) fn between_steps(
    py: Python<'_>,
    shared: &Shared,
    wall: Option<String>,
    value: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let text = convert::value_text(value, wall.as_deref().unwrap_or("gravity"))?;
    let mut inner = shared.lock(py)?;
    let simulation = inner.simulation()?;
    if let Some(name) = &wall
        && !simulation.wall_views().iter().any(|view| view.present && view.name == *name)
    {
        return Err(PyKeyError::new_err(format!("there is no wall `{name}` now")));
    }
    let stage = match simulation.steps() {
        0 => None,
        _ => inner.loaded.scene.stages.iter().position(|one| one.name == simulation.stage()),
    };
    let made = ChangeMade { stage, wall, text };
    let change = change_of(&inner.loaded, &made).map_err(|found| error::scene(py, &found))?;
    let simulation = inner.simulation_mut()?;
    let outcome = error::without_panic(|| simulation.change(change))?;
    outcome.map_err(|problem| error::engine(py, &inner.loaded, &problem))?;
    inner.changes.push(made);
    Ok(())
}

/// Sets `radius`, `mass` or `charge` of the particles with these ids, or of all in order of id.
pub(super) fn values(
    py: Python<'_>,
    shared: &Shared,
    name: &str,
    values: &Bound<'_, PyAny>,
    id: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let quantity = arrays::settable(name)?;
    let mut inner = shared.lock(py)?;
    let particles = inner.simulation()?.particles();
    let ids = match id {
        Some(id) => arrays::ids_of(id)?,
        None => particles.metadata_by_id().map(|one| esker::ParticleId::new(one.0)).collect(),
    };
    let values = arrays::numbers_of(values, name, ids.len())?;
    let pairs: Vec<_> = ids.into_iter().zip(values).collect();
    let simulation = inner.simulation_mut()?;
    error::without_panic(|| simulation.set_particles(quantity, &pairs))?
        .map_err(PyValueError::new_err)
}

/// Adds a force written in Python, or replaces that of the same name.
pub(super) fn field(py: Python<'_>, shared: &Shared, name: String, f: Py<PyAny>) -> PyResult<()> {
    let field = Arc::new(PythonField::new(name.clone(), f));
    let own = Arc::clone(&field);
    shared.detached(py, move |inner| -> PyResult<()> {
        let outcome = inner.simulation_mut()?.set_field(own);
        if let Err(problem) = outcome {
            return Err(Python::attach(|py| error::engine(py, &inner.loaded, &problem)));
        }
        Ok(())
    })??;
    let mut inner = shared.lock(py)?;
    if let Some(failure) = field.take_failure() {
        inner.broken = Some(format!("the field `{name}` raised an exception"));
        return Err(failure);
    }
    inner.fields.retain(|other| other.name() != name);
    inner.fields.push(field);
    Ok(())
}
