//! Fields that are evaluated once for all particles.

use crate::field::{Body, Field, Load};
use crate::particles::{Particles, body};
use std::sync::Arc;

/// Forces of batch fields at the trial state.
#[derive(Debug, Default)]
pub(super) struct FieldBatch {
    /// All free particles in order of id.
    bodies: Vec<Body>,
    /// Slot of each.
    slots: Vec<u32>,
    /// Forces on them.
    loads: Vec<Load>,
    /// Forces of each batch field by slot; empty for the other fields.
    by_slot: Vec<Vec<Load>>,
}

impl FieldBatch {
    /// The force of a field on the particle in a slot.
    pub(super) fn load(&self, field: usize, slot: usize) -> Load {
        self.by_slot.get(field).and_then(|loads| loads.get(slot)).copied().unwrap_or_default()
    }

    /// Evaluates batch fields at the trial state, on the calling thread and in order of id, so that results depend on
    /// neither the number of threads nor the storage order.
    pub(super) fn evaluate(&mut self, fields: &[Arc<dyn Field>], particles: &Particles, time: f64) {
        if !fields.iter().any(|field| field.is_batch()) {
            return;
        }
        self.bodies.clear();
        self.slots.clear();
        for slot in particles.slots_by_id() {
            let record = &particles.records[slot];
            if record.inverse_mass != 0.0 {
                let charge = particles.charge(slot);
                self.bodies.push(body(record, &particles.metadata[slot], charge));
                self.slots.push(slot as u32);
            }
        }
        self.by_slot.resize_with(fields.len(), Vec::new);
        for (field, by_slot) in fields.iter().zip(&mut self.by_slot) {
            by_slot.clear();
            if !field.is_batch() {
                continue;
            }
            self.loads.clear();
            self.loads.resize(self.bodies.len(), Load::default());
            field.loads(&self.bodies, time, &mut self.loads);
            by_slot.resize(particles.len(), Load::default());
            for (&slot, load) in self.slots.iter().zip(&self.loads) {
                by_slot[slot as usize] = *load;
            }
        }
    }
}
