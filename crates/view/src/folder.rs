//! A run folder, finished or in progress. It is only read, since another process may be writing it. Frames and
//! `frames.pvd` are renamed into place and tables only grow, so that comparing lengths and times of modification
//! suffices.

use crate::ViewError;
use crate::cache::Cache;
use crate::columns::quantities;
use crate::feed::{At, Contacts, Feed, FrameData, Progress, RunInfo, StageInfo, WallTriangles};
use crate::run_file::{self, SceneFacts};
use crate::snapshot;
use crate::tables;
use crate::walls;
use esker_draw::OutputError;
use esker_scene::output::{Column, FrameFile, FrameFiles, frame_files};
use esker_scene::plain_file;
use esker_scene::run::{checkpoint_path, checkpoint_times, holds_run, is_running};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::SystemTime;

/// The longest `summary.json` or `postmortem.json` that is read [bytes].
const LONGEST_JSON: u64 = 64 << 20;

/// Length and time of modification of a file.
type Stamp = Option<(u64, SystemTime)>;

fn stamp(path: &Path) -> Stamp {
    let data = fs::metadata(path).ok()?;
    Some((data.len(), data.modified().ok()?))
}

/// The frames listed in the collection. A run may have many thousands: readers share one list.
#[derive(Debug, Default, Clone)]
struct Index {
    stamp: Stamp,
    frames: Arc<[FrameFiles]>,
    times: Arc<[f64]>,
}

/// A run folder.
#[derive(Debug)]
pub struct FolderFeed {
    folder: PathBuf,
    facts: SceneFacts,
    cache: Arc<Cache>,
    index: Mutex<Index>,
    checkpoints: Mutex<(Stamp, Vec<f64>)>,
    origin: OnceLock<[f64; 3]>,
    outline: OnceLock<Option<Vec<[f64; 3]>>>,
}

impl FolderFeed {
    /// Opens a run folder.
    pub fn open(folder: &Path) -> Result<Self, ViewError> {
        if !holds_run(folder) {
            let what = if folder.is_dir() { "holds no run" } else { "is no folder" };
            return Err(ViewError::missing(format!("`{}` {what}", folder.display())));
        }
        let feed = Self {
            folder: folder.to_path_buf(),
            facts: run_file::read(folder),
            cache: Arc::default(),
            index: Mutex::default(),
            checkpoints: Mutex::default(),
            origin: OnceLock::new(),
            outline: OnceLock::new(),
        };
        feed.frames()?;
        Ok(feed)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// The current frames. The collection is read only if it has changed.
    fn index(&self) -> Result<Index, ViewError> {
        let stamp = stamp(&self.folder.join("frames.pvd"));
        let mut index =
            self.index.lock().map_err(|_| ViewError::missing("an earlier read failed"))?;
        if index.stamp != stamp || stamp.is_none() {
            let frames: Arc<[FrameFiles]> = frame_files(&self.folder)?.into();
            let times: Arc<[f64]> = frames.iter().map(|frame| frame.time).collect();
            // A restarted run has other frames with the same numbers.
            if !times.starts_with(&index.times) {
                self.cache.clear();
            }
            *index = Index { stamp, frames, times };
        }
        Ok(index.clone())
    }

    fn frames(&self) -> Result<Arc<[FrameFiles]>, ViewError> {
        Ok(self.index()?.frames)
    }

    /// Times of the checkpoints, read again if the latest one has changed.
    fn checkpoints(&self) -> Vec<f64> {
        let stamp = stamp(&checkpoint_path(&self.folder));
        let Ok(mut known) = self.checkpoints.lock() else { return Vec::new() };
        if known.0 != stamp {
            *known = (stamp, checkpoint_times(&self.folder));
        }
        known.1.clone()
    }

    fn open_frame(&self, number: usize) -> Result<FolderFrame, ViewError> {
        let frames = self.frames()?;
        let missing = || ViewError::missing(format!("there is no frame {number}"));
        let files = frames.get(number).ok_or_else(missing)?.clone();
        let file = FrameFile::open(&files.particles)?;
        Ok(FolderFrame {
            file,
            files,
            number,
            cache: Arc::clone(&self.cache),
            half_spaces: self.facts.half_spaces.clone(),
        })
    }

    /// `running`, how it ended, or `stopped` if it was killed.
    fn state(&self) -> String {
        // A run writes its summary before its report, while it still locks the folder; a resumed run removes it.
        let ended = json(&self.folder.join("summary.json"));
        let word = ended.as_ref().and_then(|summary| summary["ended"].as_str());
        let other = if is_running(&self.folder) { "running" } else { "stopped" };
        word.unwrap_or(other).to_owned()
    }

    /// Stages with their starts: from the scene as long as stages end by duration; from then on by bisection of the
    /// frames, in which stages are consecutive.
    fn stages(&self, frames: &[FrameFiles]) -> Vec<StageInfo> {
        let mut found: Vec<StageInfo> = Vec::new();
        let mut start = Some(0.0);
        let last = frames.last().map_or(f64::INFINITY, |frame| frame.time);
        let stage_of = |number: usize| {
            let file = FrameFile::open(&frames[number].particles).ok()?;
            file.stage().map(str::to_owned)
        };
        let names: Vec<&String> = self.facts.stages.iter().map(|(name, _)| name).collect();
        for (index, (name, duration)) in self.facts.stages.iter().enumerate() {
            let begin = start.or_else(|| {
                let reached = |number: &usize| {
                    let stage = stage_of(*number).unwrap_or_default();
                    names.iter().position(|known| **known == stage).is_some_and(|at| at >= index)
                };
                first_where(frames.len(), reached).map(|number| frames[number].time)
            });
            let Some(begin) = begin.filter(|begin| *begin <= last) else { break };
            found.push(StageInfo { name: name.clone(), start: begin });
            start = start.and_then(|start| Some(start + (*duration)?));
        }
        found
    }
}

/// The first number for which a condition holds; it holds for all later ones.
fn first_where(count: usize, holds: impl Fn(&usize) -> bool) -> Option<usize> {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(&middle) { high = middle } else { low = middle + 1 }
    }
    (low < count).then_some(low)
}

fn json(path: &Path) -> Option<Value> {
    let text = plain_file::read_text(path, LONGEST_JSON).ok()?;
    serde_json::from_str(&text).ok()
}

/// The run below a folder of runs whose files were modified last.
pub fn newest_run(runs: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(runs).ok()?.flatten().map(|entry| entry.path());
    let modified = |path: &Path| {
        let files = ["frames.pvd", "energy.csv", "summary.json", "run.toml"];
        files.iter().filter_map(|name| fs::metadata(path.join(name)).ok()?.modified().ok()).max()
    };
    entries.filter(|path| holds_run(path)).max_by_key(|path| modified(path))
}

impl Feed for FolderFeed {
    fn info(&self) -> Result<RunInfo, ViewError> {
        let Index { frames, times, .. } = self.index()?;
        let mut info = RunInfo {
            version: crate::assets::version(),
            title: self.facts.title.clone(),
            name: self.folder.display().to_string(),
            state: self.state(),
            times: times.to_vec(),
            checkpoints: self.checkpoints(),
            stages: self.stages(&frames),
            failure: json(&self.folder.join("postmortem.json")),
            domain: self.facts.domain,
            periodic: self.facts.periodic,
            gravity: self.facts.gravity,
            contacts: frames.last().is_some_and(|frame| frame.contacts.is_some()),
            ..RunInfo::default()
        };
        let list = tables::paths(&self.folder);
        info.tables = list.iter().map(|(name, path)| tables::info(name, path)).collect();
        match frames.last() {
            None => info.notes.push(
                "This run has written no frames: add `frames = { every = 0.01 }` to `[outputs]` of the scene."
                    .to_owned(),
            ),
            Some(last) => {
                let file = FrameFile::open(&last.particles)?;
                info.columns = quantities(file.columns());
                info.groups = file.words("groups").unwrap_or_default().to_vec();
                info.materials = file.words("materials").unwrap_or_default().to_vec();
                if let Ok(walls) = FrameFile::open(&last.walls) {
                    info.walls = walls.words("walls").unwrap_or_default().to_vec();
                }
            }
        }
        info.origin = self.origin();
        Ok(info)
    }

    fn progress(&self) -> Result<Progress, ViewError> {
        let (times, checkpoints) = (self.index()?.times, self.checkpoints());
        let length = |path: &Path| fs::metadata(path).map_or(0, |data| data.len());
        let sizes = tables::paths(&self.folder).iter().map(|(_, path)| length(path)).collect();
        let state = self.state();
        Ok(Progress { state, times, checkpoints, tables: sizes, ..Progress::default() })
    }

    fn frame(&self, at: At) -> Result<Arc<dyn FrameData>, ViewError> {
        match at {
            At::Frame(number) => Ok(Arc::new(self.open_frame(number)?)),
            At::Live => {
                let count = self.frames()?.len();
                let last = count.checked_sub(1).ok_or_else(|| ViewError::missing("no frame"))?;
                Ok(Arc::new(self.open_frame(last)?))
            }
        }
    }

    fn table(&self, index: usize, after: u64) -> Result<Vec<u8>, ViewError> {
        let list = tables::paths(&self.folder);
        let (_, path) = list.get(index).ok_or_else(|| ViewError::missing("no such table"))?;
        tables::rest(path, after)
    }

    fn origin(&self) -> [f64; 3] {
        if let Some(origin) = self.origin.get() {
            return *origin;
        }
        let first = self.open_frame(0).and_then(|frame| frame.column("Points"));
        let points = first.map(|points| points.values.clone());
        let origin = snapshot::origin(self.facts.domain, points.as_deref().unwrap_or_default());
        // Without a frame the facts may still change.
        if self.facts.domain.is_some() || points.is_ok() {
            return *self.origin.get_or_init(|| origin);
        }
        origin
    }

    fn periods(&self) -> [f64; 3] {
        let (domain, periodic) = (self.facts.domain, self.facts.periodic);
        snapshot::periods(&RunInfo { domain, periodic, ..RunInfo::default() })
    }

    // From the first, middle and last frame.
    fn outline(&self) -> Option<Vec<[f64; 3]>> {
        let of_frames = || {
            let count = self.frames().map_or(0, |frames| frames.len());
            let mut chosen = vec![0, count / 2, count.saturating_sub(1)];
            chosen.dedup();
            let mut found = Vec::new();
            for number in chosen.into_iter().filter(|number| *number < count) {
                found.extend(walls::outline(&self.open_frame(number).ok()?).ok()?);
            }
            (!found.is_empty()).then_some(found)
        };
        self.outline.get_or_init(of_frames).clone()
    }
}

/// One frame of a folder.
struct FolderFrame {
    file: FrameFile,
    files: FrameFiles,
    number: usize,
    cache: Arc<Cache>,
    half_spaces: Vec<String>,
}

impl FrameData for FolderFrame {
    fn time(&self) -> f64 {
        self.file.time()
    }

    fn step(&self) -> u64 {
        self.file.step()
    }

    fn stage(&self) -> Option<String> {
        self.file.stage().map(str::to_owned)
    }

    fn column(&self, name: &str) -> Result<Arc<Column>, ViewError> {
        if let Some(column) = self.cache.get(self.number, name) {
            return Ok(column);
        }
        let column = Arc::new(self.file.read(name)?);
        self.cache.put(self.number, name, &column);
        Ok(column)
    }

    fn column_names(&self) -> Vec<String> {
        self.file.columns().map(|(name, _)| name.to_owned()).collect()
    }

    fn row(&self, name: &str, row: usize) -> Result<Vec<f64>, ViewError> {
        Ok(self.file.read_row(name, row)?)
    }

    fn row_of(&self, id: u64) -> Result<Option<usize>, ViewError> {
        Ok(self.file.row_of(id)?)
    }

    fn walls(&self) -> Result<WallTriangles, ViewError> {
        let file = FrameFile::open(&self.files.walls)?;
        let points = file.read("Points")?.values;
        let corners = file.read("connectivity")?.values;
        let wall = file.read("wall")?.values;
        let names = file.words("walls").unwrap_or_default();
        let corner = |index: &f64| {
            let start = 3 * *index as usize;
            let point = points.get(start..start + 3).ok_or_else(|| {
                OutputError::content(
                    &self.files.walls,
                    "a triangle refers to a vertex that does not exist",
                )
            })?;
            Ok([point[0], point[1], point[2]])
        };
        let corners: Result<Vec<[f64; 3]>, OutputError> = corners.iter().map(corner).collect();
        Ok(WallTriangles {
            corners: corners?,
            wall: wall.iter().map(|index| *index as u16).collect(),
            endless: names.iter().map(|name| self.half_spaces.contains(name)).collect(),
        })
    }

    fn contacts(&self) -> Result<Option<Contacts>, ViewError> {
        let Some(path) = self.files.contacts.as_ref().filter(|path| path.is_file()) else {
            return Ok(None);
        };
        let file = FrameFile::open(path)?;
        let ends = file.read("Points")?.values;
        let whole = |name: &str| {
            let column = file.read(name)?;
            Ok::<_, OutputError>(column.values.iter().map(|x| *x as u32).collect::<Vec<u32>>())
        };
        let flag =
            |name: &str| Ok::<_, OutputError>(whole(name)?.iter().map(|x| *x != 0).collect());
        let ends = ends.as_chunks::<6>().0.to_vec();
        Ok(Some(Contacts {
            ends,
            force: file.read("force_magnitude")?.values,
            sliding: flag("sliding")?,
            first: whole("first")?,
            second: whole("second")?,
            with_wall: flag("with_wall")?,
        }))
    }
}
