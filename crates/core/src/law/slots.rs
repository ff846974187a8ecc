//! Laws of one contact, slot by slot. The contact kernel and the loops in [`super::dynamic`] call the same methods. A
//! method that ends with a square root or a division passes its result to the next one: the kernel ends a loop there,
//! so that other contacts hide the latency.
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
    /// True if the second partner is a wall.
    pub at_wall: bool,
    /// The time step of the evaluation.
    pub step: Step,
}

impl Contact {
    /// Weight of a dashpot in the first evaluation after first touch; one otherwise.
    ///
    /// The force of an evaluation acts from half a step before it to half a step after it. A dashpot that begins to act
    /// at first touch, a fraction θ of a step before, acts during θ + ½ of a step, and a coefficient proportional to
    /// the overlap to the power of p has the mean 1/(p + 1) of its value in the first part: the weight is ½ + θ/(p +
    /// 1). `mean` is 1/(p + 1).
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
///
/// ```
/// use esker::law::damping::{AreaDampingLaw, CriticalDamping};
/// use esker::law::normal::{HertzLaw, LinearLaw};
/// use esker::law::rolling::{ConstantTorqueLaw, ElasticPlasticLaw, RollingArm};
/// use esker::law::slots::{DampingLaw, Empty, InTable, NormalLaw, RollingLaw, TangentialLaw, next_as};
/// use esker::law::tangential::{IncrementalSpring, PenaltyFriction, Spring, SpringOwnRoot};
/// use esker::law::{Contacts, Evaluate, Forces, History, Law, Step};
///
/// // the types that rows of `kernels!` can name, slot by slot
/// fn normal<L: NormalLaw + InTable>() {}
/// fn damping<L: DampingLaw + InTable>() {}
/// fn tangential<L: TangentialLaw + InTable>() {}
/// fn rolling<L: RollingLaw + InTable>() {}
/// (normal::<HertzLaw>(), normal::<LinearLaw>());
/// (damping::<CriticalDamping>(), damping::<AreaDampingLaw>(), damping::<Empty>());
/// (tangential::<Spring>(), tangential::<SpringOwnRoot>());
/// (tangential::<PenaltyFriction>(), tangential::<IncrementalSpring>());
/// (rolling::<ElasticPlasticLaw>(), rolling::<ConstantTorqueLaw>(), rolling::<RollingArm>());
///
/// /// A law of your own.
/// #[derive(Debug, Clone, Copy)]
/// struct Own(f64);
///
/// impl InTable for Own {
///     fn take(laws: &mut std::slice::Iter<'_, Box<dyn Law>>) -> Option<Self> {
///         next_as(laws).copied()
///     }
/// }
/// # impl Law for Own {}
/// # impl Evaluate for Own {
/// #     type History = ();
/// #     fn evaluate(&self, _: &Contacts, _: &Step, _: History<'_, ()>, _: &mut Forces) {}
/// # }
///
/// let laws: Vec<Box<dyn Law>> = vec![Box::new(Own(3.0))];
/// assert_eq!(Own::take(&mut laws.iter()).unwrap().0, 3.0);
/// ```
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
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/contact.rs")); }
/// # use doc::contact;
/// use esker::law::slots::{Contact, Elastic, NormalLaw};
/// use esker::law::{Contacts, Evaluate, Forces, History, Step, dynamic};
///
/// /// A spring: F = k δ.
/// #[derive(Debug, Clone, Copy)]
/// struct Spring(f64);
///
/// impl NormalLaw for Spring {
///     fn contact_radius(&self, contact: &Contact) -> f64 {
///         (contact.effective_radius * contact.overlap.max(0.0)).sqrt()
///     }
///
///     fn force(&self, contact: &Contact, contact_radius: f64) -> Elastic {
///         let force = self.0 * contact.overlap.max(0.0);
///         Elastic { contact_radius, stiffness: self.0, force }
///     }
/// }
///
/// /// The dynamic path calls the same methods for each contact of a chunk.
/// impl Evaluate for Spring {
///     type History = ();
///
///     fn evaluate(&self, contacts: &Contacts, step: &Step, _: History<'_, ()>, forces: &mut Forces) {
///         dynamic::normal(self, contacts, step, forces);
///     }
/// }
///
/// let contact = contact(1e-4, 0.0);
/// let elastic = Spring(1e3).force(&contact, Spring(1e3).contact_radius(&contact));
/// assert!((elastic.force - 0.1).abs() < 1e-12);
/// ```
pub trait NormalLaw: Copy {
    /// Radius of the contact area [m]; may end in a square root.
    fn contact_radius(&self, contact: &Contact) -> f64;

    /// Force and stiffness: cheap, because each loop that needs them evaluates them again.
    fn force(&self, contact: &Contact, contact_radius: f64) -> Elastic;
}

/// Dissipative normal force.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/contact.rs")); }
/// # use doc::contact;
/// use esker::law::slots::{Contact, DampingLaw, Elastic};
/// use esker::law::{Contacts, Evaluate, Forces, History, Step, dynamic};
///
/// /// A dashpot with this fraction of the critical damping.
/// #[derive(Debug, Clone, Copy)]
/// struct Dashpot(f64);
///
/// impl DampingLaw for Dashpot {
///     const USES_ROOT: bool = true;
///
///     fn force(&self, contact: &Contact, _: &Elastic, root: f64) -> f64 {
///         2.0 * self.0 * root * contact.closing_speed
///     }
/// }
///
/// impl Evaluate for Dashpot {
///     type History = ();
///
///     fn evaluate(&self, contacts: &Contacts, step: &Step, _: History<'_, ()>, forces: &mut Forces) {
///         dynamic::damping(self, contacts, step, forces);
///     }
/// }
///
/// let elastic = Elastic { contact_radius: 1e-3, stiffness: 1e3, force: 0.1 };
/// let contact = contact(1e-4, 0.5);
/// let root = (contact.effective_mass * elastic.stiffness).sqrt();
/// assert_eq!(Dashpot(0.1).force(&contact, &elastic, root), 0.1 * root);
/// ```
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
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/contact.rs")); }
/// # use doc::contact;
/// use esker::law::slots::{Contact, Elastic, NormalForces, Slip, Tangential, TangentialLaw};
/// use esker::law::{Contacts, Evaluate, Forces, History, Step, dynamic};
///
/// /// Friction in proportion to the slip velocity, up to Coulomb's limit.
/// #[derive(Debug, Clone, Copy)]
/// struct Viscous {
///     coefficient: f64,
///     friction: f64,
/// }
///
/// impl TangentialLaw for Viscous {
///     type History = ();
///     type Prepared = ();
///     /// The size of the force and its limit.
///     type Trial = [f64; 2];
///
///     fn prepare(&self, _: &Contact, _: &Elastic, _: &Slip, (): ()) {}
///
///     fn trial(&self, _: &Contact, normal: &NormalForces, slip: &Slip, (): ()) -> [f64; 2] {
///         let [x, y, z] = slip.velocity;
///         let limit = self.friction * (normal.elastic.force + normal.damping).max(0.0);
///         [self.coefficient * (x * x + y * y + z * z).sqrt(), limit]
///     }
///
///     fn return_map(
///         &self,
///         _: &Contact,
///         slip: &Slip,
///         (): (),
///         [size, limit]: [f64; 2],
///         (): (),
///     ) -> Tangential<()> {
///         let scale = if size > limit { limit / size } else { 1.0 };
///         let force = slip.velocity.map(|speed| -scale * self.coefficient * speed);
///         let power = -(0..3).map(|axis| force[axis] * slip.velocity[axis]).sum::<f64>();
///         Tangential { force, excess: size - limit, power, history: () }
///     }
/// }
///
/// impl Evaluate for Viscous {
///     type History = ();
///
///     fn evaluate(
///         &self,
///         contacts: &Contacts,
///         step: &Step,
///         mut history: History<'_, ()>,
///         forces: &mut Forces,
///     ) {
///         dynamic::tangential(self, contacts, step, &mut history, forces);
///     }
/// }
///
/// let law = Viscous { coefficient: 2.0, friction: 0.5 };
/// let contact = contact(1e-4, 0.0);
/// let elastic = Elastic { contact_radius: 1e-3, stiffness: 1e3, force: 0.1 };
/// let normal = NormalForces { elastic, damping: 0.0, cohesion: 0.0, root: 0.0 };
/// let slip = Slip { velocity: [0.0, 0.2, 0.0], displacement: [0.0; 3] };
/// let trial = law.trial(&contact, &normal, &slip, ());
/// let result = law.return_map(&contact, &slip, (), trial, ());
/// assert!((result.force[1] + 0.05).abs() < 1e-15); // 0.4 N without the limit of 0.05 N
/// ```
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
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/contact.rs")); }
/// # use doc::contact;
/// use esker::law::slots::{Contact, Elastic, Moment, Roll, RollingLaw};
/// use esker::law::{Contacts, Evaluate, Forces, History, Step, dynamic};
///
/// /// A rolling dashpot, M = -d w.
/// #[derive(Debug, Clone, Copy)]
/// struct Dashpot(f64);
///
/// impl RollingLaw for Dashpot {
///     type History = ();
///
///     fn moment(&self, _: &Contact, _: &Elastic, _: f64, roll: &Roll, (): ()) -> Moment<()> {
///         let moment = roll.velocity.map(|rate| -self.0 * rate);
///         let power = roll.velocity.iter().map(|rate| self.0 * rate * rate).sum();
///         Moment { moment, power, history: () }
///     }
/// }
///
/// impl Evaluate for Dashpot {
///     type History = ();
///     const USES_ROLLING: bool = true;
///
///     fn evaluate(
///         &self,
///         contacts: &Contacts,
///         step: &Step,
///         mut history: History<'_, ()>,
///         forces: &mut Forces,
///     ) {
///         dynamic::rolling(self, contacts, step, &mut history, forces);
///     }
/// }
///
/// let elastic = Elastic { contact_radius: 1e-3, stiffness: 1e3, force: 0.1 };
/// let roll = Roll { velocity: [0.0, 10.0, 0.0], angle: [0.0; 3] };
/// let result = Dashpot(1e-6).moment(&contact(1e-4, 0.0), &elastic, 0.1, &roll, ());
/// assert!((result.moment[1] + 1e-5).abs() < 1e-15 && result.power > 0.0);
/// ```
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
