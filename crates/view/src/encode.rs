//! Frames, walls and contacts in the binary form that the page reads.

use crate::ViewError;
use crate::columns;
use crate::feed::{At, Feed, FrameData};
use crate::frame::{Encoder, Header};
use crate::walls;

/// Number of steps of a position encoded as u16.
const STEPS: f64 = 65_535.0;

/// Requested sections of particles.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ParticleQuery {
    /// Quantities, such as `velocity`, `velocity.x`, `displacement@0`.
    pub columns: Vec<String>,
    /// Revision of radii, ids and groups that the page has.
    pub have: Option<u32>,
    /// Positions as u16, for slow connections.
    pub short_positions: bool,
    /// Orientations too, for marks.
    pub orientation: bool,
    /// Velocities as vectors too, for glyphs.
    pub vectors: bool,
}

fn header(feed: &dyn Feed, frame: &dyn FrameData) -> Header {
    Header {
        time: frame.time(),
        step: frame.step(),
        stage: frame.stage(),
        origin: feed.origin(),
        ..Header::default()
    }
}

/// Radius, id and group, with a number that identifies equal data of other frames.
pub struct Fixed {
    pub radius: Vec<f32>,
    pub id: Vec<u32>,
    pub group: Vec<u8>,
    pub revision: u32,
}

impl Fixed {
    pub fn of(frame: &dyn FrameData) -> Result<Self, ViewError> {
        let radius: Vec<f32> = frame.column("radius")?.values.iter().map(|x| *x as f32).collect();
        let id: Vec<u32> = frame.column("id")?.values.iter().map(|x| *x as u32).collect();
        let group: Vec<u8> = frame.column("group")?.values.iter().map(|x| *x as u8).collect();
        let mut hash = crc32fast::Hasher::new();
        radius.iter().for_each(|x| hash.update(&x.to_le_bytes()));
        id.iter().for_each(|x| hash.update(&x.to_le_bytes()));
        hash.update(&group);
        Ok(Self { radius, id, group, revision: hash.finalize() })
    }
}

/// Positions relative to the origin.
pub fn positions(feed: &dyn Feed, frame: &dyn FrameData) -> Result<Vec<f32>, ViewError> {
    let origin = feed.origin();
    let points = frame.column("Points")?;
    let relative = points.values.iter().enumerate().map(|(i, x)| (x - origin[i % 3]) as f32);
    Ok(relative.collect())
}

/// Range of the positions in each direction.
pub fn ends(positions: &[f32]) -> [[f32; 3]; 2] {
    let mut ends = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    for point in positions.chunks_exact(3).filter(|point| point.iter().all(|x| x.is_finite())) {
        for axis in 0..3 {
            ends[0][axis] = ends[0][axis].min(point[axis]);
            ends[1][axis] = ends[1][axis].max(point[axis]);
        }
    }
    if ends[0][0] <= ends[1][0] { ends } else { [[0.0; 3]; 2] }
}

/// A position as a u16 within a range.
pub fn quantised(value: f32, axis: usize, [low, high]: &[[f32; 3]; 2]) -> u16 {
    let width = f64::from(high[axis]) - f64::from(low[axis]);
    let part = if width > 0.0 { (f64::from(value) - f64::from(low[axis])) / width } else { 0.0 };
    (part.clamp(0.0, 1.0) * STEPS).round() as u16
}

/// Particles of a frame.
pub fn particles(feed: &dyn Feed, at: At, query: &ParticleQuery) -> Result<Vec<u8>, ViewError> {
    let frame = feed.frame(at)?;
    let frame = &*frame;
    let fixed = Fixed::of(frame)?;
    let positions = positions(feed, frame)?;
    let range = query.short_positions.then(|| ends(&positions));
    let mut out = Encoder::new(Header {
        count: fixed.id.len(),
        revision: fixed.revision,
        range,
        ..header(feed, frame)
    });
    match &range {
        None => out.section("position", 3, positions.into_iter()),
        Some(range) => {
            let short = positions.iter().enumerate().map(|(i, x)| quantised(*x, i % 3, range));
            out.section("position", 3, short);
        }
    }
    for name in &query.columns {
        let values = columns::values(feed, frame, name)?;
        out.section(name, 1, values.into_iter().map(|value| value as f32));
    }
    if query.orientation {
        let column = frame.column("orientation")?;
        let short = column.values.iter().map(|part| (part.clamp(-1.0, 1.0) * 32_767.0) as i16);
        out.section("orientation", 4, short);
    }
    if query.vectors {
        let column = frame.column("velocity")?;
        out.section("vector", 3, column.values.iter().map(|part| *part as f32));
    }
    if query.have != Some(fixed.revision) {
        out.section("radius", 1, fixed.radius.into_iter());
        out.section("id", 1, fixed.id.into_iter());
        out.section("group", 1, fixed.group.into_iter());
    }
    Ok(out.finish())
}

/// Triangles of the walls, relative to the origin, with their revision.
pub fn wall_triangles(
    feed: &dyn Feed,
    frame: &dyn FrameData,
) -> Result<(Vec<f32>, Vec<u16>, u32), ViewError> {
    let outline = match feed.outline() {
        Some(outline) => outline,
        None => walls::outline(frame)?,
    };
    let found = walls::trim(frame.walls()?, &outline);
    let origin = feed.origin();
    let corners: Vec<f32> = found
        .corners
        .iter()
        .flat_map(|corner| std::array::from_fn::<f32, 3, _>(|k| (corner[k] - origin[k]) as f32))
        .collect();
    let mut hash = crc32fast::Hasher::new();
    corners.iter().for_each(|x| hash.update(&x.to_le_bytes()));
    found.wall.iter().for_each(|x| hash.update(&x.to_le_bytes()));
    Ok((corners, found.wall, hash.finalize()))
}

/// Walls of a frame; without sections if the page already has them.
pub fn walls(feed: &dyn Feed, at: At, have: Option<u32>) -> Result<Vec<u8>, ViewError> {
    let frame = feed.frame(at)?;
    let (corners, wall, revision) = wall_triangles(feed, &*frame)?;
    let count = wall.len();
    let mut out = Encoder::new(Header { count, revision, ..header(feed, &*frame) });
    if have != Some(revision) {
        out.section("triangle", 9, corners.into_iter());
        out.section("wall", 1, wall.into_iter());
    }
    Ok(out.finish())
}

/// Contacts of a frame.
pub fn contacts(feed: &dyn Feed, at: At) -> Result<Vec<u8>, ViewError> {
    let frame = feed.frame(at)?;
    let found = frame.contacts()?.ok_or_else(|| {
        ViewError::missing(
            "this run has recorded no contacts: set `contacts = true` in `outputs.frames`",
        )
    })?;
    let origin = feed.origin();
    let count = found.force.len();
    let mut out = Encoder::new(Header { count, ..header(feed, &*frame) });
    let ends = found.ends.iter().flatten().enumerate();
    out.section("ends", 6, ends.map(|(i, x)| (x - origin[i % 3]) as f32));
    out.section("force", 1, found.force.iter().map(|force| *force as f32));
    out.section("sliding", 1, found.sliding.iter().map(|sliding| u8::from(*sliding)));
    out.section("first", 1, found.first.iter().copied());
    out.section("second", 1, found.second.iter().copied());
    out.section("with_wall", 1, found.with_wall.iter().map(|wall| u8::from(*wall)));
    Ok(out.finish())
}
