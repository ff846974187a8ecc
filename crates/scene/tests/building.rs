//! From a file to a simulation: problems found by the engine are shown at their location in the file.

use std::path::Path;

fn pile(changes: &[(&str, &str)]) -> Result<esker::Simulation, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good/pile.toml");
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    // Few particles: this is a test of reading, not of filling.
    let mut all = vec![("particles[0].insert.count", "20")];
    all.extend(changes);
    let loaded = esker_scene::load_text_with("pile.toml", &text, "", &all)
        .map_err(|errors| errors.to_string())?;
    loaded.scene.clone().build().map_err(|error| loaded.explain(&error).render(false))
}

#[test]
fn a_scene_file_becomes_a_simulation() {
    if let Err(errors) = pile(&[]) {
        panic!("{errors}");
    }
}

#[test]
fn a_parameter_that_no_law_uses_is_shown_with_its_line() {
    let errors = pile(&[("contact.rolling", "none")]).err().unwrap_or_default();
    let expected = "\
error: no law of this scene uses `rolling_friction`
  --> pile.toml:27:71
   |
27 |   { between = [\"grain\", \"grain\"], friction = 0.5,  rolling_friction = 0.45, damping_ratio = 0.1, tangential_damping_ratio = 0.1 },
   |                                                                       ^^^^
";
    assert!(errors.starts_with(expected), "{errors}");
    assert!(errors.ends_with("2 errors in pile.toml\n"), "{errors}");
}

#[test]
fn a_time_step_beyond_the_limit_is_shown_with_its_line() {
    let errors = pile(&[("time.step", "1.0")]).err().unwrap_or_default();
    assert!(errors.contains("note: this value was set by `--set time.step=1.0`"), "{errors}");
}

#[test]
fn a_parameter_that_a_law_needs_is_shown_at_its_pair() {
    let pair = "[{ between = [\"grain\", \"grain\"], friction = 0.5 }]";
    let errors = pile(&[("contact.pairs", pair)]).err().unwrap_or_default();
    assert!(errors.contains("the law `hertz` needs `damping_ratio` or `restitution`"), "{errors}");
    assert!(errors.contains("no pair for `grain` and `floor`"), "{errors}");
    assert!(errors.contains("--> command line:1:"), "{errors}");
}

#[test]
fn a_box_may_be_flat_along_the_axis_along_which_nothing_moves() {
    let flat = "{ min = [-0.4, 0.5, -0.4], max = [0.4, 0.5, 0.4] }";
    let small = [("particles[0].insert.box", flat), ("particles[0].insert.dense", "true")];
    let mut changes = small.to_vec();
    changes.push(("motion.plane_normal", "y"));
    let simulation = pile(&changes).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(simulation.snapshot().particles.iter().all(|one| one.position.y == 0.5));
    let elsewhere = pile(&small).err().unwrap_or_default();
    assert!(elsewhere.contains("the box is empty along y"), "{elsewhere}");
    changes[2].1 = "z";
    let across = pile(&changes).err().unwrap_or_default();
    assert!(across.contains("the box is empty along y"), "{across}");
}

/// The messages about the probes of a scene with 20 particles and a floor.
fn probe(probe: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good/pile.toml");
    let text = std::fs::read_to_string(&path).expect("it is there");
    let probes = format!("[{{ name = \"p\", {probe} }}]");
    let changes = [("particles[0].insert.count", "20"), ("outputs.probes", probes.as_str())];
    let loaded = esker_scene::load_text_with("pile.toml", &text, "", &changes)
        .unwrap_or_else(|errors| panic!("{errors}"));
    esker_scene::run::build(&loaded).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn a_probe_of_a_particle_that_never_exists_is_refused() {
    let position = "columns = [\"position\"]";
    assert_eq!(probe(&format!("particle = 19, {position}")), "");
    let message = probe(&format!("particle = 20, {position}"));
    assert!(message.starts_with("error: there is no particle 20, now or later"), "{message}");
    assert!(message.contains("help: ids are from 0 to 19"), "{message}");
    let overlap = "columns = [\"overlap\"]";
    assert!(probe(&format!("contact = [3, 25], {overlap}")).contains("no particle 25"));
    assert!(probe(&format!("contact = [99, \"floor\"], {overlap}")).contains("no particle 99"));
    let message = probe(&format!("contact = [3, 3], {overlap}"));
    assert!(message.contains("particle 3 has no contact with itself"), "{message}");
}

#[test]
fn a_probe_of_an_empty_group_is_refused_and_one_that_will_have_particles_is_not() {
    let text = |insert: &str| {
        format!(
            "format = 1\nmaterials.a = {{ density = 1000, young_modulus = 1e6, poisson_ratio = 0.3 }}\n\
             [contact]\nnormal = \"hertz\"\npairs = [{{ between = [\"a\", \"a\"] }}]\n\
             [[particles]]\nname = \"p\"\nmaterial = \"a\"\nradius = 0.1\n\
             insert = {{ list = [{{ position = [0, 0, 9] }}] }}\n\
             [[particles]]\nname = \"q\"\nmaterial = \"a\"\nradius = 0.1\ninsert = {{ {insert} }}\n\
             [[stages]]\nname = \"s\"\nend = {{ after = 1 }}\n\
             [outputs]\nprobes = [{{ name = \"x\", particles = \"q\", columns = [\"count\"] }}]\n"
        )
    };
    let built = |insert: &str| {
        let loaded = esker_scene::load_text("a.toml", &text(insert), "").expect("it loads");
        esker_scene::run::build(&loaded).err().map(|error| error.to_string()).unwrap_or_default()
    };
    let message = built("list = []");
    assert!(message.contains("the group `q` has no particles"), "{message}");
    let region = "box = { min = [0, 0, 0], max = [1, 1, 1] }";
    assert_eq!(built(&format!("stream = {{ {region}, rate = 1 }}")), "");
    let none = built(&format!("stream = {{ {region}, rate = 1, count = 0 }}"));
    assert!(none.contains("the group `q` has no particles"), "{none}");
}
