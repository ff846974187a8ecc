//! Round numbers along an axis.

use libm::{ceil, floor, log10, pow};

/// Marks of a linear axis: multiples of 1, 2 or 5 times a power of ten, about `wanted` of them.
pub(crate) fn linear(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let rough = (high - low) / wanted.max(1) as f64;
    if !(rough.is_finite() && rough > 0.0) {
        return vec![low];
    }
    let power = pow(10.0, floor(log10(rough)));
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|&step| step >= rough * 0.999)
        .unwrap_or(10.0 * power);
    let (first, last) = (ceil(low / step - 1e-9), floor(high / step + 1e-9));
    let count = (last - first).clamp(0.0, 100.0) as usize;
    (0..=count).map(|mark| (first + mark as f64) * step).collect()
}

/// Ticks of a logarithmic axis and their texts: whole powers of ten, about `wanted` at most; if fewer than three lie
/// between the ends, also their multiples by 2 and 5.
pub(crate) fn logarithmic(low: f64, high: f64, wanted: usize) -> Vec<(f64, String)> {
    let (first, last) = (ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9));
    if last - first < 2.0 {
        let between = between_powers(low, high);
        // Without round numbers between the ends, the ends are ticks.
        let ends = || [low, high].map(|end| (end, label(end, end))).to_vec();
        return if between.len() < 2 { ends() } else { between };
    }
    let every = ceil((last - first + 1.0) / wanted.max(1) as f64).max(1.0);
    let count = ((last - first) / every).clamp(0.0, 100.0) as usize;
    (0..=count)
        .map(|mark| first + every * mark as f64)
        .map(|exponent| (pow(10.0, exponent), power_of_ten(exponent as i64)))
        .collect()
}

/// 1, 2 and 5 times powers of ten between two ends.
fn between_powers(low: f64, high: f64) -> Vec<(f64, String)> {
    let (first, last) = (floor(log10(low)) as i64, floor(log10(high) + 1e-9) as i64);
    let inside = |value: f64| value >= low * (1.0 - 1e-9) && value <= high * (1.0 + 1e-9);
    (first..=last)
        .flat_map(|exponent| [1.0, 2.0, 5.0].map(|factor| (factor, exponent)))
        .map(|(factor, exponent)| {
            let value = factor * pow(10.0, exponent as f64);
            let text = match (factor == 1.0, (-3..5).contains(&exponent)) {
                (_, true) => label(value, value),
                (true, false) => power_of_ten(exponent),
                (false, false) => format!("{factor}·{}", power_of_ten(exponent)),
            };
            (value, text)
        })
        .filter(|(value, _)| inside(*value))
        .collect()
}

fn power_of_ten(exponent: i64) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raise = |character: char| match character.to_digit(10) {
        Some(digit) => RAISED[digit as usize],
        None => '⁻',
    };
    let raised: String = exponent.to_string().chars().map(raise).collect();
    format!("10{raised}")
}

/// A mark as text, with as many digits as its neighbours need.
pub(crate) fn label(mark: f64, step: f64) -> String {
    let size = mark.abs().max(step.abs());
    if mark == 0.0 || mark.abs() < 1e-9 * step.abs() {
        return "0".to_string();
    }
    if !(1e-3..1e5).contains(&size) {
        // The number of digits follows from the ratio of tick and step.
        let digits = (log10(mark.abs()) + 1e-9).floor() - (log10(step.abs()) + 1e-9).floor();
        return format!("{mark:.*e}", digits.clamp(0.0, 6.0) as usize).replace('-', "−");
    }
    let digits = (-floor(log10(step.abs()) + 1e-9)).clamp(0.0, 9.0);
    format!("{mark:.*}", digits as usize).replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_within_the_axis() {
        assert_eq!(linear(0.0, 1.0, 5), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(linear(-3.0, 12.0, 4), [0.0, 5.0, 10.0]);
        assert_eq!(linear(2.0, 2.0, 4), [2.0]);
    }

    #[test]
    fn logarithmic_marks_are_powers_of_ten() {
        let texts = |low, high| -> Vec<String> {
            let marks = logarithmic(low, high, 9);
            marks.into_iter().map(|(_, text)| text).collect()
        };
        assert_eq!(texts(0.05, 200.0), ["10⁻¹", "10⁰", "10¹", "10²"]);
        assert_eq!(texts(2.0, 5.0), ["2", "5"]);
        assert_eq!(texts(2e7, 2e8), ["2·10⁷", "5·10⁷", "10⁸", "2·10⁸"]);
        assert_eq!(texts(0.09, 0.6), ["0.1", "0.2", "0.5"]);
        assert_eq!(texts(3.0, 4.0), ["3", "4"]);
        assert_eq!(texts(1e-12, 1e12).len(), 9);
    }

    #[test]
    fn labels_have_no_more_digits_than_the_step() {
        assert_eq!(label(0.6000000000000001, 0.2), "0.6");
        assert_eq!(label(15.0, 5.0), "15");
        assert_eq!(label(-2.0e-7, 1.0e-7), "−2e−7");
        assert_eq!(label(1.5e-6, 5.0e-7), "1.5e−6");
        assert_eq!(label(0.0, 1.0), "0");
    }
}
