//! The laws under test: one row for each law and each of its options that changes a force.

use esker::law::PairContext;
use esker::law::Transport;
use esker::law::cohesion::{
    Adhesion, Bond, Formation, LiquidBridge, Mie, Profile, Truncation, VanDerWaals,
};
use esker::law::damping::{AreaDamping, HertzDamping, LinearDamping, TensileCutoff};
use esker::law::normal::{Area, Fractional, Hertz, Linear, MemoryKind, PowerLaw};
use esker::law::rolling::{Arm, ConstantTorque, ElasticPlastic, RollingForce, RollingMomentArm};
use esker::law::tangential::{
    Direction, ElasticDisplacement, Form, FrictionLimit, Incremental, Mindlin, Penalty,
    PressureShape, Return, RollingMapped, SlidingTorsion, SpringDashpot, Stick, Stiffness,
    StiffnessAt, TorsionStick,
};
use esker::prelude::*;

/// Each law with the laws that it builds on, and its settings.
pub(crate) fn models() -> Vec<(&'static str, ContactModel)> {
    let hertz = || ContactModel::normal(Hertz::default());
    let linear = || ContactModel::normal(Linear::default());
    let keep = || ContactModel::normal(Hertz { tension: TensileCutoff::Keep });
    let release = TensileCutoff::Release;
    let power_law = || ContactModel::normal(PowerLaw::default());
    let lens = |tension| ContactModel::normal(PowerLaw { area: Area::Lens, tension });
    let spring_pot = Fractional {
        order: Some(0.3),
        horizon: Some(10.0),
        shortest_step: Some(1e-6),
        ..Fractional::default()
    };
    let direct = Fractional {
        memory: MemoryKind::Direct,
        intervals: Some(40),
        horizon: None,
        shortest_step: None,
        ..spring_pot
    };
    let fractional = ContactModel::normal;
    let mindlin = Mindlin::default();
    let ratio = Mindlin { stiffness: Stiffness::Ratio(0.8), ..mindlin };
    let printed =
        Mindlin { stiffness: Stiffness::Printed, transport: Transport::Project, ..mindlin };
    let elastic = Mindlin {
        friction_limit: FrictionLimit::Elastic,
        transport: Transport::ProjectRescale,
        ..mindlin
    };
    let campello = SpringDashpot {
        stiffness: Stiffness::Printed,
        transport: Transport::Project,
        return_rule: Return::WithDashpot,
        ..SpringDashpot::default()
    };
    let bandeira = Penalty {
        area: Area::Lens,
        stick: Stick::Implicit,
        friction_limit: FrictionLimit::Elastic,
    };
    let incremental = Incremental::default();
    let conventional = Incremental {
        elastic_displacement: ElasticDisplacement::Conventional,
        shear_factor: 2.0 / 3.0,
        transport: Transport::Project,
        ..incremental
    };
    let left = Incremental {
        stiffness_at: StiffnessAt::Left,
        direction: Direction::Displacement,
        ..incremental
    };
    let mid = Incremental {
        stiffness_at: StiffnessAt::Mid,
        direction: Direction::Velocity,
        record_sliding: true,
        ..incremental
    };
    let torsion = SlidingTorsion::default();
    let viscous = SlidingTorsion {
        stick: TorsionStick::Viscous,
        area: Area::Lens,
        pressure: PressureShape::Hertz,
        ..torsion
    };
    let rescaled = SlidingTorsion { rescale: true, record_sliding: true, ..torsion };
    let damped = || hertz().damping(HertzDamping::default());
    let by_radius = ConstantTorque { moment_arm: RollingMomentArm::Radius };
    let projected = ElasticPlastic { transport: Transport::Project, ..ElasticPlastic::default() };
    vec![
        ("hertz", hertz()),
        ("linear", linear()),
        ("hertz damping", damped()),
        ("hertz damping with tension", keep().damping(HertzDamping::default())),
        (
            "hertz damping, released",
            ContactModel::normal(Hertz { tension: release }).damping(HertzDamping::default()),
        ),
        ("power law", power_law()),
        ("power law on a lens", lens(TensileCutoff::Keep)),
        ("area damping", power_law().damping(AreaDamping::default())),
        ("area damping on a lens, released", lens(release).damping(AreaDamping::default())),
        ("linear damping", linear().damping(LinearDamping::default())),
        ("fractional", fractional(spring_pot)),
        ("fractional, direct", fractional(direct)),
        ("fractional, released", fractional(Fractional { tension: release, ..spring_pot })),
        ("fractional as a spring", fractional(Fractional { order: Some(0.0), ..spring_pot })),
        ("fractional as a dashpot", fractional(Fractional { order: Some(1.0), ..spring_pot })),
        ("fractional with friction", fractional(spring_pot).tangential(mindlin)),
        ("mindlin", hertz().tangential(mindlin)),
        ("mindlin, damped", damped().tangential(mindlin)),
        ("mindlin, ratio on a linear spring", linear().tangential(ratio)),
        ("mindlin as printed", damped().tangential(printed)),
        ("mindlin, elastic limit", damped().tangential(elastic)),
        ("mindlin, rescaled", hertz().tangential(Mindlin { rescale: true, ..mindlin })),
        ("spring-dashpot", damped().tangential(SpringDashpot::default())),
        ("spring-dashpot as printed", damped().tangential(campello)),
        ("rolling-mapped", damped().tangential(RollingMapped::default())),
        ("penalty", damped().tangential(Penalty::default())),
        ("penalty as in B", damped().tangential(bandeira)),
        ("incremental", hertz().tangential(incremental)),
        ("incremental, conventional", damped().tangential(conventional)),
        ("incremental, left, against the displacement", hertz().tangential(left)),
        ("incremental, mid, against the velocity", hertz().tangential(mid)),
        ("incremental, rescaled", hertz().tangential(Incremental { rescale: true, ..incremental })),
        (
            "incremental, total",
            hertz().tangential(Incremental { form: Form::Total, ..incremental }),
        ),
        ("sliding-torsion", hertz().tangential(torsion)),
        ("sliding-torsion, viscous on the lens", damped().tangential(viscous)),
        ("sliding-torsion, rescaled", hertz().tangential(rescaled)),
        ("arm", damped().rolling(Arm::default())),
        ("arm on the lens", hertz().rolling(Arm { area: Area::Lens, ..Arm::default() })),
        (
            "arm with the printed rolling force",
            hertz().rolling(Arm { force: RollingForce::Printed, ..Arm::default() }),
        ),
        ("constant torque", hertz().rolling(ConstantTorque::default())),
        ("constant torque by radius", damped().rolling(by_radius)),
        ("elastic-plastic", hertz().rolling(ElasticPlastic::default())),
        ("elastic-plastic, damped", damped().rolling(projected)),
        ("all", damped().tangential(mindlin).rolling(ElasticPlastic::default())),
    ]
    .into_iter()
    .chain(cohesions())
    .collect()
}

/// The attractions, on Hertz's law.
pub(crate) fn cohesions() -> Vec<(&'static str, ContactModel)> {
    let hertz = || ContactModel::normal(Hertz::default());
    let persistent = Adhesion { persistent: true };
    let lens = Bond { area: Area::Lens };
    let shell = LiquidBridge { formation: Formation::Shell };
    let sharp = Mie { truncation: Truncation::Sharp };
    let waals = VanDerWaals::default();
    let constant = VanDerWaals { profile: Profile::Constant, ..waals };
    let shifted = VanDerWaals { shifted: true, ..waals };
    let with_cohesion =
        Mindlin { friction_limit: FrictionLimit::WithCohesion, ..Mindlin::default() };
    let damped = || hertz().damping(HertzDamping::default());
    vec![
        ("adhesion", hertz().cohesion(Adhesion::default())),
        ("persistent adhesion", hertz().cohesion(persistent)),
        ("bond", hertz().cohesion(Bond::default())),
        ("bond by the lens", hertz().cohesion(lens)),
        ("mie", hertz().cohesion(Mie::default())),
        ("mie, cut off", hertz().cohesion(sharp)),
        ("van der waals", hertz().cohesion(waals)),
        ("van der waals, constant", hertz().cohesion(constant)),
        ("van der waals, shifted", hertz().cohesion(shifted)),
        ("liquid bridge", hertz().cohesion(LiquidBridge::default())),
        ("liquid bridge in the shell", hertz().cohesion(shell)),
        ("bond and friction", damped().cohesion(lens).tangential(Mindlin::default())),
        (
            "every attraction",
            damped()
                .cohesion(persistent)
                .cohesion(Bond::default())
                .cohesion(Mie::default())
                .cohesion(waals)
                .cohesion(LiquidBridge::default())
                .tangential(with_cohesion)
                .rolling(ElasticPlastic::default()),
        ),
    ]
}

/// Radius given to the laws [m].
pub(crate) const RADIUS: f64 = 0.01;

pub(crate) fn material() -> Material {
    Material::new().density(2500.0).young_modulus(1e7).poisson_ratio(0.3)
}

/// Every parameter that a law may use.
const PARAMETERS: &[(&str, f64)] = &[
    ("normal_viscosity", 10.0),
    ("parallel_stiffness", 500.0),
    ("contact_modulus", 1e7),
    ("strain_exponent", 0.7),
    ("area_damping", 1e6),
    ("normal_stiffness", 1e4),
    ("damping_ratio", 0.2),
    ("friction", 0.4),
    ("rolling_friction", 0.3),
    ("friction_penalty", 1e10),
    ("rolling_arm", 0.2),
    ("smoothing_speed", 1e-3),
    // attractions so weak that spheres of a centimetre still rebound
    ("adhesion_coefficient", 20.0),
    ("adhesion_exponent", 1.5),
    ("adhesion_critical_strain", 1e-4),
    ("bond_stiffness", 1e5),
    ("bond_exponent", 0.5),
    ("bond_critical_strain", 2e-4),
    ("rotational_bond_stiffness", 1e9),
    ("mie_attraction", 1e-6),
    ("mie_attraction_exponent", 2.0),
    ("mie_repulsion", 1e-10),
    ("mie_repulsion_exponent", 4.0),
    ("mie_cutoff", 0.03),
    ("hamaker_constant", 1e-17),
    ("asperity_radius", 1e-8),
    ("van_der_waals_cutoff", 1e-7),
    ("surface_tension", 0.07),
    ("bridge_volume", 0.01),
    ("rolling_arm", 0.2),
    ("smoothing_speed", 1e-3),
];

/// The parameters used by the laws of a model.
pub(crate) fn pair(model: &ContactModel) -> Pair {
    let material = material();
    let full = PARAMETERS.iter().fold(Pair::new(), |pair, (name, value)| pair.with(name, *value));
    let mut context =
        PairContext::new(["a", "a"], [&material; 2], &full, "pair", [RADIUS; 2], true);
    for model in model.models() {
        model.for_pair(&mut context);
    }
    let unused: Vec<String> = context.finish().into_iter().map(|problem| problem.path).collect();
    let used = PARAMETERS.iter().filter(|(name, _)| !unused.contains(&format!("pair.{name}")));
    used.fold(Pair::new(), |pair, (name, value)| pair.with(name, *value))
}

/// Returns true if the normal forces of a model are conservative.
pub(crate) fn is_elastic(model: &ContactModel) -> bool {
    let word = model.normal.as_ref().map_or("", |normal| normal.name());
    model.damping.is_none() && word != "fractional"
}
