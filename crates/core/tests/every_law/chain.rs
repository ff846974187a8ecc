//! A chunk of contacts under the laws of a model, without an engine around it.

use crate::models::{RADIUS, material, pair};
use esker::law::{
    Column, Contacts, Forces, Law, PairContext, Step, StoredHistory, UntypedCommit, UntypedHistory,
    Vector, WIDTH,
};
use esker::prelude::*;
use esker::random::{Draws, Purpose};

/// The laws of a model with their history of a chunk of contacts.
pub(crate) struct Chain {
    pub(crate) laws: Vec<Box<dyn Law>>,
    pub(crate) old: Vec<Vec<Column>>,
    pub(crate) new: Vec<Vec<Column>>,
    /// Columns of each law in the order of the lanes.
    pub(crate) stored: Vec<Vec<f64>>,
    elapsed: f64,
}

impl Chain {
    pub(crate) fn new(model: &ContactModel) -> Self {
        let (material, pair) = (material(), pair(model));
        let mut context =
            PairContext::new(["a", "a"], [&material; 2], &pair, "pair", [RADIUS; 2], true);
        let laws: Vec<Box<dyn Law>> = model
            .models()
            .map(|model| model.for_pair(&mut context))
            .collect::<Option<_>>()
            .expect("all parameters are given");
        assert_eq!(context.finish(), []);
        let width = |law: &dyn Law| law.history().0.iter().map(|field| field.width).sum();
        let old: Vec<Vec<Column>> =
            laws.iter().map(|law| vec![[0.0; WIDTH]; width(law.as_ref())]).collect();
        let stored = laws.iter().map(|law| vec![0.0; law.stored_history().0 * WIDTH]).collect();
        Self { laws, new: old.clone(), old, stored, elapsed: 0.0 }
    }

    pub(crate) fn interaction_range(&self) -> f64 {
        self.laws.iter().map(|law| law.interaction_range()).fold(0.0, f64::max)
    }

    /// Evaluates the chunk without accepting it.
    pub(crate) fn evaluate(&mut self, contacts: &Contacts, dt: f64) -> Forces {
        let mut forces = Forces::ZERO;
        let step = Step { elapsed: dt, ledger: true, ..Step::at_accepted_state(dt) };
        self.elapsed = dt;
        let slots = std::array::from_fn(|lane| lane as u32);
        for (index, law) in self.laws.iter().enumerate() {
            let width = law.stored_history().0;
            let stored = StoredHistory::new(&self.stored[index], width, 0, width, &slots);
            let (old, new) = (&self.old[index], &mut self.new[index]);
            let history = UntypedHistory { old, new, stored };
            law.evaluate_columns(contacts, &step, history, &mut forces);
        }
        forces
    }

    pub(crate) fn commit(&mut self) {
        for (index, law) in self.laws.iter().enumerate() {
            let (old, new, stored) = (&self.old[index], &self.new[index], &mut self.stored[index]);
            let (elapsed, width) = (self.elapsed, law.stored_history().0);
            law.commit_columns(&mut UntypedCommit::new(elapsed, old, new, stored, width));
        }
        std::mem::swap(&mut self.old, &mut self.new);
    }
}

/// Random numbers of one test, drawn in sequence.
pub(crate) struct Numbers {
    pub(crate) draws: Draws,
    pub(crate) next: u32,
}

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self { draws: Draws::new(seed, Purpose::Test, 0), next: 0 }
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        self.next += 1;
        low + (high - low) * self.draws.uniform(self.next)
    }

    /// Log-uniform: every order of magnitude is as likely.
    pub(crate) fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    pub(crate) fn direction(&mut self) -> Vec3 {
        loop {
            let vector = Vec3::from_array(std::array::from_fn(|_| self.between(-1.0, 1.0)));
            if vector.length() > 0.1 && vector.length() < 1.0 {
                return vector.normalize();
            }
        }
    }
}

/// Kinematics of one contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touching {
    pub(crate) radii: [f64; 2],
    pub(crate) overlap: f64,
    pub(crate) closing_speed: f64,
    pub(crate) normal: Vec3,
    pub(crate) slip_velocity: Vec3,
    pub(crate) rolling_velocity: Vec3,
    pub(crate) twist_velocity: f64,
}

/// Writes a contact to a lane, with increments over `dt`. A second radius of zero is a wall.
pub(crate) fn set(contacts: &mut Contacts, c: usize, touching: &Touching, dt: f64) {
    let Touching { radii, overlap, normal, .. } = *touching;
    let inverse = |radius: f64| if radius > 0.0 { 1.0 / radius } else { 0.0 };
    let mass = |radius: f64| 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    contacts.overlap[c] = overlap;
    contacts.closing_speed[c] = touching.closing_speed;
    contacts.distance[c] = radii[0] + radii[1] - overlap;
    contacts.effective_radius[c] = 1.0 / (inverse(radii[0]) + inverse(radii[1]));
    for body in 0..2 {
        let mass = mass(radii[body]);
        contacts.radius[body][c] = radii[body];
        contacts.inverse_mass[body][c] = inverse(mass);
        contacts.inverse_inertia[body][c] = inverse(0.4 * mass * radii[body] * radii[body]);
        contacts.moment_arm[body][c] = (radii[body] - 0.5 * overlap).max(0.0);
    }
    contacts.effective_mass[c] = 1.0 / (contacts.inverse_mass[0][c] + contacts.inverse_mass[1][c]);
    contacts.twist_velocity[c] = touching.twist_velocity;
    contacts.twist[c] = touching.twist_velocity * dt;
    for axis in 0..3 {
        contacts.normal[axis][c] = normal[axis];
        contacts.slip_velocity[axis][c] = touching.slip_velocity[axis];
        contacts.slip[axis][c] = touching.slip_velocity[axis] * dt;
        contacts.rolling_velocity[axis][c] = touching.rolling_velocity[axis];
        contacts.roll[axis][c] = touching.rolling_velocity[axis] * dt;
    }
}

pub(crate) fn vector(columns: &Vector, c: usize) -> Vec3 {
    Vec3::new(columns[0][c], columns[1][c], columns[2][c])
}

/// Every result of a chunk, by name.
pub(crate) fn all_values(forces: &Forces, c: usize) -> Vec<(&'static str, f64)> {
    let mut values = vec![
        ("elastic", forces.elastic[c]),
        ("damping", forces.damping[c]),
        ("cohesion", forces.cohesion[c]),
        ("stiffness", forces.normal_stiffness[c]),
        ("contact radius", forces.contact_radius[c]),
        ("friction excess", forces.friction_excess[c]),
        ("normal energy", forces.normal_energy[c]),
        ("tangential energy", forces.tangential_energy[c]),
        ("rolling energy", forces.rolling_energy[c]),
        ("damping power", forces.damping_power[c]),
        ("tangential power", forces.tangential_power[c]),
        ("rolling power", forces.rolling_power[c]),
        ("cohesion energy", forces.cohesion_energy[c]),
        ("cohesion loss", forces.cohesion_loss[c]),
    ];
    for axis in 0..3 {
        values.push(("tangential force", forces.tangential[axis][c]));
        values.push(("moment", forces.moment[axis][c]));
    }
    values
}

/// A contact of any size and speed, with some zero or extreme values.
pub(crate) fn any_contact(numbers: &mut Numbers) -> Touching {
    let normal = numbers.direction();
    let radius = numbers.magnitude(1e-9, 1e3);
    let other = match numbers.between(0.0, 3.0) as u32 {
        0 => 0.0,
        1 => radius,
        _ => radius * numbers.magnitude(1e-3, 1e3),
    };
    let mut sometimes = |low: f64, high: f64| {
        if numbers.between(0.0, 1.0) < 0.2 { 0.0 } else { numbers.magnitude(low, high) }
    };
    let sizes = [sometimes(1e-12, 1e4), sometimes(1e-12, 1e6), sometimes(1e-12, 1e6)];
    let overlap = sometimes(1e-15, 1.9) * radius;
    let sign = |numbers: &mut Numbers| if numbers.between(0.0, 1.0) < 0.5 { -1.0 } else { 1.0 };
    let tangent = normal.cross(numbers.direction()).normalize_or_zero();
    let axis = normal.cross(numbers.direction()).normalize_or_zero();
    Touching {
        radii: [radius, other],
        overlap: overlap * if numbers.between(0.0, 1.0) < 0.1 { -1.0 } else { 1.0 },
        closing_speed: sizes[0] * sign(numbers),
        normal,
        slip_velocity: sizes[1] * tangent,
        rolling_velocity: sizes[2] * axis,
        twist_velocity: sizes[2] * sign(numbers),
    }
}
