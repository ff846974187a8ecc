//! Contact laws: forces and moments between two partners within the interaction range.
//!
//! A *model* is the description of a law with its options ([`Model`]); for each pair of materials
//! it builds a *law* with the parameters of that pair as plain numbers ([`Law`]). Laws evaluate
//! chunks of contacts in columns and do not distinguish particles from walls as second partner.
//!
//! Adding a law: one file in the folder of its slot, one `mod` line there, one line in the
//! registry of the scene crate, one page of docs, one case.

pub mod cohesion;
pub mod damping;
pub mod dynamic;
mod evaluate;
pub(crate) mod model;
pub mod normal;
pub(crate) mod pair_index;
pub mod rolling;
pub mod slots;
pub(crate) mod stiffness;
pub mod tangential;
pub(crate) mod tensile_cutoff;

pub use crate::chunk::{
    Column, Commit, Contacts, Forces, History, HistoryField, HistoryRecord, HistoryShape,
    HistoryValue, Optional, ReadColumns, Record, Step, StoredHistory, Vector, WIDTH, WriteColumns,
};
/// Columns passed to a law, for tests of laws.
#[doc(hidden)]
pub use crate::chunk::{UntypedCommit, UntypedHistory};
pub use crate::geometry::{Mapping, MappingNormal, MomentArm, Transport};
pub use crate::rotation::RotationMap;
pub use evaluate::Evaluate;
#[doc(hidden)]
pub use evaluate::EvaluateColumns;
pub use model::{ContactModel, PairContext};
pub use stiffness::{ContactStiffness, PairState};
pub use tensile_cutoff::TensileCutoff;

/// Two partners that approach each other, for which a time step is chosen.
#[derive(Debug, Clone, Copy)]
pub struct Encounter {
    /// Radii; the second is zero at a wall [m].
    pub radii: [f64; 2],
    /// Effective radius [m].
    pub effective_radius: f64,
    /// Effective mass [kg].
    pub effective_mass: f64,
    /// Normal approach speed [m/s].
    pub speed: f64,
    /// Sum of the radii, the particle's own at a wall [m].
    pub radius_sum: f64,
}

/// Properties of a law for one pair of materials. Its forces are computed by [`Evaluate`].
///
/// ```
/// use esker::law::{ContactStiffness, Encounter, Law, PairState};
/// # use esker::law::{Contacts, Evaluate, Forces, History, Step};
///
/// /// A spring that acts up to a gap; its forces are in `Evaluate`.
/// #[derive(Debug)]
/// struct LongSpring {
///     stiffness: f64,
///     longest_gap: f64,
/// }
/// # impl Evaluate for LongSpring {
/// #     type History = ();
/// #     fn evaluate(&self, _: &Contacts, _: &Step, _: History<'_, ()>, _: &mut Forces) {}
/// # }
///
/// impl Law for LongSpring {
///     fn interaction_range(&self) -> f64 {
///         self.longest_gap
///     }
///
///     fn stiffness(&self, _: &PairState, sum: &mut ContactStiffness) {
///         sum.normal += self.stiffness;
///     }
///
///     fn contact_time(&self, encounter: &Encounter) -> Option<f64> {
///         Some(std::f64::consts::PI * (encounter.effective_mass / self.stiffness).sqrt())
///     }
/// }
///
/// let law: &dyn Law = &LongSpring { stiffness: 1e3, longest_gap: 1e-4 };
/// assert_eq!((law.interaction_range(), law.force_exponent()), (1e-4, 1.0));
/// ```
pub trait Law: EvaluateColumns + std::any::Any + std::fmt::Debug + Send + Sync {
    /// Numbers that it stores for each contact in addition to its history: their count, and a text
    /// that describes them. Blocks are as long as the longest of any pair of materials: a law must
    /// ignore what follows its own numbers.
    ///
    /// For a history that is long, or that grows with every step: it is stored once. An evaluation
    /// reads it with [`History::stored`] and cannot change it; [`Evaluate::commit`] does so once
    /// per step, after the step has been accepted. The engine sorts, carries over and saves it with
    /// the history. Contacts are passed from one scene to another only if the texts agree, so
    /// everything on which the meaning of the numbers depends must be in it.
    fn stored_history(&self) -> (usize, &str) {
        (0, "")
    }

    /// Largest gap between the surfaces at which it acts [m].
    fn interaction_range(&self) -> f64 {
        0.0
    }

    /// True if it is valid only for integrators with one evaluation per step.
    fn needs_one_evaluation(&self) -> bool {
        false
    }

    /// True if the stiffness that it states includes all of its viscous forces. If a law of a scene does not, no
    /// particle has accurate slip, since dashpots then need a shorter step.
    fn states_dashpots(&self) -> bool {
        true
    }

    /// How its slip is mapped from displacements; `None` where slip follows from velocities. One
    /// mapping holds for all laws of a pair.
    fn mapping(&self) -> Option<Mapping> {
        None
    }

    /// Stiffness of its tangential spring in one lane of a chunk that has been evaluated, for
    /// output [N/m].
    fn tangential_stiffness(&self, _forces: &Forces, _lane: usize) -> f64 {
        0.0
    }

    /// Exponent n of a force that grows as δⁿ: 1 for a spring. Above 1 a slow contact under load
    /// can be stiffer than an impact at its speed, so that the automatic time step is limited by
    /// the Rayleigh time, and an impact lasts longer than half a period at its largest stiffness.
    fn force_exponent(&self) -> f64 {
        1.0
    }

    /// Shortest time step for which its memory is valid, if it has a limited range of times [s].
    fn shortest_step(&self) -> f64 {
        0.0
    }

    /// Work needed to separate the partners of such an encounter from touching surfaces; they gain
    /// the same kinetic energy when they approach [J].
    fn work_of_separation(&self, _encounter: &Encounter) -> f64 {
        0.0
    }

    /// Shortest time in which its force changes appreciably in such an encounter [s]: the
    /// duration of the contact or half a period.
    fn contact_time(&self, _encounter: &Encounter) -> Option<f64> {
        None
    }

    /// True if the contact time of such an encounter is longer than `time` by more than rounding.
    /// False is always allowed. To be implemented if it can be decided faster than by the contact
    /// time.
    fn lasts_longer(&self, encounter: &Encounter, time: f64) -> bool {
        self.contact_time(encounter).is_none_or(|duration| duration > (1.0 + 1e-9) * time)
    }

    /// Largest overlap in an elastic impact of such an encounter, if known [m].
    fn impact_overlap(&self, _encounter: &Encounter) -> Option<f64> {
        None
    }

    /// Adds its springs and dashpots at a given overlap, those of a contact that sticks and is being
    /// loaded. The bound of the time step follows from them. A law that adds nothing has a force
    /// that does not depend on the motion, or one that is limited to stable values.
    fn stiffness(&self, _pair: &PairState, _sum: &mut ContactStiffness) {}

    /// True if [`Law::stiffness`] is the derivative of the force; if not, it is an upper bound.
    fn stiffness_is_exact(&self) -> bool {
        true
    }

    /// The tensile cut-off of a normal dashpot that is weighted after first touch
    /// ([`Contact::first_touch_weight`](slots::Contact::first_touch_weight)): it determines the steps per impact.
    fn tensile_cutoff(&self) -> Option<TensileCutoff> {
        None
    }

    /// True if its force contains the length of the time step, or its stored history assumes that
    /// steps have one length: the automatic step then only becomes shorter.
    fn is_tied_to_step(&self) -> bool {
        false
    }

    /// Largest overlap that a contact can reach which is this deep [m] and closes at the speed of the
    /// encounter, without other forces; none if no law provides it.
    fn deepest_overlap(&self, encounter: &Encounter, overlap: f64) -> Option<f64> {
        let impact = self.impact_overlap(encounter)?;
        let power = self.force_exponent() + 1.0;
        let sum = libm::pow(overlap.max(0.0), power) + libm::pow(impact, power);
        Some(libm::pow(sum, 1.0 / power))
    }
}

/// The description of a law: its options, and the construction of the law for a pair of materials.
///
/// ```
/// use esker::law::{Contacts, Evaluate, Forces, History, Law, Model, PairContext, Step, WIDTH};
/// use esker::prelude::*;
///
/// /// A spring between surfaces: force = stiffness × overlap.
/// #[derive(Debug)]
/// struct Spring;
///
/// #[derive(Debug)]
/// struct SpringLaw {
///     stiffness: f64,
/// }
///
/// impl Model for Spring {
///     fn name(&self) -> &'static str {
///         "spring"
///     }
///
///     fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
///         let stiffness = context.require("stiffness", 0.0..=f64::MAX)?;
///         Some(Box::new(SpringLaw { stiffness }))
///     }
/// }
///
/// impl Law for SpringLaw {}
///
/// impl Evaluate for SpringLaw {
///     type History = ();
///
///     fn evaluate(
///         &self,
///         contacts: &Contacts,
///         _step: &Step,
///         _history: History<'_, ()>,
///         forces: &mut Forces,
///     ) {
///         for c in 0..WIDTH {
///             forces.elastic[c] += self.stiffness * contacts.overlap[c].max(0.0);
///         }
///     }
/// }
///
/// let mut scene = Scene::new();
/// scene.contact = ContactModel::normal(Spring);
/// let rubber = Material::new().density(1000.0).young_modulus(1e6).poisson_ratio(0.5);
/// let rubber = scene.add_material("rubber", rubber);
/// scene.set_pair(rubber, rubber, Pair::new().with("stiffness", 1e3));
/// scene.add_sphere(rubber, Sphere::new(0.01, Vec3::ZERO));
/// scene.add_sphere(rubber, Sphere::new(0.01, Vec3::X * 0.0199));
/// scene.step = StepSize::Fixed(1e-5);
/// let simulation = scene.build()?;
/// assert!((simulation.contacts()[0].elastic - 0.1).abs() < 1e-9);
/// # Ok::<(), Error>(())
/// ```
pub trait Model: std::fmt::Debug + Send + Sync {
    /// Its name in scene files and messages.
    fn name(&self) -> &'static str;

    /// Builds the law for one pair. Parameters are read with [`PairContext::require`] and
    /// [`PairContext::optional`], which note a missing or invalid value; none if one is missing. Read all
    /// parameters before returning, so that all problems are reported at once.
    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>>;

    /// Problems of this model in combination with the others: laws that exclude each other.
    fn conflict(&self, _contact: &ContactModel) -> Option<crate::error::Problem> {
        None
    }
}
