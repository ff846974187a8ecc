//! The largest overlap at the start, and the energy stored in it.

use crate::id::MaterialId;
use crate::id::ParticleId;
use crate::simulation::Simulation;
use crate::snapshot::{ContactView, Partner};

/// The contact with the largest overlap as a fraction of the smaller radius.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, RADIUS};
/// use esker::StartOverlap;
/// use esker::prelude::*;
///
/// let grains = [0.0, 1.92 * RADIUS].map(|x| Sphere::new(RADIUS, Vec3::X * x));
/// let simulation = simulation(ContactModel::normal(Hertz::default()), Pair::new(), grains.to_vec());
/// let largest: StartOverlap = simulation.largest_overlap().unwrap();
/// assert!((largest.fraction - 0.08).abs() < 1e-9);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StartOverlap {
    /// Overlap [m].
    pub overlap: f64,
    /// Overlap over the smaller radius.
    pub fraction: f64,
    /// Energy stored in it by the normal law [J]: force times overlap over p + 1 for a force ~ δᵖ.
    pub energy: f64,
    /// Closing speed of an impact with this energy [m/s].
    pub speed: f64,
    /// Both bodies: `particle 3 of `grains`` or ``wall `floor` ``.
    pub between: [String; 2],
}

impl std::fmt::Display for StartOverlap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [first, second] = &self.between;
        write!(
            f,
            "{:.2} % of the radius, {first} with {second}; it stores {:.2e} J, as an impact at {:.2e} m/s",
            100.0 * self.fraction,
            self.energy,
            self.speed
        )
    }
}

impl Simulation {
    /// The largest overlap of the current state; none if there is no overlap.
    pub fn largest_overlap(&self) -> Option<StartOverlap> {
        if self.is_split() {
            return self.whole().largest_overlap();
        }
        let views = self.engine.contact_views();
        let touching = views.iter().filter(|view| view.overlap > 0.0);
        let deepest = touching.max_by(|a, b| self.fraction(a).total_cmp(&self.fraction(b)))?;
        let mobility = |id: ParticleId| {
            let slot = self.engine.particles().slot(id);
            slot.map_or(0.0, |slot| self.engine.particles().records[slot].inverse_mass)
        };
        let second = match deepest.second {
            Partner::Particle(id) => mobility(id),
            Partner::Wall(_) => 0.0,
        };
        let energy = deepest.elastic * deepest.overlap / (self.exponent(deepest) + 1.0);
        let first = Partner::Particle(deepest.first);
        Some(StartOverlap {
            overlap: deepest.overlap,
            fraction: self.fraction(deepest),
            energy,
            speed: (2.0 * energy.max(0.0) * (mobility(deepest.first) + second)).sqrt(),
            between: [self.named(first), self.named(deepest.second)],
        })
    }

    fn fraction(&self, view: &ContactView) -> f64 {
        let radius = |id: ParticleId| {
            let slot = self.engine.particles().slot(id);
            slot.map_or(f64::INFINITY, |slot| self.engine.particles().records[slot].radius)
        };
        let second = match view.second {
            Partner::Particle(id) => radius(id),
            Partner::Wall(_) => f64::INFINITY,
        };
        view.overlap / radius(view.first).min(second)
    }

    /// Exponent of the normal force of a contact.
    fn exponent(&self, view: &ContactView) -> f64 {
        let particles = &self.engine.particles();
        let material =
            |id: ParticleId| particles.slot(id).map_or(0, |slot| particles.metadata[slot].material);
        let first = material(view.first);
        let second = match view.second {
            Partner::Particle(id) => material(id),
            Partner::Wall(wall) => self.engine.walls()[wall.index()].wall.material.number(),
        };
        let key = [first.min(second), first.max(second)];
        let pair = self
            .engine
            .table()
            .pairs
            .iter()
            .find(|pair| pair.materials.map(MaterialId::number) == key);
        let laws = pair.map(|pair| pair.laws.iter().map(|law| law.force_exponent()));
        laws.map_or(1.0, |exponents| exponents.fold(1.0, f64::max))
    }

    fn named(&self, partner: Partner) -> String {
        match partner {
            Partner::Particle(id) => {
                let particles = &self.engine.particles();
                let group = particles.slot(id).map_or("", |slot| {
                    let group = usize::from(particles.metadata[slot].group);
                    self.groups.get(group).map_or("", String::as_str)
                });
                format!("particle {id} of `{group}`")
            }
            Partner::Wall(wall) => {
                format!("wall `{}`", self.engine.walls()[wall.index()].wall.name)
            }
        }
    }
}
