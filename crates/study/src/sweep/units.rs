//! Units of results and parameters, for tables and plots.

use esker_scene::Loaded;

/// Units by the last word of a name. Other words, such as `friction`, are pure numbers or unknown.
const UNITS: [(&[&str], &str); 14] = [
    (
        &[
            "time",
            "wall_time",
            "step",
            "limit",
            "contact_time",
            "rayleigh_time",
            "after",
            "or_after",
        ],
        "s",
    ),
    (&["shortest", "longest", "every", "start", "time_to_zero_slip"], "s"),
    (
        &["radius", "height", "max_height", "skin", "overlap", "contact_radius", "asperity_radius"],
        "m",
    ),
    (&["position", "mean_position", "min_position", "max_position", "unwrapped_position"], "m"),
    (&["elastic_displacement", "sliding_displacement", "bridge_reach", "rolling_arm"], "m"),
    (&["speed", "velocity", "mean_velocity", "max_speed", "closing_speed", "slip_speed"], "m/s"),
    (&["spin", "mean_spin", "rate"], "1/s"),
    (&["force", "normal_force", "tangential_force", "elastic", "damping", "tangential"], "N"),
    (&["torque", "moment"], "N m"),
    (&["kinetic_energy", "rotational_energy", "work"], "J"),
    (&["young_modulus", "shear_modulus"], "Pa"),
    (&["density"], "kg/m³"),
    (&["normal_stiffness", "tangential_stiffness"], "N/m"),
    (&["mass"], "kg"),
];

/// The unit of a number of a run; empty for a pure number.
pub(super) fn of_result(loaded: &Loaded, name: &str) -> &'static str {
    for measured in &loaded.outputs.measures {
        let start = format!("measured.{}.", measured.name);
        let Some(rest) = name.strip_prefix(&start) else { continue };
        if let Some(column) = measured.measure.columns().iter().find(|one| one.name == rest) {
            return column.unit;
        }
    }
    match name {
        _ if name.starts_with("energy.") => "J",
        "time_step.speed" => "m/s",
        "step_counts.iterations" | "steps" => "",
        "measures.largest_overlap" => "",
        _ => of_word(name),
    }
}

/// The unit of a parameter by its key; empty for a pure number or if unknown.
pub(super) fn of_key(key: &str) -> &'static str {
    if key == "gravity" { "m/s²" } else { of_word(key) }
}

fn of_word(name: &str) -> &'static str {
    let word = name.rsplit('.').next().unwrap_or_default();
    let word = word.split('[').next().unwrap_or_default();
    let component = ["_x", "_y", "_z"].iter().find_map(|end| word.strip_suffix(end));
    let word = component.unwrap_or(word);
    UNITS.iter().find(|(words, _)| words.contains(&word)).map_or("", |(_, unit)| *unit)
}

/// A name with its unit: `angle [°]`.
pub(super) fn with_unit(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_the_last_word() {
        assert_eq!(of_key("materials.*.young_modulus"), "Pa");
        assert_eq!(of_key("contact.pairs[*].friction"), "");
        assert_eq!(of_key("particles[0].radius"), "m");
        assert_eq!(of_key("gravity"), "m/s²");
        assert_eq!(of_word("heap.mean_position_z"), "m");
        assert_eq!(with_unit("measured.heap.angle", "°"), "measured.heap.angle [°]");
    }
}
