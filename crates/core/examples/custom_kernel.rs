//! A normal law of another crate: first on the dynamic path, then compiled into a contact kernel by one
//! macro call. Both give the same bits; the kernel is faster.

use esker::law::slots::{Contact, Elastic, Empty, InTable, NormalLaw, next_as};
use esker::law::{
    Contacts, Encounter, Evaluate, Forces, History, Law, Model, PairContext, Step, WIDTH, dynamic,
};
use esker::prelude::*;

/// A spring that stiffens, `F = k δ (1 + b δ/R*)`, with `normal_stiffness` k [N/m] and `stiffening` b of
/// each pair of materials.
#[derive(Debug, Clone, Copy)]
struct Stiffening;

impl Model for Stiffening {
    fn name(&self) -> &'static str {
        "stiffening"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        let stiffness = context.require("normal_stiffness", f64::MIN_POSITIVE..=f64::MAX);
        let stiffening = context.require("stiffening", 0.0..=f64::MAX);
        Some(Box::new(StiffeningLaw { stiffness: stiffness?, stiffening: stiffening? }))
    }
}

/// The law of one pair of materials.
#[derive(Debug, Clone, Copy)]
struct StiffeningLaw {
    stiffness: f64,
    stiffening: f64,
}

/// The physics of one contact: no branch that skips work, and everything inlined.
impl NormalLaw for StiffeningLaw {
    #[inline(always)]
    fn contact_radius(&self, contact: &Contact) -> f64 {
        let overlap = if contact.overlap > 0.0 { contact.overlap } else { 0.0 };
        (contact.effective_radius * overlap).sqrt()
    }

    #[inline(always)]
    fn force(&self, contact: &Contact, contact_radius: f64) -> Elastic {
        let overlap = if contact.overlap > 0.0 { contact.overlap } else { 0.0 };
        let relative = self.stiffening * overlap / contact.effective_radius;
        let stiffness = self.stiffness * (1.0 + 2.0 * relative);
        Elastic {
            contact_radius,
            stiffness: if overlap > 0.0 { stiffness } else { 0.0 },
            force: self.stiffness * overlap * (1.0 + relative),
        }
    }
}

/// The dynamic path: the loop of the slot over a chunk of contacts, and the energy for the ledger.
impl Evaluate for StiffeningLaw {
    type History = ();

    fn evaluate(&self, contacts: &Contacts, step: &Step, _: History<'_, ()>, forces: &mut Forces) {
        dynamic::normal(self, contacts, step, forces);
        if step.ledger {
            for c in 0..WIDTH {
                let overlap = contacts.overlap[c].max(0.0);
                let relative = self.stiffening * overlap / contacts.effective_radius[c];
                forces.normal_energy[c] +=
                    self.stiffness * overlap * overlap * (0.5 + relative / 3.0);
            }
        }
    }
}

impl Law for StiffeningLaw {
    /// What the time step is chosen from: half a period of the spring without stiffening.
    fn contact_time(&self, encounter: &Encounter) -> Option<f64> {
        Some(std::f64::consts::PI * (encounter.effective_mass / self.stiffness).sqrt())
    }
}

/// How the table recognises the law.
impl InTable for StiffeningLaw {
    fn take(laws: &mut std::slice::Iter<'_, Box<dyn Law>>) -> Option<Self> {
        next_as(laws).copied()
    }
}

const RADIUS: f64 = 0.01;
const STIFFNESS: f64 = 1e4;
const STIFFENING: f64 = 5.0;
const SPEED: f64 = 1.0;

/// Two balls that collide obliquely, with spin; with or without the compiled kernel.
fn scene(is_compiled: bool) -> Scene {
    let mut scene = Scene::new();
    scene.contact = ContactModel::normal(Stiffening)
        .damping(LinearDamping::default())
        .tangential(tangential::SpringDashpot::default());
    if is_compiled {
        scene.kernels.extend(esker::kernels![[
            StiffeningLaw,
            damping::CriticalDamping,
            tangential::SpringOwnRoot,
            Empty
        ]]);
    }
    let material = Material::new().density(2500.0).young_modulus(1e7).poisson_ratio(0.3);
    let rubber = scene.add_material("rubber", material);
    let pair = Pair::new()
        .normal_stiffness(STIFFNESS)
        .with("stiffening", STIFFENING)
        .damping_ratio(0.0)
        .friction(0.3);
    scene.set_pair(rubber, rubber, pair);
    for (x, speed) in [(-1.1 * RADIUS, 0.5 * SPEED), (1.1 * RADIUS, -0.5 * SPEED)] {
        scene.add_sphere(
            rubber,
            Sphere {
                position: Vec3::new(x, 0.2 * x, 0.0),
                radius: RADIUS,
                velocity: Vec3::X * speed,
                spin: Vec3::new(0.0, 3.0, 20.0),
            },
        );
    }
    scene.step = StepSize::Fixed(1e-6);
    scene.domain = Some(Domain::new(Vec3::splat(-1.0), Vec3::splat(1.0)));
    scene
}

/// Velocities and spins after the collision, and the number of pairs of materials with a kernel.
fn collide(is_compiled: bool) -> Result<([Vec3; 4], usize), Error> {
    let mut simulation = scene(is_compiled).build()?;
    while simulation.time() < 0.02 {
        simulation.step()?;
    }
    let columns = simulation.particles().columns();
    let state = [columns.velocity[0], columns.velocity[1], columns.spin[0], columns.spin[1]];
    Ok((state, simulation.pairs_with_kernel()))
}

fn main() -> Result<(), Error> {
    for is_compiled in [false, true] {
        let ([velocity, ..], kernels) = collide(is_compiled)?;
        println!("pairs of materials with a kernel: {kernels}; velocity {velocity:?}");
    }
    Ok(())
}

#[test]
fn the_compiled_kernel_gives_the_bits_of_the_dynamic_path() -> Result<(), Error> {
    let ((dynamic, without), (compiled, with)) = (collide(false)?, collide(true)?);
    assert_eq!((without, with), (0, 1));
    assert!(dynamic[0].y != 0.0, "friction has acted");
    assert_eq!(dynamic, compiled);
    Ok(())
}

#[test]
fn the_largest_overlap_is_that_of_the_energy_of_the_spring() -> Result<(), Error> {
    let mut scene = scene(true);
    for source in &mut scene.particles {
        if let Placement::List(spheres) = &mut source.placement {
            // head-on and without spin
            for sphere in spheres {
                sphere.position.y = 0.0;
                sphere.spin = Vec3::ZERO;
            }
        }
    }
    let mut simulation = scene.build()?;
    let mut closest = f64::INFINITY;
    while simulation.time() < 0.02 {
        simulation.step()?;
        let columns = simulation.particles().columns();
        closest = closest.min((columns.position[1] - columns.position[0]).length());
    }
    // ½ m* v² = k δ² (½ + b δ/(3 R*)), by bisection
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3);
    let kinetic = 0.5 * (0.5 * mass) * SPEED * SPEED;
    let energy = |overlap: f64| {
        STIFFNESS * overlap * overlap * (0.5 + STIFFENING * overlap / (3.0 * 0.5 * RADIUS))
    };
    let (mut low, mut high) = (0.0, RADIUS);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if energy(middle) < kinetic { low = middle } else { high = middle }
    }
    let found = 2.0 * RADIUS - closest;
    // the distance is sampled in steps of a 2000th of the contact: an error of order (1/2000)²
    assert!((found / low - 1.0).abs() < 1e-5, "{found} {low}");
    Ok(())
}
