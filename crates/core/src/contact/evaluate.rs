//! Evaluation of one chunk of contacts: geometry, then the laws of its pair of materials, slot by
//! slot, then results and trial history.

use super::history::transport;
use super::load::Images;
use super::rows::{Books, Columns, Couple, Row};
use super::{HistoryLayout, LawTable, PairLaws};
use crate::geometry::{
    Aspect, MEMORY_WIDTH, Memory, Partners, Shift, increments, kinematics, remember,
};
use crate::law::{self, Column, Contacts, Forces, History, Step, WIDTH};
use crate::particles::MeanMotion;
use crate::simd::{vectorise, vectorise_rows};

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
    /// Where the bodies have gone, where the engine remembers motion.
    pub shift: Shift,
    /// Largest overlap seen in this evaluation as a share of the smaller radius.
    pub worst_overlap: f64,
    /// Largest squared rate k/m* of a contact seen in this evaluation, as that of a contact of
    /// constant stiffness that lasts as long [1/s²].
    pub stiffest: f64,
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
            worst_overlap: 0.0,
            stiffest: 0.0,
        }
    }

    /// Forgets what earlier evaluations have seen.
    pub(crate) fn forget_extremes(&mut self) {
        self.worst_overlap = 0.0;
        self.stiffest = 0.0;
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
    /// Evaluates the chunk whose partners have been loaded and whose old history is that of `rows`.
    pub(crate) fn evaluate(
        &self,
        laws: &PairLaws,
        accepted: &Columns,
        rows: &[u32; WIDTH],
        scratch: &mut Scratch,
    ) {
        let Scratch { partners, contacts, forces, old, new, slots, shift, worst_overlap, stiffest } =
            scratch;
        let aspect = Aspect {
            lever: self.table.lever,
            at_wall: self.at_wall,
            rolling: self.table.extras.couples,
            elapsed: self.step.elapsed,
            mean_motion: !self.motions.is_empty(),
        };
        kinematics(partners, aspect, contacts);
        let share = largest_overlap(partners, contacts);
        // written so that a NaN is kept
        *worst_overlap = if share <= *worst_overlap { *worst_overlap } else { share };
        let in_sequence =
            rows.iter().enumerate().all(|(lane, &row)| row as usize == rows[0] as usize + lane);
        for (index, column) in old.iter_mut().enumerate() {
            fetch(accepted.column(index), rows, in_sequence, column);
        }
        let memory = self.table.layout.memory.as_ref();
        if let Some(memory) = memory
            && let Some(old) = columns(memory, old)
        {
            increments(memory, &self.step, self.at_wall, old, partners, shift, contacts);
        }
        transport(&self.table.layout, contacts, old);
        *forces = Forces::ZERO;
        let layout = &self.table.layout;
        for (own, (&(start, width), kept)) in
            laws.laws.iter().zip(layout.laws.iter().zip(&layout.kept))
        {
            let mut history = History {
                old: &old[start..start + width],
                new: &mut new[start..start + width],
                memory: law::Memory::new(self.memory, layout.stride, kept.start, kept.width, slots),
            };
            own.evaluate(contacts, &self.step, &mut history, forces);
        }
        if let Some(new) = memory.and_then(|memory| columns_mut(memory, new)) {
            remember(self.at_wall, shift, contacts, new);
        }
        *stiffest = stiffest.max(laws.duration_factor * largest_rate(contacts, forces));
    }
}

/// The engine's own columns.
fn columns<'a>(memory: &Memory, all: &'a [Column]) -> Option<&'a [Column; MEMORY_WIDTH]> {
    all.get(memory.start..)?.first_chunk()
}

fn columns_mut<'a>(
    memory: &Memory,
    all: &'a mut [Column],
) -> Option<&'a mut [Column; MEMORY_WIDTH]> {
    all.get_mut(memory.start..)?.first_chunk_mut()
}

/// Loads one history column; rows in sequence, the usual case, are copied as a block.
#[inline]
fn fetch(stored: &[f64], rows: &[u32; WIDTH], in_sequence: bool, column: &mut Column) {
    if in_sequence {
        let first = rows[0] as usize;
        column.copy_from_slice(&stored[first..first + WIDTH]);
    } else {
        for lane in 0..WIDTH {
            column[lane] = stored[rows[lane] as usize];
        }
    }
}

vectorise! {
    fn largest_overlap(partners: &Partners, contacts: &Contacts) -> f64 {
        let mut lanes = [0.0f64; 8];
        for block in 0..WIDTH / 8 {
            for lane in 0..8 {
                let c = 8 * block + lane;
                let curvature = partners.inverse_radius[0][c].max(partners.inverse_radius[1][c]);
                let share = contacts.overlap[c] * curvature;
                // written so that a NaN is kept
                lanes[lane] = if share <= lanes[lane] { lanes[lane] } else { share };
            }
        }
        let mut worst = 0.0;
        for share in lanes {
            worst = if share <= worst { worst } else { share };
        }
        worst
    }
}

vectorise! {
    /// Largest k/m*; a NaN is for the other checks.
    fn largest_rate(contacts: &Contacts, forces: &Forces) -> f64 {
        let mut lanes = [0.0f64; 8];
        for block in 0..WIDTH / 8 {
            for lane in 0..8 {
                let c = 8 * block + lane;
                let mobility = contacts.inverse_mass[0][c] + contacts.inverse_mass[1][c];
                let rate = forces.normal_stiffness[c] * mobility;
                lanes[lane] = if rate > lanes[lane] { rate } else { lanes[lane] };
            }
        }
        lanes.iter().fold(0.0, |largest, &rate| if rate > largest { rate } else { largest })
    }
}

/// Results of a chunk, column by column, in the order of a row.
#[repr(C, align(64))]
struct ResultColumns([Column; 8]);

/// Writes the results of a chunk.
pub(crate) fn store_results(contacts: &Contacts, forces: &Forces, rows: &mut [Row]) {
    let mut columns = ResultColumns([[0.0; WIDTH]; 8]);
    combine(contacts, forces, &mut columns);
    transpose(&columns, rows);
}

vectorise! {
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

vectorise_rows! {
    fn transpose(columns: &ResultColumns, rows: &mut [Row]) {
        for (c, row) in rows.iter_mut().enumerate().take(WIDTH) {
            for (value, column) in row.iter_mut().zip(&columns.0) {
                *value = column[c];
            }
        }
    }
}

/// Writes the couples of a chunk.
pub(crate) fn store_couples(forces: &Forces, rows: &mut [Couple]) {
    for (c, row) in rows.iter_mut().enumerate().take(WIDTH) {
        *row = [forces.couple[0][c], forces.couple[1][c], forces.couple[2][c]];
    }
}

/// Writes powers and energies of a chunk.
pub(crate) fn store_books(forces: &Forces, rows: &mut [Books]) {
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
