//! Fields: forces on single particles.

use crate::text::table::Table;
use crate::text::value::Limits;
use esker::field::{
    Electric, Field, LinearDrag, Magnetic, Magnus, PressureGradient, ReynoldsDrag, StokesDrag,
    VolumetricDrag,
};
use std::sync::Arc;

/// Words of fields beside gravity.
pub(crate) const FIELDS: &[&str] = &["drag", "electric", "magnetic", "pressure-gradient", "magnus"];

/// Words of drag laws.
pub(crate) const DRAGS: &[&str] = &["linear", "stokes", "reynolds", "volumetric"];

/// One field: the only key of its table is its word.
pub(crate) fn field(table: Table<'_>) -> Option<Arc<dyn Field>> {
    let found = table.one_of(FIELDS);
    table.finish();
    let (word, value) = found?;
    if word == "drag" {
        let choice = value.choice(DRAGS)?;
        let options = choice.table()?;
        let field = drag(choice.word, &options);
        options.finish();
        return Some(field);
    }
    if word == "magnus" {
        let options = value.table()?;
        let coefficient = options.number("coefficient", Limits::Any);
        let medium_velocity = options.optional_vec3("medium_velocity");
        options.finish();
        return Some(Arc::new(Magnus { coefficient, medium_velocity }));
    }
    let vector = value.vec3()?;
    Some(match word {
        "electric" => Arc::new(Electric(vector)),
        "magnetic" => Arc::new(Magnetic(vector)),
        _ => Arc::new(PressureGradient(vector)),
    })
}

fn drag(word: &str, options: &Table<'_>) -> Arc<dyn Field> {
    let medium_velocity = options.optional_vec3("medium_velocity");
    match word {
        "linear" => {
            Arc::new(LinearDrag { coefficient: options.positive("coefficient"), medium_velocity })
        }
        "reynolds" => Arc::new(ReynoldsDrag {
            density: options.positive("density"),
            viscosity: options.positive("viscosity"),
            medium_velocity,
        }),
        "volumetric" => Arc::new(VolumetricDrag {
            density: options.positive("density"),
            viscosity: options.positive("viscosity"),
            voidage: options.optional_number("voidage", Limits::Positive).unwrap_or(1.0),
            medium_velocity,
        }),
        _ => Arc::new(StokesDrag { viscosity: options.positive("viscosity"), medium_velocity }),
    }
}
