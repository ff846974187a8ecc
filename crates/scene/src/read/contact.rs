//! `[materials]` and `[contact]`: materials and contact laws.

use super::{Names, lookup};
use crate::diagnostic::Diagnostic;
use crate::registry::laws::{self as registry, Entry, LawInForce};
use crate::text::options;
use crate::text::table::Table;
use crate::text::value::{Limits, Value};
use esker::Scene;
use esker::law::Model;
use esker::material::{Material, MaterialId, Pair};
use std::sync::Arc;

/// Reads both tables.
pub(super) fn read(root: &Table<'_>, scene: &mut Scene, names: &mut Names) -> Vec<LawInForce> {
    let mut in_force = Vec::new();
    let contact = root.required("contact").and_then(|value| value.table());
    let materials = root.required("materials").and_then(|value| value.table());
    if let Some(table) = &contact {
        laws(table, scene, &mut in_force);
    }
    for (name, span, value) in materials.iter().flat_map(Table::entries) {
        if name.is_empty() {
            let error = Diagnostic::error("the name of a material is empty", span.clone());
            value.context.report(error);
        }
        super::check_name(value.context, span, &name, super::LONGEST_NAME);
        let Some(table) = value.table() else { continue };
        names.has_density.push(table.has("density"));
        scene.add_material(&name, material(table));
        names.materials.push(name);
    }
    if let Some(table) = &materials {
        match names.materials.len() {
            0 => table.report("no material is defined", None),
            count if count > usize::from(u16::MAX) => {
                table.report(format!("{count} materials are more than 65535"), None);
            }
            _ => {}
        }
    }
    if let Some(table) = contact {
        for pair in super::tables(&table, "pairs") {
            if let Some((between, pair)) = read_pair(pair, names, scene) {
                scene.set_pair(between[0], between[1], pair);
            }
        }
        table.finish();
    }
    in_force
}

fn material(table: Table<'_>) -> Material {
    let ratio = table.number("poisson_ratio", Limits::Any);
    let mut material =
        Material::new().young_modulus(table.positive("young_modulus")).poisson_ratio(ratio);
    // Walls need no density; whether the material of a group has one is checked there.
    material.density = table.optional_number("density", Limits::Positive);
    if let Some(value) = table.optional("poisson_ratio")
        && (ratio <= -1.0 || ratio > 0.5)
    {
        value.report(format!("`poisson_ratio` is {ratio}"), "must be above -1 and at most 0.5");
    }
    for key in registry::MATERIAL_KEYS {
        if let Some(value) = table.optional_number(key, Limits::Any) {
            material.more.insert((*key).to_owned(), value);
        }
    }
    table.finish();
    material
}

fn laws(table: &Table<'_>, scene: &mut Scene, in_force: &mut Vec<LawInForce>) {
    let contact = &mut scene.contact;
    let normal = table.required("normal");
    contact.normal =
        normal.and_then(|value| law(&value, ("normal", registry::NORMAL), false, in_force));
    let mut optional = |slot: (&'static str, &'static [Entry])| {
        law(&table.optional(slot.0)?, slot, true, in_force)
    };
    contact.damping = optional(("damping", registry::DAMPING));
    contact.tangential = optional(("tangential", registry::TANGENTIAL));
    contact.rolling = optional(("rolling", registry::ROLLING));
    for item in table.optional("cohesion").and_then(|value| value.list()).unwrap_or_default() {
        contact.cohesion.extend(law(&item, ("cohesion", registry::COHESION), false, in_force));
    }
    if let Some(value) = table.optional("lever") {
        contact.moment_arm = options::deserialize(&value).unwrap_or_default();
    }
}

/// The law of a slot, which is recorded with its options.
fn law(
    value: &Value<'_>,
    (name, slot): (&'static str, &'static [Entry]),
    may_be_none: bool,
    in_force: &mut Vec<LawInForce>,
) -> Option<Arc<dyn Model>> {
    let mut words = registry::words(slot);
    if may_be_none {
        words.push("none");
    }
    let choice = value.choice(&words)?;
    let made = registry::make(slot, &choice)?;
    in_force.push(LawInForce { slot: name, word: choice.word, options: made.options });
    Some(made.model)
}

fn read_pair(table: Table<'_>, names: &Names, scene: &Scene) -> Option<([MaterialId; 2], Pair)> {
    let between = table.required("between");
    let indices = between.as_ref().and_then(|value| two_materials(value, names));
    let mut pair = Pair::new();
    for (name, value) in parameters(&table) {
        pair.set(&name, value);
    }
    table.finish_with(|_| true);
    let ids = indices?.map(|index| MaterialId::new(index as u16));
    let key = [ids[0].min(ids[1]), ids[0].max(ids[1])];
    if scene.pairs.iter().any(|(other, _)| *other == key) {
        between?.report("this pair of materials is given twice", "given before");
    }
    Some((ids, pair))
}

/// The two materials of `between`.
pub(super) fn two_materials(value: &Value<'_>, names: &Names) -> Option<[usize; 2]> {
    let items = value.list()?;
    if items.len() != 2 {
        value.report("`between` must name two materials", format!("{} names here", items.len()));
        return None;
    }
    let find = |item| lookup(item, &names.materials, "material", "not defined in [materials]");
    let found = [find(&items[0]), find(&items[1])];
    Some([found[0]?, found[1]?])
}

/// The parameters of a pair: all numbers besides `between`. The engine reports those that its laws do not use.
pub(super) fn parameters(table: &Table<'_>) -> Vec<(String, f64)> {
    let mut all = Vec::new();
    // Read by name, since it may also be a table.
    let _ = table.optional("friction");
    for (name, _, value) in table.entries() {
        match name.as_str() {
            "between" => {}
            "friction" if !value.is_number() => {
                if !value.is_table() {
                    value.expected("a number, or a table with `static` and `dynamic`");
                    continue;
                }
                let Some(parts) = value.table() else { continue };
                all.push((
                    "static_friction".to_owned(),
                    parts.number("static", Limits::NotNegative),
                ));
                all.push((
                    "dynamic_friction".to_owned(),
                    parts.number("dynamic", Limits::NotNegative),
                ));
                if let Some(weakening) = parts.optional_number("weakening", Limits::NotNegative) {
                    all.push(("friction_weakening".to_owned(), weakening));
                }
                parts.finish();
            }
            _ => {
                if let Some(number) = value.number(Limits::Any) {
                    all.push((name, number));
                }
            }
        }
    }
    all
}
