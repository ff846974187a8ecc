//! Files that a scene file names.

use super::value::Value;
use std::path::PathBuf;

impl Value<'_> {
    /// The file named here, as a path from the working folder.
    pub fn file(&self) -> Option<PathBuf> {
        self.text().map(|name| self.context.base.join(name))
    }

    /// The contents of the file named here.
    pub fn read_file(&self) -> Option<Vec<u8>> {
        let path = self.file()?;
        std::fs::read(&path)
            .map_err(|error| {
                let shown = self.text().unwrap_or_default();
                let label = match error.kind() {
                    std::io::ErrorKind::NotFound => "no such file".to_owned(),
                    std::io::ErrorKind::PermissionDenied => "no permission to read it".to_owned(),
                    std::io::ErrorKind::IsADirectory => "this is a folder".to_owned(),
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
