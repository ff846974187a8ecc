//! The state of a simulation after one step; the snapshot is made once for all outputs.

use esker::Simulation;
use esker::measure::{ContactView, Snapshot, WallView};
use std::cell::OnceCell;

/// The state after one step. The snapshot is made at its first use.
#[derive(Debug)]
pub(crate) struct LazySnapshot<'a> {
    pub simulation: &'a Simulation,
    snapshot: OnceCell<Snapshot>,
    contacts: OnceCell<Vec<ContactView>>,
    walls: OnceCell<Vec<WallView>>,
}

impl<'a> LazySnapshot<'a> {
    pub(crate) fn new(simulation: &'a Simulation) -> Self {
        Self {
            simulation,
            snapshot: OnceCell::new(),
            contacts: OnceCell::new(),
            walls: OnceCell::new(),
        }
    }

    pub(crate) fn time(&self) -> f64 {
        self.simulation.time()
    }

    pub(crate) fn step(&self) -> u64 {
        self.simulation.steps()
    }

    /// True if the particles are divided among ranks. A snapshot then gathers all of them on the first rank.
    pub(crate) fn is_divided(&self) -> bool {
        self.simulation.is_divided()
    }

    pub(crate) fn snapshot(&self) -> &Snapshot {
        self.snapshot.get_or_init(|| self.simulation.snapshot())
    }

    pub(crate) fn contacts(&self) -> &[ContactView] {
        match self.snapshot.get() {
            Some(snapshot) => &snapshot.contacts,
            None => self.contacts.get_or_init(|| self.simulation.contacts()),
        }
    }

    pub(crate) fn walls(&self) -> &[WallView] {
        match self.snapshot.get() {
            Some(snapshot) => &snapshot.walls,
            None => self.walls.get_or_init(|| self.simulation.wall_views()),
        }
    }
}
