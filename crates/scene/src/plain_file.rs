//! Files named by the user: only regular files are read, up to a size limit.
//!
//! Opening a named pipe waits for a writer, and a device may be endless. Every file named by a scene, a command line or
//! a run folder is therefore opened here.

use std::fs::{self, File, FileType};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Largest file of a mesh, of particles or of a table that is read [bytes].
pub const LONGEST_FILE: u64 = 1 << 32;

/// Opens a regular file and returns its length [bytes].
pub fn open(path: &Path) -> io::Result<(File, u64)> {
    plain(&fs::metadata(path)?.file_type())?;
    let file = File::open(path)?;
    // Checked again: the name may refer to another file by now.
    let data = file.metadata()?;
    plain(&data.file_type())?;
    Ok((file, data.len()))
}

/// Reads a regular file of at most `most` bytes; a longer one is refused before it is read.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (file, length) = open(path)?;
    check_length(length, most)?;
    let mut bytes = Vec::new();
    // A file may grow while it is read, and files of the system have no length.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    check_length(bytes.len() as u64, most)?;
    Ok(bytes)
}

/// Reads a regular file of at most `most` bytes as UTF-8 text.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let bytes = read(path, most)?;
    text(&bytes)
        .map(str::to_owned)
        .map_err(|message| io::Error::new(ErrorKind::InvalidData, message))
}

/// Bytes as UTF-8 text; an error names the line.
pub fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("line {line} is not text in UTF-8")
    })
}

/// The line of a record of a CSV text, counted from 1. The count of the reader does not include the empty lines before
/// the record.
pub(crate) fn line_of(text: &str, record: Option<&csv::Position>) -> u64 {
    let Some(at) = record else { return 0 };
    let start = usize::try_from(at.byte()).ok().and_then(|byte| text.as_bytes().get(byte..));
    let empty = start.unwrap_or_default().iter().take_while(|byte| matches!(byte, b'\n' | b'\r'));
    at.line() + empty.filter(|byte| **byte == b'\n').count() as u64
}

fn check_length(length: u64, most: u64) -> io::Result<()> {
    if length <= most {
        return Ok(());
    }
    let [length, most] = [length, most].map(|bytes| bytes.div_ceil(1_000_000));
    let message = format!("it is {length} MB long, more than the {most} MB allowed");
    Err(io::Error::new(ErrorKind::FileTooLarge, message))
}

fn plain(kind: &FileType) -> io::Result<()> {
    if kind.is_file() {
        return Ok(());
    }
    let message = format!("it is {}; only regular files are read", describe(kind));
    let kind = if kind.is_dir() { ErrorKind::IsADirectory } else { ErrorKind::InvalidInput };
    Err(io::Error::new(kind, message))
}

/// Kind of a file, with its article.
pub fn describe(kind: &FileType) -> &'static str {
    if kind.is_file() {
        return "a file";
    }
    if kind.is_dir() {
        return "a folder";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a named pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
    }
    "a device"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_file_is_read_up_to_its_bound() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        assert_eq!(read(&path, 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
        fs::write(&path, b"one\ntwo \xff").unwrap();
        let error = read_text(&path, 100).unwrap_err().to_string();
        assert_eq!(error, "line 2 is not text in UTF-8");
    }

    #[test]
    fn what_is_no_plain_file_is_named_and_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let error = read(folder.path(), 10).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::IsADirectory);
        assert_eq!(error.to_string(), "it is a folder; only regular files are read");
        #[cfg(unix)]
        {
            let error = read(Path::new("/dev/zero"), u64::MAX).unwrap_err();
            assert_eq!(error.to_string(), "it is a device; only regular files are read");
        }
    }
}
