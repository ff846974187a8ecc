//! Contacts for output and measures, evaluated at the accepted state without changing it.

use super::Engine;
use crate::Vec3;
use crate::id::WallId;
use crate::kernel::evaluate::Chunk;
use crate::kernel::evaluate::Scratch;
use crate::kernel::laws::PairLaws;
use crate::kernel::pairs::Group;
use crate::law::tangential::{EXCESS, SLIDING, SPRING};
use crate::law::{Contacts, Step, WIDTH};
use crate::snapshot::{ContactView, Partner};
use crate::wall_contact::pack::{Bodies, Lane, Packer};

impl Engine {
    /// All contacts in order of (first, second).
    pub(crate) fn contact_views(&self) -> Vec<ContactView> {
        let mut views = Vec::new();
        self.view_pairs(&mut views);
        self.view_walls(&mut views);
        views.sort_by_key(|view| (view.first, view.second));
        views
    }

    fn view_pairs(&self, views: &mut Vec<ContactView>) {
        let chunk = self.at_rest(false);
        let mut scratch = Scratch::new(&self.table.layout);
        let records = &self.world.particles.records;
        for (pair, range) in &self.neighbours.list.groups {
            let laws = &self.table.pairs[*pair];
            let group = Group {
                chunk: &chunk,
                laws,
                records: records[..].into(),
                list: &self.neighbours.list,
                accepted: &self.contacts.pairs.accepted,
            };
            let touching: Vec<u32> = range
                .clone()
                .filter(|&c| self.touches(c, laws.interaction_range))
                .map(|c| c as u32)
                .collect();
            for block in touching.chunks(WIDTH) {
                group.view_chunk(block, &mut scratch);
                for (lane, &pair_index) in block.iter().enumerate() {
                    let [first, second] =
                        self.neighbours.list.pairs[pair_index as usize].map(|slot| slot as usize);
                    let partner = Partner::Particle(self.world.particles.metadata[second].id());
                    views.push(self.view(laws, first, partner, lane, &scratch));
                }
            }
        }
    }

    fn touches(&self, pair_index: usize, interaction_range: f64) -> bool {
        let [first, second] = self.neighbours.list.pairs[pair_index]
            .map(|slot| &self.world.particles.records[slot as usize]);
        let difference = Vec3::from_array(second.position) - Vec3::from_array(first.position);
        let limit = first.radius + second.radius + interaction_range;
        self.world.domain.nearest_image(difference).length_squared() < limit * limit
    }

    fn view_walls(&self, views: &mut Vec<ContactView>) {
        let chunk = self.at_rest(true);
        let mut scratch = Scratch::new(&self.table.layout);
        let records = &self.world.particles.records;
        let contacts = &self.contacts.walls;
        let bodies = Bodies { records, walls: &self.world.walls };
        for (index, item) in contacts.items.iter().enumerate() {
            let laws = &self.table.pairs[usize::from(item.pair)];
            contacts.for_each_closest_point(index, bodies, &self.table, |closest, old| {
                let mut packer = Packer::new(&chunk, laws, bodies, &contacts.state.accepted);
                let lane = Lane::new(item, bodies, closest, old, self.table.moment_arm);
                packer.push(lane, &mut scratch);
                packer.finish(&mut scratch);
                let partner = Partner::Wall(WallId::new(item.wall));
                views.push(self.view(laws, item.particle as usize, partner, 0, &scratch));
            });
        }
    }

    /// A chunk in the accepted state: the elapsed time is zero.
    fn at_rest(&self, at_wall: bool) -> Chunk<'_> {
        let step = Step::at_accepted_state(self.dt());
        let stored =
            if at_wall { &self.contacts.stored.walls } else { &self.contacts.stored.pairs };
        let (table, images) = (&self.table, self.world.images());
        let (motions, kicks) = ([][..].into(), [][..].into());
        Chunk { table, step, images, at_wall, stored, motions, kicks }
    }

    fn view(
        &self,
        laws: &PairLaws,
        first: usize,
        second: Partner,
        lane: usize,
        scratch: &Scratch,
    ) -> ContactView {
        let (contacts, forces) = (&scratch.contacts, &scratch.forces);
        let vector = |columns: &crate::law::Vector| {
            Vec3::new(columns[0][lane], columns[1][lane], columns[2][lane])
        };
        let remembered = |name| {
            let start = self.table.layout.start_of(name)?;
            let column = |axis: usize| scratch.old[start + axis][lane];
            Some(Vec3::new(column(0), column(1), column(2)))
        };
        let last_excess = self.table.layout.start_of(EXCESS).map(|start| scratch.old[start][lane]);
        // a contact before its first step has no history
        let friction_excess =
            last_excess.filter(|excess| *excess != 0.0).unwrap_or(forces.friction_excess[lane]);
        let stiffnesses = laws.laws.iter().map(|law| law.tangential_stiffness(forces, lane));
        let position = Vec3::from_array(self.world.particles.records[first].position);
        let normal = vector(&contacts.normal);
        ContactView {
            first: self.world.particles.metadata[first].id(),
            second,
            first_position: position,
            second_position: position + contacts.distance[lane] * normal,
            normal,
            overlap: contacts.overlap[lane],
            closing_speed: contacts.closing_speed[lane],
            elastic: forces.elastic[lane],
            damping: forces.damping[lane],
            cohesion: forces.cohesion[lane],
            tangential: vector(&forces.tangential),
            moment: vector(&forces.moment),
            slip_velocity: vector(&contacts.slip_velocity),
            normal_stiffness: forces.normal_stiffness[lane],
            tangential_stiffness: stiffnesses.sum(),
            contact_radius: forces.contact_radius[lane],
            elastic_displacement: remembered(SPRING).unwrap_or(Vec3::ZERO),
            sliding_displacement: remembered(SLIDING),
            sliding: friction_excess > 0.0,
            friction_excess,
            slip_mobility: self.slip_mobility(contacts, lane),
        }
    }

    /// Slip mobility of free bodies; zero for driven ones.
    fn slip_mobility(&self, contacts: &Contacts, lane: usize) -> f64 {
        let of = |body: usize| {
            let (mass, arm) = (contacts.inverse_mass[body][lane], contacts.moment_arm[body][lane]);
            let rotates = self.external.rotations() && mass > 0.0;
            let inertia = if rotates { contacts.inverse_inertia[body][lane] } else { 0.0 };
            mass + arm * arm * inertia
        };
        of(0) + of(1)
    }
}
