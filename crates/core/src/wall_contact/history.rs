//! Identification of the accepted contact that a contact with a wall continues.

use crate::wall::live::LiveWall;
use crate::wall::{ClosestPoint, Shape};
use crate::wall_contact::WallContacts;
use crate::wall_contact::joints::{CAPACITY, is_joined, joined_items};
use crate::wall_contact::pack::OldContact;
use crate::wall_contact::{ContactRange, WallNeighbour};

/// Contacts of one wall, or of joined walls, whose normals differ by less than this from step to step are the same
/// contact: 30°, or the smooth angle of a mesh if that is larger.
const SAME_CONTACT_COSINE: f64 = 0.866;

/// Contacts of the accepted state.
pub(crate) struct AcceptedContacts<'a> {
    pub ranges: &'a [ContactRange],
    pub closest_points: &'a [ClosestPoint],
    pub items: &'a [WallNeighbour],
}

impl AcceptedContacts<'_> {
    /// The accepted contact of some items of a particle that this one continues; index 0 if the contact is new. It is
    /// the accepted contact with the smallest angle to it at the centre. An accepted contact that is nearer to another
    /// contact of `all` belongs to that one: a liquid bridge on one face must not be transferred to a neighbouring
    /// face.
    #[inline(always)]
    pub(crate) fn find(
        &self,
        items: impl Iterator<Item = usize>,
        walls: &[LiveWall],
        closest: &ClosestPoint,
        all: &[ClosestPoint],
    ) -> OldContact {
        let mut best = OldContact { index: 0, wall: 0, normal: closest.normal };
        let mut nearest = f64::INFINITY;
        for item in items {
            let [first, count] = self.ranges[item];
            for contact in first..first + count {
                let old = &self.closest_points[contact as usize];
                let away = old.away_from(closest);
                let wall = self.items[item].wall;
                let same = same_contact_cosine(&walls[usize::from(wall)]);
                if old.normal.dot(closest.normal) > same && away < nearest {
                    nearest = away;
                    best = OldContact { index: contact, wall, normal: old.normal };
                }
            }
        }
        if best.index > 0 && all.len() > 1 {
            let old = &self.closest_points[best.index as usize];
            if all.iter().any(|other| old.away_from(other) < nearest) {
                return OldContact { index: 0, wall: 0, normal: closest.normal };
            }
        }
        best
    }
}

/// The cosine of the largest rotation of the normal of a contact within a step.
#[inline(always)]
fn same_contact_cosine(wall: &LiveWall) -> f64 {
    match &wall.wall.shape {
        Shape::Mesh(mesh) => mesh.smooth_cosine().min(SAME_CONTACT_COSINE),
        _ => SAME_CONTACT_COSINE,
    }
}

impl WallContacts {
    /// Calls a function with the index of each trial contact of an item and that of the accepted
    /// contact that it continues.
    pub(crate) fn continued(
        &self,
        index: usize,
        walls: &[LiveWall],
        mut with: impl FnMut(u32, u32),
    ) {
        let trial_range = |item: usize| {
            let [first, count] = self.trial[item];
            first as usize..(first + count) as usize
        };
        let own = &self.trial_points[trial_range(index)];
        let (accepted_contacts, first) = (self.accepted_contacts(), self.trial[index][0]);
        if own.is_empty() {
            return;
        }
        if !is_joined(&self.items, walls, index) {
            for (contact, closest) in (first..).zip(own) {
                with(
                    contact,
                    accepted_contacts.find(std::iter::once(index), walls, closest, own).index,
                );
            }
            return;
        }
        let joined = || joined_items(&self.items, walls, index);
        let mut all = [ClosestPoint::NONE; CAPACITY];
        let mut count = 0;
        for closest in
            joined().flat_map(|item| &self.trial_points[trial_range(item)]).take(CAPACITY)
        {
            all[count] = *closest;
            count += 1;
        }
        for (contact, closest) in (first..).zip(own) {
            with(contact, accepted_contacts.find(joined(), walls, closest, &all[..count]).index);
        }
    }
}
