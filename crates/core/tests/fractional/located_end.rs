//! The restitution with an implicit method that locates the end of the contact, without an engine.

use super::common::{RADIUS, mass};
use super::{STIFFNESS, TABLE, matched, pair, spring_pot};
use esker::law::{
    Column, Contacts, Forces, Law, Model, PairContext, Step, StoredHistory, UntypedCommit,
    UntypedHistory, WIDTH,
};
use esker::prelude::*;
use normal::MemoryKind;

/// One contact under a law without an engine, integrated by an implicit method that locates its end.
struct Free {
    law: Box<dyn Law>,
    columns: [Vec<Column>; 2],
    memory: Vec<f64>,
    mass: f64,
}

impl Free {
    fn new(model: Fractional, mass: f64) -> Self {
        let material = Material::default();
        let pair = pair(STIFFNESS, matched(mass));
        let mut context =
            PairContext::new(["a", "a"], [&material; 2], &pair, "pair", [RADIUS; 2], false);
        let law = model.for_pair(&mut context);
        assert_eq!(context.finish(), []);
        let law = law.expect("all parameters are given");
        let columns = [0, 1].map(|_| vec![[0.0; WIDTH]; law.history().0.len()]);
        let memory = vec![0.0; law.stored_history().0 * WIDTH];
        Self { law, columns, memory, mass }
    }

    /// The acceleration in a trial state.
    fn acceleration(&mut self, overlap: f64, speed: f64, step: f64) -> f64 {
        let (mut contacts, mut forces) = (Contacts::ZERO, Forces::ZERO);
        contacts.overlap[0] = overlap;
        contacts.closing_speed[0] = speed;
        contacts.effective_radius = [RADIUS; WIDTH];
        contacts.effective_mass = [self.mass; WIDTH];
        let [old, new] = &mut self.columns;
        let (width, slots) = (self.law.stored_history().0, [0; WIDTH]);
        let stored = StoredHistory::new(&self.memory, width, 0, width, &slots);
        let step = Step { elapsed: step, ..Step::at_accepted_state(step) };
        let history = UntypedHistory { old, new, stored };
        self.law.evaluate_columns(&contacts, &step, history, &mut forces);
        -forces.elastic[0] / self.mass
    }

    fn commit(&mut self, step: f64) {
        let [old, new] = &self.columns;
        let width = self.law.stored_history().0;
        self.law.commit_columns(&mut UntypedCommit::new(step, old, new, &mut self.memory, width));
        self.columns.swap(0, 1);
    }

    /// The state after a step, by iteration, with an acceleration that is a parabola through start,
    /// middle and end (Lobatto IIIA, of fourth order). The end is evaluated last: it is committed.
    fn step(&mut self, [overlap, speed, start]: [f64; 3], step: f64) -> [f64; 3] {
        let (mut middle, mut end) = (start, start);
        let square = step * step;
        let mut after = [overlap, speed, start];
        for _ in 0..15 {
            let half =
                overlap + 0.5 * step * speed + square * (7.0 * start + 6.0 * middle - end) / 96.0;
            let fast = speed + step * (5.0 * start + 8.0 * middle - end) / 24.0;
            middle = self.acceleration(half.max(1e-15), fast, 0.5 * step);
            let whole = overlap + step * speed + square * (start + 2.0 * middle) / 6.0;
            let fast = speed + step * (start + 4.0 * middle + end) / 6.0;
            end = self.acceleration(whole.max(1e-15), fast, step);
            after = [whole, fast, end];
        }
        after
    }

    /// Restitution with this many steps in a contact of this length, the first one graded.
    fn restitution(&mut self, length: f64, steps: usize) -> f64 {
        let whole = length / steps as f64;
        let graded = [16.0, 16.0, 8.0, 4.0, 2.0].map(|part| whole / part);
        let mut state = [0.0, 1.0, 0.0];
        for index in 0.. {
            let mut step = graded.get(index).copied().unwrap_or(whole);
            let mut next = self.step(state, step);
            if next[0] < 0.0 {
                // the time of zero overlap, by the method of false position; nothing is committed meanwhile
                for _ in 0..12 {
                    step *= state[0] / (state[0] - next[0]);
                    next = self.step(state, step);
                }
                return -next[1];
            }
            self.commit(step);
            state = next;
        }
        0.0
    }
}

#[test]
fn a_hundred_steps_to_a_contact_give_the_restitution_if_the_end_is_located() {
    let mass = mass(RADIUS);
    let unit = (mass / STIFFNESS).sqrt();
    for [order, _, _, ends, expected] in TABLE {
        let kinds = [
            Fractional { shortest_step: Some(1e-4 * unit), ..spring_pot(order) },
            Fractional { memory: MemoryKind::Direct, horizon: None, ..spring_pot(order) },
        ];
        for model in kinds {
            let found = Free::new(model, mass).restitution(ends * unit, 100);
            println!("{order} {:?}: {:e}", model.memory, found - expected);
            // the table has five digits; a tenth of the error allowed for this scheme
            assert!((found - expected).abs() < 1e-5, "{order}: {found} {expected}");
        }
    }
}
