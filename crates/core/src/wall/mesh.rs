//! Triangle meshes as walls.

use crate::Vec3;

/// A triangulated surface with its neighbourhood relations.
#[derive(Debug)]
pub struct Mesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

/// Something wrong with a facet of a mesh; such facets are left out and reported.
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
