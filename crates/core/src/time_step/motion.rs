//! Relative speeds of particles and walls, from which the time to the next update and the required range of the
//! neighbour list follow. Absolute speeds have no effect.

use super::assumed::bounds;
use super::control::{FEWEST_STEPS, MOST_STEPS};
use crate::Vec3;
use crate::engine::{Engine, StepParts};
use crate::search::horizon::Horizon;
use crate::wall::Pose;
use std::sync::atomic::{AtomicU64, Ordering};

/// The fastest particle travels at most this fraction of the smallest radius from one update to the
/// next.
const TRAVEL_FRACTION: f64 = 0.25;

/// The horizon reaches beyond the next update by this factor: the step may grow by one level.
const HORIZON_MARGIN: f64 = 1.05;

/// Bits of the fixed-point numbers in which velocities are summed.
const SUM_BITS: i32 = 61;

/// Speeds relative to the mean velocity of the free particles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Speeds {
    reference: Vec3,
    /// Of the fastest particle [m/s].
    particles: f64,
    /// Of walls that stand still, if there are any [m/s].
    drift: f64,
    /// Of the fastest moving wall [m/s].
    walls: f64,
    /// True if there are held particles.
    any_held: bool,
    /// Smallest radius of the free particles [m].
    smallest_radius: f64,
}

impl Engine {
    pub(super) fn speeds(&mut self) -> Speeds {
        let (reference, smallest_radius) = self.mean_velocity();
        let StepParts { particles, pool, .. } = self.step_parts();
        let records = &particles.records;
        // numbers that are not negative are ordered as their bits
        let fastest = AtomicU64::new(0);
        let any_held = records.iter().any(|record| !(record.inverse_mass > 0.0));
        pool.split(records.len(), |_, range| {
            let squares = records[range]
                .iter()
                .map(|record| (Vec3::from_array(record.velocity) - reference).length_squared());
            fastest.fetch_max(squares.fold(0.0, f64::max).to_bits(), Ordering::Relaxed);
        });
        let (mut drift, mut walls) = (0.0f64, 0.0f64);
        let solid = self.walls().iter().filter(|wall| wall.present && !wall.is_made_of_particles());
        for wall in solid {
            if wall.wall.motion.is_still() {
                drift = reference.length();
            } else {
                let pose = Pose { velocity: wall.pose.velocity - reference, ..wall.pose };
                walls = walls.max(pose.largest_speed(bounds(wall, self)));
            }
        }
        let [fastest] = self.largest([f64::from_bits(fastest.into_inner())]);
        let (particles, any_held) = (fastest.sqrt(), self.any(any_held));
        Speeds { reference, particles, drift, walls, any_held, smallest_radius }
    }

    /// Mean velocity of the free particles, and their smallest radius. Velocities are summed as integers, so that the
    /// result is independent of the order.
    fn mean_velocity(&self) -> (Vec3, f64) {
        let free = || self.particles().records.iter().filter(|record| record.inverse_mass > 0.0);
        let mut largest = 0.0f64;
        let (mut count, mut radius) = (0u64, f64::INFINITY);
        for record in free() {
            let [x, y, z] = record.velocity;
            largest = largest.max(x.abs()).max(y.abs()).max(z.abs());
            radius = radius.min(record.radius);
            count += 1;
        }
        ([largest], [radius]) = (self.largest([largest]), self.smallest([radius]));
        let mut all = [count as i64];
        self.sum_over_ranks(&mut all);
        let count = all[0] as u64;
        if !(largest > 0.0 && largest.is_finite()) {
            return (Vec3::ZERO, radius);
        }
        let bits = i32::try_from(u64::BITS - count.leading_zeros()).unwrap_or(SUM_BITS);
        let (_, exponent) = libm::frexp(largest);
        let scale = libm::ldexp(1.0, (SUM_BITS - bits).min(52) - exponent);
        let mut sums = [0i64; 3];
        for record in free() {
            for (sum, component) in sums.iter_mut().zip(record.velocity) {
                *sum += (component * scale) as i64;
            }
        }
        self.sum_over_ranks(&mut sums);
        let mean = sums.map(|sum| sum as f64 / count as f64 / scale);
        (Vec3::from_array(mean), radius)
    }
}

impl Speeds {
    /// Number of steps of length `dt` [s] until the next update, with the largest acceleration by gravity and fields
    /// [m/s²].
    pub(super) fn steps(&self, dt: f64, acceleration: f64) -> u64 {
        let fastest = self.particles.max(self.drift).max(self.walls);
        let travel = TRAVEL_FRACTION * self.smallest_radius;
        let time = (travel / fastest).min((travel / acceleration).sqrt());
        ((time / dt).min(MOST_STEPS as f64) as u64).clamp(FEWEST_STEPS, MOST_STEPS)
    }

    /// What the neighbour list must hold for a number of steps of length `dt` [s], with the largest acceleration by
    /// gravity and fields [m/s²]; `by_fields`: accelerations differ between particles.
    pub(super) fn horizon(
        &self,
        steps: u64,
        dt: f64,
        acceleration: f64,
        by_fields: bool,
    ) -> Horizon {
        let time = HORIZON_MARGIN * steps as f64 * dt;
        // twice: once in the closing speed, once in the gap that it closes
        let fall = 2.0 * acceleration * time * time;
        let spread = if by_fields { fall } else { 0.0 };
        let accelerated = if self.any_held { fall } else { spread };
        Horizon {
            time,
            reference: self.reference,
            fall,
            spread,
            largest: time * self.particles + accelerated,
            wall: time * self.walls.max(self.drift) + fall,
        }
    }
}
