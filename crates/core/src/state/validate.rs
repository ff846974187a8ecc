//! Validity of a saved state. A checksum protects checkpoints; this check is for states from other sources, so
//! that corrupt input is reported rather than looping for ever.

use super::{SavedContact, SavedParticle, SavedWallContact, State};
use crate::particles::IDS_END;

impl State {
    /// An inconsistency of the state, if there is one.
    pub(super) fn defect(&self, history: usize, walls: usize) -> Option<String> {
        let clock = &self.clock;
        if !(clock.dt > 0.0 && clock.dt.is_finite() && clock.time().is_finite()) {
            return Some(format!("its time step is {} s at {} s", clock.dt, clock.time()));
        }
        if self.stage.next_id > IDS_END {
            return Some(format!("its next id is {}", self.stage.next_id));
        }
        self.defect_of_particles(&self.particles, walls)
            .or_else(|| defect_of_contacts(&self.contacts, &self.wall_contacts, history, walls))
    }

    /// An inconsistency of consecutive particles of the state, if there is one.
    pub(super) fn defect_of_particles(
        &self,
        particles: &[SavedParticle],
        walls: usize,
    ) -> Option<String> {
        if !particles.is_sorted_by(|a, b| a.id < b.id) {
            return Some("its particles are not in order of id".to_owned());
        }
        if let Some(last) = particles.last().filter(|last| u64::from(last.id) >= self.stage.next_id)
        {
            return Some(format!("particle {} has an id beyond the next id", last.id));
        }
        let wrong = particles.iter().find(|particle| !self.is_sound(particle, walls));
        wrong.map(|particle| format!("particle {} has invalid values", particle.id))
    }

    fn is_sound(&self, particle: &SavedParticle, walls: usize) -> bool {
        let vectors =
            [particle.position, particle.velocity, particle.spin, particle.force, particle.torque];
        let finite = vectors.as_flattened().iter().chain(&particle.orientation);
        let size = particle.radius > 0.0 && particle.radius.is_finite();
        let inertia = 0.4 * particle.mass * particle.radius * particle.radius;
        let weight =
            particle.mass > 0.0 && particle.inertia == inertia && particle.charge.is_finite();
        let names = particle.group.index() < self.groups.len()
            && particle.material.index() < self.materials.len()
            && usize::from(particle.driver) <= walls;
        size && weight && names && finite.into_iter().all(|value| value.is_finite())
    }
}

/// An inconsistency of contacts, if there is one.
pub(super) fn defect_of_contacts(
    contacts: &[SavedContact],
    wall_contacts: &[SavedWallContact],
    history: usize,
    walls: usize,
) -> Option<String> {
    let columns = contacts.iter().map(|contact| contact.history.len());
    let at_walls = wall_contacts.iter().map(|contact| contact.history.len());
    if columns.chain(at_walls).any(|length| length != history) {
        return Some("its contacts store a different number of values".to_owned());
    }
    let named = wall_contacts.iter().all(|contact| contact.wall.index() < walls);
    (!named).then(|| "a contact refers to a wall that does not exist".to_owned())
}
