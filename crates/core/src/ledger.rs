//! The energy ledger: where the energy is, where it went, and what cannot be explained.

use crate::contact_state::result_buffer::FIRST_STORED;
use crate::engine::Engine;
use crate::exact_sum::ExactSum;
use crate::particles::HotData;
use crate::snapshot::Energy;

impl Engine {
    /// Kinetic energy of translation and of rotation [J].
    pub(crate) fn kinetic_energy(&self) -> [f64; 2] {
        let mut sums = [ExactSum::new(), ExactSum::new()];
        for record in &self.particles.records {
            let kinetic = kinetic_energy_of(record);
            sums.iter_mut().zip(kinetic).for_each(|(sum, energy)| sum.add(energy));
        }
        sums.map(|sum| sum.value())
    }

    /// Kinetic energy of some particles, translation and rotation together [J].
    pub(crate) fn kinetic_energy_of(&self, slots: &[usize]) -> f64 {
        let mut sum = ExactSum::new();
        for &slot in slots {
            kinetic_energy_of(&self.particles.records[slot]).iter().for_each(|one| sum.add(*one));
        }
        sum.value()
    }

    /// The ledger, but for what was inserted. Elastic energies and losses are zero without one.
    pub(crate) fn energy(&self, time: f64) -> Energy {
        let [kinetic, rotational] = self.kinetic_energy();
        let mut works: [ExactSum; 5] = std::array::from_fn(|_| ExactSum::new());
        let mut stored: [ExactSum; 4] = std::array::from_fn(|_| ExactSum::new());
        if self.ledger {
            works.iter_mut().zip(&self.departed_works).for_each(|(sum, work)| sum.add(*work));
            for own in &self.works {
                works.iter_mut().zip(own).for_each(|(sum, work)| sum.add(*work));
            }
            for book in &self.energy_terms {
                let energies = &book[FIRST_STORED..];
                stored.iter_mut().zip(energies).for_each(|(sum, energy)| sum.add(*energy));
            }
        }
        let [damping, tangential, rolling, cohesion_loss, field_work] =
            works.map(|sum| sum.value());
        let [elastic_normal, in_slip, in_rolling, cohesion] = stored.map(|sum| sum.value());
        Energy {
            kinetic,
            rotational,
            potential: self.potential_energy(time),
            elastic_normal,
            elastic_tangential: in_slip + in_rolling,
            cohesion,
            damping_loss: damping,
            // what went into tangential springs and is not there any more is lost
            sliding_loss: tangential - in_slip,
            rolling_loss: rolling - in_rolling,
            cohesion_loss,
            field_work,
            wall_work: self.walls.iter().map(|wall| wall.work).sum(),
            ..Energy::default()
        }
    }

    fn potential_energy(&self, time: f64) -> f64 {
        let mut sum = ExactSum::new();
        let period = self.domain.period();
        for slot in 0..self.particles.len() {
            let image = self.particles.descriptions[slot].image;
            let mut body = self.particles.body(slot);
            if self.particles.records[slot].inverse_mass == 0.0 {
                continue;
            }
            // a particle that has gone round a period has fallen all the way
            for axis in 0..3 {
                body.position[axis] += f64::from(image[axis]) * period[axis];
            }
            sum.add(-body.mass * self.gravity.dot(body.position));
            for field in &self.fields {
                sum.add(field.potential(&body, time).unwrap_or(0.0));
            }
        }
        sum.value()
    }
}

/// Kinetic energy of translation and of rotation of a particle, none if it is held [J].
fn kinetic_energy_of(record: &HotData) -> [f64; 2] {
    if !(record.inverse_mass > 0.0) {
        return [0.0; 2];
    }
    let square = |v: [f64; 3]| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    [0.5 * record.mass * square(record.velocity), 0.5 * record.inertia() * square(record.spin)]
}

impl Energy {
    /// What is there now: kinetic, potential, elastic and cohesive [J].
    pub fn present(&self) -> f64 {
        self.kinetic
            + self.rotational
            + self.potential
            + self.elastic_normal
            + self.elastic_tangential
            + self.cohesion
    }

    /// The closure error as a share of the energy in play: what moves or is stored in contacts, what
    /// was lost or left with deleted particles, and what walls and fields did. Where next to nothing is
    /// in play, a billionth of the energy that was brought in or taken out counts, so that rounding
    /// alone is no error.
    pub fn closure_share(&self) -> f64 {
        let in_play = self.kinetic
            + self.rotational
            + self.elastic_normal
            + self.elastic_tangential
            + self.cohesion.abs()
            + self.lost().abs()
            + self.departed_kinetic
            + self.wall_work.abs()
            + self.field_work.abs();
        let in_play = in_play.max(1e-9 * self.turnover);
        if in_play == 0.0 { 0.0 } else { self.closure_error / in_play }
    }

    /// What was lost [J].
    pub fn lost(&self) -> f64 {
        self.damping_loss + self.sliding_loss + self.rolling_loss + self.cohesion_loss
    }
}
