//! Stiffness of the contacts of one particle as a 6×6 block, and a bound of its largest eigenvalue.
//!
//! A contact with the outward normal n, moment arm l and the weights `q` adds
//! `q_n nnᵀ + q_s (1 - nnᵀ)` to the block of translations, `(q_s l² + q_r)(1 - nnᵀ) + q_t nnᵀ` to that of
//! rotations, and the skew matrix of `q_s l n` to the coupling of both.

use super::pair_contacts::{ContactIndex, NO_CONTACT, PairContact};
use crate::Vec3;
use crate::integrate::Stability;
use crate::law::ContactStiffness;
use crate::simd::multiversion_avx2;

/// Weights of the directions of a contact: normal, slip, roll and twist.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Weights {
    pub normal: f64,
    pub slip: f64,
    pub roll: f64,
    pub twist: f64,
}

impl Weights {
    /// Weights of the springs: terms of q proportional to the square of the step [N/m, N m].
    #[inline(always)]
    pub(super) fn of_springs(contact: &ContactStiffness, scheme: &Stability) -> Self {
        Self {
            normal: scheme.normal * (contact.normal + contact.cohesion),
            slip: scheme.slip * contact.slip + scheme.dashpot * contact.slip_per_step,
            roll: scheme.slip * contact.roll,
            twist: scheme.slip * contact.twist,
        }
    }

    /// Weights of the dashpots: terms of q proportional to the step [N s/m, N m s].
    #[inline(always)]
    pub(super) fn of_dashpots(contact: &ContactStiffness, scheme: &Stability) -> Self {
        Self {
            normal: scheme.dashpot * contact.normal_dashpot,
            slip: scheme.dashpot * contact.slip_dashpot,
            roll: scheme.dashpot * contact.roll_dashpot,
            twist: scheme.dashpot * contact.twist_dashpot,
        }
    }
}

/// Weights of a contact in the form used by the sums: springs and dashpots side by side.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContactWeights {
    slip: [f64; 2],
    roll: [f64; 2],
    /// Normal minus slip.
    along: [f64; 2],
    twist: [f64; 2],
}

impl ContactWeights {
    #[inline(always)]
    pub(super) fn new(springs: &Weights, dashpots: &Weights) -> Self {
        Self {
            slip: [springs.slip, dashpots.slip],
            roll: [springs.roll, dashpots.roll],
            along: [springs.normal - springs.slip, dashpots.normal - dashpots.slip],
            twist: [springs.twist, dashpots.twist],
        }
    }

    /// Weights of a contact with this stiffness.
    #[inline(always)]
    pub(super) fn of(contact: &ContactStiffness, scheme: &Stability) -> Self {
        Self::new(&Weights::of_springs(contact, scheme), &Weights::of_dashpots(contact, scheme))
    }
}

/// Sums over the contacts of one particle. Springs and dashpots are summed side by side, so that the
/// loops over them are vectorised.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Blocks {
    /// Σ q_s of springs and of dashpots.
    translation: [f64; 2],
    /// Σ (q_s l² + q_r) of springs and of dashpots.
    rotation: [f64; 2],
    /// For each component of nnᵀ: Σ (q_n - q_s) of springs and of dashpots, Σ (q_t - q_s l² - q_r) of springs
    /// and of dashpots.
    tensors: [[f64; 4]; 6],
    /// Σ q_s l n of springs and of dashpots.
    coupling: [[f64; 2]; 3],
}

impl Blocks {
    /// Adds a contact with an outward normal and a moment arm [m]; if the normal points inward, the arm is
    /// negative.
    #[inline(always)]
    pub(super) fn add(&mut self, normal: Vec3, arm: f64, contact: &ContactWeights) {
        let Vec3 { x, y, z } = normal;
        let squares = [x * x, y * y, z * z, x * y, x * z, y * z];
        let ContactWeights { slip, roll, along, twist } = *contact;
        let (mut couplings, mut about) = ([0.0; 2], [0.0; 2]);
        for kind in 0..2 {
            couplings[kind] = slip[kind] * arm;
            let rotation = couplings[kind] * arm + roll[kind];
            about[kind] = twist[kind] - rotation;
            self.translation[kind] += slip[kind];
            self.rotation[kind] += rotation;
        }
        let weights = [along[0], along[1], about[0], about[1]];
        // loops over indices, since loops over zipped iterators are not unrolled
        let tensors = &mut self.tensors;
        for axis in 0..6 {
            for kind in 0..4 {
                tensors[axis][kind] += weights[kind] * squares[axis];
            }
        }
        let components = [x, y, z];
        for axis in 0..3 {
            for kind in 0..2 {
                self.coupling[axis][kind] += couplings[kind] * components[axis];
            }
        }
    }

    /// Bounds of the largest eigenvalue of springs and of dashpots with the inverse masses `S/m` and
    /// `1/I`, for each of two `1/I`, which are zero if there are no rotations.
    #[inline(always)]
    pub(super) fn largest(&self, inverse_mass: f64, inverse_inertias: [f64; 2]) -> [[f64; 2]; 2] {
        largest(self, inverse_mass, inverse_inertias)
    }
}

multiversion_avx2! {
    /// Adds the contacts of a particle, given by its adjacency entries, to its blocks.
    pub(super) fn add_contacts(
        blocks: &mut Blocks,
        entries: &[u32],
        indices: &[ContactIndex],
        of_parts: &[Vec<PairContact>],
    ) {
        let mut sums = *blocks;
        for &entry in entries {
            let [part, index] = indices[(entry >> 1) as usize];
            if part == NO_CONTACT[0] {
                continue;
            }
            let contact = &of_parts[part as usize][index as usize];
            sums.add(contact.normal, contact.arms[(entry & 1) as usize], &contact.weights);
        }
        *blocks = sums;
    }
}

multiversion_avx2! {
    /// `(a + b)/2 + √((a - b)²/4 + f²)` of springs and of dashpots, with the largest eigenvalues a and b of the blocks of
    /// translations and rotations and the spectral norm f of their coupling, which for a skew matrix is the length of its
    /// vector.
    fn largest(blocks: &Blocks, inverse_mass: f64, inverse_inertias: [f64; 2]) -> [[f64; 2]; 2] {
        let tensors = largest_eigenvalues(&blocks.tensors);
        let mut result = [[0.0; 2]; 2];
        for (result, inverse_inertia) in result.iter_mut().zip(inverse_inertias) {
            for kind in 0..2 {
                let translational = inverse_mass * (blocks.translation[kind] + tensors[kind]);
                let rotational = inverse_inertia * (blocks.rotation[kind] + tensors[2 + kind]);
                let [x, y, z] = blocks.coupling.map(|sums| sums[kind]);
                let coupling = inverse_mass * inverse_inertia * (x * x + y * y + z * z);
                let half = 0.5 * (translational - rotational);
                let coupled =
                    0.5 * (translational + rotational) + (half * half + coupling).sqrt();
                result[kind] = if inverse_inertia == 0.0 { translational } else { coupled };
            }
        }
        result
    }
}

/// Bounds of the largest eigenvalues of symmetric matrices, given by the columns xx, yy, zz, xy, xz and yz, exact but
/// for rounding and about 1e-6. Four matrices are computed side by side: without branches, so that the loop is vectorised.
///
/// With q the mean of the diagonal and `p² = tr((A - q)²)/6` it is q + p x, x the largest root of
/// `x³ - 3x = 2r`, `2r = det((A - q)/p)`, between 1 and 2. Newton's method from the start
/// `1 + 2s/√3 + (1 - 2/√3) s²`, `s² = (1 + r)/2`, stays above the root after its first step, since
/// the cubic is convex there.
#[inline(always)]
fn largest_eigenvalues<const COUNT: usize>(matrices: &[[f64; COUNT]; 6]) -> [f64; COUNT] {
    const SLOPE: f64 = 1.154_700_538_379_251_7; // 2/√3
    let [xx, yy, zz, xy, xz, yz] = matrices;
    let mut largest = [0.0; COUNT];
    for k in 0..COUNT {
        let mean = (xx[k] + yy[k] + zz[k]) / 3.0;
        let (a, b, c) = (xx[k] - mean, yy[k] - mean, zz[k] - mean);
        let off = xy[k] * xy[k] + xz[k] * xz[k] + yz[k] * yz[k];
        let size = ((a * a + b * b + c * c + 2.0 * off) / 6.0).sqrt();
        let determinant = a * (b * c - yz[k] * yz[k]) - xy[k] * (xy[k] * c - yz[k] * xz[k])
            + xz[k] * (xy[k] * yz[k] - b * xz[k]);
        let is_spherical = !(size > 0.0);
        let divisor = if is_spherical { 1.0 } else { size * size * size };
        let twice = determinant / divisor;
        let twice = if twice > 2.0 { 2.0 } else { twice };
        let twice = if twice < -2.0 { -2.0 } else { twice };
        let square = 0.5 + 0.25 * twice;
        let root = (if square > 0.0 { square } else { 0.0 }).sqrt();
        let mut x = 1.0 + root * (SLOPE + (1.0 - SLOPE) * root);
        for _ in 0..2 {
            let slope = 3.0 * (x * x - 1.0);
            let slope = if slope > f64::MIN_POSITIVE { slope } else { f64::MIN_POSITIVE };
            x -= (x * (x * x - 3.0) - twice) / slope;
        }
        largest[k] = if is_spherical { mean } else { mean + size * x };
    }
    largest
}

/// The step with `a h² + b h = 1` [s]; infinite if both are zero.
#[inline(always)]
pub(super) fn step_of(springs: f64, dashpots: f64) -> f64 {
    2.0 / (dashpots + (dashpots * dashpots + 4.0 * springs).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A symmetric matrix: xx, yy, zz, xy, xz, yz.
    type Symmetric = [f64; 6];

    fn largest_eigenvalue(matrix: &Symmetric) -> f64 {
        largest_eigenvalues(&matrix.map(|element| [element]))[0]
    }

    /// Power iteration on a symmetric matrix that has been shifted to be positive.
    fn by_iteration(matrix: &Symmetric) -> f64 {
        let [xx, yy, zz, xy, xz, yz] = *matrix;
        let shift = matrix.iter().map(|value| value.abs()).sum::<f64>();
        let mut vector = Vec3::new(0.6, -0.35, 0.71);
        let mut value = 0.0;
        for _ in 0..20_000 {
            let next = Vec3::new(
                (xx + shift) * vector.x + xy * vector.y + xz * vector.z,
                xy * vector.x + (yy + shift) * vector.y + yz * vector.z,
                xz * vector.x + yz * vector.y + (zz + shift) * vector.z,
            );
            value = next.length();
            vector = next / value;
        }
        value - shift
    }

    #[test]
    fn the_eigenvalue_is_that_of_power_iteration_and_never_below_it() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        for _ in 0..300 {
            let matrix: Symmetric = std::array::from_fn(|_| random());
            let (found, expected) = (largest_eigenvalue(&matrix), by_iteration(&matrix));
            let scale = matrix.iter().map(|value| value.abs()).fold(0.0, f64::max);
            // two steps of Newton's method from a start with an error of 0.005
            assert!(found - expected < 2e-6 * scale, "{matrix:?}: {found} {expected}");
            assert!(found - expected > -1e-9 * scale, "{matrix:?}: {found} {expected}");
        }
    }

    #[test]
    fn equal_eigenvalues_are_found() {
        assert_eq!(largest_eigenvalue(&[2.0, 2.0, 2.0, 0.0, 0.0, 0.0]), 2.0);
        // 3, 3, -1 and 3, 1, 1
        assert!((largest_eigenvalue(&[3.0, 3.0, -1.0, 0.0, 0.0, 0.0]) - 3.0).abs() < 1e-6);
        assert!((largest_eigenvalue(&[1.0, 1.0, 3.0, 0.0, 0.0, 0.0]) - 3.0).abs() < 1e-12);
        assert_eq!(largest_eigenvalue(&[0.0; 6]), 0.0);
    }

    #[test]
    fn one_contact_has_the_frequency_of_a_sphere_that_rolls_on_its_spring() {
        let contact = ContactStiffness { normal: 1.0, slip: 2.0, ..ContactStiffness::default() };
        let scheme = Stability { translation: 1.0, normal: 1.0, slip: 1.0, dashpot: 1.0 };
        let mut blocks = Blocks::default();
        let normal = Vec3::new(0.48, -0.6, 0.64);
        blocks.add(normal, 0.5, &ContactWeights::of(&contact, &scheme));
        // slip against 1/m + l²/I = 1/m (1 + 5/2); m = 1, I = 2/5 m l²
        let [[found, dashpots], without_rotations] = blocks.largest(1.0, [1.0 / (0.4 * 0.25), 0.0]);
        assert!((found - 7.0).abs() < 1e-5, "{found}");
        assert_eq!(dashpots, 0.0);
        assert!((without_rotations[0] - 2.0).abs() < 1e-5);
    }

    #[test]
    fn the_step_solves_its_quadratic() {
        for (springs, dashpots) in [(4.0, 0.0), (0.0, 3.0), (2.0, 5.0), (1e-12, 1e6)] {
            let step: f64 = step_of(springs, dashpots);
            assert!((springs * step * step + dashpots * step - 1.0).abs() < 1e-12);
        }
        assert!(step_of(0.0, 0.0).is_infinite());
    }
}
