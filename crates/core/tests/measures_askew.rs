//! Measures on asymmetric configurations: every component, mass and number differs, so that an exchanged component or a
//! wrong factor shows. Also across the ends of a periodic domain.

use esker::measure::{
    CenterOfMass, Clusters, ContactView, Coordination, Discharged, Fabric, HeightProfile, Measure,
    MeasureState, MixingIndex, Momentum, ParticleView, Partner, Snapshot, Stress,
};
use esker::{GroupId, MaterialId, ParticleId, Quat, Vec3};

fn particle(id: u64, mass: f64, position: Vec3) -> ParticleView {
    ParticleView {
        id: ParticleId::new(id as u32),
        group: GroupId::new(0),
        material: MaterialId::new(0),
        radius: 0.1,
        mass,
        charge: 0.0,
        position,
        image: [0; 3],
        velocity: Vec3::ZERO,
        spin: Vec3::ZERO,
        orientation: Quat::IDENTITY,
        force: Vec3::ZERO,
        torque: Vec3::ZERO,
        coordination: 0,
    }
}

/// In a cube of edge 1, periodic if requested.
fn snapshot(particles: Vec<ParticleView>, periodic: [bool; 3]) -> Snapshot {
    Snapshot {
        groups: vec!["grains".to_owned(), "others".to_owned()],
        domain_min: Vec3::ZERO,
        domain_max: Vec3::ONE,
        periodic,
        particles,
        ..Snapshot::default()
    }
}

/// The second particle is pushed away by `force` along the branch from the first to it, and loaded by `-tangential`.
fn contact(
    first: &ParticleView,
    (second, second_position): (u64, Vec3),
    force: f64,
    tangential: Vec3,
) -> ContactView {
    ContactView {
        first: first.id,
        second: Partner::Particle(ParticleId::new(second as u32)),
        first_position: first.position,
        second_position,
        normal: (second_position - first.position).normalize(),
        overlap: 1e-3,
        closing_speed: 0.0,
        elastic: force,
        damping: 0.0,
        cohesion: 0.0,
        tangential,
        moment: Vec3::ZERO,
        slip_velocity: Vec3::ZERO,
        normal_stiffness: 1.0,
        tangential_stiffness: 0.0,
        contact_radius: 0.0,
        elastic_displacement: Vec3::ZERO,
        sliding_displacement: None,
        sliding: false,
        friction_excess: 0.0,
        slip_mobility: 0.0,
    }
}

fn values<M: Measure + serde::de::DeserializeOwned>(
    options: &str,
    now: &Snapshot,
) -> Vec<Option<f64>> {
    let measure: M = serde_json::from_str(options).expect("the options are good");
    measure.values(now, &mut MeasureState::default())
}

#[track_caller]
fn assert_near(found: &[Option<f64>], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let found = found.expect("it is there");
        assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
    }
}

/// Two bodies of 2 kg and 3 kg, the second one period further along x and one back along y.
fn travellers() -> Snapshot {
    let mut one = particle(0, 2.0, Vec3::new(0.1, 0.2, 0.3));
    let mut other = particle(1, 3.0, Vec3::new(0.6, 0.9, 0.4));
    one.velocity = Vec3::new(1.0, -2.0, 3.0);
    other.velocity = Vec3::new(0.5, 4.0, -1.0);
    other.spin = Vec3::new(10.0, 20.0, 30.0);
    other.image = [1, -1, 0];
    snapshot(vec![one, other], [true, true, false])
}

/// Computed by hand: the second is at (1.6, −0.1, 0.4).
#[test]
fn centre_and_momenta_have_every_component_of_the_unwrapped_positions() {
    let center = [(0.2 + 4.8) / 5.0, (0.4 - 0.3) / 5.0, (0.6 + 1.2) / 5.0];
    assert_near(&values::<CenterOfMass>("{}", &travellers()), &center);
    // About (1, 1, 1): arms (−0.9, −0.8, −0.7) and (0.6, −1.1, −0.6); spin 0.4 · 3 kg · 0.01 m².
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let first = cross([-0.9, -0.8, -0.7], [2.0, -4.0, 6.0]);
    let second = cross([0.6, -1.1, -0.6], [1.5, 12.0, -3.0]);
    let spin = [0.12, 0.24, 0.36];
    let angular = [0, 1, 2].map(|axis| first[axis] + second[axis] + spin[axis]);
    let expected = [[3.5, 8.0, 3.0], angular].concat();
    assert_near(&values::<Momentum>(r#"{"about": [1, 1, 1]}"#, &travellers()), &expected);
}

/// One contact: σ = f ⊗ l / V with the force on the second particle and the branch to it, in all nine components.
#[test]
fn stress_is_the_product_of_force_and_branch_in_every_component() {
    let one = particle(0, 1.0, Vec3::new(0.4, 0.5, 0.6));
    let branch = Vec3::new(0.1, 0.12, -0.11);
    let other = particle(1, 1.0, one.position + branch);
    // At right angles to the branch.
    let tangential = Vec3::new(1.2, -1.0, 0.0);
    let pushed = 5.0 * branch.normalize() - tangential;
    let mut two = snapshot(vec![one, other], [false; 3]);
    two.contacts = vec![contact(&one, (1, other.position), 5.0, tangential)];
    let region = r#"{"region": {"box": {"min": [0, 0, 0], "max": [1, 1, 2]}}}"#;
    let mut expected = Vec::new();
    for i in 0..3 {
        for j in 0..3 {
            expected.push(pushed[i] * branch[j] / 2.0);
        }
    }
    let found = values::<Stress>(region, &two);
    assert_near(&found[..9], &expected);
    // 5 N along the branch: the trace does not depend on the tangential force.
    assert_near(&found[9..10], &[5.0 * branch.length() / 6.0]);
}

/// A contact across the corner of the domain: its point is at the opposite end, where it counts.
#[test]
fn a_contact_across_periodic_ends_counts_where_its_point_is_inside() {
    let one = particle(0, 1.0, Vec3::new(0.95, 0.5, 0.93));
    let branch = Vec3::new(0.16, 0.0, 0.115);
    let other = particle(1, 1.0, (one.position + branch) - Vec3::new(1.0, 0.0, 1.0));
    let mut across = snapshot(vec![one, other], [true, false, true]);
    across.contacts = vec![contact(&one, (1, one.position + branch), 4.0, Vec3::ZERO)];
    // The point is 0.0995 m along the branch: at (1.031, 0.5, 0.988) and so at (0.031, 0.5, 0.988).
    let at = |x: [f64; 2], z: [f64; 2]| {
        format!(
            r#"{{"region": {{"box": {{"min": [{}, 0, {}], "max": [{}, 1, {}]}}}}}}"#,
            x[0], z[0], x[1], z[1]
        )
    };
    let inside = at([0.0, 0.1], [0.9, 1.0]);
    let found = values::<Stress>(&inside, &across);
    let volume = 0.01;
    assert_near(&found[..1], &[4.0 / branch.length() * 0.16 * 0.16 / volume]);
    assert_near(&found[2..3], &[4.0 / branch.length() * 0.16 * 0.115 / volume]);
    assert_eq!(found[11], Some(1.0));
    assert_eq!(values::<Fabric>(&inside, &across)[10], Some(1.0));
    for elsewhere in [at([0.9, 1.0], [0.9, 1.0]), at([0.0, 0.1], [0.0, 0.1])] {
        assert_eq!(values::<Stress>(&elsewhere, &across)[11], Some(0.0), "{elsewhere}");
        assert_eq!(values::<Fabric>(&elsewhere, &across)[10], Some(0.0), "{elsewhere}");
    }
    let touching = values::<Clusters>("{}", &across);
    assert_eq!(touching[..3], [1.0, 0.0, 2.0].map(Some));
    // Two of one mass at a distance: half of it.
    assert_near(&touching[6..7], &[0.5 * branch.length()]);
}

/// Two directions, one twice as frequent: F = (2 n ⊗ n + m ⊗ m)/3. With m perpendicular to n the principal values are
/// 2/3, 1/3 and 0, and the first is along n.
#[test]
fn fabric_has_every_component_and_its_major_direction() {
    let n = Vec3::new(1.0, 2.0, 3.0) / 14.0_f64.sqrt();
    let m = Vec3::new(3.0, 0.0, -1.0) / 10.0_f64.sqrt();
    let one = particle(0, 1.0, Vec3::splat(0.5));
    let mut star = snapshot(vec![one], [false; 3]);
    for (id, direction) in [(1, n), (2, -n), (3, m)] {
        star.particles.push(particle(id, 1.0, one.position + 0.2 * direction));
        let center = star.particles[id as usize].position;
        star.contacts.push(contact(&one, (id, center), 1.0, Vec3::ZERO));
    }
    let region = r#"{"region": {"ball": {"center": [0.5, 0.5, 0.5], "radius": 1}}}"#;
    let part = |i: usize, j: usize| (2.0 * n[i] * n[j] + m[i] * m[j]) / 3.0;
    let parts = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|(i, j)| part(i, j));
    let expected = [&parts[..], &[2.0 / 3.0], &n.to_array(), &[3.0]].concat();
    assert_near(&values::<Fabric>(region, &star), &expected);
}

/// Partners 3, 1, 1, 1: mean 1.5, and a sample standard deviation of √((2.25 + 3 · 0.25)/3) = 1.
#[test]
fn coordination_has_a_deviation() {
    let hub = particle(0, 1.0, Vec3::splat(0.5));
    let mut star = snapshot(vec![hub], [false; 3]);
    for id in 1..4 {
        let center = hub.position + 0.2 * Vec3::AXES[id as usize - 1];
        star.particles.push(particle(id, 1.0, center));
        star.contacts.push(contact(&hub, (id, center), 1.0, Vec3::ZERO));
    }
    assert_near(&values::<Coordination>("{}", &star)[..3], &[1.5, 1.0, 3.0]);
}

/// Of 1, 2, 3 and 4 kg the second is below: a quarter of the particles and a fifth of the mass.
#[test]
fn discharged_distinguishes_numbers_from_masses() {
    let bed = |height_of_second: f64| {
        let height = |id: u64| if id == 1 { height_of_second } else { 0.5 };
        let particles = (0..4).map(|id| particle(id, id as f64 + 1.0, height(id) * Vec3::Z));
        snapshot(particles.collect(), [false; 3])
    };
    let measure: Discharged =
        serde_json::from_str(r#"{"up": "z", "below": 0.1}"#).expect("the options are good");
    let mut measure_state = MeasureState::default();
    measure.values(&bed(0.5), &mut measure_state);
    measure_state.time = Some(0.0);
    let later = Snapshot { time: 0.5, ..bed(0.05) };
    let found = measure.values(&later, &mut measure_state);
    assert_near(&found, &[1.0, 2.0, 0.25, 0.2, 2.0, 4.0]);
}

/// Heights of 0.3, 0.5 and 1.0 above the floor: mean 0.6, sample standard deviation √(0.26/2).
#[test]
fn a_height_profile_has_a_deviation() {
    let tops = [0.3, 0.5, 1.0];
    let center = |id: usize| Vec3::new(0.2 + 0.3 * id as f64, 0.5, tops[id] - 0.1);
    let particles = (0..3).map(|id| particle(id as u64, 1.0, center(id))).collect();
    let options = r#"{"up": "z", "along": "x", "from": 0.05, "to": 0.95, "bins": 3}"#;
    let found = values::<HeightProfile>(options, &snapshot(particles, [false; 3]));
    assert_near(&found, &[0.6, 0.13_f64.sqrt(), 0.3, 1.0, 0.3, 0.5, 1.0]);
}

/// Masses 1, 2 and 3 at 0, 0.3 and 0.6 along x: their centre is at 0.4, and the radius of gyration of
/// all is √((0.16 + 2 · 0.01 + 3 · 0.04)/6), though none touches another.
#[test]
fn the_radius_of_gyration_is_weighted_by_mass() {
    let center = |id: u64| 0.3 * id as f64 * Vec3::X;
    let particles = (0..3).map(|id| particle(id, id as f64 + 1.0, center(id))).collect();
    let found = values::<Clusters>(r#"{"gap": 0.05}"#, &snapshot(particles, [false; 3]));
    assert_eq!(found[..2], [Some(0.0), Some(3.0)]);
    assert_near(&found[7..], &[(0.3_f64 / 6.0).sqrt()]);
}

/// Three of four in every cube are of the first group.
#[test]
fn the_fraction_of_the_first_group_counts_that_group_only() {
    let mut particles = Vec::new();
    for id in 0..8 {
        let center =
            Vec3::new(if id < 4 { 0.25 } else { 0.75 }, 0.25, 0.1 * (id % 4) as f64 + 0.05);
        particles.push(ParticleView {
            group: GroupId::new((id % 4 == 0).into()),
            ..particle(id, 1.0, center)
        });
    }
    let options = r#"{"particles": ["grains", "others"], "cell": 0.5}"#;
    let found = values::<MixingIndex>(options, &snapshot(particles, [false; 3]));
    assert_near(&found[1..], &[0.0, 0.1875, 0.1875 / 4.0, 2.0, 0.75]);
}
