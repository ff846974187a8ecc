//! Making the runs of a case. Each has its own folder and goes on from its checkpoint; one that was
//! finished by the same program from the same files is not made again.

use super::figures;
use super::file::Size;
use super::folder::{Case, CaseError, PlannedRun};
use super::judge;
use super::pictures::Photographer;
use super::result::{CaseResult, RunResult};
use super::scope::Data;
use crate::output::OutputError;
use crate::run::{self, Ended, Run, RunError, RunOptions};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Where cases are run.
#[derive(Debug, Clone)]
pub struct Workshop {
    /// The folder of everything.
    pub folder: PathBuf,
    /// What tells this program from another: results of another are not reused.
    pub program: String,
    /// Threads of each run; 0 takes what suits it.
    pub threads: usize,
}

/// What became of the attempt to make a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Attempt {
    /// It has ended, finished or stopped as unphysical.
    Made(RunResult),
    /// The user stopped it; the next attempt goes on from there.
    Interrupted,
}

impl Workshop {
    fn folder_of(&self, case: &Case, size: Size) -> PathBuf {
        self.folder.join(&case.name).join(size.to_string())
    }

    /// Writes the files of a case, for its scenes to be read from and for the user to look at.
    pub fn unpack(&self, case: &Case) -> Result<(), RunError> {
        let folder = self.folder.join(&case.name).join("case");
        for (path, bytes) in case.files.iter() {
            let path = folder.join(path);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(OutputError::system("create", parent))?;
            }
            fs::write(&path, bytes).map_err(OutputError::system("write", &path))?;
        }
        Ok(())
    }

    /// Makes a run, goes on with it, or finds that it has been made.
    pub fn make(
        &self,
        case: &Case,
        size: Size,
        planned: &PlannedRun,
        interrupt: &AtomicBool,
        mut watch: impl FnMut(&esker::Simulation),
    ) -> Result<Attempt, RunError> {
        let place = self.folder_of(case, size);
        let folder = place.join(&planned.name);
        let stamp_path = place.join(format!("{}.stamp", planned.name));
        let result_path = place.join(format!("{}.json", planned.name));
        let stamp = self.stamp(case, planned);
        let same = fs::read_to_string(&stamp_path).is_ok_and(|found| found == stamp);
        if same && let Some(result) = finished(&result_path, &folder) {
            return Ok(Attempt::Made(result));
        }
        fs::create_dir_all(&place).map_err(OutputError::system("create", &place))?;
        let scene = self.folder.join(&case.name).join("case").join(&planned.scene);
        let pairs: Vec<(&str, &str)> =
            planned.changes.iter().filter_map(|change| change.split_once('=')).collect();
        let loaded = crate::load_with(&scene, &pairs)
            .map_err(|diagnostics| RunError::Scene(Box::new(diagnostics)))?;
        let mut photographer = Photographer::new(case, &planned.name, &place, &loaded, same)?;
        let options = |resume: bool| RunOptions {
            folder: folder.clone(),
            threads: self.threads,
            resume,
            force: !resume,
            overrides: planned.changes.clone(),
        };
        let resumed = if same { Run::open(loaded.clone(), &options(true)).ok() } else { None };
        let opened = match resumed {
            Some(run) => run,
            None => Run::open(loaded, &options(false))?,
        };
        write(&stamp_path, &stamp)?;
        photographer.look(opened.simulation())?;
        let mut trouble = None;
        let summary = opened.finish(interrupt, |simulation| {
            if let Err(error) = photographer.look(simulation) {
                trouble.get_or_insert(error);
            }
            watch(simulation);
        })?;
        if let Some(error) = trouble {
            return Err(error.into());
        }
        if summary.ended == Ended::Interrupted {
            return Ok(Attempt::Interrupted);
        }
        let result = RunResult {
            name: planned.name.clone(),
            folder,
            changes: planned.changes.clone(),
            ended: summary.ended.word().to_owned(),
            failure: summary.failure.clone(),
            particles: summary.particles.present,
            time: summary.time,
            steps: summary.steps,
            wall_time: summary.wall_time,
            reused: false,
        };
        write(&result_path, &serde_json::to_string_pretty(&result).unwrap_or_default())?;
        Ok(Attempt::Made(result))
    }

    /// Judges a case whose runs have been made.
    pub fn judge(
        &self,
        case: &Case,
        size: Size,
        runs: Vec<RunResult>,
    ) -> Result<CaseResult, CaseError> {
        let folders = runs.iter().map(|run| (run.name.clone(), run.folder.clone())).collect();
        let data = Data::new(case, folders);
        let failed: Vec<(String, String)> =
            runs.iter().filter_map(|run| Some((run.name.clone(), run.failure.clone()?))).collect();
        let place = self.folder_of(case, size);
        Ok(CaseResult {
            case: case.name.clone(),
            paper: case.paper().to_owned(),
            section: case.section().to_owned(),
            title: case.title().to_owned(),
            size,
            wall_time: runs.iter().map(|run| run.wall_time).sum(),
            rows: judge::rows(case, size, &data, &failed),
            plots: figures::plots(case, &data)
                .map_err(|what| CaseError { case: case.name.clone(), what })?,
            pictures: Photographer::album(case, &place, &runs),
            readme: case.readme().to_owned(),
            runs,
        })
    }

    /// Everything that a run depends on.
    fn stamp(&self, case: &Case, planned: &PlannedRun) -> String {
        let mut hash = crc32fast::Hasher::new();
        for (path, bytes) in case.files.iter().filter(|(path, _)| !path.ends_with(".md")) {
            // How results are judged is no part of a run, but the pictures asked for are.
            if path != "case.toml" {
                hash.update(path.as_bytes());
                hash.update(bytes);
            }
        }
        let pictures: Vec<String> =
            case.text.pictures.iter().map(|pictures| format!("{pictures:?}")).collect();
        format!(
            "{}\n{:08x}\n{}\n{}\n{}\n",
            self.program,
            hash.finalize(),
            planned.scene,
            planned.changes.join("\n"),
            pictures.join("\n")
        )
    }
}

fn finished(path: &Path, folder: &Path) -> Option<RunResult> {
    let text = fs::read_to_string(path).ok()?;
    let result: RunResult = serde_json::from_str(&text).ok()?;
    let there = run::holds_run(folder) && folder.join("summary.json").is_file();
    there.then(|| RunResult { reused: true, folder: folder.to_path_buf(), ..result })
}

fn write(path: &Path, text: &str) -> Result<(), OutputError> {
    run::write_file(path, text.as_bytes())
}
