//! Studies: many runs of scenes, compared with theory and publications.
//!
//! A [`case`] is a published problem with its figures; a [`sweep`] varies parameters of one scene. Both
//! make their runs through [`batch`], in parallel, and resume unfinished ones.

pub mod batch;
pub mod case;
pub mod sweep;
