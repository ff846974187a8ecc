//! Frames as tables.

use esker::Vec3;
use esker::measure::Snapshot;
use esker::prelude::{ContactModel, Hertz, Material, Pair, Scene, Sphere};
use esker_scene::output::{CsvFrames, FORMATS, Start, Writer, read_final_csv};
use std::path::Path;

/// A particle that flies along x at 1 m/s.
fn snapshots() -> Vec<Snapshot> {
    let mut scene = Scene::new();
    scene.contact = ContactModel::normal(Hertz::default());
    let glass = Material::new().density(2500.0).young_modulus(1e7).poisson_ratio(0.25);
    let glass = scene.add_material("glass", glass);
    scene.set_pair(glass, glass, Pair::new());
    let ball = Sphere { velocity: Vec3::X, ..Sphere::new(0.01, Vec3::ZERO) };
    let _ = scene.add_sphere(glass, ball);
    let mut simulation = scene.build().expect("a good scene");
    (0..3)
        .map(|_| {
            simulation.step().expect("a free flight");
            simulation.snapshot()
        })
        .collect()
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join("frames")).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_frame_holds_the_particles_to_the_last_bit() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = CsvFrames::open(folder.path(), Start::New).expect("a writer");
    let snapshots = snapshots();
    snapshots.iter().for_each(|snapshot| writer.write(snapshot).expect("a frame"));
    assert_eq!(writer.frames(), 3);
    for (frame, snapshot) in snapshots.iter().enumerate() {
        let path = folder.path().join(format!("frames/particles_{frame:06}.csv"));
        let rows = read_final_csv(&path).expect("a table");
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].position, snapshot.particles[0].position);
        assert_eq!(rows[0].velocity, Vec3::X);
    }
}

#[test]
fn a_continued_run_keeps_its_frames_and_removes_later_ones_and_a_new_run_removes_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = CsvFrames::open(folder.path(), Start::New).expect("a writer");
    let snapshots = snapshots();
    snapshots.iter().for_each(|snapshot| writer.write(snapshot).expect("a frame"));
    std::fs::write(folder.path().join("frames/notes.csv"), "mine").expect("written");
    let continued = CsvFrames::open(folder.path(), Start::After(1)).expect("a writer");
    assert_eq!(continued.frames(), 1);
    assert_eq!(files(folder.path()), ["notes.csv", "particles_000000.csv"]);
    CsvFrames::open(folder.path(), Start::New).expect("a writer");
    assert_eq!(files(folder.path()), ["notes.csv"]);
}

#[test]
fn every_format_starts_writes_and_continues() {
    let snapshots = snapshots();
    for format in FORMATS {
        let folder = tempfile::tempdir().expect("a folder");
        let mut writer = (format.open)(folder.path(), Start::New, true).expect(format.name);
        writer.write(&snapshots[0]).expect(format.name);
        writer.write(&snapshots[1]).expect(format.name);
        let continued = (format.open)(folder.path(), Start::After(1), true).expect(format.name);
        assert_eq!((writer.frames(), continued.frames()), (2, 1), "{}", format.name);
    }
}
