//! Pictures of a snapshot: shaded spheres among translucent walls, rendered in software.
//!
//! Only additions, multiplications, divisions and square roots are used per pixel, so that a
//! picture has the same bytes on every machine.

use super::bounds::Bounds;
use super::camera::Camera;
use super::color::{ColorBy, Light, byte_of, from_srgb, srgb_levels};
use super::error::OutputError;
use super::raster::{Ball, Raster, View};
use super::shade::{Coats, Lamp, in_frame, shade};
use super::wall_drawing::{draw_glass, draw_ground, draw_outline, shade_ground};
use super::wall_surface::{Surface, wall_surface};
use esker::measure::Snapshot;
use esker::wall::Shape;
use esker::{Quat, Vec3};

/// Pixels drawn per pixel shown, along each side.
const FINER: usize = 2;
/// The largest side of a picture.
const LARGEST: usize = 8192;
/// Background at the top and at the bottom (sRGB).
const BACKGROUND: [[u8; 3]; 2] = [[250, 251, 252], [233, 237, 242]];

/// Drawing options.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PictureStyle {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Quantity shown by colours.
    pub color: ColorBy,
    /// Ends of the colour scale; taken from the snapshot if not given.
    pub range: Option<(f64, f64)>,
    /// Upward direction, against gravity.
    pub up: Vec3,
    /// The camera; placed automatically if not given.
    pub camera: Option<Camera>,
    /// True if every particle has a stripe that is fixed to it, which shows its rotation.
    pub stripe: bool,
}

impl Default for PictureStyle {
    fn default() -> Self {
        Self {
            width: 900,
            height: 600,
            color: ColorBy::default(),
            range: None,
            up: Vec3::Z,
            camera: None,
            stripe: false,
        }
    }
}

/// A picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Red, green and blue (sRGB) of every pixel, row by row from the top.
    pub pixels: Vec<u8>,
    /// Description of the colours.
    pub caption: String,
}

impl Picture {
    /// Draws a snapshot.
    pub fn draw(snapshot: &Snapshot, style: &PictureStyle) -> Self {
        let width = style.width.clamp(1, LARGEST);
        let height = style.height.clamp(1, LARGEST);
        let bounds = Bounds::of(snapshot);
        let aspect = width as f64 / height as f64;
        let camera = style.camera.unwrap_or_else(|| Camera::around(&[snapshot], style.up, aspect));
        let view = view(&camera, FINER * width, FINER * height);
        let range = style.range.unwrap_or_else(|| style.color.range(snapshot));
        let fine = draw_fine(snapshot, style, range, &view, &bounds);
        Self {
            width,
            height,
            pixels: shrink(&fine, width, height),
            caption: style.color.caption(range),
        }
    }

    /// The picture as a PNG file.
    pub fn png(&self) -> Result<Vec<u8>, OutputError> {
        let wrong = |error: png::EncodingError| OutputError::Picture(error.to_string());
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(wrong)?;
        writer.write_image_data(&self.pixels).map_err(wrong)?;
        writer.finish().map_err(wrong)?;
        Ok(bytes)
    }
}

fn view(camera: &Camera, width: usize, height: usize) -> View {
    View {
        center: camera.center,
        right: camera.right,
        up: camera.up,
        back: camera.back,
        scale: width as f64 / camera.view[0],
        width,
        height,
    }
}

fn draw_fine(
    snapshot: &Snapshot,
    style: &PictureStyle,
    range: (f64, f64),
    view: &View,
    bounds: &Bounds,
) -> Vec<Light> {
    let particles = || snapshot.particles.iter();
    let spheres: Vec<(Vec3, f64)> = particles()
        .filter(|p| p.position.is_finite() && p.radius.is_finite())
        .map(|p| (p.position, p.radius))
        .collect();
    let balls: Vec<Ball> = particles().map(|p| view.ball(p.position, p.radius)).collect();
    let colors: Vec<Light> = particles().map(|p| style.color.color(p, range)).collect();
    let up = style.up.normalize_or(Vec3::Z);
    let lamp = Lamp::new(view, up, &spheres, gap_radius(&balls));
    let walls = Walls::new(snapshot, view, bounds);

    let mut picture = background(view.width, view.height);
    let mut raster = Raster::new(view.width, view.height, &balls);
    let ground = draw_ground(&walls.ground, view, &mut raster);
    let normals: Vec<[f32; 3]> = match style.stripe {
        true => particles().map(|p| in_frame(view, stripe_normal(p.orientation))).collect(),
        false => Vec::new(),
    };
    shade(
        &raster,
        view,
        &Coats { balls: &balls, colors: &colors, stripes: &normals },
        &lamp,
        &mut picture,
    );
    shade_ground(&ground, &walls.ground, view, &raster, (&lamp, up), &mut picture);
    for surface in &walls.glass {
        draw_glass(surface, view, &raster, &mut picture);
    }
    let thickness = 1.2 * FINER as f32;
    for surface in walls.glass.iter().chain(&walls.frames) {
        draw_outline(surface, view, &raster, thickness, &mut picture);
    }
    picture
}

/// The axis of the stripe of a particle. Its direction in the body frame has equal components, so that a rotation about
/// a coordinate axis always moves the stripe.
fn stripe_normal(orientation: Quat) -> Vec3 {
    orientation * Vec3::ONE.normalize()
}

/// Surfaces of walls by drawing style.
struct Walls {
    /// Half-spaces viewed from the front, with their normals.
    ground: Vec<(Surface, Vec3)>,
    /// Translucent surfaces.
    glass: Vec<Surface>,
    /// Surfaces of which only the outline is drawn.
    frames: Vec<Surface>,
}

impl Walls {
    fn new(snapshot: &Snapshot, view: &View, bounds: &Bounds) -> Self {
        let mut walls = Self { ground: Vec::new(), glass: Vec::new(), frames: Vec::new() };
        let is_half_space = |shape: &Shape| matches!(shape, Shape::HalfSpace { .. });
        let planes = snapshot.walls.iter().filter(|w| is_half_space(&w.shape));
        // A single plane is unlimited ground; several form a box.
        let endless = planes.count() == 1;
        let margin = 4.0 * bounds.diagonal();
        let far = bounds.with(bounds.center(), margin);
        for wall in &snapshot.walls {
            let Shape::HalfSpace { normal, .. } = wall.shape else {
                walls.glass.push(wall_surface(wall, bounds));
                continue;
            };
            let normal = wall.pose.rotation * normal;
            let seen_from_front = normal.dot(view.back) > 0.0;
            let extent = if endless { &far } else { bounds };
            let surface = wall_surface(wall, extent);
            if !endless {
                walls.frames.push(surface.clone());
            }
            if seen_from_front {
                walls.ground.push((surface, normal));
            }
        }
        walls
    }
}

/// The radius of the darkening of gaps is that of a typical grain; tiny grains still need a few pixels.
fn gap_radius(balls: &[Ball]) -> f32 {
    let mut radii: Vec<f32> = balls.iter().map(|ball| ball.radius).collect();
    radii.sort_by(f32::total_cmp);
    let typical = radii.get(radii.len() / 2).copied().unwrap_or(0.0);
    (1.6 * typical).clamp(10.0, 90.0)
}

fn background(width: usize, height: usize) -> Vec<Light> {
    let [top, bottom] = BACKGROUND.map(|color| color.map(from_srgb));
    let mut picture = Vec::with_capacity(width * height);
    for row in 0..height {
        let fraction = (row as f32 + 0.5) / height as f32;
        let color: Light = std::array::from_fn(|c| top[c] + fraction * (bottom[c] - top[c]));
        picture.extend(std::iter::repeat_n(color, width));
    }
    picture
}

/// Averages the light of the supersampled pixels and converts it to bytes.
fn shrink(fine: &[Light], width: usize, height: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(3 * width * height);
    let levels = srgb_levels();
    for row in 0..height {
        for column in 0..width {
            for channel in 0..3 {
                let mut sum = 0.0;
                for y in 0..FINER {
                    for x in 0..FINER {
                        let pixel = (FINER * row + y) * FINER * width + FINER * column + x;
                        sum += fine[pixel][channel].min(1.0);
                    }
                }
                bytes.push(byte_of(&levels, sum / (FINER * FINER) as f32));
            }
        }
    }
    bytes
}
