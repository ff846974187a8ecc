//! Pictures of a simulation, as in the report.

use esker::Vec3;
use esker_draw::{Camera, ColorBy, OutputError, Picture, PictureStyle};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Drawing options.
#[derive(Debug)]
pub struct Style {
    /// Quantity shown by colours.
    pub color: ColorBy,
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// The upward direction; by default against gravity.
    pub up: Option<[f64; 3]>,
    /// The direction towards the camera.
    pub back: Option<[f64; 3]>,
    /// Ends of the colour scale.
    pub range: Option<(f64, f64)>,
}

/// The quantity shown by colours, by its name.
pub fn color(word: &str) -> PyResult<ColorBy> {
    match word {
        "speed" => Ok(ColorBy::Speed),
        "radius" => Ok(ColorBy::Radius),
        "group" => Ok(ColorBy::Group),
        other => Err(PyValueError::new_err(format!(
            "`color` is \"speed\", \"radius\" or \"group\", not {other:?}"
        ))),
    }
}

/// Draws the current state: PNG and caption.
pub fn draw(
    simulation: &esker::Simulation,
    style: &Style,
) -> Result<(Vec<u8>, String), OutputError> {
    let mut snapshot = simulation.snapshot();
    snapshot.walls.retain(|wall| wall.present);
    let up = style.up.map_or(-simulation.gravity(), Vec3::from).normalize_or(Vec3::Z);
    let camera = style.back.map(|back| {
        let balls: Vec<(Vec3, f64)> =
            snapshot.particles.iter().map(|one| (one.position, one.radius)).collect();
        Camera::looking(&balls, back.into(), up, style.width as f64 / style.height.max(1) as f64)
    });
    let drawn = Picture::draw(
        &snapshot,
        &PictureStyle {
            width: style.width,
            height: style.height,
            color: style.color,
            range: style.range,
            up,
            camera,
            ..PictureStyle::default()
        },
    );
    let caption = format!("t = {:.4} s, {}", snapshot.time, drawn.caption);
    Ok((drawn.png()?, caption))
}
