//! Triangle meshes as walls.
//!
//! A meshed wall acts like the surface formed by its facets, for any triangulation: facets act by their faces, edges
//! and vertices without double counting (`contact.rs`). The smooth angle determines at which edges a contact keeps its
//! history within one step; it does not affect the contact points.

mod build;
mod contact;
mod facet;
mod grid;
mod seam;
mod topology;

pub(crate) use contact::{CAPACITY as MESH_CONTACTS, Feature, MeshContacts};
pub(in crate::wall) use seam::SEAM;

use crate::Vec3;
use facet::Facet;
use grid::Grid;
use topology::Topology;

/// Default of the largest angle between neighbouring facets of one smooth surface: 30° [rad]. A contact keeps its
/// history if its normal rotates by less within one step.
pub const SMOOTH_ANGLE: f64 = std::f64::consts::FRAC_PI_6;

/// A triangulated surface with its neighbourhood relations, acting on both sides.
///
/// ```
/// use esker::prelude::*;
/// use esker::wall::{Mesh, SMOOTH_ANGLE};
/// use std::sync::Arc;
///
/// let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE];
/// let (mesh, defects) = Mesh::new(corners, vec![[0, 1, 2], [1, 3, 2]], SMOOTH_ANGLE).unwrap();
/// assert!(defects.is_empty());
/// assert_eq!(mesh.open_edges(), 4);
/// let shape = Shape::Mesh(Arc::new(mesh));
/// # drop(shape);
/// ```
#[derive(Debug)]
pub struct Mesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    facets: Vec<Facet>,
    topology: Topology,
    /// For each facet, its smooth surface.
    surfaces: Vec<u32>,
    grid: Grid,
    /// Cosine of the smooth angle.
    smooth_cosine: f64,
    /// Largest distance of two edges that count as one [m]; see [`seam`].
    seam_width: f64,
    /// Rounding error of the corners [m].
    rounding: f64,
}

/// A defect of a facet of a mesh; such facets are omitted and reported.
///
/// ```
/// use esker::prelude::*;
/// use esker::wall::{Defect, Mesh, SMOOTH_ANGLE};
///
/// let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
/// let (_, defects) = Mesh::new(corners, vec![[0, 1, 2], [1, 2, 0]], SMOOTH_ANGLE).unwrap();
/// assert_eq!(defects, [Defect::Duplicate { facet: 1, of: 0 }]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Defect {
    /// A facet without area.
    Degenerate {
        /// Index of the facet in the file.
        facet: usize,
    },
    /// A facet with the same corners as an earlier one.
    Duplicate {
        /// Index of the facet in the file.
        facet: usize,
        /// Index of the earlier one.
        of: usize,
    },
}

impl Mesh {
    /// The corners of the facets, each once [m].
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// The facets, as indices of vertices.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The smooth surface of a facet; surfaces are numbered from zero in the order of their first facet. Zero for a
    /// facet that does not exist.
    pub fn surface_of(&self, facet: u32) -> u32 {
        self.surfaces.get(facet as usize).copied().unwrap_or(0)
    }

    /// Cosine of the smooth angle.
    pub(crate) fn smooth_cosine(&self) -> f64 {
        self.smooth_cosine
    }

    /// Number of edges that belong to one facet only; zero for a closed mesh.
    pub fn open_edges(&self) -> usize {
        self.topology.open_edges().count()
    }

    /// Number of edges at which three or more facets meet, as where plates form a T.
    pub fn branching_edges(&self) -> usize {
        self.topology.all_edges().filter(|sides| sides.len() > 2).count()
    }

    /// The bounding box of the mesh, as its lowest and highest corner [m].
    pub fn bounds(&self) -> (Vec3, Vec3) {
        self.grid.bounds()
    }

    /// Writes the facets that are at most `distance` [m] from `x`, in increasing order.
    ///
    /// For building neighbour lists, not for every step.
    pub(crate) fn facets_near(&self, x: Vec3, distance: f64, near: &mut Vec<u32>) {
        near.clear();
        self.grid.visit(x, distance, |facet| near.push(facet));
        near.sort_unstable();
        near.dedup();
        near.retain(|&facet| self.facets[facet as usize].nearest(x).closest.distance <= distance);
    }

    /// True if a point is at most `distance` [m] from one of some facets.
    pub(crate) fn has_near(&self, x: Vec3, distance: f64, facets: &[u32]) -> bool {
        facets.iter().filter_map(|&facet| self.facets.get(facet as usize)).any(|shape| {
            shape.height(x).abs() <= distance && shape.nearest(x).closest.distance <= distance
        })
    }

    /// Prefetches a facet.
    #[inline(always)]
    pub(crate) fn prefetch(&self, facet: u32) {
        if let Some(facet) = self.facets.get(facet as usize) {
            facet.prefetch();
        }
    }

    /// As `facets_near`, with the distance of each facet [m].
    pub(crate) fn distances_near(&self, x: Vec3, distance: f64, near: &mut Vec<(u32, f64)>) {
        near.clear();
        if self.grid.is_clear(x, distance) {
            return;
        }
        self.grid.visit(x, distance, |facet| {
            if self.facets[facet as usize].may_be_within(x, distance) {
                near.push((facet, 0.0));
            }
        });
        near.sort_unstable_by_key(|(facet, _)| *facet);
        near.dedup_by_key(|(facet, _)| *facet);
        near.retain_mut(|(facet, away)| {
            *away = self.facets[*facet as usize].nearest(x).closest.distance;
            *away <= distance
        });
    }
}

#[cfg(test)]
mod contact_edge_tests;
#[cfg(test)]
mod contact_tests;
#[cfg(test)]
mod tests;
