//! Frames as tables: `frames/particles_000000.csv`, … with the columns of `final.csv`, bitwise exact. Each of them can
//! start another run (`insert = { csv = … }`).

use super::final_table::write_final_csv;
use super::writer::{Start, Writer};
use crate::run::served::{Request, write_table};
use esker::Simulation;
use esker::measure::Snapshot;
use esker_draw::OutputError;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes frames as tables.
#[derive(Debug)]
pub struct CsvFrames {
    folder: PathBuf,
    frames: usize,
}

impl CsvFrames {
    /// Starts or continues in a run folder.
    pub fn open(run: &Path, start: Start) -> Result<Self, OutputError> {
        let folder = run.join("frames");
        fs::create_dir_all(&folder).map_err(OutputError::system("create", &folder))?;
        let frames = match start {
            Start::New => 0,
            Start::After(frames) => frames,
        };
        let entries = fs::read_dir(&folder).map_err(OutputError::system("read", &folder))?;
        for entry in entries {
            let path = entry.map_err(OutputError::system("read", &folder))?.path();
            let number = path.file_name().and_then(|name| name.to_str()).and_then(number);
            if number.is_some_and(|number| number >= frames) {
                fs::remove_file(&path).map_err(OutputError::system("remove", &path))?;
            }
        }
        Ok(Self { folder, frames })
    }
}

/// The number of the frame with this file name.
fn number(name: &str) -> Option<usize> {
    let number = name.strip_prefix("particles_")?.strip_suffix(".csv")?;
    (number.len() >= 6).then(|| number.parse().ok()).flatten()
}

impl Writer for CsvFrames {
    fn write(&mut self, snapshot: &Snapshot) -> Result<(), OutputError> {
        let path = self.folder.join(format!("particles_{:06}.csv", self.frames));
        write_final_csv(&path, snapshot)?;
        self.frames += 1;
        Ok(())
    }

    fn write_divided(&mut self, simulation: &Simulation) -> Result<(), OutputError> {
        let path = self.folder.join(format!("particles_{:06}.csv", self.frames));
        write_table(simulation, &path, Request::ParticleTable)?;
        self.frames += 1;
        Ok(())
    }

    fn frames(&self) -> usize {
        self.frames
    }
}
