//! `postmortem.json`: a failure and its neighbourhood.

use esker::measure::{ContactView, ParticleView, Partner, Snapshot};
use esker::{StepError, Vec3};
use serde_json::{Value, json};

/// Distance from the particle, in diameters, within which other particles are listed.
const DIAMETERS: f64 = 2.0;

/// The failure, the particle, its contacts, and its neighbours in order of id. Numbers that are not
/// finite are `null`.
pub(super) fn postmortem(error: &StepError, snapshot: &Snapshot) -> String {
    let found = snapshot.particles.iter().find(|particle| particle.id == error.id);
    let contacts = snapshot.contacts.iter().filter(|contact| {
        contact.first == error.id || contact.second == Partner::Particle(error.id)
    });
    let neighbours = found.map_or(Vec::new(), |centre| neighbours(centre, snapshot));
    let all = json!({
        "message": error.to_string(),
        "cause": error.cause.to_string(),
        "diagnosis": error.diagnosis.to_string(),
        "step": error.step,
        "time": error.time,
        "stage": snapshot.stage,
        "id": error.id,
        "position": error.position.to_array(),
        "velocity": error.velocity.to_array(),
        "partner": error.partner,
        "advice": error.advice,
        "particle": found.map(|particle| particle_json(particle, snapshot)),
        "contacts": contacts.map(|contact| contact_json(contact, snapshot)).collect::<Vec<_>>(),
        "neighbours": neighbours,
    });
    let mut text = serde_json::to_string_pretty(&all).unwrap_or_default();
    text.push('\n');
    text
}

/// Particles whose centres are within two diameters of the centre of this one, periods included.
fn neighbours(centre: &ParticleView, snapshot: &Snapshot) -> Vec<Value> {
    let radius_of_search = DIAMETERS * 2.0 * centre.radius;
    let others = snapshot.particles.iter().filter(|other| other.id != centre.id);
    others
        .filter_map(|other| {
            let distance = distance(centre.position, other.position, snapshot);
            // A large partner is listed if its surface is within the distance.
            let near = distance <= radius_of_search.max(centre.radius + other.radius);
            near.then(|| {
                let mut value = particle_json(other, snapshot);
                value["distance"] = json!(distance);
                value
            })
        })
        .collect()
}

fn distance(a: Vec3, b: Vec3, snapshot: &Snapshot) -> f64 {
    let mut between = b - a;
    for axis in 0..3 {
        let period = snapshot.domain_max[axis] - snapshot.domain_min[axis];
        if snapshot.periodic[axis] && period > 0.0 {
            between[axis] -= period * (between[axis] / period).round();
        }
    }
    between.length()
}

fn particle_json(particle: &ParticleView, snapshot: &Snapshot) -> Value {
    json!({
        "id": particle.id,
        "group": snapshot.groups.get(particle.group.index()),
        "material": snapshot.materials.get(particle.material.index()),
        "radius": particle.radius,
        "mass": particle.mass,
        "position": particle.position.to_array(),
        "velocity": particle.velocity.to_array(),
        "spin": particle.spin.to_array(),
        "force": particle.force.to_array(),
        "torque": particle.torque.to_array(),
        "coordination": particle.coordination,
    })
}

fn contact_json(contact: &ContactView, snapshot: &Snapshot) -> Value {
    let second = match contact.second {
        Partner::Particle(id) => json!({ "particle": id }),
        Partner::Wall(index) => {
            json!({ "wall": snapshot.walls.get(index.index()).map(|wall| &wall.name) })
        }
    };
    json!({
        "first": contact.first,
        "second": second,
        "normal": contact.normal.to_array(),
        "overlap": contact.overlap,
        "closing_speed": contact.closing_speed,
        "elastic": contact.elastic,
        "damping": contact.damping,
        "cohesion": contact.cohesion,
        "tangential": contact.tangential.to_array(),
        "moment": contact.moment.to_array(),
        "slip_velocity": contact.slip_velocity.to_array(),
        "sliding": contact.sliding,
    })
}
