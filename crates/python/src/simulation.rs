//! A simulation: steps, and access to the state between them.

mod change;
mod columns;
mod slice;

use crate::field::PythonField;
use crate::lease::InPlace;
use crate::scene::Scene;
use crate::state::{Held, Inner, Shared};
use crate::{arrays, convert, error, picture, run};
use esker::field::Field;
use esker_scene::run::{Checkpoint, Positions};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use slice::{Goal, Why};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Fields written in Python: name and function.
type Functions = Vec<(String, Py<PyAny>)>;

/// A simulation in progress.
#[pyclass(frozen, subclass, weakref, module = "esker._native")]
#[derive(Debug)]
pub struct Simulation {
    /// The state behind its lock.
    pub shared: Shared,
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (scene, threads=0, ledger=None, state=None, fields=Vec::new(), folder=None))]
    #[allow(clippy::too_many_arguments, reason = "called from one place, by keywords")]
    fn new(
        py: Python<'_>,
        scene: &Bound<'_, Scene>,
        threads: usize,
        ledger: Option<bool>,
        state: Option<&[u8]>,
        fields: Functions,
        folder: Option<run::FolderOptions>,
    ) -> PyResult<Self> {
        let (content, mut loaded) = scene.get().load(py)?;
        if let Some(folder) = folder {
            return run::open(py, &content, loaded, threads, &folder);
        }
        if let Some(ledger) = ledger {
            loaded.scene.ledger = ledger;
        }
        loaded.scene.threads = match threads {
            0 => esker_scene::run::suitable_threads(&loaded.scene),
            given => given,
        };
        let field = |(name, function)| Arc::new(PythonField::new(name, function));
        let mut inner = Inner {
            held: Held::Gone,
            content,
            loaded,
            changes: Vec::new(),
            fields: fields.into_iter().map(field).collect(),
            measure_states: BTreeMap::new(),
            ended: None,
            broken: None,
            live: None,
        };
        match state {
            Some(bytes) => run::restore(py, &mut inner, bytes)?,
            None => run::build(py, &mut inner)?,
        }
        Ok(Self { shared: Shared::new(inner) })
    }

    /// Advances; returns the reason of the end: `goal`, `finished` or `stopped`.
    #[pyo3(signature = (steps=None, time=None, to_end=false, poll=None))]
    fn advance(
        &self,
        py: Python<'_>,
        steps: Option<u64>,
        time: Option<f64>,
        to_end: bool,
        poll: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<&'static str> {
        let mut goal = Goal { steps, time, to_end };
        loop {
            let goal = &mut goal;
            let outcome = self.shared.detached(py, |inner| self.slice(inner, goal))?;
            let why = outcome.map_err(|trouble| run::raise(py, self, &trouble))?;
            py.check_signals()?;
            if let Some(poll) = poll {
                poll.call0()?;
            }
            match why {
                Why::Slice => {}
                Why::Goal => return Ok("goal"),
                Why::Finished => return Ok("finished"),
                Why::Stopped => return Ok("stopped"),
            }
        }
    }

    /// Begins a call that advances the simulation.
    fn begin(&self) -> PyResult<()> {
        self.shared.begin()
    }

    /// Ends such a call.
    fn end(&self) {
        self.shared.end();
    }

    /// Ends a run after the current step.
    fn stop(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }

    /// Completes the run folder; the summary in JSON, and the warnings of the end.
    fn close(&self, py: Python<'_>) -> PyResult<(String, Vec<String>)> {
        run::close(py, self)
    }

    /// Simulated time [s].
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.shared.lock(py)?.simulation()?.time())
    }

    /// Steps made.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.shared.lock(py)?.simulation()?.steps())
    }

    /// Length of the current time step [s].
    #[getter]
    fn dt(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.shared.lock(py)?.simulation()?.dt())
    }

    /// Name of the current stage; empty if the scene has none.
    #[getter]
    fn stage(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.shared.lock(py)?.simulation()?.stage().to_owned())
    }

    /// Completed fraction of the stages, as far as it follows from times.
    #[getter]
    fn progress(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        Ok(self.shared.lock(py)?.simulation()?.progress())
    }

    /// True if every stage is over. A scene without stages never ends.
    #[getter]
    fn finished(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.shared.lock(py)?.simulation()?.is_finished())
    }

    /// True if the scene has stages, so that a run ends by itself.
    #[getter]
    fn has_stages(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(!self.shared.lock(py)?.loaded.scene.stages.is_empty())
    }

    /// Names of the groups of particles; `group` of the particles is an index of this list.
    #[getter]
    fn groups(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.shared.lock(py)?.simulation()?.groups().to_vec())
    }

    /// Names of the materials; `material` of the particles is an index of this list.
    #[getter]
    fn materials(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let inner = self.shared.lock(py)?;
        Ok(inner.loaded.scene.materials.iter().map(|(name, _)| name.clone()).collect())
    }

    /// Warnings.
    #[getter]
    fn warnings(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.shared.lock(py)?.simulation()?.warnings().to_vec())
    }

    /// Particles inserted and deleted so far, and those present.
    fn count_particles(&self, py: Python<'_>) -> PyResult<(u64, u64, u64)> {
        let counts = self.shared.lock(py)?.simulation()?.counts();
        Ok((counts.inserted, counts.deleted, counts.present))
    }

    /// Energies by name [J]; nan for those that need the ledger if it is not kept.
    fn energies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        columns::energies(py, &*self.shared.lock(py)?)
    }

    /// Lower and upper corner of the domain [m], and which directions are periodic.
    fn domain_box(&self, py: Python<'_>) -> PyResult<(Vec<f64>, Vec<f64>, Vec<bool>)> {
        let inner = self.shared.lock(py)?;
        let domain = inner.simulation()?.domain();
        let (min, max) = (domain.min.to_array().to_vec(), domain.max.to_array().to_vec());
        Ok((min, max, domain.periodic.to_vec()))
    }

    /// Gravity [m/s²].
    fn gravity_now(&self, py: Python<'_>) -> PyResult<Vec<f64>> {
        Ok(self.shared.lock(py)?.simulation()?.gravity().to_array().to_vec())
    }

    /// A new array of a quantity of all particles, in order of id.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        columns::of_particles(py, &*self.shared.lock(py)?, name)
    }

    /// Number of particles.
    fn particle_count(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.shared.lock(py)?.simulation()?.particles().len())
    }

    /// All contacts as columns, in order of the partners.
    fn contact_columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let contacts = self
            .shared
            .detached(py, |inner| inner.simulation().map(esker::Simulation::contacts))??;
        arrays::contacts(py, &contacts)
    }

    /// The walls, each as a dict.
    fn wall_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let walls = self.shared.lock(py)?.simulation()?.wall_views();
        let list = PyList::empty(py);
        for wall in &walls {
            list.append(arrays::wall(py, wall)?)?;
        }
        Ok(list)
    }

    /// Changes the motion of a wall from now on (a motion of a scene), or gravity (no wall).
    fn set_between_steps(
        &self,
        py: Python<'_>,
        wall: Option<String>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        change::between_steps(py, &self.shared, wall, value)
    }

    /// Sets `radius`, `mass` or `charge` of the particles with these ids, or of all in order of id.
    #[pyo3(signature = (name, values, id=None))]
    fn set_values(
        &self,
        py: Python<'_>,
        name: &str,
        values: &Bound<'_, PyAny>,
        id: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        change::values(py, &self.shared, name, values, id)
    }

    /// Adds a force written in Python, or replaces that of the same name.
    fn add_python_field(&self, py: Python<'_>, name: String, f: Py<PyAny>) -> PyResult<()> {
        change::field(py, &self.shared, name, f)
    }

    /// A measure of the current state: names, units and values of its columns.
    fn measure_now(
        &self,
        py: Python<'_>,
        word: &str,
        options: &Bound<'_, PyDict>,
    ) -> PyResult<Vec<(String, String, Option<f64>)>> {
        let text = convert::value_text(options.as_any(), word)?;
        let mut inner = self.shared.lock(py)?;
        let found = inner.loaded.measure(word, &text).map_err(|found| error::scene(py, &found))?;
        let simulation = inner.simulation()?;
        let (time, step) = (simulation.time(), simulation.steps());
        let snapshot = error::without_panic(|| simulation.snapshot())?;
        let state = inner.measure_states.entry(format!("{word} {text}")).or_default();
        let values = error::without_panic(|| found.measure.values(&snapshot, state))?;
        (state.time, state.step) = (Some(time), Some(step));
        let columns = found.measure.columns().into_iter().zip(values);
        Ok(columns.map(|(column, value)| (column.name, column.unit.to_owned(), value)).collect())
    }

    /// The state as the bytes of a checkpoint.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.shared.detached(py, |inner| -> PyResult<Vec<u8>> {
            if let Some(why) = &inner.broken {
                return Err(PyRuntimeError::new_err(why.clone()));
            }
            let state = inner.simulation_for_save()?.save();
            let positions = Positions { changes: inner.changes.clone(), ..Positions::default() };
            Checkpoint { positions, state }.bytes().map_err(PyRuntimeError::new_err)
        })??;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Restores a saved state, earlier or later.
    fn restore_state(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        let mut inner = self.shared.lock(py)?;
        inner.simulation_mut()?;
        run::restore(py, &mut inner, bytes)?;
        inner.broken = None;
        Ok(())
    }

    /// The parts of a copy other than the scene and the state: threads, ledger and fields.
    fn copy_parts(&self, py: Python<'_>) -> PyResult<(usize, bool, Functions)> {
        let inner = self.shared.lock(py)?;
        let name = |field: &Arc<PythonField>| field.name().to_owned();
        let fields = inner.fields.iter().map(|field| (name(field), field.function(py))).collect();
        Ok((inner.loaded.scene.threads, inner.loaded.scene.ledger, fields))
    }

    /// The parts of the scene from which it was built.
    fn scene_parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let content = self.shared.lock(py)?.content.clone();
        content.parts(py)
    }

    /// Views of the engine's memory.
    #[pyo3(signature = (write=false))]
    fn in_place(slf: Bound<'_, Self>, write: bool) -> PyResult<InPlace> {
        Ok(InPlace::new(slf.unbind(), write))
    }

    /// A picture: PNG and caption.
    #[pyo3(signature = (color="speed", width=900, height=600, up=None, back=None, range=None))]
    #[allow(clippy::too_many_arguments, reason = "called from one place, by keywords")]
    fn draw<'py>(
        &self,
        py: Python<'py>,
        color: &str,
        width: usize,
        height: usize,
        up: Option<[f64; 3]>,
        back: Option<[f64; 3]>,
        range: Option<(f64, f64)>,
    ) -> PyResult<(Bound<'py, PyBytes>, String)> {
        let style =
            picture::Style { color: picture::color(color)?, width, height, up, back, range };
        let drawn = self.shared.detached(py, |inner| -> PyResult<_> {
            let simulation = inner.simulation()?;
            Ok(picture::draw(simulation, &style))
        })??;
        let (png, caption) = drawn.map_err(|problem| error::output(py, &problem))?;
        Ok((PyBytes::new(py, &png), caption))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let inner = self.shared.lock(py)?;
        let Ok(simulation) = inner.simulation() else {
            return Ok("<esker.Simulation, ended>".to_owned());
        };
        let stage = match simulation.stage() {
            "" => String::new(),
            stage => format!(", stage {stage}"),
        };
        Ok(format!(
            "<esker.Simulation {}: {} particles, t = {:.6} s, {} steps{stage}>",
            inner.loaded.source.name(),
            simulation.particles().len(),
            simulation.time(),
            simulation.steps(),
        ))
    }
}
