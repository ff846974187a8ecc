//! Words of a scene file and what they construct: one line per law.

use crate::text::options;
use crate::text::table::Choice;
use crate::text::value::Value;
use esker::law::{Model, cohesion, damping, normal, rolling, tangential};
use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// A law that a scene file can name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    /// The word.
    pub word: &'static str,
    /// Makes the law from its table of options.
    pub read: fn(&Value<'_>) -> Option<Arc<dyn Model>>,
    /// Makes the law with its default options.
    pub default: fn() -> Arc<dyn Model>,
    /// JSON schema of the options.
    pub schema: fn(&mut SchemaGenerator) -> schemars::Schema,
}

const fn law<T: Model + Default + DeserializeOwned + JsonSchema + 'static>(
    word: &'static str,
) -> Entry {
    Entry {
        word,
        read: |value| options::read::<T>(value).map(|law| Arc::new(law) as Arc<dyn Model>),
        default: || Arc::new(T::default()),
        schema: T::json_schema,
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

/// What laws ask of a material beyond density, Young's modulus and Poisson's ratio.
pub(crate) const MATERIAL_KEYS: &[&str] = &["asperity_radius", "damping_ratio", "hamaker_constant"];

/// Every slot with its words.
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

/// The words of a slot.
pub(crate) fn words(slot: &[Entry]) -> Vec<&'static str> {
    slot.iter().map(|entry| entry.word).collect()
}

/// The law that a choice names.
pub(crate) fn make(slot: &[Entry], choice: &Choice<'_>) -> Option<Arc<dyn Model>> {
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
                assert_eq!((entry.default)().word(), entry.word);
            }
        }
    }
}
