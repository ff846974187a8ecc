//! Frames from snapshots in memory: a scene, a run in progress, the pictures of a report.

use crate::ViewError;
use crate::columns::quantities;
use crate::feed::{At, Contacts, Feed, FrameData, Progress, RunInfo, WallTriangles};
use crate::walls;
use esker::measure::{ParticleView, Partner, Snapshot};
use esker_scene::output::Column;
use std::sync::Arc;

/// Columns of a snapshot: name and number of components.
const COLUMNS: [(&str, usize); 12] = [
    ("velocity", 3),
    ("radius", 1),
    ("id", 1),
    ("group", 1),
    ("material", 1),
    ("mass", 1),
    ("charge", 1),
    ("spin", 3),
    ("orientation", 4),
    ("force", 3),
    ("torque", 3),
    ("coordination", 1),
];

/// One snapshot.
#[derive(Debug)]
pub struct SnapshotFrame {
    snapshot: Snapshot,
    /// True if contacts, and with them coordination numbers, are included.
    has_contacts: bool,
}

impl SnapshotFrame {
    /// A frame of a snapshot; `has_contacts` if its list of contacts was filled.
    pub fn new(snapshot: Snapshot, has_contacts: bool) -> Self {
        Self { snapshot, has_contacts }
    }

    /// Names and components of the columns.
    pub fn columns(&self) -> impl Iterator<Item = (&'static str, usize)> + use<> {
        let has_contacts = self.has_contacts;
        COLUMNS.into_iter().filter(move |(name, _)| has_contacts || *name != "coordination")
    }

    fn collect<const N: usize>(&self, of: impl Fn(&ParticleView) -> [f64; N]) -> Column {
        let values = self.snapshot.particles.iter().flat_map(of).collect();
        Column { components: N, values }
    }
}

impl FrameData for SnapshotFrame {
    fn time(&self) -> f64 {
        self.snapshot.time
    }

    fn step(&self) -> u64 {
        self.snapshot.step
    }

    fn stage(&self) -> Option<String> {
        Some(self.snapshot.stage.clone())
    }

    fn column(&self, name: &str) -> Result<Arc<Column>, ViewError> {
        let column = match name {
            "Points" => self.collect(|p| p.position.to_array()),
            "velocity" => self.collect(|p| p.velocity.to_array()),
            "spin" => self.collect(|p| p.spin.to_array()),
            "force" => self.collect(|p| p.force.to_array()),
            "torque" => self.collect(|p| p.torque.to_array()),
            "orientation" => self.collect(|p| {
                let q = p.orientation;
                [q.w, q.x, q.y, q.z]
            }),
            "image" => self.collect(|p| p.image.map(f64::from)),
            "radius" => self.collect(|p| [p.radius]),
            "id" => self.collect(|p| [f64::from(p.id.number())]),
            "group" => self.collect(|p| [f64::from(p.group.number())]),
            "material" => self.collect(|p| [f64::from(p.material.number())]),
            "mass" => self.collect(|p| [p.mass]),
            "charge" => self.collect(|p| [p.charge]),
            "coordination" if self.has_contacts => self.collect(|p| [f64::from(p.coordination)]),
            _ => return Err(ViewError::missing(format!("there is no column `{name}`"))),
        };
        Ok(Arc::new(column))
    }

    fn column_names(&self) -> Vec<String> {
        self.columns().map(|(name, _)| name.to_owned()).collect()
    }

    fn walls(&self) -> Result<WallTriangles, ViewError> {
        Ok(walls::of_snapshot(&self.snapshot))
    }

    fn contacts(&self) -> Result<Option<Contacts>, ViewError> {
        if !self.has_contacts {
            return Ok(None);
        }
        let mut found = Contacts::default();
        for contact in self.snapshot.contacts.iter().filter(|contact| contact.overlap > 0.0) {
            let [a, b] = [contact.first_position, contact.second_position];
            found.ends.push([a.x, a.y, a.z, b.x, b.y, b.z]);
            found.force.push(contact.force().length());
            found.sliding.push(contact.sliding);
            found.first.push(u32::from(contact.first));
            let (second, is_wall) = match contact.second {
                Partner::Particle(id) => (u32::from(id), false),
                Partner::Wall(index) => (u32::from(index.number()), true),
            };
            found.second.push(second);
            found.with_wall.push(is_wall);
        }
        Ok(Some(found))
    }
}

/// A point near the particles, relative to which positions are given: the centre of the domain if it is known, else the
/// mean position.
pub fn origin(domain: Option<[[f64; 3]; 2]>, points: &[f64]) -> [f64; 3] {
    if let Some([low, high]) = domain {
        return std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis]));
    }
    let count = (points.len() / 3).max(1) as f64;
    std::array::from_fn(|axis| {
        points.iter().skip(axis).step_by(3).filter(|x| x.is_finite()).sum::<f64>() / count
    })
}

/// Data of a snapshot that apply to the whole run.
pub fn info_of(frame: &SnapshotFrame) -> RunInfo {
    let snapshot = &frame.snapshot;
    let (low, high) = (snapshot.domain_min, snapshot.domain_max);
    let domain = (low.is_finite() && high.is_finite()).then(|| [low.to_array(), high.to_array()]);
    let points: Vec<f64> = snapshot.particles.iter().flat_map(|p| p.position.to_array()).collect();
    RunInfo {
        version: crate::assets::version(),
        columns: quantities(frame.columns()),
        groups: snapshot.groups.clone(),
        materials: snapshot.materials.clone(),
        walls: snapshot.walls.iter().map(|wall| wall.name.clone()).collect(),
        domain,
        periodic: snapshot.periodic,
        origin: origin(domain, &points),
        contacts: frame.has_contacts,
        ..RunInfo::default()
    }
}

/// Snapshots as the frames of a run.
#[derive(Debug)]
pub struct SnapshotsFeed {
    frames: Vec<Arc<SnapshotFrame>>,
    info: RunInfo,
}

impl SnapshotsFeed {
    /// Frames in order of time; at least one. `has_contacts` if their lists of contacts were filled.
    pub fn new(
        snapshots: Vec<Snapshot>,
        has_contacts: bool,
        gravity: [f64; 3],
        state: &str,
    ) -> Result<Self, ViewError> {
        let frames: Vec<Arc<SnapshotFrame>> =
            snapshots.into_iter().map(|s| Arc::new(SnapshotFrame::new(s, has_contacts))).collect();
        let last = frames.last().ok_or_else(|| ViewError::missing("there is no frame"))?;
        let times = frames.iter().map(|frame| frame.time()).collect();
        let info = RunInfo { times, state: state.to_owned(), gravity, ..info_of(last) };
        Ok(Self { frames, info })
    }

    /// The same with title and name.
    #[must_use]
    pub fn named(mut self, title: &str, name: &str) -> Self {
        self.info.title = title.to_owned();
        self.info.name = name.to_owned();
        self
    }

    /// Adds a note for the reader.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.info.notes.push(note.into());
        self
    }
}

impl Feed for SnapshotsFeed {
    fn info(&self) -> Result<RunInfo, ViewError> {
        Ok(self.info.clone())
    }

    fn progress(&self) -> Result<Progress, ViewError> {
        let (state, times) = (self.info.state.clone(), self.info.times.as_slice().into());
        Ok(Progress { state, times, ..Progress::default() })
    }

    fn frame(&self, at: At) -> Result<Arc<dyn FrameData>, ViewError> {
        let found = match at {
            At::Frame(number) => self.frames.get(number),
            At::Live => self.frames.last(),
        };
        let frame = found.ok_or_else(|| ViewError::missing("there is no such frame"))?;
        Ok(Arc::clone(frame) as Arc<dyn FrameData>)
    }

    fn table(&self, _: usize, _: u64) -> Result<Vec<u8>, ViewError> {
        Err(ViewError::missing("there is no table"))
    }

    fn origin(&self) -> [f64; 3] {
        self.info.origin
    }

    fn periods(&self) -> [f64; 3] {
        periods(&self.info)
    }
}

/// Period of each direction; zero if it is not periodic [m].
pub fn periods(info: &RunInfo) -> [f64; 3] {
    std::array::from_fn(|axis| match info.domain {
        Some([low, high]) if info.periodic[axis] => high[axis] - low[axis],
        _ => 0.0,
    })
}
