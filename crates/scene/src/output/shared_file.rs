//! A file that several ranks write together.
//!
//! The first rank creates the file under a temporary name. Every other rank that sees this file, because both have a
//! common file system, becomes a writer. If there is none, the first rank is the only one. All methods are collective
//! operations, and all ranks return an error if any of them has found one.

use crate::run::host::host_name;
use esker::ranks::Comm;
use esker::state::{IdRange, ROWS_OF_SECTION};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Bytes by which ranks recognise the file of the first one.
type Mark = [u8; 16];

/// A file that several ranks write together.
#[derive(Debug)]
pub(crate) struct SharedFile<'a> {
    comm: &'a dyn Comm,
    file: Option<File>,
    /// The ranks that write, in order.
    writers: Vec<usize>,
    /// The first error of this rank that the others do not know.
    failure: Option<io::Error>,
    /// End of the bytes appended so far.
    end: u64,
}

/// An error of a rank, in a message to the others.
#[derive(Debug, Serialize, Deserialize)]
struct Failure {
    rank: usize,
    host: String,
    /// The number that the operating system gives to this error.
    code: Option<i32>,
    text: String,
}

impl<'a> SharedFile<'a> {
    /// Creates the file, or replaces its contents.
    pub(crate) fn create(comm: &'a dyn Comm, path: &Path) -> io::Result<Self> {
        let mut message = Vec::new();
        let mut created = None;
        if comm.rank() == 0 {
            let mark = mark();
            created = Some(create_with(path, &mark));
            message.extend(mark);
        }
        comm.broadcast(&mut message);
        let file = match created {
            Some(created) => created.map(Some),
            None => Ok(open_with(path, &message)),
        };
        let own = file.as_ref().map(|file| u64::from(file.is_some()));
        let sees = agree(comm, own.map_err(clone_of))?;
        let writers = sees.iter().enumerate().filter(|(_, sees)| **sees > 0);
        let writers = writers.map(|(rank, _)| rank).collect();
        let mut shared = Self { comm, file: file?, writers, failure: None, end: 0 };
        if comm.rank() == 0
            && let Some(file) = &shared.file
        {
            shared.failure = file.set_len(0).err();
        }
        Ok(shared)
    }

    /// The ranks that write.
    pub(crate) fn writers(&self) -> &[usize] {
        &self.writers
    }

    /// End of the bytes appended so far.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Leaves space for this many bytes, which are written later.
    pub(crate) fn skip(&mut self, bytes: u64) {
        self.end += bytes;
    }

    /// Appends the bytes of all ranks in order of rank. Returns their numbers.
    pub(crate) fn append(&mut self, bytes: io::Result<&[u8]>) -> io::Result<Vec<u64>> {
        let own = match (self.failure.take(), &bytes) {
            (Some(failure), _) => Err(failure),
            (None, Ok(bytes)) => Ok(bytes.len() as u64),
            (None, Err(error)) => Err(clone_of(error)),
        };
        let lengths = agree(self.comm, own)?;
        let before: u64 = lengths[..self.comm.rank()].iter().sum();
        self.write_at(self.end + before, bytes.unwrap_or_default());
        self.end += lengths.iter().sum::<u64>();
        Ok(lengths)
    }

    /// Writes bytes of this rank; all ranks learn of an error in the next collective operation.
    pub(crate) fn write_at(&mut self, position: u64, bytes: &[u8]) {
        let Some(file) = self.file.as_mut().filter(|_| !bytes.is_empty()) else { return };
        let written = file.seek(SeekFrom::Start(position)).and_then(|_| file.write_all(bytes));
        if let Err(error) = written {
            self.failure.get_or_insert(error);
        }
    }

    /// Waits until the bytes of all ranks are on the disk.
    pub(crate) fn sync(mut self) -> io::Result<()> {
        let own = match (self.failure.take(), &self.file) {
            (Some(failure), _) => Err(failure),
            (None, Some(file)) => file.sync_all().map(|()| 0),
            (None, None) => Ok(0),
        };
        agree(self.comm, own).map(drop)
    }
}

/// The numbers of all ranks, or the error of the first rank that has one.
pub(crate) fn agree(comm: &dyn Comm, own: io::Result<u64>) -> io::Result<Vec<u64>> {
    let own: Result<u64, Failure> = own.map_err(|error| Failure {
        rank: comm.rank(),
        host: host_name(),
        code: error.raw_os_error(),
        text: error.to_string(),
    });
    let message = postcard::to_allocvec(&own).unwrap_or_default();
    let all = comm.gather(&message);
    let decode =
        |bytes: &Vec<u8>| postcard::from_bytes::<Result<u64, Failure>>(bytes).unwrap_or(Ok(0));
    let all: Result<Vec<u64>, Failure> = all.iter().map(decode).collect();
    let mut message = postcard::to_allocvec(&all).unwrap_or_default();
    comm.broadcast(&mut message);
    let all = postcard::from_bytes::<Result<Vec<u64>, Failure>>(&message);
    all.map_err(io::Error::other)?.map_err(Failure::into_error)
}

impl Failure {
    fn into_error(self) -> io::Error {
        let Self { rank, host, code, text } = self;
        let known = code.map(io::Error::from_raw_os_error);
        match known {
            Some(error) if rank == 0 => error,
            _ if rank == 0 => io::Error::other(text),
            Some(error) => {
                io::Error::new(error.kind(), format!("{text} (rank {rank} on `{host}`)"))
            }
            None => io::Error::other(format!("{text} (rank {rank} on `{host}`)")),
        }
    }
}

/// An error that can be sent and returned.
fn clone_of(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

/// A number that no other run writes: the process and the time.
fn mark() -> Mark {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    (time << 32 | u128::from(std::process::id())).to_le_bytes()
}

fn create_with(path: &Path, mark: &Mark) -> io::Result<File> {
    let mut file = File::create(path)?;
    file.write_all(mark)?;
    Ok(file)
}

/// The file, if this rank sees that of the first one.
fn open_with(path: &Path, mark: &[u8]) -> Option<File> {
    let mut file = OpenOptions::new().read(true).write(true).open(path).ok()?;
    let mut found = Mark::default();
    file.read_exact(&mut found).ok()?;
    (found == mark).then_some(file)
}

/// Number of rows of a part: a multiple of [`ROWS_OF_SECTION`], so that each of the writers gets parts of nearly the same
/// number of rows, but no more than this many sections.
pub(crate) fn rows_of_part(count: u64, writers: usize) -> usize {
    const MOST_SECTIONS: usize = 4;
    let sections = (count as usize).div_ceil(ROWS_OF_SECTION);
    sections.div_ceil(writers).clamp(1, MOST_SECTIONS) * ROWS_OF_SECTION
}

/// The ids that each rank receives, round by round: in every round each writer receives one part.
pub(crate) fn rounds<'p>(
    parts: &'p [IdRange],
    writers: &'p [usize],
    ranks: usize,
) -> impl Iterator<Item = Vec<IdRange>> + 'p {
    parts.chunks(writers.len()).map(move |parts| {
        let mut ids = vec![0..0; ranks];
        writers.iter().zip(parts).for_each(|(&writer, part)| ids[writer] = part.clone());
        ids
    })
}
