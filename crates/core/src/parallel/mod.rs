//! Threads: the pool, and slices that they share.

mod disjoint;
mod pool;

pub(crate) use disjoint::{DisjointSlices, UnsynchronisedReader};
pub use pool::{MOST_THREADS, Pool, range_of_part};
