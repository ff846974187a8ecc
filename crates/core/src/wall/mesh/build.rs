//! Construction of a mesh from the facets of a file.

use super::facet::Facet;
use super::grid::Grid;
use super::seam::SEAM;
use super::topology::Topology;
use super::{Defect, Mesh};
use crate::Vec3;
use std::collections::HashMap;
use std::f64::consts::FRAC_PI_2;

impl Mesh {
    /// Builds a mesh from vertices [m] and triangles given as indices of vertices.
    ///
    /// Vertices with exactly the same position are merged. Facets without area, and facets with the corners of an
    /// earlier one, are omitted and reported. Facets that meet at an edge with an angle of at most `smooth_angle` [rad]
    /// belong to one surface; see [`super::SMOOTH_ANGLE`].
    ///
    /// # Errors
    /// A description of the problem if no mesh can be built: no facet with an area, an index out of range, a coordinate
    /// that is not finite, a smooth angle outside zero to 90°.
    pub fn new(
        vertices: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        smooth_angle: f64,
    ) -> Result<(Self, Vec<Defect>), String> {
        check(&vertices, &triangles, smooth_angle)?;
        let mut parts = MeshBuilder::default();
        for (facet, triangle) in triangles.iter().enumerate() {
            parts.add(facet, triangle.map(|corner| vertices[corner as usize]));
        }
        let MeshBuilder { vertices, triangles, facets, defects, .. } = parts;
        if facets.is_empty() {
            return Err("none of the facets of the mesh has an area".to_owned());
        }
        let largest = vertices.iter().map(|v| v.abs().max_element()).fold(0.0, f64::max);
        let topology = Topology::new(vertices.len(), &triangles);
        let has_seams = topology.open_edges().next().is_some();
        let grid = Grid::new(&facets);
        let mut mesh = Self {
            vertices,
            triangles,
            surfaces: vec![0; facets.len()],
            facets,
            topology,
            grid,
            smooth_cosine: libm::cos(smooth_angle),
            // A closed mesh has no seams.
            seam_width: if has_seams { SEAM * largest } else { 0.0 },
            rounding: SEAM * largest,
        };
        mesh.join_surfaces();
        Ok((mesh, defects))
    }
}

/// Largest number of facets and vertices: three edges of each facet are counted in 32 bits.
const MOST: usize = (u32::MAX / 16) as usize;

fn check(vertices: &[Vec3], triangles: &[[u32; 3]], smooth_angle: f64) -> Result<(), String> {
    if !(0.0..=FRAC_PI_2).contains(&smooth_angle) {
        return Err(format!(
            "the smooth angle of a mesh must be from 0 to π/2, found {smooth_angle}"
        ));
    }
    if triangles.is_empty() {
        return Err("the mesh has no facets".to_owned());
    }
    if triangles.len() > MOST || vertices.len() > MOST {
        return Err(format!("the mesh has more than {MOST} facets or vertices"));
    }
    if let Some(vertex) = vertices.iter().position(|vertex| !vertex.is_finite()) {
        return Err(format!("vertex {vertex} of the mesh is not finite: {}", vertices[vertex]));
    }
    let out_of_range =
        |triangle: &&[u32; 3]| triangle.iter().any(|&v| v as usize >= vertices.len());
    match triangles.iter().enumerate().find(|(_, triangle)| out_of_range(triangle)) {
        Some((facet, triangle)) => Err(format!(
            "facet {facet} of the mesh names the vertices {triangle:?}, but there are only {}",
            vertices.len()
        )),
        None => Ok(()),
    }
}

#[derive(Default)]
struct MeshBuilder {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    facets: Vec<Facet>,
    defects: Vec<Defect>,
    /// Only for lookups: the order of iteration differs from run to run.
    vertex_at: HashMap<[u64; 3], u32>,
    facet_with: HashMap<[u32; 3], usize>,
}

impl MeshBuilder {
    fn add(&mut self, index: usize, corners: [Vec3; 3]) {
        let Some(facet) = Facet::new(corners) else {
            self.defects.push(Defect::Degenerate { facet: index });
            return;
        };
        let triangle = corners.map(|corner| self.vertex(corner));
        let mut sorted = triangle;
        sorted.sort_unstable();
        if let Some(&of) = self.facet_with.get(&sorted) {
            self.defects.push(Defect::Duplicate { facet: index, of });
            return;
        }
        self.facet_with.insert(sorted, index);
        self.triangles.push(triangle);
        self.facets.push(facet);
    }

    fn vertex(&mut self, at: Vec3) -> u32 {
        // Adding zero converts minus zero, which is the same coordinate, to zero.
        let key = (at + Vec3::ZERO).to_array().map(f64::to_bits);
        let vertices = &mut self.vertices;
        *self.vertex_at.entry(key).or_insert_with(|| {
            vertices.push(at);
            vertices.len() as u32 - 1
        })
    }
}
