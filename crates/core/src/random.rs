//! Counter-based random numbers: a number depends only on (seed, purpose, id, draw), not on previous draws, so that
//! insertion gives the same particles for any number of threads or ranks.
//!
//! Philox4x32-10 of Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011); checked against
//! the known answers of the authors.

/// Purpose of a random number: different purposes have different sequences.
///
/// ```
/// use esker::random::{Draws, Purpose};
///
/// let [radius, position] = [Purpose::Radius, Purpose::Position].map(|purpose| Draws::new(1, purpose, 0));
/// assert_ne!(radius.uniform(0), position.uniform(0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Purpose {
    /// Radius of an inserted particle.
    Radius = 1,
    /// Position of an inserted particle.
    Position = 2,
    /// Velocity of an inserted particle.
    Velocity = 3,
    /// Numbers for tests and examples.
    Test = 4,
    /// Points of a sweep.
    Design = 5,
    /// Choice of rows for a confidence interval.
    Resample = 6,
}

/// The numbers of one (seed, purpose, id).
///
/// ```
/// use esker::random::{Draws, Purpose};
///
/// let draws = Draws::new(1, Purpose::Position, 42);
/// assert!((0.0..1.0).contains(&draws.uniform(0)));
/// // the same arguments always give the same number
/// assert_eq!(draws.uniform(7), Draws::new(1, Purpose::Position, 42).uniform(7));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Draws {
    key: [u32; 2],
    counter: [u32; 4],
}

impl Draws {
    /// The random numbers of `id` for this purpose.
    pub fn new(seed: u64, purpose: Purpose, id: u64) -> Self {
        Self {
            key: [seed as u32, (seed >> 32) as u32],
            counter: [0, purpose as u32, id as u32, (id >> 32) as u32],
        }
    }

    /// The number with this index, uniform in [0, 1).
    pub fn uniform(&self, draw: u32) -> f64 {
        let mut counter = self.counter;
        counter[0] = draw;
        let block = philox(counter, self.key);
        let bits = (u64::from(block[0]) << 32 | u64::from(block[1])) >> 11;
        bits as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// The number with this index, normally distributed with mean 0 and deviation 1 (Box–Muller).
    pub fn normal(&self, draw: u32) -> f64 {
        let mut counter = self.counter;
        counter[0] = draw;
        let block = philox(counter, self.key);
        let unit = |high: u32, low: u32| {
            ((u64::from(high) << 32 | u64::from(low)) >> 11) as f64 / (1u64 << 53) as f64
        };
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - unit(block[0], block[1])));
        radius * libm::cos(std::f64::consts::TAU * unit(block[2], block[3]))
    }
}

fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
    const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
    for round in 0..10 {
        if round > 0 {
            key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
        }
        let first = u64::from(MULTIPLIERS[0]) * u64::from(counter[0]);
        let second = u64::from(MULTIPLIERS[1]) * u64::from(counter[2]);
        counter = [
            (second >> 32) as u32 ^ counter[1] ^ key[0],
            second as u32,
            (first >> 32) as u32 ^ counter[3] ^ key[1],
            first as u32,
        ];
    }
    counter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn philox_gives_its_authors_known_answers() {
        assert_eq!(philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(
            philox([u32::MAX; 4], [u32::MAX; 2]),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
    }

    #[test]
    fn normal_numbers_have_mean_zero_and_deviation_one() {
        let draws: Vec<f64> =
            (0..100_000).map(|id| Draws::new(7, Purpose::Test, id).normal(0)).collect();
        let mean = draws.iter().sum::<f64>() / 1e5;
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 1e5;
        // five standard errors of the mean and of the variance
        assert!(mean.abs() < 5.0 / 1e5f64.sqrt());
        assert!((variance - 1.0).abs() < 5.0 * (2.0 / 1e5f64).sqrt());
    }
}
