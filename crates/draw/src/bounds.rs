//! Bounding boxes of drawn objects.

use super::wall_surface::wall_surface;
use esker::Vec3;
use esker::measure::Snapshot;
use esker::wall::Shape;

/// Walls larger than this multiple of the grains are not included in the view, so that the grains remain visible.
const LARGEST_WALL: f64 = 6.0;

/// A box along the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Lower corner [m].
    pub min: Vec3,
    /// Upper corner [m].
    pub max: Vec3,
}

impl Bounds {
    /// The empty box.
    pub const NOTHING: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The box around the particles, around the walls of finite size unless they are much larger, and up to nearby
    /// half-spaces. If a snapshot has none of them, the domain, or a unit box if that is infinite.
    pub fn of(snapshot: &Snapshot) -> Self {
        let grains = Self::of_particles(snapshot);
        let mut all = grains;
        for wall in &snapshot.walls {
            if let Shape::HalfSpace { point, normal } = wall.shape {
                let normal = wall.pose.rotation * normal;
                let point = wall.pose.rotation * point + wall.pose.translation;
                let center = grains.center();
                let foot = center - (center - point).dot(normal) * normal;
                if (foot - center).length() < grains.diagonal() {
                    all = all.with(foot, 0.0);
                }
                continue;
            }
            for vertex in wall_surface(wall, &grains).vertices {
                all = all.with(vertex, 0.0);
            }
        }
        let all = all.or_domain(snapshot);
        if grains.is_finite() && all.diagonal() > LARGEST_WALL * grains.diagonal() {
            grains.grown(0.5 * grains.diagonal()).intersection(&all)
        } else {
            all
        }
    }

    /// The box of the domain; if that is infinite or empty, the box around the particles.
    pub fn of_domain(snapshot: &Snapshot) -> Self {
        let domain = Self { min: snapshot.domain_min, max: snapshot.domain_max };
        if domain.is_finite() && domain.diagonal() > 0.0 {
            domain
        } else {
            Self::of_particles(snapshot).or_unit()
        }
    }

    fn of_particles(snapshot: &Snapshot) -> Self {
        snapshot
            .particles
            .iter()
            .filter(|particle| particle.position.is_finite() && particle.radius.is_finite())
            .fold(Self::NOTHING, |bounds, particle| bounds.with(particle.position, particle.radius))
    }

    fn or_domain(self, snapshot: &Snapshot) -> Self {
        if self.is_finite() { self } else { Self::of_domain(snapshot) }
    }

    fn or_unit(self) -> Self {
        if self.is_finite() { self } else { Self { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) } }
    }

    /// The box that also holds a ball.
    pub fn with(self, center: Vec3, radius: f64) -> Self {
        Self { min: self.min.min(center - radius), max: self.max.max(center + radius) }
    }

    /// The box around two boxes.
    pub fn union(self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    fn intersection(self, other: &Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    fn grown(self, margin: f64) -> Self {
        Self { min: self.min - margin, max: self.max + margin }
    }

    /// Its centre [m].
    pub fn center(&self) -> Vec3 {
        0.5 * (self.min + self.max)
    }

    /// Length of its diagonal [m].
    pub fn diagonal(&self) -> f64 {
        (self.max - self.min).length()
    }

    /// Its eight corners [m].
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|corner| {
            let pick = |axis: usize| {
                if corner >> axis & 1 == 0 { self.min[axis] } else { self.max[axis] }
            };
            Vec3::new(pick(0), pick(1), pick(2))
        })
    }

    fn is_finite(&self) -> bool {
        self.min.is_finite() && self.max.is_finite()
    }
}
