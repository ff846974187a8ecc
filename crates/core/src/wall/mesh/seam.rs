//! Surfaces: facets joined at edges with less than the smooth angle.
//!
//! Facets are joined at common edges, and also at edges that coincide without common ends (T-junctions, and vertices
//! separated by the rounding of a file in single precision), which also form one surface. The order of the corners in
//! the file has no effect: the directions in which the facets leave the edge are compared.

use super::Mesh;
use super::topology::SideOfEdge;
use crate::Vec3;

/// Slack on the cosine of the smooth angle, so that facets with exactly that angle are joined despite rounding.
const COSINE_SLACK: f64 = 1e-9;

/// Largest distance of edges that count as one, as a fraction of the largest coordinate: one unit in the last place of
/// single precision, in which most mesh files are written.
pub(in crate::wall) const SEAM: f64 = 1.2e-7;

impl Mesh {
    /// Assigns the number of its surface to every facet.
    pub(super) fn join_surfaces(&mut self) {
        let mut groups = Groups::new(self.facets.len());
        for sides in self.topology.all_edges() {
            for (index, first) in sides.iter().enumerate() {
                for second in &sides[index + 1..] {
                    if self.bends_smoothly(*first, *second) {
                        groups.join(first.facet, second.facet);
                    }
                }
            }
        }
        self.join_across_seams(&mut groups);
        self.surfaces = groups.numbers();
    }

    fn bends_smoothly(&self, first: SideOfEdge, second: SideOfEdge) -> bool {
        let inward =
            |side: SideOfEdge| self.facets[side.facet as usize].inward(usize::from(side.edge));
        -inward(first).dot(inward(second)) >= self.smooth_cosine - COSINE_SLACK
    }

    fn ends(&self, side: SideOfEdge) -> (Vec3, Vec3) {
        let corners = self.facets[side.facet as usize].corners();
        let edge = usize::from(side.edge);
        (corners[edge], corners[(edge + 1) % 3])
    }

    fn join_across_seams(&self, groups: &mut Groups) {
        let mut near = Vec::new();
        for open in self.topology.open_edges() {
            let (start, end) = self.ends(open);
            let half = 0.5 * start.distance(end) + self.seam_width;
            self.facets_near((start + end) * 0.5, half, &mut near);
            for &facet in near.iter().filter(|&&facet| facet > open.facet) {
                for edge in 0..3_u8 {
                    let other = SideOfEdge { facet, edge };
                    let shared = self.topology.edge_of(facet, usize::from(edge));
                    if self.topology.sides(shared).len() == 1
                        && self.lie_on_each_other(open, other)
                        && self.bends_smoothly(open, other)
                    {
                        groups.join(open.facet, facet);
                    }
                }
            }
        }
    }

    /// True if two edges are on one line and overlap.
    fn lie_on_each_other(&self, first: SideOfEdge, second: SideOfEdge) -> bool {
        // The line of the longer edge is more accurate.
        let (mut line, mut other) = (self.ends(first), self.ends(second));
        if line.0.distance(line.1) < other.0.distance(other.1) {
            std::mem::swap(&mut line, &mut other);
        }
        let length = line.0.distance(line.1);
        let direction = (line.1 - line.0) / length;
        let along = [other.0, other.1].map(|end| (end - line.0).dot(direction));
        let off_line = |end: Vec3, along: f64| end.distance(line.0 + direction * along);
        let overlap = along[0].max(along[1]).min(length) - along[0].min(along[1]).max(0.0);
        overlap > self.seam_width
            && off_line(other.0, along[0]) <= self.seam_width
            && off_line(other.1, along[1]) <= self.seam_width
    }
}

/// Sets of facets that grow by joining; each is identified by its lowest facet.
struct Groups {
    parent: Vec<u32>,
}

impl Groups {
    fn new(count: usize) -> Self {
        Self { parent: (0..count as u32).collect() }
    }

    fn root(&mut self, mut facet: u32) -> u32 {
        while self.parent[facet as usize] != facet {
            let above = self.parent[self.parent[facet as usize] as usize];
            self.parent[facet as usize] = above;
            facet = above;
        }
        facet
    }

    fn join(&mut self, first: u32, second: u32) {
        let (first, second) = (self.root(first), self.root(second));
        self.parent[first.max(second) as usize] = first.min(second);
    }

    /// Numbers of the sets, in the order of their lowest facets.
    fn numbers(mut self) -> Vec<u32> {
        let mut numbers = vec![0; self.parent.len()];
        let mut count = 0;
        for facet in 0..self.parent.len() as u32 {
            let root = self.root(facet);
            if root == facet {
                numbers[facet as usize] = count;
                count += 1;
            } else {
                numbers[facet as usize] = numbers[root as usize];
            }
        }
        numbers
    }
}
