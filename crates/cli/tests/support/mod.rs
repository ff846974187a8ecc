//! Common parts of the tests of the program.
#![allow(dead_code, reason = "not every test uses all of it")]

pub mod busy;
pub mod sweep;

use std::path::Path;
use std::process::{Command, Output};

/// A small scene with many features: two groups, a stream, a moving wall, a removed wall.
pub const SMALL: &str = r#"
format = 1
title = "Small"
seed = 4
gravity = [0, 0, -9.81]

[domain]
min = [-0.2, -0.2, -0.05]
max = [0.2, 0.2, 0.5]
outside = "delete"

[materials]
grain = { density = 2500, young_modulus = 5e7, poisson_ratio = 0.25 }

[contact]
normal = "hertz"
damping = "hertz"
tangential = "mindlin"
rolling = "elastic-plastic"
pairs = [{ between = ["grain", "grain"], friction = 0.4, restitution = 0.5, rolling_friction = 0.1 }]

[[particles]]
name = "block"
material = "grain"
radius = { uniform = { min = 0.008, max = 0.012 } }
insert = { count = 40, box = { min = [-0.05, -0.05, 0.0], max = [0.05, 0.05, 0.12] } }

[[particles]]
name = "rain"
material = "grain"
radius = 0.008
insert = { stream = { box = { min = [-0.05, -0.05, 0.15], max = [0.05, 0.05, 0.2] }, rate = 400, count = 20 } }

[[walls]]
name = "floor"
material = "grain"
half-space = { point = [0, 0, 0], normal = [0, 0, 1] }
motion = { oscillation = { amplitude = [0, 0, 0.001], frequency = 30 } }

[[walls]]
name = "gate"
material = "grain"
rectangle = { corner = [0.06, -0.1, 0], edges = [[0, 0.2, 0], [0, 0, 0.3]] }

[[stages]]
name = "settle"
end = { after = 0.06 }

[[stages]]
name = "flow"
remove_walls = ["gate"]
end = { after = 0.06 }

[outputs]
frames = { every = 0.02 }
energy = { every = 0.004 }
walls = { every = 0.01 }
contacts = { every = 0.05 }
events = true
checkpoint = { every = 0.02 }
measure = [
  { angle_of_repose = { up = "z" } },
  { name = "out", every = 0.005, discharged = { up = "z", below = 0.02 } },
]
probes = [
  { name = "block", particles = "block", columns = ["count", "mean_position", "max_height", "mean_coordination"], every = 0.01 },
  { name = "one", particle = 0, columns = ["position", "velocity", "orientation", "coordination"] },
  { name = "touch", contact = [0, "floor"], columns = ["overlap", "force", "slip_velocity", "sliding"], every = 0.001 },
  { name = "floor", wall = "floor", columns = ["force", "position", "work"], every = 0.01 },
]
"#;

/// Several blocks of rows in each file, missing ids, and no output that gathers all particles on the first rank.
pub const BLOCKS: &str = r#"
format = 1
seed = 7
gravity = [0, 0, -9.81]
time.step = 1e-5

[domain]
min = [-0.1, -0.1, -0.1]
max = [5, 5, 5]
outside = "delete"

[materials]
a = { density = 1000, young_modulus = 1e6, poisson_ratio = 0.3 }

[contact]
normal = "hertz"
tangential = "mindlin"
pairs = [{ between = ["a", "a"], friction = 0.5 }]

[[particles]]
name = "extra"
material = "a"
radius = 0.05
insert = { lattice = { min = [3, 3, 0], max = [4, 4, 0.4], spacing = [0.1, 0.1, 0.1] } }

[[particles]]
name = "grains"
material = "a"
radius = 0.05
random_velocity = 0.1
insert = { lattice = { min = [0, 0, 0], max = [2.25, 2.25, 2.25], spacing = [0.1, 0.1, 0.1] } }

[[walls]]
name = "floor"
material = "a"
half-space = { point = [0, 0, 0], normal = [0, 0, 1] }

[[stages]]
name = "all"
end = { after = 2.5e-5 }

[[stages]]
name = "fewer"
remove_particles = ["extra"]
end = { after = 4e-5 }

[outputs]
frames = { every = 3e-5, csv = true }
energy = { every = 2e-5 }
walls = { every = 2e-5 }
contacts = { every = 3e-5 }
checkpoint = { every = 4e-5 }
"#;

/// Runs the program in a folder. Tests run concurrently, so one thread each suffices.
pub fn esker(folder: &Path, arguments: &[&str]) -> Output {
    let given = arguments.contains(&"--threads") || arguments.first() != Some(&"run");
    let threads: &[&str] = if given { &[] } else { &["--threads", "1"] };
    Command::new(env!("CARGO_BIN_EXE_esker"))
        .args(arguments)
        .args(threads)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .output()
        .expect("the program starts")
}

/// Output on stdout.
pub fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// Output on stderr.
pub fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// Files below a folder with their contents, by relative name.
pub fn files(folder: &Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut found = std::collections::BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).expect("it can be listed") {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("it is below").display().to_string();
                found.insert(name, std::fs::read(&path).expect("it can be read"));
            }
        }
    }
    found
}

/// Compares all files except those that contain wall-clock times or positions in files.
pub fn same_files(
    one: &std::collections::BTreeMap<String, Vec<u8>>,
    other: &std::collections::BTreeMap<String, Vec<u8>>,
) {
    let names = |files: &std::collections::BTreeMap<String, Vec<u8>>| {
        files.keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(names(one), names(other));
    for (name, contents) in one {
        let timed = ["summary.json", "report.html"].contains(&name.as_str());
        if !timed && !name.ends_with(".esk") {
            assert!(*contents == other[name], "{name} differs");
        }
    }
}
