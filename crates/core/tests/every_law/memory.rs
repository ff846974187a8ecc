//! The history of contacts is preserved: through rejected steps, rebuilds of the neighbour list, resumed runs and
//! changes from one facet of a mesh to the next.

use crate::chain::{Chain, Numbers, Touching, all_values, any_contact, set};
use crate::collisions::{STEPS, collision, collision_scene, spheres};
use crate::models::{material, models, pair};
use esker::law::{Contacts, WIDTH};
use esker::prelude::*;
use esker::wall::{Mesh, SMOOTH_ANGLE};
use std::sync::Arc;

/// A contact that is loaded and unloaded while it slips and rolls, at some step.
fn pressed(step: usize, lane: usize) -> Touching {
    let phase = 0.3 * step as f64 + lane as f64;
    Touching {
        radii: [0.01, if lane.is_multiple_of(3) { 0.0 } else { 0.01 }],
        overlap: 1e-4 * (0.4 + phase.sin()),
        closing_speed: 0.03 * phase.cos(),
        normal: Vec3::Z,
        slip_velocity: 0.02 * Vec3::new(phase.sin(), phase.cos(), 0.0),
        rolling_velocity: 3.0 * Vec3::new(phase.cos(), 0.3, 0.0),
        twist_velocity: phase.sin(),
    }
}

#[test]
fn rejected_steps_leave_no_trace() {
    let dt = 1e-5;
    for (name, model) in models() {
        let mut numbers = Numbers::new(3);
        let [mut straight, mut tried] = [0, 1].map(|_| Chain::new(&model));
        let mut contacts = Contacts::ZERO;
        for step in 0..60 {
            for attempt in 0..3 {
                for c in 0..WIDTH {
                    let fresh = any_contact(&mut numbers);
                    let own = pressed(step, c);
                    let touching = Touching { radii: own.radii, normal: own.normal, ..fresh };
                    set(&mut contacts, c, &touching, 1e-6 * f64::from(attempt));
                }
                tried.evaluate(&contacts, 1e-6 * f64::from(attempt));
            }
            (0..WIDTH).for_each(|c| set(&mut contacts, c, &pressed(step, c), dt));
            let [expected, found] = [&mut straight, &mut tried].map(|chain| {
                let forces = chain.evaluate(&contacts, dt);
                chain.commit();
                forces
            });
            for c in 0..WIDTH {
                assert_eq!(all_values(&found, c), all_values(&expected, c), "{name}, step {step}");
            }
            assert_eq!(tried.old, straight.old, "{name}, step {step}");
            assert_eq!(tried.stored, straight.stored, "{name}, step {step}");
        }
    }
}

/// Positions, velocities and spins to the bit.
pub(crate) fn state(simulation: &Simulation) -> Vec<[Vec3; 3]> {
    let particles = simulation.particles();
    let one = |id| {
        let found = (particles.position(id), particles.velocity(id), particles.spin(id));
        let (Some(position), Some(velocity), Some(spin)) = found else { panic!("{id} is gone") };
        [position, velocity, spin]
    };
    (0..particles.len() as u32).map(ParticleId::new).map(one).collect()
}

#[test]
fn a_rebuild_of_the_neighbour_list_changes_no_bit() {
    for (name, model) in models() {
        let [mut seldom, mut often] = [0, 1].map(|_| collision(&model, spheres()));
        for _ in 0..STEPS {
            seldom.step().expect("a healthy step");
            often.rebuild_neighbour_list();
            often.step().expect("a healthy step");
        }
        assert_eq!(state(&often), state(&seldom), "{name}");
    }
}

#[test]
fn a_run_that_is_resumed_during_a_contact_gives_the_same_bits() {
    for (name, model) in models() {
        let mut whole = collision(&model, spheres());
        let mut resumed = collision(&model, spheres());
        let mut in_contact = 0;
        for step in 0..STEPS {
            whole.step().expect("a healthy step");
            resumed.step().expect("a healthy step");
            if step % 20 == 0 {
                in_contact += resumed.contacts().len();
                let scene = collision_scene(&model, spheres());
                resumed = Simulation::restore(scene, resumed.save()).expect("its own state");
            }
        }
        assert!(in_contact > 2, "{name}: never saved in contact");
        assert_eq!(state(&resumed), state(&whole), "{name}");
    }
}

/// A sphere that is pressed against a floor and slides along x, spinning.
fn sliding(model: &ContactModel, floor: Shape) -> Simulation {
    let mut scene = Scene::new();
    scene.contact = model.clone();
    scene.gravity = Vec3::Z * -20.0;
    let material = scene.add_material("ball", material());
    scene.set_pair(material, material, pair(model));
    scene.step = StepSize::Fixed(2e-5);
    scene.domain = Some(Domain::new(Vec3::splat(-1.0), Vec3::splat(1.0)));
    scene.add_wall("floor", floor, material);
    scene.add_sphere(
        material,
        Sphere {
            position: Vec3::new(-0.004, 0.001, 0.00995),
            radius: 0.01,
            velocity: Vec3::new(1.0, 0.2, -0.05),
            spin: Vec3::new(5.0, 40.0, 20.0),
        },
    );
    scene.build().expect("a valid scene")
}

/// A plane of narrow strips, so that a sphere changes facets all the time.
fn strips() -> Shape {
    let count = 50u32;
    let corner = |index: u32| {
        let x = -0.1 + 0.2 * f64::from(index / 2) / f64::from(count);
        Vec3::new(x, if index.is_multiple_of(2) { -0.1 } else { 0.1 }, 0.0)
    };
    let corners = (0..2 * (count + 1)).map(corner).collect();
    let facets = (0..count).flat_map(|strip| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|corner| 2 * strip + corner);
        [[a, c, b], [b, c, d]]
    });
    let (mesh, _) = Mesh::new(corners, facets.collect(), SMOOTH_ANGLE).expect("a mesh");
    Shape::Mesh(Arc::new(mesh))
}

#[test]
fn a_change_of_facet_has_no_effect() {
    let plane = Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z };
    for (name, model) in models() {
        let mut analytic = sliding(&model, plane.clone());
        let mut meshed = sliding(&model, strips());
        for _ in 0..500 {
            analytic.step().expect("a healthy step");
            meshed.step().expect("a healthy step");
        }
        for (found, expected) in state(&meshed)[0].into_iter().zip(state(&analytic)[0]) {
            // the distance from a facet is rounded in another way than that from a plane
            let difference = (found - expected).length();
            assert!(difference < 1e-8 * (1.0 + expected.length()), "{name}: {difference:e}");
        }
    }
}
