//! What a program that uses the library relies on.

use esker::law::{
    Contacts, Evaluate, Forces, History, Law, Model, Optional, PairContext, Step, WIDTH,
};
use esker::prelude::*;

fn scene() -> (Scene, MaterialId) {
    let mut scene = Scene::new();
    scene.contact = ContactModel::normal(Hertz::default());
    let material = Material {
        density: 2500.0,
        young_modulus: 1e7,
        poisson_ratio: 0.25,
        ..Material::default()
    };
    let grain = scene.add_material("grain", material);
    scene.set_pair(grain, grain, Pair::new());
    scene.step = StepSize::Fixed(1e-5);
    (scene, grain)
}

fn sphere(x: f64) -> Sphere {
    Sphere { position: Vec3::X * x, radius: 0.01, ..Sphere::default() }
}

#[test]
fn a_sphere_has_the_id_that_adding_it_gave_whatever_else_is_in_the_scene() {
    let (mut scene, grain) = scene();
    scene.particles.push(Source {
        name: "cloud".into(),
        material: grain,
        radius: Radius::Constant(0.01),
        placement: Placement::Random {
            region: Region::Box { min: Vec3::splat(-0.1), max: Vec3::splat(0.1) },
            amount: Amount::Fraction(0.1),
        },
        ..Source::default()
    });
    let first = scene.add_sphere(grain, sphere(0.2));
    scene.add_wall("bump", Shape::Particles(vec![sphere(0.3), sphere(0.32)]), grain);
    scene.particles.push(Source {
        name: "list".into(),
        material: grain,
        placement: Placement::List(vec![sphere(0.4), sphere(0.5)]),
        ..Source::default()
    });
    let second = scene.add_sphere(grain, sphere(0.6));
    let mut simulation = scene.build().expect("a valid scene");
    simulation.step().expect("a healthy step");
    let x = |id| simulation.particles().position(id).map(|position| position.x);
    assert_eq!((first, second), (0, 3));
    assert_eq!((x(first), x(second)), (Some(0.2), Some(0.6)));
    assert_eq!(x(10_000), None);
}

#[test]
fn columns_are_in_order_of_id_and_hold_what_the_particles_are() {
    let (mut scene, grain) = scene();
    for place in 0..50 {
        // against the order in which the search sorts them
        let spin = Vec3::Z * f64::from(place);
        scene.add_sphere(grain, Sphere { spin, ..sphere(-0.03 * f64::from(place)) });
    }
    let mut simulation = scene.build().expect("a valid scene");
    simulation.step().expect("a healthy step");
    let particles = simulation.particles();
    let mut columns = particles.columns();
    assert_eq!(columns.len(), 50);
    for (place, &id) in columns.id.iter().enumerate() {
        assert_eq!(id, place as u64);
        assert_eq!(Some(columns.position[place]), particles.position(id));
        assert_eq!(Some(columns.velocity[place]), particles.velocity(id));
        assert_eq!(Some(columns.spin[place]), particles.spin(id));
        assert_eq!(Some(columns.orientation[place]), particles.orientation(id));
        assert_eq!(Some(columns.force[place]), particles.load(id).map(|load| load.force));
    }
    let again = columns.clone();
    particles.read_columns(&mut columns);
    assert_eq!(columns, again);
}

/// Resists twist in proportion to it: a moment along the normal.
#[derive(Debug, Clone, Copy)]
struct Torsion;

impl Model for Torsion {
    fn word(&self) -> &'static str {
        "torsion"
    }

    fn for_pair(&self, _context: &mut PairContext<'_>) -> Box<dyn Law> {
        Box::new(*self)
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
    for (place, with_torsion) in slots.iter().enumerate() {
        let (mut scene, grain) = scene();
        scene.contact = with_torsion(scene.contact);
        scene.add_sphere(grain, Sphere { spin: Vec3::X * 5.0, ..sphere(0.0) });
        scene.add_sphere(grain, sphere(0.0199));
        let simulation = scene.build().expect("a valid scene");
        let torque = |id| simulation.particles().load(id).map(|load| load.torque.x);
        assert_eq!(torque(0), Some(-5.0 * VISCOSITY), "slot {place}");
        assert_eq!(torque(1), Some(5.0 * VISCOSITY), "slot {place}");
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
    fn word(&self) -> &'static str {
        "forgetful"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Box<dyn Law> {
        Box::new(ForgetfulLaw { remembers: context.optional("memory", 0.0..=1.0).is_some() })
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
fn laws_that_remember_different_things_for_different_pairs_are_refused() {
    let (mut scene, grain) = scene();
    scene.contact = scene.contact.cohesion(Forgetful);
    let other = scene.add_material("other", scene.materials[0].1.clone());
    scene.set_pair(grain, other, Pair::new().with("memory", 1.0));
    scene.set_pair(other, other, Pair::new());
    scene.add_sphere(grain, sphere(0.0));
    scene.add_sphere(other, sphere(0.1));
    let Err(Error::Scene(problems)) = scene.build() else { panic!("it was accepted") };
    assert!(problems[0].message.contains("remember other quantities"), "{problems:?}");
}
