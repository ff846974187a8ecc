//! State of a simulation object, and the rules of concurrent access.

use crate::error;
use crate::field::PythonField;
use crate::live::LiveState;
use crate::scene::Content;
use esker::field::Field;
use esker::measure::MeasureState;
use esker::particles::storage::DetachedStorage;
use esker::stage::Change;
use esker_scene::Loaded;
use esker_scene::run::{ChangeMade, Ended, Run};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// A simulation, with or without a run folder.
#[derive(Debug)]
pub enum Held {
    /// Without a run folder.
    Free(Box<esker::Simulation>),
    /// With a run folder.
    Run(Box<Run>),
    /// The run folder is complete; or the process has forked.
    Gone,
}

/// All data that steps change.
#[derive(Debug)]
pub struct Inner {
    /// The simulation.
    pub held: Held,
    /// The scene as given.
    pub content: Content,
    /// The scene as read.
    pub loaded: Loaded,
    /// Changes made between steps.
    pub changes: Vec<ChangeMade>,
    /// Fields written in Python.
    pub fields: Vec<Arc<PythonField>>,
    /// State of the measures, by name and options.
    pub measure_states: BTreeMap<String, MeasureState>,
    /// How the run has ended.
    pub ended: Option<Ended>,
    /// Reason why no further step can be made.
    pub broken: Option<String>,
    /// Pages that show it while it advances.
    pub live: Option<Arc<LiveState>>,
}

impl Inner {
    /// Read access to the simulation.
    pub fn simulation(&self) -> PyResult<&esker::Simulation> {
        match &self.held {
            Held::Free(simulation) => Ok(simulation),
            Held::Run(run) => Ok(run.simulation()),
            Held::Gone => Err(gone()),
        }
    }

    /// Write access to the simulation; refused if its outputs would no longer follow from the scene.
    pub fn simulation_mut(&mut self) -> PyResult<&mut esker::Simulation> {
        match &mut self.held {
            Held::Free(simulation) => Ok(simulation),
            Held::Run(_) => Err(PyRuntimeError::new_err(
                "a simulation that writes a run folder cannot be changed: its outputs would not follow \
                 from its scene; use `scene.build()`",
            )),
            Held::Gone => Err(gone()),
        }
    }

    /// The simulation with its edits accepted, so that its state is complete.
    pub fn simulation_for_save(&mut self) -> PyResult<&esker::Simulation> {
        if let Held::Free(simulation) = &mut self.held
            && let Err(problem) = simulation.accept_edits()
        {
            let loaded = &self.loaded;
            return Err(Python::attach(|py| error::engine(py, loaded, &problem)));
        }
        self.simulation()
    }

    /// Copies the state for pages that wait for it.
    pub fn offer(&self) {
        if let Some(live) = &self.live {
            live.offer(self);
        }
    }

    /// The previous memory of the particles; the engine continues with a copy.
    pub fn detach_particles(&mut self) -> PyResult<DetachedStorage> {
        match &mut self.held {
            Held::Free(simulation) => Ok(simulation.detach_particles()),
            Held::Run(run) => Ok(run.detach_particles()),
            Held::Gone => Err(gone()),
        }
    }

    /// The engine's scene with the changes made so far, from which a saved state can be restored.
    pub fn scene_for_restore(&self) -> PyResult<esker::Scene> {
        let mut scene = self.loaded.scene.clone();
        for made in &self.changes {
            let change = change_of(&self.loaded, made)
                .map_err(|problem| PyRuntimeError::new_err(problem.to_string()))?;
            put(&mut scene, made.stage, change);
        }
        for field in &self.fields {
            scene.fields.retain(|other| other.name() != field.name());
            scene.fields.push(Arc::clone(field) as Arc<dyn Field>);
        }
        Ok(scene)
    }
}

/// The change in the types of the engine.
pub fn change_of(loaded: &Loaded, made: &ChangeMade) -> Result<Change, esker_scene::Diagnostics> {
    Ok(match &made.wall {
        Some(wall) => Change::SetMotion(wall.clone(), loaded.motion(&made.text)?),
        None => Change::SetGravity(loaded.vector("gravity", &made.text)?),
    })
}

/// Adds a change to the scene such that the engine repeats it when it restores a state.
fn put(scene: &mut esker::Scene, stage: Option<usize>, change: Change) {
    if let Some(stage) = stage.and_then(|stage| scene.stages.get_mut(stage)) {
        stage.changes.push(change);
        return;
    }
    match change {
        Change::SetMotion(name, motion) => {
            for wall in scene.walls.iter_mut().filter(|wall| wall.name == name) {
                wall.motion = motion.clone();
            }
        }
        Change::SetGravity(gravity) => scene.gravity = gravity,
        _ => {}
    }
}

fn leased() -> PyErr {
    PyRuntimeError::new_err(
        "inside an `in_place` block only its views may be used; leave the block first",
    )
}

fn gone() -> PyErr {
    PyRuntimeError::new_err("the run has ended; `esker.open_run(folder)` reads its results")
}

/// A number of the current thread.
fn thread_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local!(static NUMBER: u64 = NEXT.fetch_add(1, Ordering::Relaxed));
    NUMBER.with(|number| *number)
}

/// State behind a lock that releases the interpreter while it waits.
#[derive(Debug)]
pub struct Shared {
    inner: Mutex<Inner>,
    /// The process in which the worker threads live.
    process: u32,
    /// The thread that makes steps; zero if none does.
    stepping: AtomicU64,
    /// Threads that wait for the lock.
    waiting: AtomicUsize,
    /// True if views of the particles exist.
    pub leased: AtomicBool,
    /// True if a call that advances the simulation is active, callbacks included.
    pub advancing: AtomicBool,
    /// True if the run ends after the current step.
    pub stop: AtomicBool,
}

impl Shared {
    /// Takes ownership of a simulation.
    pub fn new(inner: Inner) -> Self {
        Self {
            inner: Mutex::new(inner),
            process: std::process::id(),
            stepping: AtomicU64::new(0),
            waiting: AtomicUsize::new(0),
            leased: AtomicBool::new(false),
            advancing: AtomicBool::new(false),
            stop: AtomicBool::new(false),
        }
    }

    fn check(&self) -> PyResult<()> {
        if self.process != std::process::id() {
            return Err(PyRuntimeError::new_err(
                "this simulation was built before the process forked, and its threads do not \
                 exist in this process; \
                 use the start method `spawn` of multiprocessing, or build it in the child",
            ));
        }
        if self.stepping.load(Ordering::Relaxed) == thread_number() {
            return Err(PyRuntimeError::new_err(
                "a force written in Python must not use the simulation: its arguments hold the state",
            ));
        }
        Ok(())
    }

    /// Locks the state, also while views exist.
    pub fn lock_leased(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Inner>> {
        self.check()?;
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let locked = self.inner.lock_py_attached(py);
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        locked.map_err(|_| {
            PyRuntimeError::new_err("this is a bug in Esker: the simulation is in an invalid state")
        })
    }

    /// Locks the state.
    pub fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Inner>> {
        let inner = self.lock_leased(py)?;
        match self.leased.load(Ordering::Acquire) {
            true => Err(leased()),
            false => Ok(inner),
        }
    }

    /// Executes a function of the state without blocking other Python threads; used for steps.
    pub fn detached<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut Inner) -> T + Send,
    ) -> PyResult<T> {
        self.check()?;
        py.detach(|| {
            let Ok(mut inner) = self.inner.lock() else {
                return Err(PyRuntimeError::new_err(
                    "this is a bug in Esker: the simulation is in an invalid state",
                ));
            };
            // Views are created under the lock.
            if self.leased.load(Ordering::Acquire) {
                return Err(leased());
            }
            self.stepping.store(thread_number(), Ordering::Relaxed);
            let outcome = error::without_panic(|| act(&mut inner));
            self.stepping.store(0, Ordering::Relaxed);
            if let Err(error) = &outcome {
                inner.broken = Some(error.to_string());
            }
            drop(inner);
            // A waiting thread has priority over this one.
            if self.waiting.load(Ordering::Relaxed) > 0 {
                std::thread::yield_now();
            }
            outcome
        })
    }

    /// Marks a call that advances the simulation; there is one at a time.
    pub fn begin(&self) -> PyResult<()> {
        if self.advancing.swap(true, Ordering::AcqRel) {
            return Err(PyRuntimeError::new_err(
                "the simulation is being advanced by another call: a callback must not advance \
                 it, and only one thread at a time can advance it",
            ));
        }
        self.stop.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// Ends that call.
    pub fn end(&self) {
        self.advancing.store(false, Ordering::Release);
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // In a child of `fork` the worker threads do not exist: waiting for them would never end.
        if self.process != std::process::id()
            && let Ok(inner) = self.inner.get_mut()
        {
            std::mem::forget(std::mem::replace(&mut inner.held, Held::Gone));
        }
    }
}
