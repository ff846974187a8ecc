//! Pictures that are drawn here, for browsers without WebGL2.

use crate::ViewError;
use crate::columns;
use crate::feed::{At, Feed, FrameData};
use esker::Vec3;
use esker::measure::{ParticleView, Snapshot};
use esker_draw::{Camera, ColorBy, Picture, PictureStyle};

/// Size of the picture in pixels.
const SIZE: [usize; 2] = [960, 640];

/// A PNG of a frame, the last one if none is named, colored by a quantity, as `esker view --picture` writes it.
pub fn picture(
    feed: &dyn Feed,
    frame: Option<usize>,
    color: &str,
    camera: [f64; 6],
) -> Result<Vec<u8>, ViewError> {
    let last = feed.progress()?.times.len().checked_sub(1);
    png(feed, frame.or(last).map_or(At::Live, At::Frame), color, camera)
}

/// A PNG of a frame. `camera` holds the direction towards the camera and the one that is up; zeros take the default.
pub fn png(feed: &dyn Feed, at: At, color: &str, camera: [f64; 6]) -> Result<Vec<u8>, ViewError> {
    let frame = feed.frame(at)?;
    let snapshot = snapshot(feed, &*frame, color)?;
    let gravity = Vec3::from_array(feed.info()?.gravity);
    let [back, up] = [&camera[..3], &camera[3..]].map(|v| Vec3::new(v[0], v[1], v[2]));
    let default_up = (-gravity).normalize_or(Vec3::Z);
    let aspect = SIZE[0] as f64 / SIZE[1] as f64;
    let camera = (back.length() > 0.5 && up.length() > 0.5).then(|| {
        let balls: Vec<(Vec3, f64)> =
            snapshot.particles.iter().map(|p| (p.position, p.radius)).collect();
        Camera::looking(&balls, back, up, aspect)
    });
    // The quantity is in the place of the speed.
    let style = PictureStyle {
        width: SIZE[0],
        height: SIZE[1],
        color: if color == "group" { ColorBy::Group } else { ColorBy::Speed },
        up: default_up,
        camera,
        ..PictureStyle::default()
    };
    Ok(Picture::draw(&snapshot, &style).png()?)
}

/// What a picture needs of a frame. The first component of the velocity holds the quantity.
fn snapshot(feed: &dyn Feed, frame: &dyn FrameData, color: &str) -> Result<Snapshot, ViewError> {
    let points = frame.column("Points")?;
    let [radius, id, group] = ["radius", "id", "group"].map(|name| frame.column(name));
    let (radius, id, group) = (radius?, id?, group?);
    let color = if color == "group" { "velocity" } else { color };
    let values = columns::values(feed, frame, color)?;
    let particle = |row: usize| ParticleView {
        id: esker::ParticleId::new(id.values[row] as u32),
        group: esker::GroupId::new(group.values[row] as u16),
        material: esker::MaterialId::new(0),
        radius: radius.values[row],
        mass: 1.0,
        charge: 0.0,
        position: Vec3::from_slice(&points.values[3 * row..3 * row + 3]),
        image: [0; 3],
        velocity: Vec3::new(values[row], 0.0, 0.0),
        spin: Vec3::ZERO,
        orientation: esker::Quat::IDENTITY,
        force: Vec3::ZERO,
        torque: Vec3::ZERO,
        coordination: 0,
    };
    Ok(Snapshot {
        time: frame.time(),
        step: frame.step(),
        groups: feed.info()?.groups,
        domain_min: Vec3::splat(f64::NEG_INFINITY),
        domain_max: Vec3::splat(f64::INFINITY),
        particles: (0..id.values.len()).map(particle).collect(),
        ..Snapshot::default()
    })
}
