//! Checkpoints written and read by all ranks together, section by section.

use super::checkpoint::{
    CONTACTS, PARTICLES, Positions, bytes_after_end, checkpoint_path, head, is_other_version,
    keep_as_previous, number_of_sections, previous_checkpoint_path, read_head, wrong_count,
};
use super::section::{append, read, read_stored};
use super::served::{Request, absolute, lead};
use crate::output::shared_file::{SharedFile, agree, rounds, rows_of_part};
use crate::plain_file;
use esker::ranks::Comm;
use esker::state::{ContactRows, ParticleRows, Restoring, Section, State};
use esker::{Error, Scene, Simulation};
use esker_draw::OutputError;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Sections whose contacts a rank reads at a time.
const SECTIONS_AT_A_TIME: usize = 4;

/// Saves a simulation in a run folder; the last two checkpoints are kept.
pub(super) fn write(
    simulation: &Simulation,
    positions: &Positions,
    folder: &Path,
) -> Result<(), OutputError> {
    let path = checkpoint_path(folder);
    // the folder is locked, so that no other run writes this file
    let unfinished = folder.join(format!(".checkpoint.esk.{}", std::process::id()));
    let request = Request::Checkpoint(absolute(&unfinished));
    let write = || {
        lead(simulation, &request);
        write_sections(simulation, &unfinished, Some(positions))?;
        if path.exists() {
            keep_as_previous(&path, folder)?;
        }
        fs::rename(&unfinished, &path)?;
        sync_folder(folder)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&unfinished);
        OutputError::system("write", &path)(error)
    })
}

/// Waits until the names in a folder are on the disk.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Writes a checkpoint together with all ranks. Only the first rank has the positions.
pub(super) fn write_sections(
    simulation: &Simulation,
    path: &Path,
    positions: Option<&Positions>,
) -> io::Result<()> {
    let rows = simulation.rows();
    let header = rows.header();
    let mut file = SharedFile::create(rows.comm(), path)?;
    let count = simulation.counts().present;
    let head = positions.map(|positions| head(positions, &header, count as usize));
    let head = head.unwrap_or_else(|| Ok(Vec::new())).map_err(io::Error::other);
    file.append(head.as_deref().map_err(copy))?;
    let writers = file.writers().to_vec();
    let (_, parts) = rows.parts(rows_of_part(count, writers.len()));
    for ids in rounds(&parts, &writers, rows.comm().size()) {
        let part = rows.part(&ids);
        let bytes = packed(&part.sections(), simulation.scene().threads).map_err(io::Error::other);
        drop(part);
        file.append(bytes.as_deref().map_err(copy))?;
    }
    file.sync()
}

fn copy(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), error.to_string())
}

/// The bytes of sections, compressed on several threads.
fn packed(sections: &[Section<'_>], threads: usize) -> Result<Vec<u8>, String> {
    let pack = |sections: &[Section<'_>]| {
        let mut bytes = Vec::new();
        for (particles, contacts) in sections {
            append(&mut bytes, PARTICLES, particles)?;
            append(&mut bytes, CONTACTS, contacts)?;
        }
        Ok(bytes)
    };
    let each = sections.len().div_ceil(threads.max(1)).max(1);
    if sections.len() <= each {
        return pack(sections);
    }
    let parts: Result<Vec<Vec<u8>>, String> = std::thread::scope(|scope| {
        let parts: Vec<_> =
            sections.chunks(each).map(|part| scope.spawn(move || pack(part))).collect();
        let join = |part: std::thread::ScopedJoinHandle<'_, _>| {
            part.join().unwrap_or_else(|_| Err("a thread has failed".to_owned()))
        };
        parts.into_iter().map(join).collect()
    });
    Ok(parts?.concat())
}

/// A checkpoint whose checksums are correct, without its particles.
#[derive(Debug)]
pub(super) struct CheckpointFile {
    pub positions: Positions,
    pub sections: Sections,
}

/// The state in a checkpoint: the header, and the positions of the sections in the file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Sections {
    path: PathBuf,
    /// Length of the file, and the checksum of its beginning, by which ranks recognise it [bytes].
    length: u64,
    checksum: u32,
    header: Box<State>,
    count: u64,
    /// The position of each section of particles and of the section of contacts that follows it.
    positions: Vec<[u64; 2]>,
}

impl CheckpointFile {
    /// The latest intact checkpoint of a run folder, and the problem of the latest file if that is damaged. A file of
    /// another format version is refused.
    pub(super) fn newest(folder: &Path) -> Result<(Self, Option<OutputError>), OutputError> {
        let error = match Self::open(&checkpoint_path(folder)) {
            Ok(found) => return Ok((found, None)),
            Err(error) if is_other_version(&error) => return Err(error),
            Err(error) => error,
        };
        match Self::open(&previous_checkpoint_path(folder)) {
            Ok(found) => Ok((found, Some(error))),
            Err(_) => Err(error),
        }
    }

    /// Reads a file up to its particles and verifies the checksums of all sections.
    fn open(path: &Path) -> Result<Self, OutputError> {
        let (file, length) = plain_file::open(path).map_err(OutputError::system("read", path))?;
        let mut file = io::BufReader::new(file);
        let mut left = length;
        let mut read = || {
            let (positions, header, count) = read_head(&mut file, &mut left)?;
            let mut bytes = Vec::new();
            let mut found = Vec::new();
            for _ in 0..number_of_sections(count) {
                let particles = length - left;
                read_stored(&mut file, PARTICLES, &mut left, &mut bytes)?;
                let contacts = length - left;
                read_stored(&mut file, CONTACTS, &mut left, &mut bytes)?;
                found.push([particles, contacts]);
            }
            if left > 0 {
                return Err(bytes_after_end(left));
            }
            let checksum = checksum(&mut file).map_err(|error| error.to_string())?;
            let (path, header) = (absolute(path), Box::new(header));
            let sections = Sections { path, length, checksum, header, count, positions: found };
            Ok(Self { positions, sections })
        };
        read().map_err(|problem: String| OutputError::content(path, problem))
    }
}

/// The checksum of the beginning of a file.
fn checksum(file: &mut (impl io::Read + Seek)) -> io::Result<u32> {
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    file.take(1 << 16).read_to_end(&mut bytes)?;
    Ok(crc32fast::hash(&bytes))
}

impl Sections {
    /// The file, if this rank sees that of the first one.
    fn file(&self) -> Option<File> {
        let (mut file, length) = plain_file::open(&self.path).ok()?;
        let checksum = checksum(&mut file).ok()?;
        (length == self.length && checksum == self.checksum).then_some(file)
    }

    /// Restores the simulation, on all ranks together: each reads the sections of its fraction of the rows.
    pub(super) fn restore(&self, scene: Scene, comm: &Arc<dyn Comm>) -> Result<Simulation, Error> {
        let mut restoring = Restoring::new(scene, (*self.header).clone(), comm)?;
        let file = self.file();
        let sees = agree(&**comm, Ok(u64::from(file.is_some())))
            .map_err(|error| Error::State(error.to_string()))?;
        let readers: Vec<usize> = (0..comm.size()).filter(|rank| sees[*rank] > 0).collect();
        let own = readers.iter().position(|reader| *reader == comm.rank());
        let (all, ranks) = (self.positions.len(), readers.len().max(1));
        if readers.is_empty() && all > 0 {
            return Err(Error::State("no rank can read the file again".to_owned()));
        }
        let share = own.map_or(0..0, |own| own * all / ranks..(own + 1) * all / ranks);
        let mut reader = Reader { file, buffer: Vec::new() };
        let mut count = 0;
        for &[position, _] in &self.positions[share.clone()] {
            match reader.section::<ParticleRows>(position, PARTICLES) {
                Ok(rows) => {
                    count += rows.len() as u64;
                    restoring.add_particles(rows);
                }
                Err(problem) => restoring.fail(&format!("`{}`: {problem}", self.path.display())),
            }
        }
        let mut sum = [count as i64];
        comm.sum(&mut sum);
        if sum[0] as u64 != self.count {
            restoring.fail(&wrong_count(sum[0] as u64, self.count));
        }
        restoring.divide()?;
        let own = &self.positions[share];
        for round in 0..all.div_ceil(ranks).div_ceil(SECTIONS_AT_A_TIME) {
            let mut rows = ContactRows::default();
            let sections = own.chunks(SECTIONS_AT_A_TIME).nth(round).unwrap_or_default();
            for &[_, position] in sections {
                match reader.section::<ContactRows>(position, CONTACTS) {
                    Ok(found) => rows.append(found),
                    Err(problem) => {
                        restoring.fail(&format!("`{}`: {problem}", self.path.display()));
                    }
                }
            }
            restoring.add_contacts(rows);
        }
        restoring.finish()
    }
}

/// Reads sections of a file.
struct Reader {
    file: Option<File>,
    buffer: Vec<u8>,
}

impl Reader {
    fn section<T: serde::de::DeserializeOwned>(
        &mut self,
        position: u64,
        tag: [u8; 4],
    ) -> Result<T, String> {
        let file = self.file.as_mut().ok_or("it cannot be read")?;
        file.seek(SeekFrom::Start(position)).map_err(|error| error.to_string())?;
        let mut left = u64::MAX;
        read_stored(file, tag, &mut left, &mut self.buffer)?;
        read(&mut self.buffer.as_slice(), tag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::checkpoint::Checkpoint;
    use crate::run::served::serve;
    use esker::Ownership;
    use esker::ranks::{SingleRank, run_on_ranks};

    /// More particles than two sections hold, in contact with each other and with a floor; some ids are missing.
    fn scene() -> Scene {
        let text = "format = 1\nmaterials.a = { density = 1000, young_modulus = 1e6, poisson_ratio = 0.3 }\n\
             gravity = [0, 0, -9.81]\ntime.step = 1e-5\n\
             [domain]\nmin = [-0.1, -0.1, -0.1]\nmax = [5, 5, 5]\noutside = \"delete\"\n\
             [contact]\nnormal = \"hertz\"\ntangential = \"mindlin\"\n\
             pairs = [{ between = [\"a\", \"a\"], friction = 0.5 }]\n\
             [[particles]]\nname = \"extra\"\nmaterial = \"a\"\nradius = 0.05\n\
             insert = { lattice = { min = [3, 3, 0], max = [4, 4, 0.4], spacing = [0.1, 0.1, 0.1] } }\n\
             [[particles]]\nname = \"p\"\nmaterial = \"a\"\nradius = 0.05\nrandom_velocity = 0.1\n\
             insert = { lattice = { min = [0, 0, 0.0], max = [2.25, 2.25, 2.25], spacing = [0.1, 0.1, 0.1] } }\n\
             [[walls]]\nname = \"floor\"\nmaterial = \"a\"\nhalf-space = { point = [0, 0, 0], normal = [0, 0, 1] }\n\
             [[stages]]\nname = \"one\"\nend = { after = 2.5e-5 }\n\
             [[stages]]\nname = \"two\"\nremove_particles = [\"extra\"]\nend = { after = 1.0 }\n";
        let loaded = crate::load_text("a.toml", text, "");
        loaded.unwrap_or_else(|errors| panic!("{errors}")).scene
    }

    /// Makes some steps on ranks and writes a checkpoint.
    fn written(ranks: usize, folder: &Path) -> Vec<u8> {
        let work = |comm: Arc<dyn Comm>| {
            let is_first = comm.rank() == 0;
            let scene = Scene { threads: 1 + ranks % 2, ..scene() };
            let mut simulation = scene.build_on(comm, Ownership::default()).unwrap();
            if !is_first {
                simulation.follow_and_serve(serve);
                return;
            }
            (0..6).for_each(|_| simulation.step().unwrap());
            write(&simulation, &Positions::default(), folder).unwrap();
            let state = simulation.save();
            assert!(state.particles.len() > 8192 && state.contacts.len() > 8192);
            let whole = Checkpoint { positions: Positions::default(), state }.bytes().unwrap();
            assert!(fs::read(checkpoint_path(folder)).unwrap() == whole, "{ranks} ranks");
        };
        run_on_ranks(ranks, work).expect("no rank fails");
        fs::read(checkpoint_path(folder)).unwrap()
    }

    #[test]
    fn a_checkpoint_has_the_same_bytes_for_any_number_of_ranks_and_any_number_restores_it() {
        let folder = tempfile::tempdir().unwrap();
        let one = written(1, folder.path());
        for ranks in [2, 3, 5] {
            assert!(written(ranks, folder.path()) == one, "{ranks} ranks");
        }
        let state = Checkpoint::parse(&one).unwrap().state;
        let mut alone = Simulation::restore(scene(), state).unwrap();
        (0..5).for_each(|_| alone.step().unwrap());
        let expected = alone.save();
        for ranks in [1, 2, 4] {
            let found = run_on_ranks(ranks, |comm| {
                let is_first = comm.rank() == 0;
                let (file, _) = CheckpointFile::newest(folder.path()).unwrap();
                let mut simulation = file.sections.restore(scene(), &comm).unwrap();
                if !is_first {
                    simulation.follow_and_serve(serve);
                    return None;
                }
                (0..5).for_each(|_| simulation.step().unwrap());
                Some(simulation.save())
            });
            let found = found.expect("no rank fails");
            assert!(found[0].as_ref() == Some(&expected), "{ranks} ranks");
        }
    }

    #[test]
    fn ranks_that_do_not_see_the_file_leave_it_to_the_first_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let elsewhere = folder.path().join("elsewhere");
        fs::write(&elsewhere, [0; 99]).unwrap();
        let found = run_on_ranks(3, |comm| {
            // a file of the same name on another file system
            let path = if comm.rank() == 1 { &elsewhere } else { &path };
            let mut file = SharedFile::create(&*comm, path).unwrap();
            let writers = file.writers().to_vec();
            let own = [comm.rank() as u8; 3];
            let own = if writers.contains(&comm.rank()) { &own[..] } else { &[] };
            assert_eq!(file.append(Ok(own)).unwrap(), [3, 0, 3]);
            file.sync().unwrap();
            writers
        });
        assert_eq!(found.unwrap(), vec![vec![0, 2]; 3]);
        assert_eq!(fs::read(path).unwrap(), [0, 0, 0, 2, 2, 2]);
        assert_eq!(fs::read(elsewhere).unwrap(), [0; 99]);
    }

    #[test]
    fn an_error_of_one_rank_is_an_error_of_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let found = run_on_ranks(3, |comm| {
            let mut file = SharedFile::create(&*comm, &path).unwrap();
            let full = io::Error::from_raw_os_error(28);
            let own = if comm.rank() == 1 { Err(full) } else { Ok(&[1][..]) };
            let error = file.append(own).unwrap_err();
            (error.kind(), error.to_string())
        });
        for (kind, text) in found.unwrap() {
            assert_eq!(kind, io::ErrorKind::StorageFull);
            assert!(text.contains("(rank 1 on `"), "{text}");
        }
    }

    #[test]
    fn a_damaged_section_is_found_before_the_run_continues_and_the_previous_file_is_used() {
        let folder = tempfile::tempdir().unwrap();
        let good = written(1, folder.path());
        written(1, folder.path());
        let path = checkpoint_path(folder.path());
        for (bytes, word) in [
            ([&good[..good.len() - 9], &[0x55; 9]].concat(), "damaged"),
            (good[..good.len() - 9].to_vec(), "ends too early"),
            ([&good[..], b"x"].concat(), "1 bytes follow"),
            (vec![0; good.len()], "not a checkpoint of Esker"),
        ] {
            fs::write(&path, bytes).unwrap();
            let (found, remark) = CheckpointFile::newest(folder.path()).unwrap();
            assert!(remark.is_some_and(|error| error.to_string().contains(word)), "{word}");
            let comm: Arc<dyn Comm> = Arc::new(SingleRank);
            found.sections.restore(scene(), &comm).unwrap();
        }
    }
}
