//! Results and history of all contacts, accepted and trial.

use crate::contact_state::history::HistoryLayout;
use crate::contact_state::result_buffer::ContactState;
use crate::contact_state::stored::StoredHistories;
use crate::wall_contact::WallContacts;

/// Results and history of all contacts.
#[derive(Debug)]
pub(crate) struct ContactRecords {
    pub(super) pairs: ContactState,
    pub(super) walls: WallContacts,
    /// History that does not fit into columns.
    pub(super) stored: StoredHistories,
    pub(super) results: Results,
}

/// The state to which the results of contacts belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Results {
    /// No results: the state was restored and not yet evaluated.
    None,
    /// The last evaluation, which has not been committed.
    Trial,
    /// The accepted state.
    Accepted,
}

impl ContactRecords {
    pub(crate) fn new(layout: &HistoryLayout) -> Self {
        Self {
            pairs: ContactState::new(layout),
            walls: WallContacts { state: ContactState::new(layout), ..WallContacts::default() },
            stored: StoredHistories::new(layout.stride),
            results: Results::None,
        }
    }

    /// Bytes in use, with this number of contacts between particles.
    pub(super) fn bytes(&self, contacts: usize) -> usize {
        let at_walls = self.walls.items.len();
        self.pairs.bytes(contacts)
            + self.walls.state.bytes(at_walls)
            + self.walls.bytes()
            + self.stored.bytes()
    }
}
