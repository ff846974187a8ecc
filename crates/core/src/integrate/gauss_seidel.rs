//! Gauss–Seidel iterations: particles in order of id, each from the latest state of the others.

use super::convergence::{IterationChanges, Rule};
use super::step_control::Workspace;
use crate::engine::{Engine, Integration};
use crate::law::Step;

/// One iteration over all particles, sequential on one thread, since each depends on the previous one.
pub(super) fn iterate(
    engine: &mut Engine,
    workspace: &mut Workspace,
    time: f64,
    step: Step,
    rule: Rule,
) -> IterationChanges {
    workspace.counts.evaluations += 1;
    engine.move_walls(time, step.elapsed);
    engine.reserve_single(&mut workspace.single);
    let mut changes = IterationChanges::default();
    for index in 0..engine.particles().len() {
        let slot = engine.particles().slots()[index] as usize;
        let id = engine.particles().metadata[slot].id();
        if engine.particles().driver(slot).is_some() {
            continue;
        }
        let load = engine.load_on(slot, time, step, &mut workspace.single);
        let Integration { particles, motions, .. } = engine.integration();
        let record = &mut particles.records[slot];
        let (start, old) = (&workspace.start[slot], &particles.loads[slot]);
        let change = rule.iterate(start, old, &load, record, &mut motions[slot]);
        if record.inverse_mass > 0.0 {
            changes.add(id, record, &change);
        }
    }
    changes
}
