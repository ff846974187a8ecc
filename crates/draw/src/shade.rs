//! Lighting of the spheres: one lamp with soft shadows, the sky, and darkened gaps.

use super::color::Light;
use super::raster::{Ball, NOTHING, Raster, View};
use esker::Vec3;

/// Pixels of the shadow map along one side.
const SHADOW_MAP: usize = 1536;
/// Pixels along one side of a square of the map with a known largest depth, and squares along one side of the map.
const SQUARE: usize = 16;
const SQUARES: usize = SHADOW_MAP / SQUARE;
/// Half the width of the blur of a shadow, in pixels of its map, and taps along one side.
const SHADOW_TAPS: [f32; 4] = [-2.4, -0.8, 0.8, 2.4];
/// Distance of a surface behind the shadow map at which it is in shadow, in pixels of the map: more than the depth of a
/// pixel on a slope, since surfaces would otherwise shade themselves.
const SHADOW_BIAS: f32 = 3.0;
/// Number of samples of the neighbourhood that determine the darkening of a gap.
const GAP_SAMPLES: usize = 12;
/// The golden angle spreads samples evenly over a disc [rad].
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;

/// Light source and shadow map of a picture.
pub(crate) struct Lamp {
    /// Unit vector towards the lamp, in the frame of the picture.
    direction: [f32; 3],
    /// Unit vector upwards, in the frame of the picture.
    up: [f32; 3],
    view: View,
    map: Raster,
    /// Largest depth in each square of [`SQUARE`] pixels of the map, row by row.
    squares: Vec<f32>,
    /// Offsets of the samples for gaps, in pixels, with a rotation for each pixel of a 4×4 pattern.
    samples: Vec<[[f32; 2]; GAP_SAMPLES]>,
    /// Distance over which spheres darken their neighbourhood, in pixels.
    pub(crate) gap_radius: f32,
}

impl Lamp {
    /// Lights `spheres` viewed by `view`; `gap` is the radius of the darkening of gaps in pixels.
    pub(crate) fn new(view: &View, up: Vec3, spheres: &[(Vec3, f64)], gap: f32) -> Self {
        let towards = (1.0 * up + 0.55 * view.back - 0.62 * view.right).normalize_or(up);
        let lamp_view = lamp_view(towards, spheres);
        let balls: Vec<Ball> =
            spheres.iter().map(|&(center, radius)| lamp_view.ball(center, radius)).collect();
        let map = Raster::new(SHADOW_MAP, SHADOW_MAP, &balls);
        Self {
            direction: in_frame(view, towards),
            up: in_frame(view, up),
            squares: squares(&map),
            map,
            view: lamp_view,
            samples: (0..16).map(|pattern| gap_samples(pattern, gap)).collect(),
            gap_radius: gap,
        }
    }

    /// The colour of a surface of colour `base` at a pixel, with normal `n` in the frame of the
    /// picture.
    pub(crate) fn light_on(&self, base: Light, n: [f32; 3], openness: f32, lit: f32) -> Light {
        let facing = dot(n, self.direction);
        // A lamp of finite size also lights a strip beyond the terminator.
        let diffuse = ((facing + 0.12) / 1.12).max(0.0) * lit;
        let sky = 0.5 + 0.5 * dot(n, self.up);
        let ambient = (0.20 + 0.24 * sky) * openness;
        let limb = 0.80 + 0.20 * n[2];
        let strength = (ambient + 0.80 * diffuse * (0.35 + 0.65 * openness)) * limb;
        let half = half_way(self.direction);
        let gloss = dot(n, half).max(0.0);
        let gloss = gloss * gloss * gloss * gloss;
        let gloss = gloss * gloss * gloss * gloss * gloss;
        let shine = 0.07 * gloss * lit * openness;
        base.map(|color| color * strength + shine)
    }

    /// Fraction of the lamp that is visible from a point.
    pub(crate) fn lit(&self, point: Vec3) -> f32 {
        let [x, y, z] = self.view.pixel(point);
        let width = SHADOW_TAPS[SHADOW_TAPS.len() - 1] + 1.0;
        let range = -width..SHADOW_MAP as f32 + width;
        if !range.contains(&x) || !range.contains(&y) {
            return 1.0;
        }
        if !self.may_be_shaded(x, y, z) {
            return 1.0;
        }
        let mut seen = 0;
        for dy in SHADOW_TAPS {
            for dx in SHADOW_TAPS {
                let (column, row) = ((x + dx).floor(), (y + dy).floor());
                let inside = (0.0..self.map.width as f32).contains(&column)
                    && (0.0..self.map.height as f32).contains(&row);
                let free = !inside
                    || self.map.depth[row as usize * self.map.width + column as usize]
                        <= z + SHADOW_BIAS;
                seen += u32::from(free);
            }
        }
        seen as f32 / (SHADOW_TAPS.len() * SHADOW_TAPS.len()) as f32
    }

    /// True if any point near a pixel of the map lies before this depth. Most surfaces are fully lit, and four
    /// comparisons suffice for them.
    fn may_be_shaded(&self, x: f32, y: f32, z: f32) -> bool {
        let width = SHADOW_TAPS[SHADOW_TAPS.len() - 1];
        let square = |pixel: f32| (pixel.clamp(0.0, (SHADOW_MAP - 1) as f32)) as usize / SQUARE;
        let (columns, rows) =
            (square(x - width)..=square(x + width), square(y - width)..=square(y + width));
        rows.into_iter().any(|row| {
            columns.clone().any(|column| self.squares[row * SQUARES + column] > z + SHADOW_BIAS)
        })
    }

    /// Openness of the neighbourhood of a pixel, from 0 (deep in a gap) to 1.
    pub(crate) fn openness(&self, raster: &Raster, x: usize, y: usize, n: [f32; 3]) -> f32 {
        let here = raster.depth[y * raster.width + x];
        let square = self.gap_radius * self.gap_radius;
        let mut closed = 0.0;
        for [dx, dy] in self.samples[(y % 4) * 4 + x % 4] {
            let (column, row) = (x as f32 + dx, y as f32 + dy);
            if column < 0.0 || row < 0.0 {
                continue;
            }
            let (column, row) = (column as usize, row as usize);
            if column >= raster.width || row >= raster.height {
                continue;
            }
            let rise = raster.depth[row * raster.width + column] - here;
            // Above the tangent plane, and near: distant objects in front do not close a gap.
            let height = n[0] * dx - n[1] * dy + n[2] * rise;
            if height <= 0.0 || rise > 4.0 * self.gap_radius {
                continue;
            }
            let distance = dx * dx + dy * dy + rise * rise;
            closed += height / distance.sqrt() * square / (square + distance);
        }
        (1.0 - 2.1 * closed / GAP_SAMPLES as f32).clamp(0.0, 1.0)
    }
}

/// Largest depth in each square of the map.
fn squares(map: &Raster) -> Vec<f32> {
    let mut squares = vec![f32::NEG_INFINITY; SQUARES * SQUARES];
    for (y, row) in map.depth.chunks_exact(map.width).enumerate() {
        for (x, pixels) in row.chunks_exact(SQUARE).enumerate() {
            let largest = &mut squares[y / SQUARE * SQUARES + x];
            *largest = pixels.iter().copied().fold(*largest, f32::max);
        }
    }
    squares
}

/// The spheres of a picture with their colours and stripes.
pub(crate) struct Coats<'a> {
    pub balls: &'a [Ball],
    pub colors: &'a [Light],
    /// Unit vectors at right angles to the stripes, in the frame of the picture; empty without stripes.
    pub stripes: &'a [[f32; 3]],
}

/// Half the width of a stripe as a fraction of the radius.
const HALF_STRIPE: f32 = 0.16;

/// Brightness of a stripe relative to its sphere.
const STRIPE_LIGHT: f32 = 0.18;

impl Coats<'_> {
    /// The colour of a sphere at a surface normal.
    fn color(&self, owner: usize, normal: [f32; 3]) -> Light {
        let color = self.colors[owner];
        match self.stripes.get(owner) {
            Some(axis) if dot(normal, *axis).abs() < HALF_STRIPE => {
                color.map(|part| STRIPE_LIGHT * part)
            }
            _ => color,
        }
    }
}

/// Shades every pixel that shows a sphere.
pub(crate) fn shade(
    raster: &Raster,
    view: &View,
    coats: &Coats<'_>,
    lamp: &Lamp,
    picture: &mut [Light],
) {
    for y in 0..raster.height {
        for x in 0..raster.width {
            let pixel = y * raster.width + x;
            let owner = raster.owner[pixel];
            let Some(ball) = coats.balls.get(owner as usize).filter(|_| owner != NOTHING) else {
                continue;
            };
            let (column, row) = (x as f32 + 0.5, y as f32 + 0.5);
            let depth = raster.depth[pixel];
            let normal = [
                (column - ball.x) / ball.radius,
                (ball.y - row) / ball.radius,
                (depth - ball.z) / ball.radius,
            ];
            let openness = lamp.openness(raster, x, y, normal);
            let lit = if dot(normal, lamp.direction) > -0.12 {
                lamp.lit(view.point(column, row, depth))
            } else {
                0.0
            };
            let color = coats.color(owner as usize, normal);
            picture[pixel] = lamp.light_on(color, normal, openness, lit);
        }
    }
}

pub(crate) fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A direction in the frame of a picture: right, up, towards the viewer.
pub(crate) fn in_frame(view: &View, direction: Vec3) -> [f32; 3] {
    [view.right, view.up, view.back].map(|axis| direction.dot(axis) as f32)
}

/// Half-way between the lamp and the viewer.
fn half_way(direction: [f32; 3]) -> [f32; 3] {
    let sum = [direction[0], direction[1], direction[2] + 1.0];
    let length = dot(sum, sum).sqrt().max(f32::MIN_POSITIVE);
    sum.map(|component| component / length)
}

fn lamp_view(towards: Vec3, spheres: &[(Vec3, f64)]) -> View {
    let right = towards.any_orthonormal_vector();
    let up = towards.cross(right);
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    for &(center, radius) in spheres {
        for (index, axis) in [right, up].into_iter().enumerate() {
            low[index] = low[index].min(center.dot(axis) - radius);
            high[index] = high[index].max(center.dot(axis) + radius);
        }
    }
    let size = (high[0] - low[0]).max(high[1] - low[1]);
    let finite = size.is_finite() && size > 0.0;
    let center = if finite {
        0.5 * (low[0] + high[0]) * right + 0.5 * (low[1] + high[1]) * up
    } else {
        Vec3::ZERO
    };
    View {
        center,
        right,
        up,
        back: towards,
        scale: SHADOW_MAP as f64 / if finite { size * 1.02 } else { 1.0 },
        width: SHADOW_MAP,
        height: SHADOW_MAP,
    }
}

fn gap_samples(pattern: usize, largest_radius: f32) -> [[f32; 2]; GAP_SAMPLES] {
    // Neighbouring pixels use different directions; averaging over 4×4 pixels removes the pattern.
    let start = (pattern * 7 % 16) as f64 * std::f64::consts::TAU / 16.0;
    std::array::from_fn(|sample| {
        let angle = start + GOLDEN_ANGLE * sample as f64;
        let fraction = (sample as f32 + 0.7) / GAP_SAMPLES as f32;
        let radius = largest_radius * fraction;
        [radius * libm::cos(angle) as f32, radius * libm::sin(angle) as f32]
    })
}
