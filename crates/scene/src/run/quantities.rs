//! Quantities of probes. Sums are in order of id, so that a table has the same bytes for any number of threads.

use super::lazy_snapshot::LazySnapshot;
use esker::ParticleId;
use esker::measure::{ContactView, ParticleView, Snapshot, WallView};
use esker::rotation::{Rodrigues, rotation_vector};
use esker::{Quat, Vec3};

/// Value of a quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value {
    Number(f64),
    Integer(u64),
    Vector(Vec3),
    Quaternion(Quat),
}

use Value::{Integer, Number, Quaternion, Vector};

/// The direction opposite to gravity; z without gravity.
pub(crate) fn up(gravity: Vec3) -> Vec3 {
    (-gravity).normalize_or(Vec3::Z)
}

pub(crate) fn kinetic_energy(particle: &ParticleView) -> f64 {
    // A fixed particle has infinite mass and no kinetic energy.
    if particle.mass.is_finite() {
        0.5 * particle.mass * particle.velocity.length_squared()
    } else {
        0.0
    }
}

/// Rotational energy of a solid sphere: ½ · ⅖ m r² ω² [J].
fn rotational_energy(particle: &ParticleView) -> f64 {
    if particle.mass.is_finite() {
        0.2 * particle.mass * particle.radius * particle.radius * particle.spin.length_squared()
    } else {
        0.0
    }
}

/// Members of a group; all particles if none is named.
pub(crate) fn members<'a>(
    snapshot: &'a Snapshot,
    group: Option<&str>,
) -> impl Iterator<Item = &'a ParticleView> + Clone {
    let index = group.map(|name| snapshot.groups.iter().position(|known| known == name));
    snapshot.particles.iter().filter(move |particle| match index {
        None => true,
        Some(index) => index == Some(particle.group.index()),
    })
}

pub(crate) fn of_group(name: &str, group: Option<&str>, now: &LazySnapshot) -> Option<Value> {
    let members = members(now.snapshot(), group);
    let count = members.clone().count();
    if name == "count" {
        return Some(Integer(count as u64));
    }
    if count == 0 {
        return None;
    }
    let mean = |of: fn(&ParticleView) -> Vec3| {
        members.clone().map(of).fold(Vec3::ZERO, |sum, one| sum + one) / count as f64
    };
    let sum = |of: fn(&ParticleView) -> f64| members.clone().map(of).sum::<f64>();
    let upwards = up(now.simulation.gravity());
    Some(match name {
        "mass" => Number(sum(|p| if p.mass.is_finite() { p.mass } else { 0.0 })),
        "mean_position" => Vector(mean(|p| p.position)),
        "mean_velocity" => Vector(mean(|p| p.velocity)),
        "mean_spin" => Vector(mean(|p| p.spin)),
        "min_position" => Vector(members.map(|p| p.position).fold(Vec3::INFINITY, Vec3::min)),
        "max_position" => Vector(members.map(|p| p.position).fold(Vec3::NEG_INFINITY, Vec3::max)),
        "max_height" => Number(max_height(members, upwards)),
        "max_speed" => Number(members.map(|p| p.velocity.length()).fold(0.0, f64::max)),
        "kinetic_energy" => Number(sum(kinetic_energy)),
        "rotational_energy" => Number(sum(rotational_energy)),
        "mean_coordination" => Number(sum(|p| f64::from(p.coordination)) / count as f64),
        "force" => Vector(count as f64 * mean(|p| p.force)),
        _ => return None,
    })
}

/// Height of the highest point of any particle above the origin [m].
pub(crate) fn max_height<'a>(members: impl Iterator<Item = &'a ParticleView>, up: Vec3) -> f64 {
    members.map(|p| p.position.dot(up) + p.radius).fold(f64::NEG_INFINITY, f64::max)
}

/// Position of a material point of a particle, given by `mark` relative to its centre at the start; not wrapped at
/// periodic boundaries.
pub(crate) fn mark(id: ParticleId, mark: Vec3, now: &LazySnapshot) -> Option<Value> {
    let orientation = now.simulation.particles().orientation(id)?;
    Some(Vector(unwrapped(id, now)? + orientation * mark))
}

/// Unwrapped position of a particle [m].
fn unwrapped(id: ParticleId, now: &LazySnapshot) -> Option<Vec3> {
    let particles = now.simulation.particles();
    let image = Vec3::from(particles.image(id)?.map(f64::from));
    Some(particles.position(id)? + image * now.simulation.domain().period())
}

/// Accumulated rotation angle of a particle about a fixed axis [rad].
pub(crate) fn accumulated_angle(id: ParticleId, axis: Vec3, now: &LazySnapshot) -> Option<Value> {
    now.simulation.particles().accumulated_angle(id).map(|angle| Number(angle.dot(axis)))
}

pub(crate) fn of_particle(name: &str, id: ParticleId, now: &LazySnapshot) -> Option<Value> {
    let particles = now.simulation.particles();
    // Quantities that the engine provides directly need no snapshot, so that a probe at every step is cheap.
    match name {
        "position" => return particles.position(id).map(Vector),
        "unwrapped_position" => return unwrapped(id, now).map(Vector),
        "velocity" => return particles.velocity(id).map(Vector),
        "speed" => return particles.velocity(id).map(|velocity| Number(velocity.length())),
        "spin" => return particles.spin(id).map(Vector),
        "orientation" => return particles.orientation(id).map(Quaternion),
        "rotation_vector" => {
            return particles
                .orientation(id)
                .map(|orientation| Vector(rotation_vector(orientation)));
        }
        "rodrigues" => {
            // infinite at a rotation by π, where the cell is empty
            let rotation = Rodrigues::from_quaternion(particles.orientation(id)?)?;
            return Some(Vector(rotation.0));
        }
        "force" => return particles.load(id).map(|load| Vector(load.force)),
        "torque" => return particles.load(id).map(|load| Vector(load.torque)),
        _ => {}
    }
    let snapshot = now.snapshot();
    let index = snapshot.particles.binary_search_by_key(&id, |particle| particle.id).ok()?;
    let particle = &snapshot.particles[index];
    Some(match name {
        "kinetic_energy" => Number(kinetic_energy(particle)),
        "rotational_energy" => Number(rotational_energy(particle)),
        "coordination" => Integer(u64::from(particle.coordination)),
        _ => return None,
    })
}

pub(crate) fn of_contact(name: &str, contact: &ContactView) -> Option<Value> {
    Some(match name {
        "overlap" => Number(contact.overlap),
        "closing_speed" => Number(contact.closing_speed),
        "normal" => Vector(contact.normal),
        "force" => Vector(contact.force()),
        "normal_force" => Number(contact.elastic + contact.damping - contact.cohesion),
        "elastic" => Number(contact.elastic),
        "damping" => Number(contact.damping),
        "cohesion" => Number(contact.cohesion),
        "tangential" => Vector(contact.tangential),
        "tangential_force" => Number(contact.tangential.length()),
        "moment" => Vector(contact.moment),
        "slip_velocity" => Vector(contact.slip_velocity),
        "slip_speed" => Number(contact.slip_velocity.length()),
        "time_to_zero_slip" => return contact.time_to_zero_slip().map(Number),
        "normal_stiffness" => Number(contact.normal_stiffness),
        "tangential_stiffness" => Number(contact.tangential_stiffness),
        "elastic_displacement" => Vector(contact.elastic_displacement),
        "sliding_displacement" => return contact.sliding_displacement.map(Vector),
        "contact_radius" => Number(contact.contact_radius),
        "sliding" => Integer(u64::from(contact.sliding)),
        _ => return None,
    })
}

pub(crate) fn of_wall(name: &str, wall: &WallView) -> Option<Value> {
    Some(match name {
        "force" => Vector(wall.force),
        "torque" => Vector(wall.torque),
        "position" => Vector(wall.pose.translation),
        "rotation" => Quaternion(wall.pose.rotation),
        "velocity" => Vector(wall.pose.velocity),
        "spin" => Vector(wall.pose.spin),
        "work" => Number(wall.work),
        "present" => Integer(u64::from(wall.present)),
        _ => return None,
    })
}
