//! Detection of contacts with walls, for a chunk of particles near one wall.

use crate::Vec3;
use crate::law::{Column, WIDTH};
use crate::particles::HotData;
use crate::simd::f64x8::F64x8;
use crate::simd::{multiversion, multiversion_transpose};
use crate::wall::live::LiveWall;
use crate::wall::shape::form::{ClosestPoints, Positions};
use crate::wall::{Mesh, MeshContacts, Pose};

/// Margins of the lower bound of a distance, as fractions of the radius and of the coordinates: far above rounding
/// errors.
const SLACK: f64 = 1e-6;
const ROUNDING: f64 = 1e-12;

/// Scratch memory and results of the test of one chunk.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct WallTest {
    positions: Positions,
    pub closest: ClosestPoints,
    approach: Approach,
}

/// Particles near a mesh.
#[derive(Debug)]
#[repr(C, align(64))]
struct Approach {
    /// Positions at the last rebuild; the fourth column is not used.
    listed: Positions,
    /// Lower bound of the distance from the mesh at the last rebuild.
    clearance: Column,
    /// Positions in the frame of the mesh.
    local: [Column; 3],
    /// Displacements in that frame since the last rebuild, with margins for rounding.
    moved: Column,
    /// Lower bound of the current distance from the mesh.
    bound: Column,
}

impl Default for WallTest {
    fn default() -> Self {
        Self {
            positions: [[0.0; WIDTH]; 4],
            closest: ClosestPoints::NONE,
            approach: Approach {
                listed: [[0.0; WIDTH]; 4],
                clearance: [0.0; WIDTH],
                local: [[0.0; WIDTH]; 3],
                moved: [0.0; WIDTH],
                bound: [0.0; WIDTH],
            },
        }
    }
}

/// A particle near a mesh.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NearMesh {
    local: Vec3,
    limit: f64,
    moved: f64,
}

impl WallTest {
    /// Bit mask of the particles that touch an analytic wall; the closest points are in `closest`.
    pub(crate) fn touching(
        &mut self,
        records: &[HotData],
        slots: impl ExactSizeIterator<Item = u32>,
        wall: &LiveWall,
        interaction_range: f64,
    ) -> u32 {
        let (slots, count) = chunk_of(slots);
        load_positions(records, &slots, &mut self.positions);
        let deepest = wall.wall.shape.deepest();
        wall.form.closest_points_of_chunk(&wall.pose, deepest, &self.positions, &mut self.closest);
        below_limit(&self.closest.distance, &self.positions[3], interaction_range) & mask_of(count)
    }

    /// Bit mask of the particles that have an analytic wall within their extent plus this distance, including particles
    /// behind a tube, which may move around its rim.
    pub(crate) fn within(
        &mut self,
        records: &[HotData],
        extents: &[f64],
        wall: &LiveWall,
        interaction_range: f64,
    ) -> u32 {
        let (slots, count) = chunk_of(0..records.len() as u32);
        load_positions(records, &slots, &mut self.positions);
        let mut limits = [0.0; WIDTH];
        limits[..count].copy_from_slice(&extents[..count]);
        let deepest = f64::NEG_INFINITY;
        wall.form.closest_points_of_chunk(&wall.pose, deepest, &self.positions, &mut self.closest);
        below_limit(&self.closest.distance, &limits, interaction_range) & mask_of(count)
    }

    /// Bit mask of the particles that may be within the interaction range of a mesh; the others
    /// have not moved far enough since the last rebuild.
    pub(crate) fn near(
        &mut self,
        records: &[HotData],
        slots: impl ExactSizeIterator<Item = u32>,
        clearances: impl Iterator<Item = f32>,
        wall: &LiveWall,
        interaction_range: f64,
    ) -> u32 {
        let (slots, count) = chunk_of(slots);
        load_positions(records, &slots, &mut self.positions);
        load_listed(records, &slots, &mut self.approach.listed);
        for (to, clearance) in self.approach.clearance.iter_mut().zip(clearances) {
            *to = clearance.into();
        }
        bound_distances(&wall.pose, &wall.listed_pose, &self.positions, &mut self.approach);
        below_limit(&self.approach.bound, &self.positions[3], interaction_range) & mask_of(count)
    }

    /// A particle of the chunk that was last tested by `near`.
    pub(crate) fn near_mesh(&self, lane: usize, interaction_range: f64) -> NearMesh {
        let [x, y, z] = &self.approach.local;
        NearMesh {
            local: Vec3::new(x[lane], y[lane], z[lane]),
            limit: self.positions[3][lane] + interaction_range,
            moved: self.approach.moved[lane],
        }
    }
}

/// Capacity for the facets of one chunk of particles.
const FACETS: usize = 8 * WIDTH;

/// The facets listed for a chunk of particles that can be within the interaction range, by their
/// distance at the last rebuild.
#[derive(Debug)]
pub(crate) struct NearFacets {
    facets: [u32; FACETS],
    /// Range of the facets of each particle; none if the capacity was exceeded.
    ranges: [Option<(u16, u16)>; WIDTH],
    count: usize,
}

impl Default for NearFacets {
    fn default() -> Self {
        Self { facets: [0; FACETS], ranges: [None; WIDTH], count: 0 }
    }
}

impl NearFacets {
    /// Begins a new chunk.
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// Selects the facets of a particle and prefetches them: they are scattered in memory, and are read only after
    /// those of the whole chunk have been selected.
    pub(crate) fn choose(
        &mut self,
        mesh: &Mesh,
        lane: usize,
        near: &NearMesh,
        facets: &[u32],
        clearances: &[f32],
    ) {
        let first = self.count;
        self.ranges[lane] = None;
        if first + facets.len() > FACETS {
            return;
        }
        let limit = near.limit + near.moved;
        let mut count = first;
        for (&facet, &clearance) in facets.iter().zip(clearances) {
            // overwritten by the next facet if it is too far
            self.facets[count] = facet;
            count += usize::from(f64::from(clearance) < limit);
        }
        self.facets[first..count].iter().for_each(|&facet| mesh.prefetch(facet));
        self.ranges[lane] = Some((first as u16, count as u16));
        self.count = count;
    }

    /// The contacts of a particle with the mesh, from the selected facets; from all facets if the capacity was
    /// exceeded.
    pub(crate) fn contacts(
        &self,
        mesh: &Mesh,
        lane: usize,
        near: &NearMesh,
        all: &[u32],
        contacts: &mut MeshContacts,
    ) {
        let facets = match self.ranges[lane] {
            Some((first, end)) => &self.facets[usize::from(first)..usize::from(end)],
            None => all,
        };
        mesh.contacts(near.local, near.limit, facets, contacts);
    }
}

/// The lowest bits.
fn mask_of(few: usize) -> u32 {
    if few < WIDTH { (1 << few) - 1 } else { u32::MAX }
}

/// The slots of a chunk, padded with the last one, and their number.
#[inline(always)]
fn chunk_of(slots: impl ExactSizeIterator<Item = u32>) -> ([u32; WIDTH], usize) {
    let count = slots.len().min(WIDTH);
    let mut all = [0; WIDTH];
    for (to, slot) in all.iter_mut().zip(slots) {
        *to = slot;
    }
    let last = all[count.max(1) - 1];
    all[count..].fill(last);
    (all, count)
}

multiversion_transpose! {
    /// Loads positions and radii.
    fn load_positions<Set: Transpose>(set: Set, records: &[HotData], slots: &[u32; WIDTH], positions: &mut Positions) {
        for (block, slots) in slots.as_chunks::<8>().0.iter().enumerate() {
            let [x, y, z, w] = positions;
            let columns = [eight(x, block), eight(y, block), eight(z, block), eight(w, block)];
            set.aos_to_soa(|lane| records[slots[lane] as usize].position_and_radius(), columns);
        }
    }
}

multiversion_transpose! {
    /// Loads the positions of particles at the last rebuild.
    fn load_listed<Set: Transpose>(set: Set, records: &[HotData], slots: &[u32; WIDTH], positions: &mut Positions) {
        for (block, slots) in slots.as_chunks::<8>().0.iter().enumerate() {
            let [x, y, z, w] = positions;
            let columns = [eight(x, block), eight(y, block), eight(z, block), eight(w, block)];
            let line = |lane: usize| &records[slots[lane] as usize].as_vectors()[3];
            set.aos_to_soa(line, columns);
        }
    }
}

/// Eight lanes of a column.
#[inline(always)]
pub(crate) fn eight(column: &mut Column, block: usize) -> &mut [f64; 8] {
    &mut column.as_chunks_mut::<8>().0[block]
}

multiversion_transpose! {
        /// Bit mask of the distances below radius plus interaction range.
    fn below_limit<Set: Transpose>(set: Set, distance: &Column, radius: &Column, interaction_range: f64) -> u32 {
        let (distances, radii) = (distance.as_chunks::<8>().0, radius.as_chunks::<8>().0);
        let mut mask = 0;
        for block in 0..WIDTH / 8 {
            let limit = set.load8(&radii[block]).add(set.splat8(interaction_range));
            let bits = set.load8(&distances[block]).lt(limit);
            mask |= u32::from(bits) << (8 * block);
        }
        mask
    }
}

multiversion! {
    /// Positions of the particles in the frame of the mesh, and lower bounds of their distance from
    /// it: the distance from a surface changes by at most the displacement.
    fn bound_distances(pose: &Pose, listed_pose: &Pose, positions: &Positions, near: &mut Approach) {
        let [x, y, z, radius] = positions;
        let [old_x, old_y, old_z, _] = &near.listed;
        for c in 0..WIDTH {
            let here = Vec3::new(x[c], y[c], z[c]);
            let local = pose.to_local(here);
            let listed = listed_pose.to_local(Vec3::new(old_x[c], old_y[c], old_z[c]));
            let size = (here.x.abs() + here.y.abs() + here.z.abs())
                + (local.x.abs() + local.y.abs() + local.z.abs());
            let moved = (local - listed).length() + SLACK * radius[c] + ROUNDING * size;
            for axis in 0..3 {
                near.local[axis][c] = local[axis];
            }
            near.moved[c] = moved;
            near.bound[c] = near.clearance[c] - moved;
        }
    }
}

#[cfg(test)]
#[path = "detect_tests.rs"]
mod tests;
