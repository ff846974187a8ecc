//! Frames for ParaView: a folder `frames/` of `.vtp` files and the collection `frames.pvd`
//! beside it, which opens all of them as one animation.
//!
//! Each file is written under a temporary name, synced and renamed, and the collection is replaced as a whole
//! afterwards, so that it never lists an incomplete file. Walls that have not moved are not written again: the
//! collection lists the earlier file.

use super::frame_parts;
use super::rows;
use super::vtk::PolyData;
use super::writer::{Start, Writer};
use crate::plain_file::{self, LONGEST_FILE};
use crate::run::served::{Request, absolute, lead};
use atomic_write_file::AtomicWriteFile;
use esker::Simulation;
use esker::measure::Snapshot;
use esker_draw::OutputError;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

const PARTICLES: &str = "particles";
const CONTACTS: &str = "contacts";
const WALLS: &str = "walls";
const PARTS: [&str; 3] = [PARTICLES, CONTACTS, WALLS];
/// Ending of a file that is being written.
const UNFINISHED: &str = "unfinished";

/// Writes frames into a run folder.
#[derive(Debug)]
pub struct FrameWriter {
    folder: PathBuf,
    /// The finished frames.
    listed: Vec<Listed>,
    /// True if frames have contacts.
    contacts: bool,
    /// The newest file of walls.
    walls: Option<Vec<u8>>,
}

/// A finished frame.
#[derive(Debug, Clone, PartialEq)]
struct Listed {
    /// Time as written [s].
    time: String,
    /// The frame whose file holds the walls: this one, or an earlier one if they have not moved since.
    walls: usize,
}

impl FrameWriter {
    /// Starts without frames. Frames of an earlier run in the same folder are removed.
    /// Without `contacts` there are no files of contacts.
    pub fn new(folder: impl Into<PathBuf>, contacts: bool) -> Result<Self, OutputError> {
        Self::with_frames(folder.into(), Vec::new(), contacts)
    }

    /// Continues after the first `frames_kept` frames. Later frames, and incomplete files of a killed run, are removed:
    /// the continued run writes them again.
    pub fn resume(
        folder: impl Into<PathBuf>,
        frames_kept: usize,
        contacts: bool,
    ) -> Result<Self, OutputError> {
        let folder = folder.into();
        let mut listed =
            if frames_kept > 0 { read_collection(&collection(&folder))? } else { Vec::new() };
        if listed.len() < frames_kept {
            let problem = format!(
                "lists {} frames, but the run to resume had written {frames_kept}",
                listed.len()
            );
            return Err(OutputError::content(&collection(&folder), problem));
        }
        listed.truncate(frames_kept);
        Self::with_frames(folder, listed, contacts)
    }

    fn with_frames(
        folder: PathBuf,
        listed: Vec<Listed>,
        contacts: bool,
    ) -> Result<Self, OutputError> {
        let frames = folder.join("frames");
        fs::create_dir_all(&frames).map_err(OutputError::system("create", &frames))?;
        // A file that cannot be read is written again.
        let last = listed.last().map(|frame| folder.join(part_file(WALLS, frame.walls)));
        let walls = last.and_then(|path| plain_file::read(&path, LONGEST_FILE).ok());
        let writer = Self { folder, listed, contacts, walls };
        // The list first, then the files, so that every listed file exists at any time.
        writer.write_collection()?;
        writer.remove_later_frames(&frames)?;
        Ok(writer)
    }

    /// Starts or continues.
    pub(super) fn open(folder: &Path, start: Start, contacts: bool) -> Result<Self, OutputError> {
        match start {
            Start::New => Self::new(folder, contacts),
            Start::After(frames) => Self::resume(folder, frames, contacts),
        }
    }

    /// The number of complete frames.
    pub fn frames(&self) -> usize {
        self.listed.len()
    }

    /// Adds a frame.
    pub fn write(&mut self, snapshot: &Snapshot) -> Result<(), OutputError> {
        let makers: [fn(&Snapshot) -> io::Result<PolyData>; 2] =
            [frame_parts::particles, frame_parts::contacts];
        let parts = [PARTICLES, CONTACTS].into_iter().zip(makers);
        for (part, make) in parts.filter(|(part, _)| self.has(part)) {
            let path = self.folder.join(part_file(part, self.listed.len()));
            write_complete(&path, |out| make(snapshot)?.write(out))
                .map_err(OutputError::system("write", &path))?;
        }
        self.list(snapshot)
    }

    /// Adds a frame of a simulation that is divided among ranks.
    fn write_divided(&mut self, simulation: &Simulation) -> Result<(), OutputError> {
        let path = self.folder.join(part_file(PARTICLES, self.listed.len()));
        let write = || {
            let unfinished = unfinished(&path);
            lead(simulation, &Request::Particles(absolute(&unfinished)));
            rows::write_particles(simulation, &unfinished)?;
            fs::rename(&unfinished, &path)
        };
        write().map_err(OutputError::system("write", &path))?;
        if self.has(CONTACTS) {
            let path = self.folder.join(part_file(CONTACTS, self.listed.len()));
            let write = || {
                lead(simulation, &Request::Contacts);
                match rows::collect_contacts(simulation)? {
                    Some(piece) => write_complete(&path, |out| piece.write(out)),
                    None => Ok(()),
                }
            };
            write().map_err(OutputError::system("write", &path))?;
        }
        lead(simulation, &Request::Walls);
        self.list(&simulation.rows().snapshot_without_rows())
    }

    /// Writes the walls and adds the frame to the collection.
    fn list(&mut self, snapshot: &Snapshot) -> Result<(), OutputError> {
        let walls = self.write_walls(snapshot)?;
        self.listed.push(Listed { time: format!("{:?}", snapshot.time), walls });
        self.write_collection()
    }

    /// Writes the walls if they differ from those of the previous frame. Returns the frame whose file holds them.
    fn write_walls(&mut self, snapshot: &Snapshot) -> Result<usize, OutputError> {
        let frame = self.listed.len();
        let path = self.folder.join(part_file(WALLS, frame));
        let write = || {
            let mut bytes = Vec::new();
            frame_parts::walls(snapshot)?.write(&mut bytes)?;
            if let Some(last) = self.listed.last()
                && self.walls.as_ref() == Some(&bytes)
            {
                return Ok((last.walls, None));
            }
            write_complete(&path, |out| out.write_all(&bytes))?;
            Ok((frame, Some(bytes)))
        };
        let (holder, written) = write().map_err(OutputError::system("write", &path))?;
        if written.is_some() {
            self.walls = written;
        }
        Ok(holder)
    }

    /// True if frames have this part.
    fn has(&self, part: &str) -> bool {
        self.contacts || part != CONTACTS
    }

    fn write_collection(&self) -> Result<(), OutputError> {
        let path = collection(&self.folder);
        let write = || {
            let mut file = AtomicWriteFile::open(&path)?;
            file.write_all(self.collection_text().as_bytes())?;
            file.commit()
        };
        write().map_err(OutputError::system("write", &path))
    }

    fn collection_text(&self) -> String {
        let mut text = String::from(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n",
        );
        for (frame, Listed { time, walls }) in self.listed.iter().enumerate() {
            for (index, part) in PARTS.into_iter().filter(|part| self.has(part)).enumerate() {
                let file = part_file(part, if part == WALLS { *walls } else { frame });
                text.push_str(&format!(
                    "<DataSet timestep=\"{time}\" part=\"{index}\" name=\"{part}\" file=\"{file}\"/>\n"
                ));
            }
        }
        text.push_str("</Collection>\n</VTKFile>\n");
        text
    }

    /// Removes files of frames that are not listed. Files that no frame writer has made are kept.
    fn remove_later_frames(&self, frames: &Path) -> Result<(), OutputError> {
        let entries = fs::read_dir(frames).map_err(OutputError::system("read", frames))?;
        for entry in entries {
            let entry = entry.map_err(OutputError::system("read", frames))?;
            let later = entry
                .file_name()
                .to_str()
                .and_then(frame_of)
                .is_some_and(|(frame, finished)| frame >= self.listed.len() || !finished);
            if later {
                let path = entry.path();
                fs::remove_file(&path).map_err(OutputError::system("remove", &path))?;
            }
        }
        Ok(())
    }
}

impl Writer for FrameWriter {
    fn write(&mut self, snapshot: &Snapshot) -> Result<(), OutputError> {
        Self::write(self, snapshot)
    }

    fn write_divided(&mut self, simulation: &Simulation) -> Result<(), OutputError> {
        Self::write_divided(self, simulation)
    }

    fn frames(&self) -> usize {
        Self::frames(self)
    }
}

fn collection(folder: &Path) -> PathBuf {
    folder.join("frames.pvd")
}

/// Name of a part of a frame, with `/` on every system since the collection contains it.
fn part_file(part: &str, frame: usize) -> String {
    format!("frames/{part}_{frame:06}.vtp")
}

/// The number of the frame that a file name belongs to, and whether the file is finished.
fn frame_of(name: &str) -> Option<(usize, bool)> {
    let (stem, ending) = name.split_once('.')?;
    let finished = match ending {
        "vtp" => true,
        _ if ending.strip_prefix("vtp.") == Some(UNFINISHED) => false,
        _ => return None,
    };
    let (part, number) = stem.split_once('_')?;
    let ours = PARTS.contains(&part) && number.len() >= 6;
    Some((number.parse().ok().filter(|_| ours)?, finished))
}

/// The frames listed in a collection that Esker wrote, in order.
fn read_collection(path: &Path) -> Result<Vec<Listed>, OutputError> {
    let text =
        plain_file::read_text(path, LONGEST_FILE).map_err(OutputError::system("read", path))?;
    let mut listed: Vec<Listed> = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("<DataSet ")) {
        let attribute = |name: &str| {
            let start = line.find(&format!(" {name}=\""))? + name.len() + 3;
            line[start..].split('"').next()
        };
        let (Some(time), Some(file)) = (attribute("timestep"), attribute("file")) else {
            let problem = format!("not a line that Esker wrote: `{line}`");
            return Err(OutputError::content(path, problem));
        };
        let frame = listed.len();
        if file == part_file(PARTICLES, frame) && time.parse::<f64>().is_ok() {
            listed.push(Listed { time: time.to_string(), walls: frame });
        } else if let Some(last) = listed.last_mut()
            && let Some(number) =
                file.strip_prefix("frames/walls_").and_then(|n| n.strip_suffix(".vtp"))
        {
            last.walls = number.parse().ok().filter(|walls| *walls < frame).unwrap_or(last.walls);
        }
    }
    Ok(listed)
}

/// The files of one frame.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameFiles {
    /// Time [s].
    pub time: f64,
    /// Particles.
    pub particles: PathBuf,
    /// Contacts, if they were written.
    pub contacts: Option<PathBuf>,
    /// Walls.
    pub walls: PathBuf,
}

/// The frames of a run folder, in order; none if it has no collection yet. File names are derived from the frame
/// numbers, never read from the collection, so that an untrusted folder cannot refer to other files.
pub fn frame_files(folder: &Path) -> Result<Vec<FrameFiles>, OutputError> {
    let path = collection(folder);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let listed = read_collection(&path)?;
    let contacts = !listed.is_empty() && folder.join(part_file(CONTACTS, 0)).is_file();
    let files = listed.iter().enumerate().map(|(frame, Listed { time, walls })| {
        let file = |part: &str, frame: usize| folder.join(part_file(part, frame));
        FrameFiles {
            time: time.parse().unwrap_or(f64::NAN),
            particles: file(PARTICLES, frame),
            contacts: contacts.then(|| file(CONTACTS, frame)),
            walls: file(WALLS, *walls),
        }
    });
    Ok(files.collect())
}

/// The temporary name of a file.
fn unfinished(path: &Path) -> PathBuf {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".");
    unfinished.push(UNFINISHED);
    PathBuf::from(unfinished)
}

/// Writes a file under a temporary name and renames it when it is complete and synced.
fn write_complete(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let unfinished = unfinished(path);
    let mut out = BufWriter::new(File::create(&unfinished)?);
    write(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&unfinished, path)
}
