//! The viewer in the browser: sources of frames, a server on the loopback interface, the page, and self-contained
//! pages.
//!
//! The viewer only reads. It changes neither a file nor a bit of a run.

// No panic reaches a user, libraries print nothing, functions stay below 60 lines (clippy.toml). Tests may.
#![cfg_attr(
    not(test),
    warn(clippy::print_stderr, clippy::print_stdout, clippy::too_many_lines, clippy::unwrap_used)
)]

pub mod assets;
mod cache;
mod columns;
mod details;
mod embedded;
mod encode;
mod error;
mod export;
pub mod feed;
mod folder;
pub mod frame;
mod join;
mod live;
mod picture;
mod request;
mod routes;
mod run_file;
mod scene;
pub mod security;
mod server;
mod snapshot;
mod tables;
mod trim;
mod walls;

pub use error::ViewError;
pub use export::{Export, export, export_snapshots, for_report};
pub use feed::{At, Feed};
pub use folder::{FolderFeed, newest_run};
pub use live::Live;
pub use picture::{PictureOptions, picture};
pub use scene::SceneFeed;
pub use server::{Server, ServerOptions};
pub use snapshot::SnapshotsFeed;
