//! Laws of one contact, slot by slot. The contact kernel and the loops in [`super::dynamic`] call the
//! same methods. A method that ends in a square root or a division passes its result to the next one:
//! the kernel ends a loop there, and the latency is hidden by other contacts.
//!
//! Every method needs `#[inline(always)]` and contains no `match` on an option: a loop with a branch
//! is not vectorised. An option that changes the formula is a type or a constant.

use super::{Law, Step};
use crate::chunk::{HistoryRecord, Record};

/// Geometry and inertia of one contact.
#[derive(Debug, Clone, Copy)]
pub struct Contact {
    /// δ, positive when touching [m].
    pub overlap: f64,
    /// dδ/dt, positive while approaching [m/s].
    pub closing_speed: f64,
    /// R* [m].
    pub effective_radius: f64,
    /// m* [kg].
    pub effective_mass: f64,
    /// Radii; the second is zero at a wall [m].
    pub radii: [f64; 2],
    /// Inverse masses; the second is zero at a wall [1/kg].
    pub inverse_masses: [f64; 2],
    /// Inverse moments of inertia; only valid for a law with `NEEDS_INERTIAS` [1/(kg m²)].
    pub inverse_inertias: [f64; 2],
    /// Time that the contact has existed since the accepted state, at most the time elapsed [s].
    pub age: f64,
    /// Whether the second partner is a wall.
    pub at_wall: bool,
    /// The time step of the evaluation.
    pub step: Step,
}

impl Contact {
    /// Weight of a dashpot in the first evaluation after first touch; one otherwise.
    ///
    /// The force of an evaluation acts during half a step before it and half a step after it. A dashpot
    /// that begins at first touch, a fraction θ of a step before, acts during θ + ½ of a step, and a
    /// coefficient that grows as the overlap to the power of p has the mean 1/(p + 1) of its value in the
    /// first part: the weight is ½ + θ/(p + 1). `mean` is 1/(p + 1).
    #[inline(always)]
    pub fn first_touch_weight(&self, mean: f64) -> f64 {
        let fraction = self.age * (1.0 / self.step.dt);
        if self.age < self.step.touch_span { 0.5 + fraction * mean } else { 1.0 }
    }
}

/// Tangential motion of one contact.
#[derive(Debug, Clone, Copy)]
pub struct Slip {
    /// Slip velocity of the first partner relative to the second [m/s].
    pub velocity: [f64; 3],
    /// Slip since the accepted state [m].
    pub displacement: [f64; 3],
}

/// Relative rolling of one contact.
#[derive(Debug, Clone, Copy)]
pub struct Roll {
    /// Relative spin without its normal part [rad/s].
    pub velocity: [f64; 3],
    /// Roll since the accepted state [rad].
    pub angle: [f64; 3],
}

/// Result of the normal law.
#[derive(Debug, Clone, Copy)]
pub struct Elastic {
    /// Radius of the contact area [m].
    pub contact_radius: f64,
    /// dF/dδ [N/m].
    pub stiffness: f64,
    /// Elastic force, repulsive [N].
    pub force: f64,
}

/// Normal forces of one contact.
#[derive(Debug, Clone, Copy)]
pub struct NormalForces {
    /// Result of the normal law.
    pub elastic: Elastic,
    /// Dissipative force, repulsive [N].
    pub damping: f64,
    /// Cohesion, attractive [N].
    pub cohesion: f64,
    /// √(m* k); only valid where a law has `USES_ROOT` [√(kg N/m)].
    pub root: f64,
}

/// √(m* k), of which the coefficient of a critical dashpot is a multiple.
#[inline(always)]
pub(crate) fn critical_root(effective_mass: f64, stiffness: f64) -> f64 {
    (effective_mass * stiffness).sqrt()
}

/// A law that the table of kernels can name.
pub trait InTable: Copy + std::fmt::Debug + Send + Sync + 'static {
    /// Takes the next of the laws of a pair, if it is this one with options that a kernel supports. A
    /// type for an empty slot takes none.
    fn take(laws: &mut std::slice::Iter<'_, Box<dyn Law>>) -> Option<Self>;
}

/// The next law as a concrete type: the only downcast of laws, used by [`InTable::take`].
pub fn next_as<'a, L: Law>(laws: &mut std::slice::Iter<'a, Box<dyn Law>>) -> Option<&'a L> {
    (laws.next()?.as_ref() as &dyn std::any::Any).downcast_ref()
}

/// Elastic normal force.
pub trait NormalLaw: Copy {
    /// Radius of the contact area [m]; may end in a square root.
    fn contact_radius(&self, contact: &Contact) -> f64;

    /// Force and stiffness: cheap, because each loop that needs them evaluates them again.
    fn force(&self, contact: &Contact, contact_radius: f64) -> Elastic;
}

/// Dissipative normal force.
pub trait DampingLaw: Copy {
    /// Whether it uses √(m* k).
    const USES_ROOT: bool = false;

    /// Force, repulsive [N]. `root` is √(m* k).
    fn force(&self, contact: &Contact, elastic: &Elastic, root: f64) -> f64;
}

/// Result of a tangential law.
#[derive(Debug, Clone, Copy)]
pub struct Tangential<H> {
    /// Force on the first partner [N].
    pub force: [f64; 3],
    /// Trial force minus its limit: positive where the contact slips [N].
    pub excess: f64,
    /// Power of the slip against the force, for laws without a spring [W].
    pub power: f64,
    /// History at this evaluation.
    pub history: H,
}

/// Tangential force.
pub trait TangentialLaw: Copy {
    /// Whether it uses √(m* k) of the normal law.
    const USES_ROOT: bool = false;
    /// History of a contact.
    type History: HistoryRecord;
    /// Values passed to the trial force and the return map.
    type Prepared: Record;
    /// Values passed from the trial force to the return map.
    type Trial: Record;

    /// Whether it reads this column of the old history with its current parameters. A column that
    /// is not read is not loaded; it holds zeros.
    #[inline(always)]
    fn reads_history(&self, _column: usize) -> bool {
        true
    }

    /// First part; may end in a square root or a division. `old` has been transported to the
    /// current tangent plane.
    fn prepare(
        &self,
        contact: &Contact,
        elastic: &Elastic,
        slip: &Slip,
        old: Self::History,
    ) -> Self::Prepared;

    /// Force without a friction limit; may end in a square root or a division.
    fn trial(
        &self,
        contact: &Contact,
        normal: &NormalForces,
        slip: &Slip,
        prepared: Self::Prepared,
    ) -> Self::Trial;

    /// Force within the friction limit. `old` has its numbers only; its vectors are NaN, because they
    /// have not been transported.
    fn return_map(
        &self,
        contact: &Contact,
        slip: &Slip,
        prepared: Self::Prepared,
        trial: Self::Trial,
        old: Self::History,
    ) -> Tangential<Self::History>;
}

/// Result of a rolling law.
#[derive(Debug, Clone, Copy)]
pub struct Moment<H> {
    /// Moment on the first partner; the second has the opposite one [N m].
    pub moment: [f64; 3],
    /// Power of the rolling against the moment, for laws without a spring [W].
    pub power: f64,
    /// History at this evaluation.
    pub history: H,
}

/// Rolling resistance.
pub trait RollingLaw: Copy {
    /// Whether there is a moment: false only for an empty slot.
    const ACTS: bool = true;
    /// Whether it reads the inverse moments of inertia.
    const NEEDS_INERTIAS: bool = false;
    /// History of a contact.
    type History: HistoryRecord;

    /// Moment of a contact. `repulsion` is the sum of elastic and damping force; `old` has been
    /// transported to the current tangent plane.
    fn moment(
        &self,
        contact: &Contact,
        elastic: &Elastic,
        repulsion: f64,
        roll: &Roll,
        old: Self::History,
    ) -> Moment<Self::History>;
}

/// An empty slot.
#[derive(Debug, Clone, Copy)]
pub struct Empty;

impl InTable for Empty {
    fn take(_: &mut std::slice::Iter<'_, Box<dyn Law>>) -> Option<Self> {
        Some(Self)
    }
}

impl DampingLaw for Empty {
    #[inline(always)]
    fn force(&self, _: &Contact, _: &Elastic, _: f64) -> f64 {
        0.0
    }
}

impl RollingLaw for Empty {
    const ACTS: bool = false;
    type History = ();

    #[inline(always)]
    fn moment(&self, _: &Contact, _: &Elastic, _: f64, _: &Roll, (): ()) -> Moment<()> {
        Moment { moment: [0.0; 3], power: 0.0, history: () }
    }
}
