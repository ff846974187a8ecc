//! Contact laws: what two partners within reach of each other do to each other.
//!
//! A *model* is the description of a law with its options ([`Model`]); for each pair of materials
//! it makes a *law* with that pair's parameters as plain numbers ([`Law`]). Laws see chunks of
//! contacts as columns and never know whether a partner is a particle or a wall.
//!
//! Adding a law: one file in the folder of its slot, one `mod` line there, one line in the
//! registry of the scene crate, one page of docs, one case.

pub mod cohesion;
pub mod damping;
pub(crate) mod model;
pub mod normal;
pub mod rolling;
pub(crate) mod stiffness;
pub mod tangential;
pub(crate) mod tension;

pub use crate::chunk::{
    Column, Commit, Contacts, Forces, History, Step, StoredHistory, Vector, WIDTH,
};
pub use crate::geometry::{Mapping, MappingNormal, MomentArm, Transport};
pub use crate::rotation::RotationMap;
pub use model::{ContactModel, PairContext};
pub use stiffness::{ContactStiffness, PairState};
pub use tension::Tension;

/// A quantity that a law remembers for each contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryColumn {
    /// A number.
    Scalar(&'static str),
    /// A vector in the tangent plane; takes three columns.
    Vector(&'static str, Transport),
}

impl HistoryColumn {
    /// How many columns it takes.
    pub fn width(&self) -> usize {
        match self {
            Self::Scalar(_) => 1,
            Self::Vector(..) => 3,
        }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Scalar(name) | Self::Vector(name, _) => name,
        }
    }
}

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

/// A law for one pair of materials.
pub trait Law: std::any::Any + std::fmt::Debug + Send + Sync {
    /// Adds this law's forces for one chunk of contacts. Reads `history.old`, writes every lane of
    /// `history.new`. Lanes beyond the last contact hold harmless copies.
    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: &mut History<'_>,
        forces: &mut Forces,
    );

    /// What it remembers: columns that every evaluation writes anew. They are held twice, so that an
    /// evaluation can be dropped.
    fn history(&self) -> &[HistoryColumn] {
        &[]
    }

    /// What it keeps of each contact beside its columns: how many numbers, and a text that says what
    /// they mean. Rows are as long as the longest of any pair of materials: a law must ignore what
    /// follows its own numbers.
    ///
    /// For a memory that is long, or that grows with every step: it is held once. An evaluation reads
    /// it in `history.memory` and cannot change it; [`Law::commit`] does so once a step, after the
    /// step has been accepted. The engine sorts, carries, saves and hands it on with the columns.
    /// Contacts are handed from one scene to another only where the texts agree, so what the meaning
    /// of the numbers depends on must be in it.
    fn memory(&self) -> (usize, &str) {
        (0, "")
    }

    /// Renews the memory of a chunk of contacts whose last evaluation has been accepted. Called once
    /// for each accepted step, for contacts that are within reach at its end; all that it may use is
    /// in `commit`. A law whose own interaction has ended while others go on must clear its rows
    /// here. Chunks are cut in another way than for `evaluate`.
    fn commit(&self, _commit: &mut Commit<'_>) {}

    /// Largest gap between the surfaces at which it acts [m].
    fn reach(&self) -> f64 {
        0.0
    }

    /// Whether it reads the columns of rolling or twist or gives a couple. Laws that say no spare every
    /// contact that work; a law that says no and gives a couple all the same is not heard.
    fn uses_rolling(&self) -> bool {
        true
    }

    /// Whether it is made for integrators with one evaluation a step, and wrong with others.
    fn needs_one_evaluation(&self) -> bool {
        false
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

    /// n where its force grows as the overlap to the power of n: 1 for a spring. Above that a slow
    /// contact can be stiffer than its speed tells, and the automatic time step keeps below the
    /// Rayleigh time; and an impact lasts longer than the stiffness at its turn says.
    fn force_exponent(&self) -> f64 {
        1.0
    }

    /// Shortest time step that it can follow, where its memory is made for a range of times [s].
    fn shortest_step(&self) -> f64 {
        0.0
    }

    /// Energy that it takes to part the partners of such an encounter from where their surfaces
    /// touch, and that they gain when they come together: they meet as much faster [J].
    fn work_of_separation(&self, _encounter: &Encounter) -> f64 {
        0.0
    }

    /// Shortest time in which its force changes appreciably in such an encounter [s]: the
    /// duration of the contact or half a period.
    fn contact_time(&self, _encounter: &Encounter) -> Option<f64> {
        None
    }

    /// Largest overlap in an elastic impact of such an encounter, where it is known [m].
    fn impact_overlap(&self, _encounter: &Encounter) -> Option<f64> {
        None
    }

    /// Adds its springs and dashpots at a given overlap, those of a contact that sticks and is being
    /// loaded. The bound of the time step follows from them. A law that adds nothing has a force that
    /// does not depend on the motion, or one that limits itself to what a step can bear.
    fn stiffness(&self, _pair: &PairState, _sum: &mut ContactStiffness) {}

    /// Whether [`Law::stiffness`] is the derivative of the force; if not, it is an upper bound.
    fn stiffness_is_exact(&self) -> bool {
        true
    }

    /// Whether its force contains the length of the time step, or its stored history assumes that
    /// steps have one length: the automatic step then only becomes shorter.
    fn is_tied_to_step(&self) -> bool {
        false
    }

    /// Largest overlap that a contact can reach which is this deep [m] and closes at the speed of the
    /// encounter, without other forces; none where no law tells.
    fn deepest_overlap(&self, encounter: &Encounter, overlap: f64) -> Option<f64> {
        let impact = self.impact_overlap(encounter)?;
        let power = self.force_exponent() + 1.0;
        let sum = libm::pow(overlap.max(0.0), power) + libm::pow(impact, power);
        Some(libm::pow(sum, 1.0 / power))
    }
}

/// The description of a law: its options, and how to make the law for a pair of materials.
pub trait Model: std::fmt::Debug + Send + Sync {
    /// The word in a scene file.
    fn word(&self) -> &'static str;

    /// Makes the law for one pair. Parameters are taken with [`PairContext::require`] and
    /// [`PairContext::optional`]; what is missing or out of range is reported there, and a law is
    /// returned all the same so that all problems come out at once.
    fn for_pair(&self, context: &mut PairContext<'_>) -> Box<dyn Law>;

    /// What is wrong with this model beside the others: laws that exclude each other.
    fn conflict(&self, _contact: &ContactModel) -> Option<crate::error::Problem> {
        None
    }
}
