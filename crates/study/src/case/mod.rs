//! Cases: published problems with their figures, and the comparison with computed results.
//!
//! A case is a folder with `case.toml` (the runs, the computed quantities, the published values, the tolerances and
//! their reasons), scenes, the published figures as CSV files and a `README.md` that states the reconstructed data and
//! what agreement shows. Everything is declared: a new case is a new folder without code.

mod each;
mod figures;
mod file;
mod folder;
mod formula;
mod judge;
mod outdated;
mod page;
mod papers;
mod papers_page;
mod perform;
mod pictures;
mod result;
mod results_page;
mod scope;
mod series;
mod table;
mod validation_page;

pub use file::Size;
pub use folder::{Case, CaseError, Files, PlannedRun};
pub use formula::Formula;
pub use judge::{Row, Verdict};
pub use outdated::outdated;
pub use page::page;
pub use papers::{Paper, Papers};
pub use papers_page::papers_page;
pub use perform::CaseRunner;
pub use result::CaseResult;
pub use results_page::results_page;
pub use table::text_table;
pub use validation_page::{is_validation_page, validation_page};

/// A checksum of bytes, as used in checkpoints.
pub fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}
