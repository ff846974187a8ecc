//! `liquid-bridge`: force, rupture, history, work, walls, periodic images, meshes.

use super::*;
use esker::law::cohesion::{Formation, LiquidBridge};
use esker::wall::{Mesh, SMOOTH_ANGLE};
use std::f64::consts::PI;
use std::sync::Arc;

const TENSION: f64 = 0.07;

fn pair(volume: f64) -> Pair {
    Pair::new().surface_tension(TENSION).bridge_volume(volume)
}

fn model(formation: Formation) -> ContactModel {
    hertz().cohesion(LiquidBridge { formation })
}

/// Gap of rupture: the cube root of the volume.
fn rupture(volume: f64) -> f64 {
    (volume * 4.0 / 3.0 * PI).cbrt() * RADIUS
}

#[test]
fn the_force_is_that_of_the_reference_between_spheres_and_at_a_wall() {
    // Φ, Z, force over π γ R_h: an independent computation
    for (volume, half_gap, pull) in [
        (0.001, 0.0, 1.7780),
        (0.001, 0.0403, 0.3529),
        (0.01, 0.0, 1.6116),
        (0.1, 0.0, 1.3245),
        (0.1, 0.18706, 0.8428),
        (0.2, 0.0, 1.2015),
    ] {
        let gap = 2.0 * half_gap * RADIUS;
        let scene = two(model(Formation::Shell), pair(volume), gap, 0.0);
        // the reference has four digits
        assert_close(contact_of(scene).cohesion, pull * PI * TENSION * RADIUS, 1.5e-4);
        // at a wall the mean radius is twice that of the sphere, and the volume an eighth in its units
        if volume < 0.03 {
            let scene = above_floor(model(Formation::Shell), pair(8.0 * volume), 2.0 * gap, 0.0);
            assert_close(contact_of(scene).cohesion, pull * PI * TENSION * 2.0 * RADIUS, 1.5e-4);
        }
    }
    // in overlap the force is that at contact
    let [touching, pressed] = [0.0, -0.01 * RADIUS].map(|gap| {
        contact_of(two(model(Formation::Contact), pair(0.01), gap - 1e-12, 0.0)).cohesion
    });
    assert_close(pressed, touching, 1e-12);
}

#[test]
fn unequal_spheres_carry_a_bridge_of_the_smaller_one() {
    let (small, large) = (0.004, 0.01);
    let volume = 0.02;
    let (mut scene, material) = scene(model(Formation::Shell), pair(volume));
    let at = |x: f64, radius: f64| Sphere::new(radius, Vec3::X * x);
    scene.add_sphere(material, at(0.0, small));
    scene.add_sphere(material, at(small + large + 1e-15, large));
    let found = contact_of(scene).cohesion;
    // equal spheres of the mean radius with the same volume have the same force
    let mean = 2.0 * small * large / (small + large);
    let (mut scene, material) =
        super::scene(model(Formation::Shell), pair(volume * (small / mean).powi(3)));
    scene.add_sphere(material, at(0.0, mean));
    scene.add_sphere(material, at(2.0 * mean + 1e-15, mean));
    assert_close(found, contact_of(scene).cohesion, 3e-5);
}

/// Follows two touching spheres that are driven apart; returns the largest gap with an attraction, and the final speed.
fn part(formation: Formation, volume: f64, speed: f64) -> (f64, Simulation) {
    let mut scene = two(model(formation), pair(volume), -1e-9, speed);
    scene.step = StepSize::Fixed(5e-6);
    let mut simulation = scene.build().expect("a valid scene");
    let mut largest = 0.0f64;
    let worst = {
        let mut worst = 0.0f64;
        while simulation.time() < 4.0 * rupture(volume) / speed {
            simulation.step().expect("a healthy step");
            worst = worst.max(simulation.energy().closure_error.abs());
            for view in simulation.contacts().iter().filter(|view| view.cohesion > 0.0) {
                largest = largest.max(-view.overlap);
            }
        }
        worst
    };
    // displacement of one step times the force, both at rupture
    let slack = 2.0 * TENSION * PI * RADIUS * 2.0 * speed * 5e-6;
    assert!(worst < slack, "closes to {worst:e}, {slack:e}");
    (largest, simulation)
}

#[test]
fn a_bridge_breaks_at_the_cube_root_of_its_volume_and_takes_the_work_of_its_force() {
    for volume in [0.001, 0.01, 0.1] {
        let end = rupture(volume);
        // Simpson's rule over the force from contact to rupture
        let slices = 400;
        let pull = |fraction: f64| {
            let gap = end * fraction * fraction * (1.0 - 1e-12) + 1e-15;
            contact_of(two(model(Formation::Shell), pair(volume), gap, 0.0)).cohesion
                * 2.0
                * fraction
                * end
        };
        let weight = |i: usize| match i {
            0 => 1.0,
            i if i == slices => 1.0,
            i if i.is_multiple_of(2) => 2.0,
            _ => 4.0,
        };
        let work: f64 =
            (0..=slices).map(|i| weight(i) * pull(i as f64 / slices as f64)).sum::<f64>()
                / (3.0 * slices as f64);
        let speed = 3.0 * (2.0 * work / effective_mass()).sqrt();
        let (largest, simulation) = part(Formation::Contact, volume, speed);
        assert!(largest <= end && largest > end - 2.0 * speed * 5e-6, "{largest} {end}");
        let left = 0.5 * effective_mass() * parting_speed(&simulation).powi(2);
        let before = 0.5 * effective_mass() * speed * speed;
        assert_close(before - left, work, 2e-3);
        // the energy released when the bridge formed is a loss (zero here, since it formed at touch), as is the work
        assert_close(simulation.energy().cohesion_loss, work, 2e-3);
        assert!(simulation.energy().cohesion.abs() < 1e-12 * work);
    }
}

#[test]
fn a_bridge_forms_on_contact_only_and_remains_beyond_it() {
    let volume = 0.01;
    let gap = 0.5 * rupture(volume);
    // no bridge on approach
    let scene = two(model(Formation::Contact), pair(volume), gap, 0.0);
    assert_eq!(contact_of(scene).cohesion, 0.0);
    // a rebound: the attraction acts at the same gap on separation
    let mut simulation =
        two(model(Formation::Contact), pair(volume), gap, -0.3).build().expect("a valid scene");
    let mut pulls = [0.0f64; 2];
    let mut seen_bridge_after_touch = false;
    while simulation.time() < 0.05 {
        simulation.step().expect("a healthy step");
        for view in simulation.contacts() {
            if view.overlap < -0.1 * gap {
                let leaving = usize::from(view.closing_speed < 0.0);
                pulls[leaving] = pulls[leaving].max(view.cohesion);
                seen_bridge_after_touch |= leaving == 1;
            }
        }
    }
    assert!(seen_bridge_after_touch && pulls[0] == 0.0 && pulls[1] > 0.0, "{pulls:?}");
    // in the shell it acts in both directions
    let scene = two(model(Formation::Shell), pair(volume), gap, 0.0);
    assert!(contact_of(scene).cohesion > 0.0);
}

/// A sphere withdrawn from a contact, with the neighbour list rebuilt in every step or never.
fn drawn_off(scene: Scene, rebuild: bool) -> Vec<[f64; 3]> {
    let mut simulation = scene.build().expect("a valid scene");
    let mut path = Vec::new();
    for _ in 0..400 {
        if rebuild {
            simulation.rebuild_neighbour_list();
        }
        simulation.step().expect("a healthy step");
        let last = simulation.particles().len() as u64 - 1;
        path.push(position(&simulation, last).to_array());
    }
    path
}

/// Checks that a bridge acts beyond contact, with the same result with and without rebuilds and after a resume.
#[track_caller]
fn check_survival(make: impl Fn() -> Scene) {
    let step = |mut scene: Scene| {
        scene.step = StepSize::Fixed(2e-6);
        scene
    };
    assert_eq!(
        drawn_off(step(make()), false),
        drawn_off(step(make()), true),
        "rebuilds change bits"
    );
    let mut straight = step(make()).build().expect("a valid scene");
    for _ in 0..200 {
        straight.step().expect("a healthy step");
    }
    let apart = straight.contacts().iter().any(|view| view.overlap < 0.0 && view.cohesion > 0.0);
    assert!(apart, "a bridge acts at a distance: {:?}", straight.contacts());
    let mut resumed = Simulation::restore(step(make()), straight.save()).expect("the same scene");
    for _ in 0..200 {
        straight.step().expect("a healthy step");
        resumed.step().expect("a healthy step");
    }
    assert_eq!(straight.save(), resumed.save());
}

#[test]
fn a_bridge_survives_rebuilds_and_resume_between_particles_and_across_a_period() {
    check_survival(|| two(model(Formation::Contact), pair(0.01), -1e-9, 0.5));
    check_survival(|| {
        let (mut scene, material) = scene(model(Formation::Contact), pair(0.01));
        let mut domain = Domain::new(Vec3::splat(-0.1), Vec3::splat(0.1));
        domain.periodic = [true, false, false];
        scene.domain = Some(domain);
        // they touch across the boundary
        scene.add_sphere(material, sphere(Vec3::X * (-0.1 + RADIUS), 0.5 * Vec3::X));
        scene.add_sphere(material, sphere(Vec3::X * (0.1 - RADIUS + 1e-9), Vec3::ZERO));
        scene.ledger = true;
        scene
    });
}

#[test]
fn a_bridge_survives_rebuilds_and_resume_at_fixed_and_moving_walls() {
    check_survival(|| above_floor(model(Formation::Contact), pair(0.01), -1e-9, 0.5));
    check_survival(|| {
        let (mut scene, material) = scene(model(Formation::Contact), pair(0.01));
        let away = Motion::Velocity(Vec3::new(0.1, 0.0, -0.5));
        scene.add_moving_wall("floor", floor(), material, away);
        scene.add_sphere(material, sphere(Vec3::Z * (RADIUS - 1e-9), Vec3::ZERO));
        scene.ledger = true;
        scene
    });
}

/// A floor of many small facets.
fn facets() -> Shape {
    let count = 12u32;
    let (size, mut vertices, mut triangles) = (0.004, Vec::new(), Vec::new());
    for i in 0..=count {
        for j in 0..=count {
            let coordinate = |k: u32| size * (f64::from(k) - 0.5 * f64::from(count));
            vertices.push(Vec3::new(coordinate(i), coordinate(j), 0.0));
            if i > 0 && j > 0 {
                let corner = |a: u32, b: u32| a * (count + 1) + b;
                let [a, b, c, d] =
                    [corner(i - 1, j - 1), corner(i, j - 1), corner(i, j), corner(i - 1, j)];
                triangles.push([a, b, c]);
                triangles.push([a, c, d]);
            }
        }
    }
    Shape::Mesh(Arc::new(Mesh::new(vertices, triangles, SMOOTH_ANGLE).expect("a floor").0))
}

#[test]
fn a_bridge_is_dragged_over_the_facets_of_a_mesh_as_over_a_half_space() {
    let make = |shape: Shape| {
        let (mut scene, material) = scene(model(Formation::Contact), pair(0.01));
        scene.add_wall("floor", shape, material);
        let start = Vec3::new(-0.005, 0.001, RADIUS - 1e-9);
        scene.add_sphere(material, sphere(start, Vec3::new(6.0, 1.0, 0.4)));
        scene.ledger = true;
        scene
    };
    check_survival(|| make(facets()));
    let path = |shape: Shape| {
        let mut scene = make(shape);
        scene.step = StepSize::Fixed(2e-6);
        drawn_off(scene, false)
    };
    for (mesh, plane) in path(facets()).iter().zip(path(floor())) {
        let off = (0..3).map(|axis| (mesh[axis] - plane[axis]).abs()).fold(0.0, f64::max);
        // rounding of the nearest points
        assert!(off < 1e-12, "{off:e}");
    }
}

#[test]
fn a_scene_is_warned_of_bridges_that_are_no_longer_pendular() {
    // the reference: ψ = 27° for Φ = 0.01 and 54° for Φ = 0.1
    let warnings = |volume: f64| {
        let scene = two(model(Formation::Contact), pair(volume), 0.01, 0.0);
        scene.build().expect("a valid scene").warnings().to_vec()
    };
    assert!(warnings(0.01).is_empty(), "{:?}", warnings(0.01));
    let found = warnings(0.1);
    assert!(found.len() == 1 && found[0].contains("54°"), "{found:?}");
}

#[test]
fn a_large_body_of_another_material_extends_no_other_interaction_range_and_changes_no_bit() {
    // fines that approach each other, with one large sphere, which has their material or another one
    let cloud = |own_material: bool| {
        let (mut scene, fine) = scene(model(Formation::Contact), pair(0.1));
        let large = match own_material {
            true => {
                let material = scene.materials[0].1.clone();
                let large = scene.add_material("large", material);
                scene.set_pair(fine, large, pair(0.1));
                // there is only one: it has as little liquid as the fines
                scene.set_pair(large, large, pair(1e-4));
                large
            }
            false => fine,
        };
        for index in 0..125_i32 {
            let [i, j, k] = [index % 5, index / 5 % 5, index / 25].map(|n| f64::from(n) - 2.0);
            let center = 2.2 * RADIUS * Vec3::new(i, j, k) + Vec3::X * 20.0 * RADIUS;
            let to_the_middle = -50.0 * (center - Vec3::X * 20.0 * RADIUS);
            scene.add_sphere(fine, sphere(center, to_the_middle));
        }
        let ball = Sphere::new(10.0 * RADIUS, Vec3::ZERO);
        scene.add_sphere(large, Sphere { velocity: 0.5 * Vec3::X, ..ball });
        scene.build().expect("a valid scene")
    };
    let [mut one, mut two] = [cloud(false), cloud(true)];
    // the interaction range scales with the smaller body: far fewer pairs are within it
    let [all, few] = [&one, &two].map(|simulation| simulation.pairs_and_contacts().0);
    assert!(2 * few < all, "{few} of {all}");
    // neighbours are a fifth of a radius apart and approach at 110 radii a second
    run_until(&mut one, 4e-3);
    run_until(&mut two, 4e-3);
    assert!(one.contacts().iter().any(|contact| contact.cohesion > 0.0), "bridges have formed");
    for id in 0..126 {
        assert_eq!(position(&one, id), position(&two, id));
        assert_eq!(velocity(&one, id), velocity(&two, id));
    }
}
