//! Checkpoints of version 0.1 of the program: beds for new runs, not resumed.
//!
//! `data/format_8.esk` holds three grains that flew for 1 ms at 0.25 m/s along x, from x = 0. It
//! was written by version 0.1.0.

use esker_scene::run::{Checkpoint, build, checkpoint_path};
use std::path::Path;

const SCENE: &str = r#"format = 1
[materials]
glass = { density = 2500, young_modulus = 1e7, poisson_ratio = 0.25 }
[contact]
normal = "hertz"
pairs = [{ between = ["glass", "glass"] }]
[[particles]]
name = "grains"
material = "glass"
insert = { from = "format_8.esk" }
[[stages]]
name = "fly"
end = { after = 1e-3 }
"#;

fn data() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data"))
}

#[test]
fn particles_of_an_earlier_checkpoint_can_be_inserted() {
    let loaded =
        esker_scene::load_text("a.toml", SCENE, data()).unwrap_or_else(|errors| panic!("{errors}"));
    let simulation = build(&loaded).unwrap_or_else(|error| panic!("{error}"));
    let snapshot = simulation.snapshot();
    let corners = [[0.0, 0.0], [0.05, 0.0], [0.0, 0.05]];
    assert_eq!(snapshot.particles.len(), corners.len());
    for (particle, [y, z]) in snapshot.particles.iter().zip(corners) {
        assert!((particle.position.x - 0.25e-3).abs() < 1e-15, "{:?}", particle.position);
        assert_eq!([particle.position.y, particle.position.z], [y, z]);
        assert_eq!(particle.velocity.to_array(), [0.25, 0.0, 0.0]);
        assert_eq!(particle.radius, 0.01);
    }
}

#[test]
fn an_earlier_checkpoint_is_not_resumed_and_the_message_says_what_it_is_good_for() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(data().join("format_8.esk"), checkpoint_path(folder.path())).expect("copied");
    let error = Checkpoint::newest(folder.path()).expect_err("it is refused").to_string();
    assert!(error.contains("it has version 8 of the format"), "{error}");
    assert!(error.contains("an older Esker"), "{error}");
    assert!(error.contains("`insert = { from = … }`"), "{error}");
}
