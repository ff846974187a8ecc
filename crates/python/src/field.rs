//! Forces written in Python: one call for all particles.

use crate::arrays;
use esker::Vec3;
use esker::field::{Body, Field, Load};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Mutex;

/// A field whose force is a function of Python.
pub struct PythonField {
    name: String,
    function: Py<PyAny>,
    /// The first exception that the function raised.
    failure: Mutex<Option<PyErr>>,
}

impl std::fmt::Debug for PythonField {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "field `{}` of Python", self.name)
    }
}

impl PythonField {
    /// A field with this name.
    pub fn new(name: String, function: Py<PyAny>) -> Self {
        Self { name, function, failure: Mutex::new(None) }
    }

    /// The function.
    pub fn function(&self, py: Python<'_>) -> Py<PyAny> {
        self.function.clone_ref(py)
    }

    /// The exception that the function raised, once.
    pub fn take_failure(&self) -> Option<PyErr> {
        self.failure.lock().ok()?.take()
    }

    fn call(&self, py: Python<'_>, bodies: &[Body], time: f64, loads: &mut [Load]) -> PyResult<()> {
        let columns = PyDict::new(py);
        let vectors = |of: fn(&Body) -> Vec3| {
            arrays::matrix(py, bodies.iter().flat_map(|body| of(body).to_array()).collect())
        };
        let numbers = |of: fn(&Body) -> f64| {
            numpy::PyArray1::from_vec(py, bodies.iter().map(of).collect::<Vec<f64>>())
        };
        columns.set_item("position", vectors(|body| body.position)?)?;
        columns.set_item("velocity", vectors(|body| body.velocity)?)?;
        columns.set_item("spin", vectors(|body| body.spin)?)?;
        columns.set_item("radius", numbers(|body| body.radius))?;
        columns.set_item("mass", numbers(|body| body.mass))?;
        columns.set_item("charge", numbers(|body| body.charge))?;
        let ids: Vec<i64> = bodies.iter().map(|body| arrays::id_number(body.id) as i64).collect();
        columns.set_item("id", numpy::PyArray1::from_vec(py, ids))?;
        let bodies_class = py.import("esker.fields")?.getattr("Bodies")?;
        let given = bodies_class.call((), Some(&columns))?;
        let result = self.function.bind(py).call1((given, time))?;
        let (force, torque) = match result.cast::<PyTuple>() {
            Ok(pair) if pair.len() == 2 => (pair.get_item(0)?, Some(pair.get_item(1)?)),
            _ => (result, None),
        };
        let read = |value: &Bound<'_, PyAny>, name: &str| {
            let values = arrays::vectors_of(value, name)?;
            if values.len() != loads.len() {
                let message = format!(
                    "the {name} of the field `{}` has {} rows for {} particles",
                    self.name,
                    values.len(),
                    loads.len()
                );
                return Err(PyValueError::new_err(message));
            }
            Ok(values)
        };
        let force = read(&force, "force")?;
        let torque = torque.map(|torque| read(&torque, "torque")).transpose()?;
        for (index, load) in loads.iter_mut().enumerate() {
            load.force = force[index];
            load.torque = torque.as_ref().map_or(Vec3::ZERO, |torque| torque[index]);
        }
        Ok(())
    }
}

impl Field for PythonField {
    fn name(&self) -> &str {
        &self.name
    }

    fn describe(&self) -> String {
        format!("{}: a force written in Python", self.name)
    }

    fn is_batch(&self) -> bool {
        true
    }

    fn load(&self, body: &Body, time: f64) -> Load {
        let mut load = [Load::default()];
        self.loads(std::slice::from_ref(body), time, &mut load);
        load[0]
    }

    fn loads(&self, bodies: &[Body], time: f64, loads: &mut [Load]) {
        if bodies.is_empty() {
            return;
        }
        if let Err(error) = Python::attach(|py| self.call(py, bodies, time, loads))
            && let Ok(mut failure) = self.failure.lock()
        {
            // The step is completed without the force; then the simulation refuses to continue.
            failure.get_or_insert(error);
        }
    }
}
