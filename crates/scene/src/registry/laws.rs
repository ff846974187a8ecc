//! Contact laws.

use crate::text::options;
use crate::text::table::Choice;
use crate::text::value::Value;
use esker::law::{Model, cohesion, damping, normal, rolling, tangential};
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::sync::Arc;

/// A law that a scene file can name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    /// The name.
    pub word: &'static str,
    /// Creates the law from its table of options.
    pub read: fn(&Value<'_>) -> Option<Made>,
    /// Creates the law with its default options.
    pub default: fn() -> Made,
    /// JSON schema of the options.
    pub schema: fn(&mut SchemaGenerator) -> schemars::Schema,
}

/// A law and its options.
#[derive(Debug)]
pub(crate) struct Made {
    /// The model.
    pub model: Arc<dyn Model>,
    /// Names and values of all its options, defaults included.
    pub options: Vec<(String, String)>,
}

/// A law of a scene, with every option and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct LawInForce {
    /// The slot: `normal`, `damping`, `cohesion`, `tangential` or `rolling`.
    pub slot: &'static str,
    /// Name of the law.
    pub word: &'static str,
    /// Names and values of its options, defaults included.
    pub options: Vec<(String, String)>,
}

const fn law<T: Model + Default + Serialize + DeserializeOwned + JsonSchema + 'static>(
    word: &'static str,
) -> Entry {
    Entry {
        word,
        read: |value| options::read::<T>(value).map(made),
        default: || made(T::default()),
        schema: T::json_schema,
    }
}

fn made<T: Model + Serialize + 'static>(law: T) -> Made {
    let options = match serde_json::to_value(&law) {
        Ok(Json::Object(all)) => {
            all.into_iter().map(|(name, value)| (name, as_text(&value))).collect()
        }
        _ => Vec::new(),
    };
    Made { model: Arc::new(law), options }
}

/// A value of an option as it is written in scene files.
fn as_text(value: &Json) -> String {
    match value {
        Json::Null => "none".to_owned(),
        Json::String(word) => word.clone(),
        Json::Object(parts) => {
            let parts = parts.iter().map(|(name, value)| format!("{name} = {}", as_text(value)));
            format!("{{ {} }}", parts.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// Elastic normal forces.
pub(crate) const NORMAL: &[Entry] = &[
    law::<normal::Hertz>("hertz"),
    law::<normal::Linear>("linear"),
    law::<normal::PowerLaw>("power-law"),
    law::<normal::Fractional>("fractional"),
];

/// Dissipative normal forces.
pub(crate) const DAMPING: &[Entry] = &[
    law::<damping::HertzDamping>("hertz"),
    law::<damping::LinearDamping>("linear"),
    law::<damping::AreaDamping>("area"),
];

/// Tangential forces.
pub(crate) const TANGENTIAL: &[Entry] = &[
    law::<tangential::Mindlin>("mindlin"),
    law::<tangential::SpringDashpot>("spring-dashpot"),
    law::<tangential::RollingMapped>("rolling-mapped"),
    law::<tangential::Penalty>("penalty"),
    law::<tangential::Incremental>("incremental"),
    law::<tangential::SlidingTorsion>("sliding-torsion"),
];

/// Rolling resistance.
pub(crate) const ROLLING: &[Entry] = &[
    law::<rolling::ConstantTorque>("constant-torque"),
    law::<rolling::ElasticPlastic>("elastic-plastic"),
    law::<rolling::Arm>("arm"),
];

/// Attractions.
pub(crate) const COHESION: &[Entry] = &[
    law::<cohesion::Adhesion>("adhesion"),
    law::<cohesion::Bond>("bond"),
    law::<cohesion::LiquidBridge>("liquid-bridge"),
    law::<cohesion::Mie>("mie"),
    law::<cohesion::VanDerWaals>("van-der-waals"),
];

/// Parameters of materials that laws read in addition to density, Young's modulus and Poisson's
/// ratio.
pub(crate) const MATERIAL_KEYS: &[&str] = &["asperity_radius", "damping_ratio", "hamaker_constant"];

/// Parameters of pairs of materials that laws read, for the schema: the engine accepts any name, so that a law of
/// another crate can have its own parameters.
pub(crate) const PAIR_KEYS: &[&str] = &[
    "adhesion_coefficient",
    "adhesion_critical_strain",
    "adhesion_exponent",
    "area_damping",
    "asperity_radius",
    "bond_critical_strain",
    "bond_exponent",
    "bond_stiffness",
    "bridge_volume",
    "contact_modulus",
    "damping_ratio",
    "dynamic_friction",
    "fractional_order",
    "friction_penalty",
    "friction_weakening",
    "hamaker_constant",
    "mie_attraction",
    "mie_attraction_exponent",
    "mie_cutoff",
    "mie_repulsion",
    "mie_repulsion_exponent",
    "normal_stiffness",
    "normal_viscosity",
    "parallel_stiffness",
    "restitution",
    "rolling_arm",
    "rolling_damping_ratio",
    "rolling_friction",
    "rotational_bond_stiffness",
    "smoothing_speed",
    "static_friction",
    "strain_exponent",
    "surface_tension",
    "tangential_damping_ratio",
    "van_der_waals_cutoff",
];

/// Every slot with the names of its laws.
pub fn law_words() -> Vec<(&'static str, Vec<&'static str>)> {
    let slots = [
        ("normal", NORMAL),
        ("damping", DAMPING),
        ("cohesion", COHESION),
        ("tangential", TANGENTIAL),
        ("rolling", ROLLING),
    ];
    slots.into_iter().map(|(name, slot)| (name, words(slot))).collect()
}

/// Names of the laws of a slot.
pub(crate) fn words(slot: &[Entry]) -> Vec<&'static str> {
    slot.iter().map(|entry| entry.word).collect()
}

/// The law that a choice names.
pub(crate) fn make(slot: &[Entry], choice: &Choice<'_>) -> Option<Made> {
    let entry = slot.iter().find(|entry| entry.word == choice.word)?;
    match &choice.value {
        Some(value) => (entry.read)(value),
        None => Some((entry.default)()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_law_answers_to_its_word() {
        for slot in [NORMAL, DAMPING, TANGENTIAL, ROLLING, COHESION] {
            for entry in slot {
                assert_eq!((entry.default)().model.name(), entry.word);
            }
        }
    }
}
