//! `checkpoint.esk`: the complete state of a run, from which it can be continued.
//!
//! A file is `ESKERCHK`, a version, and sections; each section is a tag, the compressed and the original length of its
//! contents, a CRC-32 of the compressed bytes, and these bytes: postcard, compressed by zstd. All numbers are
//! little-endian. The positions of the outputs and the state without particles come first; then follow, for each 4096
//! particles in order of id, a section of particles and a section of the contacts whose first partners they are. A
//! file contains nothing about ranks and threads. It is written under a temporary name and renamed, and the previous one is kept as
//! `checkpoint.previous.esk`, so that after a crash at any time a complete file exists. If the latest is missing or
//! damaged, the previous one is used, which leads to the same bytes; a file of another format version is refused.

use super::section::{append, pass_over, read, read_stored, skip, start, take};
use crate::bundle::ReceivedFiles;
use crate::plain_file;
use esker::measure::MeasureState;
use esker::state::{EarlierState, ROWS_OF_SECTION, State, StateStart};
use esker_draw::OutputError;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

const MAGIC: [u8; 8] = *b"ESKERCHK";
const VERSION: u32 = 13;
/// Format version of Esker 0.1: its particles can be inserted into a scene.
const VERSION_OF_0_1: u32 = 8;
/// Tags of the sections, in the order of the file.
const POSITIONS: [u8; 4] = *b"RUN ";
const STATE: [u8; 4] = *b"STAT";
/// Tags of the sections of particles and of contacts, which alternate.
pub(super) const PARTICLES: [u8; 4] = *b"PART";
pub(super) const CONTACTS: [u8; 4] = *b"CONT";
/// Beginning of the message about a file of another version.
const OTHER_VERSION: &str = "it has version";

/// Bytes of the state that contain its time: two numbers and two counts of at most ten bytes.
const START: u64 = 64;
/// The longest file that is read [bytes]: some hundred million particles with their contacts.
const LONGEST: u64 = 1 << 36;

/// A change that the calling program made between steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangeMade {
    /// The stage during which it was made; none before the first step.
    pub stage: Option<usize>,
    /// The wall that moves; none for gravity.
    pub wall: Option<String>,
    /// The motion or gravity, in TOML.
    pub text: String,
}

/// Positions in the files of a run when it was saved.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Positions {
    /// Version of the program.
    pub version: String,
    /// Bytes of each table, by its name in the run folder.
    pub tables: Vec<(String, u64)>,
    /// State of the measures, by the names of their tables.
    pub memories: Vec<(String, MeasureState)>,
    /// Number of finished frames.
    pub frames: usize,
    /// Number of finished contact lists.
    pub contact_lists: usize,
    /// The step of the last row of the energy table.
    pub last_row: Option<u64>,
    /// Checksums of data from other files, with descriptions: the scene contains only the file names.
    pub inputs: Vec<(String, u32)>,
    /// Changes that the calling program made between steps; the scene does not contain them.
    pub changes: Vec<ChangeMade>,
    /// Wall-clock time of computing so far [s].
    pub wall_time: f64,
    /// Processor time so far, if known [s].
    pub processor_time: Option<f64>,
}

/// A saved run.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// Positions in the output files.
    pub positions: Positions,
    /// The simulation.
    pub state: State,
}

/// The latest checkpoint of a run folder.
pub fn checkpoint_path(folder: &Path) -> PathBuf {
    folder.join("checkpoint.esk")
}

/// The previous checkpoint of a run folder.
pub fn previous_checkpoint_path(folder: &Path) -> PathBuf {
    folder.join("checkpoint.previous.esk")
}

/// Keeps the latest checkpoint under the name of the previous one.
pub(super) fn keep_as_previous(path: &Path, folder: &Path) -> std::io::Result<()> {
    let previous = previous_checkpoint_path(folder);
    let link = folder.join(".checkpoint.previous.esk.link");
    // A killed run may have left the link; removing it loses no file, since the data has another name.
    let _ = fs::remove_file(&link);
    if fs::hard_link(path, &link).is_ok() {
        // The latest checkpoint keeps its name until the next one replaces it, so that one exists at any time.
        let renamed = fs::rename(&link, previous);
        // If both names already refer to the same file, as after a failed write, POSIX keeps both.
        let _ = fs::remove_file(&link);
        return renamed;
    }
    // Without hard links a crash before the next rename leaves the previous checkpoint, which is complete.
    fs::rename(path, previous)
}

impl Checkpoint {
    /// The contents of a file.
    pub fn bytes(&self) -> Result<Vec<u8>, String> {
        let mut bytes = head(&self.positions, &self.state.header(), self.state.particles.len())?;
        for (particles, contacts) in self.state.sections() {
            append(&mut bytes, PARTICLES, &particles)?;
            append(&mut bytes, CONTACTS, &contacts)?;
        }
        Ok(bytes)
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, OutputError> {
        let bytes = bytes_of(path).map_err(OutputError::system("read", path))?;
        Self::parse(&bytes).map_err(|problem| OutputError::content(path, problem))
    }

    /// Reads the state of a file for `insert = { from = … }`, of this format version or of that of Esker 0.1. A file
    /// that another rank has read is not read again.
    pub(crate) fn read_bed(
        path: &Path,
        received: Option<&ReceivedFiles>,
    ) -> Result<State, OutputError> {
        let bytes = match received.and_then(|files| files.get(path)) {
            Some(bytes) => bytes,
            None => &bytes_of(path).map_err(OutputError::system("read", path))?,
        };
        Self::parse_bed(bytes).map_err(|problem| OutputError::content(path, problem))
    }

    fn parse_bed(bytes: &[u8]) -> Result<State, String> {
        let start = MAGIC.len() + 4;
        let is_earlier = bytes.len() > start
            && bytes[..MAGIC.len()] == MAGIC
            && bytes[MAGIC.len()..start] == VERSION_OF_0_1.to_le_bytes();
        if !is_earlier {
            return Self::parse(bytes).map(|checkpoint| checkpoint.state);
        }
        let mut rest = &bytes[start..];
        pass_over(&mut rest, POSITIONS)?;
        read::<EarlierState>(&mut rest, STATE).map(EarlierState::into_bed)
    }

    /// The latest intact checkpoint of a run folder, and the problem of the latest file if that is damaged. A file of
    /// another format version is not damaged: it is refused, since the program that wrote it can continue from it.
    pub fn newest(folder: &Path) -> Result<(Self, Option<OutputError>), OutputError> {
        let path = checkpoint_path(folder);
        let error = match Self::read(&path) {
            Ok(checkpoint) => return Ok((checkpoint, None)),
            Err(error) => error,
        };
        if is_other_version(&error) {
            return Err(error);
        }
        match Self::read(&previous_checkpoint_path(folder)) {
            Ok(checkpoint) => Ok((checkpoint, Some(error))),
            Err(_) => Err(error),
        }
    }

    /// Reads the contents of a file.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let mut rest = after_version(bytes)?;
        let positions = read(&mut rest, POSITIONS)?;
        let (mut state, count): (State, u64) = read(&mut rest, STATE)?;
        for _ in 0..number_of_sections(count) {
            state.add_section(read(&mut rest, PARTICLES)?, read(&mut rest, CONTACTS)?);
        }
        if state.particles.len() as u64 != count {
            return Err(wrong_count(state.particles.len() as u64, count));
        }
        if !rest.is_empty() {
            return Err(bytes_after_end(rest.len() as u64));
        }
        Ok(Self { positions, state })
    }
}

/// The beginning of a file, up to the sections of particles; `count` is their number.
pub(super) fn head(positions: &Positions, header: &State, count: usize) -> Result<Vec<u8>, String> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    append(&mut bytes, POSITIONS, positions)?;
    append(&mut bytes, STATE, &(header, count as u64))?;
    Ok(bytes)
}

/// The positions and the state without particles, and the number of particles. The file is read up to the end of them;
/// `left` is the number of bytes after it.
pub(super) fn read_head(
    file: &mut impl Read,
    left: &mut u64,
) -> Result<(Positions, State, u64), String> {
    let mut bytes = Vec::new();
    let start = (MAGIC.len() + 4) as u64;
    file.take(start).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    *left = left.saturating_sub(bytes.len() as u64);
    after_version(&bytes)?;
    read_stored(file, POSITIONS, left, &mut bytes)?;
    let positions = read(&mut bytes.as_slice(), POSITIONS)?;
    read_stored(file, STATE, left, &mut bytes)?;
    let (header, count) = read(&mut bytes.as_slice(), STATE)?;
    Ok((positions, header, count))
}

/// Number of sections of this many particles.
pub(super) fn number_of_sections(particles: u64) -> u64 {
    particles.div_ceil(ROWS_OF_SECTION as u64)
}

pub(super) fn wrong_count(found: u64, count: u64) -> String {
    format!("the file is damaged: it has {found} of {count} particles")
}

pub(super) fn bytes_after_end(bytes: u64) -> String {
    format!("the file is damaged: {bytes} bytes follow its end")
}

/// True if this is the message about a file of another version.
pub(super) fn is_other_version(error: &OutputError) -> bool {
    matches!(error, OutputError::Content { problem, .. } if problem.starts_with(OTHER_VERSION))
}

/// The bytes after the version, which must be that of this program.
fn after_version(bytes: &[u8]) -> Result<&[u8], String> {
    let length = MAGIC.len().min(bytes.len());
    if bytes[..length] != MAGIC[..length] {
        return Err("this is not a checkpoint of Esker".to_owned());
    }
    let (version, rest) = take(&bytes[length..], 4)?;
    let version = u32::from_le_bytes([version[0], version[1], version[2], version[3]]);
    if version == VERSION {
        return Ok(rest);
    }
    let writer = if version > VERSION { "a newer" } else { "an older" };
    let bed = match version {
        VERSION_OF_0_1 => "; its particles can be inserted with `insert = { from = … }`",
        _ => "",
    };
    Err(format!(
        "{OTHER_VERSION} {version} of the format and was written by {writer} Esker; this program reads version \
         {VERSION}: use that version, or run the scene again{bed}"
    ))
}

/// The times of the checkpoints of a run folder from which it can be resumed, the older one first [s]. Only the
/// beginning of each file is read; other files are ignored.
pub fn checkpoint_times(folder: &Path) -> Vec<f64> {
    let paths = [previous_checkpoint_path(folder), checkpoint_path(folder)];
    paths.iter().filter_map(|path| time_of(path)).filter(|time| time.is_finite()).collect()
}

fn time_of(path: &Path) -> Option<f64> {
    let (mut file, _) = plain_file::open(path).ok()?;
    let mut head = [0; MAGIC.len() + 4];
    file.read_exact(&mut head).ok()?;
    let is_ours = head[..MAGIC.len()] == MAGIC && head[MAGIC.len()..] == VERSION.to_le_bytes();
    if !is_ours {
        return None;
    }
    skip(&mut file).ok()?;
    let bytes = start(&mut file, STATE, START).ok()?;
    postcard::take_from_bytes::<StateStart>(&bytes).ok().map(|(state, _)| state.time())
}

/// The bytes of a checkpoint; of a file that does not begin like a checkpoint, only the beginning.
fn bytes_of(path: &Path) -> std::io::Result<Vec<u8>> {
    let (file, _) = plain_file::open(path)?;
    let mut start = Vec::new();
    file.take(MAGIC.len() as u64).read_to_end(&mut start)?;
    if start != MAGIC {
        return Ok(start);
    }
    plain_file::read(path, LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use atomic_write_file::AtomicWriteFile;
    use std::io::Write;

    impl Checkpoint {
        /// Writes into a run folder; the last two are kept.
        pub(crate) fn write(&self, folder: &Path) -> Result<(), OutputError> {
            let path = checkpoint_path(folder);
            let bytes = self.bytes().map_err(|problem| OutputError::content(&path, problem))?;
            let write = || {
                let mut file = AtomicWriteFile::open(&path)?;
                file.write_all(&bytes)?;
                file.sync_all()?;
                if path.exists() {
                    keep_as_previous(&path, folder)?;
                }
                file.commit()
            };
            write().map_err(OutputError::system("write", &path))
        }
    }

    fn simulation() -> esker::Simulation {
        let text = "format = 1\nmaterials.a = { density = 1000, young_modulus = 1e6, poisson_ratio = 0.3 }\n\
             [contact]\nnormal = \"hertz\"\npairs = [{ between = [\"a\", \"a\"] }]\n\
             [[particles]]\nname = \"p\"\nmaterial = \"a\"\nradius = 0.1\nvelocity = [1, 0, 0]\n\
             insert = { list = [{ position = [0, 0, 0] }, { position = [0, 0, 1] }] }\n";
        let loaded = crate::load_text("a.toml", text, "").expect("the scene is good");
        loaded.scene.build().expect("it can be built")
    }

    fn checkpoint() -> Checkpoint {
        let positions = Positions { frames: 3, ..Positions::default() };
        Checkpoint { positions, state: simulation().save() }
    }

    #[test]
    fn the_time_is_known_without_reading_the_particles() {
        let folder = tempfile::tempdir().unwrap();
        let mut simulation = simulation();
        for _ in 0..7 {
            simulation.step().unwrap();
        }
        let positions = Positions { frames: 3, ..Positions::default() };
        Checkpoint { positions, state: simulation.save() }.write(folder.path()).unwrap();
        assert!(simulation.time() > 0.0);
        assert_eq!(checkpoint_times(folder.path()), [simulation.time()]);
        std::fs::write(checkpoint_path(folder.path()), b"ESKERCHK").unwrap();
        assert_eq!(checkpoint_times(folder.path()), [0.0; 0]);
    }

    #[test]
    fn what_was_written_reads_back_and_the_last_two_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (first, mut second) = (checkpoint(), checkpoint());
        second.positions.frames = 4;
        first.write(folder.path()).unwrap();
        second.write(folder.path()).unwrap();
        assert_eq!(Checkpoint::newest(folder.path()).unwrap().0, second);
        let previous = Checkpoint::read(&previous_checkpoint_path(folder.path())).unwrap();
        assert_eq!(previous, first);
        assert_eq!(checkpoint_times(folder.path()), [0.0, 0.0]);
    }

    #[test]
    fn after_a_write_that_failed_at_its_end_the_next_leaves_two_files() {
        let folder = tempfile::tempdir().unwrap();
        checkpoint().write(folder.path()).unwrap();
        // The name of the previous checkpoint already refers to the latest one.
        fs::hard_link(checkpoint_path(folder.path()), previous_checkpoint_path(folder.path()))
            .unwrap();
        checkpoint().write(folder.path()).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        assert!(Checkpoint::read(&previous_checkpoint_path(folder.path())).is_ok());
    }

    #[test]
    fn a_file_with_any_byte_changed_or_cut_off_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        checkpoint().write(folder.path()).unwrap();
        let good = fs::read(checkpoint_path(folder.path())).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            assert!(Checkpoint::parse(&bad).is_err(), "byte {at}");
            assert!(Checkpoint::parse(&good[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn for_a_damaged_file_the_one_before_is_taken_and_one_of_another_version_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (first, mut second) = (checkpoint(), checkpoint());
        second.positions.frames = 4;
        first.write(folder.path()).unwrap();
        second.write(folder.path()).unwrap();
        let path = checkpoint_path(folder.path());
        let good = fs::read(&path).unwrap();
        let mut altered = good.clone();
        altered[good.len() / 2] ^= 0x10;
        for (bytes, word) in [
            (altered, "damaged"),
            ([good.as_slice(), b"x"].concat(), "1 bytes follow"),
            (vec![0; good.len()], "not a checkpoint of Esker"),
            (good[..good.len() / 2].to_vec(), "ends too early"),
            (Vec::new(), "ends too early"),
        ] {
            fs::write(&path, bytes).unwrap();
            let (found, remark) = Checkpoint::newest(folder.path()).unwrap();
            assert_eq!(found, first);
            assert!(remark.is_some_and(|error| error.to_string().contains(word)), "{word}");
        }
        let mut newer = good.clone();
        newer[8] += 1;
        fs::write(&path, newer).unwrap();
        let message = Checkpoint::newest(folder.path()).unwrap_err().to_string();
        assert!(message.contains("written by a newer Esker"), "{message}");
        fs::remove_file(&path).unwrap();
        assert_eq!(Checkpoint::newest(folder.path()).unwrap().0, first);
        fs::write(&path, b"x").unwrap();
        fs::write(previous_checkpoint_path(folder.path()), b"x").unwrap();
        let message = Checkpoint::newest(folder.path()).unwrap_err().to_string();
        assert!(
            message.contains("checkpoint.esk") && message.contains("not a checkpoint"),
            "{message}"
        );
    }
}
