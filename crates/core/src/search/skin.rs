//! Skins of particles: the distance that each particle may move before the neighbour list is rebuilt. Two particles are
//! in the list if the gap between them is at most the interaction range plus both skins. The list then misses no
//! contact as long as each particle stays within its skin. A fast particle has a thick skin and a slow one a thin skin,
//! so that a few fast particles do not make the list long.

use crate::Vec3;
use crate::parallel::{DisjointSlices, Pool};
use crate::particles::{ForceTorque, HotData};

/// Initial number of steps for which a list should be valid, and bounds of this number.
const STEPS: f64 = 60.0;
const FEWEST_STEPS: f64 = 10.0;
const MOST_STEPS: f64 = 1000.0;
/// Skin as a multiple of the displacement in the next step and of its mean over all particles, for each
/// step for which the list should be valid. The mean accounts for slow particles that are hit.
const PER_OWN_DISPLACEMENT: f64 = 1.0;
const PER_MEAN_DISPLACEMENT: f64 = 0.5;
/// Smallest and largest skin as fractions of the mean radius.
const LEAST: f64 = 0.01;
const LARGEST: f64 = 1.0;
/// Smallest skin as a multiple of the displacement in the next step: a new list must be valid for the
/// next step.
const LEAST_DISPLACEMENTS: f64 = 3.0;
/// Cost of a rebuild per particle, as a multiple of the cost per step of a pair in the list that is not
/// in contact (measured: 300 ns and 6 ns).
const COST_OF_REBUILD: f64 = 50.0;

/// Skins of all particles.
#[derive(Debug, Clone)]
pub(crate) struct Skins {
    /// Inverse skin of each slot, rounded up [1/m].
    pub inverse: Vec<f32>,
    /// Number of steps for which the next list should be valid.
    steps: f64,
    /// The unit of exact sums of lengths.
    pub unit: Unit,
}

impl Skins {
    /// No skins yet, in a scene with this largest radius [m].
    pub(crate) fn new(largest_radius: f64) -> Self {
        Self { inverse: Vec::new(), steps: STEPS, unit: Unit::new(largest_radius) }
    }

    /// Adapts the number of steps to the last list: if its rebuild cost more than the tests of pairs that
    /// were not in contact, the next list should be valid for longer.
    pub(crate) fn tune(&mut self, particles: usize, without_contact: usize, steps: u64) {
        if steps == 0 || particles == 0 {
            return;
        }
        let rebuild_cost = COST_OF_REBUILD * particles as f64 / steps as f64;
        let change = (rebuild_cost / without_contact.max(1) as f64).sqrt().clamp(0.7, 1.5);
        self.steps = (change * self.steps).clamp(FEWEST_STEPS, MOST_STEPS);
    }

    /// The rule for the next list.
    pub(crate) fn rule(&self, motion: &Motion, given: Option<f64>) -> Rule {
        match given {
            Some(skin) => Rule { own: 0.0, all: 0.0, least: skin, most: skin },
            None => Rule {
                own: PER_OWN_DISPLACEMENT * self.steps,
                all: PER_MEAN_DISPLACEMENT * self.steps * motion.mean_displacement,
                least: LEAST * motion.mean_radius,
                most: LARGEST * motion.mean_radius,
            },
        }
    }

    /// Squared fractions of their skins used by the particles from a slot on, from their displacements.
    pub(crate) fn used(
        &self,
        first: usize,
        displacements: impl Iterator<Item = Vec3>,
    ) -> impl Iterator<Item = f64> {
        displacements
            .zip(&self.inverse[first..])
            .map(|(displacement, &inverse)| (f64::from(inverse) * displacement).length_squared())
    }
}

/// Derivation of a skin from the displacement in the next step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    own: f64,
    all: f64,
    least: f64,
    most: f64,
}

impl Rule {
    /// Skin of a particle with this displacement in the next step [m].
    #[inline(always)]
    pub(crate) fn skin(&self, displacement: f64) -> f64 {
        let wanted = (self.own * displacement + self.all).clamp(self.least, self.most);
        wanted.max(LEAST_DISPLACEMENTS * displacement)
    }

    /// Sets a lower bound of all skins [m].
    pub(crate) fn raise(&mut self, least: f64) {
        self.least = self.least.max(least);
        self.most = self.most.max(least);
    }
}

/// Inverse of a skin, rounded up.
#[inline(always)]
pub(crate) fn inverse(skin: f64) -> f32 {
    ((1.0 / skin) as f32).next_up()
}

/// Lengths that are multiples of this unit are summed without rounding, so that skins are independent of the order of
/// the particles, and therefore of the number of threads and ranks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Unit(f64);

/// Units in the largest radius: sums of up to 2²⁸ radii are exact.
const UNITS_PER_RADIUS: f64 = (1u64 << 25) as f64;

impl Unit {
    /// A power of two near a fraction of the largest radius [m].
    fn new(largest_radius: f64) -> Self {
        let (_, exponent) = libm::frexp(largest_radius / UNITS_PER_RADIUS);
        Self(libm::scalbn(1.0, exponent).max(f64::MIN_POSITIVE))
    }

    /// A length, rounded to a multiple of the unit.
    #[inline(always)]
    fn round(self, length: f64) -> f64 {
        // the last bit of this sum is one unit
        let shift = 1.5 * (1u64 << 52) as f64 * self.0;
        (length + shift) - shift
    }

    /// A sum of rounded lengths as a count of units, and back.
    pub(crate) fn count(self, sum: f64) -> i64 {
        (sum / self.0) as i64
    }

    pub(crate) fn length(self, count: i64) -> f64 {
        self.0 * count as f64
    }
}

/// Motion of the particles when the list is built.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Motion {
    pub mean_radius: f64,
    pub mean_displacement: f64,
    pub largest_displacement: f64,
}

/// Sums over particles.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MotionSums {
    pub count: usize,
    pub radii: f64,
    pub displacements: f64,
    pub largest_displacement: f64,
}

/// Particles summed at once.
const BLOCK: usize = 1024;

impl MotionSums {
    pub(crate) fn new(
        records: &[HotData],
        loads: &[ForceTorque],
        predicted: Predicted,
        unit: Unit,
        pool: &mut Pool,
    ) -> Self {
        let mut sums = vec![Self::default(); records.len().div_ceil(BLOCK)];
        let slices = DisjointSlices::new(&mut sums);
        pool.split(slices.len(), |_, blocks| {
            // SAFETY: the ranges of `split` are disjoint.
            let sums = unsafe { slices.slice_mut(blocks.clone()) };
            for (block, sum) in blocks.zip(sums) {
                let range = BLOCK * block..records.len().min(BLOCK * (block + 1));
                for (record, load) in records[range.clone()].iter().zip(&loads[range]) {
                    let length = predicted.displacement(record, load).length();
                    sum.radii += unit.round(record.radius);
                    sum.displacements += unit.round(length);
                    sum.largest_displacement = sum.largest_displacement.max(length);
                }
            }
        });
        let mut all = Self { count: records.len(), ..Self::default() };
        for sum in &sums {
            all.radii += sum.radii;
            all.displacements += sum.displacements;
            all.largest_displacement = all.largest_displacement.max(sum.largest_displacement);
        }
        all
    }

    /// The means.
    pub(crate) fn motion(self) -> Motion {
        let count = self.count.max(1) as f64;
        Motion {
            mean_radius: self.radii / count,
            mean_displacement: self.displacements / count,
            largest_displacement: self.largest_displacement,
        }
    }
}

/// The displacement that an integrator predicts for the next step, where the forces are evaluated:
/// `Δt v + p Δt² a`. With another fraction p than that of the integrator, a particle that decelerates
/// could leave its skin unnoticed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Predicted {
    /// Δt [s].
    pub dt: f64,
    /// p.
    pub fraction: f64,
}

impl Predicted {
    /// Displacement of a particle [m].
    #[inline(always)]
    pub(crate) fn displacement(self, record: &HotData, load: &ForceTorque) -> Vec3 {
        let change = self.fraction * self.dt * record.inverse_mass * load.force();
        self.dt * (Vec3::from_array(record.velocity) + change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_rounded_lengths_do_not_depend_on_their_order() {
        let unit = Unit::new(2.3e-3);
        let lengths: Vec<f64> = (1..10_000).map(|k| 1e-3 / f64::from(k) + 1e-9).collect();
        let sum = |lengths: &mut dyn Iterator<Item = &f64>| -> f64 {
            lengths.map(|&length| unit.round(length)).sum()
        };
        let forwards = sum(&mut lengths.iter());
        assert_eq!(forwards, sum(&mut lengths.iter().rev()));
        assert_eq!(unit.length(unit.count(forwards)), forwards);
        let exact: f64 = lengths.iter().sum();
        assert!((forwards / exact - 1.0).abs() < 1e-3, "{forwards} instead of {exact}");
        // for a scene without particles
        assert!(Unit::new(0.0).round(1.0) == 1.0);
    }
}
