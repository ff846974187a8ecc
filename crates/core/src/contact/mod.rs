//! Contacts: candidates, their evaluation in chunks, the history they carry, and the sums of
//! their forces on each particle.
//!
//! Layout (measured): a half list of candidates in order of the lower slot; each step a touch test
//! packs those within reach into chunks; each contact writes one 64-byte row of results, or one for
//! each partner where laws give couples; each particle sums its rows in order of partner id, as soon
//! as the list has been evaluated up to its slot.

pub(crate) mod carry;
pub(crate) mod crowd;
pub(crate) mod cuts;
pub(crate) mod evaluate;
pub(crate) mod fused;
mod fused_pairs;
mod fused_walls;
pub(crate) mod gather;
pub(crate) mod history;
mod incidence;
pub(crate) mod laws;
pub(crate) mod list;
pub(crate) mod load;
pub(crate) mod memory;
mod near;
mod packed;
pub(crate) mod pairs;
pub(crate) mod rows;
mod scan;
pub(crate) mod single;
mod touched;
mod turns;
pub(crate) mod view;
mod wall_history;
mod wall_joints;
mod wall_lanes;
pub(crate) mod wall_list;
mod wall_test;
mod wall_touches;
pub(crate) mod walls;
mod write_ahead;

pub(crate) use evaluate::{Chunk, Extremes, Scratch};
pub(crate) use history::HistoryLayout;
pub(crate) use laws::{LawTable, PairLaws};
pub(crate) use list::Candidates;
pub(crate) use rows::Rows;
pub(crate) use walls::WallContacts;
