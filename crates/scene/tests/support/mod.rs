//! Snapshots for the tests of the writers, made by a formula.

// Each test program uses a part of this file.
#![allow(dead_code)]

use esker::measure::{ContactView, ParticleView, Partner, Snapshot, WallView};
use esker::wall::{Pose, Shape, Side};
use esker::{GroupId, MaterialId, ParticleId, WallId};
use esker::{Quat, Vec3};

/// A deterministic pseudo-random number in [0, 1).
pub fn noise(index: u64) -> f64 {
    let mixed = (index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed >> 11) as f64 / (1u64 << 53) as f64
}

pub fn noise_vector(index: u64) -> Vec3 {
    Vec3::new(noise(3 * index), noise(3 * index + 1), noise(3 * index + 2))
}

pub fn particle(id: u64, position: Vec3, radius: f64) -> ParticleView {
    let rotation = noise_vector(id + 77) - 0.5;
    ParticleView {
        id: ParticleId::new(id as u32),
        group: GroupId::new((id % 2) as u16),
        material: MaterialId::new(0),
        radius,
        mass: radius.powi(3),
        charge: 0.0,
        position,
        image: [0, -1, 2],
        velocity: noise_vector(id + 1000) - 0.5,
        spin: noise_vector(id + 2000) / 3.0,
        orientation: Quat::from_scaled_axis(rotation),
        force: noise_vector(id + 3000),
        torque: noise_vector(id + 4000),
        coordination: (id % 7) as u32,
    }
}

pub fn contact(first: &ParticleView, second: Partner, to: Vec3) -> ContactView {
    ContactView {
        first: first.id,
        second,
        first_position: first.position,
        second_position: to,
        normal: (to - first.position).normalize_or(Vec3::Z),
        overlap: 1e-7 * noise(first.id.into()),
        closing_speed: 1e-3,
        elastic: 2.0 + noise(first.id.into()),
        damping: 0.1,
        cohesion: 0.01,
        tangential: noise_vector(first.id.into()),
        moment: Vec3::X * 1e-9,
        slip_velocity: Vec3::Y,
        normal_stiffness: 1e5,
        tangential_stiffness: 8e4,
        contact_radius: 1e-4,
        elastic_displacement: 1e-8 * Vec3::X,
        sliding_displacement: None,
        sliding: first.id.number().is_multiple_of(3),
        friction_excess: 0.0,
        slip_mobility: 0.0,
    }
}

pub fn wall(name: &str, shape: Shape) -> WallView {
    WallView {
        name: name.to_string(),
        shape,
        pose: Pose {
            rotation: Quat::IDENTITY,
            translation: Vec3::ZERO,
            velocity: Vec3::X,
            spin: Vec3::ZERO,
            center: Vec3::ZERO,
        },
        force: Vec3::ONE / 3.0,
        torque: Vec3::ZERO,
        work: 1e-9 / 7.0,
        present: true,
    }
}

/// `count` particles in a unit box, each touching the next one, inside a cylinder on a floor.
pub fn snapshot(count: u64, time: f64) -> Snapshot {
    let particles: Vec<_> =
        (0..count).map(|id| particle(id, noise_vector(id), 0.01 + 0.01 * noise(id))).collect();
    let mut contacts: Vec<_> = particles
        .windows(2)
        .map(|pair| contact(&pair[0], Partner::Particle(pair[1].id), pair[1].position))
        .collect();
    if let Some(last) = particles.last() {
        let below = last.position.with_z(0.0);
        contacts.push(contact(last, Partner::Wall(WallId::new(0)), below));
    }
    let floor = Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z };
    let tube = Shape::Cylinder {
        start: Vec3::new(0.5, 0.5, 0.0),
        end: Vec3::new(0.5, 0.5, 1.0),
        radius: 0.8,
        side: Side::Inside,
    };
    Snapshot {
        time,
        step: (time * 1000.0) as u64,
        time_step: 1e-3,
        stage: "settle".to_string(),
        groups: vec!["grains <&>".to_string(), "größer".to_string()],
        materials: vec!["glass".to_string()],
        domain_min: Vec3::splat(-1.0),
        domain_max: Vec3::splat(2.0),
        periodic: [false; 3],
        particles,
        contacts,
        walls: vec![wall("floor", floor), wall("tube", tube)],
        stable_contacts: 2,
    }
}
