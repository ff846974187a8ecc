//! A layer on a plane: thickness, length, and fraction of the particles.

use super::options::{Group, Plane, fraction, positive};
use super::statistics::{mean_and_deviation, mean_radius, quantile};
use super::{
    Column, ExactSum, ExactVectorSum, Measure, MeasureState, ParticleView, Reference, Snapshot,
};
use crate::{Problem, Vec3};
use std::collections::BTreeMap;

/// A layer on a wall or plane. The plane is divided into square cells; the thickness of a cell that
/// contains a centre is the distance of its highest point from the plane. Length and width are the
/// extents of the layer in the plane.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::measure::{Group, MeasureState, Layer, Measure};
/// use esker::prelude::*;
///
/// let measure = Layer {
///     particles: Group::default(),
///     wall: None,
///     point: Some([0.0; 3]),
///     normal: Some([0.0, 0.0, 1.0]),
///     within: Some(0.05),
///     cell: None,
///     along: None,
///     share: 1.0,
/// };
/// let grains = (0..5).map(|i| Sphere::new(RADIUS, Vec3::new(0.03 * f64::from(i), 0.0, RADIUS)));
/// let values = measure.values(&snapshot(grains.collect()), &mut MeasureState::default());
/// assert!((values[0].unwrap() - 2.0 * RADIUS).abs() < 1e-12); // one grain thick
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Layer {
    /// A group, or `all`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub particles: Group,
    /// The wall that carries the layer: a half-space, a rectangle or a disc. Its whole plane
    /// counts.
    pub wall: Option<String>,
    /// A point of the plane [m], if there is no wall.
    pub point: Option<[f64; 3]>,
    /// The normal of the plane, towards the particles.
    pub normal: Option<[f64; 3]>,
    /// Largest distance from the plane to the centre of a particle of the layer [m].
    pub within: Option<f64>,
    /// Edge of a cell [m]; default: two mean diameters.
    pub cell: Option<f64>,
    /// Direction of the length; default: the direction of largest spread.
    pub along: Option<[f64; 3]>,
    /// Central fraction of the particles of which length and width are the extents.
    #[cfg_attr(feature = "serde", serde(default = "all"))]
    pub share: f64,
}

#[cfg(feature = "serde")]
fn all() -> f64 {
    1.0
}

const COLUMNS: &[(&str, &str)] = &[
    ("thickness", "m"),
    ("deviation", "m"),
    ("largest", "m"),
    ("length", "m"),
    ("width", "m"),
    ("count", ""),
    ("fraction", ""),
];

impl Measure for Layer {
    fn name(&self) -> &'static str {
        "layer"
    }

    fn columns(&self) -> Vec<Column> {
        Column::all(COLUMNS)
    }

    fn references(&self) -> Vec<(&'static str, Reference<'_>)> {
        let wall = self.wall.as_deref().map(|wall| ("wall", Reference::PlaneWall(wall)));
        self.particles.reference("particles").into_iter().chain(wall).collect()
    }

    fn problems(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> = [("within", self.within), ("cell", self.cell)]
            .into_iter()
            .filter_map(|(option, number)| positive(option, number))
            .collect();
        problems.extend(fraction("share", self.share));
        let plane = self.point.is_some() || self.normal.is_some();
        if self.wall.is_some() == plane || self.point.is_some() != self.normal.is_some() {
            let message = "a layer lies on a `wall`, or on a plane with `point` and `normal`";
            problems.push(Problem::at("", message).help("give one of the two"));
        }
        for (option, direction) in [("normal", self.normal), ("along", self.along)] {
            if direction.is_some_and(|direction| Vec3::from(direction).length() == 0.0) {
                problems.push(Problem::at(option, format!("`{option}` has no direction")));
            }
        }
        problems
    }

    fn values(&self, now: &Snapshot, _: &mut MeasureState) -> Vec<Option<f64>> {
        let particles = self.particles.of(now);
        let Some(plane) = self.plane(now) else { return vec![None; COLUMNS.len()] };
        let is_in = |particle: &&ParticleView| {
            let distance = plane.distance(particle.position);
            distance >= -particle.radius && self.within.is_none_or(|within| distance <= within)
        };
        let members: Vec<&ParticleView> = particles.iter().copied().filter(is_in).collect();
        let count = members.len() as f64;
        let fraction = (!particles.is_empty()).then(|| count / particles.len() as f64);
        let Some(radius) = mean_radius(&members) else {
            return vec![None, None, None, None, None, Some(0.0), fraction];
        };
        let directions = self.directions(&members, &plane);
        let cell = self.cell.unwrap_or(4.0 * radius);
        let heights = heights(&members, &plane, directions, cell);
        let (mean, deviation) = mean_and_deviation(&heights);
        let [length, width] = directions.map(|direction| extent(&members, direction, self.share));
        let largest = heights.iter().copied().max_by(f64::total_cmp);
        vec![mean, deviation, largest, length, width, Some(count), fraction]
    }
}

impl Layer {
    fn plane(&self, now: &Snapshot) -> Option<Plane> {
        match (&self.wall, self.point, self.normal) {
            (Some(wall), ..) => Plane::of_wall(now, wall),
            (None, Some(point), Some(normal)) => Some(Plane {
                point: point.into(),
                normal: Vec3::from(normal).normalize_or_zero(),
                two_sided: false,
            }),
            _ => None,
        }
    }

    /// Unit vectors in the plane along the length and the width.
    fn directions(&self, members: &[&ParticleView], plane: &Plane) -> [Vec3; 2] {
        let in_plane = |vector: Vec3| vector - vector.dot(plane.normal) * plane.normal;
        let given = self.along.map(|along| in_plane(along.into()).normalize_or_zero());
        let along = given
            .filter(|along| *along != Vec3::ZERO)
            .unwrap_or_else(|| widest(members, plane.normal));
        [along, plane.normal.cross(along)]
    }
}

/// The direction normal to a vector in which the spread of the centres is largest.
fn widest(members: &[&ParticleView], normal: Vec3) -> Vec3 {
    let first = normal.any_orthonormal_vector();
    let second = normal.cross(first);
    let sum: ExactVectorSum = members.iter().map(|particle| particle.position).collect();
    let mean = sum.value() / members.len() as f64;
    let mut moments = [ExactSum::new(), ExactSum::new(), ExactSum::new()];
    for particle in members {
        let arm = particle.position - mean;
        let (a, b) = (arm.dot(first), arm.dot(second));
        moments[0].add(a * a);
        moments[1].add(b * b);
        moments[2].add(a * b);
    }
    let [aa, bb, ab] = moments.map(|moment| moment.value());
    // half the angle whose tangent is 2 ab / (aa - bb) gives the larger principal value
    let angle = 0.5 * libm::atan2(2.0 * ab, aa - bb);
    libm::cos(angle) * first + libm::sin(angle) * second
}

/// Thickness of each cell that contains a centre, in order of the cells.
fn heights(members: &[&ParticleView], plane: &Plane, directions: [Vec3; 2], cell: f64) -> Vec<f64> {
    let mut cells: BTreeMap<[i64; 2], f64> = BTreeMap::new();
    for particle in members {
        let arm = particle.position - plane.point;
        let cell_index = directions.map(|direction| (arm.dot(direction) / cell).floor() as i64);
        let top = plane.distance(particle.position) + particle.radius;
        let highest = cells.entry(cell_index).or_insert(top);
        *highest = highest.max(top);
    }
    cells.into_values().collect()
}

/// Extent of the particles along a direction, without the outermost ones on both sides [m].
fn extent(members: &[&ParticleView], direction: Vec3, share: f64) -> Option<f64> {
    let surfaces = |sign: f64| {
        members.iter().map(move |p| sign * p.position.dot(direction) + p.radius).collect()
    };
    let kept = 0.5 + 0.5 * share;
    Some(quantile(surfaces(1.0), kept)? + quantile(surfaces(-1.0), kept)?)
}

#[cfg(test)]
mod tests {
    use super::super::selection::testing::{particle, snapshot};
    use super::*;
    use crate::wall::{Pose, Shape};

    fn measure(text: &str) -> Layer {
        serde_json::from_str(text).expect("the options are good")
    }

    /// A strip on the plane x = 0: 40 by 10 columns, alternately of one and of three grains.
    fn strip() -> Snapshot {
        let mut particles = Vec::new();
        for i in 0..40 {
            for j in 0..10 {
                let high = if (i / 2 + j / 2) % 2 == 0 { 1 } else { 3 };
                for k in 0..high {
                    let position = 0.02 * Vec3::new(f64::from(k), f64::from(j), f64::from(i))
                        + Vec3::new(0.01, 0.001, 0.001);
                    particles.push(particle(particles.len() as u64, 0.01, 1.0, position));
                }
            }
        }
        // a particle that did not adhere
        particles.push(particle(10_000, 0.01, 1.0, Vec3::new(0.5, 0.0, 0.0)));
        snapshot(particles)
    }

    #[test]
    fn a_strip_of_two_heights_has_their_mean_its_length_and_width() {
        let options = r#"{"point": [0, 0, 0], "normal": [2, 0, 0], "within": 0.1, "cell": 0.04,
            "along": [0, 0, 1]}"#;
        let values = measure(options).values(&strip(), &mut MeasureState::default());
        let [thickness, deviation, largest, length, width, count, fraction] = values[..] else {
            panic!("seven columns")
        };
        // half of the 100 cells are 0.02 m thick, half 0.06 m
        assert!((thickness.unwrap() - 0.04).abs() < 1e-12);
        let expected = 0.02 * (100.0_f64 / 99.0).sqrt();
        assert!((deviation.unwrap() - expected).abs() < 1e-12);
        assert!((largest.unwrap() - 0.06).abs() < 1e-12);
        assert!((length.unwrap() - 0.8).abs() < 1e-12);
        assert!((width.unwrap() - 0.2).abs() < 1e-12);
        assert_eq!((count, fraction), (Some(800.0), Some(800.0 / 801.0)));
    }

    #[test]
    fn the_length_runs_where_the_layer_is_longest() {
        let options = r#"{"point": [0, 0, 0], "normal": [1, 0, 0], "within": 0.1}"#;
        let values = measure(options).values(&strip(), &mut MeasureState::default());
        assert!((values[3].unwrap() - 0.8).abs() < 1e-9, "{values:?}");
        // the central half of the particles: half of the length
        let options = r#"{"point": [0, 0, 0], "normal": [1, 0, 0], "within": 0.1, "share": 0.5}"#;
        let values = measure(options).values(&strip(), &mut MeasureState::default());
        assert!((values[3].unwrap() - 0.4).abs() < 0.021, "{values:?}");
    }

    #[test]
    fn the_plane_of_a_wall_is_where_the_wall_is_now() {
        let mut strip = strip();
        strip.walls.push(super::super::WallView {
            name: "target".to_owned(),
            shape: Shape::Rectangle { corner: Vec3::ZERO, edges: [Vec3::Y, -Vec3::Z] },
            pose: Pose::moved(Vec3::new(-0.05, 0.0, 0.0), Vec3::ZERO),
            force: Vec3::ZERO,
            torque: Vec3::ZERO,
            work: 0.0,
            present: true,
        });
        let layer = measure(r#"{"wall": "target", "within": 0.15, "cell": 0.04}"#);
        let values = layer.values(&strip, &mut MeasureState::default());
        assert!((values[2].unwrap() - 0.11).abs() < 1e-12, "{values:?}");
        strip.walls[0].present = false;
        assert_eq!(layer.values(&strip, &mut MeasureState::default())[0], None);
    }

    #[test]
    fn a_layer_needs_one_plane() {
        assert_eq!(measure("{}").problems().len(), 1);
        assert_eq!(measure(r#"{"wall": "floor", "point": [0, 0, 0]}"#).problems().len(), 1);
        assert!(measure(r#"{"wall": "floor"}"#).problems().is_empty());
    }
}
