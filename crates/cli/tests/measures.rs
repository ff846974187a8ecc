//! Measures in a scene file, on configurations with known results.

mod support;

use std::fmt::Write;
use std::path::Path;
use support::{err, esker, out};

/// The beginning of every scene of this file: no gravity.
const HEAD: &str = r#"
format = 1
[time]
step = 1e-4
[domain]
min = [-2, -2, -2]
max = [2, 2, 2]
[materials]
grain = { density = 1000, young_modulus = 1e7, poisson_ratio = 0.25 }
[contact]
normal = "linear"
pairs = [{ between = ["grain", "grain"], normal_stiffness = 1000 }]
"#;

/// Runs a scene and returns a column of a measure.
struct Ran(tempfile::TempDir);

impl Ran {
    fn new(scene: &str, files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        std::fs::write(folder.path().join("a.toml"), format!("{HEAD}{scene}")).expect("written");
        let output = esker(folder.path(), &["run", "a.toml", "--out", "out"]);
        assert!(output.status.success(), "{}", err(&output));
        Self(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn column(&self, measure: &str, column: &str) -> Vec<f64> {
        let path = self.path().join("out/measures").join(format!("{measure}.csv"));
        let text = std::fs::read_to_string(path).expect("the table is there");
        let mut lines = text.lines();
        let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
        let index = header.iter().position(|name| *name == column).expect("the column is there");
        let cell = |line: &str| line.split(',').nth(index).and_then(|text| text.parse().ok());
        lines.map(|line| cell(line).unwrap_or(f64::NAN)).collect()
    }

    fn first(&self, measure: &str, column: &str) -> f64 {
        self.column(measure, column)[0]
    }

    fn last(&self, measure: &str, column: &str) -> f64 {
        *self.column(measure, column).last().expect("a row")
    }
}

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} for {expected}");
}

#[test]
fn a_cone_of_known_slope_and_the_layer_below_it() {
    let slope = 25.0_f64.to_radians().tan();
    let mut table = "x,y,z\n".to_owned();
    for i in -60_i32..=60 {
        for j in -60_i32..=60 {
            let (x, y) = (0.02 * f64::from(i), 0.02 * f64::from(j));
            let height = slope * (1.0 - (x * x + y * y).sqrt());
            if height >= 0.0 {
                writeln!(table, "{x},{y},{height}").expect("to a text");
            }
        }
    }
    let scene = r#"
[[particles]]
name = "cone"
material = "grain"
radius = 0.01
fixed = true
insert = { csv = "cone.csv" }
[[stages]]
name = "look"
end = { after = 1e-4 }
[outputs]
measure = [
  { angle_of_repose = { particles = "cone", up = "z" } },
  { name = "skirt", layer = { particles = "cone", point = [0, 0, 0], normal = [0, 0, 1], within = 0.2, along = [1, 0, 0] } },
  { height_profile = { particles = "cone", up = "z", along = "x", from = -1, to = 1, bins = 20 } },
]
"#;
    let ran = Ran::new(scene, &[("cone.csv", &table)]);
    near(ran.last("angle_of_repose", "angle"), 25.0, 0.3);
    near(ran.last("angle_of_repose", "y_high"), 25.0, 0.3);
    assert!(ran.last("angle_of_repose", "deviation") < 0.2);
    near(ran.last("skirt", "length"), 2.02, 0.03);
    // in the bin next to the centre the highest point is at the inner end
    near(ran.last("height_profile", "height_11"), slope + 0.01, 0.02 * slope + 1e-9);
    near(ran.last("height_profile", "height_20"), slope * 0.1 + 0.01, 0.02 * slope + 1e-9);
    let summary =
        std::fs::read_to_string(ran.path().join("out/summary.json")).expect("it is there");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    let angle = summary["measured"]["angle_of_repose"]["angle"].as_f64().expect("a number");
    assert_eq!(angle, ran.last("angle_of_repose", "angle"));
    let report = std::fs::read_to_string(ran.path().join("out/report.html")).expect("it is there");
    assert!(report.contains("angle_of_repose: angle"), "the report shows it");
    let check = out(&esker(ran.path(), &["check", "a.toml"]));
    assert!(check.contains("measure angle_of_repose, measure skirt"), "{check}");
}

#[test]
fn what_flies_through_a_plane_is_counted_when_it_does() {
    // ten in a row from z = 0.06 m upwards, 0.1 m apart, at 1 m/s downwards; one moves upwards
    let scene = r#"
[[particles]]
name = "rain"
material = "grain"
radius = 0.01
velocity = [0, 0, -1]
insert = { lattice = { min = [0, 0, 0.05], max = [0, 0, 0.99], spacing = [1, 1, 0.1] } }
[[particles]]
name = "up"
material = "grain"
radius = 0.02
velocity = [0, 0, 2]
insert = { list = [{ position = [1, 0, -0.1] }] }
[[stages]]
name = "fly"
end = { after = 0.5 }
[outputs]
measure = [
  { every = 0.1, flow = { point = [0, 0, 0], normal = [0, 0, -1] } },
  { name = "out", every = 0.1, discharged = { particles = "rain", up = "z", below = 0 } },
  { name = "near", flow = { point = [0, 0, 0], normal = [0, 0, -1], radius = 0.5 } },
  { kinetic_energy = {} },
  { momentum = { about = [0, 0, 0] } },
  { center_of_mass = { particles = "rain" } },
]
"#;
    let ran = Ran::new(scene, &[]);
    let count = |times: usize| times as f64;
    let expected: Vec<f64> = (0..6).map(count).collect();
    assert_eq!(ran.column("flow", "forward"), expected);
    assert_eq!(ran.column("flow", "backward"), [0.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(ran.column("out", "count"), expected);
    near(ran.last("out", "fraction"), 0.5, 1e-15);
    near(ran.last("out", "rate"), 10.0, 1e-6);
    assert_eq!((ran.last("near", "forward"), ran.last("near", "backward")), (5.0, 0.0));
    let sphere = |radius: f64| 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let (small, large) = (sphere(0.01), sphere(0.02));
    near(ran.last("kinetic_energy", "translational"), 5.0 * small + 2.0 * large, 1e-12);
    near(ran.last("momentum", "linear_z"), 2.0 * large - 10.0 * small, 1e-12);
    // only the large one has an offset from the axis, at x = 1
    near(ran.last("momentum", "angular_y"), -2.0 * large, 1e-12);
    near(ran.last("center_of_mass", "z"), 0.51 - 0.5, 1e-9);
}

#[test]
fn a_row_of_spheres_has_its_clusters_contacts_stress_and_fabric() {
    // three that overlap by 1 mm each, two with a small gap
    let scene = r#"
[[particles]]
name = "row"
material = "grain"
radius = 0.05
insert = { list = [{ position = [0.1, 0.5, 0.5] }, { position = [0.199, 0.5, 0.5] }, { position = [0.298, 0.5, 0.5] }] }
[[particles]]
name = "pair"
material = "grain"
radius = 0.05
insert = { list = [{ position = [0.7, 0.2, 0.5] }, { position = [0.7, 0.302, 0.5] }] }
[[stages]]
name = "look"
end = { after = 1e-4 }
[outputs]
measure = [
  { name = "touching", clusters = { particles = "row" } },
  { name = "near", clusters = { particles = "pair", gap = 3e-3 } },
  { name = "apart", clusters = { particles = "pair", gap = 1e-3 } },
  { coordination = { particles = "row" } },
  { stress = { region = { box = { min = [0, 0, 0], max = [1, 1, 1] } } } },
  { fabric = { region = { box = { min = [0, 0, 0], max = [1, 1, 1] } } } },
  { packing_fraction = { particles = "row", region = { box = { min = [0, 0, 0], max = [1, 1, 1] } } } },
  { mixing_index = { particles = ["row", "pair"], cell = 0.5, fewest = 1, origin = [0.01, 0, 0] } },
  { intruder = { particle = 3, bed = "row", up = "y", floor = 0.1, surface = 1 } },
  { force_chains = { particles = "row", shortest = 3 } },
]
"#;
    let ran = Ran::new(scene, &[]);
    assert_eq!((ran.first("touching", "clusters"), ran.first("touching", "largest")), (1.0, 3.0));
    near(
        ran.first("touching", "largest_radius_of_gyration"),
        0.099 * (2.0_f64 / 3.0).sqrt(),
        1e-12,
    );
    assert_eq!((ran.first("near", "clusters"), ran.first("apart", "clusters")), (1.0, 0.0));
    near(ran.first("coordination", "mean"), 4.0 / 3.0, 1e-15);
    // the ends have one contact each; without them the middle particle has none
    assert_eq!(ran.first("coordination", "rattlers"), 1.0);
    // two contacts of 1 N with branches of 0.099 m in 1 m³
    near(ran.first("stress", "xx"), 2.0 * 0.099, 1e-9);
    near(ran.first("stress", "yy"), 0.0, 1e-12);
    assert_eq!((ran.first("fabric", "xx"), ran.first("fabric", "contacts")), (1.0, 2.0));
    near(
        ran.first("packing_fraction", "fraction"),
        4.0 * std::f64::consts::PI * 0.05_f64.powi(3),
        1e-12,
    );
    near(ran.first("mixing_index", "index"), 0.0, 1e-12);
    near(ran.first("intruder", "height"), 0.1, 1e-12);
    near(ran.first("intruder", "depth"), 0.45 - 0.15, 1e-12);
    // only the middle one, compressed from both sides, is above the mean
    assert_eq!(ran.first("force_chains", "chains"), 0.0);
}

/// Two particles compressed across a periodic boundary by 1 mm: 1 N with a branch of 0.099 m; a third one crosses this
/// boundary.
#[test]
fn what_lies_across_a_periodic_end_is_whole() {
    let scene = r#"
[[particles]]
name = "pair"
material = "grain"
radius = 0.05
insert = { list = [{ position = [1.96, 0.5, 0.5] }, { position = [-1.941, 0.5, 0.5] }] }
[[particles]]
name = "flyer"
material = "grain"
radius = 0.05
velocity = [1, 0, 0]
insert = { list = [{ position = [1.99, -1, -1] }] }
[[stages]]
name = "look"
end = { after = 0.0201 }
[outputs]
measure = [
  { name = "touching", clusters = { particles = "pair" } },
  { name = "near", clusters = { particles = "pair", gap = 1e-3 } },
  { coordination = { particles = "pair" } },
  { name = "left", stress = { region = { box = { min = [-2, 0, 0], max = [-1, 1, 1] } } } },
  { name = "right", stress = { region = { box = { min = [1, 0, 0], max = [2, 1, 1] } } } },
  { name = "threads", fabric = { region = { box = { min = [-2, 0, 0], max = [-1, 1, 1] } } } },
  { name = "chains", force_chains = { particles = "pair", shortest = 2, threshold = 0.5 } },
  { name = "both", center_of_mass = { particles = "pair" } },
  { name = "flight", center_of_mass = { particles = "flyer" }, every = 0.02 },
  { name = "through", flow = { particles = "flyer", point = [2, 0, 0], normal = [1, 0, 0] }, every = 0.02 },
  { name = "left_half", packing_fraction = { particles = "pair", region = { box = { min = [-2, 0, 0], max = [-1, 1, 1] } } } },
]
"#;
    let periodic = HEAD.replace("max = [2, 2, 2]", "max = [2, 2, 2]\nperiodic = [\"x\"]");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.toml"), format!("{periodic}{scene}")).expect("written");
    let output = esker(folder.path(), &["run", "a.toml", "--out", "out"]);
    assert!(output.status.success(), "{}", err(&output));
    let ran = Ran(folder);
    for name in ["touching", "near"] {
        assert_eq!((ran.first(name, "clusters"), ran.first(name, "largest")), (1.0, 2.0));
        near(ran.first(name, "largest_radius_of_gyration"), 0.5 * 0.099, 1e-12);
    }
    assert_eq!(ran.first("coordination", "mean"), 1.0);
    // the contact point is at 1.96 + 0.0495 = 2.0095, that is -1.9905
    near(ran.first("left", "xx"), 0.099, 1e-9);
    assert_eq!((ran.first("left", "contacts"), ran.first("right", "contacts")), (1.0, 0.0));
    near(ran.first("left", "yy"), 0.0, 1e-12);
    near(ran.first("threads", "xx"), 1.0, 1e-12);
    assert_eq!((ran.first("chains", "chains"), ran.first("chains", "longest")), (1.0, 2.0));
    near(ran.first("both", "x"), 0.5 * (1.96 - 1.941), 1e-12);
    // 1.99 + 0.02 = 2.01: unwrapped, not -1.99; the tables have a row at 0.02 s
    near(ran.column("flight", "x")[1], 2.01, 1e-9);
    // the plane at the boundary is crossed once
    assert_eq!(ran.last("through", "forward"), 1.0);
    // the one at -1.941 is entirely inside, that at 1.96 = -2.04 has a cap of 1 cm inside
    let (radius, height) = (0.05_f64, 0.01_f64);
    let ball = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let cap = std::f64::consts::PI * height * height * (radius - height / 3.0);
    near(ran.first("left_half", "fraction"), ball + cap, 1e-15);
}

/// The report plots measures over time, and a profile over position.
#[test]
fn the_report_draws_measures_over_time_and_profiles_over_their_places() {
    let scene = r#"
[[particles]]
name = "grains"
material = "grain"
radius = 0.05
velocity = [0, 0, 1]
insert = { list = [{ position = [-0.5, 0, 0.1] }, { position = [0.5, 0, 0.3] }] }
[[stages]]
name = "rise"
end = { after = 0.1 }
[outputs]
measure = [
  { name = "motion", kinetic_energy = {}, every = 0.01 },
  { name = "alone", kinetic_energy = {} },
  { name = "surface", height_profile = { up = "z", along = "x", from = -1, to = 1, bins = 4 }, every = 0.05 },
]
"#;
    let ran = Ran::new(scene, &[]);
    let page = std::fs::read_to_string(ran.path().join("out/report.html")).expect("a report");
    let titles: Vec<&str> =
        page.split("<title>").skip(2).filter_map(|rest| rest.split("</title>").next()).collect();
    // Energies of similar magnitude share a plot; a measure with only two rows has none.
    assert_eq!(titles, ["motion", "surface", "surface, as a profile"], "{titles:?}");
    for text in [">[J]</text>", ">[m]</text>", ">x [m]</text>", ">height [m]</text>"] {
        assert!(page.contains(text), "{text}");
    }
    for time in ["t = 0.0000 s", "t = 0.0500 s", "t = 0.1000 s"] {
        assert!(page.contains(time), "{time}");
    }
    assert!(page.contains("surface: highest") && !page.contains("surface: height_1"));
    // The profile rises by 0.1 m in 0.1 s.
    near(ran.last("surface", "height_2") - ran.first("surface", "height_2"), 0.1, 1e-9);
}
