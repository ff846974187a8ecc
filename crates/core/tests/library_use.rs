//! Guarantees to a program that uses the library.

use esker::law::{
    Contacts, Evaluate, Forces, History, Law, Model, Optional, PairContext, Step, WIDTH,
};
use esker::prelude::*;

fn scene() -> (Scene, MaterialId) {
    let mut scene = Scene::new();
    scene.contact = ContactModel::normal(Hertz::default());
    let material = Material::new().density(2500.0).young_modulus(1e7).poisson_ratio(0.25);
    let grain = scene.add_material("grain", material);
    scene.set_pair(grain, grain, Pair::new());
    scene.step = StepSize::Fixed(1e-5);
    (scene, grain)
}

fn sphere(x: f64) -> Sphere {
    Sphere::new(0.01, Vec3::X * x)
}

#[test]
fn a_sphere_has_the_id_that_adding_it_gave_whatever_else_is_in_the_scene() {
    let (mut scene, grain) = scene();
    scene.particles.push(Source::new(
        "cloud",
        grain,
        Radius::Constant(0.01),
        Placement::Random {
            region: Region::Box { min: Vec3::splat(-0.1), max: Vec3::splat(0.1) },
            amount: Amount::Fraction(0.1),
        },
    ));
    let first = scene.add_sphere(grain, sphere(0.2));
    scene.add_wall("bump", Shape::Particles(vec![sphere(0.3), sphere(0.32)]), grain);
    scene.particles.push(Source::list("list", grain, vec![sphere(0.4), sphere(0.5)]));
    let second = scene.add_sphere(grain, sphere(0.6));
    let mut simulation = scene.build().expect("a valid scene");
    simulation.step().expect("a healthy step");
    let x = |id| simulation.particles().position(id).map(|position| position.x);
    assert_eq!((first.number(), second.number()), (0, 3));
    assert_eq!((x(first), x(second)), (Some(0.2), Some(0.6)));
    assert_eq!(x(ParticleId::new(10_000)), None);
}

#[test]
fn columns_are_in_order_of_id_and_hold_the_properties_of_the_particles() {
    let (mut scene, grain) = scene();
    for index in 0..50 {
        // against the order of the sort by the search
        let spin = Vec3::Z * f64::from(index);
        scene.add_sphere(grain, Sphere { spin, ..sphere(-0.03 * f64::from(index)) });
    }
    let mut simulation = scene.build().expect("a valid scene");
    simulation.step().expect("a healthy step");
    let particles = simulation.particles();
    let mut columns = particles.columns();
    assert_eq!(columns.len(), 50);
    for (index, &id) in columns.id.iter().enumerate() {
        assert_eq!(id.index(), index);
        assert_eq!(Some(columns.position[index]), particles.position(id));
        assert_eq!(Some(columns.velocity[index]), particles.velocity(id));
        assert_eq!(Some(columns.spin[index]), particles.spin(id));
        assert_eq!(Some(columns.orientation[index]), particles.orientation(id));
        assert_eq!(Some(columns.force[index]), particles.load(id).map(|load| load.force));
    }
    let again = columns.clone();
    particles.read_columns(&mut columns);
    assert_eq!(columns, again);
}

/// Resists twist in proportion to it: a moment along the normal.
#[derive(Debug, Clone, Copy)]
struct Torsion;

impl Model for Torsion {
    fn name(&self) -> &'static str {
        "torsion"
    }

    fn for_pair(&self, _context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        Some(Box::new(*self))
    }
}

const VISCOSITY: f64 = 1e-6;

impl Law for Torsion {}

impl Evaluate for Torsion {
    type History = ();
    const USES_ROLLING: bool = true;

    fn evaluate(
        &self,
        contacts: &Contacts,
        _step: &Step,
        _history: History<'_, ()>,
        forces: &mut Forces,
    ) {
        for c in 0..WIDTH {
            for axis in 0..3 {
                forces.moment[axis][c] -=
                    VISCOSITY * contacts.twist_velocity[c] * contacts.normal[axis][c];
            }
        }
    }
}

#[test]
fn a_moment_acts_from_a_law_in_any_slot() {
    let slots: [fn(ContactModel) -> ContactModel; 4] = [
        |model| model.damping(Torsion),
        |model| model.cohesion(Torsion),
        |model| model.tangential(Torsion),
        |model| model.rolling(Torsion),
    ];
    for (index, with_torsion) in slots.iter().enumerate() {
        let (mut scene, grain) = scene();
        scene.contact = with_torsion(scene.contact);
        scene.add_sphere(grain, Sphere { spin: Vec3::X * 5.0, ..sphere(0.0) });
        scene.add_sphere(grain, sphere(0.0199));
        let simulation = scene.build().expect("a valid scene");
        let torque = |id| simulation.particles().load(id).map(|load| load.torque.x);
        assert_eq!(torque(ParticleId::new(0)), Some(-5.0 * VISCOSITY), "slot {index}");
        assert_eq!(torque(ParticleId::new(1)), Some(5.0 * VISCOSITY), "slot {index}");
    }
}

/// A law that stores a number for one pair of materials only.
#[derive(Debug, Clone, Copy)]
struct Forgetful;

#[derive(Debug)]
struct ForgetfulLaw {
    remembers: bool,
}

esker::history! {
    /// What it stores.
    struct Memory {
        memory: f64,
    }
}

impl Model for Forgetful {
    fn name(&self) -> &'static str {
        "forgetful"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        let remembers = context.optional("memory", 0.0..=1.0).is_some();
        Some(Box::new(ForgetfulLaw { remembers }))
    }
}

impl Law for ForgetfulLaw {}

impl Evaluate for ForgetfulLaw {
    type History = Optional<Memory>;

    fn evaluate(
        &self,
        _: &Contacts,
        _: &Step,
        history: History<'_, Optional<Memory>>,
        _: &mut Forces,
    ) {
        if let Some(mut history) = history.present() {
            (0..WIDTH).for_each(|c| history.set(c, Memory { memory: 1.0 }));
        }
    }

    fn presence(&self) -> bool {
        self.remembers
    }
}

#[test]
fn laws_with_different_history_for_different_pairs_are_refused() {
    let (mut scene, grain) = scene();
    scene.contact = scene.contact.cohesion(Forgetful);
    let other = scene.add_material("other", scene.materials[0].1.clone());
    scene.set_pair(grain, other, Pair::new().with("memory", 1.0));
    scene.set_pair(other, other, Pair::new());
    scene.add_sphere(grain, sphere(0.0));
    scene.add_sphere(other, sphere(0.1));
    let Err(Error::Scene(problems)) = scene.build() else { panic!("it was accepted") };
    assert!(problems[0].message.contains("store a different history"), "{problems:?}");
}

/// A grain on a shaken plate, with gravity, friction and drag that change during the run.
fn shaken() -> (Scene, MaterialId, WallId, ParticleId) {
    let (mut scene, grain) = scene();
    scene.ledger = true;
    scene.gravity = Vec3::Z * -9.81;
    scene.contact = ContactModel::normal(Hertz::default())
        .damping(HertzDamping::default())
        .tangential(Mindlin::default());
    scene.set_pair(grain, grain, Pair::new().friction(0.3).restitution(0.5));
    let shape = Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z };
    let plate = scene.add_wall("plate", shape, grain);
    let position = Vec3::Z * 0.0099;
    let velocity = Vec3::X * 0.2;
    let ball = Sphere { velocity, ..Sphere::new(0.01, position) };
    let ball = scene.add_sphere(grain, ball);
    (scene, grain, plate, ball)
}

fn bits(simulation: &Simulation, id: ParticleId) -> Vec<u64> {
    let particle = simulation.particles()[id];
    let vectors = [particle.position, particle.velocity, particle.spin];
    vectors.iter().flat_map(Vec3::to_array).map(f64::to_bits).collect()
}

#[test]
fn changes_while_running_act_at_once_and_survive_a_restore() -> Result<(), Error> {
    let (scene, grain, plate, ball) = shaken();
    let mut simulation = scene.build()?;
    simulation.run_until(0.01)?;
    let before = simulation.energy().closure_error;
    simulation.set_gravity(Vec3::new(1.0, 0.0, -5.0))?;
    assert_eq!(simulation.gravity(), Vec3::new(1.0, 0.0, -5.0));
    simulation.set_wall_motion(plate, Motion::Velocity(Vec3::X * 0.1))?;
    simulation.set_pair_parameter(grain, grain, "friction", 0.1)?;
    let wind = || {
        field::from_fn("wind", |body: &Body, _| Load {
            force: 1e-3 * (Vec3::Y - body.velocity),
            torque: Vec3::ZERO,
        })
    };
    simulation.set_field(wind())?;
    // a change is no error of the ledger: the energy that it adds is accounted for
    assert!((simulation.energy().closure_error - before).abs() < 1e-15);
    simulation.run_until(0.02)?;
    assert_eq!(simulation.wall(plate).map(|wall| wall.pose.velocity), Some(Vec3::X * 0.1));
    assert!(simulation.particles()[ball].velocity.y > 0.0, "the wind acts");

    let (scene, state) = (simulation.scene().clone(), simulation.save());
    let mut restored = Simulation::restore(scene, state)?;
    simulation.run_until(0.03)?;
    restored.run_until(0.03)?;
    assert_eq!(bits(&simulation, ball), bits(&restored, ball));

    simulation.remove_field("wind")?;
    assert!(simulation.remove_field("wind").is_err());
    assert!(simulation.set_pair_parameter(grain, grain, "fricton", 0.1).is_err());
    assert!(simulation.set_wall_motion(WallId::new(7), Motion::Still).is_err());
    simulation.run_until(0.04)
}

#[test]
fn a_limit_of_the_energy_error_is_checked_without_asking_for_the_ledger() {
    let (mut scene, grain) = scene();
    // first order, at the limit of the time step: its energy error is some percent
    scene.integrator = esker::integrate::Integrator::SymplecticEuler;
    scene.step = StepSize::Auto;
    scene.safety = Some(0.2);
    scene.health.energy_error = Some(1e-9);
    assert!(!scene.ledger);
    let velocity = Vec3::X * 0.5;
    scene.add_sphere(grain, Sphere { velocity, ..sphere(0.0) });
    scene.add_sphere(grain, sphere(0.0205));
    let mut simulation = scene.build().expect("a valid scene");
    let Err(Error::Step(error)) = simulation.run_until(0.5) else { panic!("it was not checked") };
    assert!(matches!(error.cause, esker::error::Cause::Energy(_)), "{error}");
}

#[test]
fn a_particle_can_be_moved_and_a_position_outside_the_domain_is_an_error() -> Result<(), Error> {
    let (mut scene, grain) = scene();
    let mut domain = Domain::new(Vec3::splat(-0.1), Vec3::splat(0.1));
    domain.periodic = [true, false, false];
    scene.domain = Some(domain);
    let ball = scene.add_sphere(grain, sphere(0.0));
    let mut simulation = scene.build()?;
    assert!(simulation.particles_mut().set_position(ball, Vec3::new(0.15, 0.05, 0.0)));
    assert!(!simulation.particles_mut().set_position(ParticleId::new(5), Vec3::ZERO));
    simulation.step()?;
    let position = simulation.particles()[ball].position;
    assert!((position - Vec3::new(-0.05, 0.05, 0.0)).length() < 1e-15, "{position}");
    simulation.particles_mut().set_position(ball, Vec3::Z);
    let Err(Error::Step(error)) = simulation.step() else { panic!("it was accepted") };
    assert!(matches!(error.cause, esker::error::Cause::LeftDomain), "{error}");
    Ok(())
}

#[test]
fn a_material_without_a_required_value_is_named() {
    let (mut scene, _) = scene();
    scene.add_material("dust", Material::new().density(1000.0).poisson_ratio(0.2));
    let Err(Error::Scene(problems)) = scene.build() else { panic!("it was accepted") };
    assert_eq!(problems[0].path, "materials.dust.young_modulus");
    assert!(problems[0].message.contains("has no `young_modulus`"), "{problems:?}");
}

#[test]
fn a_field_that_was_removed_does_no_more_work() -> Result<(), Error> {
    let (mut scene, grain) = scene();
    scene.ledger = true;
    let wind = |body: &Body, _: f64| Load {
        force: 10.0 * body.mass * (Vec3::Y - body.velocity),
        torque: Vec3::ZERO,
    };
    scene.fields.push(field::from_fn("wind", wind));
    scene.add_sphere(grain, sphere(0.0));
    let mut simulation = scene.build()?;
    simulation.run_until(0.01)?;
    simulation.remove_field("wind")?;
    let before = simulation.energy();
    simulation.run_until(0.02)?;
    let after = simulation.energy();
    assert!(before.field_work > 0.0);
    assert_eq!((after.field_work, after.kinetic), (before.field_work, before.kinetic));
    Ok(())
}

#[test]
fn messages_name_settings_as_the_library_does_or_as_a_program_says() {
    let (mut scene, grain) = scene();
    scene.contact = scene.contact.tangential(Mindlin::default());
    scene.add_sphere(grain, sphere(0.0));
    let message = |scene: Scene| scene.build().expect_err("there is no friction").to_string();
    let own = message(scene.clone());
    assert!(
        own.contains("add `friction` to the pair of `grain` and `grain` in `Scene::pairs`"),
        "{own}"
    );
    scene.notation = esker::Notation::new(|setting| match setting {
        esker::Setting::Parameter(name) => format!("--{name}"),
        other => other.to_string(),
    });
    let other = message(scene);
    assert!(other.contains("add --friction to the pair"), "{other}");
}
