//! Fields: forces on single particles.

use crate::expression::Program;
use crate::text::table::Table;
use crate::text::value::Limits;
use crate::text::value::Value;
use esker::Vec3;
use esker::field::{
    Electric, Field, LinearDrag, Magnetic, Magnus, MediumVelocity, PressureGradient, ReynoldsDrag,
    StokesDrag, VolumetricDrag,
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
        let medium_velocity = medium_velocity(&options);
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
    let medium_velocity = medium_velocity(options);
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
            voidage: voidage(options),
            medium_velocity,
        }),
        _ => Arc::new(StokesDrag { viscosity: options.positive("viscosity"), medium_velocity }),
    }
}

/// The share of the volume that the medium fills.
fn voidage(options: &Table<'_>) -> f64 {
    let Some(value) = options.optional("voidage") else { return 1.0 };
    let voidage = value.number(Limits::Positive).unwrap_or(1.0);
    if voidage > 1.0 {
        value.report(format!("`voidage` is {voidage}"), "a share of the volume, at most 1");
    }
    voidage
}

/// Three numbers, or expressions of `x`, `y`, `z` and `t` in the place of any of them.
fn medium_velocity(options: &Table<'_>) -> MediumVelocity {
    let Some(value) = options.optional("medium_velocity") else {
        return MediumVelocity::default();
    };
    let parts = if value.is_list() { value.list().unwrap_or_default() } else { Vec::new() };
    if parts.len() != 3 || parts.iter().all(|part| !part.is_text()) {
        return value.vec3().unwrap_or(Vec3::ZERO).into();
    }
    let programs: Vec<Program> = parts.iter().filter_map(program).collect();
    let Ok([x, y, z]) = <[Program; 3]>::try_from(programs) else {
        return MediumVelocity::default();
    };
    let written: Vec<String> = parts.iter().map(written).collect();
    let velocity = move |place: Vec3, time: f64| {
        let place = place.to_array();
        Vec3::new(x.at(place, time), y.at(place, time), z.at(place, time))
    };
    MediumVelocity::Varying(Arc::new(velocity), format!("[{}]", written.join(", ")).into())
}

fn program(value: &Value<'_>) -> Option<Program> {
    if value.is_number() {
        return value.number(Limits::Any).map(Program::constant);
    }
    let text = value.text()?;
    Program::parse(text).map_err(|error| super::motion::report(value, text, error)).ok()
}

/// A part of a velocity as it stands in the file.
fn written(value: &Value<'_>) -> String {
    if value.is_text() {
        value.text().unwrap_or_default().to_owned()
    } else {
        value.number(Limits::Any).unwrap_or_default().to_string()
    }
}
