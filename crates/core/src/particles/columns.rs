//! Particles as columns in order of id, for programs that read all of them.

use crate::id::{GroupId, MaterialId, ParticleId};
use crate::particles::Particles;
use crate::{Quat, Vec3};

/// One entry for each particle in every column, in order of id. Filled by [`Particles::columns`], or repeatedly without
/// allocation by [`Particles::read_columns`].
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, RADIUS};
/// use esker::prelude::*;
///
/// let grains = vec![Sphere::new(RADIUS, Vec3::X), Sphere::new(RADIUS, Vec3::ZERO)];
/// let simulation = simulation(ContactModel::normal(Hertz::default()), Pair::new(), grains);
/// let columns = simulation.particles().columns();
/// assert_eq!(columns.position, [Vec3::X, Vec3::ZERO]); // in order of id
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Columns {
    /// Ids, increasing.
    pub id: Vec<ParticleId>,
    /// Groups.
    pub group: Vec<GroupId>,
    /// Materials.
    pub material: Vec<MaterialId>,
    /// Radii [m].
    pub radius: Vec<f64>,
    /// Masses, infinite for fixed and driven particles [kg].
    pub mass: Vec<f64>,
    /// Positions [m].
    pub position: Vec<Vec3>,
    /// Velocities [m/s].
    pub velocity: Vec<Vec3>,
    /// Spins [rad/s].
    pub spin: Vec<Vec3>,
    /// Orientations.
    pub orientation: Vec<Quat>,
    /// Forces [N].
    pub force: Vec<Vec3>,
    /// Torques [N m].
    pub torque: Vec<Vec3>,
}

impl Columns {
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    fn clear(&mut self) {
        let Self {
            id,
            group,
            material,
            radius,
            mass,
            position,
            velocity,
            spin,
            orientation,
            force,
            torque,
        } = self;
        id.clear();
        group.clear();
        material.clear();
        radius.clear();
        mass.clear();
        orientation.clear();
        for column in [position, velocity, spin, force, torque] {
            column.clear();
        }
    }
}

impl Particles {
    /// All particles as columns.
    pub fn columns(&self) -> Columns {
        let mut columns = Columns::default();
        self.read_columns(&mut columns);
        columns
    }

    /// Reads all particles into existing columns.
    pub fn read_columns(&self, columns: &mut Columns) {
        columns.clear();
        for slot in self.slots_by_id() {
            let (record, metadata) = (&self.records[slot], &self.metadata[slot]);
            columns.id.push(metadata.id());
            columns.group.push(GroupId::new(metadata.group));
            columns.material.push(MaterialId::new(metadata.material));
            columns.radius.push(record.radius);
            columns.mass.push(record.mass);
            columns.position.push(record.position.into());
            columns.velocity.push(record.velocity.into());
            columns.spin.push(record.spin.into());
            columns.orientation.push(self.orientations[slot]);
            columns.force.push(self.loads[slot].force());
            columns.torque.push(self.loads[slot].torque());
        }
    }
}
