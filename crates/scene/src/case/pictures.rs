//! Pictures of a run at the instants that the paper shows, taken while it runs.

use super::file::PicturesFile;
use super::folder::Case;
use crate::Loaded;
use crate::batch::RunResult;
use crate::output::{Bounds, Camera, ColorBy, OutputError, Picture, PictureStyle};
use crate::run::{self, RunError};
use esker::{Simulation, Vec3};
use std::fs;
use std::path::{Path, PathBuf};

const WIDTH: usize = 720;
const HEIGHT: usize = 480;

/// Takes the pictures that are due.
#[derive(Debug)]
pub(super) struct Photographer {
    /// Time and file, the latest first.
    due: Vec<(f64, PathBuf)>,
    style: PictureStyle,
}

fn file(place: &Path, run: &str, index: usize) -> PathBuf {
    place.join("pictures").join(format!("{run}-{index}.png"))
}

fn asked<'a>(case: &'a Case, run: &str) -> Option<&'a PicturesFile> {
    case.text.pictures.iter().find(|pictures| pictures.run == run)
}

impl Photographer {
    /// Gets ready; with `keep`, pictures that are there already are not taken again.
    pub(super) fn new(
        case: &Case,
        run: &str,
        place: &Path,
        loaded: &Loaded,
        keep: bool,
    ) -> Result<Self, RunError> {
        let style = PictureStyle { width: WIDTH, height: HEIGHT, ..PictureStyle::default() };
        let Some(pictures) = asked(case, run) else {
            return Ok(Self { due: Vec::new(), style });
        };
        let up = (-loaded.scene.gravity).normalize_or(Vec3::Z);
        let folder = place.join("pictures");
        fs::create_dir_all(&folder).map_err(OutputError::system("create", &folder))?;
        let files = (0..pictures.times.len()).map(|index| file(place, run, index));
        let mut due: Vec<(f64, PathBuf)> = pictures.times.iter().copied().zip(files).collect();
        due.retain(|(_, path)| !(keep && path.is_file()));
        due.sort_by(|a, b| b.0.total_cmp(&a.0));
        let style = PictureStyle {
            up,
            camera: Some(camera(pictures, loaded, up)?),
            color: ColorBy::Speed,
            ..style
        };
        Ok(Self { due, style })
    }

    /// Takes the pictures whose time has come.
    pub(super) fn look(&mut self, simulation: &Simulation) -> Result<(), OutputError> {
        let half = 0.5 * simulation.dt();
        while self.due.last().is_some_and(|(time, _)| simulation.time() + half >= *time) {
            let Some((_, path)) = self.due.pop() else { break };
            let mut snapshot = simulation.snapshot();
            snapshot.walls.retain(|wall| wall.present);
            let png = Picture::draw(&snapshot, &self.style).png()?;
            fs::write(&path, png).map_err(OutputError::system("write", &path))?;
        }
        Ok(())
    }

    /// Caption and bytes of all pictures of a case that have been taken.
    pub(super) fn album(case: &Case, place: &Path, runs: &[RunResult]) -> Vec<(String, Vec<u8>)> {
        let mut album = Vec::new();
        for run in runs {
            let Some(pictures) = asked(case, &run.name) else { continue };
            for (index, time) in pictures.times.iter().enumerate() {
                if let Ok(bytes) = fs::read(file(place, &run.name, index)) {
                    album.push((format!("{}, t = {time} s", run.name), bytes));
                }
            }
        }
        album
    }
}

fn camera(pictures: &PicturesFile, loaded: &Loaded, up: Vec3) -> Result<Camera, RunError> {
    let aspect = WIDTH as f64 / HEIGHT as f64;
    let start = run::build(loaded)?.snapshot();
    let bounds = match (pictures.min, pictures.max) {
        (Some(min), Some(max)) => Bounds { min: Vec3::from(min), max: Vec3::from(max) },
        _ => Bounds::of(&start),
    };
    Ok(match pictures.from {
        Some(from) => {
            let corners = bounds.corners().map(|corner| (corner, 0.0));
            Camera::looking(&corners, Vec3::from(from), up, aspect)
        }
        None if pictures.min.is_some() => Camera::fit(&bounds, up, aspect),
        None => Camera::around(&[&start], up, aspect),
    })
}
