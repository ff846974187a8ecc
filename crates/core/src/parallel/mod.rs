//! Threads: the pool, and slices that they share.

mod disjoint;
mod pool;

pub(crate) use disjoint::{DisjointSlices, UnsynchronisedReader};
pub(crate) use pool::wait;
pub use pool::{MOST_THREADS, Pool, range_of_part};
