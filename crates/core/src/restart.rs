//! Restart from a settled bed: particles of a saved simulation in a new scene, with the history of their contacts, so
//! that several runs can start from the same state.

use crate::Quat;
use crate::error::{Error, Problem};
use crate::id::{GroupId, ParticleId, WallId};
use crate::insert::Restart;
use crate::notation::Setting;
use crate::simulation::Simulation;
use crate::sphere::Sphere;
use crate::state::{SavedParticle, State};

impl State {
    /// The free particles and the history of their contacts.
    pub fn bed(&self) -> (Vec<Sphere>, Restart) {
        let (spheres, _, inherited) = self.bed_of(|_| true);
        (spheres, inherited)
    }

    /// The free particles of the selected groups, the names of their groups, and the history of
    /// their contacts; contacts with particles of other groups are ignored.
    pub fn bed_of(&self, wanted: impl Fn(&str) -> bool) -> (Vec<Sphere>, Vec<&str>, Restart) {
        let name = |group: GroupId| self.groups.get(group.index()).map_or("", String::as_str);
        let free: Vec<_> = self.free(&wanted).collect();
        let groups = free.iter().map(|saved| name(saved.group)).collect();
        let index_of = |id: ParticleId| free.binary_search_by_key(&id, |saved| saved.id).ok();
        let spheres = free.iter().map(|saved| Sphere {
            position: saved.position.into(),
            radius: saved.radius,
            velocity: saved.velocity.into(),
            spin: saved.spin.into(),
        });
        let contacts = self.contacts.iter().filter_map(|contact| {
            let [first, second] = contact.partners.map(index_of);
            Some(([first?, second?], contact.history.clone()))
        });
        let wall_contacts = self.wall_memories().filter_map(|(id, wall, touch, history)| {
            Some((index_of(id)?, wall.to_owned(), touch, history.to_vec()))
        });
        let inherited = Restart {
            columns: self.history.clone(),
            contacts: contacts.collect(),
            wall_contacts: wall_contacts.collect(),
        };
        (spheres.collect(), groups, inherited)
    }
}

impl State {
    /// The orientations of the particles returned by [`Self::bed_of`], in the same order.
    pub fn orientations_of(&self, wanted: impl Fn(&str) -> bool) -> Vec<Quat> {
        self.free(&wanted).map(|saved| Quat::from_array(saved.orientation)).collect()
    }

    /// The free particles of the selected groups. Driven and fixed particles belong to walls.
    fn free(&self, wanted: &impl Fn(&str) -> bool) -> impl Iterator<Item = &SavedParticle> {
        let name = |group: GroupId| self.groups.get(group.index()).map_or("", String::as_str);
        let is_free =
            move |saved: &&SavedParticle| saved.mass.is_finite() && wanted(name(saved.group));
        self.particles.iter().filter(is_free)
    }
}

impl Simulation {
    /// Assigns the inherited history to new contacts. Contacts that the new scene does not have,
    /// such as those with walls of other names, are ignored.
    pub(crate) fn apply_inherited(&mut self) -> Result<(), Error> {
        for (first_id, path, inherited) in std::mem::take(&mut self.inherited) {
            if inherited.columns != self.engine.table().layout.names {
                let found = format!(
                    "its contacts store {:?}, those of this scene {:?}",
                    inherited.columns,
                    self.engine.table().layout.names
                );
                let fresh = self.scene.notation.name(&Setting::WithoutHistory);
                let help =
                    format!("{fresh} starts with contacts without history at the same positions");
                let problem = Problem::at(format!("{path}.insert.history"), found).help(help);
                return Err(Error::Scene(vec![problem]));
            }
            let id = |index: usize| ParticleId::new((first_id + index as u64) as u32);
            let pairs = inherited.contacts.iter();
            let pairs = pairs.map(|(indices, history)| (indices.map(id), history.as_slice()));
            self.engine.add_pairs(inherited.contacts.len(), pairs);
            let names: Vec<String> =
                self.engine.walls().iter().map(|wall| wall.wall.name.clone()).collect();
            let walls = inherited.wall_contacts.iter();
            let walls = walls.filter_map(|(particle, name, point, history)| {
                let wall = names.iter().position(|own| own == name)?;
                Some((id(*particle), WallId::new(wall as u16), *point, history.as_slice()))
            });
            self.engine.add_walls(inherited.wall_contacts.len(), walls);
        }
        Ok(())
    }
}
