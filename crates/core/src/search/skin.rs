//! How far each particle may go before the candidates must be listed anew. Two partners are listed
//! if the gap between them is no more than reach and both allowances: then no list misses a contact
//! as long as each particle keeps to its own. A fast particle is given much, a slow one little, so
//! a few fast ones do not fill the list of all the others.

use crate::Vec3;
use crate::parallel::{DisjointSlices, Pool};
use crate::particles::{ForceTorque, HotData};

/// Steps that the first list is to last, and bounds of the choice.
const STEPS: f64 = 60.0;
const FEWEST_STEPS: f64 = 10.0;
const MOST_STEPS: f64 = 1000.0;
/// Allowance as a multiple of the way in the next step and of its mean over all particles, for each
/// step that the list is to last. Particles are hit and become faster; the slowest are the likeliest
/// to.
const PER_OWN_STRIDE: f64 = 1.0;
const PER_MEAN_STRIDE: f64 = 0.5;
/// Least and largest allowance as shares of the mean radius.
const LEAST: f64 = 0.01;
const LARGEST: f64 = 1.0;
/// Allowance as a multiple of the way in the next step: a step must not lead out of a list that has
/// just been made.
const LEAST_STRIDES: f64 = 3.0;
/// What a particle costs in a rebuild, as a multiple of what a candidate that does not touch costs
/// in a step (measured: 300 ns and 6 ns).
const COST_OF_REBUILD: f64 = 50.0;

/// Allowances of all particles, and how they are chosen.
#[derive(Debug, Clone)]
pub(crate) struct Skins {
    /// One over the allowance of each slot, rounded up [1/m].
    pub inverse: Vec<f32>,
    /// Steps that the next list is to last.
    steps: f64,
}

impl Skins {
    pub(crate) const NONE: Self = Self { inverse: Vec::new(), steps: STEPS };

    /// Judges the last list: as long as its making cost more than the candidates in vain, the next
    /// one is to last longer.
    pub(crate) fn judge(&mut self, particles: usize, in_vain: usize, steps: u64) {
        if steps == 0 || particles == 0 {
            return;
        }
        let making = COST_OF_REBUILD * particles as f64 / steps as f64;
        let change = (making / in_vain.max(1) as f64).sqrt().clamp(0.7, 1.5);
        self.steps = (change * self.steps).clamp(FEWEST_STEPS, MOST_STEPS);
    }

    /// The rule for the next list.
    pub(crate) fn rule(&self, motion: &Motion, given: Option<f64>) -> Rule {
        match given {
            Some(skin) => Rule { own: 0.0, all: 0.0, least: skin, most: skin },
            None => Rule {
                own: PER_OWN_STRIDE * self.steps,
                all: PER_MEAN_STRIDE * self.steps * motion.mean_stride,
                least: LEAST * motion.mean_radius,
                most: LARGEST * motion.mean_radius,
            },
        }
    }

    /// Shares of their allowances that particles from a slot on have used up, squared, given how far
    /// each has gone.
    pub(crate) fn used(
        &self,
        first: usize,
        ways: impl Iterator<Item = Vec3>,
    ) -> impl Iterator<Item = f64> {
        ways.zip(&self.inverse[first..])
            .map(|(way, &inverse)| (f64::from(inverse) * way).length_squared())
    }
}

/// How an allowance follows from the way in the next step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    own: f64,
    all: f64,
    least: f64,
    most: f64,
}

impl Rule {
    /// Allowance of a particle that will go this far in the next step [m].
    #[inline(always)]
    pub(crate) fn skin(&self, stride: f64) -> f64 {
        let wanted = (self.own * stride + self.all).clamp(self.least, self.most);
        wanted.max(LEAST_STRIDES * stride)
    }

    /// Gives no particle less than this.
    pub(crate) fn raise(&mut self, least: f64) {
        self.least = self.least.max(least);
        self.most = self.most.max(least);
    }
}

/// One over an allowance, never too small.
#[inline(always)]
pub(crate) fn inverse(skin: f64) -> f32 {
    ((1.0 / skin) as f32).next_up()
}

/// How particles move at a listing.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Motion {
    pub mean_radius: f64,
    pub mean_stride: f64,
    pub largest_stride: f64,
}

/// Particles summed at once: sums must not depend on how many threads there are.
const BLOCK: usize = 1024;

impl Motion {
    pub(crate) fn new(
        records: &[HotData],
        loads: &[ForceTorque],
        predicted: Predicted,
        pool: &mut Pool,
    ) -> Self {
        let mut sums = vec![Self::default(); records.len().div_ceil(BLOCK)];
        let shares = DisjointSlices::new(&mut sums);
        pool.split(shares.len(), |_, blocks| {
            // SAFETY: `split` gives disjoint ranges.
            let sums = unsafe { shares.slice_mut(blocks.clone()) };
            for (block, sum) in blocks.zip(sums) {
                let range = BLOCK * block..records.len().min(BLOCK * (block + 1));
                for (record, load) in records[range.clone()].iter().zip(&loads[range]) {
                    let length = predicted.displacement(record, load).length();
                    sum.mean_radius += record.radius;
                    sum.mean_stride += length;
                    sum.largest_stride = sum.largest_stride.max(length);
                }
            }
        });
        let mut motion = Self::default();
        for sum in &sums {
            motion.mean_radius += sum.mean_radius;
            motion.mean_stride += sum.mean_stride;
            motion.largest_stride = motion.largest_stride.max(sum.largest_stride);
        }
        let count = records.len().max(1) as f64;
        motion.mean_radius /= count;
        motion.mean_stride /= count;
        motion
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
