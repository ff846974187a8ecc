//! Files that a scene file names.

use super::value::Value;
use std::io;
use std::path::{Path, PathBuf};

/// The longest file that is read [bytes]: no mesh or list of particles is as long.
const LONGEST_FILE: u64 = 1 << 32;

/// Reads a file of at most this many bytes; one that is longer is not even begun.
pub fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let length = std::fs::metadata(path)?.len();
    if length > most {
        let [length, most] = [length, most].map(|bytes| bytes.div_ceil(1_000_000));
        let message = format!("it is {length} MB long, more than the {most} MB allowed");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    std::fs::read(path)
}

impl Value<'_> {
    /// The file named here, as a path from the working folder.
    pub fn file(&self) -> Option<PathBuf> {
        let path = self.context.base.join(self.text()?);
        let mut files = self.context.files.borrow_mut();
        if !files.contains(&path) {
            files.push(path.clone());
        }
        Some(path)
    }

    /// The contents of the file named here.
    pub fn read_file(&self) -> Option<Vec<u8>> {
        let path = self.file()?;
        read_at_most(&path, LONGEST_FILE)
            .map_err(|error| {
                let shown = self.text().unwrap_or_default();
                let label = match error.kind() {
                    io::ErrorKind::NotFound => "no such file".to_owned(),
                    io::ErrorKind::PermissionDenied => "no permission to read it".to_owned(),
                    io::ErrorKind::IsADirectory => "this is a folder".to_owned(),
                    _ => error.to_string(),
                };
                self.report_with(
                    format!("cannot read `{shown}`"),
                    label,
                    "files are looked for from the folder of the scene file",
                );
            })
            .ok()
    }
}
