//! Views of the engine's memory without dangling pointers or data races.
//!
//! The base of every view is an [`Owner`]. While views exist, the simulation refuses every other call. When the block
//! ends, views become read-only; if one of them, or a slice of one, is still referenced, the memory moves into the
//! owner and the engine continues with a copy.

use crate::arrays;
use crate::simulation::Simulation;
use esker::particles::storage::DetachedStorage;
use numpy::ndarray::{ArrayView1, ArrayView2, ShapeBuilder};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

/// Memory that may outlive its use by the engine.
#[derive(Debug, Default)]
struct Memory {
    /// The storage that the engine has given up.
    left: Mutex<Option<DetachedStorage>>,
}

/// Owner of the views of a block.
#[pyclass(frozen, module = "esker._native")]
#[derive(Debug)]
pub struct Owner {
    _memory: Arc<Memory>,
}

#[derive(Debug)]
struct Lease {
    memory: Arc<Memory>,
    owner: Py<Owner>,
    views: BTreeMap<&'static str, Py<PyAny>>,
}

/// The particles of a simulation in storage order, without a copy; valid inside a `with` block.
#[pyclass(frozen, module = "esker._native")]
#[derive(Debug)]
pub struct InPlace {
    simulation: Py<Simulation>,
    write: bool,
    lease: Mutex<Option<Lease>>,
}

impl InPlace {
    /// Views of a simulation, to be entered.
    pub fn new(simulation: Py<Simulation>, write: bool) -> Self {
        Self { simulation, write, lease: Mutex::new(None) }
    }

    fn view<'py>(&self, py: Python<'py>, name: &'static str) -> PyResult<Bound<'py, PyAny>> {
        let outside =
            || PyRuntimeError::new_err("views exist inside the block: `with sim.in_place() as p:`");
        let mut guard = self.lease.lock().map_err(|_| outside())?;
        let lease = guard.as_mut().ok_or_else(outside)?;
        if let Some(view) = lease.views.get(name) {
            return Ok(view.bind(py).clone());
        }
        let owner = lease.owner.bind(py).clone().into_any();
        let simulation = self.simulation.get();
        let inner = simulation.shared.lock_leased(py)?;
        let particles = inner.simulation()?.particles();
        let count = particles.len();
        let view = if name == "id" {
            let (start, stride) = particles.view_ids();
            let shape = count.strides(stride / size_of::<u32>());
            // SAFETY: the memory holds `count` ids with this stride. It is not moved while the simulation is leased,
            // and afterwards lives as long as the owner, which is the base of the view.
            unsafe {
                let ids = ArrayView1::from_shape_ptr(shape, start);
                PyArray1::borrow_from_array(&ids, owner).into_any()
            }
        } else {
            let view = particles.view(arrays::quantity(name)?);
            let stride = view.stride / size_of::<f64>();
            // SAFETY: as above, with `components` numbers of each particle.
            unsafe {
                if view.components == 1 {
                    let values = ArrayView1::from_shape_ptr(count.strides(stride), view.start);
                    PyArray1::borrow_from_array(&values, owner).into_any()
                } else {
                    let shape = (count, view.components).strides((stride, 1));
                    let values = ArrayView2::from_shape_ptr(shape, view.start);
                    PyArray2::borrow_from_array(&values, owner).into_any()
                }
            }
        };
        let writable = matches!(name, "position" | "velocity" | "spin" | "orientation");
        if !(self.write && writable) {
            view.call_method1("setflags", (false,))?;
        }
        lease.views.insert(name, view.clone().unbind());
        Ok(view)
    }

    /// Ends the block.
    fn release(&self, py: Python<'_>) -> PyResult<()> {
        let Some(lease) = self.lease.lock().ok().and_then(|mut lease| lease.take()) else {
            return Ok(());
        };
        let simulation = self.simulation.get();
        let Lease { memory, owner, views } = lease;
        for view in views.values() {
            view.bind(py).call_method1("setflags", (false,))?;
        }
        drop(views);
        drop(owner);
        let outcome = simulation.shared.lock_leased(py).and_then(|mut inner| {
            // One reference is held by this function.
            if Arc::strong_count(&memory) > 1 {
                let left = inner.detach_particles()?;
                if let Ok(mut memory) = memory.left.lock() {
                    *memory = Some(left);
                }
            }
            Ok(())
        });
        simulation.shared.leased.store(false, Ordering::Release);
        outcome
    }
}

#[pymethods]
impl InPlace {
    fn __enter__(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        let py = slf.py();
        let this = slf.get();
        let simulation = this.simulation.get();
        let mut inner = simulation.shared.lock(py)?;
        if this.write {
            // Records the energy before the change; forces are evaluated again before the next step.
            inner.simulation_mut()?.particles_mut();
        } else {
            inner.simulation()?;
        }
        let memory = Arc::new(Memory::default());
        let owner = Py::new(py, Owner { _memory: Arc::clone(&memory) })?;
        if let Ok(mut lease) = this.lease.lock() {
            *lease = Some(Lease { memory, owner, views: BTreeMap::new() });
        }
        simulation.shared.leased.store(true, Ordering::Release);
        drop(inner);
        Ok(slf)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> PyResult<bool> {
        self.release(py)?;
        Ok(false)
    }

    /// Ids of the particles, in storage order.
    #[getter]
    fn id<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view(py, "id")
    }

    /// Positions [m].
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view(py, "position")
    }

    /// Velocities [m/s].
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view(py, "velocity")
    }

    /// Spins [rad/s].
    #[getter]
    fn spin<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view(py, "spin")
    }

    /// Orientations, unit quaternions (x, y, z, w).
    #[getter]
    fn orientation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view(py, "orientation")
    }

    /// Radii [m]; read-only.
    #[getter]
    fn radius<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view(py, "radius")
    }

    /// Masses [kg]; read-only.
    #[getter]
    fn mass<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view(py, "mass")
    }

    /// Forces in the current state [N]; read-only.
    #[getter]
    fn force<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view(py, "force")
    }

    /// Torques in the current state [N m]; read-only.
    #[getter]
    fn torque<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view(py, "torque")
    }
}

impl Drop for InPlace {
    fn drop(&mut self) {
        if self.lease.get_mut().is_ok_and(|lease| lease.is_some()) {
            Python::attach(|py| {
                let _ = self.release(py);
            });
        }
    }
}
