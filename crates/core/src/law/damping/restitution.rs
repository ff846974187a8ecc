//! Damping ratio from the coefficient of restitution.
//!
//! With `d = 2 ξ √(m* k)`, k the tangent stiffness of a force `~ δ^p`, the substitution `y ~ δ^{(p+1)/2}` transforms
//! the phase plane of an impact into that of a linear spring with the ratio `ζ = ξ √(2p/(p+1))`, at every speed. The
//! repulsive force ends where |dδ/dt| is largest, in both planes, so both relations of the linear spring apply:
//!
//! - with tension, the contact ends at zero overlap: `ln e = -π ζ/√(1-ζ²)`;
//! - with a cut-off, the contact ends at zero force (Schwager & Pöschel 2007): `ln e = -(π-2φ) tan φ` with `ζ = sin φ`
//!   below one, -2 at one, `-2u/tanh u` with `ζ = cosh u` above.
//!
//! The second is inverted by bisection. Checked in `tests/restitution.rs`.

use super::TensileCutoff;
use std::f64::consts::{FRAC_PI_2, PI};

/// ξ in `d = 2 ξ √(m* k)` of a contact with a force proportional to the overlap to the power of `force_exponent` (1
/// linear, 3/2 Hertz) whose free impacts have this restitution, above 0 and up to 1. Without cohesion and other forces
/// it is exact for a power law.
///
/// ```
/// use esker::law::damping::{TensileCutoff, ratio_of_restitution};
///
/// let ratio = ratio_of_restitution(0.5, TensileCutoff::Keep, 1.0);
/// // a linear spring with tension: ln e = -π ξ/√(1-ξ²)
/// let restitution = (-std::f64::consts::PI * ratio / (1.0 - ratio * ratio).sqrt()).exp();
/// assert!((restitution - 0.5).abs() < 1e-9);
/// ```
pub fn ratio_of_restitution(restitution: f64, tension: TensileCutoff, force_exponent: f64) -> f64 {
    let ratio = match tension {
        TensileCutoff::Keep => ratio_with_tension(restitution),
        TensileCutoff::Clip | TensileCutoff::Release => {
            ratio_without_tension(-libm::log(restitution))
        }
    };
    ((force_exponent + 1.0) / (2.0 * force_exponent)).sqrt() * ratio
}

/// `ζ = -ln e / √(π² + ln² e)`.
fn ratio_with_tension(restitution: f64) -> f64 {
    let logarithm = libm::log(restitution);
    -logarithm / (PI * PI + logarithm * logarithm).sqrt()
}

/// ζ of a linear spring whose contact ends at zero force, from `l = -ln e`. The angle is measured from zero for small ζ
/// and from π/2 near ζ = 1, so that no digits are lost at either end.
fn ratio_without_tension(l: f64) -> f64 {
    if l < 1.0 {
        let angle = root(0.0, FRAC_PI_2, |angle| (PI - 2.0 * angle) * libm::tan(angle) < l);
        libm::sin(angle)
    } else if l < 2.0 {
        // falls with the angle
        let angle = root(0.0, FRAC_PI_2, |angle| 2.0 * angle / libm::tan(angle) > l);
        libm::cos(angle)
    } else {
        // 2u < 2u/tanh u
        let angle = root(0.0, 0.5 * l, |angle| 2.0 * angle / libm::tanh(angle) < l);
        libm::cosh(angle)
    }
}

/// The position at which `is_below` changes from true to false, by bisection to adjacent numbers; NaN bounds end it
/// immediately, since such parameters are refused elsewhere.
fn root(mut low: f64, mut high: f64, is_below: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = 0.5 * (low + high);
        if !(middle > low && middle < high) {
            return low;
        }
        if is_below(middle) { low = middle } else { high = middle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// e, ζ with tension, ζ without: an independent solution of the equation of motion, six digits.
    const TABLE: [[f64; 3]; 12] = [
        [0.95, 0.016325, 0.016498],
        [0.9, 0.033518, 0.034265],
        [0.8, 0.070850, 0.074355],
        [0.7, 0.112808, 0.122215],
        [0.6, 0.160493, 0.180858],
        [0.5, 0.215454, 0.255276],
        [0.4, 0.279998, 0.354508],
        [0.3, 0.357857, 0.497239],
        [0.2, 0.455950, 0.731247],
        [0.1, 0.591155, 1.243188],
        [0.05, 0.690107, 1.945346],
        [0.01, 0.826085, 4.806942],
    ];

    #[test]
    fn the_ratios_are_those_of_an_independent_solution() {
        for [restitution, with, without] in TABLE {
            let of = |tension| ratio_of_restitution(restitution, tension, 1.0);
            // half of the last digit
            assert!((of(TensileCutoff::Keep) - with).abs() <= 5e-7, "{restitution}");
            assert!((of(TensileCutoff::Clip) - without).abs() <= 5e-7, "{restitution}");
            assert_eq!(of(TensileCutoff::Clip), of(TensileCutoff::Release));
        }
    }

    #[test]
    fn the_restitution_of_a_ratio_leads_back_to_the_ratio() {
        let restitution = |ratio: f64| {
            let logarithm = if ratio < 1.0 {
                let angle = libm::asin(ratio);
                (PI - 2.0 * angle) * libm::tan(angle)
            } else {
                let angle = libm::acosh(ratio);
                2.0 * angle / libm::tanh(angle)
            };
            libm::exp(-logarithm)
        };
        for ratio in [1e-6, 1e-3, 0.2, 0.44, 0.46, 0.9, 0.999, 1.001, 1.5, 30.0, 1e6] {
            let found = ratio_of_restitution(restitution(ratio), TensileCutoff::Clip, 1.0);
            // e is rounded to a relative 1.1e-16, and -ln e with it: relative to -ln e = πζ for small ζ, and with a
            // slope dζ/d(ln e) below ζ/2 for large ζ
            let tolerance = ratio * (2e-15 + 1.1e-16 / ratio);
            assert!((found - ratio).abs() < tolerance, "{ratio}: {found}");
        }
        let critical = ratio_of_restitution(libm::exp(-2.0), TensileCutoff::Clip, 1.0);
        assert!((critical - 1.0).abs() < 1e-15, "{critical}");
    }

    #[test]
    fn the_ends_of_the_range_have_finite_ratios() {
        for tension in [TensileCutoff::Keep, TensileCutoff::Clip, TensileCutoff::Release] {
            assert_eq!(ratio_of_restitution(1.0, tension, 1.5), 0.0);
            assert!(ratio_of_restitution(f64::MIN_POSITIVE, tension, 1.5).is_finite());
        }
    }

    #[test]
    fn hertz_takes_root_five_sixths_of_the_ratio_of_a_spring() {
        for tension in [TensileCutoff::Keep, TensileCutoff::Clip] {
            let [spring, hertz] = [1.0, 1.5].map(|p| ratio_of_restitution(0.3, tension, p));
            assert_eq!(hertz, (5.0f64 / 6.0).sqrt() * spring);
        }
    }

    #[test]
    fn a_restitution_that_is_refused_elsewhere_has_a_ratio_soon() {
        for restitution in [-0.4, 0.0, f64::NAN, f64::INFINITY] {
            let _ = ratio_of_restitution(restitution, TensileCutoff::Clip, 1.5);
        }
    }
}
