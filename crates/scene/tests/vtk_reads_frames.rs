//! The frames are read by the VTK library, which ParaView uses.

mod support;

use esker::Vec3;
use esker::measure::Snapshot;
use esker_scene::output::FrameWriter;
use serde_json::Value;
use std::process::Command;
use support::snapshot;

/// The data that VTK reads from a run folder; none if VTK is missing and not required.
fn read_with_vtk(folder: &std::path::Path) -> Option<Value> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/check_frames.py");
    let mut reasons = Vec::new();
    let chosen = std::env::var("ESKER_PYTHON").ok();
    for python in chosen.iter().map(String::as_str).chain(["python3"]) {
        match Command::new(python).arg(script).arg(folder).output() {
            Ok(output) if output.status.success() => {
                return Some(serde_json::from_slice(&output.stdout).expect("JSON"));
            }
            Ok(output) => {
                let message = String::from_utf8_lossy(&output.stderr).into_owned();
                assert_eq!(output.status.code(), Some(3), "VTK refuses: {message}");
                reasons.push(message);
            }
            Err(error) => reasons.push(format!("{python}: {error}")),
        }
    }
    let required = ["CI", "ESKER_REQUIRE_VTK"].iter().any(|name| std::env::var_os(name).is_some());
    assert!(!required, "VTK is required here: {reasons:?}");
    println!("skipped: no Python with VTK found ({reasons:?}); set ESKER_PYTHON to one");
    None
}

fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .expect("a list")
        .iter()
        .map(|number| number.as_f64().expect("a number"))
        .collect()
}

fn vectors(value: &Value) -> Vec<Vec3> {
    value
        .as_array()
        .expect("a list")
        .iter()
        .map(|vector| Vec3::from_slice(&numbers(vector)))
        .collect()
}

fn check_particles(found: &Value, written: &Snapshot) {
    let all = || written.particles.iter();
    let columns = &found["point_data"];
    let points: Vec<Vec3> = all().map(|p| p.position).collect();
    assert_eq!(vectors(&found["points"]), points);
    assert_eq!(found["cell_count"], written.particles.len());
    let radii: Vec<f64> = all().map(|p| p.radius).collect();
    assert_eq!(numbers(&columns["radius"]), radii);
    let ids: Vec<f64> = all().map(|p| f64::from(p.id.number())).collect();
    assert_eq!(numbers(&columns["id"]), ids);
    let groups: Vec<f64> = all().map(|p| f64::from(p.group.number())).collect();
    assert_eq!(numbers(&columns["group"]), groups);
    let velocities: Vec<Vec3> = all().map(|p| p.velocity).collect();
    assert_eq!(vectors(&columns["velocity"]), velocities);
    let torques: Vec<Vec3> = all().map(|p| p.torque).collect();
    assert_eq!(vectors(&columns["torque"]), torques);
    for (row, particle) in columns["orientation"].as_array().unwrap().iter().zip(all()) {
        let q = particle.orientation;
        assert_eq!(numbers(row), [q.w, q.x, q.y, q.z]);
    }
    assert_eq!(found["groups"], serde_json::json!(written.groups));
}

fn check_contacts(found: &Value, written: &Snapshot) {
    let all = || written.contacts.iter();
    let columns = &found["cell_data"];
    assert_eq!(found["cell_count"], written.contacts.len());
    let ends: Vec<Vec3> = all().flat_map(|c| [c.first_position, c.second_position]).collect();
    assert_eq!(vectors(&found["points"]), ends);
    let overlaps: Vec<f64> = all().map(|c| c.overlap).collect();
    assert_eq!(numbers(&columns["overlap"]), overlaps);
    let sizes: Vec<f64> = all().map(|c| c.force().length()).collect();
    assert_eq!(numbers(&columns["force_magnitude"]), sizes);
    let sliding: Vec<f64> = all().map(|c| f64::from(u8::from(c.sliding))).collect();
    assert_eq!(numbers(&columns["sliding"]), sliding);
}

fn check_walls(found: &Value, written: &Snapshot) {
    // A floor of two triangles and a tube of 64 pairs.
    assert_eq!(found["cell_count"], 2 + 128);
    assert_eq!(found["points_per_cell"], serde_json::json!([3]));
    let wall = numbers(&found["cell_data"]["wall"]);
    assert_eq!(wall.iter().filter(|&&index| index == 1.0).count(), 128);
    assert!(vectors(&found["cell_data"]["velocity"]).iter().all(|&v| v == Vec3::X));
    let names: Vec<&str> = written.walls.iter().map(|w| w.name.as_str()).collect();
    assert_eq!(found["walls"], serde_json::json!(names));
}

#[test]
fn vtk_reads_back_every_number_that_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = FrameWriter::new(folder.path(), true).unwrap();
    // 5000 particles fill several compressed blocks and end within one; 2048 · 3 doubles do not divide a block either;
    // 8192 single columns end exactly at the edge of a block.
    let written = [snapshot(5000, 0.0), snapshot(8192, 0.1), snapshot(1, 1e-7)];
    for snapshot in &written {
        writer.write(snapshot).unwrap();
    }
    let Some(found) = read_with_vtk(folder.path()) else {
        return;
    };
    let files = found.as_array().unwrap();
    assert_eq!(files.len(), 3 * written.len());
    for (frame, snapshot) in files.chunks(3).zip(&written) {
        for (file, holds_time) in frame.iter().zip([true, true, false]) {
            assert_eq!(file["timestep"], snapshot.time);
            assert_eq!(file["time"].as_f64(), holds_time.then_some(snapshot.time));
        }
        check_particles(&frame[0], snapshot);
        check_contacts(&frame[1], snapshot);
        check_walls(&frame[2], snapshot);
    }
}

#[test]
fn vtk_reads_a_frame_without_anything_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = FrameWriter::new(folder.path(), true).unwrap();
    writer.write(&Snapshot::default()).unwrap();
    let Some(found) = read_with_vtk(folder.path()) else {
        return;
    };
    for file in found.as_array().unwrap() {
        assert_eq!(file["cell_count"], 0);
    }
}
