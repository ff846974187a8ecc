//! Evaluation of one chunk of contacts on the dynamic path: kinematics, then the laws of its pair of
//! materials one after the other, then results and trial history.

use super::contact_kernel::{HISTORY, HistoryAccess, Input, Output, Temporaries};
use crate::chunk::{
    Column, Contacts, Forces, Images, Partners, Step, StoredHistory, UntypedHistory, Vector, WIDTH,
};
use crate::contact_state::history::HistoryLayout;
use crate::contact_state::result_buffer::{HistoryColumns, ResultColumns, ResultSlices};
use crate::geometry::{
    ANCHORAGE_WIDTH, Anchorage, KinematicsOptions, Shift, kinematics, map_slip,
    power_without_kicks, store_anchors, transport,
};
use crate::kernel::laws::LawTable;
use crate::kernel::laws::PairLaws;
use crate::kernel::pairs::Progress;
use crate::parallel::UnsynchronisedReader;
use crate::particles::{HalfKick, MeanMotion};
use crate::simd::multiversion;

/// Columns of the current chunk; one set per thread, reused.
#[derive(Debug)]
pub(crate) struct Scratch {
    pub partners: Partners,
    pub contacts: Contacts,
    pub forces: Forces,
    pub old: Vec<Column>,
    pub new: Vec<Column>,
    /// Stored history outside the columns, for each lane.
    pub slots: [u32; WIDTH],
    pub results: ResultColumns,
    /// Minus the torque on the second partner, if there are moments.
    pub second_torque: Vector,
    /// Of the contact kernel.
    pub temporaries: Temporaries,
    /// For history columns that a kernel has and its laws do not.
    pub spare: [Column; HISTORY],
    pub extremes: Extremes,
    /// Progress with each group of pairs.
    pub(crate) groups: Vec<Progress>,
    /// Displacement of the partners, if slip is mapped.
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
            temporaries: Temporaries::ZERO,
            spare: [[0.0; WIDTH]; HISTORY],
            extremes: Extremes::NONE,
            groups: Vec::new(),
        }
    }

    /// Arguments of a contact kernel: the loaded chunk, its history at these indices of the accepted columns and from
    /// `first_index` in the trial columns, and its results.
    pub(crate) fn kernel_arguments<'a>(
        &'a mut self,
        chunk: &'a Chunk<'_>,
        accepted: &'a HistoryColumns,
        indices: &'a [u32; WIDTH],
        trial: &'a ResultSlices<'a>,
        first_index: usize,
    ) -> (Input<'a>, HistoryAccess<'a>, Output<'a>) {
        let Chunk { images, step, kicks, .. } = chunk;
        let Self {
            partners,
            contacts,
            old: scratch,
            spare,
            temporaries,
            extremes,
            results,
            second_torque,
            ..
        } = self;
        (
            Input { partners, contacts, images, step, has_kicks: !kicks.is_empty() },
            HistoryAccess { accepted, indices, scratch, trial, first_index, spare },
            Output { temporaries, extremes, results, second_torque },
        )
    }
}

/// Common input of all chunks of an evaluation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chunk<'a> {
    pub table: &'a LawTable,
    pub step: Step,
    pub images: Images,
    pub at_wall: bool,
    /// Stored history outside the columns.
    pub stored: &'a [f64],
    /// Mean motion of each particle since the accepted state; empty if slip follows from the
    /// velocities at the evaluation.
    pub motions: UnsynchronisedReader<'a, MeanMotion>,
    /// Kick of each particle; empty if no slip is accurate.
    pub kicks: UnsynchronisedReader<'a, HalfKick>,
}

impl Chunk<'_> {
    /// Whether only forces, torques and history are needed, as a contact kernel computes them.
    pub(crate) fn is_plain(&self) -> bool {
        !self.step.ledger && self.motions.is_empty() && !self.table.extras.energy_terms
    }

    /// Evaluates a chunk on the dynamic path. Its partners have been loaded; its old history is at the
    /// `indices` of the accepted columns.
    pub(crate) fn evaluate(
        &self,
        laws: &PairLaws,
        accepted: &HistoryColumns,
        indices: &[u32],
        scratch: &mut Scratch,
    ) {
        let Scratch {
            partners, contacts, forces, old, new, slots, shift, results, extremes, ..
        } = scratch;
        let options = KinematicsOptions {
            moment_arm: self.table.moment_arm,
            at_wall: self.at_wall,
            rolling: self.table.extras.moments,
            elapsed: self.step.elapsed,
            mean_motion: !self.motions.is_empty(),
            kicks: !self.kicks.is_empty(),
        };
        kinematics(partners, options, contacts);
        accepted.fetch(indices, old);
        let layout = &self.table.layout;
        let anchorage = layout.anchorage.as_ref();
        if let Some(anchorage) = anchorage
            && let Some(old) = columns(anchorage, old)
        {
            map_slip(anchorage, &self.step, self.at_wall, old, partners, shift, contacts);
        }
        let is_perpendicular = !self.at_wall && !options.mean_motion && anchorage.is_none();
        for &(first, how) in &layout.vectors {
            if let Some(vector) = old.get_mut(first..).and_then(|columns| columns.first_chunk_mut())
            {
                transport(how, contacts, is_perpendicular, vector);
            }
        }
        *forces = Forces::ZERO;
        for (law, (&(start, width), numbers)) in
            laws.laws.iter().zip(layout.laws.iter().zip(&layout.stored))
        {
            let history = UntypedHistory {
                old: &old[start..start + width],
                new: &mut new[start..start + width],
                stored: StoredHistory::new(
                    self.stored,
                    layout.stride,
                    numbers.start,
                    numbers.width,
                    slots,
                ),
            };
            law.evaluate_columns(contacts, &self.step, history, forces);
        }
        debug_assert!(
            self.table.extras.moments || forces.moment.iter().flatten().all(|part| *part == 0.0),
            "a law adds a moment and does not declare it"
        );
        if self.step.ledger && options.kicks {
            power_without_kicks(partners, contacts, forces);
        }
        if let Some(new) = anchorage.and_then(|anchorage| columns_mut(anchorage, new)) {
            store_anchors(self.at_wall, shift, contacts, new);
        }
        combine(contacts, forces, results);
        update_extremes(contacts, forces, laws.duration_factor, extremes);
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

/// Largest overlap and stiffness of the contacts of an evaluation, lane by lane. A NaN is ignored here;
/// the check of the particles reports it.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Extremes {
    overlap_fraction: Column,
    rate: Column,
}

impl Extremes {
    /// Extremes of an empty set of contacts.
    pub(crate) const NONE: Self = Self { overlap_fraction: [0.0; WIDTH], rate: [0.0; WIDTH] };

    /// Given extremes.
    pub(crate) fn of(overlap_fraction: f64, rate: f64) -> Self {
        let mut extremes = Self::NONE;
        extremes.update_overlap(0, overlap_fraction);
        extremes.update_rate(0, rate);
        extremes
    }

    /// Includes the overlap of a contact, as a fraction of the smaller radius.
    #[inline(always)]
    pub(crate) fn update_overlap(&mut self, lane: usize, overlap_fraction: f64) {
        let largest = self.overlap_fraction[lane];
        self.overlap_fraction[lane] =
            if overlap_fraction > largest { overlap_fraction } else { largest };
    }

    /// Includes k/m* of a contact, converted to that of a contact of constant stiffness with the same duration [1/s²].
    #[inline(always)]
    pub(crate) fn update_rate(&mut self, lane: usize, rate: f64) {
        self.rate[lane] = if rate > self.rate[lane] { rate } else { self.rate[lane] };
    }

    /// Largest overlap as a fraction of the smaller radius.
    pub(crate) fn overlap_fraction(&self) -> f64 {
        self.overlap_fraction.iter().copied().fold(0.0, f64::max)
    }

    /// Largest rate k/m* [1/s²].
    pub(crate) fn rate(&self) -> f64 {
        self.rate.iter().copied().fold(0.0, f64::max)
    }
}

multiversion! {
    fn update_extremes(
        contacts: &Contacts,
        forces: &Forces,
        duration_factor: f64,
        extremes: &mut Extremes,
    ) {
        for c in 0..WIDTH {
            let mobility = contacts.inverse_mass[0][c] + contacts.inverse_mass[1][c];
            let rate = forces.normal_stiffness[c] * mobility;
            extremes.update_overlap(c, contacts.overlap_fraction[c]);
            extremes.update_rate(c, duration_factor * rate);
        }
    }
}

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
            out[3][c] = contacts.moment_arm[0][c];
            out[4][c] = n[1][c] * t[2][c] - n[2][c] * t[1][c];
            out[5][c] = n[2][c] * t[0][c] - n[0][c] * t[2][c];
            out[6][c] = n[0][c] * t[1][c] - n[1][c] * t[0][c];
            out[7][c] = contacts.moment_arm[1][c];
        }
    }
}
