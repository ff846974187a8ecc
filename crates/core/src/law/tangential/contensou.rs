//! Friction of a disc that slides and spins at once: force and torque by their ratio.
//!
//! For uniform pressure, with `λ = |u|/(a |ω|)` and complete elliptic integrals of modulus k,
//! `F = 4/(3πλ) [(λ²+1) E(λ) + (λ²-1) K(λ)]` for λ ≤ 1 and
//! `4/(3π) [(λ²+1) E(1/λ) - (λ²-1) K(1/λ)]` above; `𝒯 = 4/(9π) [(4-2λ²) E(λ) + (λ²-1) K(λ)]` and
//! `4λ/(9π) [(4-2λ²) E(1/λ) + (2λ²-5+3/λ²) K(1/λ)]`. L(40), L(54) with erratum L-E30; Farkas et al.
//! (2003). Hertz's pressure is a sum of uniform discs of radius `a sin θ`.
//!
//! Tabulated at first use: linear between 4096 points, within 1e-6 of the integrals over the disc
//! (`tests/sliding_torsion.rs`).

use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::OnceLock;

/// How the pressure is spread over the contact area.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    serde::Deserialize,
    serde::Serialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum PressureShape {
    /// Everywhere the same, as in L.
    #[default]
    Uniform,
    /// That of Hertz, `√(1 - (r/a)²)`.
    Hertz,
}

/// Intervals of each table.
const INTERVALS: usize = 4096;

/// Steps of the search for the nearest point, and the precision at which it ends.
const MOST_TRIES: usize = 40;
const PRECISION: f64 = 1e-9;

/// Force and torque of a disc, in units of μN and μNa.
#[derive(Debug)]
pub(super) struct Disc {
    /// F over the share of sliding, `F √(1+λ²)/λ`, by `λ/(1+λ)`.
    sliding: Vec<f64>,
    /// 𝒯 over the share of spinning, `𝒯 √(1+λ²)`, by `λ/(1+λ)`.
    spinning: Vec<f64>,
    /// Distance of the curve (F, 𝒯/𝒯(0)) from the origin, by the share of the second in the sum of
    /// both.
    limit: Vec<f64>,
    /// 𝒯(0).
    pub torque_at_rest: f64,
}

/// The value of a table at a place between 0 and 1.
#[inline(always)]
fn interpolate(table: &[f64], place: f64) -> f64 {
    let scaled = place.clamp(0.0, 1.0) * INTERVALS as f64;
    let index = (scaled as usize).min(INTERVALS - 1);
    let rest = scaled - index as f64;
    // the last of the tables' 4097 points is beyond the last index
    table[index] + rest * (table[index + 1] - table[index])
}

impl Disc {
    /// The tables for a pressure.
    pub(super) fn new(pressure: PressureShape) -> &'static Self {
        static UNIFORM: OnceLock<Disc> = OnceLock::new();
        static HERTZ: OnceLock<Disc> = OnceLock::new();
        match pressure {
            PressureShape::Uniform => UNIFORM.get_or_init(|| Self::tabulate(uniform)),
            PressureShape::Hertz => HERTZ.get_or_init(|| Self::tabulate(hertz)),
        }
    }

    fn tabulate(of: fn(f64) -> [f64; 2]) -> Self {
        let mut disc = Self {
            sliding: Vec::with_capacity(INTERVALS + 1),
            spinning: Vec::with_capacity(INTERVALS + 1),
            limit: Vec::with_capacity(INTERVALS + 1),
            torque_at_rest: of(0.0)[1],
        };
        for index in 0..=INTERVALS {
            let place = (index as f64 / INTERVALS as f64).clamp(1e-7, 1.0 - 1e-7);
            let ratio = place / (1.0 - place);
            let root = (1.0 + ratio * ratio).sqrt();
            let [force, torque] = of(ratio);
            disc.sliding.push(force * root / ratio);
            disc.spinning.push(torque * root);
        }
        for index in 0..=INTERVALS {
            disc.limit.push(disc.distance(index as f64 / INTERVALS as f64));
        }
        disc
    }

    /// The distance of the curve in one direction, by bisection.
    fn distance(&self, share: f64) -> f64 {
        let [mut low, mut high] = [0.0, 1.0];
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let [force, torque] = self.normalised(middle);
            if torque > share * (force + torque) {
                low = middle;
            } else {
                high = middle;
            }
        }
        let [force, torque] = self.normalised(0.5 * (low + high));
        force.hypot(torque)
    }

    /// F and 𝒯/𝒯(0) at `λ/(1+λ)`.
    fn normalised(&self, place: f64) -> [f64; 2] {
        let rest = 1.0 - place;
        let root = (place * place + rest * rest).sqrt();
        [
            interpolate(&self.sliding, place) * place / root,
            interpolate(&self.spinning, place) * rest / root / self.torque_at_rest,
        ]
    }

    /// F and 𝒯 over their shares in the motion, for the speeds of sliding and of the rim.
    #[inline(always)]
    pub(super) fn coefficients(&self, sliding: f64, rim: f64) -> [f64; 2] {
        let place = sliding / (sliding + rim).max(f64::MIN_POSITIVE);
        [interpolate(&self.sliding, place), interpolate(&self.spinning, place)]
    }

    /// F and 𝒯 to which a trial force and torque beyond the curve are brought back, both in units of
    /// the limits: the nearest point in the measure of the elastic energy, with a torsional stiffness
    /// of half the tangential one times a². There the slip that is lost is to the twist that is lost
    /// as λ: force and torque of a steady motion are those of its velocities.
    pub(super) fn nearest(&self, force: f64, torque: f64) -> [f64; 2] {
        let at = |place: f64| {
            let [sliding, turning] = self.normalised(place);
            let turning = turning * self.torque_at_rest;
            let miss = (1.0 - place) * (force - sliding) - 2.0 * place * (torque - turning);
            ([sliding, turning], miss)
        };
        // regula falsi with the weight of an end that stays halved (Illinois)
        let [mut low, mut high] = [0.0, 1.0];
        let (mut at_low, mut at_high) = (force, -2.0 * torque);
        let mut last = if at_high == 0.0 { high } else { low };
        for _ in 0..MOST_TRIES {
            if at_low - at_high <= 0.0 || high - low < PRECISION {
                break;
            }
            let place = (low * at_high - high * at_low) / (at_high - at_low);
            let place = if place > low && place < high { place } else { 0.5 * (low + high) };
            let (_, miss) = at(place);
            last = place;
            if miss.abs() < PRECISION {
                break;
            }
            if miss > 0.0 {
                (low, at_low, at_high) = (place, miss, 0.5 * at_high);
            } else {
                (high, at_high, at_low) = (place, miss, 0.5 * at_low);
            }
        }
        at(last).0
    }

    /// How far the limit is, in units of μN, in the direction of a force and of a torque over
    /// `a 𝒯(0)`.
    #[inline(always)]
    pub(super) fn limit(&self, force: f64, torque: f64) -> f64 {
        interpolate(&self.limit, torque / (force + torque).max(f64::MIN_POSITIVE))
    }
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

/// F and 𝒯 of a uniform disc; by their series where the closed forms cancel.
fn uniform(ratio: f64) -> [f64; 2] {
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
fn hertz(ratio: f64) -> [f64; 2] {
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
        // Farkas et al.: both motions stop together at the ratio where F = 2 λ 𝒯
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

    /// Direct integration over the disc in polar coordinates about the centre of rotation's axis.
    fn quadrature(ratio: f64, hertzian: bool) -> [f64; 2] {
        let (rings, angles) = (800, 800);
        let mut sum = [0.0; 2];
        for ring in 0..rings {
            // r = sin φ takes the root out of Hertz's pressure
            let angle = (ring as f64 + 0.5) / rings as f64 * FRAC_PI_2;
            let (radius, slope) = (angle.sin(), angle.cos());
            let pressure = if hertzian { 1.5 / PI * angle.cos() } else { 1.0 / PI };
            for place in 0..angles {
                let around = (place as f64 + 0.5) / angles as f64 * 2.0 * PI;
                let velocity = [ratio - radius * around.sin(), radius * around.cos()];
                let speed = velocity[0].hypot(velocity[1]).max(1e-300);
                let area = radius * slope * FRAC_PI_2 / rings as f64 * 2.0 * PI / angles as f64;
                let moment = radius * (around.cos() * velocity[1] - around.sin() * velocity[0]);
                sum[0] += pressure * area * velocity[0] / speed;
                sum[1] += pressure * area * moment / speed;
            }
        }
        sum
    }

    #[test]
    fn the_tables_are_the_integrals_over_the_disc() {
        for (pressure, hertzian) in [(PressureShape::Uniform, false), (PressureShape::Hertz, true)]
        {
            let disc = Disc::new(pressure);
            for ratio in [0.03, 0.3, 0.65, 0.95, 1.05, 1.7, 4.0, 30.0] {
                let [force, torque] = quadrature(ratio, hertzian);
                let root = f64::hypot(1.0, ratio);
                let [sliding, spinning] = disc.coefficients(ratio, 1.0);
                // the kink where the disc is at rest costs the quadrature some digits
                assert!((sliding * ratio / root - force).abs() < 3e-6, "{ratio} {force}");
                assert!((spinning / root - torque).abs() < 3e-6, "{ratio} {torque}");
                let normal = torque / disc.torque_at_rest;
                assert!((disc.limit(force, normal) - force.hypot(normal)).abs() < 5e-6, "{ratio}");
            }
        }
    }

    #[test]
    fn the_tables_keep_to_the_closed_forms_within_a_millionth() {
        let disc = Disc::new(PressureShape::Uniform);
        for index in 1..20_000 {
            let place = f64::from(index) / 20_000.0;
            let ratio = place / (1.0 - place);
            let root = f64::hypot(1.0, ratio);
            let [force, torque] = uniform(ratio);
            let [sliding, spinning] = disc.coefficients(ratio, 1.0);
            assert!((sliding * ratio / root - force).abs() < 1e-6, "{ratio}");
            assert!((spinning / root - torque).abs() < 1e-6, "{ratio}");
        }
    }
}
