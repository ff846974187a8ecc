//! Friction of a disc that slides and spins simultaneously: force and torque by their ratio.
//!
//! For uniform pressure, with `λ = |u|/(a |ω|)` and complete elliptic integrals of modulus k,
//! `F = 4/(3πλ) [(λ²+1) E(λ) + (λ²-1) K(λ)]` for λ ≤ 1 and
//! `4/(3π) [(λ²+1) E(1/λ) - (λ²-1) K(1/λ)]` above; `𝒯 = 4/(9π) [(4-2λ²) E(λ) + (λ²-1) K(λ)]` and
//! `4λ/(9π) [(4-2λ²) E(1/λ) + (2λ²-5+3/λ²) K(1/λ)]`. L(40), L(54) with erratum L-E30; Farkas et al.
//! (2003). Hertz's pressure is a sum of uniform discs of radius `a sin θ`.
//!
//! `limit_curve.rs` tabulates these functions.

use std::f64::consts::{FRAC_PI_2, PI};

/// Distribution of the pressure over the contact area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum PressureShape {
    /// Uniform, as in L.
    #[default]
    Uniform,
    /// That of Hertz, `√(1 - (r/a)²)`.
    Hertz,
}

/// Complete elliptic integrals K and E of a modulus below one, by the arithmetic–geometric mean.
fn complete_elliptic(modulus: f64) -> [f64; 2] {
    let mut mean = [1.0, (1.0 - modulus * modulus).sqrt()];
    let mut difference = modulus;
    let (mut sum, mut power) = (0.5 * modulus * modulus, 0.5);
    while difference.abs() > 1e-16 * mean[0] {
        let next = [0.5 * (mean[0] + mean[1]), (mean[0] * mean[1]).sqrt()];
        difference = 0.5 * (mean[0] - mean[1]);
        mean = next;
        power *= 2.0;
        sum += power * difference * difference;
        if power > 1e6 {
            break;
        }
    }
    let first = FRAC_PI_2 / mean[0];
    [first, first * (1.0 - sum)]
}

/// F and 𝒯 of a uniform disc; by their series if the closed forms cancel.
pub(super) fn uniform(ratio: f64) -> [f64; 2] {
    let square = ratio * ratio;
    if ratio < 1e-2 {
        [ratio * (1.0 - square / 8.0), 2.0 / 3.0 - square / 2.0]
    } else if ratio > 1e2 {
        [1.0 - 1.0 / (8.0 * square), 1.0 / (4.0 * ratio) + 1.0 / (48.0 * ratio * square)]
    } else if (ratio - 1.0).abs() < 1e-12 {
        [8.0 / (3.0 * PI), 8.0 / (9.0 * PI)]
    } else if ratio < 1.0 {
        let [first, second] = complete_elliptic(ratio);
        let force = ((square + 1.0) * second + (square - 1.0) * first) / ratio;
        let torque = (4.0 - 2.0 * square) * second + (square - 1.0) * first;
        [4.0 / (3.0 * PI) * force, 4.0 / (9.0 * PI) * torque]
    } else {
        let [first, second] = complete_elliptic(1.0 / ratio);
        let force = (square + 1.0) * second - (square - 1.0) * first;
        let torque = (4.0 - 2.0 * square) * second + (2.0 * square - 5.0 + 3.0 / square) * first;
        [4.0 / (3.0 * PI) * force, 4.0 * ratio / (9.0 * PI) * torque]
    }
}

/// F and 𝒯 under Hertz's pressure: `3/2 ∫ sin³θ F(λ/sin θ) dθ`, `3/2 ∫ sin⁴θ 𝒯(λ/sin θ) dθ`, by the
/// midpoint rule, which converges as if periodic.
pub(super) fn hertz(ratio: f64) -> [f64; 2] {
    const POINTS: usize = 200;
    let width = FRAC_PI_2 / POINTS as f64;
    let mut sum = [0.0; 2];
    for point in 0..POINTS {
        let sine = libm::sin((point as f64 + 0.5) * width);
        let [force, torque] = uniform(ratio / sine);
        let weight = 1.5 * width * sine * sine * sine;
        sum[0] += weight * force;
        sum[1] += weight * sine * torque;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn force_and_torque_are_those_of_the_literature() {
        // Farkas et al.: both motions stop together at the ratio for which F = 2 λ 𝒯
        let [mut low, mut high] = [0.1, 5.0];
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let [force, torque] = uniform(middle);
            if force < 2.0 * middle * torque { low = middle } else { high = middle }
        }
        assert!((low - 0.653).abs() < 5e-4, "{low}");
        assert!((uniform(1.0)[0] - 8.0 / (3.0 * PI)).abs() < 1e-12);
        assert!((hertz(0.0)[1] - 3.0 * PI / 16.0).abs() < 1e-12);
        assert!((hertz(1e-4)[0] / 1e-4 - 3.0 * PI / 8.0).abs() < 1e-4);
    }
}
