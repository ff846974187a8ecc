//! Failures of ranks within this process.

use crate::failure::Failure;
use esker::ranks::RankFailure;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Runs the first rank. If another rank fails, the first one unwinds: that is reported as an error.
pub fn report_failures<R>(work: impl FnOnce() -> R) -> Result<R, Failure> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        match payload.downcast::<RankFailure>() {
            Ok(failure) => Failure::input(format!("the run has ended: {failure}"))
                .help("`--resume` continues from the last checkpoint"),
            Err(payload) => resume_unwind(payload),
        }
    })
}
