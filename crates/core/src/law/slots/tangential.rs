//! Tangential force of one contact.

use super::{Contact, Elastic, NormalForces, Slip};
use crate::chunk::{HistoryRecord, Record};

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
