//! An evaluation: contacts, and as soon as those of some particles are known, the sums of what acts on
//! them: contacts, weight and fields.

use super::field_batch::FieldBatch;
use crate::contact_state::result_buffer::{EnergyTerms, ResultSlices};
use crate::engine::{Engine, Results};
use crate::field::Field;
use crate::kernel::evaluate::Chunk;
use crate::kernel::evaluate::Extremes;
use crate::kernel::pairs::PairRun;
use crate::law::Step;
use crate::parallel::DisjointSlices;
use crate::particles::{ForceTorque, HotData, Metadata, Particles, body};
use crate::partition::BLOCK;
use crate::phases::Phase;
use crate::reduce::{Gather, gather_books};
use crate::{Quat, Vec3};
use std::ops::Range;
use std::sync::Arc;

/// Some particles, and what acts on them.
pub(crate) struct Block<'a> {
    pub slots: Range<usize>,
    pub records: &'a mut [HotData],
    pub descriptions: &'a mut [Metadata],
    pub orientations: &'a mut [Quat],
    /// At the accepted state.
    pub old: &'a mut [ForceTorque],
    /// At the last evaluation.
    pub new: &'a [ForceTorque],
    /// One over how far each may go until the next listing [1/m].
    pub inverse_allowances: &'a [f32],
}

impl Engine {
    /// Evaluates forces at the trial state in the records, with walls as they are at `time`. Reads
    /// the accepted history, writes trial history and trial loads; changes nothing else that a
    /// later step depends on.
    pub(crate) fn evaluate(&mut self, time: f64, step: Step) {
        let mut loads = std::mem::take(&mut self.trial_loads);
        loads.resize(self.particles.len(), ForceTorque::default());
        let shares = DisjointSlices::new(&mut loads);
        self.evaluate_and(time, step, |block| {
            // SAFETY: blocks are disjoint.
            unsafe { shares.slice_mut(block.slots) }.copy_from_slice(block.new);
        });
        self.trial_loads = loads;
    }

    /// As `evaluate`, but hands particles with their sums to `accept` while they are in the cache:
    /// block by block, as soon as their contacts have been evaluated. It may change what it is given.
    #[allow(
        clippy::too_many_lines,
        reason = "becomes a list of passes with the parts of the engine"
    )]
    pub(crate) fn evaluate_and(
        &mut self,
        time: f64,
        step: Step,
        accept: impl Fn(Block<'_>) + Sync,
    ) {
        let parts = self.pool.threads();
        assert!(
            self.candidates.partition.fits(self.particles.len(), parts),
            "the list is an old one"
        );
        self.phases.end(Phase::Other);
        self.statistics.evaluations += 1;
        self.results = Results::Trial;
        self.advance_walls(time);
        self.note_wall_motions(step.elapsed);
        self.make_room_for_books();
        self.scratch.iter_mut().for_each(|scratch| scratch.extremes = Extremes::NONE);
        self.evaluate_walls(step);
        self.evaluate_batch_fields(time);
        self.rows.reserve(self.candidates.partition.needed, self.table.extras);
        let mut trial = std::mem::take(&mut self.candidates.trial);
        let mut places = std::mem::take(&mut self.candidates.places);
        self.candidates.clear_marks();
        let chunk = Chunk {
            table: &self.table,
            step: Step { ledger: self.ledger, ..step },
            images: self.images(),
            at_wall: false,
            memory: &self.stored_histories.pairs,
            motions: if step.elapsed > 0.0 { &self.motions } else { &[] },
        };
        let (accepted, output) = ResultSlices::new(&mut self.rows, self.table.extras);
        let Particles { records, descriptions, orientations, loads, charges, .. } =
            &mut self.particles;
        let particles = Shared {
            records: DisjointSlices::new(records),
            descriptions: DisjointSlices::new(descriptions),
            orientations: DisjointSlices::new(orientations),
            loads: DisjointSlices::new(loads),
            inverse_allowances: &self.skins.inverse,
        };
        let run = PairRun {
            chunk: &chunk,
            listed: &self.candidates,
            // SAFETY: a record is written when all candidates of its particle have been evaluated.
            records: unsafe { particles.records.reader() },
            accepted,
            output,
            trial: DisjointSlices::new(&mut trial),
            places: DisjointSlices::new(&mut places),
            scratch: DisjointSlices::new(&mut self.scratch),
        };
        // SAFETY: a row is read when its contact has been evaluated, and before the next one takes its
        // place (`tiles.rs`).
        let (results, energy_terms) = unsafe { run.output.reader() };
        let gathering = Gathering {
            from: Gather {
                candidates: &self.candidates,
                // SAFETY: as above.
                trial: unsafe { run.trial.reader() },
                // SAFETY: as above.
                places: unsafe { run.places.reader() },
                results,
                second_offset: self.table.extras.moments.then(|| run.output.second_offset()),
                energy_terms,
                walls: &self.wall_contacts,
            },
            gravity: self.gravity,
            fields: &self.fields,
            field_batch: &self.field_batch,
            charges,
            time,
            plane_normal: self.plane_normal,
            rotations: self.rotations,
            ledger: self.ledger,
            energy_terms: DisjointSlices::new(&mut self.trial_energy_terms),
            field_power: DisjointSlices::new(&mut self.trial_field_power),
        };
        let partition = &self.candidates.partition;
        let count = partition.count();
        let phases = DisjointSlices::new(std::slice::from_mut(&mut self.phases));
        let end_phase = |part: usize, phase: Phase| {
            if part == 0 {
                // SAFETY: the first part alone asks for it.
                unsafe { phases.slice_mut(0..1) }.iter_mut().for_each(|phases| phases.end(phase));
            }
        };
        self.pool.run(|part| {
            let own = partition.slots(part);
            let mut next = own.start;
            let mut sums = [ForceTorque::default(); BLOCK];
            let ready = |ready: usize| {
                end_phase(part, Phase::Contacts);
                while next < own.end && (next + BLOCK).min(own.end) <= ready {
                    let slots = next..(next + BLOCK).min(own.end);
                    if partition.is_interior(next / BLOCK) {
                        // SAFETY: no other block overlaps it, and its contacts have been evaluated.
                        accept(unsafe { particles.summed(slots, &gathering, &mut sums) });
                    }
                    next += BLOCK;
                }
                end_phase(part, Phase::Gather);
            };
            // SAFETY: `run` calls once for each part.
            unsafe { run.evaluate(part, ready) };
        });
        let boundary = &partition.boundary;
        if !boundary.is_empty() {
            self.pool.split(boundary.len(), |_, range| {
                let mut sums = [ForceTorque::default(); BLOCK];
                for &block in &boundary[range] {
                    let start = block as usize * BLOCK;
                    let slots = start..(start + BLOCK).min(count);
                    // SAFETY: as above; now all contacts have been evaluated.
                    accept(unsafe { particles.summed(slots, &gathering, &mut sums) });
                }
            });
        }
        (self.candidates.trial, self.candidates.places) = (trial, places);
        self.phases.end(Phase::Gather);
    }

    /// Evaluates contacts with walls at the trial state.
    fn evaluate_walls(&mut self, step: Step) {
        let chunk = Chunk {
            table: &self.table,
            step: Step { ledger: self.ledger, ..step },
            images: self.images(),
            at_wall: true,
            memory: &self.stored_histories.walls,
            motions: if step.elapsed > 0.0 { &self.motions } else { &[] },
        };
        self.wall_contacts.evaluate(
            &chunk,
            &self.particles.records,
            &self.walls,
            &mut self.scratch,
            &mut self.pool,
        );
        self.phases.end(Phase::Walls);
    }

    /// Adds what fields do to one particle and removes what it must not do.
    pub(crate) fn finish_load(&self, slot: usize, time: f64, load: &mut [ForceTorque; 1]) {
        if !self.fields.is_empty() {
            let (records, descriptions) =
                (&self.particles.records[slot..=slot], &self.particles.descriptions[slot..=slot]);
            let charges = [self.particles.charge(slot)];
            let fields = Fields { list: &self.fields, batch: None, time };
            apply_fields(fields, slot, records, descriptions, &charges, load, &mut []);
        }
        constrain(self.plane_normal, self.rotations, load);
    }

    fn make_room_for_books(&mut self) {
        if self.ledger {
            self.trial_energy_terms.resize(self.particles.len(), EnergyTerms::default());
            self.trial_field_power.resize(self.particles.len(), 0.0);
        }
    }
}

/// The particles, of which each part takes its own.
struct Shared<'a> {
    records: DisjointSlices<'a, HotData>,
    descriptions: DisjointSlices<'a, Metadata>,
    orientations: DisjointSlices<'a, Quat>,
    loads: DisjointSlices<'a, ForceTorque>,
    inverse_allowances: &'a [f32],
}

impl Shared<'_> {
    /// A block of particles with their sums.
    ///
    /// # Safety
    /// All contacts of these particles have been evaluated, and no block with any of them is alive.
    unsafe fn summed<'b>(
        &'b self,
        slots: Range<usize>,
        gathering: &Gathering<'_>,
        sums: &'b mut [ForceTorque; BLOCK],
    ) -> Block<'b> {
        let new = &mut sums[..slots.len()];
        // SAFETY: the caller's promise.
        unsafe {
            let records = self.records.slice_mut(slots.clone());
            let descriptions = self.descriptions.slice_mut(slots.clone());
            gathering.totals(records, descriptions, slots.clone(), new);
            Block {
                records,
                descriptions,
                orientations: self.orientations.slice_mut(slots.clone()),
                old: self.loads.slice_mut(slots.clone()),
                new,
                inverse_allowances: &self.inverse_allowances[slots.clone()],
                slots,
            }
        }
    }
}

/// What is summed.
struct Gathering<'a> {
    from: Gather<'a>,
    gravity: Vec3,
    fields: &'a [Arc<dyn Field>],
    field_batch: &'a FieldBatch,
    charges: &'a [f64],
    time: f64,
    plane_normal: Option<usize>,
    rotations: bool,
    ledger: bool,
    energy_terms: DisjointSlices<'a, EnergyTerms>,
    field_power: DisjointSlices<'a, f64>,
}

impl Gathering<'_> {
    /// Sums on the particles of a range, whose records and descriptions are given.
    ///
    /// # Safety
    /// No other call with an overlapping range may run at the same time.
    unsafe fn totals(
        &self,
        records: &[HotData],
        descriptions: &[Metadata],
        range: Range<usize>,
        loads: &mut [ForceTorque],
    ) {
        let gravity = [self.gravity.x, self.gravity.y, self.gravity.z, 0.0];
        self.from.sum(range.clone(), records, &gravity, loads);
        if self.ledger {
            // SAFETY: the caller's promise.
            gather_books(&self.from, range.clone(), unsafe {
                self.energy_terms.slice_mut(range.clone())
            });
        }
        if !self.fields.is_empty() {
            let power: &mut [f64] = if self.ledger {
                // SAFETY: the caller's promise.
                unsafe { self.field_power.slice_mut(range.clone()) }
            } else {
                &mut []
            };
            let start = range.start;
            let charges = self.charges.get(range).unwrap_or_default();
            let fields =
                Fields { list: self.fields, batch: Some(self.field_batch), time: self.time };
            apply_fields(fields, start, records, descriptions, charges, loads, power);
        }
        constrain(self.plane_normal, self.rotations, loads);
    }
}

/// Fields other than gravity, with the forces of those that are evaluated for all particles at once;
/// without these, each is evaluated for one particle.
#[derive(Clone, Copy)]
struct Fields<'a> {
    list: &'a [Arc<dyn Field>],
    batch: Option<&'a FieldBatch>,
    time: f64,
}

/// Adds the forces of fields; notes the power of those without a potential. The first particle is in the
/// slot `start`.
fn apply_fields(
    fields: Fields<'_>,
    start: usize,
    records: &[HotData],
    descriptions: &[Metadata],
    charges: &[f64],
    loads: &mut [ForceTorque],
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
        for (index, field) in fields.list.iter().enumerate() {
            let added = match fields.batch {
                Some(batch) if field.is_batch() => batch.load(index, start + place),
                _ => field.load(&body, fields.time),
            };
            load.add(&added);
            if let Some(power) = power.get_mut(place)
                && field.potential(&body, fields.time).is_none()
            {
                *power += added.force.dot(body.velocity) + added.torque.dot(body.spin);
            }
        }
    }
}

/// Removes what plane motion or the lack of rotations forbids.
fn constrain(plane_normal: Option<usize>, rotations: bool, loads: &mut [ForceTorque]) {
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
