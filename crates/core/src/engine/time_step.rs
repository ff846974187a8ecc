//! Access of the time step control to the engine, and the range of the neighbour list that it
//! requires.

use super::{Engine, Halo};
use crate::Vec3;
use crate::chunk::Images;
use crate::kernel::laws::LawTable;
use crate::neighbour::list::NeighbourList;
use crate::parallel::Pool;
use crate::particles::Particles;
use crate::search::horizon::Horizon;
use crate::wall::live::LiveWall;
use crate::wall_contact::WallContacts;

/// The components that a pass over the contacts reads, and the threads that execute it.
pub(crate) struct StepParts<'a> {
    pub particles: &'a Particles,
    pub list: &'a NeighbourList,
    pub walls: &'a [LiveWall],
    pub wall_contacts: &'a WallContacts,
    pub table: &'a LawTable,
    pub images: Images,
    pub horizon: Horizon,
    pub gravity: Vec3,
    pub rotations: bool,
    pub pool: &'a mut Pool,
    pub halo: &'a mut Halo,
}

impl Engine {
    /// The components that a pass over the contacts reads.
    pub(crate) fn step_parts(&mut self) -> StepParts<'_> {
        StepParts {
            particles: &self.world.particles,
            list: &self.neighbours.list,
            walls: &self.world.walls,
            wall_contacts: &self.contacts.walls,
            table: &self.table,
            images: self.world.images(),
            horizon: self.neighbours.horizon,
            gravity: self.external.gravity,
            rotations: self.external.rotations(),
            pool: &mut self.workers.pool,
            halo: &mut self.halo,
        }
    }

    /// Range of the list required by updates of the time step.
    pub(crate) fn horizon(&self) -> Horizon {
        self.neighbours.horizon
    }

    pub(crate) fn set_horizon(&mut self, horizon: Horizon) {
        self.neighbours.horizon = horizon;
    }

    /// True if the neighbour lists of all ranks contain all pairs that can meet within the horizon.
    pub(crate) fn list_covers_horizon(&self) -> bool {
        !self.any(!self.own_list_covers_horizon())
    }

    fn own_list_covers_horizon(&self) -> bool {
        let (low, high) = (self.world.domain.min, self.world.domain.max);
        let horizon = self.neighbours.horizon;
        let [moving, still] = [self.neighbours.wall_skins[0], self.neighbours.still_skin];
        let mut solid =
            self.world.walls.iter().filter(|wall| wall.present && !wall.is_made_of_particles());
        let walls_stay = solid.all(|wall| {
            let left = match wall.wall.motion.is_still() {
                true => still,
                false => moving - wall.displacement(&wall.pose, low, high),
            };
            left >= horizon.wall
        });
        let mut particles = self.world.particles.records.iter().zip(&self.neighbours.skins.inverse);
        walls_stay
            && particles.all(|(record, &inverse)| {
                let listed = Vec3::from_array(record.listed_position);
                let moved = (Vec3::from_array(record.position) - listed).length();
                1.0 / f64::from(inverse) - moved >= horizon.travel(record)
            })
    }
}
