//! Iterations of Gauss and Seidel: particles in order of id, each from the newest state of the
//! others.

use super::convergence::{Rule, Seen};
use crate::engine::Engine;
use crate::engine::single::Single;
use crate::id::ParticleId;
use crate::law::Step;
use crate::particles::ForceTorque;

/// Room for the contacts of one particle.
pub(crate) use crate::engine::single::Neighbours;

impl Engine {
    /// One iteration over all particles. One after the other on one thread: each needs the one before.
    pub(super) fn sweep(&mut self, time: f64, step: Step, rule: Rule) -> Seen {
        self.workspace.counts.evaluations += 1;
        self.advance_walls(time);
        self.note_wall_motions(step.elapsed);
        let mut neighbours = std::mem::take(&mut self.workspace.neighbours);
        neighbours.reserve(self.candidates.most_entries());
        let mut seen = Seen::default();
        for number in 0..self.particles.ids_end() {
            let id = ParticleId::new(number as u32);
            let Some(slot) = self.particles.slot(id) else { continue };
            if self.particles.driver(slot).is_some() {
                continue;
            }
            let load = self.load_on(slot, time, step, &mut neighbours);
            let change = rule.iterate(
                &self.workspace.start[slot],
                &self.particles.loads[slot],
                &load,
                &mut self.particles.records[slot],
                &mut self.motions[slot],
            );
            if self.particles.records[slot].inverse_mass > 0.0 {
                seen.add(id, &self.particles.records[slot], &change);
            }
        }
        self.workspace.neighbours = neighbours;
        seen
    }

    /// Force and torque on one particle at the present trial state, by the laws of its contacts and
    /// the fields. Writes nothing that is kept.
    fn load_on(
        &mut self,
        slot: usize,
        time: f64,
        step: Step,
        neighbours: &mut Neighbours,
    ) -> ForceTorque {
        let images = self.images();
        let single = Single {
            table: &self.table,
            step,
            stored_histories: &self.stored_histories,
            motions: &self.motions,
            records: &self.particles.records,
            images: &images,
            candidates: &self.candidates,
            accepted: &self.rows.accepted,
            wall_contacts: &self.wall_contacts,
            walls: &self.walls,
        };
        let Some(scratch) = self.scratch.first_mut() else { return ForceTorque::default() };
        let mut load = [single.sum(
            slot,
            self.particles.records[slot].mass,
            self.gravity,
            neighbours,
            scratch,
        )];
        self.finish_load(slot, time, &mut load);
        load[0]
    }
}
