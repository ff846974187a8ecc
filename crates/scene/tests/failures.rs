//! Causes of unphysical runs: each scene is stopped with the cause for which it was made, and, if the message names a
//! remedy that can be written into the scene, completes with this remedy.

use esker::StepError;
use esker::error::Diagnosis;

/// A ball of radius 10 mm and a floor, to which other parts are added.
const HEAD: &str = r#"format = 1
gravity = [0, 0, -9.81]
[materials]
grain = { density = 1000, young_modulus = 1e7, poisson_ratio = 0.3 }
[contact]
normal = "hertz"
damping = "hertz"
pairs = [{ between = ["grain", "grain"], restitution = 0.5 }]
[[particles]]
name = "balls"
material = "grain"
radius = 0.01
insert = { list = [{ position = [0, 0, 0.05] }] }
[[walls]]
name = "floor"
material = "grain"
half-space = { point = [0, 0, 0], normal = [0, 0, 1] }
[[stages]]
name = "fall"
end = { after = 0.1 }
"#;

/// Runs the scene with some values changed; returns the failure, if any.
fn run(text: &str, changes: &[(&str, &str)]) -> Option<StepError> {
    let loaded = esker_scene::load_text_with("a.toml", text, "", changes)
        .unwrap_or_else(|errors| panic!("{errors}"));
    let mut simulation = match loaded.scene.build() {
        Ok(simulation) => simulation,
        Err(esker::Error::Step(error)) => return Some(error),
        Err(other) => panic!("{other}"),
    };
    while !simulation.is_finished() {
        match simulation.step() {
            Ok(()) => {}
            Err(esker::Error::Step(error)) => return Some(error),
            Err(other) => panic!("{other}"),
        }
    }
    None
}

/// The failure of a scene; its message contains these words and recommends a shorter step only if the step is the
/// cause.
fn failure(
    text: &str,
    changes: &[(&str, &str)],
    diagnosis: Diagnosis,
    words: &[&str],
) -> StepError {
    let error = run(text, changes).expect("it fails");
    let message = error.to_string();
    assert_eq!(error.diagnosis, diagnosis, "{message}");
    for word in words {
        assert!(message.contains(word), "`{word}` is not in: {message}");
    }
    let tries_step =
        message.contains("step = \"auto\"") || message.contains("or choose a shorter step");
    assert_eq!(tries_step, diagnosis == Diagnosis::StepTooLong, "{message}");
    error
}

/// The number before `times larger`.
fn factor(error: &StepError) -> f64 {
    let before = error.advice.split(" times larger").next().unwrap_or_default();
    before.rsplit(' ').next().and_then(|number| number.parse().ok()).expect("a factor")
}

const STAGE: &str = "stages[0].end.after";

#[test]
fn a_step_beyond_its_limit_is_named_as_the_cause() {
    // 0.88 m/s times the step is 1.8 mm: more than the limit of 1 mm
    let long = [("time.step", "2e-3"), ("health.step_limit", "\"warn\"")];
    failure(HEAD, &long, Diagnosis::StepTooLong, &["too long", "of the limit"]);
    assert_eq!(run(HEAD, &[("time.step", "\"auto\"")]), None);
}

#[test]
fn a_grain_too_soft_for_its_speed_needs_a_stiffness_and_no_shorter_step() {
    let soft = ("materials.grain.young_modulus", "3e5");
    let words = ["too low for this impact", "`overlap_limit = 0.1`", "young_modulus"];
    let error = failure(HEAD, &[soft], Diagnosis::TooSoftForImpact, &words);
    // a tenth of the step does not help, a higher stiffness does
    let short = [soft, ("time.safety", "0.005")];
    failure(HEAD, &short, Diagnosis::TooSoftForImpact, &words);
    let stiff = format!("{}", 3e5 * factor(&error));
    assert_eq!(run(HEAD, &[("materials.grain.young_modulus", &stiff)]), None);
}

#[test]
fn a_grain_too_soft_for_a_load_at_rest_is_told_from_an_impact() {
    // Gravity grows in small steps, after each of which the ball comes to rest: with E = 1e4 Pa the overlap (3 m g / 4
    // E* √R)^(2/3) is beyond 1 mm from 5.6 m/s² on.
    let mut text = HEAD
        .replace("restitution = 0.5", "restitution = 0.1")
        .replace("gravity = [0, 0, -9.81]", "gravity = [0, 0, -1]")
        .replace("position = [0, 0, 0.05]", "position = [0, 0, 0.01]")
        .replace("after = 0.1", "after = 0.3");
    for gravity in [1.5, 2.0, 2.5, 3.0, 3.4, 3.8, 4.2, 4.5, 4.8, 5.1, 5.3, 5.5, 5.7, 5.9] {
        text += &format!(
            "[[stages]]\nname = \"at {gravity}\"\nend = {{ after = 0.3 }}\ngravity = [0, 0, -{gravity}]\n"
        );
    }
    let soft = [("materials.grain.young_modulus", "1e4")];
    let words = ["too low for this load", "pressed from both sides", "overlap_limit"];
    let error = failure(&text, &soft, Diagnosis::TooSoftForLoad, &words);
    let stiff = format!("{}", 1e4 * factor(&error));
    assert_eq!(run(&text, &[("materials.grain.young_modulus", &stiff)]), None);
}

/// A lid that descends at 50 mm/s and would stop at the given time.
fn under_a_lid(balls: &str, height: f64) -> String {
    let list = HEAD.replace("{ position = [0, 0, 0.05] }", balls);
    format!(
        "{list}[[walls]]\nname = \"lid\"\nmaterial = \"grain\"\n\
         half-space = {{ point = [0, 0, {height}], normal = [0, 0, -1] }}\n\
         motion = {{ velocity = [0, 0, -0.05] }}\n"
    )
}

#[test]
fn a_grain_pinched_between_closing_walls_names_both() {
    let text = under_a_lid("{ position = [0, 0, 0.01] }", 0.0205);
    let words = ["pinched between", "wall `floor`", "wall `lid`", "5.000e-2 m/s"];
    failure(&text, &[], Diagnosis::Pinched, &words);
    // neither a stiffer grain nor a shorter step helps
    failure(&text, &[("materials.grain.young_modulus", "1e9")], Diagnosis::Pinched, &words);
    failure(&text, &[("time.safety", "0.005")], Diagnosis::Pinched, &words);
    // a displacement of 1 mm after first touch is too much, 0.5 mm is not
    assert_eq!(run(&text, &[(STAGE, "0.02")]), None);
}

#[test]
fn grains_compressed_by_a_moving_wall_name_it() {
    let balls = "{ position = [0, 0, 0.01] }, { position = [0, 0, 0.03] }";
    let text = under_a_lid(balls, 0.0405);
    failure(&text, &[], Diagnosis::Pinched, &["moving wall `lid`", "stop the motion earlier"]);
}

#[test]
fn bodies_that_start_inside_each_other_are_told_how_far_to_move() {
    let twice = "{ position = [0, 0, 0.05] }, { position = [0, 0, 0.065] }";
    let text = HEAD.replace("{ position = [0, 0, 0.05] }", twice);
    let words = ["start inside each other", "5.00e-3 m", "overlap_limit"];
    failure(&text, &[], Diagnosis::PlacedInside, &words);
}

#[test]
fn bodies_that_a_stage_puts_into_each_other_name_the_stage() {
    let text = format!(
        "{HEAD}[[stages]]\nname = \"more\"\nend = {{ after = 0.1 }}\n\
         insert = [{{ name = \"late\", material = \"grain\", radius = 0.01, \
         insert = {{ list = [{{ position = [0, 0, 0.013] }}] }} }}]\n"
    );
    failure(&text, &[], Diagnosis::PlacedInside, &["stage `more`", "inside each other"]);
}

#[test]
fn a_reversed_normal_is_shown_the_right_way() {
    let reversed = HEAD.replace("normal = [0, 0, 1]", "normal = [0, 0, -1]");
    let words = ["1 of 1 particles", "solid side of wall `floor`", "`normal = [0, 0, 1]`"];
    failure(&reversed, &[], Diagnosis::NormalReversed, &words);
}

#[test]
fn particles_on_the_wrong_side_of_a_cylinder_are_told_the_side() {
    let cylinder =
        "cylinder = { start = [0, 0, -1], end = [0, 0, 1], radius = 0.1, particles = \"outside\" }";
    let text = HEAD.replace("half-space = { point = [0, 0, 0], normal = [0, 0, 1] }", cylinder);
    // the wall acts only near its surface
    let text = text.replace("position = [0, 0, 0.05]", "position = [0.097, 0, 0.05]");
    let words = ["solid side of wall `floor`", "particles = \"inside\""];
    failure(&text, &[], Diagnosis::NormalReversed, &words);
}

#[test]
fn a_particle_that_leaves_says_where_and_whether_the_domain_was_given() {
    let rectangle = "rectangle = { corner = [0.5, 0, 0], edges = [[0.1, 0, 0], [0, 0.1, 0]] }";
    let text = HEAD.replace("half-space = { point = [0, 0, 0], normal = [0, 0, 1] }", rectangle);
    let long = (STAGE, "3.0");
    failure(&text, &[long], Diagnosis::LeftDomain, &["`min` along z", "automatic domain"]);
    let given = [("domain", "{ min = [-1, -1, -1], max = [1, 1, 1] }"), long];
    let error = failure(&text, &given, Diagnosis::LeftDomain, &["`min` along z", "gaps"]);
    assert!(!error.advice.contains("automatic"), "{error}");
}

#[test]
fn a_field_that_is_not_finite_is_named() {
    // not a number after 1 ms
    let text = format!(
        "{HEAD}[[fields]]\ndrag = {{ stokes = {{ viscosity = 1e-3, medium_velocity = \
         [\"sqrt(0.001 - t)\", 0, 0] }} }}\n"
    );
    failure(&text, &[], Diagnosis::FieldNotFinite, &["the field `drag`", "not finite"]);
}

/// Overlap of an elastic impact of the ball as a fraction of its radius, `(15/16 m v² / E* √R)^{2/5}/R`.
fn hertz_overlap(speed: f64, young_modulus: f64) -> f64 {
    let radius: f64 = 0.01;
    let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    // both are of the same material
    let modulus = young_modulus / (2.0 * (1.0 - 0.09));
    (15.0 / 16.0 * mass * speed * speed / (modulus * radius.sqrt())).powf(0.4) / radius
}

#[test]
fn with_a_warning_only_such_steps_are_counted_and_the_largest_overlap_is_noted() {
    // no gravity and no damping: Hertz's overlap is exact
    let text = HEAD
        .replace("damping = \"hertz\"\n", "")
        .replace(", restitution = 0.5", "")
        .replace("gravity = [0, 0, -9.81]", "gravity = [0, 0, 0]")
        .replace(
            "{ position = [0, 0, 0.05] }",
            "{ position = [0, 0, 0.05], velocity = [0, 0, -1] }",
        );
    let changes = [("materials.grain.young_modulus", "1e6"), ("health.overlap", "\"warn\"")];
    let loaded = esker_scene::load_text_with("a.toml", &text, "", &changes).expect("it loads");
    let mut simulation = loaded.scene.build().expect("it can be built");
    let hardest = simulation.hardest_impact().expect("Hertz's law tells");
    let expected = hertz_overlap(1.0, 1e6);
    assert!(expected > 0.1, "{expected}");
    assert!((hardest.fraction / expected - 1.0).abs() < 1e-12, "{hardest:?}");
    let mut steps = 0;
    while !simulation.is_finished() {
        simulation.step().expect("it is only counted");
        let contacts = simulation.contacts();
        steps += u64::from(contacts.iter().any(|contact| contact.overlap > 0.1 * 0.01));
    }
    let found = simulation.overlaps();
    assert_eq!(found.steps, steps);
    // some thirty steps in the contact: the largest recorded overlap is within 1 % of the maximum
    assert!((found.largest / expected - 1.0).abs() < 0.01, "{} for {expected}", found.largest);
}

#[test]
fn a_run_fails_where_the_expected_overlap_of_an_impact_is_far_beyond_the_limit() {
    for (modulus, fails) in [("3e5", true), ("1e7", false)] {
        let changes = [("materials.grain.young_modulus", modulus)];
        let loaded = esker_scene::load_text_with("a.toml", HEAD, "", &changes).expect("it loads");
        let simulation = loaded.scene.build().expect("it can be built");
        let hardest = simulation.hardest_impact().expect("Hertz's law tells");
        assert_eq!(hardest.fraction > 0.1, fails, "{hardest:?}");
        assert_eq!(run(HEAD, &changes).is_some(), fails);
    }
}

#[test]
fn a_rigid_wall_is_the_limit_of_a_stiff_one_and_particles_cannot_be_rigid() {
    let with_wall = |modulus: &str| {
        HEAD.replace(
            "[contact]",
            &format!("plate = {{ young_modulus = {modulus}, poisson_ratio = 0.3 }}\n[contact]"),
        )
        .replace("name = \"floor\"\nmaterial = \"grain\"", "name = \"floor\"\nmaterial = \"plate\"")
        .replace(
            "restitution = 0.5 }]",
            "restitution = 0.5 }, { between = [\"grain\", \"plate\"], restitution = 0.5 }]",
        )
    };
    let end = |modulus: &str| {
        let loaded = esker_scene::load_text("a.toml", &with_wall(modulus), "")
            .unwrap_or_else(|errors| panic!("{errors}"));
        let mut scene = loaded.scene;
        scene.step = esker::scene::StepSize::Fixed(1e-5);
        let mut simulation = scene.build().expect("it can be built");
        while !simulation.is_finished() {
            simulation.step().expect("a healthy step");
        }
        simulation.particles().position(esker::ParticleId::new(0)).expect("it is there").z
    };
    let (rigid, stiff) = (end("inf"), end("1e25"));
    // 1/E* differs by a relative 1e-18, which is less than the rounding error
    assert_eq!(rigid, stiff);
    assert!(rigid > 0.009, "{rigid}");
    let changes = [("materials.grain.young_modulus", "inf")];
    let loaded = esker_scene::load_text_with("a.toml", HEAD, "", &changes).expect("it loads");
    let error = loaded.explain(&loaded.scene.clone().build().expect_err("refused")).to_string();
    assert!(error.contains("rigid") && error.contains("only walls"), "{error}");
    assert!(error.contains("a.toml:"), "{error}");
}

#[test]
fn a_spinning_grain_holds_up_neither_the_speed_nor_the_kinetic_energy() {
    let spinning = HEAD.replace("gravity = [0, 0, -9.81]", "gravity = [0, 0, 0]").replace(
        "{ position = [0, 0, 0.05] }",
        "{ position = [0, 0, 0.05], velocity = [1e-4, 0, 0], spin = [0, 0, 100] }",
    );
    // ½ m v² = 2e-11 J, 100 rad/s are 8e-4 J
    for (condition, ends) in [
        ("speed_below = 1.1e-4", true),
        ("speed_below = 0.9e-4", false),
        ("kinetic_energy_below = 3e-11", true),
        ("kinetic_energy_below = 1e-11", false),
    ] {
        let text =
            spinning.replace("{ after = 0.1 }", &format!("{{ {condition}, or_after = 0.1 }}"));
        let loaded =
            esker_scene::load_text("a.toml", &text, "").unwrap_or_else(|errors| panic!("{errors}"));
        let mut simulation = loaded.scene.build().expect("it can be built");
        while !simulation.is_finished() {
            simulation.step().expect("a healthy step");
        }
        assert_eq!(simulation.time() < 0.09, ends, "{condition}: {} s", simulation.time());
    }
}
