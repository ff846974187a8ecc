"""The tables of a scene as types, for completion and for type checkers. Written by `tools/tables.py` from the JSON
schema of scene files (`esker schema`); do not edit."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

Number: TypeAlias = float | np.floating[Any] | np.integer[Any]
"""A number, of Python or NumPy."""
Count: TypeAlias = int | np.integer[Any]
"""A whole number."""
Vector: TypeAlias = Sequence[Number] | NDArray[Any]
"""Numbers in a list, a tuple or an array."""


class ContactCohesionAdhesionPersistentChoice(TypedDict):
    """Adhesion by `adhesion_coefficient` k [N], `adhesion_exponent` β and `adhesion_critical_strain` ε_c of the
    pair."""

    persistent: NotRequired[bool]
    """True if the attraction persists, once the critical strain was reached, until the surfaces separate."""


class ContactCohesionAdhesionChoice(TypedDict):
    """Adhesion by `adhesion_coefficient` k [N], `adhesion_exponent` β and `adhesion_critical_strain` ε_c of the
    pair."""

    adhesion: ContactCohesionAdhesionPersistentChoice
    """Adhesion by `adhesion_coefficient` k [N], `adhesion_exponent` β and `adhesion_critical_strain` ε_c of the
    pair."""


class ContactCohesionBondAreaChoice(TypedDict):
    """Bond by `bond_stiffness` K_nb [Pa], `bond_exponent` p, `bond_critical_strain` ε* and
    `rotational_bond_stiffness` K_rb [N/m³] of the pair."""

    area: NotRequired[Literal["hertz", "lens"]]
    """The area A."""


class ContactCohesionBondChoice(TypedDict):
    """Bond by `bond_stiffness` K_nb [Pa], `bond_exponent` p, `bond_critical_strain` ε* and
    `rotational_bond_stiffness` K_rb [N/m³] of the pair."""

    bond: ContactCohesionBondAreaChoice
    """Bond by `bond_stiffness` K_nb [Pa], `bond_exponent` p, `bond_critical_strain` ε* and
    `rotational_bond_stiffness` K_rb [N/m³] of the pair."""


class ContactCohesionLiquidBridgeFormationChoice(TypedDict):
    """Liquid bridges by `surface_tension` γ [N/m] and `bridge_volume` Φ, the volume of a bridge as a fraction of
    the smaller body, of the pair."""

    formation: NotRequired[Literal["contact", "shell"]]
    """When a bridge forms."""


ContactCohesionLiquidBridgeChoice = TypedDict(
    "ContactCohesionLiquidBridgeChoice",
    {
        "liquid-bridge": ContactCohesionLiquidBridgeFormationChoice,
    },
)
"""Liquid bridges by `surface_tension` γ [N/m] and `bridge_volume` Φ, the volume of a bridge as a fraction of the
smaller body, of the pair."""


class ContactCohesionMieTruncationChoice(TypedDict):
    """Mie's near-field force by `mie_attraction` κ₁ [N m^λ₁], `mie_attraction_exponent` λ₁, `mie_repulsion` κ₂
    [N m^λ₂], `mie_repulsion_exponent` λ₂ and `mie_cutoff` [m], a distance of centres, of the pair."""

    truncation: NotRequired[Literal["smooth", "sharp"]]
    """Truncation of the force at the cut-off."""


class ContactCohesionMieChoice(TypedDict):
    """Mie's near-field force by `mie_attraction` κ₁ [N m^λ₁], `mie_attraction_exponent` λ₁, `mie_repulsion` κ₂
    [N m^λ₂], `mie_repulsion_exponent` λ₂ and `mie_cutoff` [m], a distance of centres, of the pair."""

    mie: ContactCohesionMieTruncationChoice
    """Mie's near-field force by `mie_attraction` κ₁ [N m^λ₁], `mie_attraction_exponent` λ₁, `mie_repulsion` κ₂
    [N m^λ₂], `mie_repulsion_exponent` λ₂ and `mie_cutoff` [m], a distance of centres, of the pair."""


class ContactCohesionVanDerWaals(TypedDict):
    """Van der Waals attraction by `hamaker_constant` H [J] and `asperity_radius` R [m] of the pair, or the
    geometric means of those of the materials, and, if given, `van_der_waals_cutoff` [m], a gap."""

    closest_distance: NotRequired[Number]
    """Closest distance h₀ of touching surfaces [m]."""
    profile: NotRequired[Literal["distance", "constant"]]
    """Dependence of the attraction on the gap."""
    shifted: NotRequired[bool]
    """True if the force at the cut-off is subtracted everywhere, so that the force is continuous."""


ContactCohesionVanDerWaalsChoice = TypedDict(
    "ContactCohesionVanDerWaalsChoice",
    {
        "van-der-waals": ContactCohesionVanDerWaals,
    },
)
"""Van der Waals attraction by `hamaker_constant` H [J] and `asperity_radius` R [m] of the pair, or the geometric
means of those of the materials, and, if given, `van_der_waals_cutoff` [m], a gap."""


class ContactDampingHertzWeightingChoice(TypedDict):
    """Damping proportional to the critical damping of the tangent stiffness, by `damping_ratio` or `restitution`
    of the pair, or `damping_ratio` of both materials."""

    weighting: NotRequired[Literal["own-stiffness", "other-stiffness"]]
    """Weighting of the damping ratios of two materials if the pair has none."""


class ContactDampingHertzChoice(TypedDict):
    """Damping proportional to the critical damping of the tangent stiffness, by `damping_ratio` or `restitution`
    of the pair, or `damping_ratio` of both materials."""

    hertz: ContactDampingHertzWeightingChoice
    """Damping proportional to the critical damping of the tangent stiffness, by `damping_ratio` or `restitution`
    of the pair, or `damping_ratio` of both materials."""


class ContactDampingLinearWeightingChoice(TypedDict):
    """Damping proportional to the critical damping of a linear spring, by `damping_ratio` or `restitution` of
    the pair, or `damping_ratio` of both materials."""

    weighting: NotRequired[Literal["own-stiffness", "other-stiffness"]]
    """Weighting of the damping ratios of two materials if the pair has none."""


class ContactDampingLinearChoice(TypedDict):
    """Damping proportional to the critical damping of a linear spring, by `damping_ratio` or `restitution` of
    the pair, or `damping_ratio` of both materials."""

    linear: ContactDampingLinearWeightingChoice
    """Damping proportional to the critical damping of a linear spring, by `damping_ratio` or `restitution` of
    the pair, or `damping_ratio` of both materials."""


class ContactDampingAreaChoice(TypedDict):
    """Damping proportional to the contact area, with `area_damping` c_d of the pair [N s/m³]."""

    area: Any
    """Damping proportional to the contact area, with `area_damping` c_d of the pair [N s/m³]."""


class ContactNormalHertzTensionChoice(TypedDict):
    """Hertz's law."""

    tension: NotRequired[Literal["keep", "clip", "release"]]
    """Treatment of tensile forces at the end of a contact."""


class ContactNormalHertzChoice(TypedDict):
    """Hertz's law."""

    hertz: ContactNormalHertzTensionChoice
    """Hertz's law."""


class ContactNormalLinearTensionChoice(TypedDict):
    """A linear spring with the stiffness `normal_stiffness` of the pair [N/m]."""

    tension: NotRequired[Literal["keep", "clip", "release"]]
    """Treatment of tensile forces at the end of a contact."""


class ContactNormalLinearChoice(TypedDict):
    """A linear spring with the stiffness `normal_stiffness` of the pair [N/m]."""

    linear: ContactNormalLinearTensionChoice
    """A linear spring with the stiffness `normal_stiffness` of the pair [N/m]."""


class ContactNormalPowerLaw(TypedDict):
    """Power of the strain times the contact area, with `contact_modulus` K [Pa] and `strain_exponent` P of the
    pair."""

    area: NotRequired[Literal["hertz", "lens"]]
    """The contact area A."""
    tension: NotRequired[Literal["keep", "clip", "release"]]
    """Treatment of tensile forces at the end of a contact."""


ContactNormalPowerLawChoice = TypedDict(
    "ContactNormalPowerLawChoice",
    {
        "power-law": ContactNormalPowerLaw,
    },
)
"""Power of the strain times the contact area, with `contact_modulus` K [Pa] and `strain_exponent` P of the pair."""


class ContactNormalFractional(TypedDict):
    """A spring-pot with `normal_stiffness` K [N/m], `normal_viscosity` C [N s/m] and optionally
    `parallel_stiffness` k_∞ [N/m] of the pair. The pair may also have its own order, by
    `fractional_order` or `restitution`, which take precedence over the options below."""

    accuracy: NotRequired[Number | None]
    """Relative error of the kernel approximated by a sum of exponentials, default 1e-6."""
    area: NotRequired[Literal["hertz", "lens"]]
    """The contact area used by other laws."""
    horizon: NotRequired[Number | None]
    """Longest memory of a contact [s]; default: the length of the run, if all stages have an end time."""
    interpolation: NotRequired[Literal["cubic", "linear"]]
    """Interpolation of the speed within a step."""
    intervals: NotRequired[Count | None]
    """Number of intervals that a direct sum stores, default 1000; if there are more, the two oldest are merged."""
    memory: NotRequired[Literal["exponentials", "direct"]]
    """Representation of the deformation history of a contact."""
    order: NotRequired[Number | None]
    """Order α of the derivative, from 0 (a spring) to 1 (a dashpot), for pairs without an order."""
    restitution: NotRequired[Number | None]
    """Restitution of a free impact, which determines the order, for pairs without an order."""
    shortest_step: NotRequired[Number | None]
    """Shortest time step for which the exponentials are fitted [s]; default: the time step if given, else 10⁻⁷
    of the horizon."""
    tension: NotRequired[Literal["keep", "clip", "release"]]
    """Treatment of tensile forces at the end of a contact."""


class ContactNormalFractionalChoice(TypedDict):
    """A spring-pot with `normal_stiffness` K [N/m], `normal_viscosity` C [N s/m] and optionally
    `parallel_stiffness` k_∞ [N/m] of the pair. The pair may also have its own order, by
    `fractional_order` or `restitution`, which take precedence over the options below."""

    fractional: ContactNormalFractional
    """A spring-pot with `normal_stiffness` K [N/m], `normal_viscosity` C [N s/m] and optionally
    `parallel_stiffness` k_∞ [N/m] of the pair. The pair may also have its own order, by
    `fractional_order` or `restitution`, which take precedence over the options below."""


class PairFriction(TypedDict):
    """Friction at rest and while sliding."""

    dynamic: Number
    """While sliding."""
    static: Number
    """At rest."""
    weakening: NotRequired[Number]
    """Rate of decrease with the slip speed [s/m]."""


class Pair(TypedDict):
    """Parameters of the contact between two materials."""

    adhesion_coefficient: NotRequired[Number]
    """A parameter of a law."""
    adhesion_critical_strain: NotRequired[Number]
    """A parameter of a law."""
    adhesion_exponent: NotRequired[Number]
    """A parameter of a law."""
    area_damping: NotRequired[Number]
    """A parameter of a law."""
    asperity_radius: NotRequired[Number]
    """A parameter of a law."""
    between: Sequence[str]
    """The two materials."""
    bond_critical_strain: NotRequired[Number]
    """A parameter of a law."""
    bond_exponent: NotRequired[Number]
    """A parameter of a law."""
    bond_stiffness: NotRequired[Number]
    """A parameter of a law."""
    bridge_volume: NotRequired[Number]
    """A parameter of a law."""
    contact_modulus: NotRequired[Number]
    """A parameter of a law."""
    damping_ratio: NotRequired[Number]
    """A parameter of a law."""
    dynamic_friction: NotRequired[Number]
    """A parameter of a law."""
    fractional_order: NotRequired[Number]
    """A parameter of a law."""
    friction: NotRequired[Number | PairFriction]
    """Friction."""
    friction_penalty: NotRequired[Number]
    """A parameter of a law."""
    friction_weakening: NotRequired[Number]
    """A parameter of a law."""
    hamaker_constant: NotRequired[Number]
    """A parameter of a law."""
    mie_attraction: NotRequired[Number]
    """A parameter of a law."""
    mie_attraction_exponent: NotRequired[Number]
    """A parameter of a law."""
    mie_cutoff: NotRequired[Number]
    """A parameter of a law."""
    mie_repulsion: NotRequired[Number]
    """A parameter of a law."""
    mie_repulsion_exponent: NotRequired[Number]
    """A parameter of a law."""
    normal_stiffness: NotRequired[Number]
    """A parameter of a law."""
    normal_viscosity: NotRequired[Number]
    """A parameter of a law."""
    parallel_stiffness: NotRequired[Number]
    """A parameter of a law."""
    restitution: NotRequired[Number]
    """A parameter of a law."""
    rolling_arm: NotRequired[Number]
    """A parameter of a law."""
    rolling_damping_ratio: NotRequired[Number]
    """A parameter of a law."""
    rolling_friction: NotRequired[Number]
    """A parameter of a law."""
    rotational_bond_stiffness: NotRequired[Number]
    """A parameter of a law."""
    smoothing_speed: NotRequired[Number]
    """A parameter of a law."""
    static_friction: NotRequired[Number]
    """A parameter of a law."""
    strain_exponent: NotRequired[Number]
    """A parameter of a law."""
    surface_tension: NotRequired[Number]
    """A parameter of a law."""
    tangential_damping_ratio: NotRequired[Number]
    """A parameter of a law."""
    van_der_waals_cutoff: NotRequired[Number]
    """A parameter of a law."""


class ContactRollingConstantTorqueLeverChoice(TypedDict):
    """Constant rolling torque, by `rolling_friction` of the pair."""

    lever: NotRequired[Literal["effective-radius", "radius"]]
    """Moment arm of the normal force."""


ContactRollingConstantTorqueChoice = TypedDict(
    "ContactRollingConstantTorqueChoice",
    {
        "constant-torque": ContactRollingConstantTorqueLeverChoice,
    },
)
"""Constant rolling torque, by `rolling_friction` of the pair."""


class ContactRollingElasticPlastic(TypedDict):
    """Elastic–plastic rolling resistance, by `rolling_friction` and `rolling_damping_ratio` (default 0.3) of the
    pair."""

    lever: NotRequired[Literal["effective-radius", "radius"]]
    """Moment arm of the normal force in the largest moment."""
    transport: NotRequired[Literal["project", "project-rescale", "rotate"]]
    """Transport of the stored moment with the tangent plane."""


ContactRollingElasticPlasticChoice = TypedDict(
    "ContactRollingElasticPlasticChoice",
    {
        "elastic-plastic": ContactRollingElasticPlastic,
    },
)
"""Elastic–plastic rolling resistance, by `rolling_friction` and `rolling_damping_ratio` (default 0.3) of the
pair."""


class ContactRollingArm(TypedDict):
    """Rolling resistance by a moment arm, by `rolling_arm`, the fraction μ_r of the contact radius, and
    `smoothing_speed` [m/s] of the pair."""

    area: NotRequired[Literal["hertz", "lens"]]
    """The contact area, for its radius; `lens` is that of L."""
    force: NotRequired[Literal["none", "printed"]]
    """True if the rolling force of L(42) is added."""


class ContactRollingArmChoice(TypedDict):
    """Rolling resistance by a moment arm, by `rolling_arm`, the fraction μ_r of the contact radius, and
    `smoothing_speed` [m/s] of the pair."""

    arm: ContactRollingArm
    """Rolling resistance by a moment arm, by `rolling_arm`, the fraction μ_r of the contact radius, and
    `smoothing_speed` [m/s] of the pair."""


class ContactTangentialMindlinStiffnessRatioChoice(TypedDict):
    """This multiple of the normal stiffness."""

    ratio: Number


class ContactTangentialMindlin(TypedDict):
    """Tangential spring with Coulomb limit. Pair parameters: `friction`, or `static_friction` and
    `dynamic_friction`; `tangential_damping_ratio`, default: that of the normal damping."""

    friction_limit: NotRequired[Literal["total", "elastic", "with-cohesion"]]
    """The normal force N in the Coulomb limit."""
    record_sliding: NotRequired[bool]
    """True if the slip beyond the spring is accumulated for output; does not change forces."""
    rescale: NotRequired[bool]
    """True if the spring is shortened as its stiffness grows, so that no loading path gains energy."""
    slip_rule: NotRequired[Literal["hysteresis", "c15", "c16"]]
    """Friction limit that is tested and stored if static and dynamic friction differ."""
    stiffness: NotRequired[Literal["exact", "printed"] | ContactTangentialMindlinStiffnessRatioChoice]
    """Stiffness of the spring."""
    transport: NotRequired[Literal["project", "project-rescale", "rotate"]]
    """Transport of the spring with the tangent plane."""


class ContactTangentialMindlinChoice(TypedDict):
    """Tangential spring with Coulomb limit. Pair parameters: `friction`, or `static_friction` and
    `dynamic_friction`; `tangential_damping_ratio`, default: that of the normal damping."""

    mindlin: ContactTangentialMindlin
    """Tangential spring with Coulomb limit. Pair parameters: `friction`, or `static_friction` and
    `dynamic_friction`; `tangential_damping_ratio`, default: that of the normal damping."""


ContactTangentialSpringDashpot = TypedDict(
    "ContactTangentialSpringDashpot",
    {
        "friction_limit": NotRequired[Literal["total", "elastic", "with-cohesion"]],
        "record_sliding": NotRequired[bool],
        "rescale": NotRequired[bool],
        "return": NotRequired[Literal["spring", "with-dashpot"]],
        "slip_rule": NotRequired[Literal["hysteresis", "c15", "c16"]],
        "stiffness": NotRequired[Literal["exact", "printed"] | ContactTangentialMindlinStiffnessRatioChoice],
        "transport": NotRequired[Literal["project", "project-rescale", "rotate"]],
    },
)
"""Spring and dashpot with trial force, return map and Coulomb limit. Pair parameters as those of `mindlin`."""


ContactTangentialSpringDashpotChoice = TypedDict(
    "ContactTangentialSpringDashpotChoice",
    {
        "spring-dashpot": ContactTangentialSpringDashpot,
    },
)
"""Spring and dashpot with trial force, return map and Coulomb limit. Pair parameters as those of `mindlin`."""


class ContactTangentialRollingMapped(TypedDict):
    """Spring whose slip is mapped from the finite rotations of the material points in contact. Pair parameters:
    `friction`, or `static_friction` and `dynamic_friction`."""

    friction_limit: NotRequired[Literal["total", "elastic", "with-cohesion"]]
    """The normal force N in the Coulomb limit."""
    points: NotRequired[Literal["accepted", "present"]]
    """Material points whose displacement is the slip."""
    record_sliding: NotRequired[bool]
    """True if the slip beyond the spring is accumulated for output; does not change forces."""
    rescale: NotRequired[bool]
    """True if the spring is shortened as its stiffness grows, so that no loading path gains energy."""
    rotation: NotRequired[Literal["exact", "literal"]]
    """Rotation of a body in a step, from its spin."""
    slip_rule: NotRequired[Literal["hysteresis", "c15", "c16"]]
    """Friction limit that is tested and stored if static and dynamic friction differ."""
    stiffness: NotRequired[Literal["exact", "printed"] | ContactTangentialMindlinStiffnessRatioChoice]
    """Stiffness of the spring."""
    transport: NotRequired[Literal["project", "project-rescale", "rotate"]]
    """Transport of the spring with the tangent plane; C15 uses `project`."""


ContactTangentialRollingMappedChoice = TypedDict(
    "ContactTangentialRollingMappedChoice",
    {
        "rolling-mapped": ContactTangentialRollingMapped,
    },
)
"""Spring whose slip is mapped from the finite rotations of the material points in contact. Pair parameters:
`friction`, or `static_friction` and `dynamic_friction`."""


class ContactTangentialPenalty(TypedDict):
    """Penalty on slip. Pair parameters: `friction`, or `static_friction` and `dynamic_friction`;
    `friction_penalty`, K_f [N/m³]."""

    area: NotRequired[Literal["hertz", "lens"]]
    """The contact area."""
    friction_limit: NotRequired[Literal["total", "elastic", "with-cohesion"]]
    """The normal force N in the Coulomb limit; B uses `elastic`."""
    stick: NotRequired[Literal["literal", "implicit"]]
    """Force of a sticking contact."""


class ContactTangentialPenaltyChoice(TypedDict):
    """Penalty on slip. Pair parameters: `friction`, or `static_friction` and `dynamic_friction`;
    `friction_penalty`, K_f [N/m³]."""

    penalty: ContactTangentialPenalty
    """Penalty on slip. Pair parameters: `friction`, or `static_friction` and `dynamic_friction`;
    `friction_penalty`, K_f [N/m³]."""


class ContactTangentialIncremental(TypedDict):
    """Incremental tangential force. Pair parameters: `friction`, or `static_friction` and `dynamic_friction`."""

    direction: NotRequired[Literal["trial-force", "displacement", "velocity"]]
    """Direction of the force of a sliding contact."""
    elastic_displacement: NotRequired[Literal["conventional", "proposed"]]
    """Elastic displacement of a sliding contact."""
    form: NotRequired[Literal["incremental", "total"]]
    """Integration of the force: incremental, or from the total displacement."""
    friction_limit: NotRequired[Literal["total", "elastic", "with-cohesion"]]
    """The normal force N in the Coulomb limit."""
    record_sliding: NotRequired[bool]
    """True if the slip beyond the elastic displacement is accumulated for output; does not change forces."""
    rescale: NotRequired[bool]
    """True if the force is reduced with its stiffness, so that no loading path gains energy."""
    shear_factor: NotRequired[Number]
    """f_G, the factor of Mindlin's stiffness: 1 for the tangent, 2/3 in Z(23)."""
    slip_rule: NotRequired[Literal["hysteresis", "c15", "c16"]]
    """Friction limit that is tested and stored if static and dynamic friction differ."""
    stiffness_at: NotRequired[Literal["left", "right", "mid"]]
    """Time within the step at which the stiffness is evaluated."""
    transport: NotRequired[Literal["project", "project-rescale", "rotate"]]
    """Transport of force and displacement with the tangent plane."""


class ContactTangentialIncrementalChoice(TypedDict):
    """Incremental tangential force. Pair parameters: `friction`, or `static_friction` and `dynamic_friction`."""

    incremental: ContactTangentialIncremental
    """Incremental tangential force. Pair parameters: `friction`, or `static_friction` and `dynamic_friction`."""


class ContactTangentialSlidingTorsion(TypedDict):
    """Coupled sliding and torsion. Pair parameters: `friction`, or `static_friction`, `dynamic_friction` and
    `friction_weakening` [s/m]; `smoothing_speed` [m/s] with viscous stick."""

    area: NotRequired[Literal["hertz", "lens"]]
    """The contact area, for its radius; `lens` is that of L."""
    friction_limit: NotRequired[Literal["total", "elastic", "with-cohesion"]]
    """The normal force N in the Coulomb limit."""
    pressure: NotRequired[Literal["uniform", "hertz"]]
    """Distribution of the pressure over the contact area."""
    record_sliding: NotRequired[bool]
    """True if elastic displacement and the slip beyond it are accumulated for output; does not change forces."""
    rescale: NotRequired[bool]
    """True if force and torque are reduced with their stiffness, so that no loading path gains energy."""
    slip_rule: NotRequired[Literal["hysteresis", "c15", "c16"]]
    """Friction limit that is tested and stored if static and dynamic friction differ."""
    stick: NotRequired[Literal["elastic", "viscous"]]
    """Model of the sticking contact."""
    stiffness: NotRequired[Literal["exact", "printed"] | ContactTangentialMindlinStiffnessRatioChoice]
    """Stiffness of the sticking contact."""
    transport: NotRequired[Literal["project", "project-rescale", "rotate"]]
    """Transport of the stored force with the tangent plane."""


ContactTangentialSlidingTorsionChoice = TypedDict(
    "ContactTangentialSlidingTorsionChoice",
    {
        "sliding-torsion": ContactTangentialSlidingTorsion,
    },
)
"""Coupled sliding and torsion. Pair parameters: `friction`, or `static_friction`, `dynamic_friction` and
`friction_weakening` [s/m]; `smoothing_speed` [m/s] with viscous stick."""


class Contact(TypedDict):
    """Contact laws."""

    cohesion: NotRequired[Sequence[Literal["adhesion", "bond", "liquid-bridge", "mie", "van-der-waals"] | ContactCohesionAdhesionChoice | ContactCohesionBondChoice | ContactCohesionLiquidBridgeChoice | ContactCohesionMieChoice | ContactCohesionVanDerWaalsChoice]]
    """Attractions."""
    damping: NotRequired[Literal["hertz", "linear", "area", "none"] | ContactDampingHertzChoice | ContactDampingLinearChoice | ContactDampingAreaChoice]
    """Dissipative normal force."""
    lever: NotRequired[Literal["half-overlap", "radius", "contact"]]
    """Position of the contact point (moment arm)."""
    normal: Literal["hertz", "linear", "power-law", "fractional"] | ContactNormalHertzChoice | ContactNormalLinearChoice | ContactNormalPowerLawChoice | ContactNormalFractionalChoice
    """Elastic normal force."""
    pairs: NotRequired[Sequence[Pair]]
    """Parameters of pairs of materials."""
    rolling: NotRequired[Literal["constant-torque", "elastic-plastic", "arm", "none"] | ContactRollingConstantTorqueChoice | ContactRollingElasticPlasticChoice | ContactRollingArmChoice]
    """Rolling resistance."""
    tangential: NotRequired[Literal["mindlin", "spring-dashpot", "rolling-mapped", "penalty", "incremental", "sliding-torsion", "none"] | ContactTangentialMindlinChoice | ContactTangentialSpringDashpotChoice | ContactTangentialRollingMappedChoice | ContactTangentialPenaltyChoice | ContactTangentialIncrementalChoice | ContactTangentialSlidingTorsionChoice]
    """Tangential force."""


class Domain(TypedDict):
    """Simulation domain."""

    max: Vector
    """Upper corner [m]."""
    min: Vector
    """Lower corner [m]."""
    outside: NotRequired[Literal["error", "delete"]]
    """Treatment of particles that leave the domain."""
    periodic: NotRequired[Sequence[Literal["x", "y", "z"]]]
    """Periodic directions."""


class FieldTableDragLinear(TypedDict):
    """Drag proportional to the relative velocity."""

    coefficient: Number
    """Force per relative speed [N s/m]."""
    medium_velocity: NotRequired[Sequence[Number | str]]
    """Velocity of the medium [m/s]."""


class FieldTableDragReynolds(TypedDict):
    """Drag with a coefficient that is a piecewise function of the Reynolds number."""

    density: Number
    """Density of the medium [kg/m³]."""
    medium_velocity: NotRequired[Sequence[Number | str]]
    """Velocity of the medium [m/s]."""
    viscosity: Number
    """Dynamic viscosity of the medium [Pa s]."""


class FieldTableDragStokes(TypedDict):
    """Stokes drag."""

    medium_velocity: NotRequired[Sequence[Number | str]]
    """Velocity of the medium [m/s]."""
    viscosity: Number
    """Dynamic viscosity of the medium [Pa s]."""


class FieldTableDragVolumetric(TypedDict):
    """Drag of Schiller and Naumann, corrected for the voidage."""

    density: Number
    """Density of the medium [kg/m³]."""
    medium_velocity: NotRequired[Sequence[Number | str]]
    """Velocity of the medium [m/s]."""
    viscosity: Number
    """Dynamic viscosity of the medium [Pa s]."""
    voidage: NotRequired[Number]
    """Volume fraction of the medium, at most 1."""


class FieldTableDrag(TypedDict):
    """Drag of a medium."""

    linear: NotRequired[FieldTableDragLinear]
    """Drag proportional to the relative velocity."""
    reynolds: NotRequired[FieldTableDragReynolds]
    """Drag with a coefficient that is a piecewise function of the Reynolds number."""
    stokes: NotRequired[FieldTableDragStokes]
    """Stokes drag."""
    volumetric: NotRequired[FieldTableDragVolumetric]
    """Drag of Schiller and Naumann, corrected for the voidage."""


class FieldTableMagnus(TypedDict):
    """Magnus force."""

    coefficient: Number
    """S in S w × v [kg]."""
    medium_velocity: NotRequired[Sequence[Number | str]]
    """Velocity of the medium [m/s]."""


class FieldTableRotatingFrame(TypedDict):
    """Centrifugal and Coriolis force of a rotating frame of reference."""

    axis: Vector
    """Direction of the axis."""
    point: Vector
    """A point of the axis [m]."""
    rate: Number
    """Angular velocity of the frame [rad/s]."""


FieldTable = TypedDict(
    "FieldTable",
    {
        "drag": NotRequired[FieldTableDrag],
        "electric": NotRequired[Vector],
        "magnetic": NotRequired[Vector],
        "magnus": NotRequired[FieldTableMagnus],
        "pressure-gradient": NotRequired[Vector],
        "rotating-frame": NotRequired[FieldTableRotatingFrame],
    },
)
"""A force on each particle."""


class Health(TypedDict):
    """Checks that stop an unphysical run."""

    energy_error: NotRequired[Number]
    """Largest closure error of the energy ledger, as a fraction of the energy exchanged."""
    overlap: NotRequired[Literal["error", "warn"]]
    """Response to a larger overlap: the run stops, or it is only counted."""
    overlap_limit: NotRequired[Number]
    """Largest overlap as a fraction of the smaller radius."""
    step_limit: NotRequired[Literal["error", "warn"]]
    """Action if the time step is beyond the stability limit."""


class Material(TypedDict):
    """A material."""

    asperity_radius: NotRequired[Number]
    """A parameter of a law."""
    damping_ratio: NotRequired[Number]
    """A parameter of a law."""
    density: NotRequired[Number]
    """Density [kg/m³]; walls need none."""
    hamaker_constant: NotRequired[Number]
    """A parameter of a law."""
    poisson_ratio: Number
    """Poisson's ratio."""
    young_modulus: Number
    """Young's modulus [Pa]; `inf` for a rigid wall."""


class Motion(TypedDict):
    """Degrees of freedom."""

    plane_normal: NotRequired[Literal["x", "y", "z"]]
    """Axis along which nothing moves (2D)."""
    rotations: NotRequired[bool]
    """True if particles rotate."""


class OutputsCheckpointEveryChoice(TypedDict):
    """Checkpoints."""

    every: Number
    """Interval [s]."""


class OutputsContactsEveryChoice(TypedDict):
    """Lists of contacts."""

    every: Number
    """Interval [s]."""


class OutputsEnergyEveryChoice(TypedDict):
    """Table of energies."""

    every: Number
    """Interval [s]."""


class OutputsEventsZeroSlipChoice(TypedDict):
    """Events, with options."""

    zero_slip: Literal["crossing", "predicted", "printed"]
    """Detection of a zero of the slip velocity."""


class OutputsFrames(TypedDict):
    """Frames."""

    contacts: NotRequired[bool]
    """True if contacts are written, in formats that support them."""
    csv: NotRequired[bool]
    """Tables of particles with the columns of final.csv."""
    every: Number
    """Interval [s]."""
    vtk: NotRequired[bool]
    """VTK files for ParaView: particles, contacts and walls."""


MeasureAngleOfRepose = TypedDict(
    "MeasureAngleOfRepose",
    {
        "bin": NotRequired[Number | None],
        "center": NotRequired[Vector | None],
        "floor": NotRequired[Number | None],
        "from": NotRequired[Number],
        "half_width": NotRequired[Number | None],
        "particles": NotRequired[str],
        "to": NotRequired[Number],
        "up": Literal["x", "y", "z", "-x", "-y", "-z"],
    },
)
"""Angle of repose of a heap. In two vertical slices through the centre, along the two axes normal to `up`, the
highest points of all bins form the upper envelope; on both sides of the centre a straight line is fitted to
it between two fractions of the crest height."""


class MeasureAtRest(TypedDict):
    """Particles at rest: the speed of the centre and the surface speed due to spin, rω, are both below a limit.
    Fractions refer to the particles that are present."""

    below: Number
    """Speed below which a particle is at rest [m/s]."""
    particles: NotRequired[str]
    """A group, or `all`."""


class MeasureCenterOfMassParticlesChoice(TypedDict):
    """Centre of mass of the free particles, with unwrapped positions."""

    particles: NotRequired[str]
    """A group, or `all`."""


class MeasureClusters(TypedDict):
    """Clusters of particles: their number, sizes and radii of gyration."""

    gap: NotRequired[Number | None]
    """Largest gap between the surfaces of neighbours in a cluster [m]; default: particles that touch."""
    particles: NotRequired[str]
    """A group, or `all`."""
    smallest: NotRequired[Count]
    """Number of particles of the smallest cluster that is counted."""


class MeasureCoordination(TypedDict):
    """Number of particles and walls that a particle touches, with and without rattlers.  A rattler has fewer
    than `fewest` contacts that carry a normal force. Contacts with rattlers are not counted, so that
    further particles can become rattlers. This is repeated up to the number of contacts required for
    equilibrium: two with friction and d + 1 without (4, in a plane 3; isostatic limit, e.g. van Hecke, J.
    Phys.: Condens. Matter 22 (2010) 033101). A larger `fewest` is applied only once: with friction,
    particles with two or three contacts can carry load, and repeated removal would leave no particles."""

    fewest: NotRequired[Count | None]
    """Smallest number of contacts of a particle that is not a rattler; default: the number required for
    equilibrium, 2 with friction or cohesion, else 4, in a plane problem 3."""
    particles: NotRequired[str]
    """A group, or `all`."""


class MeasureDischarged(TypedDict):
    """Discharged particles: their centres are below a level, or they have left the domain. Rates are averages
    since the previous row. A particle that is inserted and leaves between two rows is not counted."""

    below: Number
    """Height below which a centre counts as discharged [m]."""
    particles: NotRequired[str]
    """A group, or `all`."""
    up: Literal["x", "y", "z", "-x", "-y", "-z"]
    """Axis that points up."""


class MeasureFabricRegionBox(TypedDict):
    """Options."""

    max: Vector
    """Upper corner [m]."""
    min: Vector
    """Lower corner [m]."""


class MeasureFabricRegionBoxChoice(TypedDict):
    """A box along the axes."""

    box: MeasureFabricRegionBox


class MeasureFabricRegionCylinder(TypedDict):
    """Options."""

    end: Vector
    """Centre of the other end [m]."""
    radius: Number
    """Radius [m]."""
    start: Vector
    """Centre of one end [m]."""


class MeasureFabricRegionCylinderChoice(TypedDict):
    """A cylinder."""

    cylinder: MeasureFabricRegionCylinder


class MeasureFabricRegionBall(TypedDict):
    """Options."""

    center: Vector
    """Centre [m]."""
    radius: Number
    """Radius [m]."""


class MeasureFabricRegionBallChoice(TypedDict):
    """A ball."""

    ball: MeasureFabricRegionBall


class MeasureFabric(TypedDict):
    """Fabric tensor, the mean of n ⊗ n over the normals n of the contacts that touch in a region. Its trace is
    1; without a preferred direction each principal value is 1/3."""

    region: MeasureFabricRegionBoxChoice | MeasureFabricRegionCylinderChoice | MeasureFabricRegionBallChoice
    """The region."""
    walls: NotRequired[bool]
    """True if contacts with walls count."""


class MeasureFlow(TypedDict):
    """Flow through a plane, or through a disc in it, counted from row to row by the centres: a particle that
    crosses and returns between two rows, or leaves the domain, is not counted."""

    normal: Vector
    """Normal of the plane, in the forward direction."""
    particles: NotRequired[str]
    """A group, or `all`."""
    point: Vector
    """A point of the plane, or the centre of the disc [m]."""
    radius: NotRequired[Number | None]
    """Radius of the disc [m]; default: the whole plane."""


class MeasureForceChains(TypedDict):
    """Force chains after Peters et al. (Phys. Rev. E 72, 041307, 2005). A particle is highly stressed if the
    largest principal value of its stress is above a multiple of the mean. Two such particles that touch
    are linked if the contact lies within an angle of the principal direction of both; each has at most
    one link forwards and one backwards, to the best-aligned neighbour, and the choice must be mutual."""

    angle: NotRequired[Number]
    """Largest angle between a contact and the direction of the largest principal stress [°]."""
    particles: NotRequired[str]
    """A group, or `all`."""
    shortest: NotRequired[Count]
    """Number of particles of the shortest chain that is counted."""
    threshold: NotRequired[Number]
    """Multiple of the mean above which a particle is highly stressed."""


MeasureHeightProfile = TypedDict(
    "MeasureHeightProfile",
    {
        "along": Literal["x", "y", "z", "-x", "-y", "-z"],
        "bins": Count,
        "floor": NotRequired[Number],
        "from": Number,
        "particles": NotRequired[str],
        "to": Number,
        "up": Literal["x", "y", "z", "-x", "-y", "-z"],
    },
)
"""Highest point of the particles in equal bins along an axis. `height_1` is the first bin."""


class MeasureHexatic(TypedDict):
    """Hexatic order `ψ₆ = 1/n Σ e^{6iθ}` over the n neighbours of a particle, with their directions θ in a
    plane: its magnitude is 1 in a hexagonal packing."""

    gap: NotRequired[Number | None]
    """Largest gap between the surfaces of neighbours [m]; default: 0.4 of the mean diameter."""
    least_neighbors: NotRequired[Count]
    """Smallest number of neighbours of a particle that is counted; with a single neighbour the order is always
    1."""
    normal: Literal["x", "y", "z", "-x", "-y", "-z"]
    """Normal of the plane."""
    particles: NotRequired[str]
    """A group, or `all`."""


class MeasureIntruder(TypedDict):
    """Height of one particle above the floor and in a bed. The surface of the bed is the height below which a
    given fraction of the tops of its particles lies, so that a few particles in flight do not count."""

    bed: NotRequired[str]
    """The bed: a group, or `all`. The intruder is excluded."""
    floor: NotRequired[Number]
    """Height of the floor [m]."""
    floor_wall: NotRequired[str | None]
    """A plane wall that is the floor, at its current position."""
    group: NotRequired[str | None]
    """Group of the intruder; its first particle is the intruder."""
    particle: NotRequired[Count | None]
    """Id of the intruder, instead of a group."""
    surface: NotRequired[Number]
    """Fraction of the tops at or below the surface."""
    up: Literal["x", "y", "z", "-x", "-y", "-z"]
    """Axis that points up."""


class MeasureKineticEnergyParticlesChoice(TypedDict):
    """Translational and rotational kinetic energy of solid spheres, and the translational energy relative to the
    mean velocity."""

    particles: NotRequired[str]
    """A group, or `all`."""


class MeasureLayer(TypedDict):
    """A layer on a wall or plane. The plane is divided into square cells; the thickness of a cell that contains
    a centre is the distance of its highest point from the plane. Length and width are the extents of the
    layer in the plane."""

    along: NotRequired[Vector | None]
    """Direction of the length; default: the direction of largest spread."""
    cell: NotRequired[Number | None]
    """Edge of a cell [m]; default: two mean diameters."""
    normal: NotRequired[Vector | None]
    """The normal of the plane, towards the particles."""
    particles: NotRequired[str]
    """A group, or `all`."""
    point: NotRequired[Vector | None]
    """A point of the plane [m], if there is no wall."""
    share: NotRequired[Number]
    """Central fraction of the particles of which length and width are the extents."""
    wall: NotRequired[str | None]
    """The wall that carries the layer: a half-space, a rectangle or a disc. Its whole plane counts."""
    within: NotRequired[Number | None]
    """Largest distance from the plane to the centre of a particle of the layer [m]."""


class MeasureMixingIndex(TypedDict):
    """Lacey's index of mixing (J. Appl. Chem. 4, 257, 1954) of two groups: 0 if segregated, 1 if randomly mixed.
    Space is divided into cubes; in each cube with enough particles the fraction of the first group is
    computed, and the variance of these fractions, weighted by the number of particles, is compared with
    the variances of the segregated and of the random state."""

    cell: Number
    """Edge of a cube [m]."""
    fewest: NotRequired[Count]
    """Smallest number of particles of a cube that is counted."""
    origin: NotRequired[Vector]
    """A corner of the cubes [m]."""
    particles: Sequence[str]
    """The two groups."""


class MeasureMomentum(TypedDict):
    """Momentum and angular momentum (orbital and spin) of the free particles."""

    about: NotRequired[Vector]
    """Reference point of the angular momentum [m]."""
    particles: NotRequired[str]
    """A group, or `all`."""


class MeasurePackingFraction(TypedDict):
    """Volume fraction of the particles in a region. A sphere cut by the boundary counts with its volume inside:
    exactly in a box or a ball, to 1e-10 of the sphere in a cylinder. Overlap volumes count twice."""

    particles: NotRequired[str]
    """A group, or `all`."""
    region: MeasureFabricRegionBoxChoice | MeasureFabricRegionCylinderChoice | MeasureFabricRegionBallChoice
    """The region."""


class MeasureStress(TypedDict):
    """Stress tensor σ = (1/V) Σ f ⊗ l over the contacts whose points lie in a region, with the force f on the
    second partner and the branch l from the first to the second (to the contact point for a wall).
    Compression is positive."""

    kinetic: NotRequired[bool]
    """True if the kinetic stress, Σ m v' ⊗ v' / V with the velocities v' relative to the mean, is added."""
    region: MeasureFabricRegionBoxChoice | MeasureFabricRegionCylinderChoice | MeasureFabricRegionBallChoice
    """The region."""


class Measure(TypedDict):
    """One measure."""

    angle_of_repose: NotRequired[MeasureAngleOfRepose]
    """Angle of repose of a heap. In two vertical slices through the centre, along the two axes normal to `up`,
    the highest points of all bins form the upper envelope; on both sides of the centre a straight line is
    fitted to it between two fractions of the crest height."""
    at_rest: NotRequired[MeasureAtRest]
    """Particles at rest: the speed of the centre and the surface speed due to spin, rω, are both below a limit.
    Fractions refer to the particles that are present."""
    center_of_mass: NotRequired[MeasureCenterOfMassParticlesChoice]
    """Centre of mass of the free particles, with unwrapped positions."""
    clusters: NotRequired[MeasureClusters]
    """Clusters of particles: their number, sizes and radii of gyration."""
    coordination: NotRequired[MeasureCoordination]
    """Number of particles and walls that a particle touches, with and without rattlers.  A rattler has fewer
    than `fewest` contacts that carry a normal force. Contacts with rattlers are not counted, so that
    further particles can become rattlers. This is repeated up to the number of contacts required for
    equilibrium: two with friction and d + 1 without (4, in a plane 3; isostatic limit, e.g. van Hecke, J.
    Phys.: Condens. Matter 22 (2010) 033101). A larger `fewest` is applied only once: with friction,
    particles with two or three contacts can carry load, and repeated removal would leave no particles."""
    discharged: NotRequired[MeasureDischarged]
    """Discharged particles: their centres are below a level, or they have left the domain. Rates are averages
    since the previous row. A particle that is inserted and leaves between two rows is not counted."""
    every: NotRequired[Number]
    """Interval [s]; default: only at the start and the end."""
    fabric: NotRequired[MeasureFabric]
    """Fabric tensor, the mean of n ⊗ n over the normals n of the contacts that touch in a region. Its trace is
    1; without a preferred direction each principal value is 1/3."""
    flow: NotRequired[MeasureFlow]
    """Flow through a plane, or through a disc in it, counted from row to row by the centres: a particle that
    crosses and returns between two rows, or leaves the domain, is not counted."""
    force_chains: NotRequired[MeasureForceChains]
    """Force chains after Peters et al. (Phys. Rev. E 72, 041307, 2005). A particle is highly stressed if the
    largest principal value of its stress is above a multiple of the mean. Two such particles that touch
    are linked if the contact lies within an angle of the principal direction of both; each has at most
    one link forwards and one backwards, to the best-aligned neighbour, and the choice must be mutual."""
    height_profile: NotRequired[MeasureHeightProfile]
    """Highest point of the particles in equal bins along an axis. `height_1` is the first bin."""
    hexatic: NotRequired[MeasureHexatic]
    """Hexatic order `ψ₆ = 1/n Σ e^{6iθ}` over the n neighbours of a particle, with their directions θ in a
    plane: its magnitude is 1 in a hexagonal packing."""
    intruder: NotRequired[MeasureIntruder]
    """Height of one particle above the floor and in a bed. The surface of the bed is the height below which a
    given fraction of the tops of its particles lies, so that a few particles in flight do not count."""
    kinetic_energy: NotRequired[MeasureKineticEnergyParticlesChoice]
    """Translational and rotational kinetic energy of solid spheres, and the translational energy relative to the
    mean velocity."""
    layer: NotRequired[MeasureLayer]
    """A layer on a wall or plane. The plane is divided into square cells; the thickness of a cell that contains
    a centre is the distance of its highest point from the plane. Length and width are the extents of the
    layer in the plane."""
    mixing_index: NotRequired[MeasureMixingIndex]
    """Lacey's index of mixing (J. Appl. Chem. 4, 257, 1954) of two groups: 0 if segregated, 1 if randomly mixed.
    Space is divided into cubes; in each cube with enough particles the fraction of the first group is
    computed, and the variance of these fractions, weighted by the number of particles, is compared with
    the variances of the segregated and of the random state."""
    momentum: NotRequired[MeasureMomentum]
    """Momentum and angular momentum (orbital and spin) of the free particles."""
    name: NotRequired[str]
    """Name of its table; default: the name of the measure."""
    packing_fraction: NotRequired[MeasurePackingFraction]
    """Volume fraction of the particles in a region. A sphere cut by the boundary counts with its volume inside:
    exactly in a box or a ball, to 1e-10 of the sphere in a cylinder. Overlap volumes count twice."""
    stress: NotRequired[MeasureStress]
    """Stress tensor σ = (1/V) Σ f ⊗ l over the contacts whose points lie in a region, with the force f on the
    second partner and the branch l from the first to the second (to the contact point for a wall).
    Compression is positive."""


class Probe(TypedDict):
    """A table of chosen quantities."""

    axis: NotRequired[Vector]
    """Axis of the accumulated angle."""
    columns: Sequence[str]
    """Columns."""
    contact: NotRequired[Sequence[Count | str]]
    """A contact, by its two partners."""
    every: NotRequired[Number]
    """Interval [s]; default: every step."""
    mark: NotRequired[Vector]
    """A material point of the particle, relative to its centre [m]."""
    name: str
    """Name of the table."""
    particle: NotRequired[Count]
    """Id of a particle."""
    particles: NotRequired[str]
    """A group, or `all`."""
    wall: NotRequired[str]
    """A wall."""


class OutputsWallsEveryChoice(TypedDict):
    """Table of forces on walls."""

    every: Number
    """Interval [s]."""


class Outputs(TypedDict):
    """Outputs of a run."""

    checkpoint: NotRequired[OutputsCheckpointEveryChoice]
    """Checkpoints."""
    contacts: NotRequired[OutputsContactsEveryChoice]
    """Lists of contacts."""
    energy: NotRequired[OutputsEnergyEveryChoice]
    """Table of energies."""
    events: NotRequired[bool | OutputsEventsZeroSlipChoice]
    """Contact events."""
    final: NotRequired[bool]
    """True if the final state is written."""
    frames: NotRequired[OutputsFrames]
    """Frames."""
    measure: NotRequired[Sequence[Measure]]
    """Measures of the whole system, over time and at the end."""
    probes: NotRequired[Sequence[Probe]]
    """Probes."""
    report: NotRequired[bool]
    """True if `report.html` is written."""
    walls: NotRequired[OutputsWallsEveryChoice]
    """Table of forces on walls."""


class InsertBall(TypedDict):
    """A ball."""

    center: Vector
    """Centre [m]."""
    radius: Number
    """Radius [m]."""


class InsertBox(TypedDict):
    """A box."""

    max: Vector
    """Upper corner [m]."""
    min: Vector
    """Lower corner [m]."""


class InsertCsv(TypedDict):
    """A table."""

    file: str
    """The file."""
    group: NotRequired[str]
    """Only this group of the file."""


class InsertCylinder(TypedDict):
    """A cylinder."""

    end: Vector
    """Centre of the other end [m]."""
    radius: Number
    """Radius [m]."""
    start: Vector
    """Centre of one end [m]."""


class InsertHexagonal(TypedDict):
    """Points of a hexagonal close packing, layers along z."""

    count: NotRequired[Count]
    """Number of particles; default: as many as fit."""
    max: Vector
    """Upper corner [m]."""
    min: Vector
    """Lower corner [m]."""
    spacing: Number
    """Distance of nearest neighbours [m]."""


class InsertLattice(TypedDict):
    """Points of a rectangular lattice."""

    count: NotRequired[Count]
    """Number of particles; default: as many as fit."""
    jitter: NotRequired[Number]
    """Largest random displacement [m]."""
    max: Vector
    """Upper corner [m]."""
    min: Vector
    """Lower corner [m]."""
    spacing: Number | Vector
    """Distance of neighbours [m]."""


class InsertList(TypedDict):
    """One particle."""

    position: Vector
    """Centre [m]."""
    radius: NotRequired[Number]
    """Radius [m]; that of the group if missing."""
    spin: NotRequired[Vector]
    """Spin [rad/s]."""
    velocity: NotRequired[Vector]
    """Velocity [m/s]."""


class InsertStream(TypedDict):
    """Particles inserted over time."""

    ball: NotRequired[InsertBall]
    """A ball."""
    box: NotRequired[InsertBox]
    """A box."""
    count: NotRequired[Count]
    """Total number; default: the stream does not end."""
    cylinder: NotRequired[InsertCylinder]
    """A cylinder."""
    rate: Number
    """Particles per second."""
    start: NotRequired[Number]
    """Start, relative to the beginning of the stage [s]."""


Insert = TypedDict(
    "Insert",
    {
        "ball": NotRequired[InsertBall],
        "box": NotRequired[InsertBox],
        "count": NotRequired[Count],
        "csv": NotRequired[str | InsertCsv],
        "cylinder": NotRequired[InsertCylinder],
        "dense": NotRequired[bool],
        "fraction": NotRequired[Number],
        "from": NotRequired[str],
        "hexagonal": NotRequired[InsertHexagonal],
        "history": NotRequired[bool],
        "lattice": NotRequired[InsertLattice],
        "list": NotRequired[Sequence[InsertList]],
        "state": NotRequired[str],
        "stream": NotRequired[InsertStream],
    },
)
"""Position and time of the insertion."""


class ParticleGroupRadiusUniform(TypedDict):
    """Uniform."""

    max: Number
    """Largest."""
    min: Number
    """Smallest."""


class ParticleGroupRadiusUniformChoice(TypedDict):
    """Distribution."""

    uniform: ParticleGroupRadiusUniform
    """Uniform."""


class ParticleGroupRadiusNormal(TypedDict):
    """Normal."""

    deviation: Number
    """Standard deviation before truncation."""
    mean: Number
    """Mean."""
    truncate: Number
    """Truncation in standard deviations."""


class ParticleGroupRadiusNormalChoice(TypedDict):
    """Distribution."""

    normal: ParticleGroupRadiusNormal
    """Normal."""


class ParticleGroupRadiusLogNormal(TypedDict):
    """Log-normal."""

    deviation: Number
    """Deviation of the logarithm."""
    median: Number
    """Median."""
    truncate: Number
    """Truncation in standard deviations."""


ParticleGroupRadiusLogNormalChoice = TypedDict(
    "ParticleGroupRadiusLogNormalChoice",
    {
        "log-normal": ParticleGroupRadiusLogNormal,
    },
)
"""Distribution."""


class ParticleGroupRadiusMix(TypedDict):
    """One size."""

    radius: Number
    """Radius [m]."""
    share: Number
    """Fraction by number, relative to the other sizes."""


class ParticleGroupRadiusMixChoice(TypedDict):
    """Distribution."""

    mix: Sequence[ParticleGroupRadiusMix]
    """A mix of sizes."""


class ParticleGroup(TypedDict):
    """A group of particles."""

    charge: NotRequired[Number]
    """Electric charge [C]."""
    fixed: NotRequired[bool]
    """True if the particles are held in place."""
    insert: Insert
    """Position and time of the insertion."""
    material: str
    """A name from [materials]; it must have a density."""
    name: str
    """Name of the group."""
    radius: NotRequired[Number | ParticleGroupRadiusUniformChoice | ParticleGroupRadiusNormalChoice | ParticleGroupRadiusLogNormalChoice | ParticleGroupRadiusMixChoice]
    """Radius or distribution of radii [m]."""
    random_velocity: NotRequired[Number]
    """Largest random contribution to each component [m/s]."""
    spin: NotRequired[Vector]
    """Initial spin [rad/s]."""
    velocity: NotRequired[Vector]
    """Initial velocity [m/s]."""


class Search(TypedDict):
    """Neighbour search."""

    method: NotRequired[Literal["grid", "cubes", "brute-force"]]
    """Method of the neighbour search."""
    skin: NotRequired[Number]
    """Skin: distance beyond the interaction range within which pairs are in the list [m]."""


class WallAnnulus(TypedDict):
    """A flat ring: a disc with a hole."""

    center: Vector
    """Centre [m]."""
    inner_radius: Number
    """Radius of the hole [m]."""
    normal: Vector
    """Normal."""
    outer_radius: Number
    """Outer radius [m]."""


class WallCone(TypedDict):
    """A cone without caps."""

    end: Vector
    """Centre of the other end [m]."""
    end_radius: Number
    """Radius at the end [m]."""
    particles: Literal["inside", "outside"]
    """Side of the particles."""
    start: Vector
    """Centre of one end [m]."""
    start_radius: Number
    """Radius at the start [m]."""


class WallCylinder(TypedDict):
    """A cylinder without caps."""

    end: Vector
    """Centre of the other end [m]."""
    particles: Literal["inside", "outside"]
    """Side of the particles."""
    radius: Number
    """Radius [m]."""
    start: Vector
    """Centre of one end [m]."""


class WallDisc(TypedDict):
    """A disc."""

    center: Vector
    """Centre [m]."""
    normal: Vector
    """Normal."""
    radius: Number
    """Radius [m]."""


class WallHalfSpace(TypedDict):
    """Solid behind a plane."""

    normal: Vector
    """Outward normal."""
    point: Vector
    """A point [m]."""


class WallMesh(TypedDict):
    """A mesh."""

    closed: NotRequired[bool]
    """True if boundary edges are an error."""
    file: str
    """An STL or OBJ file."""
    scale: NotRequired[Number]
    """Factor of the coordinates."""
    smooth_angle: NotRequired[Number]
    """Angle below which a contact whose normal rotates within a step keeps its history [degrees]."""
    translate: NotRequired[Vector]
    """Translation of the scaled coordinates [m]."""


class WallMotionStill(TypedDict):
    """No motion."""



class WallMotionStillChoice(TypedDict):
    """No motion."""

    still: WallMotionStill
    """No motion."""


class WallMotionVelocityChoice(TypedDict):
    """Constant velocity [m/s]."""

    velocity: Vector
    """Constant velocity [m/s]."""


class WallMotionRotation(TypedDict):
    """Constant rate about an axis."""

    axis: Vector
    """Direction of the axis."""
    point: Vector
    """A point of the axis [m]."""
    rate: NotRequired[Number]
    """Rate [rad/s]."""
    turns_per_second: NotRequired[Number]
    """Rate [1/s]."""


class WallMotionRotationChoice(TypedDict):
    """Constant rate about an axis."""

    rotation: WallMotionRotation
    """Constant rate about an axis."""


class WallMotionOscillation(TypedDict):
    """Sinusoidal displacement."""

    amplitude: Vector
    """Amplitude and direction [m]."""
    frequency: Number
    """Frequency [Hz]."""
    phase: NotRequired[Number]
    """Phase at the start [rad]."""


class WallMotionOscillationChoice(TypedDict):
    """Sinusoidal displacement."""

    oscillation: WallMotionOscillation
    """Sinusoidal displacement."""


class WallMotionExpression(TypedDict):
    """Displacement."""

    x: NotRequired[str | Number]
    """Displacement as an expression of t [m]."""
    y: NotRequired[str | Number]
    """Displacement as an expression of t [m]."""
    z: NotRequired[str | Number]
    """Displacement as an expression of t [m]."""


class WallMotionExpressionChoice(TypedDict):
    """Displacement."""

    expression: WallMotionExpression
    """Displacement."""


class WallMotionAngle(TypedDict):
    """Angle about an axis."""

    axis: Vector
    """Direction of the axis."""
    expression: str | Number
    """Angle as an expression of t [rad]."""
    point: Vector
    """A point of the axis [m]."""


class WallMotionAngleChoice(TypedDict):
    """Angle about an axis."""

    angle: WallMotionAngle
    """Angle about an axis."""


class WallMotionTableChoice(TypedDict):
    """Displacement, linear between rows."""

    table: str | Sequence[Vector]
    """Displacement, linear between rows."""


class WallMotionOrbit(TypedDict):
    """Translation along a circle without rotation."""

    axis: Vector
    """Axis of the circle."""
    frequency: Number
    """Revolutions per second [Hz]."""
    radius: Vector
    """From the centre of the circle to the initial position [m]."""


class WallMotionOrbitChoice(TypedDict):
    """Translation along a circle without rotation."""

    orbit: WallMotionOrbit
    """Translation along a circle without rotation."""


class WallParticles(TypedDict):
    """A rigid body of particles."""

    csv: NotRequired[str | InsertCsv]
    """A table with columns x, y, z, …."""
    list: NotRequired[Sequence[InsertList]]
    """List of particles."""
    radius: NotRequired[Number]
    """Default radius [m]."""
    state: NotRequired[str]
    """A state file."""


class WallRectangle(TypedDict):
    """A rectangle."""

    corner: Vector
    """A corner [m]."""
    edges: Sequence[Vector]
    """The two edges that start at the corner [m]."""


class WallSphere(TypedDict):
    """A sphere."""

    center: Vector
    """Centre [m]."""
    particles: Literal["inside", "outside"]
    """Side of the particles."""
    radius: Number
    """Radius [m]."""


Wall = TypedDict(
    "Wall",
    {
        "annulus": NotRequired[WallAnnulus],
        "cone": NotRequired[WallCone],
        "cylinder": NotRequired[WallCylinder],
        "disc": NotRequired[WallDisc],
        "half-space": NotRequired[WallHalfSpace],
        "material": str,
        "mesh": NotRequired[str | WallMesh],
        "motion": NotRequired[Literal["still", "expression"] | WallMotionStillChoice | WallMotionVelocityChoice | WallMotionRotationChoice | WallMotionOscillationChoice | WallMotionExpressionChoice | WallMotionAngleChoice | WallMotionTableChoice | WallMotionOrbitChoice | Sequence[Literal["still", "expression"] | WallMotionStillChoice | WallMotionVelocityChoice | WallMotionRotationChoice | WallMotionOscillationChoice | WallMotionExpressionChoice | WallMotionAngleChoice | WallMotionTableChoice | WallMotionOrbitChoice]],
        "name": str,
        "particles": NotRequired[WallParticles],
        "rectangle": NotRequired[WallRectangle],
        "sphere": NotRequired[WallSphere],
    },
)
"""A rigid surface."""


class StageEnd(TypedDict):
    """End of the stage: the first condition that is met."""

    after: NotRequired[Number]
    """Time since the start of the stage [s]."""
    kinetic_energy_below: NotRequired[Number]
    """Translational kinetic energy of all particles [J]."""
    or_after: NotRequired[Number]
    """Latest end of a stage with another condition: time since its start [s]."""
    particles_fall_to: NotRequired[Count]
    """This many particles or fewer."""
    particles_reach: NotRequired[Count]
    """This many particles or more."""
    speed_below: NotRequired[Number]
    """Speed of the fastest particle, without spin [m/s]."""


class PairChange(TypedDict):
    """A pair of materials."""

    adhesion_coefficient: NotRequired[Number]
    """A parameter of a law."""
    adhesion_critical_strain: NotRequired[Number]
    """A parameter of a law."""
    adhesion_exponent: NotRequired[Number]
    """A parameter of a law."""
    area_damping: NotRequired[Number]
    """A parameter of a law."""
    asperity_radius: NotRequired[Number]
    """A parameter of a law."""
    between: Sequence[str]
    """The two materials."""
    bond_critical_strain: NotRequired[Number]
    """A parameter of a law."""
    bond_exponent: NotRequired[Number]
    """A parameter of a law."""
    bond_stiffness: NotRequired[Number]
    """A parameter of a law."""
    bridge_volume: NotRequired[Number]
    """A parameter of a law."""
    contact_modulus: NotRequired[Number]
    """A parameter of a law."""
    damping_ratio: NotRequired[Number]
    """A parameter of a law."""
    dynamic_friction: NotRequired[Number]
    """A parameter of a law."""
    fractional_order: NotRequired[Number]
    """A parameter of a law."""
    friction: NotRequired[Number | PairFriction]
    """Friction."""
    friction_penalty: NotRequired[Number]
    """A parameter of a law."""
    friction_weakening: NotRequired[Number]
    """A parameter of a law."""
    hamaker_constant: NotRequired[Number]
    """A parameter of a law."""
    mie_attraction: NotRequired[Number]
    """A parameter of a law."""
    mie_attraction_exponent: NotRequired[Number]
    """A parameter of a law."""
    mie_cutoff: NotRequired[Number]
    """A parameter of a law."""
    mie_repulsion: NotRequired[Number]
    """A parameter of a law."""
    mie_repulsion_exponent: NotRequired[Number]
    """A parameter of a law."""
    normal_stiffness: NotRequired[Number]
    """A parameter of a law."""
    normal_viscosity: NotRequired[Number]
    """A parameter of a law."""
    parallel_stiffness: NotRequired[Number]
    """A parameter of a law."""
    restitution: NotRequired[Number]
    """A parameter of a law."""
    rolling_arm: NotRequired[Number]
    """A parameter of a law."""
    rolling_damping_ratio: NotRequired[Number]
    """A parameter of a law."""
    rolling_friction: NotRequired[Number]
    """A parameter of a law."""
    rotational_bond_stiffness: NotRequired[Number]
    """A parameter of a law."""
    smoothing_speed: NotRequired[Number]
    """A parameter of a law."""
    static_friction: NotRequired[Number]
    """A parameter of a law."""
    strain_exponent: NotRequired[Number]
    """A parameter of a law."""
    surface_tension: NotRequired[Number]
    """A parameter of a law."""
    tangential_damping_ratio: NotRequired[Number]
    """A parameter of a law."""
    van_der_waals_cutoff: NotRequired[Number]
    """A parameter of a law."""


class Stage(TypedDict):
    """A stage of a run."""

    add_walls: NotRequired[Sequence[Wall]]
    """Walls that are added."""
    end: StageEnd
    """End of the stage: the first condition that is met."""
    gravity: NotRequired[Vector]
    """Gravity from this stage on [m/s²]."""
    insert: NotRequired[Sequence[ParticleGroup]]
    """Particles that are inserted."""
    name: str
    """Name of the stage."""
    remove_fields: NotRequired[Sequence[Literal["drag", "electric", "magnetic", "pressure-gradient", "magnus", "rotating-frame"]]]
    """Fields that are removed."""
    remove_particles: NotRequired[Sequence[str]]
    """Groups that are removed."""
    remove_walls: NotRequired[Sequence[str]]
    """Walls that are removed."""
    set_fields: NotRequired[Sequence[FieldTable]]
    """Fields from this stage on."""
    set_motion: NotRequired[Mapping[str, Literal["still", "expression"] | WallMotionStillChoice | WallMotionVelocityChoice | WallMotionRotationChoice | WallMotionOscillationChoice | WallMotionExpressionChoice | WallMotionAngleChoice | WallMotionTableChoice | WallMotionOrbitChoice | Sequence[Literal["still", "expression"] | WallMotionStillChoice | WallMotionVelocityChoice | WallMotionRotationChoice | WallMotionOscillationChoice | WallMotionExpressionChoice | WallMotionAngleChoice | WallMotionTableChoice | WallMotionOrbitChoice]]]
    """New motions of walls."""
    set_pair: NotRequired[Sequence[PairChange]]
    """Parameters that change."""


class TimeIntegratorVelocityVerlet(TypedDict):
    """Velocity Verlet."""



TimeIntegratorVelocityVerletChoice = TypedDict(
    "TimeIntegratorVelocityVerletChoice",
    {
        "velocity-verlet": TimeIntegratorVelocityVerlet,
    },
)
"""Velocity Verlet."""


class TimeIntegratorSymplecticEuler(TypedDict):
    """Symplectic Euler, first order."""



TimeIntegratorSymplecticEulerChoice = TypedDict(
    "TimeIntegratorSymplecticEulerChoice",
    {
        "symplectic-euler": TimeIntegratorSymplecticEuler,
    },
)
"""Symplectic Euler, first order."""


class TimeIntegratorNewmarkPec(TypedDict):
    """Newmark's method in predictor–corrector form."""

    corrections: NotRequired[Count]
    """Number of evaluations with a correction."""
    final_evaluation: NotRequired[bool]
    """True if forces are evaluated once more at the end."""
    predictor: NotRequired[Literal["consistent", "printed"]]
    """Weight of the acceleration in the predicted velocity: ½, or ¼ as printed in Z."""


TimeIntegratorNewmarkPecChoice = TypedDict(
    "TimeIntegratorNewmarkPecChoice",
    {
        "newmark-pec": TimeIntegratorNewmarkPec,
    },
)
"""Newmark's method in predictor–corrector form."""


class TimeIntegratorThetaTolerance(TypedDict):
    """For each quantity."""

    position: NotRequired[Number]
    """Of positions."""
    rotation: NotRequired[Number]
    """Of the rotations in the step."""
    spin: NotRequired[Number]
    """Of spins."""
    velocity: NotRequired[Number]
    """Of velocities."""


class TimeIntegratorTheta(TypedDict):
    """Generalised trapezoidal rule."""

    desired_iterations: NotRequired[Count]
    """Iterations after which a shorter step is tried."""
    iteration: NotRequired[Literal["jacobi", "gauss-seidel", "frozen"]]
    """Iterative method."""
    most_iterations: NotRequired[Count]
    """Largest number of iterations of a step of the shortest length."""
    on_no_convergence: NotRequired[Literal["error", "accept"]]
    """Action if the shortest step does not converge."""
    phi: Number
    """Weight of the state at the end of the step, 0 to 1."""
    step_exponents: NotRequired[Literal["derived", "printed"]]
    """Exponents of the step control: as derived in B, or as printed."""
    tolerance: NotRequired[Number | TimeIntegratorThetaTolerance]
    """Largest error as a fraction of the change in the step."""


class TimeIntegratorThetaChoice(TypedDict):
    """Generalised trapezoidal rule."""

    theta: TimeIntegratorTheta
    """Generalised trapezoidal rule."""


class TimeIntegratorRkf45Tolerance(TypedDict):
    """For each quantity."""

    position: NotRequired[Number]
    """Fraction of the radius."""
    spin: NotRequired[Number]
    """Fraction of the largest speed divided by the radius."""
    velocity: NotRequired[Number]
    """Fraction of the largest speed that can occur."""


class TimeIntegratorRkf45(TypedDict):
    """Fehlberg's method of order 4 (5) with error control."""

    on_no_convergence: NotRequired[Literal["error", "accept"]]
    """Action if the shortest step does not converge."""
    tolerance: NotRequired[Number | TimeIntegratorRkf45Tolerance]
    """Largest error in one step."""


class TimeIntegratorRkf45Choice(TypedDict):
    """Fehlberg's method of order 4 (5) with error control."""

    rkf45: TimeIntegratorRkf45
    """Fehlberg's method of order 4 (5) with error control."""


class TimeStepAutoChoice(TypedDict):
    """Automatic at the start, then constant."""

    auto: Literal["once"]
    """Time of the choice."""


class TimeStep(TypedDict):
    """Automatic, at most `max`; `min` only if the integrator adapts the step."""

    max: Number
    """Longest step [s]."""
    min: NotRequired[Number]
    """Shortest step [s]."""


class Time(TypedDict):
    """Time integration."""

    integrator: NotRequired[Literal["velocity-verlet", "symplectic-euler", "newmark-pec", "rkf45"] | TimeIntegratorVelocityVerletChoice | TimeIntegratorSymplecticEulerChoice | TimeIntegratorNewmarkPecChoice | TimeIntegratorThetaChoice | TimeIntegratorRkf45Choice]
    """Integrator."""
    rotation: NotRequired[Literal["exact", "literal"]]
    """Meaning of spin times step: a rotation angle, or a Rodrigues vector as in C15 and C16."""
    safety: NotRequired[Number]
    """The automatic step as a fraction of the duration of the shortest impact."""
    step: NotRequired[Literal["auto"] | Number | TimeStepAutoChoice | TimeStep]
    """Time step."""


class SceneTables(TypedDict):
    """A scene of Esker."""

    contact: Contact
    """Contact laws."""
    domain: NotRequired[Domain]
    """Simulation domain."""
    fields: NotRequired[Sequence[FieldTable]]
    """Fields."""
    format: NotRequired[Literal[1]]
    """Version of the scene file."""
    gravity: NotRequired[Vector]
    """Gravity [m/s²]."""
    health: NotRequired[Health]
    """Checks that stop an unphysical run."""
    materials: Mapping[str, Material]
    """Materials by name."""
    motion: NotRequired[Motion]
    """Degrees of freedom."""
    outputs: NotRequired[Outputs]
    """Outputs of a run."""
    particles: NotRequired[Sequence[ParticleGroup]]
    """Groups of particles."""
    search: NotRequired[Search]
    """Neighbour search."""
    seed: NotRequired[Count]
    """Seed of all random numbers."""
    stages: NotRequired[Sequence[Stage]]
    """Stages of the run, one after the other."""
    time: NotRequired[Time]
    """Time integration."""
    title: NotRequired[str]
    """Title for reports."""
    walls: NotRequired[Sequence[Wall]]
    """Walls."""
