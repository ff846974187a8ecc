//! Attraction between the materials of a scene, relative to their repulsion.

use crate::kernel::laws::PairLaws;
use crate::law::{Column, Contacts, Forces, Law, Step, StoredHistory, UntypedHistory, WIDTH};
use crate::material::MaterialId;
use crate::scene::Scene;
use crate::simulation::Simulation;

/// Attraction between the smallest particles of two materials, or of the smallest particle to a wall.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, RADIUS};
/// use esker::Attraction;
/// use esker::prelude::*;
///
/// let contact = ContactModel::normal(Hertz::default()).cohesion(cohesion::VanDerWaals::default());
/// let pair = Pair::new().hamaker_constant(6.5e-20).asperity_radius(0.0);
/// let simulation = simulation(contact, pair, vec![Sphere::new(RADIUS, Vec3::ZERO)]);
/// let found: Vec<Attraction> = simulation.attractions();
/// // H R* / 6 h₀² with R* = RADIUS / 2
/// let expected = 6.5e-20 * 0.5 * RADIUS / (6.0 * 0.4e-9_f64.powi(2));
/// assert!(found.iter().any(|one| (one.at_touch / expected - 1.0).abs() < 1e-6), "{found:?}");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Attraction {
    /// Names of the materials.
    pub between: [String; 2],
    /// True if the second partner is a wall.
    pub at_wall: bool,
    /// Radii; the second is zero for a wall [m].
    pub radii: [f64; 2],
    /// Largest gap at which any law acts [m].
    pub interaction_range: f64,
    /// Attraction of touching surfaces [N].
    pub at_touch: f64,
    /// Attraction at touch divided by the weight of the lighter partner; none without gravity.
    pub bond_number: Option<f64>,
    /// Attraction divided by elastic repulsion at the largest overlap that the scene allows; none if there is no
    /// repulsion or attraction.
    pub fraction_at_limit: Option<f64>,
}

/// Overlap at which surfaces count as touching, as a fraction of the smaller radius.
const TOUCH: f64 = 1e-12;

impl Simulation {
    /// The attractions of all pairs of materials with attraction.
    pub fn attractions(&self) -> Vec<Attraction> {
        let mut found = Vec::new();
        for pair in &self.engine.table().pairs {
            for [own, other] in distinct(pair.materials) {
                let Some(radius) = smallest_radius(&self.scene, own) else { continue };
                let partner = smallest_radius(&self.scene, other);
                if let Some(partner) = partner.filter(|_| own <= other) {
                    found.extend(attraction(&self.scene, pair, [own, other], [radius, partner]));
                }
                if self.scene.all_walls().any(|wall| wall.material == other) {
                    found.extend(attraction(&self.scene, pair, [own, other], [radius, 0.0]));
                }
            }
        }
        found
    }

    /// Warns of attractions that exceed the elastic force.
    pub(crate) fn warn_of_collapse(&mut self) {
        for found in self.attractions() {
            let Some(fraction) = found.fraction_at_limit.filter(|fraction| *fraction > 1.0) else {
                continue;
            };
            let partner = if found.at_wall { "a wall of " } else { "" };
            let warning = format!(
                "`{}` and {partner}`{}`: at an overlap of {} of the radius, the limit, the \
                 attraction is {fraction:.3} times the elastic repulsion of the smallest particle \
                 ({:.3e} m), so that such a contact collapses; divide the attraction by more than \
                 {fraction:.3}, or use stiffer materials",
                found.between[0], found.between[1], self.scene.health.overlap_limit, found.radii[0],
            );
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }
}

/// Both orders of two different materials, or one of equal ones.
fn distinct([first, second]: [MaterialId; 2]) -> impl Iterator<Item = [MaterialId; 2]> {
    let swapped = (first != second).then_some([second, first]);
    std::iter::once([first, second]).chain(swapped)
}

/// Radius of the smallest particle of a material in the scene, insertions included.
fn smallest_radius(scene: &Scene, material: MaterialId) -> Option<f64> {
    let sources = scene.all_sources().filter(|source| source.material == material);
    let radius = sources.map(|source| source.smallest_radius()).fold(f64::INFINITY, f64::min);
    radius.is_finite().then_some(radius)
}

fn attraction(
    scene: &Scene,
    pair: &PairLaws,
    materials: [MaterialId; 2],
    radii: [f64; 2],
) -> Option<Attraction> {
    let mut contacts = Contacts::ZERO;
    let at_wall = radii[1] == 0.0;
    let smaller = if at_wall { radii[0] } else { radii[0].min(radii[1]) };
    let limit = scene.health.overlap_limit;
    for c in 0..WIDTH {
        set_lane(&mut contacts, c, radii, smaller * if c == 0 { TOUCH } else { limit });
    }
    let forces = evaluate(&pair.laws, &contacts);
    let at_touch = forces.cohesion[0];
    let [attraction, repulsion] = [forces.cohesion[1], forces.elastic[1]];
    let fraction_at_limit = (attraction > 0.0 && repulsion > 0.0).then(|| attraction / repulsion);
    if at_touch == 0.0 && fraction_at_limit.is_none() {
        return None;
    }
    let of = |id: MaterialId| &scene.materials[id.index()];
    let weight =
        |id: MaterialId, radius: f64| of(id).1.sphere_mass(radius) * scene.gravity.length();
    let own = weight(materials[0], radii[0]);
    let lighter = if at_wall { own } else { own.min(weight(materials[1], radii[1])) };
    Some(Attraction {
        between: materials.map(|id| of(id).0.clone()),
        at_wall,
        radii,
        interaction_range: pair.interaction_range,
        at_touch,
        bond_number: (lighter > 0.0).then(|| at_touch / lighter),
        fraction_at_limit,
    })
}

/// Sets a lane to two partners at rest.
fn set_lane(contacts: &mut Contacts, c: usize, radii: [f64; 2], overlap: f64) {
    let inverse = |radius: f64| if radius > 0.0 { 1.0 / radius } else { 0.0 };
    contacts.overlap[c] = overlap;
    contacts.normal[2][c] = 1.0;
    contacts.distance[c] = radii[0] + radii[1] - overlap;
    contacts.effective_radius[c] = 1.0 / (inverse(radii[0]) + inverse(radii[1]));
    contacts.effective_mass[c] = 1.0;
    for body in 0..2 {
        contacts.radius[body][c] = radii[body];
        contacts.moment_arm[body][c] = radii[body];
    }
    contacts.inverse_mass[0][c] = 1.0;
    contacts.inverse_inertia[0][c] = 1.0;
}

/// Forces of a chunk of new contacts.
fn evaluate(laws: &[Box<dyn Law>], contacts: &Contacts) -> Forces {
    let mut forces = Forces::ZERO;
    let step = Step::at_accepted_state(0.0);
    for law in laws {
        let width: usize = law.history().0.iter().map(|field| field.width).sum();
        let old: Vec<Column> = vec![[0.0; WIDTH]; width];
        let mut new = old.clone();
        let history = UntypedHistory { old: &old, new: &mut new, stored: StoredHistory::NONE };
        law.evaluate_columns(contacts, &step, history, &mut forces);
    }
    forces
}
