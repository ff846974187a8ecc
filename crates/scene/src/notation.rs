//! Names of settings in messages: the keys of a scene file.

use esker::{Notation, Setting};

/// The notation of scene files.
pub(crate) const KEYS: Notation = Notation::new(key);

fn key(setting: &Setting) -> String {
    match setting {
        Setting::AutomaticStep => "`step = \"auto\"`".to_owned(),
        Setting::StepAtMost => "`step = { max = … }`".to_owned(),
        Setting::StepBetween { max, min } => {
            format!("`step = {{ max = {max:.1e}, min = {min:.1e} }}`")
        }
        Setting::WarnOfStep => "`[health] step_limit = \"warn\"`".to_owned(),
        Setting::OverlapLimit(None) => "`[health] overlap_limit`".to_owned(),
        Setting::OverlapLimit(Some(limit)) => format!("`overlap_limit = {limit}`"),
        Setting::WarnOfOverlap => "`overlap = \"warn\"`".to_owned(),
        Setting::AcceptError => "`on_no_convergence = \"accept\"`".to_owned(),
        Setting::Domain => "[domain]".to_owned(),
        Setting::DeleteOutside => "`outside = \"delete\"`".to_owned(),
        Setting::NoRotations => "`rotations = false`".to_owned(),
        Setting::Normal(normal) => {
            format!("`normal = [{}, {}, {}]`", normal.x, normal.y, normal.z)
        }
        Setting::ParticlesInside(true) => "`particles = \"inside\"`".to_owned(),
        Setting::ParticlesInside(false) => "`particles = \"outside\"`".to_owned(),
        Setting::DensePacking => "`dense = true`".to_owned(),
        Setting::WithoutHistory => "`history = false`".to_owned(),
        Setting::EndAfter => "`end = { after = … }`".to_owned(),
        Setting::Pairs => "[contact]".to_owned(),
        Setting::Pair([first, second]) => {
            format!("{{ between = [\"{first}\", \"{second}\"], … }}")
        }
        Setting::Parameter(name) => format!("`{name} = …`"),
        Setting::Choice { option, value } => choice(option, value),
        // `most_iterations` and `tolerance` have the same names in both
        same => same.to_string(),
    }
}

/// An option of a law or integrator, as serde names it: a variant in kebab case, or a number.
fn choice(option: &str, value: &str) -> String {
    let key = if option == "return_rule" { "return" } else { option };
    if value.parse::<f64>().is_ok() {
        return format!("`{key} = {value}`");
    }
    let mut word = String::new();
    for (index, letter) in value.char_indices() {
        if letter.is_uppercase() && index > 0 {
            word.push('-');
        }
        word.extend(letter.to_lowercase());
    }
    format!("`{key} = \"{word}\"`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_laws_are_named_as_in_a_scene_file() {
        let name = |option, value| KEYS.name(&Setting::Choice { option, value });
        assert_eq!(name("return_rule", "WithDashpot"), "`return = \"with-dashpot\"`");
        assert_eq!(name("slip_rule", "C16"), "`slip_rule = \"c16\"`");
        assert_eq!(name("phi", "0"), "`phi = 0`");
    }

    #[test]
    fn no_setting_is_named_as_in_the_library() {
        let settings = [
            Setting::AutomaticStep,
            Setting::StepAtMost,
            Setting::StepBetween { max: 1.0, min: 0.5 },
            Setting::WarnOfStep,
            Setting::OverlapLimit(Some(0.1)),
            Setting::WarnOfOverlap,
            Setting::AcceptError,
            Setting::DeleteOutside,
            Setting::NoRotations,
            Setting::ParticlesInside(true),
            Setting::DensePacking,
            Setting::WithoutHistory,
            Setting::EndAfter,
            Setting::Pairs,
        ];
        for setting in settings {
            let (key, field) = (KEYS.name(&setting), setting.to_string());
            assert_ne!(key, field);
            assert!(!key.contains("::") && !key.contains(": "), "{key}");
        }
    }
}
