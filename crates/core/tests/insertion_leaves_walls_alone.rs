//! Particles at random and on a lattice are put neither into walls nor through them.

use esker::insert::{Amount, Placement, Radius, Region, Source};
use esker::prelude::*;
use esker::wall::Mesh;

const RADIUS: f64 = 0.03;

fn simulation(placement: Placement, shape: Shape) -> Simulation {
    let mut scene = Scene::new();
    scene.domain = Some(Domain::new(Vec3::splat(-1.0), Vec3::splat(2.0)));
    scene.contact = ContactModel::normal(normal::Hertz::default());
    let glass = Material {
        density: 2500.0,
        young_modulus: 5.0e7,
        poisson_ratio: 0.24,
        ..Material::default()
    };
    let glass = scene.add_material("glass", glass);
    scene.set_pair(glass, glass, Pair::new());
    scene.add_wall("wall", shape, glass);
    scene.particles.push(Source {
        name: "grains".to_owned(),
        material: glass,
        radius: Radius::Constant(RADIUS),
        placement,
        ..Source::default()
    });
    scene.build().expect("the scene is good")
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
    let positions: Vec<Vec3> =
        (0..particles.len() as u64).filter_map(|id| particles.position(id)).collect();
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
fn a_rectangle_through_the_region_is_left_alone() {
    let [a, b, _, d] = corners();
    for placement in placements() {
        let shape = Shape::Rectangle { corner: a, edges: [b - a, d - a] };
        assert_clear_of_the_square(&positions(&simulation(placement, shape)));
    }
}

#[test]
fn a_mesh_through_the_region_is_left_alone() {
    for placement in placements() {
        let mesh = Mesh::new(corners().to_vec(), vec![[0, 1, 2], [0, 2, 3]], 0.1);
        let shape = Shape::Mesh(mesh.expect("two triangles").0.into());
        assert_clear_of_the_square(&positions(&simulation(placement, shape)));
    }
}

#[test]
fn nothing_is_put_into_a_solid_ball_or_beyond_a_floor() {
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

/// A wall on the border of the region, as most scenes have it, changes nothing.
#[test]
fn a_wall_on_the_border_changes_no_place() {
    for placement in placements() {
        let near = Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z };
        let far = Shape::HalfSpace { point: Vec3::Z * -0.9, normal: Vec3::Z };
        let with = positions(&simulation(placement.clone(), near));
        assert_eq!(with, positions(&simulation(placement, far)));
    }
}
