//! Measures.

use crate::text::options;
use crate::text::value::Value;
use esker::measure::{self, Measure};
use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// A measure that a scene file can name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    /// The name.
    pub word: &'static str,
    /// Creates the measure from its table of options.
    pub read: fn(&Value<'_>) -> Option<Arc<dyn Measure>>,
    /// JSON schema of the options.
    pub schema: fn(&mut SchemaGenerator) -> schemars::Schema,
}

const fn entry<T: Measure + DeserializeOwned + JsonSchema + 'static>(word: &'static str) -> Entry {
    Entry {
        word,
        read: |value| options::read::<T>(value).map(|found| Arc::new(found) as Arc<dyn Measure>),
        schema: T::json_schema,
    }
}

/// All measures.
pub(crate) const MEASURES: &[Entry] = &[
    entry::<measure::AngleOfRepose>("angle_of_repose"),
    entry::<measure::AtRest>("at_rest"),
    entry::<measure::CenterOfMass>("center_of_mass"),
    entry::<measure::Clusters>("clusters"),
    entry::<measure::Coordination>("coordination"),
    entry::<measure::Discharged>("discharged"),
    entry::<measure::Fabric>("fabric"),
    entry::<measure::Flow>("flow"),
    entry::<measure::ForceChains>("force_chains"),
    entry::<measure::HeightProfile>("height_profile"),
    entry::<measure::Hexatic>("hexatic"),
    entry::<measure::Intruder>("intruder"),
    entry::<measure::KineticEnergy>("kinetic_energy"),
    entry::<measure::Layer>("layer"),
    entry::<measure::MixingIndex>("mixing_index"),
    entry::<measure::Momentum>("momentum"),
    entry::<measure::PackingFraction>("packing_fraction"),
    entry::<measure::Stress>("stress"),
];

/// The names of all measures.
pub fn measure_words() -> Vec<&'static str> {
    MEASURES.iter().map(|entry| entry.word).collect()
}
