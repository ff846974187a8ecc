//! Contacts of a sphere with nearby facets.
//!
//! A point of the mesh is a contact if it is within the interaction range and a local minimum of the distance to the
//! sphere's centre over the whole surface. A face that contains the projection of the centre always has one; the
//! nearest point of a facet on its edge or at its corner is one only if no other facet leads from there closer to the
//! centre. This gives one contact on a flat seam, one on a convex edge, two in a concave corner, for any triangulation.
//! It is the rule of faces first, then edges, then vertices, made independent of the order of facets: a seam between
//! two facets without contacts does not admit a contact of a third one.
//!
//! A concave edge has a contact on each of its facets, however small the angle. Only facets whose angle is within the
//! rounding error of their file count as one plane: of two contacts with a flat piece of the surface between them the
//! nearer is kept.

use super::Mesh;
use super::facet::{FacetPart, Nearest};
use crate::Vec3;
use crate::wall::ClosestPoint;
use std::cmp::Ordering;

/// Largest number of contacts of one sphere with one mesh.
pub const CAPACITY: usize = 16;
/// Largest distance of a point from a facet at which it counts as on the facet, as a fraction of the range.
const ON_FACET: f64 = 1e-9;
/// Largest distance of two contact points that count as one, as a fraction of the range. The difference of their
/// distances to the centre is of second order in this, and therefore negligible.
const SAME_POINT: f64 = 1e-6;
/// Difference of distances within rounding error, as a fraction of the range.
const SAME_DISTANCE: f64 = 1e-12;
/// Largest increase of the first two by a seam, as a fraction of the range: particles much smaller than the mesh must
/// not lose contacts due to the rounding of its file.
const WIDEST_SEAM: f64 = 1e-4;

/// The feature of a mesh at a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// The interior of a facet.
    Face,
    /// An edge, by its number in the mesh.
    Edge(u32),
    /// A vertex, by its index in [`Mesh::vertices`].
    Vertex(u32),
}

impl Feature {
    fn rank(self) -> u8 {
        match self {
            Self::Face => 0,
            Self::Edge(_) => 1,
            Self::Vertex(_) => 2,
        }
    }
}

/// One contact of a sphere with a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeshContact {
    /// The facet; if several meet at the point, the lowest one of the lowest surface.
    pub facet: u32,
    /// The smooth surface of the facet, by which the history of a contact is identified.
    pub surface: u32,
    /// The feature of the mesh at the point.
    pub feature: Feature,
    /// The point of the mesh [m].
    pub point: Vec3,
    /// Direction and distance of the point from the centre.
    pub closest: ClosestPoint,
}

/// The contacts of one sphere with one mesh. Reused: filling it allocates nothing.
#[derive(Debug, Clone)]
pub struct MeshContacts {
    contacts: [MeshContact; CAPACITY],
    count: usize,
}

impl Default for MeshContacts {
    fn default() -> Self {
        let nothing = MeshContact {
            facet: 0,
            surface: 0,
            feature: Feature::Face,
            point: Vec3::ZERO,
            closest: ClosestPoint { normal: Vec3::ZERO, distance: 0.0 },
        };
        Self { contacts: [nothing; CAPACITY], count: 0 }
    }
}

impl MeshContacts {
    /// The contacts, in order of surface and facet.
    pub fn as_slice(&self) -> &[MeshContact] {
        &self.contacts[..self.count]
    }

    /// Adds a contact; of two at the same point one is kept, and beyond the capacity the farthest is dropped.
    fn offer(&mut self, contact: MeshContact, same_point: f64) {
        let merged = self.contacts[..self.count]
            .iter_mut()
            .find(|other| other.point.distance(contact.point) <= same_point);
        if let Some(other) = merged {
            // Not the nearer of the two, since rounding would then determine the surface, and with it whether the
            // history of the contact is found.
            if by_kind(&contact, other) == Ordering::Less {
                *other = contact;
            }
            return;
        }
        if self.count < CAPACITY {
            self.contacts[self.count] = contact;
            self.count += 1;
        } else if let Some(farthest) = self.contacts.iter_mut().max_by(|a, b| by_distance(a, b))
            && by_distance(&contact, farthest) == Ordering::Less
        {
            *farthest = contact;
        }
    }
}

fn by_kind(a: &MeshContact, b: &MeshContact) -> Ordering {
    let order = |contact: &MeshContact| (contact.feature.rank(), contact.surface);
    order(a)
        .cmp(&order(b))
        .then_with(|| a.closest.distance.total_cmp(&b.closest.distance))
        .then_with(|| a.facet.cmp(&b.facet))
}

fn by_distance(a: &MeshContact, b: &MeshContact) -> Ordering {
    a.closest.distance.total_cmp(&b.closest.distance).then_with(|| by_kind(a, b))
}

impl Mesh {
    /// Finds the contacts of a sphere with centre `x` among given facets, which must include all those nearer than
    /// `cutoff` [m], as returned by [`Mesh::facets_near`]. Allocates nothing.
    pub(crate) fn contacts(&self, x: Vec3, cutoff: f64, facets: &[u32], found: &mut MeshContacts) {
        found.count = 0;
        let mut within = facets.iter().filter_map(|&facet| self.within_cutoff(facet, x, cutoff));
        let Some(contact) = within.next() else { return };
        if within.next().is_none() {
            // the usual case: the nearest point is a minimum in any case
            found.contacts[0] = contact;
            found.count = 1;
            return;
        }
        let same_point = self.tolerance(SAME_POINT, cutoff);
        let mut nearest: Option<MeshContact> = None;
        for &facet in facets {
            let Some(contact) = self.within_cutoff(facet, x, cutoff) else { continue };
            if nearest.is_none_or(|other| contact.closest.distance < other.closest.distance) {
                nearest = Some(contact);
            }
            if self.is_nearest_of_its_neighbours(&contact, x)
                && !self.is_on_a_nearer_facet(&contact, x, cutoff, facets)
            {
                found.offer(contact, same_point);
            }
        }
        // The nearest point is a minimum by definition, regardless of rounding.
        if let Some(nearest) = nearest
            && found
                .as_slice()
                .iter()
                .all(|contact| contact.closest.distance > nearest.closest.distance + same_point)
        {
            found.offer(nearest, same_point);
        }
        if found.count > 1 {
            self.join_flat(cutoff, facets, found);
            self.leave_out_hidden(x, cutoff, facets, found);
        }
        found.contacts[..found.count]
            .sort_unstable_by_key(|contact| (contact.surface, contact.facet));
    }

    /// Of contacts with a flat piece of the surface between them, keeps the nearest. A plane with rounded coordinates
    /// has small angles at its edges, and an edge with two contacts would be twice as stiff.
    fn join_flat(&self, cutoff: f64, facets: &[u32], found: &mut MeshContacts) {
        let off_plane = (ON_FACET * cutoff).max(self.rounding.min(WIDEST_SEAM * cutoff));
        let is_flat =
            |first: Vec3, second: Vec3| self.has_near(0.5 * (first + second), off_plane, facets);
        found.contacts[..found.count].sort_unstable_by(by_distance);
        let mut kept = 0;
        for index in 0..found.count {
            let contact = found.contacts[index];
            let nearer = &found.contacts[..kept];
            if !nearer.iter().any(|nearer| is_flat(nearer.point, contact.point)) {
                found.contacts[kept] = contact;
                kept += 1;
            }
        }
        found.count = kept;
    }

    /// Removes contacts that are hidden from the centre, such as on the back of a plate that is thinner than the
    /// interaction range: no force acts through a wall.
    fn leave_out_hidden(&self, x: Vec3, cutoff: f64, facets: &[u32], found: &mut MeshContacts) {
        let margin = self.tolerance(SAME_POINT, cutoff);
        let is_hidden = |contact: &MeshContact| {
            let crossed = |facet: u32| {
                let shape = self.facets.get(facet as usize);
                shape.is_some_and(|shape| shape.is_crossed(x, contact.point, margin))
            };
            let mut others = facets.iter().filter(|&&facet| facet != contact.facet);
            others.any(|&facet| !self.shares(facet, contact.feature) && crossed(facet))
        };
        let mut kept = 0;
        for index in 0..found.count {
            let contact = found.contacts[index];
            if !is_hidden(&contact) {
                found.contacts[kept] = contact;
                kept += 1;
            }
        }
        found.count = kept;
    }

    fn tolerance(&self, fraction: f64, cutoff: f64) -> f64 {
        (fraction * cutoff).max(self.seam_width.min(WIDEST_SEAM * cutoff))
    }

    fn within_cutoff(&self, facet: u32, x: Vec3, cutoff: f64) -> Option<MeshContact> {
        let shape = self.facets.get(facet as usize)?;
        let Nearest { part, point, closest } = shape.nearest_within(x, cutoff)?;
        let feature = match part {
            FacetPart::Face => Feature::Face,
            FacetPart::Edge(k) => Feature::Edge(self.topology.edge_of(facet, k)),
            FacetPart::Corner(k) => Feature::Vertex(self.triangles[facet as usize][k]),
        };
        let surface = self.surfaces[facet as usize];
        Some(MeshContact { facet, surface, feature, point, closest })
    }

    /// True if no facet that shares the edge or the vertex leads closer to `x`.
    fn is_nearest_of_its_neighbours(&self, contact: &MeshContact, x: Vec3) -> bool {
        match contact.feature {
            Feature::Face => true,
            Feature::Edge(edge) => self.topology.sides(edge).iter().all(|side| {
                !self.facets[side.facet as usize].foot_is_inside(usize::from(side.edge), x)
            }),
            Feature::Vertex(vertex) => {
                let at = self.vertices[vertex as usize];
                let arm = x - at;
                let neighbours = self.topology.neighbours(vertex);
                neighbours.iter().all(|&other| arm.dot(self.vertices[other as usize] - at) <= 0.0)
            }
        }
    }

    /// True if the point lies on a facet that does not share its edge or vertex (as at a
    /// T-junction), and that has a nearer point elsewhere.
    fn is_on_a_nearer_facet(
        &self,
        contact: &MeshContact,
        x: Vec3,
        cutoff: f64,
        facets: &[u32],
    ) -> bool {
        if contact.feature == Feature::Face {
            return false;
        }
        let on_facet = self.tolerance(ON_FACET, cutoff);
        let same_point = self.tolerance(SAME_POINT, cutoff);
        let same_distance = SAME_DISTANCE * cutoff;
        facets.iter().any(|&facet| {
            if self.shares(facet, contact.feature) {
                return false;
            }
            let Some(shape) = self.facets.get(facet as usize) else { return false };
            if shape.height(contact.point).abs() > on_facet
                || shape.nearest(contact.point).closest.distance > on_facet
            {
                return false;
            }
            let Some(other) = self.within_cutoff(facet, x, cutoff) else { return false };
            // If rounding hides which of two points is nearer, faces have priority over edges and edges over vertices;
            // duplicates of the same point are merged later.
            let nearer_by = contact.closest.distance - other.closest.distance;
            nearer_by > same_distance
                || nearer_by >= -same_distance
                    && other.feature.rank() < contact.feature.rank()
                    && other.point.distance(contact.point) > same_point
        })
    }

    fn shares(&self, facet: u32, feature: Feature) -> bool {
        match feature {
            Feature::Face => false,
            Feature::Edge(edge) => self.topology.sides(edge).iter().any(|side| side.facet == facet),
            Feature::Vertex(vertex) => {
                self.triangles.get(facet as usize).is_some_and(|corners| corners.contains(&vertex))
            }
        }
    }
}
