//! Ranks that are processes of an MPI job.
//!
//! With the feature `mpi`, `start` initialises MPI and returns the communicator of this process. Without it the crate
//! is empty, so that the workspace builds on machines without MPI.

// No panic reaches a user, libraries print nothing, functions stay below 60 lines (clippy.toml). Tests may.
#![cfg_attr(
    not(test),
    warn(clippy::print_stderr, clippy::print_stdout, clippy::too_many_lines, clippy::unwrap_used)
)]

#[cfg(feature = "mpi")]
mod flight;
#[cfg(feature = "mpi")]
mod message;
#[cfg(any(feature = "mpi", test))]
#[cfg_attr(not(feature = "mpi"), allow(dead_code, reason = "only its tests are built"))]
mod progress;
#[cfg(feature = "mpi")]
mod world;

#[cfg(feature = "mpi")]
pub use mpi::environment::Universe;
#[cfg(feature = "mpi")]
pub use world::{Mpi, abort_on_panic, start};
