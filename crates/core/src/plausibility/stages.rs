//! Stages that cannot end, or have more steps than can be counted.

use crate::domain::Outside;
use crate::error::Problem;
use crate::insert::{Amount, Placement, Source};
use crate::simulation::Simulation;
use crate::stage::{Change, End, Stage};
use crate::wall::Shape;

/// Steps beyond which the time, a multiple of the step in double precision, does not advance.
const MOST_STEPS: f64 = 9_007_199_254_740_992.0; // 2^53

impl Simulation {
    /// Refuses stages of more than 2^53 steps of the current length.
    pub(super) fn uncountable_stages(&self) -> Vec<Problem> {
        let stages = self.schedule.stages.iter().enumerate();
        let problems = stages.filter_map(|(index, stage)| {
            let after = stage.end.after?;
            let steps = after / self.clock.dt;
            (steps > MOST_STEPS).then(|| {
                let message = format!(
                    "the stage `{}` takes {steps:.1e} steps of {:.3e} s, and at most 2^53 = 9.0e15 can be \
                     counted",
                    stage.name, self.clock.dt
                );
                Problem::at(format!("stages[{index}].end"), message)
                    .help("shorten the stage; at a million steps a second 2^53 take 285 years")
            })
        });
        problems.collect()
    }

    /// A warning for each stage whose conditions cannot be met.
    pub(super) fn endless_stages(&self) -> Vec<String> {
        let mut bounds = Bounds {
            least: self.counts.present,
            most: Some(self.counts.present),
            deletes: self.engine.domain().outside == Outside::Delete,
        };
        for (_, stream) in &self.schedule.streams {
            bounds.insert(stream.source());
        }
        let mut warnings = Vec::new();
        for stage in &self.schedule.stages {
            stage.changes.iter().for_each(|change| bounds.add(change));
            warnings.extend(bounds.warning(stage));
        }
        warnings
    }
}

/// Bounds of the number of particles in the domain.
struct Bounds {
    least: u64,
    /// None if there is no upper bound.
    most: Option<u64>,
    /// True if particles that leave the domain are deleted.
    deletes: bool,
}

impl Bounds {
    fn add(&mut self, change: &Change) {
        match change {
            Change::Insert(source) => self.insert(source),
            Change::AddWall(wall) => {
                if let Shape::Particles(spheres) = &wall.shape {
                    self.most = self.most.map(|most| most + spheres.len() as u64);
                }
            }
            Change::RemoveParticles(_) | Change::RemoveWall(_) => self.least = 0,
            _ => {}
        }
    }

    fn insert(&mut self, source: &Source) {
        let count = match &source.placement {
            Placement::List(list) => Some(list.len()),
            Placement::Lattice { count, .. } | Placement::Stream { count, .. } => *count,
            Placement::Pattern(pattern) => pattern.0.count(),
            Placement::Random { amount, .. } | Placement::Grow { amount, .. } => match amount {
                Amount::Count(count) => Some(*count),
                Amount::Fraction(_) => None,
            },
        };
        self.most = self.most.zip(count).map(|(most, count)| most.saturating_add(count as u64));
    }

    fn warning(&self, stage: &Stage) -> Option<String> {
        let End { after, kinetic_energy_below, speed_below, particles_reach, particles_fall_to } =
            stage.end;
        if after.is_some() || kinetic_energy_below.is_some() || speed_below.is_some() {
            return None;
        }
        let reached = particles_reach.map(|count| match self.most {
            Some(most) if (count as u64) > most => {
                Err(format!("it waits for {count} particles, and at most {most} can be there"))
            }
            _ => Ok(()),
        });
        let fallen = particles_fall_to.map(|count| {
            if self.deletes || self.least <= count as u64 {
                return Ok(());
            }
            Err(format!(
                "it waits until {count} particles are left of {}, and none is taken away: `outside` of \
                 the domain is not \"delete\" and no stage removes any",
                self.least
            ))
        });
        // one condition that can be met is sufficient
        let reasons: Vec<String> =
            [reached, fallen].into_iter().flatten().map(Result::err).collect::<Option<_>>()?;
        if reasons.is_empty() {
            return None;
        }
        let (name, reasons) = (&stage.name, reasons.join("; "));
        Some(format!("the stage `{name}` cannot end: {reasons}; `or_after` would end it"))
    }
}
