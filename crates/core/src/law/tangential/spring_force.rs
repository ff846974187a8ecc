//! Force of a tangential spring and dashpot on one contact; formulas and sources in `spring.rs`.

use super::friction::Friction;
use crate::law::slots::{
    Contact, Elastic, NormalForces, Slip, Tangential, TangentialLaw, critical_root,
};
use crate::law::{Contacts, Forces};

crate::history! {
    /// History of a contact with a tangential spring.
    pub struct SpringHistory {
        /// Elastic displacement [m].
        pub spring: [f64; 3],
        /// Trial force minus its limit: positive in slip [N]. Without a dashpot the force itself does not indicate
        /// slip. Used for output, and for the limit of the next step if static and dynamic friction differ.
        pub friction_excess: f64,
    }
}

/// The coefficients of the law for a pair of materials.
#[derive(Debug, Clone, Copy)]
pub(super) struct Coefficients {
    pub per_contact_radius: f64,
    pub per_normal_stiffness: f64,
    pub damping_ratio: f64,
    /// The coefficient of the dashpot divided by √(m* k) of the normal law, if the ratio of the two stiffnesses is
    /// constant: one root serves both.
    pub per_root: Option<f64>,
    pub friction: Friction,
}

impl Coefficients {
    /// Stiffness of the spring [N/m].
    #[inline(always)]
    pub(super) fn stiffness(&self, forces: &Forces, lane: usize) -> f64 {
        self.stiffness_of(forces.contact_radius[lane], forces.normal_stiffness[lane])
    }

    /// Stiffness of the spring, from contact radius and normal stiffness [N/m].
    #[inline(always)]
    pub(super) fn stiffness_of(&self, contact_radius: f64, normal_stiffness: f64) -> f64 {
        self.per_contact_radius * contact_radius + self.per_normal_stiffness * normal_stiffness
    }

    /// Coefficient of the dashpot [N s/m].
    pub(super) fn dashpot(&self, contacts: &Contacts, forces: &Forces, lane: usize) -> f64 {
        let mass = contacts.effective_mass[lane];
        match self.per_root {
            Some(per_root) => per_root * critical_root(mass, forces.normal_stiffness[lane]),
            None => 2.0 * self.damping_ratio * critical_root(mass, self.stiffness(forces, lane)),
        }
    }
}

crate::record! {
    /// Trial force of a spring and a dashpot.
    pub struct SpringTrial {
        stiffness: f64,
        /// N in the friction limit [N].
        normal_force: f64,
        force: [f64; 3],
        /// Magnitudes of the force and of the trial spring.
        magnitude: f64,
        spring_length: f64,
    }
}

/// A spring whose dashpot is a multiple of √(m* k) of the normal law.
#[derive(Debug, Clone, Copy)]
pub struct Spring {
    pub(super) law: Coefficients,
    pub(super) per_root: f64,
}

/// A spring whose dashpot needs a separate square root.
#[derive(Debug, Clone, Copy)]
pub struct SpringOwnRoot {
    pub(super) law: Coefficients,
}

impl TangentialLaw for Spring {
    const USES_ROOT: bool = true;
    type History = SpringHistory;
    /// The trial spring.
    type Prepared = [f64; 3];
    type Trial = SpringTrial;

    #[inline(always)]
    fn reads_history(&self, column: usize) -> bool {
        self.law.reads_history(column)
    }

    #[inline(always)]
    fn prepare(&self, _: &Contact, _: &Elastic, slip: &Slip, old: SpringHistory) -> [f64; 3] {
        sum(old.spring, slip.displacement)
    }

    #[inline(always)]
    fn trial(
        &self,
        _: &Contact,
        normal: &NormalForces,
        slip: &Slip,
        spring: [f64; 3],
    ) -> SpringTrial {
        self.law.trial(normal, slip, spring, self.per_root * normal.root)
    }

    #[inline(always)]
    fn return_map(
        &self,
        contact: &Contact,
        _: &Slip,
        spring: [f64; 3],
        trial: SpringTrial,
        old: SpringHistory,
    ) -> Tangential<SpringHistory> {
        self.law.return_map(contact, spring, &trial, old.friction_excess)
    }
}

impl TangentialLaw for SpringOwnRoot {
    type History = SpringHistory;
    /// The trial spring and the root of its dashpot.
    type Prepared = [f64; 4];
    type Trial = SpringTrial;

    #[inline(always)]
    fn reads_history(&self, column: usize) -> bool {
        self.law.reads_history(column)
    }

    #[inline(always)]
    fn prepare(
        &self,
        contact: &Contact,
        elastic: &Elastic,
        slip: &Slip,
        old: SpringHistory,
    ) -> [f64; 4] {
        let [x, y, z] = sum(old.spring, slip.displacement);
        let stiffness = self.law.stiffness_of(elastic.contact_radius, elastic.stiffness);
        [x, y, z, critical_root(contact.effective_mass, stiffness)]
    }

    #[inline(always)]
    fn trial(
        &self,
        _: &Contact,
        normal: &NormalForces,
        slip: &Slip,
        [x, y, z, root]: [f64; 4],
    ) -> SpringTrial {
        self.law.trial(normal, slip, [x, y, z], 2.0 * self.law.damping_ratio * root)
    }

    #[inline(always)]
    fn return_map(
        &self,
        contact: &Contact,
        _: &Slip,
        [x, y, z, _]: [f64; 4],
        trial: SpringTrial,
        old: SpringHistory,
    ) -> Tangential<SpringHistory> {
        self.law.return_map(contact, [x, y, z], &trial, old.friction_excess)
    }
}

impl Coefficients {
    /// The excess is read only if the friction limit depends on it.
    #[inline(always)]
    fn reads_history(&self, column: usize) -> bool {
        column < 3 || self.friction.depends_on_history()
    }

    /// Force without a limit, before the root of its magnitude.
    #[inline(always)]
    fn trial(
        &self,
        normal: &NormalForces,
        slip: &Slip,
        spring: [f64; 3],
        dashpot: f64,
    ) -> SpringTrial {
        let elastic = &normal.elastic;
        let stiffness = self.stiffness_of(elastic.contact_radius, elastic.stiffness);
        let u = slip.velocity;
        let force = [
            -(stiffness * spring[0] + dashpot * u[0]),
            -(stiffness * spring[1] + dashpot * u[1]),
            -(stiffness * spring[2] + dashpot * u[2]),
        ];
        let square = |v: [f64; 3]| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        SpringTrial {
            stiffness,
            normal_force: self.friction.normal_force(normal),
            force,
            magnitude: square(force).sqrt(),
            spring_length: square(spring).sqrt(),
        }
    }

    /// Force within the limit, and the reduced spring.
    #[inline(always)]
    fn return_map(
        &self,
        contact: &Contact,
        spring: [f64; 3],
        trial: &SpringTrial,
        excess_before: f64,
    ) -> Tangential<SpringHistory> {
        let SpringTrial { stiffness, normal_force, force: trial, magnitude, spring_length } =
            *trial;
        let tested = self.friction.tested_coefficient(excess_before, contact.step.elapsed);
        let limit = self.friction.in_slip * normal_force;
        let excess = magnitude - tested * normal_force;
        let slips = excess > 0.0;
        let touching = contact.overlap > 0.0;
        // force = trial · shrink; in slip the spring is opposite to the force and carries the limit, or its own force
        // if that is smaller; one division for both
        let inverse = 1.0 / positive(stiffness * magnitude);
        let carried = stiffness * spring_length;
        let shrink = if slips { limit * stiffness * inverse } else { 1.0 };
        let cut = -(if limit < carried { limit } else { carried } * inverse);
        let held = |axis: usize| if slips { cut * trial[axis] } else { spring[axis] };
        let if_touching = |value: f64| if touching { value } else { 0.0 };
        let friction_excess = if_touching(excess);
        Tangential {
            force: [
                if_touching(shrink * trial[0]),
                if_touching(shrink * trial[1]),
                if_touching(shrink * trial[2]),
            ],
            excess: friction_excess,
            power: 0.0,
            history: SpringHistory {
                spring: [if_touching(held(0)), if_touching(held(1)), if_touching(held(2))],
                friction_excess,
            },
        }
    }
}

#[inline(always)]
fn sum(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// The number, or the smallest positive one, to avoid a division by zero.
#[inline(always)]
fn positive(value: f64) -> f64 {
    if value > f64::MIN_POSITIVE { value } else { f64::MIN_POSITIVE }
}
