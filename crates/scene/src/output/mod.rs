//! What a run leaves behind: frames for ParaView, tables, pictures, plots and a report.
//!
//! All of it is a function of [`esker::measure::Snapshot`] and of what the caller passes: no
//! clock, no random names inside files, no iteration over hashes. The same run gives the same
//! bytes.

mod base64;
mod bounds;
mod camera;
mod color;
mod digits;
mod error;
mod final_table;
mod frame_parts;
mod frames;
mod picture;
mod plot;
mod raster;
mod report;
mod shade;
mod state_tables;
mod tables;
mod ticks;
mod vtk;
mod wall_drawing;
mod wall_surface;

pub(crate) use base64::encode as encode_base64;
pub use bounds::Bounds;
pub use camera::Camera;
pub use color::{ColorBy, perceptual_color};
pub(crate) use digits::{aligned, number, rounded};
pub use error::OutputError;
pub use final_table::{FinalRow, read_final_csv, write_final_csv};
pub use frames::FrameWriter;
pub use picture::{Picture, PictureStyle};
pub use plot::{Mark, Plot, Scale, Series};
pub(crate) use report::PAGE_STYLE;
pub use report::{Report, ReportTable};
pub use state_tables::{EnergyTable, Event, EventTable, WallTable, write_contacts_csv};
pub use tables::{Cell, Table};
pub use wall_surface::{Surface, wall_surface};
