//! Adjacency of facets at edges, and of vertices by edges.

/// One side of an edge: a facet, and the index of the edge in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct SideOfEdge {
    pub facet: u32,
    pub edge: u8,
}

/// Concatenated lists of different lengths.
#[derive(Debug)]
struct Lists<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    /// From items in order of their list.
    fn new(count: usize, sorted: impl IntoIterator<Item = (u32, T)>) -> Self {
        let mut starts = vec![0; count + 1];
        let mut items = Vec::new();
        for (list, item) in sorted {
            starts[list as usize + 1] += 1;
            items.push(item);
        }
        for list in 0..count {
            starts[list + 1] += starts[list];
        }
        Self { starts, items }
    }

    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    fn list(&self, index: u32) -> &[T] {
        let index = index as usize;
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

#[derive(Debug)]
pub(super) struct Topology {
    /// For each facet, its three edges.
    edges: Vec<[u32; 3]>,
    sides: Lists<SideOfEdge>,
    neighbours: Lists<u32>,
}

impl Topology {
    pub fn new(vertex_count: usize, triangles: &[[u32; 3]]) -> Self {
        let mut halves = Vec::with_capacity(3 * triangles.len());
        for (facet, triangle) in triangles.iter().enumerate() {
            for edge in 0..3 {
                let (a, b) = (triangle[edge], triangle[(edge + 1) % 3]);
                let side = SideOfEdge { facet: facet as u32, edge: edge as u8 };
                halves.push((a.min(b), a.max(b), side));
            }
        }
        halves.sort_unstable_by_key(|&(a, b, side)| (a, b, side.facet, side.edge));

        let mut edges = vec![[0; 3]; triangles.len()];
        let mut ends: Vec<(u32, u32)> = Vec::new();
        let mut sides = Vec::with_capacity(halves.len());
        for &(a, b, side) in &halves {
            if ends.last() != Some(&(a, b)) {
                ends.push((a, b));
            }
            let edge = ends.len() as u32 - 1;
            edges[side.facet as usize][usize::from(side.edge)] = edge;
            sides.push((edge, side));
        }
        let mut pairs: Vec<_> = ends.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        pairs.sort_unstable();
        let sides = Lists::new(ends.len(), sides);
        Self { edges, sides, neighbours: Lists::new(vertex_count, pairs) }
    }

    /// The number of edge `k` of a facet.
    pub fn edge_of(&self, facet: u32, k: usize) -> u32 {
        self.edges[facet as usize][k]
    }

    /// The facets that meet at an edge.
    pub fn sides(&self, edge: u32) -> &[SideOfEdge] {
        self.sides.list(edge)
    }

    /// Every edge, given by the facets that meet at it.
    pub fn all_edges(&self) -> impl Iterator<Item = &[SideOfEdge]> {
        (0..self.sides.count() as u32).map(|edge| self.sides(edge))
    }

    /// The edges that belong to one facet only.
    pub fn open_edges(&self) -> impl Iterator<Item = SideOfEdge> {
        self.all_edges().filter(|sides| sides.len() == 1).map(|sides| sides[0])
    }

    /// The vertices at the other ends of the edges of a vertex.
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        self.neighbours.list(vertex)
    }
}
