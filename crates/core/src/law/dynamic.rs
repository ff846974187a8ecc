//! Laws on the dynamic path: one law after the other, each over the columns of a chunk. The loops call the same methods
//! of [`super::slots`] as the contact kernel.

use super::slots::{
    Contact, DampingLaw, Elastic, NormalForces, NormalLaw, Roll, RollingLaw, Slip, TangentialLaw,
    critical_root,
};
use crate::chunk::{Column, Contacts, Forces, History, HistoryValue, Record, Step, WIDTH};
use crate::simd::multiversion;

#[inline(always)]
fn contact(contacts: &Contacts, step: &Step, c: usize) -> Contact {
    Contact {
        overlap: contacts.overlap[c],
        closing_speed: contacts.closing_speed[c],
        effective_radius: contacts.effective_radius[c],
        effective_mass: contacts.effective_mass[c],
        radii: [contacts.radius[0][c], contacts.radius[1][c]],
        inverse_masses: [contacts.inverse_mass[0][c], contacts.inverse_mass[1][c]],
        inverse_inertias: [contacts.inverse_inertia[0][c], contacts.inverse_inertia[1][c]],
        age: contacts.age[c],
        at_wall: contacts.radius[1][c] <= 0.0,
        step: *step,
    }
}

#[inline(always)]
fn elastic(forces: &Forces, c: usize) -> Elastic {
    Elastic {
        contact_radius: forces.contact_radius[c],
        stiffness: forces.normal_stiffness[c],
        force: forces.elastic[c],
    }
}

multiversion! {
    /// Elastic forces of a chunk.
    pub fn normal<L: NormalLaw>(law: &L, contacts: &Contacts, step: &Step, forces: &mut Forces) {
        for c in 0..WIDTH {
            let contact = contact(contacts, step, c);
            let elastic = law.force(&contact, law.contact_radius(&contact));
            forces.contact_radius[c] = elastic.contact_radius;
            forces.normal_stiffness[c] = elastic.stiffness;
            forces.elastic[c] = elastic.force;
        }
    }
}

multiversion! {
    /// Damping forces of a chunk.
    pub fn damping<L: DampingLaw>(law: &L, contacts: &Contacts, step: &Step, forces: &mut Forces) {
        for c in 0..WIDTH {
            let (contact, elastic) = (contact(contacts, step, c), elastic(forces, c));
            let root = if L::USES_ROOT {
                critical_root(contact.effective_mass, elastic.stiffness)
            } else {
                0.0
            };
            forces.damping[c] = law.force(&contact, &elastic, root);
        }
    }
}

/// Tangential forces of a chunk.
pub fn tangential<L: TangentialLaw>(
    law: &L,
    contacts: &Contacts,
    step: &Step,
    history: &mut History<'_, L::History>,
    forces: &mut Forces,
) {
    let (old, new) = history.columns();
    tangential_columns(law, contacts, step, old, new, forces);
}

multiversion! {
    fn tangential_columns<L: TangentialLaw>(
        law: &L,
        contacts: &Contacts,
        step: &Step,
        old: &[Column],
        new: &mut [Column],
        forces: &mut Forces,
    ) {
        let (old, new) = (&old[..L::History::COUNT], &mut new[..L::History::COUNT]);
        for c in 0..WIDTH {
            let (contact, elastic) = (contact(contacts, step, c), elastic(forces, c));
            let slip = Slip {
                velocity: Record::load(&contacts.slip_velocity, 0, c),
                displacement: Record::load(&contacts.slip, 0, c),
            };
            let root = if L::USES_ROOT {
                critical_root(contact.effective_mass, elastic.stiffness)
            } else {
                0.0
            };
            let (damping, cohesion) = (forces.damping[c], forces.cohesion[c]);
            let normal = NormalForces { elastic, damping, cohesion, root };
            let before = L::History::load(old, 0, c);
            let prepared = law.prepare(&contact, &elastic, &slip, before);
            let trial = law.trial(&contact, &normal, &slip, prepared);
            let result = law.return_map(&contact, &slip, prepared, trial, before.without_vectors());
            result.history.store(new, 0, c);
            for axis in 0..3 {
                forces.tangential[axis][c] += result.force[axis];
            }
            forces.friction_excess[c] = result.excess;
            forces.tangential_power[c] += result.power;
        }
    }
}

/// Rolling moments of a chunk.
pub fn rolling<L: RollingLaw>(
    law: &L,
    contacts: &Contacts,
    step: &Step,
    history: &mut History<'_, L::History>,
    forces: &mut Forces,
) {
    let (old, new) = history.columns();
    rolling_columns(law, contacts, step, old, new, forces);
}

multiversion! {
    fn rolling_columns<L: RollingLaw>(
        law: &L,
        contacts: &Contacts,
        step: &Step,
        old: &[Column],
        new: &mut [Column],
        forces: &mut Forces,
    ) {
        let (old, new) = (&old[..L::History::COUNT], &mut new[..L::History::COUNT]);
        for c in 0..WIDTH {
            let (contact, elastic) = (contact(contacts, step, c), elastic(forces, c));
            let roll = Roll {
                velocity: Record::load(&contacts.rolling_velocity, 0, c),
                angle: Record::load(&contacts.roll, 0, c),
            };
            let repulsion = forces.elastic[c] + forces.damping[c];
            let old = L::History::load(old, 0, c);
            let result = law.moment(&contact, &elastic, repulsion, &roll, old);
            result.history.store(new, 0, c);
            for axis in 0..3 {
                forces.moment[axis][c] += result.moment[axis];
            }
            forces.rolling_power[c] += result.power;
        }
    }
}
