//! Makes the runs of a case and judges the results.

use super::figures;
use super::file::Size;
use super::folder::{Case, CaseError, PlannedRun};
use super::judge;
use super::pictures::FrameCapture;
use super::result::CaseResult;
use super::scope::Data;
use crate::batch::{Attempt, RunResult, RunSpecification, Watcher};
use esker::Simulation;
use esker_draw::OutputError;
use esker_scene::Loaded;
use esker_scene::run::RunError;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Runs cases in a folder.
#[derive(Debug, Clone)]
pub struct CaseRunner {
    /// The output folder.
    pub folder: PathBuf,
    /// Identification of the program: results of other versions are not reused.
    pub program: String,
    /// Threads of each run; 0 selects a suitable number.
    pub threads: usize,
}

impl CaseRunner {
    fn folder_of(&self, case: &Case, size: Size) -> PathBuf {
        self.folder.join(&case.name).join(size.to_string())
    }

    /// Writes the files of a case, from which its scenes are read and which the user can inspect.
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

    /// Makes or continues a run, or returns the finished result.
    pub fn make(
        &self,
        case: &Case,
        size: Size,
        planned: &PlannedRun,
        interrupt: &AtomicBool,
    ) -> Result<Attempt, RunError> {
        let parent = self.folder_of(case, size);
        let stamp = self.stamp(case, planned);
        let specification = RunSpecification {
            name: &planned.name,
            parent: &parent,
            stamp: &stamp,
            changes: &planned.changes,
            threads: self.threads,
            light: false,
        };
        let scene = self.folder.join(&case.name).join("case").join(&planned.scene);
        let pairs: Vec<(&str, &str)> =
            planned.changes.iter().filter_map(|change| change.split_once('=')).collect();
        let mut watcher = Pictures { case, run: &planned.name, parent: &parent, capture: None };
        specification.make(|| esker_scene::load_with(&scene, &pairs), interrupt, &mut watcher)
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
        let parent = self.folder_of(case, size);
        Ok(CaseResult {
            case: case.name.clone(),
            paper: case.paper().to_owned(),
            section: case.section().to_owned(),
            title: case.title().to_owned(),
            size,
            only_size: case.has_one_size(),
            wall_time: runs.iter().map(|run| run.wall_time).sum(),
            processor_time: runs.iter().map(|run| run.processor_time).sum(),
            day: runs.iter().map(|run| run.day.clone()).max().unwrap_or_default(),
            rows: judge::rows(case, size, &data, &failed),
            plots: figures::plots(case, &data)
                .map_err(|what| CaseError { case: case.name.clone(), what })?,
            pictures: FrameCapture::pictures(case, &parent, &runs),
            readme: case.readme().to_owned(),
            runs,
        })
    }

    /// Hash of everything that a run depends on.
    fn stamp(&self, case: &Case, planned: &PlannedRun) -> String {
        let mut hash = crc32fast::Hasher::new();
        for (path, bytes) in case.files.iter().filter(|(path, _)| !path.ends_with(".md")) {
            // The rules of the comparison do not affect a run, but the requested pictures do.
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

/// Takes the pictures of a run.
struct Pictures<'a> {
    case: &'a Case,
    run: &'a str,
    parent: &'a Path,
    capture: Option<FrameCapture>,
}

impl Watcher for Pictures<'_> {
    fn begin(&mut self, loaded: &Loaded, goes_on: bool) -> Result<(), RunError> {
        let capture = FrameCapture::new(self.case, self.run, self.parent, loaded, goes_on)?;
        self.capture = Some(capture);
        Ok(())
    }

    fn look(&mut self, simulation: &Simulation) -> Result<(), OutputError> {
        self.capture.as_mut().map_or(Ok(()), |capture| capture.look(simulation))
    }
}
