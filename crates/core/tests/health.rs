//! A run that becomes unphysical stops at once and reports where, when, which particles and what to try; an invalid
//! scene is rejected before it starts.

use esker::error::{Cause, Diagnosis};
use esker::field::{Load, from_fn};
use esker::prelude::*;
use esker::scene::StepLimit;
use esker::stage::Change;

const RADIUS: f64 = 0.01;

fn scene() -> (Scene, MaterialId) {
    let mut scene = Scene::new();
    scene.contact = ContactModel::normal(normal::Hertz::default());
    let material = Material::new().density(2500.0).young_modulus(1e7).poisson_ratio(0.25);
    let grain = scene.add_material("grain", material);
    scene.set_pair(grain, grain, Pair::new());
    scene.add_wall("floor", Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z }, grain);
    scene.domain = Some(Domain::new(Vec3::splat(-0.5), Vec3::splat(0.5)));
    (scene, grain)
}

fn sphere(x: f64, z: f64, velocity: Vec3) -> Sphere {
    Sphere { velocity, ..Sphere::new(RADIUS, Vec3::new(x, 0.0, z)) }
}

/// Steps until an error occurs.
fn failure(simulation: &mut Simulation) -> StepError {
    for _ in 0..100_000 {
        match simulation.step() {
            Ok(()) => {}
            Err(Error::Step(error)) => return error,
            Err(other) => panic!("{other}"),
        }
    }
    panic!("nothing went wrong");
}

/// The problems of a scene that must be rejected.
fn problems(scene: Scene) -> Vec<Problem> {
    match scene.build() {
        Err(Error::Scene(problems)) => problems,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("the scene was accepted"),
    }
}

/// A field that is not finite for the particle with id 1 from a given time on.
fn broken_field(load: Load) -> std::sync::Arc<dyn esker::field::Field> {
    from_fn("broken", move |body, time| {
        if body.id == ParticleId::new(1) && time > 0.01 { load } else { Load::default() }
    })
}

#[test]
fn a_field_that_is_not_finite_stops_the_run_in_the_same_step() {
    let nan = Vec3::new(0.0, f64::NAN, 0.0);
    let loads = [
        Load { force: nan, torque: Vec3::ZERO },
        Load { force: Vec3::ZERO, torque: nan },
        Load { force: Vec3::X * f64::INFINITY, torque: Vec3::ZERO },
    ];
    for load in loads {
        for periodic in [[false; 3], [true; 3]] {
            let (mut scene, grain) = scene();
            scene.fields.push(broken_field(load));
            scene.domain.as_mut().expect("it was given").periodic = periodic;
            for index in 0..3 {
                scene.add_sphere(grain, sphere(0.05 * f64::from(index), 0.1, Vec3::ZERO));
            }
            scene.step = StepSize::Fixed(1e-4);
            let mut simulation = scene.build().expect("a valid scene");
            let error = failure(&mut simulation);
            assert_eq!(
                (error.cause.clone(), error.id),
                (Cause::NotFinite, ParticleId::new(1)),
                "{load:?}"
            );
            // the first evaluation after 0.01 s
            assert!((error.time - 0.0101).abs() < 1e-9, "{load:?}: {error}");
            assert_eq!(error.step, 101);
            let text = error.to_string();
            assert!(text.contains("particle 1") && text.contains("no longer finite"), "{text}");
            assert!(text.contains("field"), "{text}");
        }
    }
}

#[test]
fn a_particle_that_leaves_the_domain_stops_the_run() {
    let (mut scene, grain) = scene();
    scene.add_sphere(grain, sphere(0.0, 0.1, Vec3::ZERO));
    scene.add_sphere(grain, sphere(0.1, 0.1, Vec3::X));
    let mut simulation = scene.build().expect("a valid scene");
    let error = failure(&mut simulation);
    assert_eq!((error.cause.clone(), error.id), (Cause::LeftDomain, ParticleId::new(1)));
    // 0.4 m at 1 m/s, to a step
    assert!((error.time - 0.4).abs() <= 1.01 * simulation.dt(), "{error}");
    let text = error.to_string();
    assert!(text.contains("particle 1 at (5.00") && text.contains("outside"), "{text}");
}

#[test]
fn particles_that_leave_are_deleted_where_the_scene_says_so_and_counts_add_up() {
    let (mut scene, grain) = scene();
    scene.domain.as_mut().expect("it was given").outside = Outside::Delete;
    scene.particles.push(Source {
        velocity: Vec3::X,
        ..Source::new(
            "jet",
            grain,
            Radius::Constant(RADIUS),
            Placement::Stream {
                region: Region::Box {
                    min: Vec3::new(0.0, -0.1, 0.1),
                    max: Vec3::new(0.1, 0.1, 0.2),
                },
                rate: 200.0,
                count: Some(40),
                start: 0.0,
            },
        )
    });
    let mut simulation = scene.build().expect("a valid scene");
    while simulation.time() < 0.6 {
        simulation.step().expect("a healthy step");
        let counts = simulation.counts();
        assert_eq!(counts.inserted, counts.deleted + counts.present);
        assert_eq!(counts.present, simulation.particles().len() as u64);
    }
    let counts = simulation.counts();
    assert_eq!(counts.inserted, 40);
    assert!(counts.deleted > 20 && counts.present > 0, "{counts:?}");
    assert!(simulation.particles().position(ParticleId::new(0)).is_none(), "the first one is gone");
    assert!(simulation.particles().ids().all(|id| id < ParticleId::new(40)));
}

#[test]
fn an_absurd_overlap_at_the_start_is_refused_and_names_both_partners_and_a_value_to_try() {
    let (mut scene, grain) = scene();
    scene.add_sphere(grain, sphere(0.0, 0.1, Vec3::ZERO));
    scene.add_sphere(grain, sphere(1.5 * RADIUS, 0.1, Vec3::ZERO));
    let Err(Error::Step(error)) = scene.build() else { panic!("it was accepted") };
    // a quarter of the diameter, up to rounding
    assert!(
        matches!(error.cause, Cause::Overlap(fraction) if (fraction - 0.5).abs() < 1e-12),
        "{error}"
    );
    assert_eq!((error.id, error.step, error.time), (ParticleId::new(0), 0, 0.0));
    assert_eq!(error.partner.as_deref(), Some("particle 1"));
    let text = error.to_string();
    // radii of RADIUS at a distance of 1.5 RADIUS
    let apart = format!("move them apart by {:.2e} m", 0.5 * RADIUS);
    assert!(text.contains(&apart) && text.contains("step 0"), "{text}");
    let problem = error.at_start.expect("where it is in the scene");
    assert_eq!(problem.path, "particles[0].insert.list[0]");
    let other = problem.other.map(|(path, _)| path);
    assert_eq!(other.as_deref(), Some("particles[1].insert.list[0]"));
}

#[test]
fn a_wall_that_is_hit_too_hard_is_named() {
    let (mut scene, grain) = scene();
    scene.add_sphere(grain, sphere(0.0, 0.05, Vec3::Z * -40.0));
    let mut simulation = scene.build().expect("a valid scene");
    let error = failure(&mut simulation);
    assert!(matches!(error.cause, Cause::Overlap(_)), "{error}");
    assert_eq!(error.partner.as_deref(), Some("wall `floor`"));
}

#[test]
fn the_suggested_stiffness_keeps_the_overlap_below_the_limit() {
    let build = |factor: f64| {
        let (mut scene, grain) = scene();
        let material = &mut scene.materials[0].1;
        material.young_modulus = material.young_modulus.map(|modulus| factor * modulus);
        scene.add_sphere(grain, sphere(0.0, 0.02, Vec3::Z * -10.0));
        scene.build().expect("a valid scene")
    };
    let advice = failure(&mut build(1.0)).advice;
    let before = advice.split(" times larger").next();
    let number = before.and_then(|before| before.rsplit(' ').next());
    let factor: f64 = number.and_then(|number| number.parse().ok()).expect("a number to try");
    let mut simulation = build(factor);
    while simulation.time() < 0.005 {
        simulation.step().expect("stiff enough");
    }
    assert!(
        simulation.particles().velocity(ParticleId::new(0)).expect("it is there").z > 0.0,
        "it has bounced"
    );
}

#[test]
fn coincident_centres_are_reported_and_give_finite_results() {
    let (mut scene, grain) = scene();
    scene.add_sphere(grain, sphere(0.0, 0.1, Vec3::ZERO));
    scene.add_sphere(grain, sphere(0.0, 0.1, Vec3::ZERO));
    let Err(Error::Step(error)) = scene.build() else { panic!("it was accepted") };
    assert!(matches!(error.cause, Cause::Overlap(fraction) if fraction == 2.0), "{error}");
}

/// A grain pressed into the floor by a hundredth of its radius, with a given step.
fn pressed(dt: f64) -> Scene {
    let (mut scene, grain) = scene();
    scene.add_sphere(grain, sphere(0.0, 0.0099, Vec3::ZERO));
    scene.step = StepSize::Fixed(dt);
    scene
}

/// The stability limit of that scene: for one contact the bound is exact.
fn limit() -> f64 {
    pressed(1e-9).build().expect("a valid scene").advice().limit
}

#[test]
fn a_time_step_beyond_the_limit_is_refused_with_one_that_works() {
    let found = problems(pressed(1.1 * limit()));
    assert_eq!(found[0].path, "time.step");
    let text = found[0].to_string();
    let number = text.split("try ").nth(1).and_then(|rest| rest.split(' ').next());
    let advised: f64 = number.and_then(|number| number.parse().ok()).expect("a number to try");
    // printed with two digits
    let simulation = pressed(0.97 * advised).build().expect("the advised step");
    assert!(!simulation.warnings().iter().any(|warning| warning.contains("stab")));
}

#[test]
fn a_time_step_beyond_the_limit_is_a_warning_if_the_scene_says_so() {
    for (fraction, words) in
        [(0.9, "is 0.90 of the stability bound"), (1.1, "is 1.1 of the stable")]
    {
        let mut scene = pressed(fraction * limit());
        scene.health.step_limit = StepLimit::Warn;
        let simulation = scene.build().expect("a doubtful scene");
        let warning = simulation.warnings().iter().find(|warning| warning.contains(words));
        assert!(
            warning.is_some_and(|warning| warning.contains("try ")),
            "{:?}",
            simulation.warnings()
        );
    }
}

#[test]
fn a_step_error_says_how_far_the_time_step_is_beyond_the_limit() {
    let (mut scene, grain) = scene();
    scene.add_sphere(grain, sphere(0.0, 0.011, Vec3::Z * -2.0));
    scene.health = esker::scene::Health {
        overlap_limit: 0.01,
        step_limit: StepLimit::Warn,
        ..Default::default()
    };
    scene.step = StepSize::Fixed(4.0 * limit());
    let error = failure(&mut scene.build().expect("a doubtful scene"));
    assert_eq!(error.diagnosis, Diagnosis::StepTooLong);
    for words in ["of the limit", "too long; try "] {
        assert!(error.advice.contains(words), "{error}");
    }
}

#[test]
fn a_material_of_another_scene_is_refused() {
    let (mut first, _) = scene();
    first.add_wall(
        "side",
        Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::X },
        MaterialId::new(7),
    );
    assert_eq!(problems(first)[0].path, "walls[1].material");
    let (mut second, _) = scene();
    second.add_sphere(MaterialId::new(7), sphere(0.0, 0.1, Vec3::ZERO));
    assert_eq!(problems(second)[0].path, "particles[0].material");
}

#[test]
fn what_is_wrong_with_a_stage_is_found_before_the_run() {
    let pair = |parameter: &str, value: f64| Change::SetPair {
        between: [MaterialId::new(0); 2],
        parameter: parameter.into(),
        value,
    };
    let wrong = [
        Change::RemoveWall("flor".into()),
        Change::SetMotion("flor".into(), Motion::Still),
        Change::RemoveParticles("gravel".into()),
        Change::RemoveField("wind".into()),
        Change::Insert(Source::list("late", MaterialId::new(9), Vec::new())),
        pair("fricton", 0.5),
        Change::SetPair {
            between: [MaterialId::new(0), MaterialId::new(9)],
            parameter: "friction".into(),
            value: 0.5,
        },
    ];
    for change in wrong {
        let (mut scene, grain) = scene();
        scene.add_sphere(grain, sphere(0.0, 0.1, Vec3::ZERO));
        let end = End { after: Some(1.0), ..End::default() };
        let changes = vec![change.clone()];
        scene.stages = vec![Stage { name: "first".into(), end, changes }];
        let found = problems(scene);
        assert!(found[0].path.starts_with("stages[0]"), "{change:?}: {found:?}");
    }
}

#[test]
fn a_skin_that_is_not_a_length_is_refused() {
    for skin in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let (mut scene, grain) = scene();
        scene.add_sphere(grain, sphere(0.0, 0.1, Vec3::ZERO));
        scene.search.skin = Some(skin);
        assert!(problems(scene).iter().any(|problem| problem.path == "search.skin"), "{skin}");
    }
}

#[test]
fn a_change_of_a_velocity_between_steps_acts_and_is_accounted_for() {
    let (mut scene, grain) = scene();
    scene.ledger = true;
    scene.fields.push(std::sync::Arc::new(esker::field::StokesDrag {
        viscosity: 1.0,
        medium_velocity: Vec3::ZERO.into(),
    }));
    scene.add_sphere(grain, sphere(0.0, 0.1, Vec3::ZERO));
    let mut simulation = scene.build().expect("a valid scene");
    simulation.step().expect("a healthy step");
    let speed = 0.2;
    assert!(simulation.particles_mut().set_velocity(
        ParticleId::new(0),
        Vec3::X * speed,
        Vec3::ZERO
    ));
    for _ in 0..100 {
        simulation.step().expect("a healthy step");
    }
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3);
    let drag = 6.0 * std::f64::consts::PI * RADIUS;
    let time = 100.0 * simulation.dt();
    let rate = drag / mass;
    let expected = speed * (-rate * time).exp();
    let found = simulation.particles().velocity(ParticleId::new(0)).expect("it is there").x;
    // second order in the step; forces computed with the old velocity would cost half a step
    let tolerance = (rate * simulation.dt()).powi(2) * rate * time;
    assert!((found / expected - 1.0).abs() < tolerance, "{found} {expected} {tolerance}");
    let energy = simulation.energy();
    assert!((energy.inserted / (0.5 * mass * speed * speed) - 1.0).abs() < 1e-12, "{energy:?}");
    assert!(energy.closure_error.abs() < 1e-5 * energy.inserted, "{energy:?}");
}

#[test]
fn the_particles_of_a_wall_stop_with_the_wall() {
    let (mut scene, grain) = scene();
    let bump = vec![Sphere::new(RADIUS, Vec3::Z * 0.3)];
    let motion = Motion::Velocity(Vec3::X * 0.5);
    scene.add_moving_wall("bump", Shape::Particles(bump), grain, motion);
    scene.add_sphere(grain, sphere(0.2, 0.1, Vec3::ZERO));
    let stage = |name: &str, changes: Vec<Change>| Stage {
        name: name.into(),
        end: End { after: Some(0.1), ..End::default() },
        changes,
    };
    let stop = Change::SetMotion("bump".into(), Motion::Still);
    scene.stages = vec![stage("moving", Vec::new()), stage("still", vec![stop])];
    scene.step = StepSize::Fixed(1e-4);
    let mut simulation = scene.build().expect("a valid scene");
    while !simulation.is_finished() {
        simulation.step().expect("a healthy step");
    }
    // listed particles have the first ids, followed by those of walls
    let bump = simulation.snapshot().particles[1];
    assert_eq!(bump.velocity, Vec3::ZERO);
    assert!((bump.position.x - 0.05).abs() < 1e-9, "{}", bump.position);
}

#[test]
fn the_images_of_a_walls_particles_count_the_periods_crossed() {
    let (mut scene, grain) = scene();
    scene.domain.as_mut().expect("it was given").periodic = [true, false, false];
    let bump = vec![Sphere::new(RADIUS, Vec3::new(0.7, 0.0, 0.3))];
    let motion = Motion::Velocity(Vec3::X * 2.0);
    scene.add_moving_wall("bump", Shape::Particles(bump), grain, motion);
    scene.add_sphere(grain, sphere(0.2, 0.1, Vec3::ZERO));
    scene.step = StepSize::Fixed(1e-4);
    let mut simulation = scene.build().expect("a valid scene");
    for _ in 0..10_000 {
        let particle = simulation.snapshot().particles[1];
        let unwrapped = particle.position.x + f64::from(particle.image[0]);
        assert!((unwrapped - (0.7 + 2.0 * simulation.time())).abs() < 1e-9, "{particle:?}");
        assert!(simulation.domain().contains(particle.position));
        for _ in 0..100 {
            simulation.step().expect("a healthy step");
        }
        if simulation.time() > 1.2 {
            return;
        }
    }
}
