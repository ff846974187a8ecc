//! A JSON schema of the scene file, for completion and checks in editors.
//!
//! The options of laws come from the laws themselves; the keys of the reader are repeated here, and a test compares the
//! two, key by key, over all good scenes.

pub(crate) mod build;
pub(crate) mod particles;
pub(crate) mod time;
mod walls;

use crate::output::FORMATS;
use crate::registry::fields::FIELDS;
use crate::registry::laws::{self, Entry};
use crate::registry::measures::{MEASURES, measure_words};
use crate::registry::names as entry_names;
use build::*;
use serde_json::{Value, json};

/// The schema (draft 2020-12).
pub fn schema() -> Value {
    let mut root = table(
        "A scene of Esker",
        [
            ("!format", json!({ "const": 1, "description": "Version of the scene file" })),
            ("title", text("Title for reports")),
            ("seed", count("Seed of all random numbers")),
            ("gravity", vector("Gravity [m/s²]")),
            ("time", time::time()),
            ("motion", motion_options()),
            ("domain", domain()),
            ("search", search()),
            ("health", health()),
            ("!materials", named("Materials by name", material())),
            ("!contact", contact()),
            ("particles", list("Groups of particles", particles::particles())),
            ("walls", list("Walls", walls::walls())),
            ("fields", list("Fields", field())),
            ("stages", list("Stages of the run, one after the other", stage())),
            ("outputs", outputs()),
        ],
    );
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!("Esker scene");
    without_examples(&mut root);
    root
}

/// Descriptions come from doc comments; their examples are for users of the library, not of scene files.
fn without_examples(value: &mut Value) {
    match value {
        Value::Object(table) => {
            if let Some(Value::String(text)) = table.get_mut("description")
                && let Some(start) = text.find("```")
            {
                text.truncate(start);
                text.truncate(text.trim_end().len());
            }
            table.values_mut().for_each(without_examples);
        }
        Value::Array(items) => items.iter_mut().for_each(without_examples),
        _ => {}
    }
}

fn motion_options() -> Value {
    table(
        "Degrees of freedom",
        [
            ("plane_normal", words("Axis along which nothing moves (2D)", &["x", "y", "z"])),
            ("rotations", flag("True if particles rotate")),
        ],
    )
}

fn domain() -> Value {
    table(
        "Simulation domain",
        [
            ("!min", vector("Lower corner [m]")),
            ("!max", vector("Upper corner [m]")),
            (
                "outside",
                words("Treatment of particles that leave the domain", &["error", "delete"]),
            ),
            ("periodic", list("Periodic directions", words("Axis", &["x", "y", "z"]))),
        ],
    )
}

fn search() -> Value {
    table(
        "Neighbour search",
        [
            ("method", words("Method of the neighbour search", &["grid", "cubes", "brute-force"])),
            (
                "skin",
                positive(
                    "Skin: distance beyond the interaction range within which pairs are in the list [m]",
                ),
            ),
        ],
    )
}

fn health() -> Value {
    table(
        "Checks that stop an unphysical run",
        [
            ("overlap_limit", positive("Largest overlap as a fraction of the smaller radius")),
            (
                "overlap",
                words(
                    "Response to a larger overlap: the run stops, or it is only counted",
                    &["error", "warn"],
                ),
            ),
            (
                "energy_error",
                positive(
                    "Largest closure error of the energy ledger, as a fraction of the energy exchanged",
                ),
            ),
            (
                "step_limit",
                words("Action if the time step is beyond the stability limit", &["error", "warn"]),
            ),
        ],
    )
}

fn material() -> Value {
    let mut material = table(
        "A material",
        [
            ("density", positive("Density [kg/m³]; walls need none")),
            ("!young_modulus", positive("Young's modulus [Pa]; `inf` for a rigid wall")),
            ("!poisson_ratio", number("Poisson's ratio")),
        ],
    );
    for key in laws::MATERIAL_KEYS {
        material["properties"][*key] = number("A parameter of a law");
    }
    material
}

fn contact() -> Value {
    let pair = || pair("Parameters of the contact between two materials");
    table(
        "Contact laws",
        [
            ("!normal", law("Elastic normal force", laws::NORMAL, false)),
            ("damping", law("Dissipative normal force", laws::DAMPING, true)),
            ("tangential", law("Tangential force", laws::TANGENTIAL, true)),
            ("rolling", law("Rolling resistance", laws::ROLLING, true)),
            ("cohesion", list("Attractions", law("Attraction", laws::COHESION, false))),
            (
                "lever",
                words(
                    "Position of the contact point (moment arm)",
                    &["half-overlap", "radius", "contact"],
                ),
            ),
            ("pairs", list("Parameters of pairs of materials", pair())),
        ],
    )
}

fn law(about: &str, slot: &[Entry], may_be_none: bool) -> Value {
    let mut alone = laws::words(slot);
    if may_be_none {
        alone.push("none");
    }
    let mut settings = schemars::generate::SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    let mut generator = settings.into_generator();
    let options = slot
        .iter()
        .map(|entry| (entry.word, Value::from((entry.schema)(&mut generator))))
        .collect();
    choice(about, &alone, options)
}

fn pair(about: &str) -> Value {
    let mut between = list("The two materials", text("A name from [materials]"));
    between["minItems"] = json!(2);
    between["maxItems"] = json!(2);
    let parts = table(
        "Friction at rest and while sliding",
        [
            ("!static", not_negative("At rest")),
            ("!dynamic", not_negative("While sliding")),
            ("weakening", not_negative("Rate of decrease with the slip speed [s/m]")),
        ],
    );
    let friction = either("Friction", vec![number("At rest and while sliding"), parts]);
    let mut pair = table(about, [("!between", between), ("friction", friction)]);
    for key in laws::PAIR_KEYS {
        pair["properties"][*key] = number("A parameter of a law");
    }
    pair["additionalProperties"] = number("A parameter of a law");
    pair
}

fn field() -> Value {
    let fields = FIELDS.iter().map(|entry| (entry.name, entry.schema()));
    exactly_one(table_of("A force on each particle", fields), &entry_names(FIELDS))
}

fn stage() -> Value {
    let names = |about| list(about, text("A name"));
    let end = table(
        "End of the stage: the first condition that is met",
        [
            ("after", positive("Time since the start of the stage [s]")),
            (
                "or_after",
                positive("Latest end of a stage with another condition: time since its start [s]"),
            ),
            ("kinetic_energy_below", positive("Translational kinetic energy of all particles [J]")),
            ("speed_below", positive("Speed of the fastest particle, without spin [m/s]")),
            ("particles_reach", count("This many particles or more")),
            ("particles_fall_to", count("This many particles or fewer")),
        ],
    );
    table(
        "A stage of a run",
        [
            ("!name", text("Name of the stage")),
            ("!end", end),
            ("remove_walls", names("Walls that are removed")),
            ("remove_particles", names("Groups that are removed")),
            ("remove_fields", list("Fields that are removed", words("Name", &entry_names(FIELDS)))),
            ("set_motion", named("New motions of walls", walls::motion())),
            ("gravity", vector("Gravity from this stage on [m/s²]")),
            ("set_pair", list("Parameters that change", pair("A pair of materials"))),
            ("set_fields", list("Fields from this stage on", field())),
            ("add_walls", list("Walls that are added", walls::walls())),
            ("insert", list("Particles that are inserted", particles::particles())),
        ],
    )
}

fn measure() -> Value {
    let mut measure = table(
        "One measure",
        [
            ("name", text("Name of its table; default: the name of the measure")),
            ("every", positive("Interval [s]; default: only at the start and the end")),
        ],
    );
    let mut settings = schemars::generate::SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    let mut generator = settings.into_generator();
    for entry in MEASURES {
        measure["properties"][entry.word] = Value::from((entry.schema)(&mut generator));
    }
    exactly_one(measure, &measure_words())
}

fn events() -> Value {
    let found =
        words("Detection of a zero of the slip velocity", &["crossing", "predicted", "printed"]);
    let options = table("Events, with options", [("!zero_slip", found)]);
    either("Contact events", vec![flag("True if events are recorded"), options])
}

fn outputs() -> Value {
    let interval = |about| table(about, [("!every", positive("Interval [s]"))]);
    let mut frames = table(
        "Frames",
        [
            ("!every", positive("Interval [s]")),
            ("contacts", flag("True if contacts are written, in formats that support them")),
        ],
    );
    for format in FORMATS {
        frames["properties"][format.name] = flag(format.about);
    }
    let partner = either("A partner", vec![count("Id of a particle"), text("A wall")]);
    let mut contact = list("A contact, by its two partners", partner);
    contact["minItems"] = json!(2);
    contact["maxItems"] = json!(2);
    let probe = table(
        "A table of chosen quantities",
        [
            ("!name", text("Name of the table")),
            ("particles", text("A group, or `all`")),
            ("particle", count("Id of a particle")),
            ("contact", contact),
            ("wall", text("A wall")),
            ("!columns", list("Columns", text("A quantity"))),
            ("every", positive("Interval [s]; default: every step")),
            ("mark", vector("A material point of the particle, relative to its centre [m]")),
            ("axis", vector("Axis of the accumulated angle")),
        ],
    );
    table(
        "Outputs of a run",
        [
            ("frames", frames),
            ("energy", interval("Table of energies")),
            ("walls", interval("Table of forces on walls")),
            ("contacts", interval("Lists of contacts")),
            ("checkpoint", interval("Checkpoints")),
            ("events", events()),
            ("final", flag("True if the final state is written")),
            ("report", flag("True if `report.html` is written")),
            (
                "probes",
                list("Probes", exactly_one(probe, &["particles", "particle", "contact", "wall"])),
            ),
            ("measure", list("Measures of the whole system, over time and at the end", measure())),
        ],
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn descriptions_contain_no_code() {
        let text = super::schema().to_string();
        assert!(!text.contains("```") && !text.contains("use esker"));
    }
}
