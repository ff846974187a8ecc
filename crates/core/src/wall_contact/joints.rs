//! Contacts of one particle with joined walls (`wall/joint.rs`): the rule of meshes over all of them.
//!
//! A point is a contact if it is a local minimum of the distance over the whole surface. The nearest point of a wall on
//! its edge or rim is a contact only if no other wall leads from there closer to the centre. A point common to several
//! walls counts once: for the wall that has it on its face, else for the one that was declared first.

use crate::Vec3;
use crate::kernel::laws::LawTable;
use crate::wall::live::LiveWall;
use crate::wall::{ClosestPoint, Feature, MESH_CONTACTS, MeshContacts, Shape};
use crate::wall_contact::WallNeighbour;
use crate::wall_contact::pack::Bodies;

/// Largest number of contacts of one particle with one group of joined walls.
pub(crate) const CAPACITY: usize = 4 * MESH_CONTACTS;
/// Largest distance of a point from a wall at which it counts as on the wall, as a fraction of the interaction range.
const ON_WALL: f64 = 1e-9;
/// Largest distance of two points that count as one, as a fraction of the interaction range.
const SAME_POINT: f64 = 1e-6;
/// Difference of distances within rounding error, as a fraction of the interaction range.
const SAME_DISTANCE: f64 = 1e-12;
/// Largest increase of the first two by a seam, as a fraction of the interaction range.
const WIDEST_SEAM: f64 = 1e-4;

/// A closest point of one of the walls.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    item: usize,
    /// In world axes.
    closest: ClosestPoint,
    /// It is inside the surface, not on an edge, a rim or a vertex.
    on_face: bool,
}

/// Contacts of one particle with joined walls. Reused: filling it allocates nothing.
#[derive(Debug)]
pub(crate) struct JointContacts {
    candidates: [Candidate; CAPACITY],
    count: usize,
    /// The contacts in order of item; `items` holds the item of each.
    closest_points: [ClosestPoint; CAPACITY],
    items: [usize; CAPACITY],
    kept: usize,
    mesh: MeshContacts,
}

impl Default for JointContacts {
    fn default() -> Self {
        let nothing = Candidate { item: 0, closest: ClosestPoint::NONE, on_face: true };
        Self {
            candidates: [nothing; CAPACITY],
            count: 0,
            closest_points: [ClosestPoint::NONE; CAPACITY],
            items: [0; CAPACITY],
            kept: 0,
            mesh: MeshContacts::default(),
        }
    }
}

impl JointContacts {
    /// The contacts with all walls of the group.
    pub(crate) fn all(&self) -> &[ClosestPoint] {
        &self.closest_points[..self.kept]
    }

    /// The contacts of one item.
    pub(crate) fn of(&self, item: usize) -> impl Iterator<Item = ClosestPoint> + '_ {
        let all = self.closest_points[..self.kept].iter().zip(&self.items);
        all.filter(move |(_, its)| **its == item).map(|(closest, _)| *closest)
    }

    fn push(&mut self, candidate: Candidate) {
        if self.count < CAPACITY {
            self.candidates[self.count] = candidate;
            self.count += 1;
        }
    }
}

/// The items of one particle at walls that are joined to the wall of an item, that item included.
pub(crate) fn joined_items<'a>(
    items: &'a [WallNeighbour],
    walls: &'a [LiveWall],
    item: usize,
) -> impl Iterator<Item = usize> + Clone + 'a {
    let WallNeighbour { particle, wall, .. } = items[item];
    let joint = walls[usize::from(wall)].joint;
    let before = items[..item].iter().rev().take_while(|other| other.particle == particle).count();
    let from = item - before;
    let same = items[from..].iter().take_while(move |other| other.particle == particle);
    let joined = same.enumerate().filter(move |(_, other)| {
        other.wall == wall || (joint > 0 && walls[usize::from(other.wall)].joint == joint)
    });
    joined.map(move |(offset, _)| from + offset)
}

/// True if the particle of an item is near another wall that is joined to this one.
#[inline]
pub(crate) fn is_joined(items: &[WallNeighbour], walls: &[LiveWall], item: usize) -> bool {
    walls[usize::from(items[item].wall)].joint > 0
        && joined_items(items, walls, item).nth(1).is_some()
}

/// Input of the detection of contacts with joined walls.
#[derive(Clone, Copy)]
pub(crate) struct Joints<'a> {
    pub items: &'a [WallNeighbour],
    pub facets: &'a [u32],
    pub bodies: Bodies<'a>,
    pub table: &'a LawTable,
}

impl Joints<'_> {
    /// Finds the contacts of the particle of an item with the walls joined to that of the item.
    pub(crate) fn find(&self, item: usize, found: &mut JointContacts) {
        found.count = 0;
        found.kept = 0;
        let joined = joined_items(self.items, self.bodies.walls, item);
        joined.clone().for_each(|item| self.collect(item, found));
        for index in 0..found.count {
            let candidate = found.candidates[index];
            let others = joined.clone().filter(|item| *item != candidate.item);
            let all = &found.candidates[..found.count];
            if !others.into_iter().any(|other| self.is_taken_by(other, &candidate, all)) {
                found.closest_points[found.kept] = candidate.closest;
                found.items[found.kept] = candidate.item;
                found.kept += 1;
            }
        }
    }

    /// Distance from the centre within which an item has contacts [m].
    fn limit(&self, item: &WallNeighbour) -> f64 {
        let record = &self.bodies.records[item.particle as usize];
        record.radius + self.table.pairs[usize::from(item.pair)].interaction_range
    }

    /// Collects the nearest points of the wall of an item.
    fn collect(&self, index: usize, found: &mut JointContacts) {
        let item = &self.items[index];
        let record = &self.bodies.records[item.particle as usize];
        let wall = &self.bodies.walls[usize::from(item.wall)];
        let limit = self.limit(item);
        let local = wall.pose.to_local(record.position.into());
        let to_world = |closest: ClosestPoint| ClosestPoint {
            normal: wall.pose.direction_to_world(closest.normal),
            ..closest
        };
        if let Shape::Mesh(mesh) = &wall.wall.shape {
            let facets = &self.facets[item.facets()];
            mesh.contacts(local, limit, facets, &mut found.mesh);
            for which in 0..found.mesh.as_slice().len() {
                let contact = found.mesh.as_slice()[which];
                let on_face = contact.feature == Feature::Face;
                found.push(Candidate { item: index, closest: to_world(contact.closest), on_face });
            }
        } else if let Some((closest, at_rim)) = wall.form.closest_point_and_rim(local) {
            let deepest = wall.wall.shape.deepest() * record.radius;
            if closest.distance < limit && closest.distance > deepest {
                let (closest, on_face) = (to_world(closest), !at_rim);
                found.push(Candidate { item: index, closest, on_face });
            }
        }
    }

    /// True if a closest point is not a contact because of the wall of another item: that wall has
    /// the same point with higher priority, or has points nearer to the centre in the neighbourhood
    /// of this one.
    fn is_taken_by(&self, other: usize, candidate: &Candidate, all: &[Candidate]) -> bool {
        let distance = candidate.closest.distance;
        // beyond its range the other wall has no contacts, and its list of facets may be incomplete
        if distance >= self.limit(&self.items[other]) {
            return false;
        }
        let limit = self.limit(&self.items[candidate.item]);
        let same_point = self.tolerance(SAME_POINT, limit, candidate.item);
        let its = || all.iter().filter(move |theirs| theirs.item == other);
        let goes_first = |theirs: &Candidate| {
            (!theirs.on_face, theirs.item) < (!candidate.on_face, candidate.item)
        };
        let is_same = |theirs: &&Candidate| {
            theirs.closest.away_from(&candidate.closest) <= same_point * same_point
        };
        if let Some(same) = its().find(is_same) {
            return goes_first(same);
        }
        let by_distance =
            |a: &&Candidate, b: &&Candidate| a.closest.distance.total_cmp(&b.closest.distance);
        let Some(nearest) = its().min_by(by_distance) else { return false };
        if candidate.on_face || !self.is_on(other, candidate, limit) {
            return false;
        }
        let nearer_by = distance - nearest.closest.distance;
        let same_distance = SAME_DISTANCE * limit;
        // equally near points of a circle around the centre are also one contact
        nearer_by > same_distance || (nearer_by >= -same_distance && goes_first(nearest))
    }

    /// True if a point lies on the wall of another item.
    fn is_on(&self, other: usize, candidate: &Candidate, limit: f64) -> bool {
        let item = &self.items[other];
        let center = Vec3::from_array(self.bodies.records[item.particle as usize].position);
        let wall = &self.bodies.walls[usize::from(item.wall)];
        let ClosestPoint { normal, distance } = candidate.closest;
        let point = wall.pose.to_local(center + distance * normal);
        let on_wall = self.tolerance(ON_WALL, limit, other);
        match &wall.wall.shape {
            Shape::Mesh(mesh) => mesh.has_near(point, on_wall, &self.facets[item.facets()]),
            _ => wall
                .form
                .closest_point_and_rim(point)
                .is_some_and(|(closest, _)| closest.distance.abs() <= on_wall),
        }
    }

    fn tolerance(&self, fraction: f64, limit: f64, item: usize) -> f64 {
        let seam = self.bodies.walls[usize::from(self.items[item].wall)].seam_width;
        (fraction * limit).max(seam.min(WIDEST_SEAM * limit))
    }
}
