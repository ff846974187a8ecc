//! Contacts for output and measures, evaluated at the accepted state without changing it.

use super::Engine;
use crate::Vec3;
use crate::id::{ParticleId, WallId};
use crate::kernel::evaluate::Chunk;
use crate::kernel::evaluate::Scratch;
use crate::kernel::laws::PairLaws;
use crate::kernel::pairs::Group;
use crate::law::tangential::{EXCESS, SLIDING, SPRING};
use crate::law::{Contacts, Step, WIDTH};
use crate::particles::HotData;
use crate::snapshot::{ContactView, Partner};
use crate::wall_contact::pack::{Bodies, Lane, Packer};
use std::borrow::Cow;
use std::ops::Range;

impl Engine {
    /// All contacts in order of (first, second).
    pub(crate) fn contact_views(&self) -> Vec<ContactView> {
        let mut views = Vec::new();
        self.for_each_view(&self.world.particles.records, |_, view| views.push(view));
        views.sort_by_key(|view| (view.first, view.second));
        views
    }

    /// The own particles, then the ghosts of other ranks in their accepted state. All ranks call it together.
    pub(crate) fn records_with_ghosts(&self) -> Cow<'_, [HotData]> {
        let records = &self.world.particles.records;
        let (own, ghosts) = (&records[..], self.halo.accepted_ghosts(records));
        if ghosts.is_empty() { Cow::Borrowed(own) } else { Cow::Owned([own, &ghosts].concat()) }
    }

    /// Calls `with` for each contact and the slots of its partners, if they are particles; `records` are those of
    /// [`Self::records_with_ghosts`].
    pub(crate) fn for_each_view(
        &self,
        records: &[HotData],
        mut with: impl FnMut([Option<usize>; 2], ContactView),
    ) {
        let list = &self.neighbours.list;
        let pairs = 0..list.pairs.len() as u32;
        self.view_pairs(records, pairs, &mut with);
        self.view_walls(records, 0..self.contacts.walls.items.len(), &mut with);
    }

    /// The contacts of which the own particle in one of these slots is the first partner, in order of (first, second);
    /// `records` as for [`Self::for_each_view`].
    pub(crate) fn views_of(&self, records: &[HotData], slots: &[u32]) -> Vec<ContactView> {
        let list = &self.neighbours.list;
        let mut views = Vec::new();
        let mut pairs = Vec::new();
        for &slot in slots.iter().filter(|slot| (**slot as usize) < self.listed()) {
            let own = list.entries(slot as usize).iter().map(|entry| entry >> 1);
            pairs.extend(own.filter(|&pair| list.pairs[pair as usize][0] == slot));
            let items = self.contacts.walls.items_of(slot as usize..slot as usize + 1);
            self.view_walls(records, items, &mut |_, view| views.push(view));
        }
        pairs.sort_unstable();
        self.view_pairs(records, pairs.into_iter(), &mut |_, view| views.push(view));
        // stable: contacts of one particle with one wall keep their order
        views.sort_by_key(|view| (view.first, view.second));
        views
    }

    /// The contacts among some pairs of the list, in its order.
    fn view_pairs(
        &self,
        records: &[HotData],
        pairs: impl Iterator<Item = u32>,
        with: &mut impl FnMut([Option<usize>; 2], ContactView),
    ) {
        let chunk = self.at_rest(false);
        let mut scratch = Scratch::new(&self.table.layout);
        let list = &self.neighbours.list;
        let mut pairs = pairs.peekable();
        for (index, range) in &list.groups {
            let laws = &self.table.pairs[*index];
            let accepted = &self.contacts.pairs.accepted;
            let group = Group { chunk: &chunk, laws, records: records.into(), list, accepted };
            let mut touching = Vec::with_capacity(WIDTH);
            loop {
                let next = pairs.next_if(|&pair| range.contains(&(pair as usize)));
                let is_near =
                    |pair: &u32| self.touches(records, *pair as usize, laws.interaction_range);
                touching.extend(next.filter(is_near));
                if touching.len() < WIDTH && next.is_some() {
                    continue;
                }
                if !touching.is_empty() {
                    group.view_chunk(&touching, &mut scratch);
                }
                for (lane, &pair) in touching.iter().enumerate() {
                    let slots = list.pairs[pair as usize];
                    let [first, second] = self.ids_of(&slots);
                    let [at, other] = slots.map(|slot| slot as usize);
                    let position = records[at].position;
                    let partner = Partner::Particle(second);
                    let view = self.view(laws, (first, position), partner, lane, &scratch);
                    with([Some(at), Some(other)], view);
                }
                touching.clear();
                if next.is_none() {
                    break;
                }
            }
        }
    }

    fn touches(&self, records: &[HotData], pair: usize, interaction_range: f64) -> bool {
        let [first, second] = self.neighbours.list.pairs[pair].map(|slot| &records[slot as usize]);
        let difference = Vec3::from_array(second.position) - Vec3::from_array(first.position);
        let limit = first.radius + second.radius + interaction_range;
        self.world.domain.nearest_image(difference).length_squared() < limit * limit
    }

    /// The contacts of some items.
    fn view_walls(
        &self,
        records: &[HotData],
        items: Range<usize>,
        with: &mut impl FnMut([Option<usize>; 2], ContactView),
    ) {
        let chunk = self.at_rest(true);
        let mut scratch = Scratch::new(&self.table.layout);
        let contacts = &self.contacts.walls;
        let bodies = Bodies { records, walls: &self.world.walls };
        for index in items {
            let item = &contacts.items[index];
            let laws = &self.table.pairs[usize::from(item.pair)];
            contacts.for_each_closest_point(index, bodies, &self.table, |closest, old| {
                let mut packer = Packer::new(&chunk, laws, bodies, &contacts.state.accepted);
                let lane = Lane::new(item, bodies, closest, old, self.table.moment_arm);
                packer.push(lane, &mut scratch);
                packer.finish(&mut scratch);
                let partner = Partner::Wall(WallId::new(item.wall));
                let slot = item.particle as usize;
                let first = (self.world.particles.metadata[slot].id(), records[slot].position);
                with([Some(slot), None], self.view(laws, first, partner, 0, &scratch));
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
        (first, position): (ParticleId, [f64; 3]),
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
        let position = Vec3::from_array(position);
        let normal = vector(&contacts.normal);
        ContactView {
            first,
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
