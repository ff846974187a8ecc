//! Radius, mass and charge of particles, changed between steps.

use crate::id::ParticleId;
use crate::particles::HotData;
use crate::simulation::Simulation;

/// A quantity that [`Simulation::set_particles`] changes.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, RADIUS};
/// use esker::prelude::*;
/// use esker::Settable;
///
/// # let grains = vec![Sphere::new(RADIUS, Vec3::ZERO)];
/// let mut simulation = simulation(ContactModel::normal(Hertz::default()), Pair::new(), grains);
/// let id = ParticleId::new(0);
/// let before = simulation.particles()[id].mass;
/// simulation.set_particles(Settable::Radius, &[(id, 2.0 * RADIUS)]).unwrap();
/// assert!((simulation.particles()[id].mass / before - 8.0).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Settable {
    /// Radius [m]. The density is unchanged: the mass is scaled by the cube of the ratio of the radii, and the moment
    /// of inertia is that of a solid sphere, 2/5 m r².
    Radius,
    /// Mass [kg]. The moment of inertia is that of a solid sphere, 2/5 m r². Only for free particles.
    Mass,
    /// Electric charge [C].
    Charge,
}

impl Simulation {
    /// Sets a quantity of some particles; velocities and spins are unchanged. Neighbour list, time step and forces are
    /// updated before the next step, and the energy ledger records the change as inserted energy. If a value is
    /// refused, nothing is changed, and the message states the reason.
    pub fn set_particles(
        &mut self,
        quantity: Settable,
        values: &[(ParticleId, f64)],
    ) -> Result<(), String> {
        let mut slots = Vec::with_capacity(values.len());
        for &(id, value) in values {
            let particles = self.engine.particles();
            let slot = particles.slot(id).ok_or_else(|| format!("there is no particle {id}"))?;
            self.check_value(quantity, slot, value)
                .map_err(|why| format!("particle {id} cannot have {why}"))?;
            slots.push((slot, value));
        }
        let particles = self.particles_mut();
        for (slot, value) in slots {
            match quantity {
                Settable::Radius => resize(&mut particles.records[slot], value),
                Settable::Mass => weigh(&mut particles.records[slot], value),
                Settable::Charge => particles.set_charge(slot, value),
            }
        }
        Ok(())
    }

    fn check_value(&self, quantity: Settable, slot: usize, value: f64) -> Result<(), String> {
        let positive = value > 0.0 && value.is_finite();
        match quantity {
            Settable::Radius if !positive => {
                Err(format!("the radius {value:?} m: it must be positive"))
            }
            Settable::Mass if !positive => {
                Err(format!("the mass {value:?} kg: it must be positive"))
            }
            Settable::Charge if !value.is_finite() => Err(format!("the charge {value:?} C")),
            Settable::Mass if self.engine.particles().records[slot].inverse_mass == 0.0 => {
                Err("a mass: it is fixed, or belongs to a wall".to_owned())
            }
            Settable::Radius => self.check_range(value),
            _ => Ok(()),
        }
    }

    /// The interaction range of attractions was derived from the radii of the scene.
    fn check_range(&self, radius: f64) -> Result<(), String> {
        let [low, high] = crate::build::radii_of(&self.scene);
        if self.scene.contact.cohesion.is_empty() || (low..=high).contains(&radius) {
            return Ok(());
        }
        Err(format!(
            "the radius {radius:?} m: the interaction range of the attraction was derived from the radii of the scene, \
             {low:?} to {high:?} m"
        ))
    }
}

fn resize(record: &mut HotData, radius: f64) {
    let ratio = radius / record.radius;
    record.radius = radius;
    weigh(record, record.mass * (ratio * ratio * ratio));
}

fn weigh(record: &mut HotData, mass: f64) {
    record.mass = mass;
    record.inverse_mass = 1.0 / mass;
    record.inverse_inertia = 1.0 / record.inertia();
}
