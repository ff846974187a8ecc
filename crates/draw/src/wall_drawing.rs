//! Walls in a picture: translucent, so that the grains remain visible, with their outlines; half-spaces viewed from the
//! front are ground that receives shadows.

use super::color::{Light, from_srgb};
use super::raster::{Raster, View};
use super::shade::{Lamp, dot, in_frame};
use super::wall_surface::Surface;
use esker::Vec3;

/// Colour of walls and their outlines (sRGB).
const GLASS: [u8; 3] = [92, 118, 150];
const OUTLINE: [u8; 3] = [52, 66, 86];
/// Opacity of walls in front of the background and in front of grains.
const GLASS_BEFORE_NOTHING: f32 = 0.10;
const GLASS_BEFORE_GRAINS: f32 = 0.035;
/// Additional opacity at grazing angles.
const GRAZING: f32 = 0.20;
/// Opacity of an outline in front of the background and in front of grains.
const OUTLINE_BEFORE_NOTHING: f32 = 0.75;
const OUTLINE_BEFORE_GRAINS: f32 = 0.40;
/// Cosine of the angle between the normals of neighbouring triangles, 30°, above which their common edge is drawn.
const EDGE_COSINE: f64 = 0.866;
/// Largest depth of an outline behind its surface, in pixels.
const OUTLINE_BIAS: f32 = 1.5;

/// Marks the pixels whose nearest surface is ground, and lights them: ground has the colour of the background, darker
/// in shadows and where it faces away from the light.
pub(crate) fn draw_ground(
    surfaces: &[(Surface, Vec3)],
    view: &View,
    raster: &mut Raster,
) -> Vec<u8> {
    let mut ground = vec![0; raster.depth.len()];
    for (index, (surface, _)) in surfaces.iter().enumerate().take(250) {
        for triangle in pixels(surface, view) {
            fill(&triangle, raster.width, raster.height, |pixel, depth| {
                if depth > raster.depth[pixel] {
                    raster.depth[pixel] = depth;
                    raster.owner[pixel] = super::raster::NOTHING;
                    ground[pixel] = index as u8 + 1;
                }
            });
        }
    }
    ground
}

/// Lights the ground that [`draw_ground`] marked.
pub(crate) fn shade_ground(
    ground: &[u8],
    surfaces: &[(Surface, Vec3)],
    view: &View,
    raster: &Raster,
    (lamp, up): (&Lamp, Vec3),
    picture: &mut [Light],
) {
    // A single plane is darkened by spheres only.
    let near = (surfaces.len() == 1).then(|| Near::new(raster, lamp.gap_radius));
    for (pixel, &mark) in ground.iter().enumerate() {
        let Some((_, normal)) = usize::from(mark).checked_sub(1).map(|i| &surfaces[i]) else {
            continue;
        };
        let (x, y) = (pixel % raster.width, pixel / raster.width);
        let point = view.point(x as f32 + 0.5, y as f32 + 0.5, raster.depth[pixel]);
        let openness = match &near {
            Some(near) if !near.has(x, y) => 1.0,
            _ => lamp.openness(raster, x, y, in_frame(view, *normal)),
        };
        let level = 0.5 + 0.5 * normal.dot(up) as f32;
        let tone =
            (0.86 + 0.14 * level) * (0.45 + 0.55 * openness) * (0.52 + 0.48 * lamp.lit(point));
        picture[pixel] = picture[pixel].map(|light| light * tone);
    }
}

/// Pixels along one side of a square that is classified as near spheres or not.
const SQUARE: usize = 32;

/// The squares of a picture that are near spheres.
struct Near {
    width: usize,
    squares: Vec<bool>,
}

impl Near {
    /// Squares with a pixel of a sphere at most `radius` pixels away.
    fn new(raster: &Raster, radius: f32) -> Self {
        let (width, height) = (raster.width.div_ceil(SQUARE), raster.height.div_ceil(SQUARE));
        let mut squares = vec![false; width * height];
        let far = radius.ceil() as usize / SQUARE + 1;
        let mut own = squares.clone();
        for (pixel, owner) in raster.owner.iter().enumerate() {
            let (x, y) = (pixel % raster.width, pixel / raster.width);
            own[y / SQUARE * width + x / SQUARE] |= *owner != super::raster::NOTHING;
        }
        for (index, _) in own.iter().enumerate().filter(|(_, own)| **own) {
            let (x, y) = (index % width, index / width);
            for row in y.saturating_sub(far)..=(y + far).min(height - 1) {
                let columns = x.saturating_sub(far)..=(x + far).min(width - 1);
                squares[row * width..][columns].fill(true);
            }
        }
        Self { width, squares }
    }

    fn has(&self, x: usize, y: usize) -> bool {
        self.squares[y / SQUARE * self.width + x / SQUARE]
    }
}

/// Blends a translucent surface over the picture.
pub(crate) fn draw_glass(surface: &Surface, view: &View, raster: &Raster, picture: &mut [Light]) {
    let glass = GLASS.map(from_srgb);
    for triangle in pixels(surface, view) {
        let normal = cross(edge(&triangle, 0, 1), edge(&triangle, 0, 2));
        let length = dot(normal, normal).sqrt().max(f32::MIN_POSITIVE);
        let grazing = 1.0 - (normal[2] / length).abs();
        let added = GRAZING * grazing * grazing * grazing;
        fill(&triangle, raster.width, raster.height, |pixel, depth| {
            if depth < raster.depth[pixel] {
                return;
            }
            let weight = if raster.depth[pixel] == f32::NEG_INFINITY {
                GLASS_BEFORE_NOTHING + added
            } else {
                GLASS_BEFORE_GRAINS + 0.5 * added
            };
            blend(&mut picture[pixel], glass, weight);
        });
    }
}

/// Draws the borders, sharp edges and silhouettes of a surface.
pub(crate) fn draw_outline(
    surface: &Surface,
    view: &View,
    raster: &Raster,
    width: f32,
    picture: &mut [Light],
) {
    let color = OUTLINE.map(from_srgb);
    for [start, end] in outlines(surface, view.back) {
        let ends = [start, end].map(|index| view.pixel(surface.vertices[index as usize]));
        line(ends, width, raster.width, raster.height, |pixel, depth| {
            if depth + OUTLINE_BIAS < raster.depth[pixel] {
                return;
            }
            let weight = if raster.owner[pixel] == super::raster::NOTHING {
                OUTLINE_BEFORE_NOTHING
            } else {
                OUTLINE_BEFORE_GRAINS
            };
            blend(&mut picture[pixel], color, weight);
        });
    }
}

/// Edges of a single triangle, between triangles at a large angle, or between one that faces the viewer and one that
/// does not.
fn outlines(surface: &Surface, back: Vec3) -> Vec<[u32; 2]> {
    let normal = |[a, b, c]: [u32; 3]| {
        let [a, b, c] = [a, b, c].map(|index| surface.vertices[index as usize]);
        (b - a).cross(c - a).normalize_or_zero()
    };
    let mut sides = Vec::new();
    for &triangle in &surface.triangles {
        let [a, b, c] = triangle;
        for (from, to) in [(a, b), (b, c), (c, a)] {
            sides.push(([from.min(to), from.max(to)], from < to, normal(triangle)));
        }
    }
    sides.sort_by_key(|&(ends, ..)| ends);
    sides
        .chunk_by(|first, second| first.0 == second.0)
        .filter(|together| match together {
            [(_, forward, first), (_, other_forward, second)] => {
                // Triangles of the same orientation traverse a shared edge in opposite directions.
                let second = if forward == other_forward { -*second } else { *second };
                first.dot(second) < EDGE_COSINE
                    || (first.dot(back) > 0.0) != (second.dot(back) > 0.0)
            }
            _ => true,
        })
        .map(|together| together[0].0)
        .collect()
}

type Triangle = [[f32; 3]; 3];

fn pixels<'a>(surface: &'a Surface, view: &'a View) -> impl Iterator<Item = Triangle> + 'a {
    surface
        .triangles
        .iter()
        .map(move |triangle| triangle.map(|index| view.pixel(surface.vertices[index as usize])))
}

fn edge(triangle: &Triangle, from: usize, to: usize) -> [f32; 3] {
    std::array::from_fn(|axis| triangle[to][axis] - triangle[from][axis])
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn blend(under: &mut Light, over: Light, weight: f32) {
    for (under, over) in under.iter_mut().zip(over) {
        *under += weight * (over - *under);
    }
}

/// Calls `draw(pixel, depth)` for the pixels inside a triangle.
fn fill(triangle: &Triangle, width: usize, height: usize, mut draw: impl FnMut(usize, f32)) {
    let area = cross(edge(triangle, 0, 1), edge(triangle, 0, 2))[2];
    if area == 0.0 || !triangle.iter().flatten().all(|v| v.is_finite()) {
        return;
    }
    let range = |axis: usize, size: usize| {
        let along = triangle.map(|corner| corner[axis]);
        let low = along[0].min(along[1]).min(along[2]);
        let high = along[0].max(along[1]).max(along[2]);
        (low - 0.5).ceil().clamp(0.0, size as f32) as usize
            ..(high + 0.5).floor().clamp(0.0, size as f32) as usize
    };
    let weight = |from: usize, to: usize, x: f32, y: f32| {
        let (start, along) = (triangle[from], edge(triangle, from, to));
        (along[0] * (y - start[1]) - along[1] * (x - start[0])) / area
    };
    for row in range(1, height) {
        for column in range(0, width) {
            let (x, y) = (column as f32 + 0.5, row as f32 + 0.5);
            let weights = [weight(1, 2, x, y), weight(2, 0, x, y), weight(0, 1, x, y)];
            if weights.iter().all(|&weight| weight >= 0.0) {
                let depth = dot(weights, triangle.map(|corner| corner[2]));
                draw(row * width + column, depth);
            }
        }
    }
}

/// Calls `draw(pixel, depth)` once for each pixel of a line.
fn line(
    ends: [[f32; 3]; 2],
    thickness: f32,
    width: usize,
    height: usize,
    mut draw: impl FnMut(usize, f32),
) {
    let [start, end] = ends;
    if !ends.iter().flatten().all(|v| v.is_finite()) {
        return;
    }
    let [dx, dy, dz]: [f32; 3] = std::array::from_fn(|axis| end[axis] - start[axis]);
    // Steps along the longer direction; the line covers the same span across it everywhere.
    let (along, steep) = if dx.abs() >= dy.abs() { (0, false) } else { (1, true) };
    let length = [dx, dy][along];
    if length == 0.0 {
        return;
    }
    let span = 0.5 * thickness * (dx * dx + dy * dy).sqrt() / length.abs();
    let (long, wide) = if steep { (height, width) } else { (width, height) };
    let low = start[along].min(end[along]).round().clamp(0.0, long as f32) as usize;
    let high = start[along].max(end[along]).round().clamp(0.0, long as f32) as usize;
    for position in low..high {
        let weight = (position as f32 + 0.5 - start[along]) / length;
        let middle = start[1 - along] + weight * [dx, dy][1 - along];
        let first = (middle - span).round().clamp(0.0, wide as f32) as usize;
        let last = (middle + span).round().clamp(0.0, wide as f32) as usize;
        for across in first..last {
            let pixel = if steep { position * width + across } else { across * width + position };
            draw(pixel, start[2] + weight * dz);
        }
    }
}
