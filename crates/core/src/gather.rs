//! Summing up what acts on each particle: contacts, weight and fields.

use crate::contact::gather::{Gather, gather_books};
use crate::contact::rows::Books;
use crate::engine::Engine;
use crate::field::Field;
use crate::parallel::Shares;
use crate::particles::{Description, Record, Total, body};
use crate::phases::Phase;
use crate::{Quat, Vec3};
use std::ops::Range;
use std::sync::Arc;

/// Particles whose sums stay in the cache until they are used.
const BLOCK: usize = 64;

/// Some particles, and what acts on them.
pub(crate) struct Block<'a> {
    pub records: &'a mut [Record],
    pub descriptions: &'a mut [Description],
    pub orientations: &'a mut [Quat],
    /// At the accepted state.
    pub old: &'a mut [Total],
    /// At the last evaluation.
    pub new: &'a [Total],
    /// One over how far each may go until the next listing [1/m].
    pub inverse_allowances: &'a [f32],
}

impl Engine {
    /// Sums contacts and fields on each particle.
    pub(crate) fn gather(&mut self, time: f64) {
        self.make_room_for_books();
        let particles = &self.particles;
        let count = particles.len();
        self.trial_loads.resize(count, Total::default());
        let loads = Shares::new(&mut self.trial_loads);
        let gathering = Gathering {
            from: Gather {
                candidates: &self.candidates,
                walls: &self.wall_contacts,
                rows: &self.rows,
                results: self.rows.results.rows(),
            },
            gravity: self.gravity,
            fields: &self.fields,
            charges: &particles.charges,
            time,
            couples: self.table.extras.couples,
            plane_normal: self.plane_normal,
            rotations: self.rotations,
            ledger: self.ledger,
            books: Shares::new(&mut self.trial_books),
            field_power: Shares::new(&mut self.trial_field_power),
        };
        self.pool.split(count, |_, range| {
            let (records, descriptions) =
                (&particles.records[range.clone()], &particles.descriptions[range.clone()]);
            // SAFETY: `split` gives disjoint ranges.
            unsafe {
                let loads = loads.piece(range.clone());
                gathering.totals(records, descriptions, range, loads);
            }
        });
        self.phases.end(Phase::Gather);
    }

    /// As `gather`, and hands particles with their sums to `accept` while these are in the cache. It
    /// makes the sums those of the accepted state.
    pub(crate) fn gather_and(&mut self, time: f64, accept: impl Fn(Block<'_>) + Sync) {
        self.make_room_for_books();
        let particles = &mut self.particles;
        let count = particles.len();
        let gathering = Gathering {
            from: Gather {
                candidates: &self.candidates,
                walls: &self.wall_contacts,
                rows: &self.rows,
                results: self.rows.results.rows(),
            },
            gravity: self.gravity,
            fields: &self.fields,
            charges: &particles.charges,
            time,
            couples: self.table.extras.couples,
            plane_normal: self.plane_normal,
            rotations: self.rotations,
            ledger: self.ledger,
            books: Shares::new(&mut self.trial_books),
            field_power: Shares::new(&mut self.trial_field_power),
        };
        let loads = Shares::new(&mut particles.loads);
        let records = Shares::new(&mut particles.records);
        let descriptions = Shares::new(&mut particles.descriptions);
        let orientations = Shares::new(&mut particles.orientations);
        let inverses = &self.allowances.inverse;
        self.pool.split(count, |_, range| {
            let mut sums = [Total::default(); BLOCK];
            for start in range.clone().step_by(BLOCK) {
                let block = start..range.end.min(start + BLOCK);
                let new = &mut sums[..block.len()];
                // SAFETY: `split` gives disjoint ranges, and the blocks of a range are disjoint.
                unsafe {
                    let records = records.piece(block.clone());
                    let descriptions = descriptions.piece(block.clone());
                    gathering.totals(records, descriptions, block.clone(), new);
                    let old = loads.piece(block.clone());
                    let orientations = orientations.piece(block.clone());
                    let inverse_allowances = &inverses[block];
                    accept(Block {
                        records,
                        descriptions,
                        orientations,
                        old,
                        new,
                        inverse_allowances,
                    });
                }
            }
        });
        self.phases.end(Phase::Gather);
    }

    /// Adds what fields do to one particle and removes what it must not do.
    pub(crate) fn finish_load(&self, slot: usize, time: f64, load: &mut [Total; 1]) {
        if !self.fields.is_empty() {
            let (records, descriptions) =
                (&self.particles.records[slot..=slot], &self.particles.descriptions[slot..=slot]);
            let charges = [self.particles.charge(slot)];
            apply_fields(&self.fields, time, records, descriptions, &charges, load, &mut []);
        }
        constrain(self.plane_normal, self.rotations, load);
    }

    fn make_room_for_books(&mut self) {
        if self.ledger {
            self.trial_books.resize(self.particles.len(), Books::default());
            self.trial_field_power.resize(self.particles.len(), 0.0);
        }
    }
}

/// What is summed.
struct Gathering<'a> {
    from: Gather<'a>,
    gravity: Vec3,
    fields: &'a [Arc<dyn Field>],
    charges: &'a [f64],
    time: f64,
    couples: bool,
    plane_normal: Option<usize>,
    rotations: bool,
    ledger: bool,
    books: Shares<'a, Books>,
    field_power: Shares<'a, f64>,
}

impl Gathering<'_> {
    /// Sums on the particles of a range, whose records and descriptions are given.
    ///
    /// # Safety
    /// No other call with an overlapping range may run at the same time.
    unsafe fn totals(
        &self,
        records: &[Record],
        descriptions: &[Description],
        range: Range<usize>,
        loads: &mut [Total],
    ) {
        let gravity = [self.gravity.x, self.gravity.y, self.gravity.z, 0.0];
        if self.couples {
            self.from.sum_with_couples(range.clone(), records, &gravity, loads);
        } else {
            self.from.sum(range.clone(), records, &gravity, loads);
        }
        if self.ledger {
            // SAFETY: the caller's promise.
            gather_books(&self.from, range.clone(), unsafe { self.books.piece(range.clone()) });
        }
        if !self.fields.is_empty() {
            let power: &mut [f64] = if self.ledger {
                // SAFETY: the caller's promise.
                unsafe { self.field_power.piece(range.clone()) }
            } else {
                &mut []
            };
            let charges = self.charges.get(range).unwrap_or_default();
            apply_fields(self.fields, self.time, records, descriptions, charges, loads, power);
        }
        constrain(self.plane_normal, self.rotations, loads);
    }
}

/// Adds the forces of fields other than gravity; notes the power of those without a potential.
fn apply_fields(
    fields: &[Arc<dyn Field>],
    time: f64,
    records: &[Record],
    descriptions: &[Description],
    charges: &[f64],
    loads: &mut [Total],
    power: &mut [f64],
) {
    power.fill(0.0);
    let particles = records.iter().zip(descriptions).zip(loads);
    for (place, ((record, description), load)) in particles.enumerate() {
        if record.inverse_mass == 0.0 {
            continue;
        }
        let charge = charges.get(place).copied().unwrap_or(0.0);
        let body = body(record, description, charge);
        for field in fields {
            let added = field.load(&body, time);
            load.add(&added);
            if let Some(power) = power.get_mut(place)
                && field.potential(&body, time).is_none()
            {
                *power += added.force.dot(body.velocity) + added.torque.dot(body.spin);
            }
        }
    }
}

/// Removes what plane motion or the lack of rotations forbids.
fn constrain(plane_normal: Option<usize>, rotations: bool, loads: &mut [Total]) {
    if let Some(normal) = plane_normal {
        for load in loads.iter_mut() {
            load.force[normal] = 0.0;
            for axis in (0..3).filter(|&axis| axis != normal) {
                load.torque[axis] = 0.0;
            }
        }
    }
    if !rotations {
        loads.iter_mut().for_each(|load| load.torque = [0.0; 4]);
    }
}
