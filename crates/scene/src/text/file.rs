//! Files that a scene file names.

use super::value::Value;
use crate::plain_file::{self, LONGEST_FILE};
use std::io;
use std::path::PathBuf;

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
        let contents = match &self.context.received {
            Some(received) => received.get(&path).cloned().ok_or(io::ErrorKind::NotFound.into()),
            None => plain_file::read(&path, LONGEST_FILE),
        };
        contents
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
                    "paths are relative to the folder of the scene file",
                );
            })
            .ok()
    }
}
