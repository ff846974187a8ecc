//! Storage of contacts: the results of the last evaluation, and the history of each contact in its accepted and its
//! trial state.

pub(crate) mod energy_terms;
pub(crate) mod history;
pub(crate) mod prefetch;
pub(crate) mod result_buffer;
pub(crate) mod stored;
pub(crate) mod touched;
