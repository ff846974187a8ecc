//! Fields other than gravity.

use super::Entry;
use crate::schema::build;
use crate::text::value::Value;
use esker::field::{
    Electric, Field, LinearDrag, Magnetic, Magnus, PressureGradient, ReynoldsDrag, RotatingFrame,
    StokesDrag, VolumetricDrag,
};
use esker::parameters::Described;
use serde_json::Value as Json;
use std::sync::Arc;

type Made = Arc<dyn Field>;

/// Fields by name.
pub(crate) const FIELDS: &[Entry<Made>] = &[
    Entry::own("drag", drag, drag_schema),
    field::<Electric>(),
    field::<Magnetic>(),
    field::<PressureGradient>(),
    field::<Magnus>(),
    field::<RotatingFrame>(),
];

/// Laws of drag by name.
const DRAGS: &[Entry<Made>] = &[
    field::<LinearDrag>(),
    field::<StokesDrag>(),
    field::<ReynoldsDrag>(),
    field::<VolumetricDrag>(),
];

const fn field<F: Field + Described + 'static>() -> Entry<Made> {
    Entry::new(F::NAME, F::ABOUT, |parameters| Arc::new(F::from_parameters(parameters)))
}

fn drag(value: &Value<'_>) -> Option<Made> {
    super::read_choice(DRAGS, &value.choice(&super::names(DRAGS))?)
}

fn drag_schema() -> Json {
    let laws = DRAGS.iter().map(|entry| (entry.name, entry.schema()));
    let table = build::table_of("Drag of a medium", laws);
    build::exactly_one(table, &super::names(DRAGS))
}
