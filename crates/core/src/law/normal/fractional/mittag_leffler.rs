//! The free impact of a spring-pot in closed form, and the order for a given restitution.
//!
//! `m* δ'' + c D^α δ = 0` from δ = 0 at speed v has, with b = 2 - α and τ = t (c/m*)^{1/b},
//! `δ = v t E_{b,2}(-τ^b)`, `δ' = v E_{b,1}(-τ^b)` and the force `c v t^{1-α} E_{b,b}(-τ^b)`. The
//! restitution depends on the order alone.

/// Orders from which a free contact with tension never ends: `E_{2-α,2}(-x)` has no positive zero.
pub const LARGEST_ORDER_THAT_PARTS: f64 = 0.400_884_793_677;

/// `E_{a,b}(-x)` by its series, for x up to about ten, where cancellation loses some four of sixteen digits.
fn mittag_leffler(a: f64, b: f64, x: f64) -> f64 {
    let mut sum = 0.0;
    for index in 0..200 {
        let power = f64::from(index);
        let size = libm::exp(power * libm::log(x) - libm::lgamma(a * power + b));
        sum += if index % 2 == 0 { size } else { -size };
        if size < 1e-18 && a * power > 2.0 * x {
            break;
        }
    }
    sum
}

/// End of a contact: at zero overlap, or at zero force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Overlap,
    Force,
}

/// Restitution of a free impact with a spring-pot of this order; zero if it does not end.
pub(super) fn restitution(order: f64, end: End) -> f64 {
    if order <= 0.0 {
        return 1.0;
    }
    if order >= 1.0 || (end == End::Overlap && order >= LARGEST_ORDER_THAT_PARTS) {
        return 0.0;
    }
    let b = 2.0 - order;
    let second = if end == End::Overlap { 2.0 } else { b };
    let ending = |time: f64| mittag_leffler(b, second, libm::pow(time, b));
    // the first zero is after the largest overlap; see the table in docs/laws/fractional.md
    const INTERVAL: f64 = 0.02;
    const LATEST: f64 = 12.0;
    let mut time = 1.5;
    while ending(time + INTERVAL) > 0.0 && time < LATEST {
        time += INTERVAL;
    }
    if time >= LATEST {
        return 0.0;
    }
    let (mut before, mut after) = (time, time + INTERVAL);
    for _ in 0..60 {
        let middle = 0.5 * (before + after);
        if ending(middle) > 0.0 { before = middle } else { after = middle }
    }
    (-mittag_leffler(b, 1.0, libm::pow(before, b))).max(0.0)
}

/// The order whose free impact has this restitution, which decreases with the order.
pub(super) fn order_of(target: f64, end: End) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if restitution(middle, end) > target { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_cases_are_elementary_functions() {
        for x in [0.1f64, 1.0, 5.0] {
            // E_{1,1}(-x) = e^{-x}, E_{2,1}(-x²) = cos x, E_{2,2}(-x²) = sin x / x
            assert!((mittag_leffler(1.0, 1.0, x) - (-x).exp()).abs() < 1e-13);
            assert!((mittag_leffler(2.0, 1.0, x * x) - x.cos()).abs() < 1e-13);
            assert!((mittag_leffler(2.0, 2.0, x * x) - x.sin() / x).abs() < 1e-13);
        }
    }

    /// Order, restitution at zero force, restitution at zero overlap: an independent computation by a series with sixty
    /// digits, rounded to five digits.
    const TABLE: [[f64; 3]; 6] = [
        [0.01, 0.98103, 0.98086],
        [0.09, 0.83766, 0.82378],
        [0.1, 0.82075, 0.80361],
        [0.3, 0.52505, 0.36180],
        [0.4, 0.40456, 0.02281],
        [0.85, 0.04918, 0.0],
    ];

    #[test]
    fn the_restitution_is_that_of_the_table_and_leads_back_to_the_order() {
        for [order, at_force, at_overlap] in TABLE {
            for (end, expected) in [(End::Force, at_force), (End::Overlap, at_overlap)] {
                let found = restitution(order, end);
                assert!((found - expected).abs() < 6e-6, "{order} {end:?}: {found}");
                if found > 0.0 {
                    assert!((order_of(found, end) - order).abs() < 1e-9, "{order}");
                }
            }
        }
    }

    #[test]
    fn the_restitution_falls_with_the_order() {
        for end in [End::Force, End::Overlap] {
            let all: Vec<f64> = (1..100).map(|i| restitution(0.01 * f64::from(i), end)).collect();
            assert!(all.windows(2).all(|two| two[1] < two[0] || two == [0.0, 0.0]), "{all:?}");
        }
    }
}
