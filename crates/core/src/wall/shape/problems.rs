//! Invalid parameters of a shape.

use super::Shape;
use crate::Vec3;
use crate::wall::motion::is_unit;

/// Largest cosine of the angle between two edges that must be perpendicular.
const RIGHT_ANGLE_TOLERANCE: f64 = 1e-6;

impl Shape {
    /// Descriptions of invalid parameters; empty if there are none.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Problems(Vec::new());
        match self {
            Self::HalfSpace { point, normal } => {
                problems.finite("point", *point);
                problems.unit("normal", *normal);
            }
            Self::Rectangle { corner, edges } => {
                problems.finite("corner", *corner);
                problems.edges(edges);
            }
            Self::Disc { center, normal, radius } => {
                problems.finite("center", *center);
                problems.unit("normal", *normal);
                problems.positive("radius", *radius);
            }
            Self::Cylinder { start, end, radius, .. } => {
                problems.ends(*start, *end);
                problems.positive("radius", *radius);
            }
            Self::Cone { start, end, start_radius, end_radius, .. } => {
                problems.ends(*start, *end);
                problems.not_negative("start_radius", *start_radius);
                problems.not_negative("end_radius", *end_radius);
                if *start_radius == 0.0 && *end_radius == 0.0 {
                    problems.add("the radii of a cone must not both be zero".to_owned());
                }
            }
            Self::Sphere { center, radius, .. } => {
                problems.finite("center", *center);
                problems.positive("radius", *radius);
            }
            // A mesh is checked when it is built.
            Self::Mesh(_) => {}
            Self::Surface(surface) => problems.0.extend(surface.problems()),
            Self::Particles(spheres) => {
                if spheres.is_empty() {
                    problems.add("a wall of particles must have at least one".to_owned());
                }
                for (index, sphere) in spheres.iter().enumerate() {
                    problems.finite(&format!("position of particle {index}"), sphere.position);
                    problems.positive(&format!("radius of particle {index}"), sphere.radius);
                }
            }
        }
        problems.0
    }
}

struct Problems(Vec<String>);

impl Problems {
    fn add(&mut self, message: String) {
        self.0.push(message);
    }

    fn finite(&mut self, name: &str, vector: Vec3) {
        if !vector.is_finite() {
            self.add(format!("the {name} must be finite, found {vector}"));
        }
    }

    fn unit(&mut self, name: &str, vector: Vec3) {
        if !is_unit(vector) {
            self.add(format!("the {name} must be a unit vector, found {vector}"));
        }
    }

    fn positive(&mut self, name: &str, value: f64) {
        if !(value > 0.0 && value.is_finite()) {
            self.add(format!("the {name} must be positive and finite, found {value}"));
        }
    }

    fn not_negative(&mut self, name: &str, value: f64) {
        if !(value >= 0.0 && value.is_finite()) {
            self.add(format!("the {name} must be zero or positive, and finite, found {value}"));
        }
    }

    fn ends(&mut self, start: Vec3, end: Vec3) {
        self.finite("start", start);
        self.finite("end", end);
        if start == end {
            self.add(format!("the start and the end must differ, both are {start}"));
        }
    }

    fn edges(&mut self, edges: &[Vec3; 2]) {
        for (name, edge) in [("first edge", edges[0]), ("second edge", edges[1])] {
            self.finite(name, edge);
            if edge == Vec3::ZERO {
                self.add(format!("the {name} must have a length"));
            }
        }
        let cosine = edges[0].normalize_or_zero().dot(edges[1].normalize_or_zero());
        if cosine.abs() > RIGHT_ANGLE_TOLERANCE {
            self.add(format!(
                "the edges must be at right angles, found {} and {}",
                edges[0], edges[1]
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Side;
    use super::*;
    use crate::insert::Sphere;

    fn first_problem(shape: &Shape) -> String {
        shape.problems().first().cloned().unwrap_or_default()
    }

    #[test]
    fn a_normal_must_be_a_unit_vector() {
        for normal in [Vec3::ZERO, Vec3::new(0.0, 2.0, 0.0), Vec3::splat(f64::NAN)] {
            let shape = Shape::HalfSpace { point: Vec3::ZERO, normal };
            assert!(first_problem(&shape).contains("unit vector"));
        }
    }

    #[test]
    fn the_edges_of_a_rectangle_must_be_at_right_angles() {
        let shape =
            Shape::Rectangle { corner: Vec3::ZERO, edges: [Vec3::X, Vec3::new(1.0, 1.0, 0.0)] };
        assert!(first_problem(&shape).contains("right angles"));
    }

    #[test]
    fn a_rectangle_must_have_an_area() {
        let shape = Shape::Rectangle { corner: Vec3::ZERO, edges: [Vec3::X, Vec3::ZERO] };
        assert_eq!(shape.problems(), ["the second edge must have a length"]);
    }

    #[test]
    fn a_radius_must_be_positive() {
        for radius in [0.0, -1.0, f64::INFINITY, f64::NAN] {
            let shape = Shape::Sphere { center: Vec3::ZERO, radius, side: Side::Inside };
            assert!(first_problem(&shape).contains("positive"));
        }
    }

    #[test]
    fn a_cylinder_must_have_a_height() {
        let (start, end, side) = (Vec3::X, Vec3::X, Side::Inside);
        let shape = Shape::Cylinder { start, end, radius: 1.0, side };
        assert!(first_problem(&shape).contains("must differ"));
    }

    #[test]
    fn a_cone_may_have_one_apex_but_not_two() {
        let cone = |end_radius| Shape::Cone {
            start: Vec3::ZERO,
            end: Vec3::Z,
            start_radius: 0.0,
            end_radius,
            side: Side::Inside,
        };
        assert!(cone(1.0).problems().is_empty());
        assert!(first_problem(&cone(0.0)).contains("both be zero"));
    }

    #[test]
    fn particles_of_a_wall_need_a_radius() {
        let sphere =
            Sphere { position: Vec3::ZERO, radius: 0.0, velocity: Vec3::ZERO, spin: Vec3::ZERO };
        assert!(first_problem(&Shape::Particles(vec![sphere])).contains("radius of particle 0"));
        assert!(first_problem(&Shape::Particles(vec![])).contains("at least one"));
    }
}
