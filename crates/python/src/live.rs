//! A simulation or a run folder in the browser, by a server on the loopback interface.

use crate::page::{self, frame_of};
use crate::simulation::Simulation;
use crate::state::Inner;
use esker_view::feed::{FrameData, Progress, RunInfo};
use esker_view::{At, Feed, FolderFeed, Server, ServerOptions, SnapshotsFeed, ViewError};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The latest state of a simulation that pages have requested.
pub struct LiveState {
    /// True if a page waits for a newer state.
    wanted: AtomicBool,
    newest: Mutex<Arc<SnapshotsFeed>>,
    /// Earliest time of the next copy.
    next: Mutex<Instant>,
}

/// Pause after a copy, as a multiple of its duration: copies take at most 2 % of a run.
const REST: u32 = 50;

impl std::fmt::Debug for LiveState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the newest state")
    }
}

impl LiveState {
    /// The current state of a simulation.
    fn new(feed: SnapshotsFeed) -> Self {
        Self {
            wanted: AtomicBool::new(false),
            newest: Mutex::new(Arc::new(feed)),
            next: Mutex::new(Instant::now()),
        }
    }

    /// Copies the state if a page waits and the pause since the last copy is over; called after each step.
    pub fn offer(&self, inner: &Inner) {
        if !self.wanted.load(Ordering::Relaxed) {
            return;
        }
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let start = Instant::now();
        if start < *next {
            return;
        }
        if let Ok(Ok(feed)) = frame_of(inner) {
            *self.newest.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(feed);
            self.wanted.store(false, Ordering::Relaxed);
        }
        *next = Instant::now() + REST * start.elapsed();
    }

    fn newest(&self) -> Arc<SnapshotsFeed> {
        Arc::clone(&self.newest.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Feed for LiveState {
    fn info(&self) -> Result<RunInfo, ViewError> {
        let info = self.newest().info()?;
        Ok(RunInfo { times: Vec::new(), state: "running".to_owned(), live: true, ..info })
    }

    fn progress(&self) -> Result<Progress, ViewError> {
        let frame = self.newest().frame(At::Live)?;
        Ok(Progress {
            state: "running".to_owned(),
            step: Some(frame.step()),
            live_time: Some(frame.time()),
            ..Progress::default()
        })
    }

    fn frame(&self, _: At) -> Result<Arc<dyn FrameData>, ViewError> {
        self.newest().frame(At::Live)
    }

    fn table(&self, index: usize, after: u64) -> Result<Vec<u8>, ViewError> {
        self.newest().table(index, after)
    }

    fn origin(&self) -> [f64; 3] {
        self.newest().origin()
    }

    fn periods(&self) -> [f64; 3] {
        self.newest().periods()
    }

    fn request_live(&self, step: u64, _: bool) {
        if self.newest().frame(At::Live).is_ok_and(|frame| frame.step() <= step) {
            self.wanted.store(true, Ordering::Relaxed);
        }
    }

    fn is_live(&self) -> bool {
        true
    }
}

/// A server of the viewer; it ends when it is closed or dropped.
#[pyclass(frozen, module = "esker._native")]
#[derive(Debug)]
pub struct ViewServer {
    server: Mutex<Option<Server>>,
    address: String,
}

impl ViewServer {
    fn start(py: Python<'_>, feed: Arc<dyn Feed>) -> PyResult<Self> {
        let server = py.detach(|| Server::start(vec![feed], &ServerOptions::default()));
        let server = server.map_err(|problem| page::raise(py, &problem))?;
        Ok(Self { address: server.address(), server: Mutex::new(Some(server)) })
    }
}

#[pymethods]
impl ViewServer {
    /// Address for a browser on this machine. It contains a token: do not publish it.
    #[getter]
    fn address(&self) -> &str {
        &self.address
    }

    /// Ends the server; pages keep their display.
    fn close(&self, py: Python<'_>) {
        let server = self.server.lock().unwrap_or_else(PoisonError::into_inner).take();
        py.detach(|| drop(server));
    }
}

/// Serves a run folder, also while another process writes it.
#[pyfunction]
pub fn serve_run(py: Python<'_>, folder: PathBuf) -> PyResult<ViewServer> {
    let feed = FolderFeed::open(&folder).map_err(|problem| page::raise(py, &problem))?;
    ViewServer::start(py, Arc::new(feed))
}

/// Serves a simulation while it advances.
#[pyfunction]
pub fn serve_simulation(
    py: Python<'_>,
    simulation: &Bound<'_, Simulation>,
) -> PyResult<ViewServer> {
    let live = simulation.get().shared.detached(py, |inner| -> PyResult<_> {
        Ok(frame_of(inner)?.map(|feed| {
            let live = Arc::new(LiveState::new(feed));
            inner.live = Some(Arc::clone(&live));
            live
        }))
    })??;
    ViewServer::start(py, live.map_err(|problem| page::raise(py, &problem))?)
}
