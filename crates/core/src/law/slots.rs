//! Laws of one contact, slot by slot. The contact kernel and the loops in [`super::dynamic`] call the same methods. A
//! method that ends with a square root or a division passes its result to the next one: the kernel ends a loop there,
//! so that other contacts hide the latency.
//!
//! Every method needs `#[inline(always)]` and contains no `match` on an option: a loop with a branch
//! is not vectorised. An option that changes the formula is a type or a constant.

mod contact;
mod tangential;

use super::Law;
use crate::chunk::HistoryRecord;

pub use contact::{Contact, Elastic, NormalForces, Roll, Slip};
pub use tangential::{Tangential, TangentialLaw};

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
