//! Pictures, plots and report pages of a run, without a browser or a graphics library.
//!
//! Output is a function of [`esker::measure::Snapshot`] and of the arguments: no clock, no random names inside files,
//! no iteration over hash maps. The same run gives the same bytes.

// No panic reaches a user, libraries print nothing, functions stay below 60 lines (clippy.toml). Tests may.
#![cfg_attr(
    not(test),
    warn(clippy::print_stderr, clippy::print_stdout, clippy::too_many_lines, clippy::unwrap_used)
)]

mod base64;
mod bounds;
mod camera;
mod color;
mod digits;
mod error;
mod escape;
mod picture;
mod plot;
mod raster;
mod report;
mod shade;
mod ticks;
mod wall_drawing;
mod wall_surface;

pub use base64::encode as encode_base64;
pub use bounds::Bounds;
pub use camera::Camera;
pub use color::{ColorBy, group_color, perceptual_color};
pub use digits::{aligned, number, rounded};
pub use error::OutputError;
pub use escape::escape;
pub use picture::{Picture, PictureStyle};
pub use plot::{Mark, Plot, Scale, Series};
pub use report::PAGE_STYLE;
pub use report::{Report, ReportTable};
pub use wall_surface::{Surface, wall_surface};
