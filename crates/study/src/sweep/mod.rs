//! Sweeps: runs of one scene with many values of its parameters, and the effects on the results.

mod collect;
mod files;
pub mod grid;
mod json;
pub mod latin;
pub mod morris;
mod page;
mod perform;
mod plan;
mod ranking;
mod results;
pub mod saltelli;
pub mod sobol;
pub mod statistics;
mod units;
mod vary;

pub use collect::Collected;
pub use json::json;
pub use page::page;
pub use perform::{Prepared, Sweep, SweepError};
pub use plan::{Method, Plan, PlannedRun, firsts};
pub use ranking::{Estimate, Ranking};
pub use results::{Outcome, Results};
pub use vary::{Parameter, Values, Wrong};
