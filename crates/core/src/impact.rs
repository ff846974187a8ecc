//! Extreme encounters in a scene: the hardest impact and the shortest contact.

use crate::law::{Encounter, Law};
use crate::simulation::Simulation;
use crate::time_step::SLOWEST;

/// The hardest impact that can occur in a scene.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, RADIUS};
/// use esker::prelude::*;
/// use esker::{HardestImpact, ShortestEncounter};
///
/// let grains = [-1.0, 1.0].map(|side| Sphere {
///     velocity: Vec3::X * -0.1 * side,
///     ..Sphere::new(RADIUS, Vec3::X * 0.1 * side)
/// });
/// let contact = ContactModel::normal(Hertz::default());
/// let simulation = simulation(contact, Pair::new(), grains.to_vec());
/// let hardest: HardestImpact = simulation.hardest_impact().unwrap();
/// assert!(hardest.speed > 0.0 && hardest.fraction < 0.1);
/// let shortest: ShortestEncounter = simulation.shortest_encounter().unwrap();
/// assert!(shortest.contact_time > simulation.dt());
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct HardestImpact {
    /// Names of the two materials.
    pub between: [String; 2],
    /// Speed of the approach: the largest that can occur [m/s].
    pub speed: f64,
    /// Largest overlap of an elastic impact at this speed, as a fraction of the smaller radius.
    pub fraction: f64,
    /// Factor of the stiffness for which the overlap would be half the limit.
    pub stiffer: f64,
    /// The setting of the stiffness, in brackets; empty if the law has another one.
    pub key: &'static str,
}

/// The encounter with the shortest contact.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ShortestEncounter {
    /// Names of the two materials.
    pub between: [String; 2],
    /// Radius of the particle [m].
    pub radius: f64,
    /// Radius of its partner; none at a wall [m].
    pub partner_radius: Option<f64>,
    /// Speed of the approach [m/s].
    pub speed: f64,
    /// Duration of the contact [s].
    pub contact_time: f64,
}

impl Simulation {
    /// The impact with the largest overlap among all pairs of materials that can meet, at the largest
    /// speed that can occur; none if no law provides it.
    pub fn hardest_impact(&self) -> Option<HardestImpact> {
        let speed = self.advice.speed;
        let mut hardest: Option<HardestImpact> = None;
        self.for_each_encounter(speed, |laws, between, encounter| {
            let overlaps = laws.iter().filter_map(|law| law.impact_overlap(encounter));
            let [own, partner] = encounter.radii;
            let smaller = if partner > 0.0 { own.min(partner) } else { own };
            let fraction = overlaps.fold(0.0, f64::max) / smaller;
            if fraction > hardest.as_ref().map_or(0.0, |found| found.fraction) {
                let power = 1.0 + laws.iter().map(|law| law.force_exponent()).fold(1.0, f64::max);
                let aim = 0.5 * self.scene.health.overlap_limit;
                hardest = Some(HardestImpact {
                    between: between.map(|id| self.scene.materials[id].0.clone()),
                    speed,
                    fraction,
                    stiffer: libm::ceil(libm::pow(fraction / aim, power)),
                    key: self.stiffness_key(),
                });
            }
        });
        hardest
    }

    /// The pair of materials, and the radii of its smallest particles, with the shortest contact; it determines the
    /// automatic time step unless another criterion gives a shorter one.
    pub fn shortest_encounter(&self) -> Option<ShortestEncounter> {
        let mut shortest: Option<ShortestEncounter> = None;
        let speed = self.advice.speed;
        self.for_each_encounter(speed, |laws, between, encounter| {
            let sound = self.scene.materials[between[0]].1.speed_of_sound();
            let slowest = sound.map_or(0.0, |sound| SLOWEST * sound);
            let encounter = Encounter { speed: speed.max(slowest), ..*encounter };
            let times = laws.iter().filter_map(|law| law.contact_time(&encounter));
            let contact_time = times.fold(f64::INFINITY, f64::min);
            if contact_time < shortest.as_ref().map_or(f64::INFINITY, |found| found.contact_time) {
                let [radius, partner] = encounter.radii;
                shortest = Some(ShortestEncounter {
                    between: between.map(|id| self.scene.materials[id].0.clone()),
                    radius,
                    partner_radius: (partner > 0.0).then_some(partner),
                    speed: encounter.speed,
                    contact_time,
                });
            }
        });
        shortest
    }

    /// Calls `visit` with the laws, the materials and the encounter for all pairs of materials that can meet: of the
    /// smallest and of the largest particles, with each other and with a wall.
    fn for_each_encounter(
        &self,
        speed: f64,
        mut visit: impl FnMut(&[Box<dyn Law>], [usize; 2], &Encounter),
    ) {
        let radii = self.radii_by_material();
        let is_wall = |id: usize| self.scene.all_walls().any(|wall| wall.material.index() == id);
        for pair in &self.engine.table().pairs {
            let [first, second] = pair.materials.map(|id| id.index());
            for between in [[first, second], [second, first]] {
                for size in 0..2 {
                    let Some(radius) = radii[between[0]].map(|radii| radii[size]) else { continue };
                    let partner = radii[between[1]].map(|radii| radii[size]);
                    let wall = is_wall(between[1]).then_some(None);
                    for partner in partner.map(Some).into_iter().chain(wall) {
                        visit(
                            &pair.laws,
                            between,
                            &self.encounter(between, radius, partner, speed),
                        );
                    }
                }
            }
        }
    }

    fn encounter(
        &self,
        materials: [usize; 2],
        radius: f64,
        partner: Option<f64>,
        speed: f64,
    ) -> Encounter {
        let [own, other] = materials.map(|id| &self.scene.materials[id].1);
        let inverse_mass = 1.0 / own.sphere_mass(radius)
            + partner.map_or(0.0, |partner| 1.0 / other.sphere_mass(partner));
        Encounter {
            radii: [radius, partner.unwrap_or(0.0)],
            effective_radius: 1.0 / (1.0 / radius + partner.map_or(0.0, |partner| 1.0 / partner)),
            effective_mass: 1.0 / inverse_mass,
            speed,
            radius_sum: radius + partner.unwrap_or(0.0),
        }
    }

    /// Smallest and largest radius of the free particles of each material, including those to be inserted [m].
    fn radii_by_material(&self) -> Vec<Option<[f64; 2]>> {
        let mut radii: Vec<Option<[f64; 2]>> = vec![None; self.scene.materials.len()];
        let mut update = |material: u16, low: f64, high: f64| {
            if let Some(range) = radii.get_mut(usize::from(material)) {
                let [least, most] = range.unwrap_or([low, high]);
                *range = Some([least.min(low), most.max(high)]);
            }
        };
        let particles = self.whole().engine.particles();
        for (record, metadata) in particles.records.iter().zip(&particles.metadata) {
            if record.inverse_mass > 0.0 {
                update(metadata.material, record.radius, record.radius);
            }
        }
        for source in self.scene.all_sources().filter(|source| !source.fixed) {
            update(source.material.number(), source.smallest_radius(), source.largest_radius());
        }
        radii
    }
}
