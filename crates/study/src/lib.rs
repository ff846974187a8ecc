//! Studies: many runs of scenes, compared with theory and publications.
//!
//! A [`case`] is a published problem with its figures; a [`sweep`] varies parameters of one scene. Both
//! make their runs through [`batch`], in parallel, and resume unfinished ones.

// No panic reaches a user, libraries print nothing, functions stay below 60 lines (clippy.toml). Tests may.
#![cfg_attr(
    not(test),
    warn(clippy::print_stderr, clippy::print_stdout, clippy::too_many_lines, clippy::unwrap_used)
)]

pub mod batch;
pub mod case;
pub mod sweep;
