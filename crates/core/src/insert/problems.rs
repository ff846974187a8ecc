//! Validation of a source before particles are placed.

use super::{Amount, Placement, Source};
use crate::{Quat, Vec3};

/// Largest deviation of the squared length of an orientation from 1: many times the rounding error.
const NEARLY_UNIT: f64 = 1e-6;

impl Source {
    /// Problems of the numbers, each in one sentence without a full stop.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = self.placement.problems();
        if !matches!(self.placement, Placement::List(_)) {
            match &self.radius {
                Some(radius) => problems.extend(radius.problems()),
                None => problems.push("its particles have no radius".to_owned()),
            }
        }
        let motion = self.velocity.is_finite() && self.spin.is_finite();
        if !motion || !self.random_velocity.is_finite() {
            problems.push("the velocity or spin is not finite".to_owned());
        }
        let is_unit = |q: &Quat| (q.length_squared() - 1.0).abs() < NEARLY_UNIT;
        if let Some(index) = self.orientations.iter().position(|q| !is_unit(q)) {
            let orientation = self.orientations[index];
            problems.push(format!(
                "the orientation {orientation} of particle {index} of the list is not a unit \
                 quaternion"
            ));
        }
        problems
    }
}

impl Placement {
    /// Problems of the numbers, each in one sentence without a full stop.
    pub fn problems(&self) -> Vec<String> {
        match self {
            Self::List(spheres) => {
                let is_wrong = |sphere: &super::Sphere| {
                    let vectors = [sphere.position, sphere.velocity, sphere.spin];
                    let is_size = sphere.radius.is_finite() && sphere.radius > 0.0;
                    !is_size || !vectors.iter().all(|vector| vector.is_finite())
                };
                let wrong = spheres.iter().enumerate().filter(|(_, sphere)| is_wrong(sphere));
                wrong
                    .map(|(index, sphere)| {
                        format!(
                            "particle {index} of the list (radius {}, position {}) needs a \
                             positive radius and finite numbers",
                            sphere.radius, sphere.position
                        )
                    })
                    .take(10)
                    .collect()
            }
            Self::Lattice { min, max, spacing, jitter, .. } => {
                lattice_problems(*min, *max, *spacing, *jitter)
            }
            Self::Pattern(pattern) => pattern.0.problems(),
            Self::Random { region, amount } | Self::Grow { region, amount } => {
                let mut problems = region.problems();
                if let Amount::Fraction(fraction) = amount
                    && !(*fraction >= 0.0 && *fraction < 1.0)
                {
                    problems.push(format!(
                        "the fraction of a region must lie between 0 and 1, but is {fraction}"
                    ));
                }
                problems
            }
            Self::Stream { region, rate, start, .. } => {
                let mut problems = region.problems();
                if !(rate.is_finite() && *rate > 0.0) {
                    problems.push(format!("the rate of a stream must be positive, not {rate}"));
                }
                if !start.is_finite() {
                    problems.push(format!("the start of a stream must be finite, not {start}"));
                }
                problems
            }
        }
    }
}

fn lattice_problems(min: Vec3, max: Vec3, spacing: Vec3, jitter: f64) -> Vec<String> {
    let mut problems = Vec::new();
    if !(min.is_finite() && max.is_finite() && min.cmple(max).all()) {
        problems
            .push(format!("the lower corner {min} of the box is not below the upper corner {max}"));
    }
    if !(spacing.is_finite() && spacing.cmpgt(Vec3::ZERO).all()) {
        problems.push(format!("the spacing must be positive along each axis, not {spacing}"));
    }
    if !(jitter.is_finite() && jitter >= 0.0) {
        problems.push(format!("the jitter must not be negative, but is {jitter}"));
    }
    problems
}
