//! Sources of frames: a run folder, a run in memory, a scene.

use crate::ViewError;
use esker_scene::output::Column;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// Selects a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum At {
    /// A frame by its number.
    Frame(usize),
    /// The latest state of a run in memory.
    Live,
}

/// A quantity of particles.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Quantity {
    /// Name of the column.
    pub name: String,
    /// Label.
    pub label: String,
    /// Unit; empty for pure numbers.
    pub unit: &'static str,
    /// 1, or 3 for vectors.
    pub components: usize,
}

/// A table of the run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableInfo {
    /// Name without ending, such as `energy` or `probes/small`.
    pub name: String,
    /// Length so far [bytes].
    pub size: u64,
    /// Units of the columns that have one, by name.
    pub units: Vec<(String, String)>,
}

/// A stage and its start.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StageInfo {
    /// Name.
    pub name: String,
    /// Start; for a run folder, the time of its first frame if the scene does not determine it [s].
    pub start: f64,
}

/// Information on a run that the page needs before its first frame.
#[derive(Debug, Clone, Default, Serialize)]
pub struct RunInfo {
    /// Version of the program and of the page.
    pub version: String,
    /// Number of runs shown side by side.
    pub runs: usize,
    /// Title of the scene.
    pub title: String,
    /// Folder or file, for the title of the window.
    pub name: String,
    /// `running`, `finished`, `failed`, `interrupted`, `out of time`, `stopped` or `scene`.
    pub state: String,
    /// Times of the frames [s].
    pub times: Vec<f64>,
    /// Stages in order.
    pub stages: Vec<StageInfo>,
    /// Times of the checkpoints from which the run can be resumed [s].
    pub checkpoints: Vec<f64>,
    /// Columns of particles.
    pub columns: Vec<Quantity>,
    /// Names of the groups.
    pub groups: Vec<String>,
    /// Names of the materials.
    pub materials: Vec<String>,
    /// Names of the walls.
    pub walls: Vec<String>,
    /// Tables.
    pub tables: Vec<TableInfo>,
    /// `postmortem.json`, if the run failed.
    pub failure: Option<Value>,
    /// Lower and upper corner of the domain [m], if it is finite.
    pub domain: Option<[[f64; 3]; 2]>,
    /// Periodic directions.
    pub periodic: [bool; 3],
    /// Gravity [m/s²].
    pub gravity: [f64; 3],
    /// All positions of frames are relative to this point [m].
    pub origin: [f64; 3],
    /// True if frames have contacts.
    pub contacts: bool,
    /// True if frames come from memory.
    pub live: bool,
    /// Notes for the reader, such as a folder without frames.
    pub notes: Vec<String>,
}

/// Data that may change while a page is open. Cheap to compute.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Progress {
    /// As in [`RunInfo`].
    pub state: String,
    /// Times of all frames [s].
    pub times: Arc<[f64]>,
    /// As in [`RunInfo`].
    pub checkpoints: Vec<f64>,
    /// Number of steps of the latest state in memory.
    pub step: Option<u64>,
    /// Time of that state [s].
    pub live_time: Option<f64>,
    /// Lengths of the tables [bytes].
    pub tables: Vec<u64>,
}

/// Triangles of the walls of a frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WallTriangles {
    /// Corners, three for each triangle [m].
    pub corners: Vec<[f64; 3]>,
    /// The wall of each triangle.
    pub wall: Vec<u16>,
    /// True if each wall is unlimited (a half-space), by index.
    pub endless: Vec<bool>,
}

/// Contacts of a frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Contacts {
    /// Centre of the first partner, and of the second or the point on the wall [m].
    pub ends: Vec<[f64; 6]>,
    /// Magnitude of the force [N].
    pub force: Vec<f64>,
    /// True if the contact slides.
    pub sliding: Vec<bool>,
    /// Id of the first partner.
    pub first: Vec<u32>,
    /// Id of the second partner, or index of the wall.
    pub second: Vec<u32>,
    /// True if the second partner is a wall.
    pub with_wall: Vec<bool>,
}

/// One frame. Columns are read when they are requested.
pub trait FrameData: Send + Sync {
    /// Time [s].
    fn time(&self) -> f64;
    /// Steps made.
    fn step(&self) -> u64;
    /// Name of the stage, if it is known.
    fn stage(&self) -> Option<String>;
    /// A column as written; `Points` are the positions.
    fn column(&self, name: &str) -> Result<Arc<Column>, ViewError>;
    /// Names of the columns of particles.
    fn column_names(&self) -> Vec<String>;
    /// One row of a column.
    fn row(&self, name: &str, row: usize) -> Result<Vec<f64>, ViewError> {
        let column = self.column(name)?;
        let tuple = column.values.chunks_exact(column.components).nth(row);
        Ok(tuple.ok_or_else(|| ViewError::missing(format!("there is no row {row}")))?.to_vec())
    }
    /// The row of a particle.
    fn row_of(&self, id: u64) -> Result<Option<usize>, ViewError> {
        let ids = self.column("id")?;
        Ok(ids.values.binary_search_by(|known| known.total_cmp(&(id as f64))).ok())
    }
    /// Walls as triangles.
    fn walls(&self) -> Result<WallTriangles, ViewError>;
    /// Contacts; none if they were not recorded.
    fn contacts(&self) -> Result<Option<Contacts>, ViewError>;
}

/// A source of frames.
pub trait Feed: Send + Sync {
    /// Information needed before the first frame.
    fn info(&self) -> Result<RunInfo, ViewError>;
    /// The current progress.
    fn progress(&self) -> Result<Progress, ViewError>;
    /// A frame.
    fn frame(&self, at: At) -> Result<Arc<dyn FrameData>, ViewError>;
    /// The bytes of a table from a position onwards.
    fn table(&self, index: usize, after: u64) -> Result<Vec<u8>, ViewError>;
    /// All positions of frames are relative to this point [m].
    fn origin(&self) -> [f64; 3];
    /// Period of each direction; zero if it is not periodic [m].
    fn periods(&self) -> [f64; 3] {
        [0.0; 3]
    }
    /// Outermost points of the particles of the run, if known [m].
    fn outline(&self) -> Option<Vec<[f64; 3]>> {
        None
    }
    /// Step of the latest state in memory. Cheap to compute.
    fn live_step(&self) -> Option<u64> {
        None
    }
    /// A page waits for a state newer than this step, with or without contacts.
    fn request_live(&self, _step: u64, _contacts: bool) {}
    /// True if states come from memory, in which case waiting requests poll frequently.
    fn is_live(&self) -> bool {
        false
    }
}
