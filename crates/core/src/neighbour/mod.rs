//! The neighbour list: pairs of particles that may come into contact before the next rebuild.

pub(crate) mod adjacency;
pub(crate) mod cell_neighbours;
pub(crate) mod list;
pub(crate) mod pair_test;
