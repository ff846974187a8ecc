//! Access to particles by id.

use super::{HotData, Particles};
use crate::field::Load;
use crate::id::{GroupId, MaterialId, ParticleId};
use crate::{Quat, Vec3};
use bytemuck::{Pod, Zeroable};

/// Position, motion and size of one particle; see [`Particles`].
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, RADIUS};
/// use esker::prelude::*;
///
/// let simulation = simulation(ContactModel::normal(Hertz::default()), Pair::new(), vec![Sphere::new(RADIUS, Vec3::X)]);
/// let particle = simulation.particles()[ParticleId::new(0)];
/// let volume = 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3);
/// assert!((particle.mass / volume - 2500.0).abs() < 1e-9);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C, align(64))]
#[non_exhaustive]
pub struct Particle {
    /// Position of the centre in m, inside the domain.
    pub position: Vec3,
    /// Radius in m.
    pub radius: f64,
    /// Velocity in m/s.
    pub velocity: Vec3,
    inverse_mass: f64,
    /// Spin (angular velocity) in rad/s.
    pub spin: Vec3,
    inverse_inertia: f64,
    listed_position: Vec3,
    /// Mass in kg; infinite for a fixed particle or one of a wall.
    pub mass: f64,
}

impl std::ops::Index<ParticleId> for Particles {
    type Output = Particle;

    /// The particle with this id.
    ///
    /// # Panics
    /// If there is no such particle, or it has been deleted; [`Particles::get`] returns `None` instead.
    fn index(&self, id: ParticleId) -> &Particle {
        self.get(id).unwrap_or_else(|| panic!("there is no particle {id}"))
    }
}

impl Particles {
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The particle with this id; none if it does not exist or has been deleted.
    pub fn get(&self, id: ParticleId) -> Option<&Particle> {
        Some(bytemuck::cast_ref::<HotData, Particle>(&self.records[self.slot(id)?]))
    }

    /// All particles in order of id.
    pub fn iter(&self) -> impl Iterator<Item = (ParticleId, &Particle)> {
        self.slots_by_id()
            .map(|slot| (self.metadata[slot].id(), bytemuck::cast_ref(&self.records[slot])))
    }

    /// The ids in storage order.
    pub fn ids(&self) -> impl Iterator<Item = ParticleId> + '_ {
        self.metadata.iter().map(super::Metadata::id)
    }

    /// Group of a particle.
    pub fn group(&self, id: ParticleId) -> Option<GroupId> {
        Some(GroupId::new(self.metadata[self.slot(id)?].group))
    }

    /// Material of a particle.
    pub fn material(&self, id: ParticleId) -> Option<MaterialId> {
        Some(MaterialId::new(self.metadata[self.slot(id)?].material))
    }

    /// Position of a particle in m.
    pub fn position(&self, id: ParticleId) -> Option<Vec3> {
        Some(self.get(id)?.position)
    }

    /// Periods that a particle has travelled along each axis.
    pub fn image(&self, id: ParticleId) -> Option<[i32; 3]> {
        Some(self.metadata[self.slot(id)?].image)
    }

    /// Velocity of a particle in m/s.
    pub fn velocity(&self, id: ParticleId) -> Option<Vec3> {
        Some(self.get(id)?.velocity)
    }

    /// Spin of a particle in rad/s.
    pub fn spin(&self, id: ParticleId) -> Option<Vec3> {
        Some(self.get(id)?.spin)
    }

    /// Orientation of a particle.
    pub fn orientation(&self, id: ParticleId) -> Option<Quat> {
        Some(self.orientations[self.slot(id)?])
    }

    /// Accumulated angle of rotation about each axis since the particle was inserted, ∫ω dt, in rad; B(87). A rotation
    /// angle only for a fixed axis. None unless the scene accumulates it.
    pub fn accumulated_angle(&self, id: ParticleId) -> Option<Vec3> {
        self.accumulated_angles.get(self.slot(id)?).copied()
    }

    /// Force and torque on a particle at the accepted state.
    pub fn load(&self, id: ParticleId) -> Option<Load> {
        let total = &self.loads[self.slot(id)?];
        Some(Load { force: total.force(), torque: total.torque() })
    }

    /// Positions in storage order, as `[x, y, z]`.
    pub fn positions(&self) -> impl Iterator<Item = [f64; 3]> + '_ {
        self.records.iter().map(|record| record.position)
    }

    /// Sets the velocity and spin of a particle; false if there is none with this id.
    pub fn set_velocity(&mut self, id: ParticleId, velocity: Vec3, spin: Vec3) -> bool {
        let Some(slot) = self.slot(id) else { return false };
        self.records[slot].velocity = velocity.to_array();
        self.records[slot].spin = spin.to_array();
        true
    }

    /// Sets the position of a particle; false if there is none with this id. A position beyond a
    /// periodic boundary is mapped into the domain before the next step.
    pub fn set_position(&mut self, id: ParticleId, position: Vec3) -> bool {
        let Some(slot) = self.slot(id) else { return false };
        self.records[slot].position = position.to_array();
        true
    }

    /// Sets the orientation of a particle; false if there is none with this id.
    pub fn set_orientation(&mut self, id: ParticleId, orientation: Quat) -> bool {
        let Some(slot) = self.slot(id) else { return false };
        self.orientations[slot] = orientation;
        true
    }
}
