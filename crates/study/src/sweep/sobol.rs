//! The Sobol' sequence: points that fill the unit cube more evenly than random ones.
//!
//! I. M. Sobol', "On the distribution of points in a cube" (1967), in the order of Gray's code (Antonov & Saleev 1979),
//! with the primitive polynomials and initial direction numbers of S. Joe & F. Y. Kuo, "Constructing Sobol sequences
//! with better two-dimensional projections" (2008), set D⁽⁶⁾. A digital shift by the seed moves the points and
//! preserves their uniformity.
//!
//! Hand-written: the maintained crate sobol_burley has single precision and at most 2^16 points.

use esker::random::{Draws, Purpose};

/// Bits of a coordinate; the longest sequence has 2^BITS points.
const BITS: u32 = 32;

/// Degree, inner coefficients and first direction numbers m of each dimension after the first.
#[rustfmt::skip]
const DIRECTIONS: [(u32, u32, &[u32]); MOST_DIMENSIONS - 1] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
    (5, 11, &[1, 1, 5, 1, 1]),
    (5, 13, &[1, 1, 1, 3, 11]),
    (5, 14, &[1, 3, 5, 5, 31]),
    (6, 1, &[1, 3, 3, 9, 7, 49]),
    (6, 13, &[1, 1, 1, 15, 21, 21]),
    (6, 16, &[1, 3, 1, 13, 27, 49]),
    (6, 19, &[1, 1, 1, 15, 7, 5]),
    (6, 22, &[1, 3, 1, 15, 13, 25]),
    (6, 25, &[1, 1, 5, 5, 19, 61]),
    (7, 1, &[1, 3, 7, 11, 23, 15, 103]),
    (7, 4, &[1, 3, 7, 13, 13, 15, 69]),
    (7, 7, &[1, 1, 3, 13, 7, 35, 63]),
    (7, 8, &[1, 3, 5, 9, 1, 25, 53]),
    (7, 14, &[1, 3, 1, 13, 9, 35, 107]),
    (7, 19, &[1, 3, 1, 5, 27, 61, 31]),
    (7, 21, &[1, 1, 5, 11, 19, 41, 61]),
    (7, 28, &[1, 3, 5, 3, 3, 13, 69]),
    (7, 31, &[1, 1, 7, 13, 1, 19, 1]),
    (7, 32, &[1, 3, 7, 5, 13, 19, 59]),
    (7, 37, &[1, 1, 3, 9, 25, 29, 41]),
    (7, 41, &[1, 3, 5, 13, 23, 1, 55]),
    (7, 42, &[1, 3, 7, 3, 13, 59, 17]),
    (7, 50, &[1, 3, 1, 3, 5, 53, 69]),
    (7, 55, &[1, 1, 5, 5, 23, 33, 13]),
    (7, 56, &[1, 1, 7, 7, 1, 61, 123]),
    (7, 59, &[1, 1, 7, 9, 13, 61, 49]),
    (7, 62, &[1, 3, 3, 5, 3, 55, 33]),
    (8, 14, &[1, 3, 1, 15, 31, 13, 49, 245]),
    (8, 21, &[1, 3, 5, 15, 31, 59, 63, 97]),
    (8, 22, &[1, 3, 1, 11, 11, 11, 77, 249]),
];

/// Largest number of dimensions.
pub const MOST_DIMENSIONS: usize = 40;

/// The first `count` points in `dimensions` dimensions, shifted by a seed; a shorter sequence is the beginning of a
/// longer one.
pub fn points(count: usize, dimensions: usize, seed: u64) -> Vec<Vec<f64>> {
    let shift = |dimension: usize| {
        let draw = Draws::new(seed, Purpose::Design, dimension as u64).uniform(0);
        (draw * f64::from(2.0_f32.powi(BITS as i32))) as u32
    };
    sequence(count, dimensions, shift)
}

fn sequence(count: usize, dimensions: usize, shift: impl Fn(usize) -> u32) -> Vec<Vec<f64>> {
    let directions: Vec<[u32; BITS as usize]> = (0..dimensions).map(direction_numbers).collect();
    let mut state: Vec<u32> = (0..dimensions).map(shift).collect();
    let mut points = Vec::with_capacity(count);
    for index in 0..count {
        // The centre of the cell, so that no point lies on the boundary.
        let unit = |bits: &u32| (f64::from(*bits) + 0.5) / (1_u64 << BITS) as f64;
        points.push(state.iter().map(unit).collect());
        let bit = (index + 1).trailing_zeros() as usize;
        for (state, directions) in state.iter_mut().zip(&directions) {
            *state ^= directions[bit.min(BITS as usize - 1)];
        }
    }
    points
}

/// Direction numbers of a dimension as binary fractions: Joe & Kuo (2008), Eqs. (2) and (3).
fn direction_numbers(dimension: usize) -> [u32; BITS as usize] {
    let mut numbers = [0_u32; BITS as usize];
    if dimension == 0 {
        for (bit, number) in numbers.iter_mut().enumerate() {
            *number = 1 << (BITS as usize - 1 - bit);
        }
        return numbers;
    }
    let (degree, coefficients, first) = DIRECTIONS[dimension - 1];
    let degree = degree as usize;
    for bit in 0..BITS as usize {
        if bit < degree {
            numbers[bit] = first[bit] << (BITS as usize - 1 - bit);
            continue;
        }
        let before = numbers[bit - degree];
        numbers[bit] = before ^ (before >> degree);
        for inner in 1..degree {
            if coefficients >> (degree - 1 - inner) & 1 == 1 {
                numbers[bit] ^= numbers[bit - inner];
            }
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(count: usize, dimensions: usize) -> Vec<Vec<f64>> {
        sequence(count, dimensions, |_| 0)
    }

    /// The table in Joe & Kuo's notes on generating Sobol' sequences (2008), section 2: the first
    /// eight points of three dimensions.
    #[test]
    fn the_first_points_are_those_of_joe_and_kuo() {
        let expected = [
            [0.0, 0.0, 0.0],
            [0.5, 0.5, 0.5],
            [0.75, 0.25, 0.25],
            [0.25, 0.75, 0.75],
            [0.375, 0.375, 0.625],
            [0.875, 0.875, 0.125],
            [0.625, 0.125, 0.875],
            [0.125, 0.625, 0.375],
        ];
        for (point, expected) in plain(8, 3).iter().zip(expected) {
            for (coordinate, expected) in point.iter().zip(expected) {
                assert!((coordinate - expected).abs() < 1e-9, "{point:?} is not {expected:?}");
            }
        }
    }

    /// x has the order 2^degree − 1 modulo a primitive polynomial, and no smaller order.
    #[test]
    fn every_polynomial_is_primitive_and_every_first_number_is_odd_and_small() {
        for (degree, coefficients, first) in DIRECTIONS {
            assert_eq!(first.len(), degree as usize);
            let polynomial = 1 << degree | coefficients << 1 | 1;
            let (mut power, mut order) = (2_u32, 1_u32);
            if degree == 1 {
                power ^= polynomial;
            }
            while power != 1 {
                power <<= 1;
                if power >> degree & 1 == 1 {
                    power ^= polynomial;
                }
                order += 1;
                assert!(order < 1 << degree, "{polynomial:b}: no power of x is 1");
            }
            assert_eq!(order, (1 << degree) - 1, "{polynomial:b}");
            for (index, number) in first.iter().enumerate() {
                assert!(number % 2 == 1 && *number < 2 << index);
            }
        }
    }

    #[test]
    fn each_coordinate_has_one_point_in_each_of_1024_cells_with_any_seed() {
        for seed in [1, 77] {
            let points = points(1024, MOST_DIMENSIONS, seed);
            for dimension in 0..MOST_DIMENSIONS {
                let mut seen = [false; 1024];
                for point in &points {
                    let cell = (point[dimension] * 1024.0) as usize;
                    assert!(!std::mem::replace(&mut seen[cell], true));
                }
            }
        }
    }

    /// The first two dimensions are a (0, m, 2)-net: every box of area 2⁻⁸ contains one of 256 points.
    #[test]
    fn every_elementary_box_of_the_first_two_dimensions_holds_one_point() {
        let points = points(256, 2, 5);
        for split in 0..=8 {
            let (columns, rows) = (1 << split, 1 << (8 - split));
            let mut seen = vec![false; columns * rows];
            for point in &points {
                let column = (point[0] * columns as f64) as usize;
                let row = (point[1] * rows as f64) as usize;
                assert!(!std::mem::replace(&mut seen[row * columns + column], true));
            }
        }
    }

    #[test]
    fn a_longer_sequence_begins_with_the_shorter_one() {
        assert_eq!(points(50, 6, 3), points(200, 6, 3)[..50]);
        assert_ne!(points(50, 6, 3), points(50, 6, 4));
    }
}
