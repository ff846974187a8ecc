//! Scenes for sweeps with known results, and their tables.

use std::collections::BTreeMap;
use std::path::Path;

/// A ball decelerated by linear drag: after the time T its speed is v exp(−c T/m).
pub const DRAG: &str = r#"
format = 1
title = "Drag"
seed = 7
[time]
step = 1e-4
[domain]
min = [-10, -10, -10]
max = [10, 10, 10]
[materials]
ice = { density = 900, young_modulus = 1e6, poisson_ratio = 0.3 }
[contact]
normal = "hertz"
pairs = [{ between = ["ice", "ice"] }]
[[fields]]
drag = { linear = { coefficient = 0.01 } }
[[particles]]
name = "ball"
material = "ice"
radius = 0.01
velocity = [2, 0, 0]
insert = { list = [{ position = [0, 0, 0] }] }
[[stages]]
name = "flight"
end = { after = 0.2 }
[outputs]
probes = [{ name = "ball", particle = 0, columns = ["velocity"], every = 0.1 }]
"#;

/// The speed of the ball at the end.
pub fn speed(coefficient: f64, radius: f64) -> f64 {
    let mass = 900.0 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    2.0 * (-coefficient * 0.2 / mass).exp()
}

/// A few grains that fall into a heap, with results that depend on the seed.
pub const HEAP: &str = r#"
format = 1
title = "Heap"
seed = 3
gravity = [0, 0, -9.81]
[domain]
min = [-1, -1, -0.1]
max = [1, 1, 1]
[materials]
grain = { density = 2500, young_modulus = 1e7, poisson_ratio = 0.25 }
[contact]
normal = "hertz"
damping = "hertz"
tangential = "mindlin"
pairs = [{ between = ["grain", "grain"], friction = 0.5, restitution = 0.5 }]
[[particles]]
name = "grains"
material = "grain"
radius = 0.01
insert = { count = 60, box = { min = [-0.05, -0.05, 0.02], max = [0.05, 0.05, 0.2] } }
[[walls]]
name = "floor"
material = "grain"
half-space = { point = [0, 0, 0], normal = [0, 0, 1] }
[[stages]]
name = "fall"
end = { after = 0.3 }
[outputs]
checkpoint = { every = 0.02 }
probes = [{ name = "heap", particles = "grains", columns = ["max_height"], every = 0.05 }]
"#;

/// A folder that holds `scene.toml`.
pub fn folder_with(scene: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("scene.toml"), scene).expect("it can be written");
    folder
}

/// The rows of a table, by the names of the columns. No cell of these tests contains a comma.
pub fn rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(path).expect("the table is there");
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let row = |line: &str| {
        header.iter().zip(line.split(',')).map(|(a, b)| ((*a).to_owned(), b.to_owned())).collect()
    };
    lines.map(row).collect()
}

/// A cell as a number.
pub fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} of {row:?}"))
}
