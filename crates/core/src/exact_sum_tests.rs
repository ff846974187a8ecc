//! Properties of exact sums.

use super::*;
use proptest::prelude::*;

fn sum(numbers: &[f64]) -> f64 {
    numbers.iter().copied().collect::<ExactSum>().value()
}

#[test]
fn one_number_is_its_own_sum() {
    for number in [0.0, 1.0, -1.5, f64::MAX, -f64::MAX, f64::MIN_POSITIVE, 5e-324, 1e-310, -0.1] {
        assert_eq!(sum(&[number]).to_bits(), number.to_bits());
    }
}

#[test]
fn large_numbers_that_cancel_leave_the_small_one() {
    assert_eq!(sum(&[1e308, 1.0, -1e308]), 1.0);
    assert_eq!(sum(&[5e-324, 1e308, -1e308]), 5e-324);
    assert_eq!(sum(&[1.0, 1e100, 1.0, -1e100]), 2.0);
}

#[test]
fn overflow_on_the_way_does_no_harm_and_at_the_end_gives_infinity() {
    assert_eq!(sum(&[f64::MAX, f64::MAX, -f64::MAX]), f64::MAX);
    assert_eq!(sum(&[f64::MAX, f64::MAX]), f64::INFINITY);
    assert_eq!(sum(&[-f64::MAX, -f64::MAX]), f64::NEG_INFINITY);
    // half a unit in the last place of the largest double rounds to infinity
    assert_eq!(sum(&[f64::MAX, libm::exp2(970.0)]), f64::INFINITY);
    assert_eq!(sum(&[f64::MAX, libm::exp2(969.0)]), f64::MAX);
}

#[test]
fn ties_go_to_the_even_neighbour() {
    let half = f64::EPSILON / 2.0;
    assert_eq!(sum(&[1.0, half]), 1.0);
    assert_eq!(sum(&[1.0, half, 5e-324]), 1.0 + f64::EPSILON);
    assert_eq!(sum(&[1.0 + f64::EPSILON, half]), 1.0 + 2.0 * f64::EPSILON);
    assert_eq!(sum(&[-1.0, -half]), -1.0);
}

#[test]
fn what_is_not_finite_stays_so() {
    assert!(sum(&[f64::NAN, 1.0]).is_nan());
    assert!(sum(&[f64::INFINITY, 1.0, f64::NEG_INFINITY]).is_nan());
    assert_eq!(sum(&[f64::INFINITY, -1e308]), f64::INFINITY);
    assert_eq!(sum(&[f64::NEG_INFINITY]), f64::NEG_INFINITY);
}

#[test]
fn carries_do_not_wait_too_long() {
    let mut total: ExactSum = [f64::MAX].into_iter().collect();
    // doubled by merging with itself: 2⁴⁰ times the largest double exceeds every limit of pending additions
    for _ in 0..40 {
        let copy = total.clone();
        total.merge(&copy);
    }
    let mut less: ExactSum = [-f64::MAX].into_iter().collect();
    for _ in 0..40 {
        let copy = less.clone();
        less.merge(&copy);
    }
    total.merge(&less);
    total.add(0.25);
    assert_eq!(total.value(), 0.25);
}

fn any_finite() -> impl Strategy<Value = f64> {
    any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |number| number.is_finite())
}

proptest! {
    #[test]
    fn any_order_gives_the_same_bits(
        (numbers, shuffled) in prop::collection::vec(any_finite(), 0..60)
            .prop_flat_map(|numbers| (Just(numbers.clone()), Just(numbers).prop_shuffle())),
    ) {
        prop_assert_eq!(sum(&numbers).to_bits(), sum(&shuffled).to_bits());
    }

    #[test]
    fn any_split_gives_the_same_bits(
        numbers in prop::collection::vec(any_finite(), 1..60), split in 0usize..60,
    ) {
        let (left, right) = numbers.split_at(split.min(numbers.len()));
        let mut merged: ExactSum = right.iter().copied().collect();
        merged.merge(&left.iter().copied().collect());
        prop_assert_eq!(merged.value().to_bits(), sum(&numbers).to_bits());
    }

    #[test]
    fn agrees_with_the_sum_of_whole_numbers(
        numbers in prop::collection::vec(-(1i64 << 53)..(1i64 << 53), 0..60), power in -1074i32..900,
    ) {
        let exact: i128 = numbers.iter().map(|&number| i128::from(number)).sum();
        // scaling by a power of two is exact for the added numbers; the sum rounds once, as `as` does, and if scaling
        // down loses bits (subnormal numbers) only unrounded numbers are added
        let scale = libm::ldexp(1.0, power);
        let scaled: Vec<f64> = numbers.iter().map(|&number| number as f64 * scale).collect();
        prop_assert_eq!(sum(&scaled), exact as f64 * scale);
    }

    #[test]
    fn agrees_with_two_numbers_added_by_the_machine(a in any_finite(), b in any_finite()) {
        prop_assert_eq!(sum(&[a, b]), a + b);
    }

    #[test]
    fn agrees_with_neighbours_added_by_the_machine(a in any_finite(), shift in -60i32..60, bits in any::<u64>()) {
        let b = libm::ldexp(f64::from_bits(bits & 0x800f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000), libm::ilogb(a).clamp(-1000, 960) + shift);
        prop_assert_eq!(sum(&[a, b]), a + b);
    }
}

#[test]
fn sums_added_word_by_word_are_sums_of_all_numbers() {
    let infinities = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let numbers = [1e300, -1e300, 3.5e-320, -2.0, 1e17, 1.0, -1e17, -f64::MAX, f64::MIN_POSITIVE];
    let cases: [&[f64]; 5] =
        [&numbers, &[], &infinities[..1], &infinities[..2], &[f64::NAN, f64::INFINITY]];
    for case in cases {
        let all: Vec<f64> = numbers.iter().chain(case).copied().collect();
        let mut words = [0; WORDS];
        for part in all.chunks(3) {
            let part: ExactSum = part.iter().copied().collect();
            words.iter_mut().zip(part.to_words()).for_each(|(sum, word)| *sum += word);
        }
        let (found, expected) =
            (ExactSum::from_words(&words).value(), all.into_iter().collect::<ExactSum>().value());
        assert_eq!(found.to_bits(), expected.to_bits());
    }
}
