//! One heavy sphere without rotation on a floor: k_t u is 7e5 N/s, so that the tangential spring grows
//! from the dynamic to the static limit, 20 N apart, in 30 µs. The time steps lie on both sides of that.

pub(crate) use crate::common::*;
use esker::law::tangential::{
    Form, Incremental, Mindlin, RollingMapped, SlidingTorsion, SlipRule, SpringDashpot,
};
use esker::prelude::*;

/// Radius of the sphere [m].
pub(crate) const LARGE: f64 = 0.1;
/// Speed of the sphere at the start [m/s].
pub(crate) const SPEED: f64 = 1.5;
/// Static and dynamic coefficient of friction.
pub(crate) const AT_REST: f64 = 0.4;
pub(crate) const IN_SLIP: f64 = 0.2;
/// Rate at which friction decreases with the speed, if it does [s/m].
pub(crate) const WEAKENING: f64 = 2.0;
/// Damping ratio of the laws with a dashpot.
pub(crate) const WEAK_DASHPOT: f64 = 1e-3;
/// Time steps [s].
pub(crate) const STEPS: [f64; 5] = [1e-4, 2e-5, 5e-6, 1e-6, 1e-7];

/// Every tangential law with a spring, with a given rule.
pub(crate) fn laws(slip_rule: SlipRule) -> Vec<(&'static str, ContactModel)> {
    let total = Form::Total;
    vec![
        ("mindlin", hertz().tangential(Mindlin { slip_rule, ..Mindlin::default() })),
        (
            "spring-dashpot",
            hertz().tangential(SpringDashpot { slip_rule, ..SpringDashpot::default() }),
        ),
        (
            "rolling-mapped",
            hertz().tangential(RollingMapped { slip_rule, ..RollingMapped::default() }),
        ),
        ("incremental", hertz().tangential(Incremental { slip_rule, ..Incremental::default() })),
        (
            "incremental, total",
            hertz().tangential(Incremental { slip_rule, form: total, ..Incremental::default() }),
        ),
        // the only law with damping is evaluated by the compiled kernel of the default laws
        ("default", damped().tangential(Mindlin { slip_rule, ..Mindlin::default() })),
        (
            "sliding-torsion",
            hertz().tangential(SlidingTorsion { slip_rule, ..SlidingTorsion::default() }),
        ),
    ]
}

/// The parameters of a law with these coefficients. A dashpot hides the sawtooth at high speed, so it is a weak one.
pub(crate) fn pair(name: &str, at_rest: f64, in_slip: f64) -> Pair {
    let pair = Pair::new().static_friction(at_rest).dynamic_friction(in_slip);
    match name {
        "default" => pair.tangential_damping_ratio(WEAK_DASHPOT).damping_ratio(0.01),
        "mindlin" | "spring-dashpot" => pair.tangential_damping_ratio(WEAK_DASHPOT),
        "sliding-torsion" if at_rest > in_slip => pair.friction_weakening(WEAKENING),
        _ => pair,
    }
}

/// Stiffness of Mindlin's spring at rest [N/m].
pub(crate) fn rest_stiffness() -> f64 {
    8.0 * effective_shear_modulus() * (LARGE * rest_overlap()).sqrt()
}

/// Overlap at rest [m].
pub(crate) fn rest_overlap() -> f64 {
    overlap_under(mass(LARGE) * G, LARGE)
}

/// A sphere that slides along x on the floor, at the overlap of its weight.
pub(crate) fn block(contact: ContactModel, pair: Pair, speed: f64, step: f64) -> Scene {
    let (mut scene, material) = scene(contact, pair);
    scene.gravity = -G * Vec3::Z;
    scene.rotations = false;
    scene.add_wall("floor", floor(), material);
    let position = Vec3::Z * (LARGE - rest_overlap());
    scene.add_sphere(material, Sphere { radius: LARGE, ..sphere(position, speed * Vec3::X) });
    scene.step = StepSize::Fixed(step);
    scene
}

/// Speed after a time of sliding [m/s]: `dv/dt = -g (μ_d + Δμ e^{-Cv})`, so that
/// `μ_d e^{Cv} + Δμ` falls as `e^{-C g μ_d t}`.
pub(crate) fn speed_after(name: &str, start: f64, time: f64) -> f64 {
    if name != "sliding-torsion" {
        return start - IN_SLIP * G * time;
    }
    let more = AT_REST - IN_SLIP;
    let sum = IN_SLIP * (WEAKENING * start).exp() + more;
    let later = sum * (-WEAKENING * G * IN_SLIP * time).exp() - more;
    (later / IN_SLIP).ln() / WEAKENING
}

/// Mean friction over normal force while the sphere slides, and its theoretical value.
pub(crate) fn mean_friction(name: &str, mut simulation: Simulation, end: f64) -> [f64; 2] {
    // by then the spring has grown to the static limit and has been cut back
    run_until(&mut simulation, 5e-4);
    let (start, first) = (simulation.time(), velocity(&simulation, 0).x);
    run_until(&mut simulation, end);
    let time = simulation.time() - start;
    let mean = |last: f64| (first - last) / (G * time);
    [mean(velocity(&simulation, 0).x), mean(speed_after(name, first, time))]
}
