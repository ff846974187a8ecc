//! Colours of particles and of lines in plots.
//!
//! The colour scale is a path through Oklab (B. Ottosson, *A perceptual color space for image processing*, 2020), in
//! which equal distances appear equal: the lightness increases uniformly from dark to bright, so that the scale also
//! works in grey and with colour blindness.

use esker::measure::{ParticleView, Snapshot};
use libm::{cos, pow, sin};

/// Red, green and blue in linear light, 0 to 1.
pub(crate) type Light = [f32; 3];

/// Colours that can be distinguished with colour blindness (M. Okabe and K. Ito, *Color universal design*, 2008),
/// without their black and yellow: blue, vermillion, green, purple, orange, sky.
pub(crate) const DISTINCT: [[u8; 3]; 6] =
    [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [230, 159, 0], [86, 180, 233]];

/// Fraction of the particles that may lie beyond the end of the scale, so that one fast grain does not make all others
/// appear at rest.
const BEYOND_SCALE: f64 = 0.01;

/// The quantity shown by the colour of a particle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColorBy {
    /// Magnitude of the velocity [m/s].
    #[default]
    Speed,
    /// Radius [m].
    Radius,
    /// Its group.
    Group,
}

impl ColorBy {
    /// The ends of a scale for a snapshot. Pictures to be compared need a common scale: take the smallest and the
    /// largest end.
    pub fn range(self, snapshot: &Snapshot) -> (f64, f64) {
        let mut values: Vec<f64> = snapshot.particles.iter().map(|p| self.value(p)).collect();
        values.retain(|value| value.is_finite());
        values.sort_by(f64::total_cmp);
        let (Some(&low), Some(&high)) = (values.first(), values.last()) else {
            return (0.0, 1.0);
        };
        match self {
            Self::Speed => {
                let index = (1.0 - BEYOND_SCALE) * (values.len() - 1) as f64;
                (0.0, values[index.ceil() as usize])
            }
            Self::Radius | Self::Group => (low, high),
        }
    }

    /// The quantity and its range, for the caption of a picture.
    pub fn caption(self, (low, high): (f64, f64)) -> String {
        match self {
            Self::Speed => {
                format!("speed from {} (dark) to {} m/s (bright)", short(low), short(high))
            }
            Self::Radius if low == high => format!("radius {} m", short(low)),
            Self::Radius => {
                format!("radius from {} (dark) to {} m (bright)", short(low), short(high))
            }
            Self::Group => "colour by group".to_string(),
        }
    }

    fn value(self, particle: &ParticleView) -> f64 {
        match self {
            Self::Speed => particle.velocity.length(),
            Self::Radius => particle.radius,
            Self::Group => f64::from(particle.group.number()),
        }
    }

    pub(crate) fn color(self, particle: &ParticleView, (low, high): (f64, f64)) -> Light {
        if self == Self::Group {
            let color = DISTINCT[particle.group.index() % DISTINCT.len()];
            return color.map(from_srgb);
        }
        if high <= low {
            return perceptual_color(0.5);
        }
        perceptual_color((self.value(particle) - low) / (high - low))
    }
}

/// The colour of a group in pictures (sRGB).
pub fn group_color(index: usize) -> [u8; 3] {
    DISTINCT[index % DISTINCT.len()]
}

/// A number with three digits.
pub(crate) fn short(number: f64) -> String {
    if number == 0.0 {
        return "0".to_string();
    }
    if (0.01..10_000.0).contains(&number.abs()) {
        let digits = (2.0 - libm::floor(libm::log10(number.abs()))).max(0.0);
        format!("{number:.*}", digits as usize)
    } else {
        format!("{number:.2e}")
    }
}

/// The colour scale from 0 (dark violet) over blue and green to 1 (bright yellow), in linear light.
pub fn perceptual_color(position: f64) -> [f32; 3] {
    let position = if position.is_finite() { position.clamp(0.0, 1.0) } else { 1.0 };
    let lightness = 0.36 + 0.54 * position;
    // From violet (300°) over blue and green to yellow (102°).
    let hue = (298.0 - 196.0 * position).to_radians();
    // Violet and yellow can be saturated in sRGB, the blue-green between them cannot.
    let chroma = 0.115 + 0.16 * (position - 0.45) * (position - 0.45);
    oklab_to_light(lightness, chroma * cos(hue), chroma * sin(hue))
}

/// Oklab to linear sRGB, with the coefficients of its author; clipped to what a screen shows.
fn oklab_to_light(lightness: f64, a: f64, b: f64) -> Light {
    let long = lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b;
    let medium = lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b;
    let short = lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b;
    let [l, m, s] = [long, medium, short].map(|cone| cone * cone * cone);
    [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
    ]
    .map(|light| light.clamp(0.0, 1.0) as f32)
}

/// A byte of an sRGB colour as linear light.
pub(crate) fn from_srgb(byte: u8) -> f32 {
    let value = f64::from(byte) / 255.0;
    let light = if value <= 0.04045 { value / 12.92 } else { pow((value + 0.055) / 1.055, 2.4) };
    light as f32
}

/// Smallest linear light of each byte above zero, for [`byte_of`].
pub(crate) fn srgb_levels() -> [f32; 255] {
    std::array::from_fn(|below| {
        let value = (below as f64 + 0.5) / 255.0;
        let light =
            if value <= 0.04045 { value / 12.92 } else { pow((value + 0.055) / 1.055, 2.4) };
        light as f32
    })
}

/// Linear light as a byte of an sRGB colour, by the levels of [`srgb_levels`].
pub(crate) fn byte_of(levels: &[f32; 255], light: f32) -> u8 {
    levels.partition_point(|level| *level <= light) as u8
}

/// Linear light as a byte of an sRGB colour.
#[cfg(test)]
pub(crate) fn to_srgb(light: f32) -> u8 {
    let light = f64::from(light).clamp(0.0, 1.0);
    let value =
        if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * pow(light, 1.0 / 2.4) - 0.055 };
    (255.0 * value).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_by_levels_are_those_of_the_formula() {
        let levels = srgb_levels();
        for step in 0..=100_000 {
            let light = step as f32 / 100_000.0;
            let (found, expected) = (byte_of(&levels, light), to_srgb(light));
            // at the boundary of two bytes the rounding of the level decides
            assert!(found.abs_diff(expected) <= 1, "{light}");
        }
        assert_eq!((byte_of(&levels, 0.0), byte_of(&levels, 1.0)), (0, 255));
        assert!((0..=255).all(|byte| byte_of(&levels, from_srgb(byte)) == byte));
    }

    #[test]
    fn the_scale_grows_brighter_from_end_to_end() {
        let luminance = |position: f64| {
            let [red, green, blue] = perceptual_color(position);
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        for step in 0..100 {
            let position = f64::from(step) / 100.0;
            assert!(luminance(position + 0.01) > luminance(position), "{position}");
        }
    }

    #[test]
    fn srgb_bytes_survive_the_way_to_light_and_back() {
        for byte in 0..=255 {
            assert_eq!(to_srgb(from_srgb(byte)), byte);
        }
    }
}
