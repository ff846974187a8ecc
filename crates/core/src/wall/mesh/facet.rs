//! One triangle: its frame, and its point nearest to the centre of a particle.

use crate::Vec3;
use crate::simd::prefetch;
use crate::wall::ClosestPoint;

/// Largest distance of a projection outside an edge at which it counts as on the face, as a fraction of the longest
/// edge. Far above rounding errors, and negligible: at a seam of a flat surface both facets then have the plane of the
/// half-space.
const ON_FACE: f64 = 1e-12;

/// Height over the longest edge, as a fraction of the magnitude of the coordinates, below which a triangle has no
/// plane: with 16 digits its normal would have fewer than four.
const FLATTEST: f64 = 1e-12;

/// Nearest part of a triangle. Edge `k` runs from corner `k` to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum FacetPart {
    Face,
    Edge(usize),
    Corner(usize),
}

/// The point of a triangle nearest to a centre.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    pub part: FacetPart,
    pub point: Vec3,
    pub closest: ClosestPoint,
}

/// Four planes evaluated together: that of the triangle, and for each edge the perpendicular plane through it. Each has
/// a point, and a unit normal: upwards, or in the plane of the triangle towards its interior.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(super) struct Facet {
    points: [[f64; 4]; 3],
    normals: [[f64; 4]; 3],
    /// Distance by which the face is extended beyond an edge [m].
    tolerance: f64,
}

impl Facet {
    /// `None` if the triangle has no area.
    pub fn new(corners: [Vec3; 3]) -> Option<Self> {
        let edges = [0, 1, 2].map(|k| corners[(k + 1) % 3] - corners[k]);
        let lengths = edges.map(Vec3::length);
        let longest = lengths[0].max(lengths[1]).max(lengths[2]);
        // The two shorter edges enclose the largest angle, and give the normal with the smallest rounding error.
        let k = (0..3).find(|&k| lengths[k] == longest)?;
        let cross = edges[(k + 1) % 3].cross(edges[(k + 2) % 3]);
        let double_area = cross.length();
        let size = corners.iter().map(|corner| corner.abs().max_element()).fold(longest, f64::max);
        if double_area <= FLATTEST * size * longest || !double_area.is_finite() {
            return None;
        }
        // The error of the normal of a sliver must be a rotation about its long edge, where it has little effect, and
        // not along it, where it would change the height.
        let long = edges[k] / longest;
        let upright = cross - long * cross.dot(long);
        let normal = upright / upright.length();
        let inward = [0, 1, 2].map(|k| normal.cross(edges[k] / lengths[k]));
        // heights are measured from a corner of the longest edge
        let points = [corners[k], corners[0], corners[1], corners[2]];
        let normals = [normal, inward[0], inward[1], inward[2]];
        Some(Self {
            points: [0, 1, 2].map(|axis| points.map(|point| point[axis])),
            normals: [0, 1, 2].map(|axis| normals.map(|normal| normal[axis])),
            tolerance: ON_FACE * longest,
        })
    }

    /// Prefetches all data of the facet.
    #[inline(always)]
    pub fn prefetch(&self) {
        prefetch(&self.points[0]);
        prefetch(&self.points[2]);
        prefetch(&self.normals[1]);
        prefetch(&self.tolerance);
    }

    pub fn corner(&self, k: usize) -> Vec3 {
        let [x, y, z] = &self.points;
        Vec3::new(x[k + 1], y[k + 1], z[k + 1])
    }

    pub fn corners(&self) -> [Vec3; 3] {
        [0, 1, 2].map(|k| self.corner(k))
    }

    fn normal(&self) -> Vec3 {
        let [x, y, z] = &self.normals;
        Vec3::new(x[0], y[0], z[0])
    }

    /// Unit vector in the plane, normal to an edge, towards the interior of the triangle.
    pub fn inward(&self, edge: usize) -> Vec3 {
        let [x, y, z] = &self.normals;
        Vec3::new(x[edge + 1], y[edge + 1], z[edge + 1])
    }

    /// Height of `x` above the plane, on the side of the normal, and distances of its projection from each edge,
    /// positive inside [m].
    #[inline(always)]
    fn coordinates(&self, x: Vec3) -> [f64; 4] {
        let (p, n) = (&self.points, &self.normals);
        std::array::from_fn(|k| {
            (x.x - p[0][k]) * n[0][k] + (x.y - p[1][k]) * n[1][k] + (x.z - p[2][k]) * n[2][k]
        })
    }

    /// Height of `x` above the plane, on the side of the normal [m].
    pub fn height(&self, x: Vec3) -> f64 {
        let (p, n) = (&self.points, &self.normals);
        (x.x - p[0][0]) * n[0][0] + (x.y - p[1][0]) * n[1][0] + (x.z - p[2][0]) * n[2][0]
    }

    /// Distance of the projection of `x` from an edge, positive inside [m].
    fn depth(&self, edge: usize, x: Vec3) -> f64 {
        (x - self.corner(edge)).dot(self.inward(edge))
    }

    /// True if the projection of `x` is clearly inside an edge, so that no point of that edge can be the nearest of
    /// this triangle.
    pub fn foot_is_inside(&self, edge: usize, x: Vec3) -> bool {
        self.depth(edge, x) > self.tolerance
    }

    /// True if the triangle may be within a distance of `x` [m]: false for nearly all triangles beyond it, and for none
    /// within it.
    #[inline(always)]
    pub fn may_be_within(&self, x: Vec3, distance: f64) -> bool {
        self.may_be_near(&self.coordinates(x), distance)
    }

    #[inline(always)]
    fn may_be_near(&self, [height, first, second, third]: &[f64; 4], distance: f64) -> bool {
        // no point is nearer than one of the planes; rounding errors are much smaller than this margin
        let farthest = (1.0 + 1e-9) * distance + self.tolerance;
        let deepest = -farthest;
        (height.abs() <= farthest)
            & (*first >= deepest)
            & (*second >= deepest)
            & (*third >= deepest)
    }

    /// True if the line from `x` to a point that is farther than `margin` from its plane passes
    /// through the triangle.
    pub fn is_crossed(&self, x: Vec3, point: Vec3, margin: f64) -> bool {
        let [here, there] = [self.height(x), self.height(point)];
        if here * there >= 0.0 || there.abs() <= margin {
            return false;
        }
        let crossing = x + (point - x) * (here / (here - there));
        (0..3).all(|edge| self.depth(edge, crossing) >= -self.tolerance)
    }

    pub fn nearest(&self, x: Vec3) -> Nearest {
        self.nearest_from(x, &self.coordinates(x))
    }

    /// The closest point, if it is nearer than `cutoff`.
    pub fn nearest_within(&self, x: Vec3, cutoff: f64) -> Option<Nearest> {
        let coordinates = self.coordinates(x);
        if coordinates[0].abs() >= cutoff || !self.may_be_near(&coordinates, cutoff) {
            return None;
        }
        Some(self.nearest_from(x, &coordinates)).filter(|nearest| nearest.closest.distance < cutoff)
    }

    fn nearest_from(&self, x: Vec3, [height, depths @ ..]: &[f64; 4]) -> Nearest {
        let mut nearest: Option<Nearest> = None;
        for (edge, depth) in depths.iter().enumerate() {
            if *depth >= -self.tolerance {
                continue;
            }
            // The nearest point lies on one of the edges with the projection on their outer side.
            let found = self.nearest_on_edge(edge, x);
            if nearest.is_none_or(|other| found.closest.distance < other.closest.distance) {
                nearest = Some(found);
            }
        }
        nearest.unwrap_or_else(|| self.nearest_on_plane(x, *height))
    }

    fn nearest_on_plane(&self, x: Vec3, height: f64) -> Nearest {
        let own = self.normal();
        let normal = if height < 0.0 { own } else { -own };
        let point = x - own * height;
        Nearest {
            part: FacetPart::Face,
            point,
            closest: ClosestPoint { normal, distance: height.abs() },
        }
    }

    fn nearest_on_edge(&self, edge: usize, x: Vec3) -> Nearest {
        let next = (edge + 1) % 3;
        let (start, end) = (self.corner(edge), self.corner(next));
        let along = end - start;
        let along_edge = (x - start).dot(along);
        // The second comparison is made from the other end, so that both facets at a corner decide by the same numbers
        // whether it is the nearest.
        let (part, point) = if along_edge <= 0.0 {
            (FacetPart::Corner(edge), start)
        } else if (x - end).dot(along) >= 0.0 {
            (FacetPart::Corner(next), end)
        } else {
            (FacetPart::Edge(edge), start + along * (along_edge / along.length_squared()))
        };
        let arm = point - x;
        let distance = arm.length();
        let normal = if distance > 0.0 { arm / distance } else { -self.normal() };
        Nearest { part, point, closest: ClosestPoint { normal, distance } }
    }
}
