//! The laws under test: one row for each law and each of its options that changes a force.

use esker::law::PairContext;
use esker::law::Transport;
use esker::law::damping::{AreaDamping, HertzDamping, LinearDamping, Tension};
use esker::law::normal::{Area, Hertz, Linear, PowerLaw};
use esker::law::rolling::{ConstantTorque, ElasticPlastic, RollingLever};
use esker::law::tangential::{FrictionLimit, Mindlin, Stiffness};
use esker::prelude::*;

/// Each law with the laws that it builds on, and its settings.
pub(crate) fn models() -> Vec<(&'static str, ContactModel)> {
    let hertz = || ContactModel::normal(Hertz::default());
    let linear = || ContactModel::normal(Linear::default());
    let clip = || ContactModel::normal(Hertz { tension: Tension::Clip });
    let release = Tension::Release;
    let power_law = || ContactModel::normal(PowerLaw::default());
    let lens = |tension| ContactModel::normal(PowerLaw { area: Area::Lens, tension });
    let mindlin = Mindlin::default();
    let ratio = Mindlin { stiffness: Stiffness::Ratio(0.8), ..mindlin };
    let printed =
        Mindlin { stiffness: Stiffness::Printed, transport: Transport::Project, ..mindlin };
    let elastic = Mindlin {
        friction_limit: FrictionLimit::Elastic,
        transport: Transport::ProjectRescale,
        ..mindlin
    };
    let damped = || hertz().damping(HertzDamping::default());
    let by_radius = ConstantTorque { lever: RollingLever::Radius };
    let projected = ElasticPlastic { transport: Transport::Project, ..ElasticPlastic::default() };
    vec![
        ("hertz", hertz()),
        ("linear", linear()),
        ("hertz damping", damped()),
        ("hertz damping without tension", clip().damping(HertzDamping::default())),
        (
            "hertz damping, released",
            ContactModel::normal(Hertz { tension: release }).damping(HertzDamping::default()),
        ),
        ("power law", power_law()),
        ("power law on a lens", lens(Tension::Keep)),
        ("area damping", power_law().damping(AreaDamping::default())),
        ("area damping on a lens, released", lens(release).damping(AreaDamping::default())),
        ("linear damping", linear().damping(LinearDamping::default())),
        ("mindlin", hertz().tangential(mindlin)),
        ("mindlin, damped", damped().tangential(mindlin)),
        ("mindlin, ratio on a linear spring", linear().tangential(ratio)),
        ("mindlin as printed", damped().tangential(printed)),
        ("mindlin, elastic limit", damped().tangential(elastic)),
        ("constant torque", hertz().rolling(ConstantTorque::default())),
        ("constant torque by radius", damped().rolling(by_radius)),
        ("elastic-plastic", hertz().rolling(ElasticPlastic::default())),
        ("elastic-plastic, damped", damped().rolling(projected)),
        ("all", damped().tangential(mindlin).rolling(ElasticPlastic::default())),
    ]
}

pub(crate) fn material() -> Material {
    Material { density: 2500.0, young_modulus: 1e7, poisson_ratio: 0.3, ..Material::default() }
}

/// Every parameter that a law may ask for.
const PARAMETERS: [(&str, f64); 7] = [
    ("contact_modulus", 1e7),
    ("strain_exponent", 0.7),
    ("area_damping", 1e6),
    ("normal_stiffness", 1e4),
    ("damping_ratio", 0.2),
    ("friction", 0.4),
    ("rolling_friction", 0.3),
];

/// The parameters that the laws of a model ask for.
pub(crate) fn pair(model: &ContactModel) -> Pair {
    let material = material();
    let full = PARAMETERS.iter().fold(Pair::new(), |pair, (name, value)| pair.with(name, *value));
    let mut context =
        PairContext::new(["a", "a"], [&material; 2], &full, "pair", [0.01, 0.01], true);
    for model in model.models() {
        model.for_pair(&mut context);
    }
    let unused: Vec<String> = context.finish().into_iter().map(|problem| problem.path).collect();
    let used = PARAMETERS.iter().filter(|(name, _)| !unused.contains(&format!("pair.{name}")));
    used.fold(Pair::new(), |pair, (name, value)| pair.with(name, *value))
}
