//! Tables of a run folder: names, lengths and bytes. The list is made here; a request names a table by its index, never
//! by a path.

use crate::ViewError;
use crate::feed::TableInfo;
use esker_draw::OutputError;
use esker_scene::plain_file;
use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Tables at the top of a folder.
const TOP: [&str; 2] = ["energy", "walls"];
/// Folders with a table for each probe and measure.
const FOLDERS: [&str; 2] = ["probes", "measures"];
/// Largest number of bytes of a table sent in one response.
const MOST_AT_ONCE: u64 = 32 << 20;
/// Largest number of listed tables.
const MOST_TABLES: usize = 400;

/// The tables of a folder in a fixed order: energy, walls, probes, measures.
pub fn paths(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut found: Vec<(String, PathBuf)> = TOP
        .iter()
        .map(|name| ((*name).to_owned(), folder.join(format!("{name}.csv"))))
        .filter(|(_, path)| path.is_file())
        .collect();
    for subfolder in FOLDERS {
        let entries = fs::read_dir(folder.join(subfolder)).into_iter().flatten().flatten();
        let mut tables: Vec<(String, PathBuf)> = entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "csv") && path.is_file())
            .filter_map(|path| {
                Some((format!("{subfolder}/{}", path.file_stem()?.to_str()?), path.clone()))
            })
            .collect();
        tables.sort();
        found.extend(tables);
    }
    found.truncate(MOST_TABLES);
    found
}

/// Name, length and units of a table.
pub fn info(name: &str, path: &Path) -> TableInfo {
    let size = fs::metadata(path).map_or(0, |data| data.len());
    let unit = match name {
        "energy" => Some("J"),
        _ => None,
    };
    let units = unit.map(|unit| ("*".to_owned(), unit.to_owned())).into_iter().collect();
    TableInfo { name: name.to_owned(), size, units }
}

/// Whole lines of a table from a position onwards.
pub fn rest(path: &Path, after: u64) -> Result<Vec<u8>, ViewError> {
    let read = || {
        let (mut file, length) = plain_file::open(path)?;
        // A table that became shorter was rewritten by a resumed run: it is sent from its beginning.
        let after = if after > length { 0 } else { after };
        file.seek(SeekFrom::Start(after))?;
        let mut bytes = Vec::new();
        file.take(MOST_AT_ONCE).read_to_end(&mut bytes)?;
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        bytes.truncate(end);
        Ok(bytes)
    };
    read().map_err(OutputError::system("read", path)).map_err(ViewError::from)
}
