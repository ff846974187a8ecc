//! Every pair and every wall within the interaction range is found, for all sizes, periods, motions and search methods:
//! compared with a test of all pairs.

use esker::law::{
    Contacts, Encounter, Evaluate, Forces, History, Law, Model, PairContext, Step, WIDTH,
};
use esker::measure::Partner;
use esker::prelude::*;
use esker::random::{Draws, Purpose};
use esker::search::{SearchMethod, SearchOptions};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A weak attraction beyond contact, written with the public traits only.
#[derive(Debug, Clone, Copy)]
struct Magnet {
    interaction_range: f64,
    force: f64,
}

impl Model for Magnet {
    fn name(&self) -> &'static str {
        "magnet"
    }

    fn for_pair(&self, _context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        Some(Box::new(*self))
    }
}

impl Evaluate for Magnet {
    type History = ();

    fn evaluate(
        &self,
        contacts: &Contacts,
        _step: &Step,
        _history: History<'_, ()>,
        forces: &mut Forces,
    ) {
        for c in 0..WIDTH {
            let gap = (-contacts.overlap[c]).max(0.0);
            forces.cohesion[c] += self.force * (1.0 - gap / self.interaction_range).max(0.0);
        }
    }
}

impl Law for Magnet {
    fn interaction_range(&self) -> f64 {
        self.interaction_range
    }

    fn contact_time(&self, encounter: &Encounter) -> Option<f64> {
        Some((encounter.effective_mass * self.interaction_range / self.force).sqrt())
    }
}

/// Distributions of the sizes.
#[derive(Debug, Clone, Copy)]
enum Sizes {
    Equal,
    OneToFifty,
    LogNormal,
}

#[derive(Debug, Clone, Copy)]
struct Cloud {
    seed: u64,
    count: usize,
    sizes: Sizes,
    periodic: [bool; 3],
    interaction_range: Option<f64>,
    method: SearchMethod,
    skin: Option<f64>,
    /// Largest component of the velocities [m/s].
    speed: f64,
}

/// Mean radius, the unit of lengths here [m].
const RADIUS: f64 = 1e-3;

impl Cloud {
    fn radius(&self, id: u64) -> f64 {
        let draws = Draws::new(self.seed, Purpose::Test, id);
        match self.sizes {
            Sizes::Equal => RADIUS,
            // one boulder, or a few, among sand
            Sizes::OneToFifty if id.is_multiple_of(97) => 10.0 * RADIUS,
            Sizes::OneToFifty => 0.2 * RADIUS,
            Sizes::LogNormal => RADIUS * (0.5 * draws.normal(9).clamp(-2.5, 2.5)).exp(),
        }
    }

    /// Edges of the box: at least the shortest period that a scene may have, so that few cells fit.
    fn edges(&self) -> Vec3 {
        let largest = (0..self.count as u64).map(|id| self.radius(id)).fold(0.0, f64::max);
        let skin = self.skin.unwrap_or(0.1 * largest);
        let shortest = 2.0 * (2.0 * largest + self.interaction_range.unwrap_or(0.0) + skin);
        let draws = Draws::new(self.seed, Purpose::Test, u64::MAX);
        shortest
            * Vec3::from_array(std::array::from_fn(|axis| {
                1.001 + 2.0 * draws.uniform(axis as u32).powi(2)
            }))
    }

    fn scene(&self) -> Scene {
        let mut scene = Scene::new();
        scene.search = SearchOptions { method: self.method, skin: self.skin };
        // random points may overlap: only the search is under test
        scene.health.overlap_limit = f64::INFINITY;
        scene.contact = ContactModel::normal(normal::Linear::default());
        if let Some(interaction_range) = self.interaction_range {
            scene.contact = scene.contact.cohesion(Magnet { interaction_range, force: 1e-9 });
        }
        let material = Material::new().density(1000.0).young_modulus(1e6).poisson_ratio(0.3);
        let grain = scene.add_material("grain", material);
        scene.set_pair(grain, grain, Pair::new().normal_stiffness(1e-6));
        let edges = self.edges();
        scene.domain = Some(Domain {
            periodic: self.periodic,
            outside: Outside::Delete,
            ..Domain::new(Vec3::ZERO, edges)
        });
        let middle = 0.5 * edges;
        let shaking = Motion::Oscillation {
            amplitude: Vec3::new(0.3, 0.2, 0.4) * edges,
            frequency: 20.0,
            phase: 0.0,
        };
        let plate = Shape::Disc { center: middle, normal: Vec3::Z, radius: 0.2 * edges.x };
        scene.add_moving_wall("plate", plate, grain, shaking);
        let rotation = Motion::Rotation { point: middle, axis: Vec3::X, rate: 40.0 };
        let leaf = Shape::HalfSpace { point: middle - Vec3::Z * 0.4 * edges.z, normal: Vec3::Z };
        scene.add_moving_wall("leaf", leaf, grain, rotation);
        let spheres = (0..self.count as u64).map(|id| {
            let draws = Draws::new(self.seed, Purpose::Test, id);
            let vector = |first: u32| {
                Vec3::from_array(std::array::from_fn(|axis| draws.uniform(first + axis as u32)))
            };
            // some exactly on the boundary
            let mut position = vector(0) * edges;
            if id.is_multiple_of(13) {
                position.x = 0.0;
                position.y = edges.y;
            }
            Sphere {
                velocity: self.speed * (2.0 * vector(3) - Vec3::ONE),
                ..Sphere::new(self.radius(id), position)
            }
        });
        scene.particles.push(Source::list("cloud", grain, spheres.collect()));
        scene.step = StepSize::Fixed(1e-4);
        scene
    }
}

/// Gap below which the comparison omits a pair, since rounding decides whether it is found [m].
const DOUBTFUL: f64 = 1e-12;

/// Partners within the interaction range by a test of all pairs, and those that depend on rounding.
fn all_within_range(
    simulation: &Simulation,
    interaction_range: f64,
) -> (Vec<(ParticleId, Partner)>, usize) {
    let snapshot = simulation.snapshot();
    let size = snapshot.domain_max - snapshot.domain_min;
    let mut found = Vec::new();
    let mut doubtful = 0;
    let mut note = |first: ParticleId, second: Partner, gap: f64| {
        if (gap - interaction_range).abs() < DOUBTFUL {
            doubtful += 1;
        } else if gap < interaction_range {
            found.push((first, second));
        }
    };
    for (index, own) in snapshot.particles.iter().enumerate() {
        for other in &snapshot.particles[index + 1..] {
            let mut nearest = f64::INFINITY;
            for image in 0..27 {
                let mut difference = other.position - own.position;
                for axis in (0..3).filter(|&axis| snapshot.periodic[axis]) {
                    difference[axis] +=
                        f64::from(image / 3i32.pow(axis as u32) % 3 - 1) * size[axis];
                }
                nearest = nearest.min(difference.length());
            }
            let gap = nearest - own.radius - other.radius;
            note(own.id, Partner::Particle(other.id), gap);
        }
        for (wall, view) in snapshot.walls.iter().enumerate() {
            let local = view.pose.to_local(own.position);
            if let Some(touch) = view.shape.closest_point(local) {
                note(own.id, Partner::Wall(WallId::new(wall as u16)), touch.distance - own.radius);
            }
        }
    }
    (found, doubtful)
}

/// Compares at the start and after steps; returns the number of contacts compared.
fn compare(cloud: Cloud, steps: u64) -> usize {
    let mut simulation = cloud.scene().build().expect("a valid scene");
    let interaction_range = cloud.interaction_range.unwrap_or(0.0);
    let mut compared = 0;
    for step in 0..=steps {
        if step > 0 {
            simulation.step().expect("a healthy step");
        }
        // the first steps, after a rebuild, and then now and then
        if step > 3 && !step.is_multiple_of(17) {
            continue;
        }
        let (expected, doubtful) = all_within_range(&simulation, interaction_range);
        let found: Vec<(ParticleId, Partner)> =
            simulation.contacts().iter().map(|contact| (contact.first, contact.second)).collect();
        let missed: Vec<_> = expected.iter().filter(|pair| !found.contains(pair)).collect();
        assert!(missed.is_empty(), "step {step}: missed {missed:?} of {cloud:?}");
        assert!(found.len() <= expected.len() + doubtful, "step {step}: too many in {cloud:?}");
        compared += expected.len();
    }
    compared
}

fn clouds() -> impl Strategy<Value = Cloud> {
    let sizes = prop_oneof![Just(Sizes::Equal), Just(Sizes::OneToFifty), Just(Sizes::LogNormal)];
    let method = prop_oneof![
        3 => Just(SearchMethod::Grid),
        1 => Just(SearchMethod::Cubes),
        1 => Just(SearchMethod::BruteForce),
    ];
    let interaction_range = prop_oneof![
        Just(None),
        (0.05..1.5).prop_map(|interaction_range| Some(interaction_range * RADIUS))
    ];
    let skin = prop_oneof![
        2 => Just(None),
        1 => Just(Some(1e-9)),
        1 => (0.01..1.0).prop_map(|skin| Some(skin * RADIUS)),
    ];
    (
        any::<u64>(),
        2usize..250,
        sizes,
        any::<[bool; 3]>(),
        interaction_range,
        method,
        skin,
        0.0..4.0,
    )
        .prop_map(|(seed, count, sizes, periodic, interaction_range, method, skin, speed)| {
            Cloud { seed, count, sizes, periodic, interaction_range, method, skin, speed }
        })
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::with_cases(60)
    })]

    #[test]
    fn every_pair_and_wall_within_range_is_found_while_clouds_and_walls_move(cloud in clouds()) {
        compare(cloud, 60);
    }
}

#[test]
fn fast_particles_that_use_up_their_skins_miss_no_contact() {
    let cloud = Cloud {
        seed: 3,
        count: 300,
        sizes: Sizes::LogNormal,
        periodic: [true, false, true],
        interaction_range: None,
        method: SearchMethod::Grid,
        skin: Some(0.05 * RADIUS),
        // a step is up to a fifth of a radius
        speed: 2.0,
    };
    assert!(compare(cloud, 800) > 1000);
}

#[test]
fn one_boulder_among_sand_has_the_same_contacts_for_every_method() {
    for method in [SearchMethod::Grid, SearchMethod::Cubes, SearchMethod::BruteForce] {
        let cloud = Cloud {
            seed: 8,
            count: 600,
            sizes: Sizes::OneToFifty,
            periodic: [true; 3],
            interaction_range: Some(0.3 * RADIUS),
            method,
            skin: None,
            speed: 0.5,
        };
        assert!(compare(cloud, 100) > 500);
    }
}

#[test]
fn a_law_with_an_interaction_range_acts_across_the_gap_and_not_beyond_it() {
    let interaction_range = 0.5 * RADIUS;
    for (gap, acts) in [(0.9 * interaction_range, true), (1.1 * interaction_range, false)] {
        let mut scene = Scene::new();
        scene.contact = ContactModel::normal(normal::Hertz::default())
            .cohesion(Magnet { interaction_range, force: 1e-6 });
        let material = Material::new().density(1000.0).young_modulus(1e6).poisson_ratio(0.3);
        let grain = scene.add_material("grain", material);
        scene.set_pair(grain, grain, Pair::new());
        for x in [0.0, 2.0 * RADIUS + gap] {
            let sphere = Sphere::new(RADIUS, Vec3::X * x);
            scene.add_sphere(grain, sphere);
        }
        let mut simulation = scene.build().expect("a valid scene");
        simulation.step().expect("a healthy step");
        let force = simulation.particles().load(ParticleId::new(0)).expect("it is there").force;
        let expected = if acts { 1e-6 * (1.0 - gap / interaction_range) } else { 0.0 };
        // the pair has moved slightly by then
        assert!((force.x - expected).abs() <= 1e-2 * expected, "{force} {expected}");
    }
}

#[test]
fn fast_particles_among_slow_ones_have_their_own_skins() {
    for (seed, periodic) in [(1, [true; 3]), (2, [false; 3]), (3, [true, true, false])] {
        let cloud = Cloud {
            seed,
            count: 300,
            sizes: Sizes::Equal,
            periodic,
            interaction_range: None,
            method: SearchMethod::Grid,
            skin: None,
            speed: 1.0,
        };
        assert!(compare(cloud, 300) > 300);
    }
}
