//! Selection of particles of a snapshot: all or one group.

use super::{ParticleView, Snapshot};
use crate::Vec3;
use crate::domain::Domain;
use crate::id::GroupId;

impl Snapshot {
    /// The group of particles with this name.
    pub fn group(&self, name: &str) -> Option<GroupId> {
        let index = self.groups.iter().position(|group| group == name)?;
        Some(GroupId::new(index as u16))
    }

    /// The particles of a group, or all without one, in order of id.
    pub fn selected(&self, group: Option<GroupId>) -> impl Iterator<Item = &ParticleView> {
        self.particles.iter().filter(move |particle| group.is_none_or(|g| g == particle.group))
    }

    /// The free particles of a group, or of all groups.
    pub fn free(&self, group: Option<GroupId>) -> impl Iterator<Item = &ParticleView> {
        self.selected(group).filter(|particle| particle.mass.is_finite())
    }

    /// The domain.
    pub fn domain(&self) -> Domain {
        Domain { periodic: self.periodic, ..Domain::new(self.domain_min, self.domain_max) }
    }

    /// Unwrapped position of a particle [m].
    pub fn unwrapped(&self, particle: &ParticleView) -> Vec3 {
        let image = particle.image.map(f64::from);
        particle.position + Vec3::from_array(image) * self.domain().period()
    }
}

/// Snapshots for the tests of measures.
#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use crate::Quat;
    use crate::id::{MaterialId, ParticleId};

    /// A particle at rest without contacts.
    pub fn particle(id: u64, radius: f64, mass: f64, position: Vec3) -> ParticleView {
        ParticleView {
            id: ParticleId::new(id as u32),
            group: GroupId::new(0),
            material: MaterialId::new(0),
            radius,
            mass,
            charge: 0.0,
            position,
            image: [0; 3],
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            orientation: Quat::IDENTITY,
            force: Vec3::ZERO,
            torque: Vec3::ZERO,
            coordination: 0,
        }
    }

    /// A snapshot of particles in the unit cube.
    pub fn snapshot(particles: Vec<ParticleView>) -> Snapshot {
        Snapshot {
            groups: vec!["grains".to_owned(), "others".to_owned()],
            domain_min: Vec3::ZERO,
            domain_max: Vec3::ONE,
            particles,
            stable_contacts: 2,
            ..Snapshot::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{particle, snapshot};
    use super::*;

    #[test]
    fn groups_are_found_by_name_and_select_their_particles() {
        let mut other = particle(1, 0.1, 1.0, Vec3::ZERO);
        other.group = GroupId::new(1);
        let snapshot = snapshot(vec![particle(0, 0.1, 1.0, Vec3::ZERO), other]);
        assert_eq!(snapshot.group("nobody"), None);
        let group = snapshot.group("others");
        assert_eq!(snapshot.selected(group).map(|p| p.id.number()).collect::<Vec<_>>(), [1]);
        assert_eq!(snapshot.selected(None).count(), 2);
    }

    #[test]
    fn images_count_only_where_the_domain_repeats() {
        let mut traveller = particle(0, 0.1, 1.0, Vec3::splat(0.5));
        traveller.image = [2, -1, 3];
        let mut snapshot = snapshot(vec![traveller]);
        snapshot.periodic = [true, true, false];
        assert_eq!(snapshot.unwrapped(&traveller), Vec3::new(2.5, -0.5, 0.5));
    }
}
