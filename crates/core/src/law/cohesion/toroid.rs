//! The shape of a liquid bridge between two equal spheres as part of a torus, with wetting angle zero.
//!
//! Lengths in units of the sphere radius; Z is half the gap, ψ the half filling angle:
//! meridian radius `ρ₁ = (1 + Z - cos ψ)/cos ψ`, neck radius `ρ₂ = ((1 + Z)(sin ψ - 1) + cos ψ)/cos ψ`, volume as
//! a fraction of one sphere `Φ = 3/2 {ρ₁² [(1 + Z) - (ρ₁ + ρ₂)(π/2 - ψ)] - Z² (Z + 3)/3}`, pull
//! `ρ₂ (ρ₁ + ρ₂)/ρ₁` in units of π γ r. L(5)–(8) with docs/errata.md L-E4 and L-E7.

use crate::law::{Column, WIDTH};
use std::f64::consts::{FRAC_PI_2, PI};

/// Largest half filling angle of the search.
const WIDEST: f64 = 1.5;

/// ρ₁ and ρ₂.
fn radii(half_gap: f64, angle: f64) -> [f64; 2] {
    let (sine, cosine) = libm::sincos(angle);
    let half = libm::sin(0.5 * angle);
    let below_one = 2.0 * half * half; // 1 - cos ψ
    [(half_gap + below_one) / cosine, (sine - below_one - half_gap * (1.0 - sine)) / cosine]
}

/// Φ of a bridge.
fn volume(half_gap: f64, angle: f64) -> f64 {
    let [meridian, neck] = radii(half_gap, angle);
    let body = (1.0 + half_gap) - (meridian + neck) * (FRAC_PI_2 - angle);
    1.5 * (meridian * meridian * body - half_gap * half_gap * (half_gap + 3.0) / 3.0)
}

/// The half filling angle of a bridge of volume Φ. While the bridge exists, there is exactly one between the angle at
/// which the neck closes, `2 atan(1 + Z) - π/2`, and `WIDEST`; otherwise the nearer end is returned. Regula falsi with
/// halving (Illinois), to a billionth of the bracket.
pub(super) fn filling_angle(half_gap: f64, wanted: f64) -> f64 {
    let mut low = 2.0 * libm::atan(1.0 + half_gap) - FRAC_PI_2;
    let mut high = WIDEST;
    let mut below = volume(half_gap, low) - wanted;
    let mut above = volume(half_gap, high) - wanted;
    if below >= 0.0 {
        return low;
    }
    if above <= 0.0 {
        return high;
    }
    let mut last = 0;
    for _ in 0..200 {
        let middle = (low * above - high * below) / (above - below);
        let miss = volume(half_gap, middle) - wanted;
        if miss < 0.0 {
            (low, below) = (middle, miss);
            above *= if last == -1 { 0.5 } else { 1.0 };
            last = -1;
        } else {
            (high, above) = (middle, miss);
            below *= if last == 1 { 0.5 } else { 1.0 };
            last = 1;
        }
        if miss.abs() <= 1e-15 * wanted || high - low <= 1e-14 * high {
            return middle;
        }
    }
    0.5 * (low + high)
}

/// The attraction of a bridge in units of π γ r.
pub(super) fn pull(half_gap: f64, volume: f64) -> f64 {
    let [meridian, neck] = radii(half_gap, filling_angle(half_gap, volume));
    neck * (meridian + neck) / meridian
}

/// The half gap at which a bridge of volume Φ breaks: the gap is the cube root of its volume (Lian,
/// Thornton & Adams 1993, wetting angle zero), `Z = ½ (4π/3 Φ)^{1/3}`.
pub(super) fn rupture(volume: f64) -> f64 {
    0.5 * libm::cbrt(4.0 / 3.0 * PI * volume)
}

/// Number of terms along the gap and along the ratio of radii.
const GAP_TERMS: usize = 20;
const RATIO_TERMS: usize = 6;

/// The attraction by bridges of one liquid volume between any two bodies, and its integral.
///
/// With `z = √Φ` the variable `t = (Z/(Z + z)) / (Z_r/(Z_r + z))` goes from zero at contact to one at rupture, and the
/// attraction times dZ/dt is a smooth function that 20 × 6 terms approximate to a relative error of 10⁻⁵ (10⁻⁶ for Φ ≥
/// 10⁻⁶). The integral is taken term by term, so that the force is exactly conservative.
#[derive(Debug, Clone)]
pub(super) struct Table {
    /// √Φ and half gap at rupture of equal bodies.
    root: f64,
    rupture: f64,
    /// Chebyshev coefficients along t, each a polynomial of the ratio.
    density: [[f64; RATIO_TERMS]; GAP_TERMS],
    integral: [[f64; RATIO_TERMS]; GAP_TERMS + 1],
}

impl Table {
    /// For a volume Φ, as a fraction of the smaller body.
    pub(super) fn new(volume: f64) -> Self {
        let mut values = [[0.0; RATIO_TERMS]; GAP_TERMS];
        let integral = [[0.0; RATIO_TERMS]; GAP_TERMS + 1];
        let mut table =
            Self { root: volume.sqrt(), rupture: rupture(volume), density: values, integral };
        for (j, ratio) in nodes::<RATIO_TERMS>().into_iter().enumerate() {
            let point = table.point(0.75 + 0.25 * ratio, 0.0);
            for (i, node) in nodes::<GAP_TERMS>().into_iter().enumerate() {
                let t = 0.5 * (1.0 + node);
                let half_gap = point.half_gap(t);
                values[i][j] = pull(half_gap, point.volume(volume)) * point.stretch(t);
            }
        }
        // from values at the nodes to coefficients, along the gap, then along the ratio
        let mut along = [[0.0; RATIO_TERMS]; GAP_TERMS];
        for j in 0..RATIO_TERMS {
            let column: [f64; GAP_TERMS] = std::array::from_fn(|i| values[i][j]);
            for (i, value) in coefficients(&column).into_iter().enumerate() {
                along[i][j] = value;
            }
        }
        for (target, row) in table.density.iter_mut().zip(&along) {
            *target = monomials(&coefficients(row));
        }
        table.integrate();
        table
    }

    /// Integrates from t to one: `∫ T_k` of Chebyshev polynomials, with dt = du/2.
    fn integrate(&mut self) {
        for j in 0..RATIO_TERMS {
            let own = |k: usize| if k < GAP_TERMS { self.density[k][j] } else { 0.0 };
            let mut sums = [0.0; GAP_TERMS + 1];
            for (k, sum) in sums.iter_mut().enumerate().skip(1) {
                let before = if k == 1 { 2.0 * own(0) } else { own(k - 1) };
                *sum = -0.5 * (before - own(k + 1)) / (2.0 * k as f64);
            }
            // zero at u = 1, where every polynomial is one
            sums[0] = -sums[1..].iter().sum::<f64>();
            for (k, sum) in sums.into_iter().enumerate() {
                self.integral[k][j] = sum;
            }
        }
    }

    /// The point of the table for this ratio of the smaller radius to the harmonic mean, from ½ at a wall to one, and
    /// this half gap.
    #[inline(always)]
    pub(super) fn point(&self, ratio: f64, half_gap: f64) -> Point {
        let scale = self.root * ratio * ratio.sqrt();
        let rupture = self.rupture * ratio;
        let last = rupture / (rupture + scale);
        let t = half_gap / (half_gap + scale) / last;
        Point { ratio, scale, rupture, last, t: t.min(1.0) }
    }

    /// The attraction at given points in units of π γ R_h.
    #[inline(always)]
    pub(super) fn pull(&self, points: &Points) -> Column {
        let mut pull = clenshaw(&self.density, points);
        for c in 0..WIDTH {
            pull[c] *= points.steepness[c];
        }
        pull
    }

    /// The integral of the attraction over Z from given points to rupture.
    #[inline(always)]
    pub(super) fn work(&self, points: &Points) -> Column {
        clenshaw(&self.integral, points)
    }
}

/// Points of a table, by lane: its two variables from -1 to 1, and dt/dZ.
#[derive(Debug, Clone)]
pub(super) struct Points {
    x: Column,
    u: Column,
    steepness: Column,
}

impl Points {
    pub(super) const ZERO: Self =
        Self { x: [0.0; WIDTH], u: [0.0; WIDTH], steepness: [0.0; WIDTH] };

    /// Sets one lane.
    #[inline(always)]
    pub(super) fn set(&mut self, c: usize, point: &Point) {
        let left = 1.0 - point.t * point.last;
        self.x[c] = 4.0 * point.ratio - 3.0;
        self.u[c] = 2.0 * point.t - 1.0;
        self.steepness[c] = (left * left) / (point.scale * point.last);
    }

    /// The same point in every lane.
    pub(super) fn all(point: &Point) -> Self {
        let mut points = Self::ZERO;
        (0..WIDTH).for_each(|c| points.set(c, point));
        points
    }
}

/// A point of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    ratio: f64,
    scale: f64,
    /// Half gap of rupture.
    pub rupture: f64,
    last: f64,
    t: f64,
}

impl Point {
    fn half_gap(&self, t: f64) -> f64 {
        let fraction = t * self.last;
        self.scale * fraction / (1.0 - fraction)
    }

    /// dZ/dt.
    fn stretch(&self, t: f64) -> f64 {
        let left = 1.0 - t * self.last;
        self.scale * self.last / (left * left)
    }

    fn volume(&self, volume: f64) -> f64 {
        volume * self.ratio * self.ratio * self.ratio
    }
}

/// Sums of Chebyshev polynomials of `2t - 1` whose coefficients are polynomials of the ratio. Lanes are
/// the inner loop, so that they are evaluated in parallel.
#[inline(always)]
fn clenshaw<const N: usize>(table: &[[f64; RATIO_TERMS]; N], points: &Points) -> Column {
    let (mut last, mut before) = ([0.0; WIDTH], [0.0; WIDTH]);
    for row in table.iter().rev() {
        for c in 0..WIDTH {
            let x = points.x[c];
            let mut coefficient = row[RATIO_TERMS - 1];
            for term in row[..RATIO_TERMS - 1].iter().rev() {
                coefficient = coefficient * x + term;
            }
            let next = coefficient + 2.0 * points.u[c] * last[c] - before[c];
            before[c] = last[c];
            last[c] = next;
        }
    }
    for c in 0..WIDTH {
        last[c] -= points.u[c] * before[c];
    }
    last
}

/// The zeros of the Chebyshev polynomial of degree N.
fn nodes<const N: usize>() -> [f64; N] {
    std::array::from_fn(|i| libm::cos(PI * (i as f64 + 0.5) / N as f64))
}

/// Chebyshev coefficients from values at the nodes; the first one is halved already.
fn coefficients<const N: usize>(values: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|k| {
        let sum: f64 = values
            .iter()
            .enumerate()
            .map(|(i, value)| value * libm::cos(PI * k as f64 * (i as f64 + 0.5) / N as f64))
            .sum();
        sum * if k == 0 { 1.0 } else { 2.0 } / N as f64
    })
}

/// From Chebyshev coefficients to those of powers.
fn monomials(chebyshev: &[f64; RATIO_TERMS]) -> [f64; RATIO_TERMS] {
    let mut powers = [0.0; RATIO_TERMS];
    let mut before = [0.0; RATIO_TERMS];
    let mut present = [0.0; RATIO_TERMS];
    present[0] = 1.0;
    for (k, coefficient) in chebyshev.iter().enumerate() {
        for (sum, power) in powers.iter_mut().zip(&present) {
            *sum += coefficient * power;
        }
        // T_{k+1} = 2x T_k - T_{k-1}, and T_1 = x
        let factor = if k == 0 { 1.0 } else { 2.0 };
        let mut next = before.map(|value| -value);
        for power in 1..RATIO_TERMS {
            next[power] += factor * present[power - 1];
        }
        (before, present) = (present, next);
    }
    powers
}

#[cfg(test)]
#[path = "toroid_tests.rs"]
mod tests;
