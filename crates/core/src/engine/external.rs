//! Gravity, fields, and the constraints of plane motion and motion without rotations.

use super::field_batch::FieldBatch;
use crate::Vec3;
use crate::field::Field;
use crate::particles::{ForceTorque, HotData, Metadata, Particles, body};
use std::sync::Arc;

/// All forces on a particle except those of contacts.
#[derive(Debug)]
pub(crate) struct External {
    pub(super) gravity: Vec3,
    pub(super) fields: Vec<Arc<dyn Field>>,
    batch: FieldBatch,
    /// The axis along which nothing moves in a plane problem.
    plane_normal: Option<usize>,
    rotations: bool,
}

/// Particles in consecutive slots, as needed by fields.
#[derive(Clone, Copy)]
pub(super) struct Bodies<'a> {
    /// Slot of the first one.
    pub start: usize,
    pub records: &'a [HotData],
    pub metadata: &'a [Metadata],
    /// All charges by slot; empty if there are none.
    pub charges: &'a [f64],
}

/// Forces of batch fields to be used.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Batch {
    /// Those of the last evaluation of all particles.
    Evaluated,
    /// None: batch fields are evaluated particle by particle.
    Single,
}

impl External {
    pub(crate) fn new(
        gravity: Vec3,
        fields: Vec<Arc<dyn Field>>,
        plane_normal: Option<usize>,
        rotations: bool,
    ) -> Self {
        let batch = FieldBatch::default();
        let mut external = Self { gravity, fields, batch, plane_normal, rotations };
        external.set_gravity(gravity);
        external
    }

    /// Sets gravity [m/s²]. Negative zeros become positive: the sign of a zero force must not depend on the number of
    /// zero terms in its sum, which depends on the neighbour list.
    pub(super) fn set_gravity(&mut self, gravity: Vec3) {
        self.gravity = gravity + Vec3::ZERO;
    }

    /// True if particles rotate.
    pub(super) fn rotations(&self) -> bool {
        self.rotations
    }

    /// Evaluates the batch fields, once for all particles.
    pub(super) fn evaluate_batch(&mut self, particles: &Particles, time: f64) {
        self.batch.evaluate(&self.fields, particles, time);
    }

    /// Adds the forces of fields other than gravity. `power` receives the power of non-conservative fields; it is empty
    /// without a ledger.
    pub(super) fn apply(
        &self,
        time: f64,
        bodies: Bodies<'_>,
        batch: Batch,
        loads: &mut [ForceTorque],
        power: &mut [f64],
    ) {
        // also without fields, since the last one may have been removed
        power.fill(0.0);
        if self.fields.is_empty() {
            return;
        }
        let particles = bodies.records.iter().zip(bodies.metadata).zip(loads);
        for (index, ((record, metadata), load)) in particles.enumerate() {
            if record.inverse_mass == 0.0 {
                continue;
            }
            let slot = bodies.start + index;
            let charge = bodies.charges.get(slot).copied().unwrap_or(0.0);
            let body = body(record, metadata, charge);
            for (number, field) in self.fields.iter().enumerate() {
                let added = if batch == Batch::Evaluated && field.is_batch() {
                    self.batch.load(number, slot)
                } else {
                    field.load(&body, time)
                };
                load.add(&added);
                if let Some(power) = power.get_mut(index)
                    && field.potential(&body, time).is_none()
                {
                    *power += added.force.dot(body.velocity) + added.torque.dot(body.spin);
                }
            }
        }
    }

    /// Removes the components that plane motion or the absence of rotations excludes.
    pub(super) fn constrain(&self, loads: &mut [ForceTorque]) {
        if let Some(normal) = self.plane_normal {
            for load in loads.iter_mut() {
                load.force[normal] = 0.0;
                for axis in (0..3).filter(|&axis| axis != normal) {
                    load.torque[axis] = 0.0;
                }
            }
        }
        if !self.rotations {
            loads.iter_mut().for_each(|load| load.torque = [0.0; 4]);
        }
    }
}
