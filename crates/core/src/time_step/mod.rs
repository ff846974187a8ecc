//! The time step: the bound of stability, the resolution of impacts, and what follows from both.
//!
//! `survey.rs` passes over the pairs that count (`approach.rs`, `wall_approach.rs`), sums the stiffness of
//! each particle (`block.rs`) and finds the bound and the shortest impact (`impact.rs`). `update.rs` takes
//! the shortest of these and of the caps (`cap.rs`), `control.rs` turns it into a level (`level.rs`).
//! `given.rs` judges a step that the user gives; `limit.rs` finds its limit by power iteration.
//! `assumed.rs` holds the encounters at the largest speed that can occur, which integrators that adapt
//! their step start from. docs/time-step.md explains the rule.

mod approach;
mod assumed;
mod block;
mod cap;
mod cause;
pub(crate) mod control;
mod given;
mod impact;
mod level;
mod limit;
mod motion;
mod pair_contacts;
mod rates;
mod report;
mod scheme;
pub(crate) mod survey;
mod survey_of_ranks;
mod update;
mod wall_approach;

pub use assumed::Advice;
pub(crate) use assumed::SLOWEST;
pub use cap::RAYLEIGH_CAP;
pub use control::{Criterion, StepRecord};
pub use given::restitution_error;
pub use impact::{
    STEPS_PER_IMPACT, STEPS_PER_LINEAR_IMPACT, STEPS_PER_TENSILE_IMPACT, STEPS_WITHOUT_WEIGHT,
};
pub use report::{ComingImpact, StepChoice};
pub use update::BOUND_FRACTION;
