//! The time step: stability bound, resolution of impacts, and the choice from both.
//!
//! `survey.rs` passes over the included pairs (`approach.rs`, `wall_approach.rs`), sums the stiffness of each particle
//! (`block.rs`) and finds the bound and the shortest impact (`impact.rs`). `update.rs` takes the shortest of these and
//! of the caps (`cap.rs`), `control.rs` converts it to a level (`level.rs`), and `accurate_slip.rs` chooses the particles
//! with accurate slip at this step. `given.rs` checks a step given by the
//! user; `limit.rs` computes its limit by power iteration. `assumed.rs` contains the encounters at the largest speed
//! that can occur, from which integrators that adapt their step start. docs/time-step.md explains the rule.

mod accurate_slip;
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
    STEPS_PER_IMPACT, STEPS_PER_LINEAR_IMPACT, STEPS_WITHOUT_CLIPPING, STEPS_WITHOUT_WEIGHT,
};
pub use report::{ComingImpact, StepChoice};
pub use update::BOUND_FRACTION;
