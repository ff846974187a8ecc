//! Frame formats: one line for each.

use super::csv_frames::CsvFrames;
use super::frames::FrameWriter;
use esker::Simulation;
use esker::measure::Snapshot;
use esker_draw::OutputError;
use std::path::Path;

/// Writes consecutive frames into a run folder.
pub trait Writer: std::fmt::Debug + Send {
    /// Adds a frame. An interrupted frame leaves no file that appears complete.
    fn write(&mut self, snapshot: &Snapshot) -> Result<(), OutputError>;

    /// Adds a frame of a simulation whose particles are divided among ranks, together with all ranks.
    fn write_divided(&mut self, simulation: &Simulation) -> Result<(), OutputError>;

    /// The number of complete frames.
    fn frames(&self) -> usize;
}

/// The beginning of a run, or its continuation after a number of frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// No frames; those of an earlier run in the folder are removed.
    New,
    /// This many frames are kept; later ones, which the continued run writes again, are removed.
    After(usize),
}

/// A writer, ready for its next frame.
pub type Opened = Result<Box<dyn Writer>, OutputError>;

/// A frame format.
pub struct Format {
    /// Its key in `[outputs.frames]`.
    pub name: &'static str,
    /// Its purpose.
    pub about: &'static str,
    /// True if it is written by default.
    pub by_default: bool,
    /// Creates a writer; the flag states whether contacts are written.
    pub open: fn(&Path, Start, bool) -> Opened,
}

/// Formats by name.
pub const FORMATS: &[Format] = &[
    Format {
        name: "vtk",
        about: "VTK files for ParaView: particles, contacts and walls",
        by_default: true,
        open: |folder, start, contacts| Ok(Box::new(FrameWriter::open(folder, start, contacts)?)),
    },
    Format {
        name: "csv",
        about: "Tables of particles with the columns of final.csv",
        by_default: false,
        open: |folder, start, _| Ok(Box::new(CsvFrames::open(folder, start)?)),
    },
];
