//! Evaluation of contacts between particles: the filter of pairs in contact, compaction into chunks of
//! 32, and the laws of the pair of materials, by a contact kernel or on the dynamic path.

pub(crate) mod compacted;
pub(crate) mod contact_kernel;
pub(crate) mod evaluate;
pub(crate) mod filter;
pub(crate) mod laws;
pub(crate) mod load;
pub(crate) mod pairs;
mod partner;
pub(crate) mod table;

#[cfg(test)]
mod tests;
