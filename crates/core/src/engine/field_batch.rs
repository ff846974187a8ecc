//! Fields that are evaluated once for all particles.

use super::Engine;
use crate::field::{Body, Field, Load};
use crate::particles::body;
use std::sync::Arc;

/// Forces of batch fields at the trial state.
#[derive(Debug, Default)]
pub(crate) struct FieldBatch {
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
    pub(crate) fn load(&self, field: usize, slot: usize) -> Load {
        self.by_slot.get(field).and_then(|loads| loads.get(slot)).copied().unwrap_or_default()
    }

    /// Whether any of the fields is evaluated for all particles at once.
    pub(crate) fn is_needed(fields: &[Arc<dyn Field>]) -> bool {
        fields.iter().any(|field| field.is_batch())
    }
}

impl Engine {
    /// Evaluates batch fields at the trial state, on the calling thread and in order of id: neither the
    /// number of threads nor the storage order changes a bit.
    pub(crate) fn evaluate_batch_fields(&mut self, time: f64) {
        if !FieldBatch::is_needed(&self.fields) {
            return;
        }
        let (particles, batch) = (&self.particles, &mut self.field_batch);
        batch.bodies.clear();
        batch.slots.clear();
        for slot in particles.slots_by_id() {
            let record = &particles.records[slot];
            if record.inverse_mass != 0.0 {
                batch.bodies.push(body(
                    record,
                    &particles.descriptions[slot],
                    particles.charge(slot),
                ));
                batch.slots.push(slot as u32);
            }
        }
        batch.by_slot.resize_with(self.fields.len(), Vec::new);
        for (field, by_slot) in self.fields.iter().zip(&mut batch.by_slot) {
            by_slot.clear();
            if !field.is_batch() {
                continue;
            }
            batch.loads.clear();
            batch.loads.resize(batch.bodies.len(), Load::default());
            field.loads(&batch.bodies, time, &mut batch.loads);
            by_slot.resize(particles.len(), Load::default());
            for (&slot, load) in batch.slots.iter().zip(&batch.loads) {
                by_slot[slot as usize] = *load;
            }
        }
    }
}
