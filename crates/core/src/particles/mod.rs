//! The particles: one record of hot data each, and columns for the rest.
//!
//! Particles are stored in slots sorted by cell; ids are stable, slots are not.

mod access;
mod columns;
mod index;
mod records;
pub mod storage;

pub use access::Particle;
pub use columns::Columns;
use index::SlotIndex;
pub(crate) use records::Records;

use crate::domain::Domain;
use crate::field::{Body, Load};
use crate::id::ParticleId;
use crate::parallel::{DisjointSlices, Pool};
use crate::{Quat, Vec3};
use bytemuck::{Pod, Zeroable};

/// Hot data of a particle, which contacts load: two cache lines. Measured: loading takes five times as long from
/// columns.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct HotData {
    pub position: [f64; 3],
    pub radius: f64,
    pub velocity: [f64; 3],
    pub inverse_mass: f64,
    pub spin: [f64; 3],
    pub inverse_inertia: f64,
    /// Position at the last rebuild of the neighbour list.
    pub listed_position: [f64; 3],
    /// Infinite for an immobile particle.
    pub mass: f64,
}

impl HotData {
    /// Position and radius.
    #[inline(always)]
    pub(crate) fn position_and_radius(&self) -> &[f64; 4] {
        &bytemuck::cast_ref::<Self, [[f64; 4]; 4]>(self)[0]
    }

    /// Position and radius, velocity and inverse mass, spin and inverse inertia, listed position and
    /// mass.
    #[inline(always)]
    pub(crate) fn as_vectors(&self) -> &[[f64; 4]; 4] {
        bytemuck::cast_ref(self)
    }

    /// The record as four 4-vectors: position and radius, velocity and inverse mass, spin and inverse inertia, listed
    /// position and mass.
    #[inline(always)]
    pub(crate) fn as_vectors_mut(&mut self) -> &mut [[f64; 4]; 4] {
        bytemuck::cast_mut(self)
    }
}

/// Bytes of records that mostly fit into the second-level cache.
const L2_RECORDS: usize = 3 << 20;

/// Bytes of records that fit into the third-level cache beside other data.
const LAST_LEVEL_RECORDS: usize = 10 << 20;

/// True if this many records fit in the second-level cache.
pub(crate) fn fits_l2(records: usize) -> bool {
    records * size_of::<HotData>() <= L2_RECORDS
}

/// True if this many records stay in a cache from one pass to the next.
pub(crate) fn fits_last_level_cache(records: usize) -> bool {
    records * size_of::<HotData>() <= LAST_LEVEL_RECORDS
}

/// Force and torque on a particle; the fourth lane of each means nothing.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct ForceTorque {
    pub force: [f64; 4],
    pub torque: [f64; 4],
}

impl ForceTorque {
    pub(crate) fn force(&self) -> Vec3 {
        Vec3::new(self.force[0], self.force[1], self.force[2])
    }

    pub(crate) fn torque(&self) -> Vec3 {
        Vec3::new(self.torque[0], self.torque[1], self.torque[2])
    }

    pub(crate) fn add(&mut self, load: &Load) {
        for axis in 0..3 {
            self.force[axis] += load.force[axis];
            self.torque[axis] += load.torque[axis];
        }
    }
}

/// Mean velocity and spin of a particle since the accepted state; the fourth lane of each is zero.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct MeanMotion {
    pub velocity: [f64; 4],
    pub spin: [f64; 4],
}

/// Changes of velocity and spin of a particle within half a step by the forces at its start, zero for a particle
/// without accurate slip; the fourth lane of each means nothing.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct HalfKick {
    pub velocity: [f64; 4],
    pub spin: [f64; 4],
}

impl HotData {
    /// 2/5 m r², of a solid sphere [kg m²].
    pub(crate) fn inertia(&self) -> f64 {
        0.4 * self.mass * self.radius * self.radius
    }

    /// True if position, velocity and spin are numbers.
    pub(crate) fn is_finite(&self) -> bool {
        let finite = |values: &[f64; 3]| values.iter().all(|value| value.is_finite());
        finite(&self.position) && finite(&self.velocity) && finite(&self.spin)
    }
}

/// Particle data that only insertion, output and fields read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Metadata {
    /// The id, see [`Metadata::id`].
    pub number: u32,
    pub group: u16,
    pub material: u16,
    /// Periods travelled along each axis.
    pub image: [i32; 3],
}

impl Metadata {
    #[inline(always)]
    pub(crate) fn id(&self) -> ParticleId {
        ParticleId::new(self.number)
    }
}

/// Ids are smaller than this.
pub(crate) const IDS_END: u64 = u32::MAX as u64;

/// The wall to which a particle belongs.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Driver {
    /// Index of the wall in the list, plus one; zero for a free particle.
    pub wall: u16,
    /// Index of the particle in that wall.
    pub index: u32,
}

/// All particles. `particles[id]` is the particle with this id.
///
/// ```
/// # use esker::prelude::*;
/// # fn main() -> Result<(), Error> {
/// # let mut scene = Scene::new();
/// # let glass = Material::new().density(2500.0).young_modulus(5.0e7).poisson_ratio(0.24);
/// # let glass = scene.add_material("glass", glass);
/// # scene.step = StepSize::Fixed(1e-3);
/// let ball = scene.add_sphere(glass, Sphere::new(0.01, Vec3::ZERO));
/// let simulation = scene.build()?;
/// assert_eq!(simulation.particles()[ball].position, Vec3::ZERO);
/// assert_eq!(simulation.particles()[ball].radius, 0.01);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Particles {
    pub(crate) records: Records,
    pub(crate) metadata: Vec<Metadata>,
    pub(crate) orientations: Vec<Quat>,
    /// ∫ω dt of each particle, if the scene accumulates angles; empty otherwise [rad].
    pub(crate) accumulated_angles: Vec<Vec3>,
    pub(crate) accumulate_angles: bool,
    /// Charges; empty if there are none [C].
    pub(crate) charges: Vec<f64>,
    /// Walls that drive particles; empty if there are none.
    pub(crate) drivers: Vec<Driver>,
    /// Force and torque at the accepted state.
    pub(crate) loads: Vec<ForceTorque>,
    /// True for particles with accurate slip, see `time_step/accurate_slip.rs`.
    pub(crate) accurate_slip: Vec<bool>,
    index: SlotIndex,
}

/// The slot of a removed particle.
pub(crate) const NO_SLOT: u32 = u32::MAX;

impl Particles {
    pub(crate) fn new(accumulate_angles: bool) -> Self {
        Self { accumulate_angles, ..Self::default() }
    }

    /// A particle as an argument of fields.
    pub(crate) fn body(&self, slot: usize) -> Body {
        body(&self.records[slot], &self.metadata[slot], self.charge(slot))
    }

    /// True if a particle moves freely.
    pub(crate) fn any_free(&self) -> bool {
        self.records.iter().any(|record| record.inverse_mass > 0.0)
    }

    /// Charge of a particle [C].
    pub(crate) fn charge(&self, slot: usize) -> f64 {
        self.charges.get(slot).copied().unwrap_or(0.0)
    }

    /// The wall to which a particle belongs, by its index in the list of walls, and the index of the particle in that
    /// wall.
    pub(crate) fn driver(&self, slot: usize) -> Option<(usize, usize)> {
        let driver = self.drivers.get(slot)?;
        Some((usize::from(driver.wall).checked_sub(1)?, driver.index as usize))
    }

    /// Sets charge and driver of the particle that was pushed last. Their columns are allocated for the first
    /// non-default value.
    pub(crate) fn set_last(&mut self, charge: f64, driver: Driver) {
        set_last(&mut self.charges, charge, self.records.len());
        set_last(&mut self.drivers, driver, self.records.len());
    }

    /// Sets the charge of a particle [C].
    pub(crate) fn set_charge(&mut self, slot: usize, charge: f64) {
        if charge != 0.0 || !self.charges.is_empty() {
            self.charges.resize(self.records.len(), 0.0);
            self.charges[slot] = charge;
        }
    }

    /// Sets the orientation of the particle that was pushed last.
    pub(crate) fn set_last_orientation(&mut self, orientation: Quat) {
        if let Some(last) = self.orientations.last_mut() {
            *last = orientation;
        }
    }

    pub(crate) fn push(&mut self, record: HotData, metadata: Metadata, orientation: Quat) {
        self.index.clear();
        self.records.push(record);
        self.metadata.push(metadata);
        self.orientations.push(orientation);
        if self.accumulate_angles {
            self.accumulated_angles.push(Vec3::ZERO);
        }
        self.loads.push(ForceTorque::default());
        self.accurate_slip.push(false);
    }

    /// Reorders the particles: the one at `order[slot]` moves to `slot`. Particles not in `order` are removed.
    pub(crate) fn reorder(&mut self, order: &[u32], pool: &mut Pool) {
        let mut own = self.records.take();
        permute(&mut own, order, pool);
        self.records = own.into();
        self.reorder_columns(order, pool);
    }

    /// As `reorder`, for all but the records, which the caller reorders.
    pub(crate) fn reorder_columns(&mut self, order: &[u32], pool: &mut Pool) {
        self.index.clear();
        permute(&mut self.metadata, order, pool);
        if !self.charges.is_empty() {
            permute(&mut self.charges, order, pool);
        }
        if !self.drivers.is_empty() {
            permute(&mut self.drivers, order, pool);
        }
        permute(&mut self.orientations, order, pool);
        if self.accumulate_angles {
            permute(&mut self.accumulated_angles, order, pool);
        }
        permute(&mut self.loads, order, pool);
        permute(&mut self.accurate_slip, order, pool);
    }

    /// Removes all particles.
    pub(crate) fn clear(&mut self) {
        *self = Self::new(self.accumulate_angles);
    }
}

/// Sets the last of `count` elements; a column of default values stays empty.
fn set_last<T: Copy + Default + PartialEq>(column: &mut Vec<T>, value: T, count: usize) {
    if !column.is_empty() || value != T::default() {
        column.resize(count, T::default());
        if let Some(last) = column.last_mut() {
            *last = value;
        }
    }
}

pub(crate) fn body(record: &HotData, metadata: &Metadata, charge: f64) -> Body {
    Body {
        position: record.position.into(),
        velocity: record.velocity.into(),
        spin: record.spin.into(),
        radius: record.radius,
        mass: record.mass,
        charge,
        id: metadata.id(),
    }
}

/// Moves a particle that has left a periodic box to the other side.
pub(crate) fn wrap(domain: &Domain, record: &mut HotData, metadata: &mut Metadata) {
    let size = domain.size();
    for axis in (0..3).filter(|&axis| domain.periodic[axis]) {
        let periods = ((record.position[axis] - domain.min[axis]) / size[axis]).floor();
        if periods != 0.0 && periods.is_finite() {
            record.position[axis] -= periods * size[axis];
            record.listed_position[axis] -= periods * size[axis];
            metadata.image[axis] += periods as i32;
        }
    }
}

/// Reorders values on all threads.
pub(crate) fn permute<T: Copy + Send + Sync>(values: &mut Vec<T>, order: &[u32], pool: &mut Pool) {
    let mut permuted: Vec<T> = Vec::with_capacity(order.len());
    let spare = DisjointSlices::new(&mut permuted.spare_capacity_mut()[..order.len()]);
    let old = values.as_slice();
    pool.split(order.len(), |_, range| {
        // SAFETY: the ranges of `split` are disjoint.
        let spare = unsafe { spare.slice_mut(range.clone()) };
        for (target, &from) in spare.iter_mut().zip(&order[range]) {
            target.write(old[from as usize]);
        }
    });
    // SAFETY: the ranges of `split` cover all of `order`, so every element has been written.
    unsafe { permuted.set_len(order.len()) };
    *values = permuted;
}
