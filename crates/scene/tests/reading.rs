//! Contents of a scene after reading: objects, warnings, locations of problems of the engine, overrides.

use esker::insert::{Placement, Radius};
use esker::scene::StepSize;
use esker::stage::Change;
use esker::wall::{Motion, Shape};
use esker::{Error, Problem, Vec3};
use esker_scene::{Loaded, load_text, load_text_with};
use std::path::{Path, PathBuf};

fn good() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good")
}

fn load(name: &str) -> Loaded {
    esker_scene::load(good().join(name)).unwrap_or_else(|errors| panic!("{errors}"))
}

const SMALL: &str = r#"format = 1
materials.glass = { density = 2500, young_modulus = 5e7, poisson_ratio = 0.24 }
[time]
step = 1e-5
[contact]
normal = "hertz"
pairs = [{ between = ["glass", "glass"], friction = 0.5 }]
"#;

#[test]
fn materials_stay_in_the_order_of_the_file() {
    let scene = load("everything.toml").scene;
    let names: Vec<&str> = scene.materials.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["steel", "glass"]);
}

#[test]
fn friction_in_two_parts_becomes_two_parameters() {
    let scene = load("everything.toml").scene;
    let pair = &scene.pairs[0].1;
    assert_eq!(pair.value("static_friction"), Some(0.5));
    assert_eq!(pair.value("dynamic_friction"), Some(0.4));
    assert_eq!(pair.value("friction"), None);
}

#[test]
fn files_give_their_particles() {
    let scene = load("everything.toml").scene;
    let list = |name: &str| {
        let source = scene.particles.iter().find(|one| one.name == name).expect("it is there");
        match &source.placement {
            Placement::List(list) => list.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(list("table")[1].position, Vec3::new(0.1, 0.2, 0.3));
    assert_eq!(list("table")[1].radius, 0.01);
    let from_final = list("part of a final table");
    assert_eq!(from_final.len(), 1);
    assert_eq!(from_final[0].velocity, Vec3::X);
    assert_eq!(list("state")[0].position, Vec3::new(0.1, 0.2, 0.3));
    assert_eq!(scene.particles[0].radius, Some(Radius::Constant(0.01)));
}

#[test]
fn a_group_from_a_checkpoint_is_left_to_the_runner() {
    let loaded = load("everything.toml");
    let [checkpoint] = loaded.checkpoints.as_slice() else { panic!("one group") };
    assert_eq!(loaded.scene.particles[checkpoint.source].name, "continued");
    assert!(checkpoint.history && checkpoint.file.ends_with("settled/checkpoint.esk"));
}

#[test]
fn numbers_may_be_written_in_any_way_of_toml() {
    let numbers =
        [("1_000", 1000.0), ("0x10", 16.0), ("1e3", 1e3), ("100000000000000000000", 1e20)];
    for (text, value) in numbers {
        let changes = [("materials.glass.density", text)];
        let loaded = load_text_with("a.toml", SMALL, "", &changes).expect("it loads");
        assert_eq!(loaded.scene.materials[0].1.density, Some(value));
    }
}

#[test]
fn directions_become_unit_vectors() {
    let scene = load("everything.toml").scene;
    let Shape::HalfSpace { normal, .. } = &scene.walls[0].shape else { panic!("a half-space") };
    assert_eq!(*normal, Vec3::Z);
}

#[test]
fn the_limits_of_health_are_read() {
    let health = load("everything.toml").scene.health;
    assert_eq!((health.overlap_limit, health.energy_error), (0.2, Some(0.05)));
}

#[test]
fn an_expression_moves_a_wall_with_its_derivative() {
    let scene = load("everything.toml").scene;
    let hopper = scene.walls.iter().find(|wall| wall.name == "hopper").expect("it is there");
    let Motion::Superposition(parts) = &hopper.motion else { panic!("two motions") };
    let Motion::Displacement(function) = &parts[1] else { panic!("an expression") };
    let (position, velocity) = function(0.0);
    assert_eq!(position, Vec3::new(0.0, 0.0, 0.1));
    assert_eq!(velocity, Vec3::new(0.01 * 2.0 * std::f64::consts::PI * 5.0, 0.0, 0.0));
}

#[test]
fn walls_with_the_same_expressions_move_together() {
    let wall = |name: &str, motion: &str| {
        format!(
            "[[walls]]\nname = \"{name}\"\nmaterial = \"glass\"\nmotion = {motion}\n\
             disc = {{ center = [0, 0, 0], normal = [0, 0, 1], radius = 1 }}\n"
        )
    };
    let angle = |text: &str| {
        format!("{{ angle = {{ point = [0, 0, 0], axis = [0, 0, 1], expression = \"{text}\" }} }}")
    };
    let motions = [
        r#"{ expression = { z = "0.01*sin(9*t)" } }"#.to_owned(),
        r#"{ expression = { z = "0.01 * sin(9 * t)" } }"#.to_owned(),
        r#"{ expression = { x = "0.01*sin(9*t)" } }"#.to_owned(),
        angle("t^2"),
        angle("t^2"),
        angle("t"),
    ];
    let walls =
        motions.iter().enumerate().map(|(index, motion)| wall(&format!("w{index}"), motion));
    let stage = "[[stages]]\nname = \"s\"\nend = { after = 1 }\nset_motion = { w2 = { expression = { z = \"0.01*sin(9*t)\" } } }\n";
    let text = format!("{SMALL}{}{stage}", walls.collect::<String>());
    let scene =
        load_text("scene.toml", &text, good()).unwrap_or_else(|errors| panic!("{errors}")).scene;
    let same = |a: usize, b: usize| scene.walls[a].motion.is_same_as(&scene.walls[b].motion);
    assert!(same(0, 1) && same(3, 4));
    assert!(!same(0, 2) && !same(3, 5) && !same(0, 3));
    let Change::SetMotion(_, motion) = &scene.stages[0].changes[0] else { panic!("a motion") };
    assert!(motion.is_same_as(&scene.walls[0].motion));
}

#[test]
fn what_goes_in_a_stage_goes_before_what_comes() {
    let scene = load("everything.toml").scene;
    let changes = &scene.stages[1].changes;
    assert!(matches!(&changes[0], Change::RemoveWall(name) if name == "lid"));
    assert!(matches!(changes.last(), Some(Change::Insert(_))));
    assert_eq!(changes.len(), 10);
}

#[test]
fn facets_with_defects_are_named_in_a_warning() {
    let text =
        format!("{SMALL}\n[[walls]]\nname = 'a'\nmaterial = 'glass'\nmesh = 'defects.stl'\n");
    let loaded = load_text("a.toml", &text, good()).unwrap_or_else(|errors| panic!("{errors}"));
    let expected = "\
warning: the mesh `defects.stl` has facets that are ignored
  --> a.toml:12:8
   |
12 | mesh = 'defects.stl'
   |        ^^^^^^^^^^^^^ facet 3 (line 16) has no area, facet 4 (line 23) is the same as facet 1 (line 2)

1 warning in a.toml
";
    assert_eq!(loaded.render_warnings(false), expected);
}

/// The facets of a mesh file of this name.
fn facets(name: &str, bytes: &[u8]) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(name), bytes).expect("it can be written");
    let text = format!("{SMALL}\n[[walls]]\nname = 'a'\nmaterial = 'glass'\nmesh = '{name}'\n");
    let loaded = load_text("a.toml", &text, folder.path()).unwrap_or_else(|e| panic!("{e}"));
    let Shape::Mesh(mesh) = &loaded.scene.walls[0].shape else { panic!("a mesh") };
    mesh.triangles().len()
}

#[test]
fn a_mesh_has_the_facets_of_all_solids_of_its_file() {
    let facet = |x: f64| {
        format!(
            "facet normal 0 0 1\nouter loop\nvertex {x} 0 0\nvertex {x} 1 0\nvertex {} 0 0\n\
             endloop\nendfacet\n",
            x + 1.0
        )
    };
    let solid = |x: f64| format!("solid s\n{}{}endsolid s\n", facet(x), facet(x + 1.0));
    let text = format!("{}{}", solid(0.0), solid(5.0));
    assert_eq!(facets("two.stl", text.as_bytes()), 4);
    assert_eq!(facets("TWO.STL", text.to_uppercase().as_bytes()), 4);
    assert_eq!(facets("dos.Stl", text.replace('\n', "\r\n").as_bytes()), 4);
}

#[test]
fn a_problem_of_the_engine_gets_its_line() {
    let loaded = load_text("a.toml", SMALL, "").unwrap_or_else(|errors| panic!("{errors}"));
    let problems = vec![
        Problem::at("contact.pairs[0].friction", "`friction` is odd").help("try another"),
        Problem::at("contact.pairs[0].restitution", "there is none"),
        Problem::at("walls[2].material", "there are no walls"),
    ];
    let expected = "\
error: there are no walls
 --> a.toml:1:1
  |
1 | format = 1
  | ^ walls[2].material

error: there is none
 --> a.toml:7:10
  |
7 | pairs = [{ between = [\"glass\", \"glass\"], friction = 0.5 }]
  |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ contact.pairs[0].restitution

error: `friction` is odd
 --> a.toml:7:53
  |
7 | pairs = [{ between = [\"glass\", \"glass\"], friction = 0.5 }]
  |                                                     ^^^
help: try another

3 errors in a.toml
";
    assert_eq!(loaded.explain(&Error::Scene(problems)).render(false), expected);
}

#[test]
fn a_problem_with_a_part_of_the_friction_gets_its_line() {
    let text = SMALL.replace("0.5", "{ static = 0.5, dynamic = 7 }");
    let loaded = load_text("a.toml", &text, "").unwrap_or_else(|errors| panic!("{errors}"));
    let problem = Problem::at("contact.pairs[0].dynamic_friction", "it is 7");
    let found = loaded.explain(&Error::Scene(vec![problem]));
    let span = found.list[0].span.clone().unwrap_or_default();
    assert_eq!(&text[span], "7");
}

#[test]
fn values_from_the_command_line_come_over_the_file() {
    let changes = [
        ("time.step", "2e-6"),
        ("contact.pairs[0].friction", "0.25"),
        ("title", "by hand"),
        ("time.safety", "0.01"),
        ("materials.glass.density", "1000"),
        ("domain.min", "[0, 0, 0]"),
        ("domain.max", "[1, 1, 1]"),
    ];
    let loaded =
        load_text_with("a.toml", SMALL, "", &changes).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(loaded.scene.step, StepSize::Fixed(2e-6));
    assert_eq!(loaded.scene.pairs[0].1.value("friction"), Some(0.25));
    assert_eq!(loaded.scene.title, "by hand");
    assert_eq!(loaded.scene.safety, Some(0.01));
    assert_eq!(loaded.scene.materials[0].1.density, Some(1000.0));
    assert!(loaded.scene.domain.is_some());
    // The text as used is a scene of its own.
    let again = load_text("a.toml", loaded.source.text(), "").expect("it loads");
    assert_eq!(again.scene.step, StepSize::Fixed(2e-6));
}

#[test]
fn an_error_in_a_value_of_the_command_line_names_it() {
    let changes = [("time.step", "-1"), ("tme.step", "3")];
    let Err(errors) = load_text_with("a.toml", SMALL, "", &changes) else { panic!("it loads") };
    let expected = "\
error: unknown key `tme`
 --> command line:1:1
  |
1 | tme.step = 3
  | ^^^ not a key of the scene
help: did you mean `time`? keys here: contact, domain, fields, format, gravity, health, materials, motion, outputs, particles, search, seed, stages, time, title, walls
note: this value was set by `--set tme.step=3`

error: `step` is -1
 --> command line:1:1
  |
1 | -1
  | ^^ must be greater than zero
note: this value was set by `--set time.step=-1`

2 errors in a.toml
";
    assert_eq!(errors.render(false), expected);
}

#[test]
fn a_missing_file_is_an_error_and_not_a_panic() {
    let Err(errors) = esker_scene::load("no/such/file.toml") else { panic!("it loads") };
    assert!(errors.to_string().starts_with("error: cannot read the file: "));
}

#[test]
fn of_many_unknown_keys_some_are_named_and_the_others_counted() {
    let keys: String = (0..8000).map(|number| format!("k{number} = 1\n")).collect();
    let clock = std::time::Instant::now();
    let errors = load_text("a.toml", &format!("{keys}{SMALL}"), "").expect_err("it is refused");
    let shown = errors.render(false);
    // A second is enough for work of milliseconds; quadratic cost would take minutes.
    assert!(clock.elapsed().as_secs_f64() < 5.0, "{:?}", clock.elapsed());
    assert_eq!(shown.matches("error: unknown key `k").count(), 24);
    assert!(shown.contains("error: and 7976 more unknown keys"), "{shown}");
    assert!(shown.ends_with("25 errors in a.toml\n"), "{shown}");
}

#[test]
fn of_many_errors_some_are_shown_and_the_others_counted() {
    let walls = "[[walls]]\nname = 'w'\nmaterial = 'glas'\n".repeat(1000);
    let errors = load_text("a.toml", &format!("{SMALL}{walls}"), "").expect_err("it is refused");
    let shown = errors.render(false);
    assert_eq!(shown.matches("error: ").count(), 50);
    // Each wall has an unknown material and no shape; all but the first have a duplicate name.
    assert!(shown.contains("\nand 2949 more\n\n2999 errors in a.toml\n"), "{shown}");
}

#[test]
fn a_wrong_argument_is_shown_as_it_was_given() {
    let errors = load_text_with("a.toml", SMALL, "", &[("walls[3].name", "x")]);
    let expected = "\
error: `--set walls[3].name=x`: the file has no list `walls` there
 --> command line:1:7
  |
1 | --set walls[3].name=x
  |       ^^^^^^^^^^^^^^^

1 error in command line
";
    assert_eq!(errors.expect_err("it is refused").render(false), expected);
}
