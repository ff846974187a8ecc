//! Evaluation of contacts between particles: the filter of pairs in contact, packing into chunks of
//! 32, and the laws of the pair of materials.

pub(crate) mod compacted;
pub(crate) mod evaluate;
pub(crate) mod filter;
pub(crate) mod fused;
pub(crate) mod fused_pairs;
pub(crate) mod fused_walls;
pub(crate) mod laws;
pub(crate) mod load;
pub(crate) mod pairs;
