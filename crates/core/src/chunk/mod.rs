//! Columns of one chunk of contacts: what geometry gives to the laws and what they give back.

/// Contacts in one chunk. Measured: 32 beats 64 beyond the cache and equals it inside.
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
    /// The same as a share of the smaller radius.
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
    /// Levers: distances of the centres from the contact point [m].
    pub lever: [Column; 2],
    /// Tangential velocity of the first partner relative to the second at the contact point [m/s].
    pub slip_velocity: Vector,
    /// Slip since the accepted state [m].
    pub slip: Vector,
    /// Relative spin, normal part removed [rad/s].
    pub rolling_velocity: Vector,
    /// Roll since the accepted state [rad].
    pub roll: Vector,
    /// Relative spin about the normal [rad/s].
    pub twist_velocity: Column,
    /// Twist since the accepted state [rad].
    pub twist: Column,
    /// Change of the normal since the accepted state.
    pub turn: Vector,
    /// Cosine and sine of the mean angle by which the partners have spun about the normal since the
    /// accepted state.
    pub spun: [Column; 2],
    /// Time that the contact has existed since the accepted state, at most the time elapsed [s].
    pub since: Column,
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
        lever: [ZERO; 2],
        slip_velocity: [ZERO; 3],
        slip: [ZERO; 3],
        rolling_velocity: [ZERO; 3],
        roll: [ZERO; 3],
        twist_velocity: ZERO,
        twist: ZERO,
        turn: [ZERO; 3],
        spun: [ZERO; 2],
        since: ZERO,
    };
}

/// What the laws give back for a chunk: forces and couples on the first partner.
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
    /// Couple on the first partner; the second gets the opposite [N m].
    pub couple: Vector,
    /// How far the tangential law's trial force is beyond its static limit: positive where it slips
    /// [N].
    pub friction_excess: Column,
    /// Energy stored by the normal laws, only with a ledger [J].
    pub normal_energy: Column,
    /// Energy stored by tangential springs, only with a ledger [J].
    pub tangential_energy: Column,
    /// Energy stored by rolling springs, only with a ledger [J].
    pub rolling_energy: Column,
    /// Potential energy of the cohesion, zero where the attraction ends, only with a ledger [J].
    pub cohesion_energy: Column,
    /// Energy that a cohesion with a memory has lost within this step, only with a ledger [J].
    pub cohesion_loss: Column,
    /// Power of the motion against the damping force, only with a ledger [W].
    pub damping_power: Column,
    /// Power of the slip against the tangential force, stored or lost, only with a ledger [W].
    pub tangential_power: Column,
    /// Power of the rolling against the couple, stored or lost, only with a ledger [W].
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
        couple: [ZERO; 3],
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

/// The step an evaluation belongs to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Length of the whole step [s].
    pub dt: f64,
    /// Time from the accepted state to this evaluation [s].
    pub elapsed: f64,
    /// φ, the weight of the velocity at this evaluation in slip, roll and twist since the accepted
    /// state; the velocity at the accepted state has the rest. With 1 they are the velocity at the
    /// evaluation times the time elapsed. C15(45), C16(36).
    pub end_velocity_share: f64,
    /// Whether energies and powers are wanted.
    pub ledger: bool,
}

/// The columns of one law: what it knew at the accepted state, transported to the present tangent
/// plane, and what it will know if this evaluation is accepted.
#[derive(Debug)]
pub struct History<'a> {
    /// At the accepted state.
    pub old: &'a [Column],
    /// At this evaluation.
    pub new: &'a mut [Column],
    /// What it keeps beside the columns, of the accepted state.
    pub memory: StoredHistory<'a>,
}

/// Rows of numbers that a law keeps of the contacts of a chunk beside its columns.
#[derive(Debug, Clone, Copy)]
pub struct StoredHistory<'a> {
    values: &'a [f64],
    stride: usize,
    start: usize,
    width: usize,
    slots: &'a [u32; WIDTH],
}

impl<'a> StoredHistory<'a> {
    /// Nothing.
    pub const NONE: StoredHistory<'static> =
        StoredHistory { values: &[], stride: 0, start: 0, width: 0, slots: &[0; WIDTH] };

    /// Rows of `stride` numbers, of which a law has `width` from `start` on; `slots` says which row
    /// belongs to which contact.
    pub fn new(
        values: &'a [f64],
        stride: usize,
        start: usize,
        width: usize,
        slots: &'a [u32; WIDTH],
    ) -> Self {
        Self { values, stride, start, width, slots }
    }

    /// Whether a lane has the row of the lane before it: beyond the last contact lanes hold copies.
    #[inline]
    pub fn repeats(&self, lane: usize) -> bool {
        lane > 0 && self.slots[lane] > 0 && self.slots[lane] == self.slots[lane - 1]
    }

    /// The numbers of one contact; all zero for a new one.
    #[inline]
    pub fn row(&self, lane: usize) -> &'a [f64] {
        let first = self.slots[lane] as usize * self.stride + self.start;
        &self.values[first..first + self.width]
    }
}

/// Contacts whose evaluation has been accepted: what their law knew before and knows now, and its
/// memory, to be renewed.
#[derive(Debug)]
pub struct Commit<'a> {
    /// Length of the step that has been accepted [s].
    pub elapsed: f64,
    /// Columns of the accepted state before, not transported to the present tangent plane.
    pub old: &'a [Column],
    /// Columns of the state that has been accepted now.
    pub new: &'a [Column],
    /// How many contacts there are; lanes beyond hold anything.
    pub count: usize,
    pub(crate) memory: &'a mut [f64],
    pub(crate) stride: usize,
    pub(crate) start: usize,
    pub(crate) width: usize,
    pub(crate) places: &'a [u32; WIDTH],
}

impl<'a> Commit<'a> {
    /// A chunk whose memory is rows of `width` numbers in the order of the lanes.
    pub fn new(
        elapsed: f64,
        old: &'a [Column],
        new: &'a [Column],
        memory: &'a mut [f64],
        width: usize,
    ) -> Self {
        const IN_ORDER: [u32; WIDTH] = {
            let mut lanes = [0; WIDTH];
            let mut lane = 0;
            while lane < WIDTH {
                lanes[lane] = lane as u32;
                lane += 1;
            }
            lanes
        };
        let (stride, start, places) = (width, 0, &IN_ORDER);
        Self { elapsed, old, new, count: WIDTH, memory, stride, start, width, places }
    }

    /// The numbers of one contact; all zero where it is new.
    #[inline]
    pub fn row(&mut self, lane: usize) -> &mut [f64] {
        let first = self.places[lane] as usize * self.stride + self.start;
        &mut self.memory[first..first + self.width]
    }
}

impl History<'_> {
    /// The first three columns as a vector, old and new; `None` if the law has fewer.
    pub fn vector(&mut self) -> Option<(&Vector, &mut Vector)> {
        let old = self.old.get(..3)?.try_into().ok()?;
        let new = self.new.get_mut(..3)?.try_into().ok()?;
        Some((old, new))
    }
}
