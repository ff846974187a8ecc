//! The neighbour list holds every pair that touches where forces are evaluated, also for particles that
//! decelerate.

use esker::integrate::Integrator;
use esker::prelude::*;

#[test]
fn a_particle_that_decelerates_does_not_exceed_its_skin_undetected() {
    const RADIUS: f64 = 0.01;
    const GAP: f64 = 4e-4;
    for integrator in [Integrator::VelocityVerlet, Integrator::NEWMARK_PEC] {
        let mut scene = Scene::new();
        scene.integrator = integrator;
        scene.contact = ContactModel::normal(Hertz::default());
        let material = Material::new().density(2500.0).young_modulus(1e6).poisson_ratio(0.25);
        let grain = scene.add_material("grain", material);
        scene.set_pair(grain, grain, Pair::new());
        scene.step = StepSize::Fixed(1e-3);
        scene.health.step_limit = esker::scene::StepLimit::Warn;
        scene.search.skin = Some(1e-4);
        // Δt v + Δt² a = 0, but the prediction moves by Δt v + ½ Δt² a or Δt v + ¼ Δt² a
        let brake = |body: &Body, _: f64| {
            let moves = body.id.number() == 0;
            let force = if moves { -1000.0 * body.mass * Vec3::X } else { Vec3::ZERO };
            Load { force, torque: Vec3::ZERO }
        };
        scene.fields.push(field::from_fn("brake", brake));
        let velocity = Vec3::X;
        scene.add_sphere(grain, Sphere { velocity, ..Sphere::new(RADIUS, Vec3::ZERO) });
        let position = Vec3::X * (2.0 * RADIUS + GAP);
        scene.add_sphere(grain, Sphere::new(RADIUS, position));
        let mut simulation = scene.build().expect("a valid scene");
        assert_eq!(simulation.pairs_and_contacts().0, 0, "the pair is not in the first list");
        simulation.step().expect("a healthy step");
        // the forces were evaluated at positions where the two overlap
        let push = simulation.particles().load(ParticleId::new(1)).expect("there").force.x;
        assert!(push > 0.0, "{integrator:?}: {push}");
    }
}
