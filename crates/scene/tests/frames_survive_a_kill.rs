//! The collection of frames lists exactly the finished frames, even if the writer is killed.

mod support;

use esker_scene::output::FrameWriter;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use support::snapshot;

/// Every file of a folder and what is in it.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for watched in [folder.to_path_buf(), folder.join("frames")] {
        for entry in fs::read_dir(watched).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

fn listed(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("frames.pvd")).unwrap();
    let names = text.split("file=\"").skip(1);
    names.map(|rest| rest.split('"').next().unwrap().to_string()).collect()
}

#[test]
fn the_collection_lists_exactly_the_finished_frames() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = FrameWriter::new(folder.path(), true).unwrap();
    assert!(listed(folder.path()).is_empty());
    for frame in 0..3 {
        writer.write(&snapshot(4, 0.1 * f64::from(frame))).unwrap();
        let mut expected: Vec<String> = contents(folder.path()).into_keys().collect();
        expected.retain(|name| name.ends_with(".vtp"));
        let mut found = listed(folder.path());
        assert_eq!(found.len(), 3 * (frame as usize + 1));
        found.sort();
        found.dedup();
        assert_eq!(found, expected);
    }
}

#[test]
fn walls_are_written_again_only_after_they_have_moved() {
    let at = |time: f64, shift: f64| {
        let mut state = snapshot(4, time);
        for wall in &mut state.walls {
            wall.pose.translation.x += shift;
        }
        state
    };
    let states = [at(0.0, 0.0), at(0.1, 0.0), at(0.2, 0.5), at(0.3, 0.5), at(0.4, 0.0)];
    let expected = ["000000", "000000", "000002", "000002", "000004"];
    let walls = |folder: &Path| -> Vec<String> {
        let files = esker_scene::output::frame_files(folder).unwrap();
        let stem = |path: &Path| path.file_stem().unwrap().to_str().unwrap()[6..].to_string();
        files.iter().map(|frame| stem(&frame.walls)).collect()
    };
    let whole = tempfile::tempdir().unwrap();
    let mut writer = FrameWriter::new(whole.path(), true).unwrap();
    states.iter().for_each(|state| writer.write(state).unwrap());
    assert_eq!(walls(whole.path()), expected);
    // Resuming after each number of frames gives the same files.
    for kept in 1..states.len() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = FrameWriter::new(folder.path(), true).unwrap();
        states.iter().for_each(|state| writer.write(state).unwrap());
        let mut writer = FrameWriter::resume(folder.path(), kept, true).unwrap();
        states[kept..].iter().for_each(|state| writer.write(state).unwrap());
        assert!(contents(whole.path()) == contents(folder.path()), "{kept}");
    }
}

#[test]
fn a_killed_writer_loses_no_finished_frame_and_leaves_no_trace_after_resuming() {
    let whole = tempfile::tempdir().unwrap();
    let mut writer = FrameWriter::new(whole.path(), true).unwrap();
    for frame in 0..4 {
        writer.write(&snapshot(9, 0.1 * f64::from(frame))).unwrap();
    }

    let cut = tempfile::tempdir().unwrap();
    let mut writer = FrameWriter::new(cut.path(), true).unwrap();
    for frame in 0..3 {
        writer.write(&snapshot(9, 0.1 * f64::from(frame))).unwrap();
    }
    drop(writer);
    // Killed between the parts of the fourth frame and within one of them.
    let frames = cut.path().join("frames");
    fs::write(frames.join("particles_000003.vtp"), "whole, not listed").unwrap();
    fs::write(frames.join("contacts_000003.vtp.unfinished"), "ha").unwrap();
    fs::write(frames.join("note.txt"), "of the user").unwrap();
    assert_eq!(listed(cut.path()).len(), 9);

    // The checkpoint had been written after the second frame.
    let mut writer = FrameWriter::resume(cut.path(), 2, true).unwrap();
    assert_eq!(writer.frames(), 2);
    assert_eq!(listed(cut.path()).len(), 6);
    assert!(!frames.join("contacts_000003.vtp.unfinished").exists());
    for frame in 2..4 {
        writer.write(&snapshot(9, 0.1 * f64::from(frame))).unwrap();
    }
    assert!(frames.join("note.txt").exists(), "no file of ours");
    fs::remove_file(frames.join("note.txt")).unwrap();
    assert!(contents(whole.path()) == contents(cut.path()));
}

#[test]
fn resuming_with_more_frames_than_there_are_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    FrameWriter::new(folder.path(), true).unwrap().write(&snapshot(1, 0.0)).unwrap();
    let error = FrameWriter::resume(folder.path(), 2, true).unwrap_err();
    assert!(error.to_string().contains("frames.pvd"), "{error}");
}
