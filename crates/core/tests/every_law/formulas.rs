//! The forces of every law in the first evaluation of a contact are those of its formula, which is written here a second
//! time from the textbook or paper. A wrong coefficient in a law fails here; a law without a formula fails too.
//!
//! Without formula here, because they have none in closed form: the memory of the fractional law and the shape of a liquid
//! bridge, which have their own tests (`tests/fractional`, `tests/cohesion/liquid_bridge.rs`).

use crate::chain::{Chain, Touching, set, vector};
use crate::models::{RADIUS, models};
use esker::law::{Contacts, Forces, WIDTH};
use esker::prelude::*;
use std::f64::consts::PI;

// the parameters of `models.rs`
const YOUNG: f64 = 1e7;
const POISSON: f64 = 0.3;
const DENSITY: f64 = 2500.0;
const FRICTION: f64 = 0.4;
const DAMPING: f64 = 0.2;
const ROLLING: f64 = 0.3;

/// Rounding of a formula with a dozen operations, some of them powers.
const ROUNDING: f64 = 1e-11;

const DT: f64 = 1e-6;

/// E* and Mindlin's G* of two bodies of the material, and G.
fn moduli() -> [f64; 3] {
    let shear = YOUNG / (2.0 * (1.0 + POISSON));
    [YOUNG / (2.0 * (1.0 - POISSON * POISSON)), shear / (2.0 * (2.0 - POISSON)), shear]
}

/// Geometry of a contact, with the formulas of two spheres, or of a sphere and a plane if the second radius is zero.
struct Geometry {
    radii: [f64; 2],
    overlap: f64,
    /// R* and m*.
    radius: f64,
    mass: f64,
    /// 1/(1/I₁ + 1/I₂).
    inertia: f64,
    /// r₁ + r₂, the length of a strain.
    length: f64,
}

impl Geometry {
    fn new(radii: [f64; 2], overlap: f64) -> Self {
        let mass = |radius: f64| DENSITY * 4.0 / 3.0 * PI * radius.powi(3);
        let inertia = |radius: f64| 0.4 * mass(radius) * radius * radius;
        let [first, second] = radii;
        let both =
            |one: f64, other: f64| if second > 0.0 { one * other / (one + other) } else { one };
        Self {
            radii,
            overlap,
            radius: both(first, second),
            mass: both(mass(first), mass(second)),
            inertia: both(inertia(first), inertia(second)),
            length: first + second,
        }
    }

    /// Squared radius of the circle in which the surfaces intersect, by Pythagoras.
    fn lens(&self) -> f64 {
        let [first, second] = self.radii;
        if second == 0.0 {
            return first * first - (first - self.overlap).powi(2);
        }
        let distance = self.length - self.overlap;
        let to_plane = (distance * distance + first * first - second * second) / (2.0 * distance);
        first * first - to_plane * to_plane
    }

    /// Squared radius of the contact area of a law.
    fn area_square(&self, on_lens: bool) -> f64 {
        if on_lens { self.lens() } else { self.radius * self.overlap }
    }
}

/// Normal force and its derivative.
fn normal(law: &str, name: &str, at: &Geometry) -> Option<[f64; 2]> {
    let [young, ..] = moduli();
    match law {
        "hertz" => {
            let stiffness = 2.0 * young * (at.radius * at.overlap).sqrt();
            Some([4.0 / 3.0 * young * at.radius.sqrt() * at.overlap.powf(1.5), stiffness])
        }
        "linear" => Some([1e4 * at.overlap, 1e4]),
        "power-law" => {
            let area = PI * at.area_square(name.contains("lens"));
            let force = 1e7 * (at.overlap / at.length).powf(0.7) * area;
            // F = K ε^P A, and A grows in proportion to δ for Hertz's area
            let stiffness = if name.contains("lens") { f64::NAN } else { 1.7 * force / at.overlap };
            Some([force, stiffness])
        }
        "fractional" if name.contains("as a spring") => {
            Some([(1e4 + 500.0) * at.overlap, 1e4 + 500.0])
        }
        "fractional" => None,
        other => panic!("add the formula of `{other}`"),
    }
}

/// Coefficient of the normal dashpot [N s/m].
fn dashpot(law: &str, name: &str, at: &Geometry, stiffness: f64) -> f64 {
    match law {
        "" => 0.0,
        "hertz" | "linear" => 2.0 * DAMPING * (at.mass * stiffness).sqrt(),
        "area" => 1e6 * PI * at.area_square(name.contains("lens")),
        other => panic!("add the formula of `{other}`"),
    }
}

/// Attraction [N].
fn attraction(law: &str, name: &str, at: &Geometry) -> Option<f64> {
    let strain = at.overlap / at.length;
    let distance = at.length - at.overlap;
    match law {
        "adhesion" => Some(if strain > 1e-4 { 20.0 * strain.powf(1.5) } else { 0.0 }),
        "bond" => {
            let area = PI * at.area_square(name.contains("lens") || name == "bond and friction");
            Some(if strain > 2e-4 { 1e5 * strain.sqrt() * area } else { 0.0 })
        }
        "mie" => Some(1e-6 / distance.powi(2) - 1e-10 / distance.powi(4)),
        "van-der-waals" => {
            let (hamaker, asperity, closest) = (1e-17, 1e-8, 0.4e-9);
            let at_gap = |gap: f64| {
                let h = closest + gap;
                let rough = asperity / ((asperity + at.radius) * h * h);
                hamaker * at.radius / 6.0 * (rough + 1.0 / (h + asperity).powi(2))
            };
            Some(at_gap(0.0) - if name.contains("shifted") { at_gap(1e-7) } else { 0.0 })
        }
        "liquid-bridge" => None,
        other => panic!("add the formula of `{other}`"),
    }
}

/// Stiffness and dashpot of a contact that sticks.
fn stick(law: &str, name: &str, at: &Geometry, normal: f64) -> Option<[f64; 2]> {
    let [_, exact, shear] = moduli();
    let radius = (at.radius * at.overlap).sqrt();
    let spring = match law {
        "mindlin" if name.contains("ratio") => 0.8 * normal,
        // 1/G* = 1/G₁ + 1/G₂ in C15 and C16
        _ if name.contains("as printed") => 8.0 * (0.5 * shear) * radius,
        "incremental" if name.contains("conventional") => 8.0 * (2.0 / 3.0 * exact) * radius,
        _ => 8.0 * exact * radius,
    };
    match law {
        "mindlin" | "spring-dashpot" =>
        // the tangential damping ratio is that of the pair
        {
            Some([spring, 2.0 * DAMPING * (at.mass * spring).sqrt()])
        }
        "rolling-mapped" | "incremental" => Some([spring, 0.0]),
        "sliding-torsion" => (!name.contains("viscous")).then_some([spring, 0.0]),
        "penalty" => {
            let literal = 1e10 * PI * at.area_square(name.contains("in B")) * DT;
            let moving = 2.0 / 7.0 * at.mass;
            // with the whole weight of the slip at the end of the step
            let implicit = literal / (1.0 + DT * literal / moving);
            Some([0.0, if name.contains("in B") { implicit } else { literal }])
        }
        other => panic!("add the formula of `{other}`"),
    }
}

/// Rolling: spring, dashpot, and the moment at a high rate of rolling.
fn rolling(
    law: &str,
    name: &str,
    at: &Geometry,
    [force, stiffness]: [f64; 2],
    rate: f64,
) -> [f64; 3] {
    let two = if name.contains("by radius") && at.radii[1] > 0.0 { 2.0 } else { 1.0 };
    let arm = ROLLING * two * at.radius;
    let stopping = 0.5 * at.inertia * rate / DT;
    match law {
        "elastic-plastic" => {
            let spring = 2.25 * stiffness * arm * arm;
            // I₁ + m₁ R₁² = 7/5 m₁ R₁², the moment of inertia about the contact point
            let about = |radius: f64| {
                if radius > 0.0 {
                    1.0 / (1.4 * DENSITY * 4.0 / 3.0 * PI * radius.powi(5))
                } else {
                    0.0
                }
            };
            let inertia = 1.0 / (about(at.radii[0]) + about(at.radii[1]));
            [spring, 2.0 * 0.3 * (inertia * spring).sqrt(), arm * force]
        }
        "constant-torque" => [0.0, f64::NAN, (arm * force).min(stopping)],
        "arm" => {
            let contact = at.area_square(name.contains("lens")).sqrt();
            let smoothed = rate / (rate + 1e-3 / at.radius);
            [0.0, f64::NAN, (0.2 * contact * force * smoothed).min(stopping)]
        }
        other => panic!("add the formula of `{other}`"),
    }
}

const STILL: Touching = Touching {
    radii: [RADIUS; 2],
    overlap: 0.0,
    closing_speed: 0.0,
    normal: Vec3::Z,
    slip_velocity: Vec3::ZERO,
    rolling_velocity: Vec3::ZERO,
    twist_velocity: 0.0,
};

/// Deep and shallow contacts of equal and of different spheres and with a wall, all in the range of every attraction.
fn contacts() -> Vec<Touching> {
    let radii = [[RADIUS, RADIUS], [RADIUS, 0.0], [RADIUS, 0.4 * RADIUS]];
    let overlaps = [1e-5, 1e-4, 5e-4];
    let all = radii.into_iter().flat_map(|radii| overlaps.map(|overlap| (radii, overlap)));
    all.map(|(radii, overlap)| Touching { radii, overlap, ..STILL }).collect()
}

/// Forces of a contact in its first evaluation.
fn forces(model: &ContactModel, touching: &Touching, dt: f64) -> Forces {
    let mut contacts = Contacts::ZERO;
    (0..WIDTH).for_each(|c| set(&mut contacts, c, touching, dt));
    Chain::new(model).evaluate(&contacts, dt)
}

/// The differences found, one line each.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn compare(&mut self, what: &str, found: f64, expected: f64, tolerance: f64, at: &Touching) {
        if expected.is_nan() || (found - expected).abs() <= tolerance * expected.abs() {
            return;
        }
        let (radii, overlap) = (at.radii, at.overlap);
        self.0
            .push(format!("{what}: {found:e} instead of {expected:e} at {overlap:e} of {radii:?}"));
    }

    fn none(self) {
        assert!(self.0.is_empty(), "{} differences:\n{}", self.0.len(), self.0.join("\n"));
    }
}

fn name_of(model: Option<&std::sync::Arc<dyn esker::law::Model>>) -> &str {
    model.map_or("", |model| model.name())
}

#[test]
fn normal_force_stiffness_damping_and_attraction_follow_their_formulas() {
    let mut differences = Differences::default();
    for (name, model) in models() {
        for contact in contacts() {
            let at = Geometry::new(contact.radii, contact.overlap);
            let (law, damping) = (name_of(model.normal.as_ref()), name_of(model.damping.as_ref()));
            let Some([force, stiffness]) = normal(law, name, &at) else { continue };
            let found = forces(&model, &contact, DT);
            let mut compare = |what: &str, found: f64, expected: f64| {
                let what = format!("{name}, {what}");
                differences.compare(&what, found, expected, ROUNDING, &contact);
            };
            compare("normal force", found.elastic[0], force);
            compare("stiffness", found.normal_stiffness[0], stiffness);
            // so slow that the tensile cut-off does not act
            let closing_speed = 1e-6;
            let moving = forces(&model, &Touching { closing_speed, ..contact }, DT);
            let expected = dashpot(damping, name, &at, found.normal_stiffness[0]);
            compare("dashpot", moving.damping[0] / closing_speed, expected);
            let attractions: Option<Vec<f64>> =
                model.cohesion.iter().map(|law| attraction(law.name(), name, &at)).collect();
            if let Some(all) = attractions {
                compare("attraction", found.cohesion[0], all.iter().sum());
            }
        }
    }
    differences.none();
}

#[test]
fn a_contact_that_sticks_and_one_that_slides_follow_their_formulas() {
    let mut differences = Differences::default();
    for (name, model) in models() {
        let law = name_of(model.tangential.as_ref());
        // the bond adds a force without a limit
        let has_bond = model.cohesion.iter().any(|law| law.name() == "bond");
        for contact in contacts() {
            let at = Geometry::new(contact.radii, contact.overlap);
            let still = forces(&model, &contact, DT);
            let slow = 1e-7;
            let slip_velocity = slow * Vec3::X;
            let found = forces(&model, &Touching { slip_velocity, ..contact }, DT);
            let force = -vector(&found.tangential, 0).x / slow;
            let bond = if has_bond && at.overlap / at.length > 2e-4 {
                1e9 * PI * at.area_square(name.contains("lens") || name == "bond and friction") * DT
            } else {
                0.0
            };
            let expected = match law {
                "" => Some([0.0; 2]),
                law => stick(law, name, &at, still.normal_stiffness[0]),
            };
            if let Some([spring, dashpot]) = expected {
                let expected = spring * DT + dashpot + bond;
                differences.compare(&format!("{name}, stick"), force, expected, ROUNDING, &contact);
            }
            if law.is_empty() {
                continue;
            }
            let attracts = if name == "every attraction" { still.cohesion[0] } else { 0.0 };
            let limit = FRICTION * (still.elastic[0] + attracts);
            // so fast that every spring is beyond its limit; viscous friction reaches it asymptotically
            let fast = 1e4;
            let slip_velocity = fast * Vec3::X;
            let found = forces(&model, &Touching { slip_velocity, ..contact }, DT);
            let found = -vector(&found.tangential, 0).x - fast * bond;
            differences.compare(&format!("{name}, slip"), found, limit, 1e-9, &contact);
        }
    }
    differences.none();
}

#[test]
fn rolling_resistance_and_torsion_follow_their_formulas() {
    let mut differences = Differences::default();
    for (name, model) in models() {
        let roller = name_of(model.rolling.as_ref());
        let is_torsion = name_of(model.tangential.as_ref()) == "sliding-torsion";
        for contact in contacts() {
            let at = Geometry::new(contact.radii, contact.overlap);
            let still = forces(&model, &contact, DT);
            let normal = [still.elastic[0], still.normal_stiffness[0]];
            let moment = |rate: f64| {
                let touching = Touching { rolling_velocity: rate * Vec3::X, ..contact };
                -vector(&forces(&model, &touching, DT).moment, 0).x
            };
            if !roller.is_empty() {
                let [spring, dashpot, _] = rolling(roller, name, &at, normal, 0.0);
                let slow = 1e-7;
                let what = format!("{name}, rolling below the limit");
                let expected = spring * DT + dashpot;
                differences.compare(&what, moment(slow) / slow, expected, ROUNDING, &contact);
                for fast in [0.01, 1e6] {
                    let [spring, dashpot, limit] = rolling(roller, name, &at, normal, fast);
                    let is_spring = spring * fast * DT < limit;
                    let expected = if is_spring { f64::NAN } else { limit };
                    let expected = if dashpot.is_nan() { limit } else { expected };
                    let what = format!("{name}, rolling at {fast} rad/s");
                    differences.compare(&what, moment(fast), expected, 1e-9, &contact);
                }
            }
            if !is_torsion {
                continue;
            }
            let torque = |rate: f64| {
                let touching = Touching { twist_velocity: rate, ..contact };
                -vector(&forces(&model, &touching, DT).moment, 0).z
            };
            let is_viscous = name.contains("viscous");
            let square = at.area_square(is_viscous);
            if !is_viscous {
                let [spring, _] = stick("sliding-torsion", name, &at, 0.0).unwrap_or_default();
                let what = format!("{name}, twist");
                // M = ½ k_t a² Δθ
                let expected = 0.5 * spring * square * DT;
                differences.compare(&what, torque(1e-7) / 1e-7, expected, ROUNDING, &contact);
            }
            // torque of a spinning disc in units of μ N a: ∫ p r² dr/(a ∫ p r dr) with a uniform pressure and Hertz's
            let disc = if is_viscous { 3.0 * PI / 16.0 } else { 2.0 / 3.0 };
            let limit = disc * FRICTION * normal[0] * square.sqrt();
            let what = format!("{name}, spin");
            // the approximation of the curve of a disc has this error
            differences.compare(&what, torque(1e6), limit, 1e-4, &contact);
        }
    }
    differences.none();
}
