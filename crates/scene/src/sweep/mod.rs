//! Sweeps: one scene with many values of its parameters, and what that does to the results.

pub mod grid;
pub mod latin;
pub mod morris;
pub mod saltelli;
pub mod sobol;
pub mod statistics;
