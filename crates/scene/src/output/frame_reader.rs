//! Reads the frames that [`super::FrameWriter`] writes: one `.vtp` file, column by column.
//!
//! The files are untrusted. Every size is checked before memory is allocated: the compression ratio of deflate is at
//! most 1032, so that a short file cannot declare a long column.

use super::vtk_header::{self, Header};
use crate::plain_file;
use esker_draw::OutputError;
use flate2::read::ZlibDecoder;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The longest header [bytes]: all columns take about 4 kB, names of many walls more.
const LONGEST_HEADER: u64 = 16 << 20;
/// The tag before the binary data.
const APPENDED: &[u8] = b"<AppendedData encoding=\"raw\">";
/// Largest compression ratio of deflate.
const LARGEST_RATIO: u64 = 1032;
/// The largest block that is decompressed at once [bytes]; the writer's have 64 kB.
const LARGEST_BLOCK: u64 = 1 << 28;

/// Numbers of one column, tuple by tuple. All integers of a frame are below 2⁵³ and therefore exact.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Numbers of a tuple.
    pub components: usize,
    /// The numbers.
    pub values: Vec<f64>,
}

/// One file of a frame: particles, contacts or walls.
#[derive(Debug)]
pub struct FrameFile {
    path: PathBuf,
    file: Mutex<File>,
    length: u64,
    /// Where the appended data begin [bytes].
    data: u64,
    header: Header,
}

/// The blocks of one array.
struct Blocks {
    /// Bytes of every block but the last, decompressed.
    size: u64,
    /// Bytes of all, decompressed.
    total: u64,
    /// Compressed sizes.
    sizes: Vec<u64>,
    /// Where the first one begins in the file.
    start: u64,
}

impl FrameFile {
    /// Opens a file and reads its header.
    pub fn open(path: &Path) -> Result<Self, OutputError> {
        let (mut file, length) =
            plain_file::open(path).map_err(OutputError::system("read", path))?;
        let mut bytes = Vec::new();
        let mut at = None;
        while at.is_none() && (bytes.len() as u64) < LONGEST_HEADER {
            let from = bytes.len().saturating_sub(APPENDED.len());
            let read = (&mut file).take(1 << 14).read_to_end(&mut bytes);
            if read.map_err(OutputError::system("read", path))? == 0 {
                break;
            }
            at = find(&bytes[from..], APPENDED).map(|found| from + found);
        }
        let wrong = |problem: &str| OutputError::content(path, problem);
        let at = at.ok_or_else(|| wrong("this is not a frame: it has no appended data"))?;
        let text = plain_file::text(&bytes[..at]).map_err(|problem| wrong(&problem))?;
        let header = vtk_header::parse(text).map_err(|problem| wrong(&problem))?;
        // The data begin after the first underscore that follows the tag.
        let after = at + APPENDED.len();
        let underscore = bytes.get(after..).and_then(|rest| find(rest, b"_")).unwrap_or(1);
        let data = (after + underscore + 1) as u64;
        Ok(Self { path: path.to_path_buf(), file: Mutex::new(file), length, data, header })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Time [s].
    pub fn time(&self) -> f64 {
        self.number("TimeValue").unwrap_or(f64::NAN)
    }

    /// Number of steps made.
    pub fn step(&self) -> u64 {
        self.number("step").map_or(0, |step| step as u64)
    }

    /// The stage, if the file names it.
    pub fn stage(&self) -> Option<&str> {
        self.words("stage")?.first().map(String::as_str)
    }

    /// A number of the file as a whole.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.header.numbers.iter().find(|(known, _)| known == name).map(|(_, number)| *number)
    }

    /// A list of words of the file as a whole, such as the names of the groups.
    pub fn words(&self, name: &str) -> Option<&[String]> {
        self.header.words.iter().find(|(known, _)| known == name).map(|(_, words)| words.as_slice())
    }

    /// Number of points: particles, ends of contacts, vertices.
    pub fn points(&self) -> usize {
        self.header.points
    }

    /// Number of cells: particles, contacts, triangles.
    pub fn cells(&self) -> usize {
        self.header.cells
    }

    /// Names of the columns and numbers of their components, in the order of the file.
    pub fn columns(&self) -> impl Iterator<Item = (&str, usize)> {
        self.header.arrays.iter().map(|array| (array.name.as_str(), array.components))
    }

    /// All numbers of a column; `Points` and `connectivity` are columns too.
    pub fn read(&self, name: &str) -> Result<Column, OutputError> {
        let array = self.array(name)?;
        let count = self.header.rows(array) as u64;
        let read = || {
            let blocks = self.blocks(array, count)?;
            let mut file = self.file.lock().map_err(|_| broken("an earlier read failed"))?;
            file.seek(SeekFrom::Start(blocks.start))?;
            let mut values = Vec::with_capacity(count as usize * array.components);
            let (mut packed, mut bytes) = (Vec::new(), Vec::new());
            for (index, size) in blocks.sizes.iter().enumerate() {
                packed.resize(*size as usize, 0);
                file.read_exact(&mut packed)?;
                inflate(&packed, blocks.length_of(index as u64), &mut bytes)?;
                array.kind.decode(&bytes, &mut values);
            }
            Ok(Column { components: array.components, values })
        };
        read().map_err(|error| self.damaged(name, &error))
    }

    /// The numbers of one row of a column. Only the block that holds them is decompressed.
    pub fn read_row(&self, name: &str, row: usize) -> Result<Vec<f64>, OutputError> {
        let array = self.array(name)?;
        let count = self.header.rows(array) as u64;
        let read = || {
            if row as u64 >= count {
                return Err(broken("there is no such row"));
            }
            let blocks = self.blocks(array, count)?;
            let width = array.components as u64 * array.kind.bytes();
            let (from, to) = (row as u64 * width, (row as u64 + 1) * width);
            let mut wanted = Vec::new();
            for index in from / blocks.size..=(to - 1) / blocks.size {
                let block = self.block(&blocks, index)?;
                let base = index * blocks.size;
                let inside = |byte: u64| byte.saturating_sub(base).min(block.len() as u64) as usize;
                wanted.extend_from_slice(&block[inside(from)..inside(to)]);
            }
            let mut values = Vec::new();
            array.kind.decode(&wanted, &mut values);
            Ok(values)
        };
        read().map_err(|error| self.damaged(name, &error))
    }

    /// The row of a particle. Rows are in order of id, so that a few blocks are enough.
    pub fn row_of(&self, id: u64) -> Result<Option<usize>, OutputError> {
        let (mut low, mut high) = (0, self.points());
        while low < high {
            let middle = low + (high - low) / 2;
            let found = self.read_row("id", middle)?.first().copied().unwrap_or(f64::NAN);
            match found.partial_cmp(&(id as f64)) {
                Some(std::cmp::Ordering::Less) => low = middle + 1,
                Some(std::cmp::Ordering::Greater) => high = middle,
                Some(std::cmp::Ordering::Equal) => return Ok(Some(middle)),
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    fn array(&self, name: &str) -> Result<&vtk_header::Array, OutputError> {
        let found = self.header.arrays.iter().find(|array| array.name == name);
        found
            .ok_or_else(|| OutputError::content(&self.path, format!("there is no column `{name}`")))
    }

    /// Reads and checks the sizes of an array of `count` tuples.
    fn blocks(&self, array: &vtk_header::Array, count: u64) -> io::Result<Blocks> {
        let total = count
            .checked_mul(array.components as u64 * array.kind.bytes())
            .ok_or_else(|| broken("it is too long"))?;
        let start = self.data.checked_add(array.offset).ok_or_else(|| broken("no such offset"))?;
        let left = self.length.saturating_sub(start);
        if total > left.saturating_mul(LARGEST_RATIO) {
            return Err(broken("it is shorter than its header says"));
        }
        let mut file = self.file.lock().map_err(|_| broken("an earlier read failed"))?;
        file.seek(SeekFrom::Start(start))?;
        let mut next = || {
            let mut bytes = [0; 8];
            file.read_exact(&mut bytes)?;
            Ok::<u64, io::Error>(u64::from_le_bytes(bytes))
        };
        let [blocks, size, _partial] = [next()?, next()?, next()?];
        if total > 0 && (size == 0 || size > LARGEST_BLOCK || blocks != total.div_ceil(size)) {
            return Err(broken("its blocks do not have its length"));
        }
        let blocks = if total == 0 { 0 } else { blocks };
        if blocks.saturating_mul(8) > left {
            return Err(broken("it is shorter than its header says"));
        }
        let sizes = (0..blocks).map(|_| next()).collect::<io::Result<Vec<u64>>>()?;
        let packed = sizes.iter().try_fold(0_u64, |sum, size| sum.checked_add(*size));
        if packed.is_none_or(|packed| packed > left) {
            return Err(broken("it is shorter than its header says"));
        }
        Ok(Blocks { size: size.max(1), total, sizes, start: start + 24 + 8 * blocks })
    }

    fn block(&self, blocks: &Blocks, index: u64) -> io::Result<Vec<u8>> {
        let before: u64 = blocks.sizes[..index as usize].iter().sum();
        let mut packed = vec![0; blocks.sizes[index as usize] as usize];
        let mut file = self.file.lock().map_err(|_| broken("an earlier read failed"))?;
        file.seek(SeekFrom::Start(blocks.start + before))?;
        file.read_exact(&mut packed)?;
        let mut bytes = Vec::new();
        inflate(&packed, blocks.length_of(index), &mut bytes)?;
        Ok(bytes)
    }

    fn damaged(&self, column: &str, error: &io::Error) -> OutputError {
        OutputError::content(&self.path, format!("column `{column}` cannot be read: {error}"))
    }
}

impl Blocks {
    /// Bytes of a block, decompressed.
    fn length_of(&self, index: u64) -> u64 {
        self.size.min(self.total.saturating_sub(index * self.size))
    }
}

fn inflate(packed: &[u8], length: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    bytes.clear();
    ZlibDecoder::new(packed).take(length + 1).read_to_end(bytes)?;
    if bytes.len() as u64 != length {
        return Err(broken("a block does not have its length"));
    }
    Ok(())
}

fn broken(problem: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, problem)
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
