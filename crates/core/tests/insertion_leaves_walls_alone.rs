//! Particles inserted at random or on a lattice neither overlap walls nor lie behind them.

use esker::insert::{Amount, Placement, Radius, Region, Source};
use esker::prelude::*;
use esker::wall::Mesh;

const RADIUS: f64 = 0.03;

fn simulation(placement: Placement, shape: Shape) -> Simulation {
    scene(placement, vec![shape]).build().expect("the scene is good")
}

fn scene(placement: Placement, shapes: Vec<Shape>) -> Scene {
    let mut scene = Scene::new();
    scene.domain = Some(Domain::new(Vec3::splat(-1.0), Vec3::splat(2.0)));
    scene.contact = ContactModel::normal(normal::Hertz::default());
    let glass = Material::new().density(2500.0).young_modulus(5.0e7).poisson_ratio(0.24);
    let glass = scene.add_material("glass", glass);
    scene.set_pair(glass, glass, Pair::new());
    for (index, shape) in shapes.into_iter().enumerate() {
        scene.add_wall(&format!("wall {index}"), shape, glass);
    }
    scene.particles.push(Source::new("grains", glass, Radius::Constant(RADIUS), placement));
    scene
}

fn placements() -> [Placement; 2] {
    let (min, max) = (Vec3::ZERO, Vec3::ONE);
    [
        Placement::Random { region: Region::Box { min, max }, amount: Amount::Count(400) },
        Placement::Lattice { min, max, spacing: Vec3::splat(0.08), count: None, jitter: 0.005 },
    ]
}

/// Positions of all particles.
fn positions(simulation: &Simulation) -> Vec<Vec3> {
    let particles = simulation.particles();
    let positions: Vec<Vec3> = particles.iter().map(|(_, particle)| particle.position).collect();
    assert!(positions.len() > 300, "{}", positions.len());
    positions
}

/// A square through the middle of the region, tilted by 45°: |z − x|/√2 is the distance from it.
fn corners() -> [Vec3; 4] {
    [[-0.5, -0.5, -0.5], [1.5, -0.5, 1.5], [1.5, 1.5, 1.5], [-0.5, 1.5, -0.5]].map(Vec3::from_array)
}

fn assert_clear_of_the_square(positions: &[Vec3]) {
    for position in positions {
        let distance = (position.z - position.x).abs() / 2.0_f64.sqrt();
        assert!(distance > RADIUS * (1.0 - 1e-6), "{position} is {distance} from the wall");
    }
    let above = positions.iter().filter(|position| position.z > position.x).count();
    assert!(above > 50 && positions.len() - above > 50, "both sides are filled");
}

#[test]
fn no_particle_overlaps_a_rectangle_through_the_region() {
    let [a, b, _, d] = corners();
    for placement in placements() {
        let shape = Shape::Rectangle { corner: a, edges: [b - a, d - a] };
        assert_clear_of_the_square(&positions(&simulation(placement, shape)));
    }
}

#[test]
fn no_particle_overlaps_a_mesh_through_the_region() {
    for placement in placements() {
        let mesh = Mesh::new(corners().to_vec(), vec![[0, 1, 2], [0, 2, 3]], 0.1);
        let shape = Shape::Mesh(mesh.expect("two triangles").0.into());
        assert_clear_of_the_square(&positions(&simulation(placement, shape)));
    }
}

#[test]
fn no_particle_is_inserted_in_a_solid_ball_or_below_a_floor() {
    let center = Vec3::splat(0.5);
    for placement in placements() {
        let shape = Shape::Sphere { center, radius: 0.3, side: Side::Outside };
        for position in positions(&simulation(placement.clone(), shape)) {
            let distance = (position - center).length() - 0.3;
            assert!(distance > RADIUS * (1.0 - 1e-6), "{position} is {distance} from the ball");
        }
        let shape = Shape::HalfSpace { point: Vec3::Z * 0.25, normal: Vec3::Z };
        for position in positions(&simulation(placement, shape)) {
            assert!(position.z > 0.25 + RADIUS * (1.0 - 1e-6), "{position}");
        }
    }
}

/// A wall on the border of the region, as in most scenes, changes nothing.
#[test]
fn a_wall_on_the_border_changes_no_position() {
    for placement in placements() {
        let near = Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z };
        let far = Shape::HalfSpace { point: Vec3::Z * -0.9, normal: Vec3::Z };
        let with = positions(&simulation(placement.clone(), near));
        assert_eq!(with, positions(&simulation(placement, far)));
    }
}

/// A cylinder in the middle of the region, which extends beyond it on all sides but the ends.
fn bin(side: Side) -> Shape {
    let axis = Vec3::new(0.5, 0.5, 0.0);
    Shape::Cylinder { start: axis - Vec3::Z, end: axis + 2.0 * Vec3::Z, radius: 0.4, side }
}

fn from_axis(position: Vec3) -> f64 {
    (position - Vec3::new(0.5, 0.5, position.z)).length()
}

fn stream() -> Placement {
    let region = Region::Box { min: Vec3::ZERO, max: Vec3::ONE };
    Placement::Stream { region, rate: 1e7, count: Some(200), start: 0.0 }
}

#[test]
fn random_positions_are_inside_a_cylinder_with_its_particles_inside() {
    let [random, _] = placements();
    for position in positions(&simulation(random, bin(Side::Inside))) {
        assert!(from_axis(position) <= 0.4 - RADIUS * (1.0 - 1e-6), "{position}");
    }
}

#[test]
fn a_lattice_fills_exactly_the_points_inside_a_cylinder() {
    let spacing = Vec3::splat(0.08);
    let (min, max) = (Vec3::ZERO, Vec3::ONE);
    let lattice = Placement::Lattice { min, max, spacing, count: None, jitter: 0.0 };
    // lines of points from RADIUS on: 12 in each direction
    let coordinates: Vec<f64> = (0..12).map(|k| RADIUS + 0.08 * f64::from(k)).collect();
    for side in [Side::Inside, Side::Outside] {
        let is_admitted = |x: f64, y: f64| {
            let distance = (x - 0.5).hypot(y - 0.5);
            match side {
                Side::Inside => distance <= 0.4 - RADIUS,
                Side::Outside => distance >= 0.4 + RADIUS,
            }
        };
        let columns = coordinates.iter().flat_map(|x| coordinates.iter().map(|y| (*x, *y)));
        let expected = 12 * columns.filter(|(x, y)| is_admitted(*x, *y)).count();
        let simulation = simulation(lattice.clone(), bin(side));
        assert_eq!(simulation.particles().len(), expected);
    }
}

#[test]
fn a_stream_rains_only_inside_a_cylinder_with_its_particles_inside() {
    let mut simulation = simulation(stream(), bin(Side::Inside));
    for _ in 0..200 {
        simulation.step().expect("a healthy step");
    }
    let particles = simulation.particles();
    assert_eq!(particles.len(), 200);
    for (_, particle) in particles.iter() {
        let position = particle.position;
        // they have hardly moved
        assert!(from_axis(position) <= 0.4 - 0.99 * RADIUS, "{position}");
    }
}

#[test]
fn no_particle_is_inserted_beside_a_cone_or_outside_a_sphere_around_the_particles() {
    let [start, end] = [0.0, 1.0].map(|z| Vec3::new(0.5, 0.5, z));
    let (start_radius, end_radius) = (0.2, 0.7);
    let cone = Shape::Cone { start, end, start_radius, end_radius, side: Side::Inside };
    let sphere = Shape::Sphere { center: Vec3::splat(0.5), radius: 0.5, side: Side::Inside };
    for placement in placements() {
        for position in positions(&simulation(placement.clone(), cone.clone())) {
            let slope = 0.5_f64.hypot(1.0);
            let distance = (0.2 + 0.5 * position.z - from_axis(position)) / slope;
            assert!(distance >= RADIUS * (1.0 - 1e-6), "{position}");
        }
        for position in positions(&simulation(placement, sphere.clone())) {
            let from_center = (position - Vec3::splat(0.5)).length();
            assert!(from_center <= 0.5 - RADIUS * (1.0 - 1e-6), "{position}");
        }
    }
}

#[test]
fn beyond_the_end_of_a_cylinder_particles_may_be_anywhere() {
    let axis = Vec3::new(0.5, 0.5, 0.0);
    let wall = |end: f64| Shape::Cylinder {
        start: axis - Vec3::Z,
        end: axis + end * Vec3::Z,
        radius: 0.4,
        side: Side::Inside,
    };
    let all = positions(&simulation(placements()[1].clone(), wall(-0.5)));
    let some = positions(&simulation(placements()[1].clone(), wall(0.5)));
    let upper = |all: &[Vec3]| all.iter().filter(|position| position.z > 0.55).count();
    let outer = |position: &&Vec3| position.z < 0.5 && from_axis(**position) > 0.4;
    assert_eq!(upper(&all), upper(&some));
    assert_eq!(some.iter().filter(outer).count(), 0);
    assert!(all.iter().any(|position| outer(&position)));
}

#[test]
fn two_cylinders_side_by_side_are_both_filled() {
    let cup = |x: f64| Shape::Cylinder {
        start: Vec3::new(x, 0.5, -0.5),
        end: Vec3::new(x, 0.5, 1.5),
        radius: 0.24,
        side: Side::Inside,
    };
    let [_, lattice] = placements();
    let simulation = scene(lattice, vec![cup(0.25), cup(0.75)]).build().expect("a good scene");
    let away = |position: Vec3, x: f64| (position.x - x).hypot(position.y - 0.5);
    let particles = simulation.particles();
    let all: Vec<Vec3> = particles.iter().map(|(_, particle)| particle.position).collect();
    for x in [0.25, 0.75] {
        let inside = all.iter().filter(|position| away(**position, x) < 0.24 - 0.99 * RADIUS);
        assert!(inside.count() > 100);
    }
    let is_inside = |position: &Vec3| [0.25, 0.75].iter().any(|x| away(*position, *x) < 0.24);
    assert!(all.iter().all(is_inside));
}

#[test]
fn a_dense_packing_that_extends_beyond_the_side_of_a_wall_is_refused() {
    let region = Region::Box { min: Vec3::ZERO, max: Vec3::ONE };
    let dense = Placement::Grow { region, amount: Amount::Count(400) };
    let error = scene(dense, vec![bin(Side::Inside)]).build().expect_err("it reaches beyond");
    assert!(error.to_string().contains("on the wrong side of a wall"), "{error}");
    let [start, end] = [0.0, 1.0].map(|z| Vec3::new(0.5, 0.5, z));
    let region = Region::Cylinder { start, end, radius: 0.4 };
    let dense = Placement::Grow { region, amount: Amount::Count(400) };
    let within = scene(dense, vec![bin(Side::Inside)]).build().expect("it does not");
    assert_eq!(within.particles().len(), 400);
}
