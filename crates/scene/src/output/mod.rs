//! Output formats of a run: frames for ParaView and tables.
//!
//! Output is a function of [`esker::measure::Snapshot`] and of the arguments: no clock, no random names inside files,
//! no iteration over hash tables. The same run gives the same bytes.

mod csv_frames;
mod final_table;
mod frame_parts;
mod frame_reader;
mod frames;
pub(crate) mod rows;
pub(crate) mod shared_file;
mod state_tables;
mod tables;
mod vtk;
mod vtk_header;
mod writer;

pub use csv_frames::CsvFrames;
pub use final_table::{FinalRow, read_final_csv, write_final_csv};
pub use frame_reader::{Column, FrameFile};
pub use frames::{FrameFiles, FrameWriter, frame_files};
pub(crate) use state_tables::write_whole;
pub use state_tables::{EnergyTable, Event, EventTable, WallTable, write_contacts_csv};
pub use tables::{Cell, Table};
pub use writer::{FORMATS, Format, Opened, Start, Writer};
