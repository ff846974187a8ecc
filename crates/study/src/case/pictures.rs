//! Pictures of a run at the times shown in the paper, taken during the run.

use super::file::PicturesFile;
use super::folder::Case;
use crate::batch::RunResult;
use esker::measure::Snapshot;
use esker::{Simulation, Vec3};
use esker_draw::{Bounds, Camera, ColorBy, OutputError, Picture, PictureStyle};
use esker_scene::Loaded;
use esker_scene::plain_file::{self, LONGEST_FILE};
use esker_scene::run::{self, RunError};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

const WIDTH: usize = 720;
const HEIGHT: usize = 480;

/// Takes the pictures that are due.
#[derive(Debug)]
pub(super) struct FrameCapture {
    views: Vec<View>,
}

/// One entry of `[[pictures]]`: the pictures that are due, and how they are drawn.
#[derive(Debug)]
struct View {
    /// Time and file, the latest first.
    due: Vec<(f64, PathBuf)>,
    style: PictureStyle,
    cut: Option<Cut>,
}

/// A plane normal to the line of sight; grains entirely in front of it are omitted.
#[derive(Debug, Clone, Copy)]
struct Cut {
    point: Vec3,
    /// Towards the camera.
    normal: Vec3,
}

impl Cut {
    fn leaves(self, position: Vec3, radius: f64) -> bool {
        // A position that is not a number is kept; the picture handles it.
        !((position - self.point).dot(self.normal) > radius)
    }
}

/// The file of a picture. The name of a run contains no `-`, so that file names are unique.
fn file(parent: &Path, run: &str, view: usize, index: usize) -> PathBuf {
    let name = match view {
        0 => format!("{run}-{index}.png"),
        _ => format!("{run}-view{}-{index}.png", view + 1),
    };
    parent.join("pictures").join(name)
}

/// The views of a run that the case requests.
fn requested<'a>(case: &'a Case, run: &str) -> Vec<&'a PicturesFile> {
    case.text.pictures.iter().filter(|pictures| pictures.run == run).collect()
}

impl FrameCapture {
    /// Prepares the pictures; with `keep`, existing pictures are not taken again.
    pub(super) fn new(
        case: &Case,
        run: &str,
        parent: &Path,
        loaded: &Loaded,
        keep: bool,
    ) -> Result<Self, RunError> {
        let requested = requested(case, run);
        if requested.is_empty() {
            return Ok(Self { views: Vec::new() });
        }
        let folder = parent.join("pictures");
        fs::create_dir_all(&folder).map_err(OutputError::system("create", &folder))?;
        let start = run::build(loaded)?.snapshot();
        let up = (-loaded.scene.gravity).normalize_or(Vec3::Z);
        let mut views = Vec::new();
        for (view, pictures) in requested.into_iter().enumerate() {
            let files = (0..pictures.times.len()).map(|index| file(parent, run, view, index));
            let mut due: Vec<(f64, PathBuf)> = pictures.times.iter().copied().zip(files).collect();
            if keep {
                due.retain(|(_, path)| !path.is_file());
            }
            for (_, path) in &due {
                // A picture of an earlier run may show another time.
                remove(path)?;
            }
            due.sort_by(|a, b| b.0.total_cmp(&a.0));
            let camera = camera(pictures, &start, up);
            let cut =
                pictures.cut.map(|point| Cut { point: Vec3::from(point), normal: camera.back });
            let style = PictureStyle {
                width: WIDTH,
                height: HEIGHT,
                up,
                camera: Some(camera),
                color: ColorBy::Speed,
                stripe: pictures.stripe,
                ..PictureStyle::default()
            };
            views.push(View { due, style, cut });
        }
        Ok(Self { views })
    }

    /// Takes the pictures that are due.
    pub(super) fn look(&mut self, simulation: &Simulation) -> Result<(), OutputError> {
        let until = simulation.time() + 0.5 * simulation.dt();
        self.views.iter_mut().try_for_each(|view| view.look(simulation, until))
    }

    /// Caption and bytes of all pictures of a case that have been taken.
    pub(super) fn pictures(
        case: &Case,
        parent: &Path,
        runs: &[RunResult],
    ) -> Vec<(String, Vec<u8>)> {
        let mut album = Vec::new();
        for RunResult { name, .. } in runs {
            for (view, pictures) in requested(case, name).into_iter().enumerate() {
                let which = if view == 0 { String::new() } else { format!(", view {}", view + 1) };
                for (index, time) in pictures.times.iter().enumerate() {
                    if let Ok(bytes) =
                        plain_file::read(&file(parent, name, view, index), LONGEST_FILE)
                    {
                        album.push((format!("{name}, t = {time} s{which}"), bytes));
                    }
                }
            }
        }
        album
    }
}

impl View {
    /// Takes the pictures that are due at a time.
    fn look(&mut self, simulation: &Simulation, until: f64) -> Result<(), OutputError> {
        while self.due.last().is_some_and(|(time, _)| until >= *time) {
            let Some((_, path)) = self.due.pop() else { break };
            let mut snapshot = simulation.snapshot();
            snapshot.walls.retain(|wall| wall.present);
            if let Some(cut) = self.cut {
                snapshot.particles.retain(|grain| cut.leaves(grain.position, grain.radius));
            }
            let png = Picture::draw(&snapshot, &self.style).png()?;
            fs::write(&path, png).map_err(OutputError::system("write", &path))?;
        }
        Ok(())
    }
}

fn remove(path: &Path) -> Result<(), OutputError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(OutputError::system("remove", path)(error))
        }
        _ => Ok(()),
    }
}

fn camera(pictures: &PicturesFile, start: &Snapshot, up: Vec3) -> Camera {
    let aspect = WIDTH as f64 / HEIGHT as f64;
    let bounds = match (pictures.min, pictures.max) {
        (Some(min), Some(max)) => Bounds { min: Vec3::from(min), max: Vec3::from(max) },
        _ => Bounds::of(start),
    };
    match pictures.from {
        Some(from) => {
            let corners = bounds.corners().map(|corner| (corner, 0.0));
            Camera::looking(&corners, Vec3::from(from), up, aspect)
        }
        None if pictures.min.is_some() => Camera::fit(&bounds, up, aspect),
        None => Camera::around(&[start], up, aspect),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_leaves_what_it_goes_through_and_what_is_behind() {
        let cut = Cut { point: Vec3::new(0.0, 1.0, 0.0), normal: -Vec3::Y };
        let leaves = |y: f64| cut.leaves(Vec3::new(7.0, y, -3.0), 0.5);
        assert_eq!([0.4, 0.6, 1.4, 9.0].map(leaves), [false, true, true, true]);
    }
}
