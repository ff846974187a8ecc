//! Allowed positions of inserted particles: not inside a wall, and on the side of the particles.

use super::{Shape, Side};
use crate::Vec3;

/// A point beside a cylinder or a cone, within the length of its axis.
struct Level {
    /// The point of the axis at the same level [m].
    on_axis: Vec3,
    /// Distance from the axis [m].
    from_axis: f64,
    /// Radius of the surface at this level [m].
    radius: f64,
}

impl Shape {
    /// True if a sphere with centre `x` [m], in the frame of the wall, may be inserted: it does not overlap the wall,
    /// and is on the side of the particles.
    ///
    /// Half-space and sphere restrict all of space. Cylinder and cone restrict centres within the length of their axis:
    /// with [`Side::Inside`] the radial distance is at most the radius of the wall minus that of the sphere. Beyond
    /// their ends only the rim is an obstacle. Rectangle, disc and mesh restrict no side.
    pub fn admits(&self, x: Vec3, radius: f64) -> bool {
        match self {
            Self::Mesh(mesh) => {
                let mut near = Vec::new();
                mesh.facets_near(x, radius, &mut near);
                near.is_empty()
            }
            Self::Cylinder { side, .. } | Self::Cone { side, .. } => {
                let level = self.level(x);
                let is_clear = match (self.closest_point(x), &level) {
                    (Some(closest), _) => closest.distance.abs() >= radius,
                    // on the axis of a cylinder, where the nearest point is not unique
                    (None, Some(level)) => level.radius >= radius,
                    (None, None) => true,
                };
                is_clear
                    && level.is_none_or(|level| match side {
                        Side::Inside => level.from_axis <= level.radius,
                        Side::Outside => level.from_axis >= level.radius,
                    })
            }
            Self::Sphere { center, radius: own, side: Side::Inside } => {
                own - x.distance(*center) >= radius
            }
            _ => self.contact(x, radius, 0.0).is_none(),
        }
    }

    /// True if a point is inside a cylinder or a cone that has its particles inside.
    pub(crate) fn holds(&self, x: Vec3) -> bool {
        let level = self.level(x).filter(|_| self.is_tube_around_particles());
        level.is_some_and(|level| level.from_axis <= level.radius)
    }

    /// The point of the axis at the level of `x` [m], for a cylinder or cone with its particles inside; `None` beyond
    /// its ends and for other shapes.
    pub(crate) fn on_axis(&self, x: Vec3) -> Option<Vec3> {
        let level = self.level(x).filter(|_| self.is_tube_around_particles());
        level.map(|level| level.on_axis)
    }

    fn is_tube_around_particles(&self) -> bool {
        matches!(
            self,
            Self::Cylinder { side: Side::Inside, .. } | Self::Cone { side: Side::Inside, .. }
        )
    }

    fn level(&self, x: Vec3) -> Option<Level> {
        let (start, end, radii) = match self {
            Self::Cylinder { start, end, radius, .. } => (*start, *end, [*radius; 2]),
            Self::Cone { start, end, start_radius, end_radius, .. } => {
                (*start, *end, [*start_radius, *end_radius])
            }
            _ => return None,
        };
        let axis = end - start;
        let along = (x - start).dot(axis) / axis.length_squared();
        let on_axis = start + axis * along;
        (0.0..=1.0).contains(&along).then(|| Level {
            on_axis,
            from_axis: x.distance(on_axis),
            radius: radii[0] + (radii[1] - radii[0]) * along,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cylinder(side: Side) -> Shape {
        Shape::Cylinder { start: Vec3::ZERO, end: Vec3::Z * 2.0, radius: 1.0, side }
    }

    #[test]
    fn a_cylinder_with_particles_inside_admits_the_coaxial_cylinder_less_by_a_radius() {
        let wall = cylinder(Side::Inside);
        for (from_axis, is_admitted) in [(0.0, true), (0.89, true), (0.91, false), (5.0, false)] {
            let x = Vec3::new(0.6, -0.8, 0.0) * from_axis + Vec3::Z;
            assert_eq!(wall.admits(x, 0.1), is_admitted, "{from_axis}");
        }
        assert!(!wall.admits(Vec3::Z, 1.1), "thicker than the cylinder, on its axis");
    }

    #[test]
    fn a_cylinder_restricts_only_within_its_length() {
        for side in [Side::Inside, Side::Outside] {
            for from_axis in [0.0, 0.5, 5.0] {
                assert!(cylinder(side).admits(Vec3::new(from_axis, 0.0, 2.11), 0.1));
            }
            assert!(!cylinder(side).admits(Vec3::new(1.0, 0.0, 2.09), 0.1), "on the rim");
        }
    }

    #[test]
    fn a_cylinder_with_particles_outside_admits_nothing_within() {
        let wall = cylinder(Side::Outside);
        for (from_axis, is_admitted) in [(0.0, false), (0.5, false), (1.09, false), (1.11, true)] {
            assert_eq!(wall.admits(Vec3::new(from_axis, 0.0, 0.3), 0.1), is_admitted);
        }
    }

    #[test]
    fn a_cone_admits_centres_a_radius_from_its_slope() {
        // a slope of 45° through (1 + z, z): the distance is (1 + z - s)/√2
        let (start, end) = (Vec3::ZERO, Vec3::Z * 2.0);
        let cone = |side| Shape::Cone { start, end, start_radius: 1.0, end_radius: 3.0, side };
        for (s, inside, outside) in
            [(0.0, true, false), (1.85, true, false), (1.87, false, false), (2.15, false, true)]
        {
            let x = Vec3::new(0.0, s, 1.0);
            assert_eq!(cone(Side::Inside).admits(x, 0.1), inside, "{s}");
            assert_eq!(cone(Side::Outside).admits(x, 0.1), outside, "{s}");
        }
    }

    #[test]
    fn a_sphere_with_particles_inside_admits_no_larger_one_at_its_centre() {
        let wall = Shape::Sphere { center: Vec3::X, radius: 1.0, side: Side::Inside };
        assert!(wall.admits(Vec3::X, 0.9) && !wall.admits(Vec3::X, 1.1));
        assert!(!wall.admits(Vec3::X * 3.5, 0.1), "outside");
    }

    #[test]
    fn a_half_space_admits_nothing_behind_it_and_a_rectangle_both_its_sides() {
        let floor = Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z };
        let sheet = Shape::Rectangle { corner: Vec3::ZERO, edges: [Vec3::X, Vec3::Y] };
        for (z, over, beside) in [(0.2, true, true), (0.05, false, false), (-0.2, false, true)] {
            let x = Vec3::new(0.5, 0.5, z);
            assert_eq!((floor.admits(x, 0.1), sheet.admits(x, 0.1)), (over, beside), "{z}");
        }
    }
}
