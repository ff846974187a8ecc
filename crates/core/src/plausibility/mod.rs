//! Warnings before the first step: streams that insert too few particles, stages that
//! cannot end, lengths beyond the precision of coordinates, overlaps at the start.

mod lengths;
mod overlap;
mod stages;
mod streams;

pub use overlap::StartOverlap;
pub use streams::StreamProgress;
pub(crate) use streams::{most_inserted, most_present};

use crate::error::Error;
use crate::simulation::Simulation;

impl Simulation {
    /// Adds the warnings that can be given in advance; refuses a run that cannot be counted in steps.
    pub(crate) fn check_plausibility(&mut self) -> Result<(), Error> {
        let problems = self.uncountable_stages();
        if !problems.is_empty() {
            return Err(Error::Scene(problems));
        }
        let mut warnings = lengths::warnings(&self.scene, self.radii()[0]);
        warnings.extend(self.endless_stages());
        warnings.extend(self.short_streams());
        for warning in warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        Ok(())
    }
}
