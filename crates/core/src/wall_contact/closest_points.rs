//! The contacts of one particle with one wall, for output and for Gauss–Seidel sweeps. The same functions give the same
//! bits as the evaluation of all contacts.

use crate::kernel::laws::LawTable;
use crate::particles::HotData;
use crate::wall::live::LiveWall;
use crate::wall::{ClosestPoint, MESH_CONTACTS, MeshContacts, Shape};
use crate::wall_contact::WallContacts;
use crate::wall_contact::WallNeighbour;
use crate::wall_contact::joints::{JointContacts, Joints, is_joined, joined_items};
use crate::wall_contact::pack::{Bodies, OldContact};

impl WallContacts {
    /// Calls `found` for each contact of an item at the current state, in world axes, with the
    /// accepted contact that it continues.
    pub(crate) fn for_each_closest_point(
        &self,
        index: usize,
        bodies: Bodies<'_>,
        table: &LawTable,
        mut found: impl FnMut(ClosestPoint, OldContact),
    ) {
        let (item, accepted_contacts) = (&self.items[index], self.accepted_contacts());
        let joints = Joints { items: &self.items, facets: &self.facets, bodies, table };
        if is_joined(&self.items, bodies.walls, index) {
            let mut contacts = JointContacts::default();
            joints.find(index, &mut contacts);
            let all = contacts.all();
            let joined = || joined_items(&self.items, bodies.walls, index);
            contacts.of(index).for_each(|closest| {
                found(closest, accepted_contacts.find(joined(), bodies.walls, &closest, all));
            });
        } else {
            let interaction_range = table.pairs[usize::from(item.pair)].interaction_range;
            let facets = &self.facets[item.facets()];
            for_each_closest_point(
                item,
                facets,
                bodies.records,
                bodies.walls,
                interaction_range,
                |closest, all| {
                    let itself = std::iter::once(index);
                    found(closest, accepted_contacts.find(itself, bodies.walls, &closest, all));
                },
            );
        }
    }
}

/// Calls `found` for each closest point of the wall within the interaction range of the particle, in world axes, with
/// all of them.
#[inline]
fn for_each_closest_point(
    item: &WallNeighbour,
    facets: &[u32],
    records: &[HotData],
    walls: &[LiveWall],
    interaction_range: f64,
    mut found: impl FnMut(ClosestPoint, &[ClosestPoint]),
) {
    let record = &records[item.particle as usize];
    let wall = &walls[item.wall as usize];
    let limit = record.radius + interaction_range;
    let local = wall.pose.to_local(record.position.into());
    if let Shape::Mesh(mesh) = &wall.wall.shape {
        let mut contacts = MeshContacts::default();
        mesh.contacts(local, limit, facets, &mut contacts);
        let (all, count) = all_to_world(&contacts, wall);
        all[..count].iter().for_each(|closest| found(*closest, &all[..count]));
    } else if let Some(closest) = wall.wall.shape.contact(local, record.radius, interaction_range) {
        let closest = to_world(&closest, wall);
        found(closest, std::slice::from_ref(&closest));
    }
}

/// A point of a wall, in world axes.
#[inline(always)]
pub(crate) fn to_world(closest: &ClosestPoint, wall: &LiveWall) -> ClosestPoint {
    ClosestPoint { normal: wall.pose.direction_to_world(closest.normal), ..*closest }
}

/// Contacts with a mesh, in world axes, and their number.
#[inline]
pub(crate) fn all_to_world(
    contacts: &MeshContacts,
    wall: &LiveWall,
) -> ([ClosestPoint; MESH_CONTACTS], usize) {
    let mut all = [ClosestPoint::NONE; MESH_CONTACTS];
    let contacts = contacts.as_slice();
    for (to, contact) in all.iter_mut().zip(contacts) {
        *to = to_world(&contact.closest, wall);
    }
    (all, contacts.len())
}
