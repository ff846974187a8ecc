//! The files of a sweep other than its runs.

use super::page;
use super::results::{Outcome, Results};
use esker_draw::OutputError;
use esker_scene::run::write_file;
use std::path::PathBuf;

impl Results<'_> {
    /// Path of a file of the sweep.
    pub fn file(&self, name: &str) -> PathBuf {
        self.prepared.sweep.folder.join(name)
    }

    /// Writes `results.csv`, `points.csv` if there are several seeds and, if all runs have ended,
    /// `effects.csv` and `report.html`. `name` is that of the scene.
    pub fn write(&self, name: &str) -> Result<(), OutputError> {
        self.write_runs(&self.file("results.csv"))?;
        if self.prepared.sweep.plan.seeds > 1 {
            self.write_points(&self.file("points.csv"))?;
        }
        if self.outcomes.contains(&Outcome::Unfinished) {
            return Ok(());
        }
        let (rankings, constant) = self.rankings();
        let effects = self.file("effects.csv");
        if self.has_ranking() {
            self.write_effects(&effects, &rankings)?;
        } else {
            // A file of an earlier sweep could be mistaken for a result of this one.
            let _ = std::fs::remove_file(&effects);
        }
        let report = page(name, self, &rankings, &constant)?;
        write_file(&self.file("report.html"), report.as_bytes())
    }
}
