//! The contact kernel: the evaluation of a chunk for one combination of laws and one kind of partner, as
//! six short loops.
//!
//! Each loop ends in the square root or the division that the next one needs: in one long loop,
//! out-of-order execution cannot hide their latency. Cheap values are recomputed in each loop.
//! Everything is inlined into `evaluate`, whose parameters do not alias; the physics is in the
//! methods of `law::slots` and `geometry::contact`, which the dynamic path calls as well.

use super::partner::{Geometry, Particle, Partner, Wall};
use crate::chunk::{
    Column, Contacts, HistoryValue, Images, Partners, ReadColumns, Record, Step, Vector, WIDTH,
    WriteColumns,
};
use crate::contact_state::result_buffer::{HistoryColumns, ResultColumns, ResultSlices};
use crate::geometry::contact::{self, Kicks, PairInput, Separation};
use crate::kernel::evaluate::Extremes;
use crate::law::slots::{
    Contact, DampingLaw, NormalForces, NormalLaw, Roll, RollingLaw, Slip, TangentialLaw,
    critical_root,
};
use crate::simd::multiversion;

/// Largest number of history columns of a combination of laws.
pub(crate) const HISTORY: usize = 8;

/// Largest number of columns that a tangential law passes from loop to loop.
const PREPARED: usize = 8;
const TRIAL: usize = 8;

const ZERO: Column = [0.0; WIDTH];

/// Input of a chunk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input<'a> {
    pub partners: &'a Partners,
    pub contacts: &'a Contacts,
    pub images: &'a Images,
    pub step: &'a Step,
    /// True if some particles have accurate slip, so that kicks are loaded.
    pub has_kicks: bool,
}

/// Output of a chunk except its history.
pub(crate) struct Output<'a> {
    pub temporaries: &'a mut Temporaries,
    pub extremes: &'a mut Extremes,
    pub results: &'a mut ResultColumns,
    /// Minus the torque on the second partner, if there are moments.
    pub second_torque: &'a mut Vector,
}

/// Source and destination of the history of a chunk: read and written in place.
pub(crate) struct HistoryAccess<'a> {
    pub accepted: &'a HistoryColumns,
    /// Index of each contact in the accepted columns.
    pub indices: &'a [u32; WIDTH],
    /// For indices that are not consecutive.
    pub scratch: &'a mut [Column],
    pub trial: &'a ResultSlices<'a>,
    /// Index of the first contact in the trial columns.
    pub first_index: usize,
    /// For columns that the laws do not have.
    pub spare: &'a mut [Column; HISTORY],
}

/// An evaluation that is compiled for one combination of laws.
pub(crate) trait Kernel: std::fmt::Debug + Send + Sync {
    /// True if contacts have moments.
    fn has_moments(&self) -> bool;

    /// True if inverse moments of inertia must be loaded.
    fn needs_inertias(&self) -> bool;

    /// Evaluates a chunk of contacts between particles.
    ///
    /// # Safety
    /// The `WIDTH` elements of the trial history from `first_index` are accessed by the caller alone.
    unsafe fn evaluate_pairs(
        &self,
        input: &Input<'_>,
        history: HistoryAccess<'_>,
        output: Output<'_>,
    );

    /// Evaluates a chunk of contacts with walls.
    ///
    /// # Safety
    /// As `evaluate_pairs`.
    unsafe fn evaluate_walls(
        &self,
        input: &Input<'_>,
        history: HistoryAccess<'_>,
        output: Output<'_>,
    );
}

/// The laws of one pair of materials, by slot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Laws<N, D, T, R> {
    pub normal: N,
    pub damping: D,
    pub tangential: T,
    pub rolling: R,
    pub duration_factor: f64,
    /// Fraction of the overlap that is subtracted from each radius to obtain the moment arms.
    pub arm_fraction: f64,
}

/// A combination of laws: names the types of [`Laws`].
trait Combination {
    type Normal: NormalLaw;
    type Damping: DampingLaw;
    type Tangential: TangentialLaw;
    type Rolling: RollingLaw;
    /// True if a dashpot uses √(m* k).
    const USES_ROOT: bool = Self::Damping::USES_ROOT || Self::Tangential::USES_ROOT;

    fn laws(&self) -> &Laws<Self::Normal, Self::Damping, Self::Tangential, Self::Rolling>;
}

impl<N: NormalLaw, D: DampingLaw, T: TangentialLaw, R: RollingLaw> Combination
    for Laws<N, D, T, R>
{
    type Normal = N;
    type Damping = D;
    type Tangential = T;
    type Rolling = R;

    #[inline(always)]
    fn laws(&self) -> &Self {
        self
    }
}

type TangentialHistory<K> = <<K as Combination>::Tangential as TangentialLaw>::History;
type RollingHistory<K> = <<K as Combination>::Rolling as RollingLaw>::History;
type Prepared<K> = <<K as Combination>::Tangential as TangentialLaw>::Prepared;
type Trial<K> = <<K as Combination>::Tangential as TangentialLaw>::Trial;

/// Values that one loop passes to the next.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Temporaries {
    separation: [Column; Separation::COUNT],
    geometry: [Column; Geometry::COUNT],
    contact_radius: Column,
    /// √(m* k).
    root: Column,
    /// Elastic and damping force.
    repulsion: Column,
    /// See [`Partner::normal_change`]; only with rolling resistance.
    normal_change: Vector,
    slip_velocity: Vector,
    slip: Vector,
    prepared: [Column; PREPARED],
    trial: [Column; TRIAL],
}

impl Temporaries {
    pub(crate) const ZERO: Self = Self {
        separation: [ZERO; Separation::COUNT],
        geometry: [ZERO; Geometry::COUNT],
        contact_radius: ZERO,
        root: ZERO,
        repulsion: ZERO,
        normal_change: [ZERO; 3],
        slip_velocity: [ZERO; 3],
        slip: [ZERO; 3],
        prepared: [ZERO; PREPARED],
        trial: [ZERO; TRIAL],
    };

    /// Slip of lane `c`.
    #[inline(always)]
    fn slip(&self, c: usize) -> Slip {
        Slip {
            velocity: Record::load(&self.slip_velocity, 0, c),
            displacement: Record::load(&self.slip, 0, c),
        }
    }
}

/// Input of the laws for lane `c`.
#[inline(always)]
fn contact_of<P: Partner>(
    input: &Input<'_>,
    pair: &PairInput,
    geometry: &Geometry,
    c: usize,
) -> Contact {
    let [first, second] = &input.contacts.inverse_inertia;
    Contact {
        overlap: geometry.overlap,
        closing_speed: geometry.closing_speed,
        effective_radius: geometry.effective_radius,
        effective_mass: geometry.effective_mass,
        radii: pair.radii,
        inverse_masses: pair.inverse_masses,
        inverse_inertias: [first[c], second[c]],
        age: geometry.age,
        at_wall: P::AT_WALL,
        step: *input.step,
    }
}

#[inline(always)]
fn scaled(vector: [f64; 3], factor: f64) -> [f64; 3] {
    [vector[0] * factor, vector[1] * factor, vector[2] * factor]
}

/// Loop 1: separation of two particles; square root and division.
#[inline(always)]
fn separation<P: Partner>(input: &Input<'_>, t: &mut Temporaries) {
    for c in 0..WIDTH {
        let pair = PairInput::new(input.partners, input.contacts, c);
        P::separation(&pair, input, c).store(&mut t.separation, 0, c);
    }
}

/// Loop 2: geometry; square root of the contact radius.
#[inline(always)]
fn geometry<K: Combination, P: Partner>(
    laws: &K,
    input: &Input<'_>,
    t: &mut Temporaries,
    extremes: &mut Extremes,
) {
    for c in 0..WIDTH {
        let pair = PairInput::new(input.partners, input.contacts, c);
        let separation = || Separation::load(&t.separation, 0, c);
        let near = P::kinematics(&pair, input, c, &separation);
        let elapsed = input.step.elapsed;
        let geometry = Geometry {
            normal: near.normal,
            overlap: near.overlap,
            closing_speed: near.closing_speed,
            spin_rotation: near.spin_rotation,
            age: contact::age(near.overlap, near.closing_speed, near.inverse_speed, elapsed),
            inverse_distance: near.inverse_distance,
            effective_mass: near.effective_mass,
            effective_radius: near.effective_radius,
        };
        let contact = contact_of::<P>(input, &pair, &geometry, c);
        geometry.store(&mut t.geometry, 0, c);
        t.contact_radius[c] = laws.laws().normal.contact_radius(&contact);
        extremes.update_overlap(c, near.overlap_fraction);
    }
}

/// Loop 3: moment arms, slip, transport of the history; square root of the dashpots.
#[inline(always)]
fn slip<K: Combination, P: Partner, const KICKS: bool>(
    laws: &K,
    input: &Input<'_>,
    old: &impl ReadColumns,
    t: &mut Temporaries,
    extremes: &mut Extremes,
    results: &mut ResultColumns,
) {
    let laws = laws.laws();
    for c in 0..WIDTH {
        let pair = PairInput::new(input.partners, input.contacts, c);
        let geometry = Geometry::load(&t.geometry, 0, c);
        let contact = contact_of::<P>(input, &pair, &geometry, c);
        let elastic = laws.normal.force(&contact, t.contact_radius[c]);
        if K::USES_ROOT {
            t.root[c] = critical_root(contact.effective_mass, elastic.stiffness);
        }
        let [light, lighter] = pair.inverse_masses;
        extremes.update_rate(c, laws.duration_factor * (elastic.stiffness * (light + lighter)));
        let arms = contact::moment_arms(
            pair.radii,
            contact.overlap,
            laws.arm_fraction,
            P::SECOND_ARM_FACTOR,
        );
        let normal = geometry.normal;
        let closing_speed = contact.closing_speed;
        let mut velocity =
            contact::slip_velocity(normal, pair.velocity, closing_speed, pair.spins, arms);
        let mut mean = velocity;
        if KICKS {
            let kicks = Kicks::load(input.partners, c);
            [velocity, mean] = contact::kicked_slip_velocities(normal, velocity, kicks, arms);
        }
        let change = P::normal_change(&pair, input, c, &geometry);
        if K::Rolling::ACTS {
            change.store(&mut t.normal_change, 0, c);
        }
        let rotate = |vector| P::transported(vector, normal, change, geometry.spin_rotation);
        let before = TangentialHistory::<K>::load(old, 0, c).transported(&rotate);
        let slip = Slip { velocity, displacement: scaled(mean, geometry.age) };
        slip.velocity.store(&mut t.slip_velocity, 0, c);
        slip.displacement.store(&mut t.slip, 0, c);
        let prepared = laws.tangential.prepare(&contact, &elastic, &slip, before);
        prepared.store(&mut t.prepared, 0, c);
        [results.0[3][c], results.0[7][c]] = arms;
    }
}

/// Loop 4: damping and trial force; square root of its magnitude.
#[inline(always)]
fn trial<K: Combination, P: Partner>(laws: &K, input: &Input<'_>, t: &mut Temporaries) {
    let laws = laws.laws();
    for c in 0..WIDTH {
        let pair = PairInput::new(input.partners, input.contacts, c);
        let geometry = Geometry::load(&t.geometry, 0, c);
        let contact = contact_of::<P>(input, &pair, &geometry, c);
        let elastic = laws.normal.force(&contact, t.contact_radius[c]);
        let root = if K::USES_ROOT { t.root[c] } else { 0.0 };
        let damping = laws.damping.force(&contact, &elastic, root);
        let normal = NormalForces { elastic, damping, cohesion: 0.0, root };
        t.repulsion[c] = elastic.force + damping;
        let slip = t.slip(c);
        let prepared = Prepared::<K>::load(&t.prepared, 0, c);
        laws.tangential.trial(&contact, &normal, &slip, prepared).store(&mut t.trial, 0, c);
    }
}

/// Loop 5: return map and results.
#[inline(always)]
fn return_map<K: Combination, P: Partner>(
    laws: &K,
    input: &Input<'_>,
    t: &Temporaries,
    old: &impl ReadColumns,
    new: &mut impl WriteColumns,
    results: &mut ResultColumns,
) {
    let laws = laws.laws();
    for c in 0..WIDTH {
        let pair = PairInput::new(input.partners, input.contacts, c);
        let geometry = Geometry::load(&t.geometry, 0, c);
        let contact = contact_of::<P>(input, &pair, &geometry, c);
        let slip = t.slip(c);
        let prepared = Prepared::<K>::load(&t.prepared, 0, c);
        let trial = Trial::<K>::load(&t.trial, 0, c);
        let before = TangentialHistory::<K>::load(old, 0, c).without_vectors();
        let result = laws.tangential.return_map(&contact, &slip, prepared, trial, before);
        result.history.store(new, 0, c);
        let [force, torque] = combined(geometry.normal, t.repulsion[c], result.force);
        for axis in 0..3 {
            results.0[axis][c] = force[axis];
            results.0[4 + axis][c] = torque[axis];
        }
    }
}

/// Loop 6: rolling resistance and the torques of both partners.
#[inline(always)]
fn roll<K: Combination, P: Partner>(
    laws: &K,
    input: &Input<'_>,
    t: &Temporaries,
    old: &impl ReadColumns,
    new: &mut impl WriteColumns,
    results: &mut ResultColumns,
    second_torque: &mut Vector,
) {
    let laws = laws.laws();
    let first = TangentialHistory::<K>::COUNT;
    for c in 0..WIDTH {
        let pair = PairInput::new(input.partners, input.contacts, c);
        let geometry = Geometry::load(&t.geometry, 0, c);
        let contact = contact_of::<P>(input, &pair, &geometry, c);
        let elastic = laws.normal.force(&contact, t.contact_radius[c]);
        let (normal, change) = (geometry.normal, Record::load(&t.normal_change, 0, c));
        let rotate = |vector| P::transported(vector, normal, change, geometry.spin_rotation);
        let before = RollingHistory::<K>::load(old, first, c).transported(&rotate);
        let velocity = contact::rolling_velocity(normal, pair.spins);
        let roll = Roll { velocity, angle: scaled(velocity, geometry.age) };
        let result = laws.rolling.moment(&contact, &elastic, t.repulsion[c], &roll, before);
        result.history.store(new, first, c);
        // the dynamic path sums from zero: a zero must have the same sign
        let m = result.moment;
        let moment = [0.0 + m[0], 0.0 + m[1], 0.0 + m[2]];
        let row = &mut results.0;
        let torque = [row[4][c], row[5][c], row[6][c]];
        let [own, other] = contact::torques_of_partners(torque, moment, [row[3][c], row[7][c]]);
        [row[4][c], row[5][c], row[6][c]] = own;
        other.store(second_torque, 0, c);
    }
}

/// Force on the first partner, and n × tangential force.
#[inline(always)]
fn combined(n: [f64; 3], repulsion: f64, tangential: [f64; 3]) -> [[f64; 3]; 2] {
    // the dynamic path sums from zero: a zero must have the same sign
    let t = [0.0 + tangential[0], 0.0 + tangential[1], 0.0 + tangential[2]];
    let along = 0.0 - repulsion;
    [
        [along * n[0] + t[0], along * n[1] + t[1], along * n[2] + t[2]],
        [n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]],
    ]
}

multiversion! {
    #[allow(clippy::too_many_arguments, reason = "only parameters are known not to alias")]
    #[inline(always)]
    fn evaluate<K: Combination, P: Partner>(
        laws: &K,
        partners: &Partners,
        contacts: &Contacts,
        images: &Images,
        step: &Step,
        has_kicks: bool,
        temporaries: &mut Temporaries,
        extremes: &mut Extremes,
        results: &mut ResultColumns,
        second_torque: &mut Vector;
        old: [&Column; HISTORY] = o0 o1 o2 o3 o4 o5 o6 o7,
        new: [&mut Column; HISTORY] = n0 n1 n2 n3 n4 n5 n6 n7,
    ) {
        let input = &Input { partners, contacts, images, step, has_kicks };
        let (t, mut new) = (temporaries, new);
        if !P::AT_WALL {
            separation::<P>(input, t);
        }
        geometry::<K, P>(laws, input, t, extremes);
        if has_kicks {
            slip::<K, P, true>(laws, input, &old, t, extremes, results);
        } else {
            slip::<K, P, false>(laws, input, &old, t, extremes, results);
        }
        trial::<K, P>(laws, input, t);
        return_map::<K, P>(laws, input, t, &old, &mut new, results);
        if K::Rolling::ACTS {
            roll::<K, P>(laws, input, t, &old, &mut new, results, second_torque);
        }
    }
}

impl<N, D, T, R> Kernel for Laws<N, D, T, R>
where
    N: NormalLaw + std::fmt::Debug + Send + Sync,
    D: DampingLaw + std::fmt::Debug + Send + Sync,
    T: TangentialLaw + std::fmt::Debug + Send + Sync,
    R: RollingLaw + std::fmt::Debug + Send + Sync,
{
    fn has_moments(&self) -> bool {
        R::ACTS
    }

    fn needs_inertias(&self) -> bool {
        R::NEEDS_INERTIAS
    }

    unsafe fn evaluate_pairs(
        &self,
        input: &Input<'_>,
        history: HistoryAccess<'_>,
        output: Output<'_>,
    ) {
        // SAFETY: guaranteed by the caller.
        unsafe { self.evaluate_chunk::<Particle>(input, history, output) };
    }

    unsafe fn evaluate_walls(
        &self,
        input: &Input<'_>,
        history: HistoryAccess<'_>,
        output: Output<'_>,
    ) {
        // SAFETY: guaranteed by the caller.
        unsafe { self.evaluate_chunk::<Wall>(input, history, output) };
    }
}

impl<N: NormalLaw, D: DampingLaw, T: TangentialLaw, R: RollingLaw> Laws<N, D, T, R> {
    /// History columns of the combination.
    pub(crate) const HISTORY_COLUMNS: usize = {
        let count = T::History::COUNT + R::History::COUNT;
        assert!(count <= HISTORY, "the laws have more history columns than a kernel can have");
        assert!(
            <T::Prepared as Record>::COUNT <= PREPARED && <T::Trial as Record>::COUNT <= TRIAL,
            "the tangential law passes more columns from loop to loop than a kernel can have"
        );
        count
    };

    /// Looks up the history columns, whose number is a compile-time constant here, and evaluates.
    ///
    /// # Safety
    /// As `Kernel::evaluate_pairs`.
    #[inline(always)]
    unsafe fn evaluate_chunk<P: Partner>(
        &self,
        input: &Input<'_>,
        history: HistoryAccess<'_>,
        output: Output<'_>,
    ) {
        let HistoryAccess { accepted, indices, scratch, trial, first_index, spare } = history;
        let is_read =
            |column: usize| column >= T::History::COUNT || self.tangential.reads_history(column);
        let old = accepted.look_up(indices, Self::HISTORY_COLUMNS, is_read, scratch);
        // SAFETY: guaranteed by the caller; each column is looked up once.
        let new = unsafe { trial.trial_columns(first_index, Self::HISTORY_COLUMNS, spare) };
        let Input { partners, contacts, images, step, has_kicks } = *input;
        let Output { temporaries, extremes, results, second_torque } = output;
        evaluate::<Self, P>(
            self,
            partners,
            contacts,
            images,
            step,
            has_kicks,
            temporaries,
            extremes,
            results,
            second_torque,
            old,
            new,
        );
    }
}
