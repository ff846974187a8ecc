//! Symmetric tensors of three by three: sums, principal values and directions.

use crate::Vec3;
use crate::exact_sum::ExactSum;

/// Sweeps of Jacobi's method; six reach rounding accuracy for any 3×3 tensor.
const SWEEPS: usize = 12;

/// An exact sum of tensors, component by component.
#[derive(Debug, Clone, Default)]
pub(super) struct TensorSum {
    components: [[ExactSum; 3]; 3],
}

impl TensorSum {
    /// Adds `weight · a ⊗ b`.
    pub fn add(&mut self, weight: f64, a: Vec3, b: Vec3) {
        for (row, sums) in self.components.iter_mut().enumerate() {
            for (column, sum) in sums.iter_mut().enumerate() {
                sum.add(weight * a[row] * b[column]);
            }
        }
    }

    /// The sum, each component rounded once.
    pub fn value(&self) -> [[f64; 3]; 3] {
        std::array::from_fn(|row| {
            std::array::from_fn(|column| self.components[row][column].value())
        })
    }
}

/// The symmetric part.
pub(super) fn symmetric(tensor: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (tensor[i][j] + tensor[j][i])))
}

/// Principal values of a symmetric tensor, the largest first, with their unit directions.
pub(super) fn principal(tensor: [[f64; 3]; 3]) -> [(f64, Vec3); 3] {
    let mut a = tensor;
    let mut vectors = [Vec3::X, Vec3::Y, Vec3::Z];
    for _ in 0..SWEEPS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] != 0.0 {
                rotate(&mut a, &mut vectors, p, q);
            }
        }
    }
    let mut found = [0, 1, 2].map(|axis| (a[axis][axis], vectors[axis]));
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    found
}

/// Rotates two axes such that the component between them vanishes.
fn rotate(a: &mut [[f64; 3]; 3], vectors: &mut [Vec3; 3], p: usize, q: usize) {
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + libm::hypot(theta, 1.0));
    let c = 1.0 / libm::hypot(t, 1.0);
    let s = t * c;
    let r = 3 - p - q;
    let off = a[p][q];
    a[p][p] -= t * off;
    a[q][q] += t * off;
    a[p][q] = 0.0;
    a[q][p] = 0.0;
    let (rp, rq) = (a[r][p], a[r][q]);
    a[r][p] = c * rp - s * rq;
    a[p][r] = a[r][p];
    a[r][q] = s * rp + c * rq;
    a[q][r] = a[r][q];
    let (vp, vq) = (vectors[p], vectors[q]);
    vectors[p] = c * vp - s * vq;
    vectors[q] = s * vp + c * vq;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn principal_values_and_directions_make_the_tensor_again() {
        let tensor = [[4.0, 1.0, -2.0], [1.0, 3.0, 0.5], [-2.0, 0.5, -1.0]];
        let found = principal(tensor);
        assert!(found[0].0 >= found[1].0 && found[1].0 >= found[2].0);
        for i in 0..3 {
            for j in 0..3 {
                let again: f64 = found.iter().map(|(value, e)| value * e[i] * e[j]).sum();
                assert!((again - tensor[i][j]).abs() < 1e-14, "{i} {j}: {again}");
            }
            assert!((found[i].1.length() - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn a_known_tensor_has_its_known_values() {
        // the planar part [[2, 1], [1, 2]] has the eigenvalue 3 along (1, 1) and 1 normal to it
        let found = principal([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 2.0]]);
        let values = found.map(|(value, _)| value);
        for (value, expected) in values.into_iter().zip([3.0, 2.0, 1.0]) {
            assert!((value - expected).abs() < 1e-15);
        }
        let along = found[0].1.dot(Vec3::new(1.0, 1.0, 0.0).normalize()).abs();
        assert!((along - 1.0).abs() < 1e-15);
    }
}
