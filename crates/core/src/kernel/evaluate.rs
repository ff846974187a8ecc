//! Evaluation of one chunk of contacts: geometry, then the laws of its pair of materials, slot by
//! slot, then results and trial history.

use crate::contact_state::history::HistoryLayout;
use crate::contact_state::history::transport;
use crate::contact_state::result_buffer::{EnergyTerms, HistoryColumns};
use crate::geometry::{
    ANCHORAGE_WIDTH, Anchorage, Aspect, Partners, Shift, increments, kinematics, remember,
};
use crate::kernel::fused_pairs::Between;
use crate::kernel::laws::LawTable;
use crate::kernel::laws::PairLaws;
use crate::kernel::load::Images;
use crate::kernel::pairs::Course;
use crate::law::{self, Column, Contacts, Forces, History, Step, Vector, WIDTH};
use crate::particles::MeanMotion;
use crate::simd::multiversion;

/// Columns of the chunk in work; one for each thread, reused for ever.
#[derive(Debug)]
pub(crate) struct Scratch {
    pub partners: Partners,
    pub contacts: Contacts,
    pub forces: Forces,
    pub old: Vec<Column>,
    pub new: Vec<Column>,
    /// Row of memory of each lane.
    pub slots: [u32; WIDTH],
    pub results: ResultColumns,
    /// Torque on the second partner, reversed, where there are couples.
    pub second_torque: Vector,
    pub between: Between,
    pub extremes: Extremes,
    /// How far it has got with each group of candidates.
    pub(crate) courses: Vec<Course>,
    /// Where the bodies have gone, where the engine remembers motion.
    pub shift: Shift,
}

impl Scratch {
    pub(crate) fn new(layout: &HistoryLayout) -> Self {
        Self {
            partners: Partners::ZERO,
            contacts: Contacts::ZERO,
            forces: Forces::ZERO,
            old: vec![[0.0; WIDTH]; layout.width],
            new: vec![[0.0; WIDTH]; layout.width],
            slots: [0; WIDTH],
            shift: Shift::ZERO,
            results: ResultColumns([[0.0; WIDTH]; 8]),
            second_torque: [[0.0; WIDTH]; 3],
            between: Between::ZERO,
            extremes: Extremes::NONE,
            courses: Vec::new(),
        }
    }
}

/// What all chunks of an evaluation have in common.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chunk<'a> {
    pub table: &'a LawTable,
    pub step: Step,
    pub images: Images,
    pub at_wall: bool,
    /// What laws keep beside their columns.
    pub memory: &'a [f64],
    /// Mean motion of each particle since the accepted state; empty where slip follows from the
    /// velocities at the evaluation.
    pub motions: &'a [MeanMotion],
}

impl Chunk<'_> {
    /// Whether nothing but forces, torques and history is wanted.
    pub(crate) fn is_plain(&self) -> bool {
        !self.step.ledger && self.motions.is_empty() && !self.table.extras.energy_terms
    }

    /// Evaluates the chunk whose partners have been loaded and whose old history is that of `rows`,
    /// stage by stage.
    pub(crate) fn evaluate(
        &self,
        laws: &PairLaws,
        accepted: &HistoryColumns,
        rows: &[u32],
        scratch: &mut Scratch,
    ) {
        let Scratch {
            partners, contacts, forces, old, new, slots, shift, results, extremes, ..
        } = scratch;
        let aspect = Aspect {
            lever: self.table.lever,
            at_wall: self.at_wall,
            rolling: self.table.extras.moments,
            elapsed: self.step.elapsed,
            mean_motion: !self.motions.is_empty(),
        };
        kinematics(partners, aspect, contacts);
        accepted.fetch(rows, old);
        let anchorage = self.table.layout.anchorage.as_ref();
        if let Some(anchorage) = anchorage
            && let Some(old) = columns(anchorage, old)
        {
            increments(anchorage, &self.step, self.at_wall, old, partners, shift, contacts);
        }
        let squarely = !self.at_wall && !aspect.mean_motion && anchorage.is_none();
        transport(&self.table.layout, contacts, squarely, old);
        *forces = Forces::ZERO;
        let layout = &self.table.layout;
        for (own, (&(start, width), kept)) in
            laws.laws.iter().zip(layout.laws.iter().zip(&layout.kept))
        {
            let mut history = History {
                old: &old[start..start + width],
                new: &mut new[start..start + width],
                memory: law::StoredHistory::new(
                    self.memory,
                    layout.stride,
                    kept.start,
                    kept.width,
                    slots,
                ),
            };
            own.evaluate(contacts, &self.step, &mut history, forces);
        }
        if let Some(new) = anchorage.and_then(|anchorage| columns_mut(anchorage, new)) {
            remember(self.at_wall, shift, contacts, new);
        }
        combine(contacts, forces, results);
        measure(contacts, forces, laws.duration_factor, extremes);
    }
}

/// The engine's own columns.
fn columns<'a>(anchorage: &Anchorage, all: &'a [Column]) -> Option<&'a [Column; ANCHORAGE_WIDTH]> {
    all.get(anchorage.start..)?.first_chunk()
}

fn columns_mut<'a>(
    anchorage: &Anchorage,
    all: &'a mut [Column],
) -> Option<&'a mut [Column; ANCHORAGE_WIDTH]> {
    all.get_mut(anchorage.start..)?.first_chunk_mut()
}

/// How far the contacts of an evaluation have gone: the largest of each lane. A NaN does not count;
/// it makes forces that the check of the particles reports.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Extremes {
    overlap_fraction: Column,
    rate: Column,
}

impl Extremes {
    /// Of no contacts.
    pub(crate) const NONE: Self = Self { overlap_fraction: [0.0; WIDTH], rate: [0.0; WIDTH] };

    /// Takes a contact into account: its overlap as a share of the smaller radius, and its k/m* as
    /// that of a contact of constant stiffness that lasts as long [1/s²].
    #[inline(always)]
    pub(crate) fn note(&mut self, lane: usize, overlap_fraction: f64, rate: f64) {
        self.note_share(lane, overlap_fraction);
        self.note_rate(lane, rate);
    }

    /// As `note`, for the share alone.
    #[inline(always)]
    pub(crate) fn note_share(&mut self, lane: usize, overlap_fraction: f64) {
        let largest = self.overlap_fraction[lane];
        self.overlap_fraction[lane] =
            if overlap_fraction > largest { overlap_fraction } else { largest };
    }

    /// As `note`, for the rate alone.
    #[inline(always)]
    pub(crate) fn note_rate(&mut self, lane: usize, rate: f64) {
        self.rate[lane] = if rate > self.rate[lane] { rate } else { self.rate[lane] };
    }

    /// Largest overlap as a share of the smaller radius.
    pub(crate) fn overlap_fraction(&self) -> f64 {
        self.overlap_fraction.iter().copied().fold(0.0, f64::max)
    }

    /// Largest rate k/m* [1/s²].
    pub(crate) fn rate(&self) -> f64 {
        self.rate.iter().copied().fold(0.0, f64::max)
    }
}

multiversion! {
    fn measure(
        contacts: &Contacts,
        forces: &Forces,
        duration_factor: f64,
        extremes: &mut Extremes,
    ) {
        for c in 0..WIDTH {
            let mobility = contacts.inverse_mass[0][c] + contacts.inverse_mass[1][c];
            let rate = forces.normal_stiffness[c] * mobility;
            extremes.note(c, contacts.overlap_fraction[c], duration_factor * rate);
        }
    }
}

/// Results of a chunk, column by column, in the order of a row.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct ResultColumns(pub [Column; 8]);

multiversion! {
    fn combine(contacts: &Contacts, forces: &Forces, columns: &mut ResultColumns) {
        let n = &contacts.normal;
        let t = &forces.tangential;
        let out = &mut columns.0;
        for c in 0..WIDTH {
            let normal_force = forces.cohesion[c] - (forces.elastic[c] + forces.damping[c]);
            for axis in 0..3 {
                out[axis][c] = normal_force * n[axis][c] + t[axis][c];
            }
            out[3][c] = contacts.lever[0][c];
            out[4][c] = n[1][c] * t[2][c] - n[2][c] * t[1][c];
            out[5][c] = n[2][c] * t[0][c] - n[0][c] * t[2][c];
            out[6][c] = n[0][c] * t[1][c] - n[1][c] * t[0][c];
            out[7][c] = contacts.lever[1][c];
        }
    }
}

/// Writes powers and energies of a chunk.
pub(crate) fn store_energy_terms(forces: &Forces, rows: &mut [EnergyTerms]) {
    for (c, row) in rows.iter_mut().enumerate().take(WIDTH) {
        *row = [
            forces.damping_power[c],
            forces.tangential_power[c],
            forces.rolling_power[c],
            forces.cohesion_loss[c],
            forces.normal_energy[c],
            forces.tangential_energy[c],
            forces.rolling_energy[c],
            forces.cohesion_energy[c],
        ];
    }
}
