//! Tables of comma-separated values to which a run appends rows, also after a resume.

use esker_draw::OutputError;
use std::fmt::{self, Write as _};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Rows are buffered up to this size.
const BUFFER: usize = 1 << 16;

/// One entry of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    /// A number, written as the shortest text that reads back as the same number.
    Number(f64),
    /// A whole number.
    Integer(u64),
    /// Text, quoted if it must be.
    Text(&'a str),
    /// An empty cell.
    Empty,
}

impl From<f64> for Cell<'_> {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<u64> for Cell<'_> {
    fn from(number: u64) -> Self {
        Self::Integer(number)
    }
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl fmt::Display for Cell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            // Both forms are exact; the decimal form of 1e-300 would have 300 digits.
            Self::Number(number) => {
                let size = number.abs();
                if number == 0.0 || (1e-4..1e16).contains(&size) || !number.is_finite() {
                    write!(f, "{number}")
                } else {
                    write!(f, "{number:e}")
                }
            }
            Self::Integer(number) => write!(f, "{number}"),
            Self::Text(text) if text.contains([',', '"', '\n', '\r']) => {
                write!(f, "\"{}\"", text.replace('"', "\"\""))
            }
            Self::Text(text) => f.write_str(text),
            Self::Empty => Ok(()),
        }
    }
}

/// Adds a row to a text.
pub(super) fn append_row(text: &mut String, cells: &[Cell]) {
    for (index, cell) in cells.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "{cell}");
    }
    text.push('\n');
}

/// A table on disk with named columns.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    columns: usize,
    file: File,
    /// Rows not yet written.
    buffer: String,
    /// Bytes written.
    written: u64,
}

impl Table {
    /// Starts a table and creates missing folders. The names of the columns are its first row.
    pub fn create<S: AsRef<str>>(
        path: impl Into<PathBuf>,
        columns: &[S],
    ) -> Result<Self, OutputError> {
        let path = path.into();
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(OutputError::system("create", folder))?;
        }
        let file = File::create(&path).map_err(OutputError::system("create", &path))?;
        let mut table =
            Self { path, columns: columns.len(), file, buffer: header(columns), written: 0 };
        table.flush()?;
        Ok(table)
    }

    /// Continues a table at a position returned by [`Table::position`]; later rows are cut off.
    pub fn open_at<S: AsRef<str>>(
        path: impl Into<PathBuf>,
        columns: &[S],
        position: u64,
    ) -> Result<Self, OutputError> {
        let path = path.into();
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(&path)
            .map_err(OutputError::system("open", &path))?;
        check_header(&mut file, &path, &header(columns), position)?;
        file.set_len(position)
            .and_then(|()| file.seek(SeekFrom::Start(position)))
            .map_err(OutputError::system("continue", &path))?;
        Ok(Self { path, columns: columns.len(), file, buffer: String::new(), written: position })
    }

    /// Adds a row.
    pub fn push_row(&mut self, cells: &[Cell]) -> Result<(), OutputError> {
        if cells.len() != self.columns {
            let problem = format!("a row of {} entries for {} columns", cells.len(), self.columns);
            return Err(OutputError::content(&self.path, problem));
        }
        append_row(&mut self.buffer, cells);
        if self.buffer.len() >= BUFFER {
            self.flush()?;
        }
        Ok(())
    }

    /// Passes all rows to the operating system, so that other programs can read them and a crash of the program does
    /// not lose them.
    pub fn flush(&mut self) -> Result<(), OutputError> {
        self.file
            .write_all(self.buffer.as_bytes())
            .map_err(OutputError::system("write", &self.path))?;
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// End of the table, for a checkpoint. All rows up to it are on the disk when this returns, so that the checkpoint
    /// never refers to rows beyond the end.
    pub fn position(&mut self) -> Result<u64, OutputError> {
        self.flush()?;
        self.file.sync_data().map_err(OutputError::system("write", &self.path))?;
        Ok(self.written)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        // Errors are reported by `flush`; a destructor cannot report them.
        let _ = self.flush();
    }
}

fn header<S: AsRef<str>>(columns: &[S]) -> String {
    let cells: Vec<Cell> = columns.iter().map(|c| Cell::Text(c.as_ref())).collect();
    let mut text = String::new();
    append_row(&mut text, &cells);
    text
}

fn check_header(
    file: &mut File,
    path: &Path,
    expected: &str,
    position: u64,
) -> Result<(), OutputError> {
    let failed = |source| OutputError::system("read", path)(source);
    let length = file.metadata().map_err(failed)?.len();
    if length < position {
        let problem =
            format!("has {length} bytes, but {position} had been written when the run was saved");
        return Err(OutputError::content(path, problem));
    }
    let mut found = Vec::new();
    file.take(expected.len() as u64).read_to_end(&mut found).map_err(failed)?;
    if found != expected.as_bytes() || position < expected.len() as u64 {
        let problem = format!("its columns are not `{}`", expected.trim_end());
        return Err(OutputError::content(path, problem));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_number_reads_back_with_the_same_bits(bits in any::<u64>()) {
            let number = f64::from_bits(bits);
            let text = Cell::Number(number).to_string();
            let back: f64 = text.parse().unwrap();
            prop_assert!(back.to_bits() == bits || (number.is_nan() && back.is_nan()));
            // Sign, 17 digits, point, exponent; the plain form is used up to 1e16.
            prop_assert!(text.len() <= 25, "{text}");
        }
    }

    #[test]
    fn a_resumed_table_has_the_bytes_of_one_that_never_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let rows = |table: &mut Table, range: std::ops::Range<u64>| {
            for i in range {
                let row = [Cell::Integer(i), (i as f64 / 3.0).into(), "a,\"b\"".into()];
                table.push_row(&row).unwrap();
            }
        };
        let columns = ["step", "value", "word"];
        let mut whole = Table::create(folder.path().join("probes/whole.csv"), &columns).unwrap();
        rows(&mut whole, 0..20);
        whole.flush().unwrap();

        let path = folder.path().join("probes/cut.csv");
        let mut cut = Table::create(&path, &columns).unwrap();
        rows(&mut cut, 0..7);
        let position = cut.position().unwrap();
        rows(&mut cut, 7..13);
        drop(cut);
        let mut resumed = Table::open_at(&path, &columns, position).unwrap();
        rows(&mut resumed, 7..20);
        resumed.flush().unwrap();
        assert_eq!(fs::read(whole.path()).unwrap(), fs::read(resumed.path()).unwrap());
    }

    #[test]
    fn a_table_shorter_than_the_checkpoint_says_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("short.csv");
        drop(Table::create(&path, &["time"]).unwrap());
        let error = Table::open_at(&path, &["time"], 100).unwrap_err();
        assert!(error.to_string().contains("short.csv"), "{error}");
        let error = Table::open_at(&path, &["step"], 5).unwrap_err();
        assert!(error.to_string().contains("columns"), "{error}");
    }

    #[test]
    fn a_row_of_the_wrong_length_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut table = Table::create(folder.path().join("t.csv"), &["a", "b"]).unwrap();
        assert!(table.push_row(&[Cell::Number(1.0)]).is_err());
    }
}
