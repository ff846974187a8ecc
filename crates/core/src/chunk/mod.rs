//! A chunk of contacts as a structure of arrays: kinematics, forces of the laws, and history.

mod history;
mod history_shape;
mod partners;
mod record;

pub use history::{Commit, History, StoredHistory, UntypedCommit, UntypedHistory};
pub use history_shape::{HistoryField, HistoryRecord, HistoryShape, HistoryValue, Optional};
pub(crate) use partners::{Images, Partners};
pub use record::{ReadColumns, Record, WriteColumns};

/// Contacts in one chunk. Measured: 32 is faster than 64 if the data exceeds the cache, and equal
/// otherwise.
pub const WIDTH: usize = 32;

/// One number for each contact of a chunk.
pub type Column = [f64; WIDTH];

/// A vector for each contact of a chunk, component by component.
pub type Vector = [Column; 3];

const ZERO: Column = [0.0; WIDTH];

/// Geometry and kinematics of a chunk of contacts. Every value is finite in every lane.
///
/// Vectors are those of the first partner relative to the second. For a wall, the second partner
/// has zero inverse mass, inertia and curvature.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub struct Contacts {
    /// δ, positive when touching [m].
    pub overlap: Column,
    /// The same as a fraction of the smaller radius.
    pub overlap_fraction: Column,
    /// dδ/dt, positive while approaching [m/s].
    pub closing_speed: Column,
    /// Unit vector from the first partner to the second.
    pub normal: Vector,
    /// Distance of the centres, or of the centre from the wall [m].
    pub distance: Column,
    /// Radii; the second is zero for a wall [m].
    pub radius: [Column; 2],
    /// R*: harmonic sum of the radii; the particle's own radius at a wall [m].
    pub effective_radius: Column,
    /// m*: harmonic sum of the masses [kg].
    pub effective_mass: Column,
    /// Inverse masses [1/kg].
    pub inverse_mass: [Column; 2],
    /// Inverse moments of inertia [1/(kg m²)].
    pub inverse_inertia: [Column; 2],
    /// Moment arms: distances of the centres from the contact point [m].
    pub moment_arm: [Column; 2],
    /// Tangential velocity of the first partner relative to the second at the contact point [m/s].
    pub slip_velocity: Vector,
    /// Slip since the accepted state [m].
    pub slip: Vector,
    /// Tangential component of the relative spin [rad/s].
    pub rolling_velocity: Vector,
    /// Roll since the accepted state [rad].
    pub roll: Vector,
    /// Relative spin about the normal [rad/s].
    pub twist_velocity: Column,
    /// Twist since the accepted state [rad].
    pub twist: Column,
    /// Change of the normal since the accepted state.
    pub normal_change: Vector,
    /// Cosine and sine of the mean angle by which the partners have rotated about the normal since the
    /// accepted state.
    pub spin_rotation: [Column; 2],
    /// Time that the contact has existed since the accepted state, at most the time elapsed [s].
    pub age: Column,
}

impl Contacts {
    /// All zero.
    pub const ZERO: Self = Self {
        overlap: ZERO,
        overlap_fraction: ZERO,
        closing_speed: ZERO,
        normal: [ZERO; 3],
        distance: ZERO,
        radius: [ZERO; 2],
        effective_radius: ZERO,
        effective_mass: ZERO,
        inverse_mass: [ZERO; 2],
        inverse_inertia: [ZERO; 2],
        moment_arm: [ZERO; 2],
        slip_velocity: [ZERO; 3],
        slip: [ZERO; 3],
        rolling_velocity: [ZERO; 3],
        roll: [ZERO; 3],
        twist_velocity: ZERO,
        twist: ZERO,
        normal_change: [ZERO; 3],
        spin_rotation: [ZERO; 2],
        age: ZERO,
    };
}

/// Results of the laws for a chunk: forces and moments on the first partner.
///
/// The normal law sets `elastic`, `normal_stiffness` and `contact_radius`; each later slot adds to
/// its own fields. Repulsion is positive in the normal columns.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub struct Forces {
    /// Elastic normal force, repulsive [N].
    pub elastic: Column,
    /// Dissipative normal force, repulsive [N].
    pub damping: Column,
    /// Cohesion, attractive [N].
    pub cohesion: Column,
    /// dF/dδ of the elastic force [N/m].
    pub normal_stiffness: Column,
    /// Radius of the contact area [m].
    pub contact_radius: Column,
    /// Tangential force on the first partner at the contact point [N].
    pub tangential: Vector,
    /// Moment on the first partner; the second has the opposite one [N m].
    pub moment: Vector,
    /// Trial force of the tangential law minus its limit: positive if the contact slips [N].
    pub friction_excess: Column,
    /// Energy stored by the normal laws, only with a ledger [J].
    pub normal_energy: Column,
    /// Energy stored by tangential springs, only with a ledger [J].
    pub tangential_energy: Column,
    /// Energy stored by rolling springs, only with a ledger [J].
    pub rolling_energy: Column,
    /// Potential energy of the cohesion, zero at the end of the attraction, only with a ledger [J].
    pub cohesion_energy: Column,
    /// Energy dissipated by a cohesion with history within this step, only with a ledger [J].
    pub cohesion_loss: Column,
    /// Power of the motion against the damping force, only with a ledger [W].
    pub damping_power: Column,
    /// Power of the slip against the tangential force, stored or dissipated, only with a ledger [W].
    pub tangential_power: Column,
    /// Power of the rolling against the moment, stored or dissipated, only with a ledger [W].
    pub rolling_power: Column,
}

impl Forces {
    /// All zero.
    pub const ZERO: Self = Self {
        elastic: ZERO,
        damping: ZERO,
        cohesion: ZERO,
        normal_stiffness: ZERO,
        contact_radius: ZERO,
        tangential: [ZERO; 3],
        moment: [ZERO; 3],
        friction_excess: ZERO,
        normal_energy: ZERO,
        tangential_energy: ZERO,
        rolling_energy: ZERO,
        cohesion_energy: ZERO,
        cohesion_loss: ZERO,
        damping_power: ZERO,
        tangential_power: ZERO,
        rolling_power: ZERO,
    };
}

/// The time step of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Length of the whole step [s].
    pub dt: f64,
    /// Time from the accepted state to this evaluation [s].
    pub elapsed: f64,
    /// φ, the weight of the velocity at this evaluation in slip, roll and twist since the accepted state; the velocity
    /// at the accepted state has the weight 1 − φ. With φ = 1 they are the velocity at the evaluation times the time
    /// elapsed. C15(45), C16(36).
    pub end_velocity_weight: f64,
    /// Dashpots that begin to act within this time before the evaluation have a weight
    /// ([`Contact::first_touch_weight`](crate::law::slots::Contact::first_touch_weight)): the step with
    /// velocity Verlet, zero otherwise [s].
    pub touch_span: f64,
    /// True if energies and powers are computed.
    pub ledger: bool,
}

impl Step {
    /// An evaluation at the accepted state, between steps of this length [s].
    pub const fn at_accepted_state(dt: f64) -> Self {
        Self { dt, elapsed: 0.0, end_velocity_weight: 1.0, touch_span: 0.0, ledger: false }
    }
}
