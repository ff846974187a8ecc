//! Step levels: sixteen lengths per octave, with the same bits on every machine.

/// Levels per octave.
const LEVELS: i32 = 16;

/// 2^(i/16).
const FACTORS: [f64; LEVELS as usize] = [
    1.0,
    1.044_273_782_427_413_8,
    1.090_507_732_665_257_7,
    1.138_788_634_756_691_6,
    1.189_207_115_002_721,
    1.241_857_812_073_484,
    1.296_839_554_651_009_6,
    1.354_255_546_936_892_7,
    std::f64::consts::SQRT_2,
    1.476_826_145_939_499_3,
    1.542_210_825_407_940_7,
    1.610_490_331_949_254_3,
    1.681_792_830_507_429,
    1.756_252_160_373_299_5,
    1.834_008_086_409_342_4,
    1.915_206_561_397_147_4,
];

/// The highest level whose step is not above `want` [s], which is positive and finite.
pub(crate) fn level_below(want: f64) -> i32 {
    let (fraction, exponent) = libm::frexp(want);
    // the fraction is at least a half and below one
    let index = FACTORS.iter().rposition(|factor| *factor <= 2.0 * fraction).unwrap_or(0);
    LEVELS * (exponent - 1) + index as i32
}

/// The step of a level [s].
pub(crate) fn step_of_level(level: i32) -> f64 {
    libm::ldexp(FACTORS[level.rem_euclid(LEVELS) as usize], level.div_euclid(LEVELS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_below_and_the_next_one_above() {
        for power in -60..3 {
            for index in 0..97 {
                let want = libm::exp2(f64::from(power) + f64::from(index) / 97.0);
                let level = level_below(want);
                assert!(
                    step_of_level(level) <= want && want < step_of_level(level + 1),
                    "{want:e}"
                );
            }
            let exact = libm::exp2(f64::from(power));
            assert_eq!(step_of_level(level_below(exact)), exact);
        }
    }

    #[test]
    fn sixteen_levels_double_the_step() {
        let ratio = step_of_level(-121) / step_of_level(-122);
        assert!((ratio.powi(16) - 2.0).abs() < 1e-12);
        assert_eq!(step_of_level(-112), 2.0 * step_of_level(-128));
    }
}
