//! A run in memory. The run calls [`Live::offer`] after each step, which costs one atomic load unless a page waits.

use crate::feed::{At, Feed, FrameData, Progress, RunInfo};
use crate::snapshot::{SnapshotFrame, info_of};
use crate::{FolderFeed, ViewError};
use esker::Simulation;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::{Duration, Instant};

/// Pause after a copy, as a multiple of its duration: copies take at most 2 % of the run.
const REST: u32 = 50;

/// Time between two reads of the folder.
const LOOK: Duration = Duration::from_millis(500);

/// The latest state of a run, and its folder.
#[derive(Debug)]
pub struct Live {
    folder: FolderFeed,
    /// True if a page waits.
    wanted: AtomicBool,
    /// True if contacts are shown.
    contacts: AtomicBool,
    /// The latest copy. While it is in use it is not replaced: the new copy is skipped.
    slot: Mutex<Option<Arc<SnapshotFrame>>>,
    /// Earliest time of the next copy, in nanoseconds since `start`.
    next: AtomicU64,
    start: Instant,
    ended: AtomicBool,
    info: RunInfo,
    /// The last progress read from the folder.
    latest: Mutex<Option<(Instant, Progress)>>,
}

impl Live {
    /// For a run in a folder.
    pub fn new(folder: &Path, simulation: &Simulation) -> Result<Self, ViewError> {
        let frame = SnapshotFrame::new(simulation.snapshot(), true);
        let info =
            RunInfo { gravity: simulation.gravity().to_array(), live: true, ..info_of(&frame) };
        Ok(Self {
            folder: FolderFeed::open(folder)?,
            wanted: AtomicBool::new(false),
            contacts: AtomicBool::new(false),
            slot: Mutex::new(Some(Arc::new(frame))),
            next: AtomicU64::new(0),
            start: Instant::now(),
            ended: AtomicBool::new(false),
            info,
            latest: Mutex::default(),
        })
    }

    /// Copies the state if a page waits and the pause since the last copy is over. Never waits.
    #[inline]
    pub fn offer(&self, simulation: &Simulation) {
        if self.wanted.load(Ordering::Relaxed) {
            self.copy(simulation, false);
        }
    }

    /// Records the final state of the run and notifies the pages.
    pub fn end(&self, simulation: &Simulation) {
        self.copy(simulation, true);
        self.finish();
    }

    /// Records the end of the run and notifies the pages.
    pub fn finish(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    #[cold]
    fn copy(&self, simulation: &Simulation, always: bool) {
        let now = self.start.elapsed();
        if !always && now < Duration::from_nanos(self.next.load(Ordering::Relaxed)) {
            return;
        }
        // Contacts need an evaluation of all forces.
        let contacts = self.contacts.load(Ordering::Relaxed);
        let snapshot =
            if contacts { simulation.snapshot() } else { simulation.snapshot_without_contacts() };
        let frame = Arc::new(SnapshotFrame::new(snapshot, contacts));
        match self.slot.try_lock() {
            Ok(mut slot) => *slot = Some(frame),
            Err(TryLockError::Poisoned(slot)) => *slot.into_inner() = Some(frame),
            Err(TryLockError::WouldBlock) => return,
        }
        self.wanted.store(false, Ordering::Relaxed);
        let duration = self.start.elapsed() - now;
        let next = (self.start.elapsed() + REST * duration).as_nanos();
        self.next.store(u64::try_from(next).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// The progress of the folder, at most half a second old during the run.
    fn folder_progress(&self) -> Result<Progress, ViewError> {
        let Ok(mut latest) = self.latest.lock() else { return self.folder.progress() };
        let ended = self.ended.load(Ordering::Relaxed);
        match &*latest {
            Some((at, progress)) if !ended && at.elapsed() < LOOK => Ok(progress.clone()),
            _ => {
                let progress = self.folder.progress()?;
                *latest = Some((Instant::now(), progress.clone()));
                Ok(progress)
            }
        }
    }

    fn newest(&self) -> Option<Arc<SnapshotFrame>> {
        self.slot.lock().map_or_else(|slot| slot.into_inner().clone(), |slot| slot.clone())
    }
}

impl Feed for Live {
    fn info(&self) -> Result<RunInfo, ViewError> {
        let folder = self.folder.info()?;
        let live = !self.ended.load(Ordering::Relaxed);
        let state = if live { "running".to_owned() } else { folder.state.clone() };
        Ok(RunInfo {
            title: folder.title,
            name: folder.name,
            times: folder.times,
            stages: folder.stages,
            checkpoints: folder.checkpoints,
            tables: folder.tables,
            failure: folder.failure,
            contacts: true,
            state,
            live,
            ..self.info.clone()
        })
    }

    fn progress(&self) -> Result<Progress, ViewError> {
        let newest = self.newest();
        let mut progress = self.folder_progress()?;
        if !self.ended.load(Ordering::Relaxed) {
            progress.state = "running".to_owned();
            progress.step = newest.as_ref().map(|frame| frame.step());
            progress.live_time = newest.as_ref().map(|frame| frame.time());
        }
        Ok(progress)
    }

    fn frame(&self, at: At) -> Result<Arc<dyn FrameData>, ViewError> {
        match at {
            At::Frame(_) => self.folder.frame(at),
            At::Live => {
                let newest =
                    self.newest().ok_or_else(|| ViewError::missing("there is no state yet"))?;
                Ok(newest as Arc<dyn FrameData>)
            }
        }
    }

    fn table(&self, index: usize, after: u64) -> Result<Vec<u8>, ViewError> {
        self.folder.table(index, after)
    }

    fn origin(&self) -> [f64; 3] {
        self.info.origin
    }

    fn periods(&self) -> [f64; 3] {
        crate::snapshot::periods(&self.info)
    }

    fn live_step(&self) -> Option<u64> {
        self.newest().filter(|_| !self.ended.load(Ordering::Relaxed)).map(|frame| frame.step())
    }

    fn request_live(&self, step: u64, contacts: bool) {
        let newest = self.newest().map_or(0, |frame| frame.step());
        self.contacts.store(contacts, Ordering::Relaxed);
        if newest <= step {
            self.wanted.store(true, Ordering::Relaxed);
        }
    }

    fn is_live(&self) -> bool {
        !self.ended.load(Ordering::Relaxed)
    }
}
