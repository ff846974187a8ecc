//! Pictures drawn by the program, for browsers without WebGL2 and for `esker view --picture`.

use crate::ViewError;
use crate::columns;
use crate::feed::{At, Feed, FrameData};
use esker::Vec3;
use esker::measure::{ParticleView, Snapshot, WallView};
use esker::wall::{Mesh, Pose, SMOOTH_ANGLE, Shape};
use esker_draw::{Camera, ColorBy, Picture, PictureStyle};
use std::sync::Arc;

/// Options of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureOptions {
    /// Number of the frame; the last one by default.
    pub frame: Option<usize>,
    /// Quantity, or `group`.
    pub color: String,
    /// Range of the colour scale; by default that of the frame.
    pub range: Option<[f64; 2]>,
    /// Direction towards the camera and upward direction; zeros select the default.
    pub camera: [f64; 6],
    /// Centre and height of the view [m]; by default everything is shown.
    pub section: Option<[f64; 4]>,
    /// Width and height in pixels.
    pub size: [usize; 2],
    /// Names of hidden groups.
    pub hidden: Vec<String>,
    /// Only particles with `a x + b y + c z <= d` are shown.
    pub clip: Option<[f64; 4]>,
    /// Only particles in this box are shown: lower and upper corner [m].
    pub inside: Option<[f64; 6]>,
    /// Only particles with a quantity between two values are shown.
    pub threshold: Option<(String, f64, f64)>,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self {
            frame: None,
            color: "velocity".to_owned(),
            range: None,
            camera: [0.0; 6],
            section: None,
            size: [960, 640],
            hidden: Vec::new(),
            clip: None,
            inside: None,
            threshold: None,
        }
    }
}

/// A picture as PNG, and a description of its colours.
pub fn picture(feed: &dyn Feed, options: &PictureOptions) -> Result<(Vec<u8>, String), ViewError> {
    let last = feed.progress()?.times.len().checked_sub(1);
    png(feed, options.frame.or(last).map_or(At::Live, At::Frame), options)
}

/// The same for a frame or the latest state.
pub(crate) fn png(
    feed: &dyn Feed,
    at: At,
    options: &PictureOptions,
) -> Result<(Vec<u8>, String), ViewError> {
    let frame = feed.frame(at)?;
    let by_group = options.color == "group";
    let color = if by_group { "radius" } else { &options.color };
    let values = columns::values(feed, &*frame, color)?;
    let [low, high] = options.range.unwrap_or_else(|| ends(&values));
    // The distance of the quantity from the lower end of the scale replaces the speed.
    let levels: Vec<f64> = values.iter().map(|value| (value - low).max(0.0)).collect();
    let whole = snapshot(feed, &*frame, &levels)?;
    let [width, height] = options.size;
    let up = Vec3::from_array(feed.info()?.gravity);
    let style = PictureStyle {
        width,
        height,
        color: if by_group { ColorBy::Group } else { ColorBy::Speed },
        range: Some((0.0, high - low)),
        up: (-up).normalize_or(Vec3::Z),
        camera: camera(&whole, options),
        ..PictureStyle::default()
    };
    let shown = filtered(feed, &*frame, whole, options)?;
    let caption = match by_group {
        true => "coloured by group".to_owned(),
        false => format!("{color} from {} (dark) to {} (bright)", short(low), short(high)),
    };
    Ok((Picture::draw(&shown, &style).png()?, caption))
}

fn short(value: f64) -> String {
    esker_draw::rounded(value, 3)
}

/// Range of the finite values.
fn ends(values: &[f64]) -> [f64; 2] {
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let [low, high] =
        [finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max)];
    if low <= high { [low, high] } else { [0.0, 1.0] }
}

/// The camera, if one is specified.
fn camera(snapshot: &Snapshot, options: &PictureOptions) -> Option<Camera> {
    let [back, up] =
        [&options.camera[..3], &options.camera[3..]].map(|v| Vec3::new(v[0], v[1], v[2]));
    if back.length() < 0.5 || up.length() < 0.5 {
        return None;
    }
    let aspect = options.size[0] as f64 / options.size[1].max(1) as f64;
    let mut camera = Camera::seeing(&[snapshot], back, up, aspect);
    if let Some([x, y, z, height]) = options.section.filter(|section| section[3] > 0.0) {
        camera.center = Vec3::new(x, y, z);
        camera.view = [height * aspect, height];
    }
    Some(camera)
}

/// Removes the particles that are not shown.
fn filtered(
    feed: &dyn Feed,
    frame: &dyn FrameData,
    mut snapshot: Snapshot,
    options: &PictureOptions,
) -> Result<Snapshot, ViewError> {
    let limits = match &options.threshold {
        Some((name, _, _)) => Some(columns::values(feed, frame, name)?),
        None => None,
    };
    if let Some(name) = options.hidden.iter().find(|name| !snapshot.groups.contains(name)) {
        return Err(ViewError::missing(format!(
            "there is no group `{name}`, only {}",
            snapshot.groups.join(", ")
        )));
    }
    let groups = snapshot.groups.clone();
    let is_shown = |(row, particle): &(usize, ParticleView)| {
        let name = groups.get(particle.group.index());
        let p = particle.position.to_array();
        let behind = options
            .clip
            .is_none_or(|clip| clip[0] * p[0] + clip[1] * p[1] + clip[2] * p[2] <= clip[3]);
        let inside =
            options.inside.is_none_or(|b| (0..3).all(|k| b[k] <= p[k] && p[k] <= b[k + 3]));
        let passes = match (&limits, &options.threshold) {
            (Some(values), Some((_, low, high))) => (*low..=*high).contains(&values[*row]),
            _ => true,
        };
        behind && inside && passes && name.is_none_or(|name| !options.hidden.contains(name))
    };
    let all = std::mem::take(&mut snapshot.particles).into_iter().enumerate();
    snapshot.particles = all.filter(is_shown).map(|(_, particle)| particle).collect();
    Ok(snapshot)
}

/// The data of a frame that a picture needs. The first component of the velocity holds the quantity.
fn snapshot(feed: &dyn Feed, frame: &dyn FrameData, levels: &[f64]) -> Result<Snapshot, ViewError> {
    let points = frame.column("Points")?;
    let [radius, id, group] = ["radius", "id", "group"].map(|name| frame.column(name));
    let (radius, id, group) = (radius?, id?, group?);
    let particle = |row: usize| ParticleView {
        id: esker::ParticleId::new(id.values[row] as u32),
        group: esker::GroupId::new(group.values[row] as u16),
        material: esker::MaterialId::new(0),
        radius: radius.values[row],
        mass: 1.0,
        charge: 0.0,
        position: Vec3::from_slice(&points.values[3 * row..3 * row + 3]),
        image: [0; 3],
        velocity: Vec3::new(levels[row], 0.0, 0.0),
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
        walls: walls(frame)?,
        ..Snapshot::default()
    })
}

/// The walls of a frame: half-spaces as such, all others as meshes of their triangles.
fn walls(frame: &dyn FrameData) -> Result<Vec<WallView>, ViewError> {
    let found = frame.walls()?;
    let mut facets: Vec<Vec<[Vec3; 3]>> = Vec::new();
    for (corners, wall) in found.corners.as_chunks::<3>().0.iter().zip(&found.wall) {
        let index = usize::from(*wall);
        facets.resize(facets.len().max(index + 1), Vec::new());
        facets[index].push(corners.map(Vec3::from_array));
    }
    let shape = |(index, facets): (usize, &Vec<[Vec3; 3]>)| {
        let [a, b, c] = *facets.first()?;
        if found.endless.get(index) == Some(&true) {
            let normal = (b - a).cross(c - a).try_normalize()?;
            return Some(Shape::HalfSpace { point: a, normal });
        }
        let vertices = facets.iter().flatten().copied().collect();
        let triangles = (0..facets.len() as u32).map(|facet| [0, 1, 2].map(|k| 3 * facet + k));
        let mesh = Mesh::new(vertices, triangles.collect(), SMOOTH_ANGLE);
        mesh.ok().map(|(mesh, _)| Shape::Mesh(Arc::new(mesh)))
    };
    let view = |shape: Shape| WallView {
        name: String::new(),
        shape,
        pose: Pose::moved(Vec3::ZERO, Vec3::ZERO),
        force: Vec3::ZERO,
        torque: Vec3::ZERO,
        work: 0.0,
        present: true,
    };
    Ok(facets.iter().enumerate().filter_map(shape).map(view).collect())
}
