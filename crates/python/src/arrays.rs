//! Columns of the engine as arrays of NumPy.

use esker::Particles;
use esker::Settable;
use esker::measure::{ContactView, Partner, WallView};
use esker::particles::storage::Quantity;
use esker::{ParticleId, Quat, Vec3};
use numpy::ndarray::Array2;
use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The number of a particle.
pub fn id_number(id: ParticleId) -> u64 {
    id.into()
}

/// The quantity of this name.
pub fn quantity(name: &str) -> PyResult<Quantity> {
    Ok(match name {
        "position" => Quantity::Position,
        "velocity" => Quantity::Velocity,
        "spin" => Quantity::Spin,
        "orientation" => Quantity::Orientation,
        "force" => Quantity::Force,
        "torque" => Quantity::Torque,
        "radius" => Quantity::Radius,
        "mass" => Quantity::Mass,
        other => return Err(PyValueError::new_err(format!("particles have no `{other}`"))),
    })
}

/// The quantity of this name that can be set.
pub fn settable(name: &str) -> PyResult<Settable> {
    match name {
        "radius" => Ok(Settable::Radius),
        "mass" => Ok(Settable::Mass),
        "charge" => Ok(Settable::Charge),
        other => Err(PyValueError::new_err(format!("`{other}` of a particle cannot be set"))),
    }
}

/// Ids from an array of whole numbers, or from one.
pub fn ids_of(value: &Bound<'_, PyAny>) -> PyResult<Vec<ParticleId>> {
    let wrong =
        || PyValueError::new_err("`id` must be a whole number or an array of them, shape (n,)");
    let array = value.py().import("numpy")?.call_method1("atleast_1d", (value,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if kind != "i" && kind != "u" {
        return Err(wrong());
    }
    let ids: Vec<i64> = array.call_method0("tolist")?.extract().map_err(|_| wrong())?;
    let id = |id: i64| match u32::try_from(id) {
        Ok(number) if number < u32::MAX => Ok(ParticleId::new(number)),
        _ => Err(PyValueError::new_err(format!("there is no particle {id}"))),
    };
    ids.into_iter().map(id).collect()
}

/// A new array of a quantity, in order of id.
pub fn copied<'py>(
    py: Python<'py>,
    particles: &Particles,
    quantity: Quantity,
) -> PyResult<Bound<'py, PyAny>> {
    let count = quantity.components();
    let mut values: Vec<f64> = Vec::with_capacity(particles.len() * count);
    let room = &mut values.spare_capacity_mut()[..particles.len() * count];
    py.detach(|| particles.copy_by_id(quantity, room));
    // SAFETY: `copy_by_id` has initialised all elements.
    unsafe { values.set_len(particles.len() * count) };
    shaped(py, values, count)
}

/// Numbers as an array of one column or several.
pub fn shaped<T: Element>(
    py: Python<'_>,
    values: Vec<T>,
    columns: usize,
) -> PyResult<Bound<'_, PyAny>> {
    if columns == 1 {
        return Ok(values.into_pyarray(py).into_any());
    }
    let rows = values.len() / columns;
    let array = Array2::from_shape_vec((rows, columns), values)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(array.into_pyarray(py).into_any())
}

fn vectors(py: Python<'_>, values: impl Iterator<Item = Vec3>) -> PyResult<Bound<'_, PyAny>> {
    shaped(py, values.flat_map(|value| value.to_array()).collect::<Vec<f64>>(), 3)
}

/// Contacts as columns.
pub fn contacts<'py>(py: Python<'py>, list: &[ContactView]) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    let first: Vec<i64> = list.iter().map(|one| id_number(one.first) as i64).collect();
    let second = |one: &ContactView| match one.second {
        Partner::Particle(id) => id_number(id) as i64,
        Partner::Wall(_) => -1,
    };
    let wall = |one: &ContactView| match one.second {
        Partner::Particle(_) => -1,
        Partner::Wall(index) => index.index() as i64,
    };
    columns.set_item("first", first.into_pyarray(py))?;
    columns.set_item("second", list.iter().map(second).collect::<Vec<_>>().into_pyarray(py))?;
    columns.set_item("wall", list.iter().map(wall).collect::<Vec<_>>().into_pyarray(py))?;
    type Number = (&'static str, fn(&ContactView) -> f64);
    let numbers: [Number; 9] = [
        ("overlap", |one| one.overlap),
        ("closing_speed", |one| one.closing_speed),
        ("normal_force", |one| one.elastic + one.damping - one.cohesion),
        ("elastic", |one| one.elastic),
        ("damping", |one| one.damping),
        ("cohesion", |one| one.cohesion),
        ("normal_stiffness", |one| one.normal_stiffness),
        ("tangential_stiffness", |one| one.tangential_stiffness),
        ("contact_radius", |one| one.contact_radius),
    ];
    for (name, of) in numbers {
        columns.set_item(name, list.iter().map(of).collect::<Vec<f64>>().into_pyarray(py))?;
    }
    type Vector = (&'static str, fn(&ContactView) -> Vec3);
    let all: [Vector; 7] = [
        ("normal", |one| one.normal),
        ("force", ContactView::force),
        ("tangential_force", |one| one.tangential),
        ("moment", |one| one.moment),
        ("slip_velocity", |one| one.slip_velocity),
        ("first_position", |one| one.first_position),
        ("second_position", |one| one.second_position),
    ];
    for (name, of) in all {
        columns.set_item(name, vectors(py, list.iter().map(of))?)?;
    }
    let sliding: Vec<bool> = list.iter().map(|one| one.sliding).collect();
    columns.set_item("sliding", sliding.into_pyarray(py))?;
    Ok(columns)
}

/// A wall as a dict.
pub fn wall<'py>(py: Python<'py>, view: &WallView) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    let vector = |value: Vec3| PyArray1::from_slice(py, &value.to_array());
    found.set_item("name", &view.name)?;
    found.set_item("force", vector(view.force))?;
    found.set_item("torque", vector(view.torque))?;
    found.set_item("position", vector(view.pose.translation))?;
    found.set_item("velocity", vector(view.pose.velocity))?;
    found.set_item("spin", vector(view.pose.spin))?;
    let Quat { x, y, z, w } = view.pose.rotation;
    found.set_item("rotation", PyArray1::from_slice(py, &[x, y, z, w]))?;
    found.set_item("work", view.work)?;
    found.set_item("present", view.present)?;
    Ok(found)
}

/// Rows of three or four numbers from an array of Python.
pub fn rows(value: &Bound<'_, PyAny>, name: &str, columns: usize) -> PyResult<Vec<Vec<f64>>> {
    let array = as_float_array(value)?;
    let wrong =
        || PyValueError::new_err(format!("`{name}` must be an array of shape (n, {columns})"));
    let array: PyReadonlyArray2<'_, f64> = array.extract().map_err(|_| wrong())?;
    let view = array.as_array();
    if view.ncols() != columns {
        return Err(wrong());
    }
    Ok(view.rows().into_iter().map(|row| row.to_vec()).collect())
}

/// Vectors from an array of shape (n, 3).
pub fn vectors_of(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Vec3>> {
    Ok(rows(value, name, 3)?.iter().map(|row| Vec3::new(row[0], row[1], row[2])).collect())
}

/// Numbers from an array of shape (n,), or `count` times a single one.
pub fn numbers_of(value: &Bound<'_, PyAny>, name: &str, count: usize) -> PyResult<Vec<f64>> {
    if let Ok(number) = value.extract::<f64>() {
        return Ok(vec![number; count]);
    }
    let array = as_float_array(value)?;
    let array: PyReadonlyArray1<'_, f64> = array.extract().map_err(|_| {
        PyValueError::new_err(format!("`{name}` must be a number or an array of shape (n,)"))
    })?;
    let values = array.as_array().to_vec();
    if values.len() != count {
        let message = format!("`{name}` has {} entries for {count} particles", values.len());
        return Err(PyValueError::new_err(message));
    }
    Ok(values)
}

fn as_float_array<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    value.py().import("numpy")?.call_method1("asarray", (value, "float64"))
}

/// Vectors as a new array of shape (n, 3).
pub fn matrix(py: Python<'_>, values: Vec<f64>) -> PyResult<Bound<'_, PyArray2<f64>>> {
    Ok(shaped(py, values, 3)?.cast_into()?)
}
