//! Materials, and the parameters of a pair of materials.

use std::collections::BTreeMap;

/// Index of a material in its scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaterialId(pub u16);

/// An elastic material. A wall needs no density.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Density [kg/m³].
    pub density: f64,
    /// Young's modulus [Pa]; infinite for a rigid wall.
    pub young_modulus: f64,
    /// Poisson's ratio.
    pub poisson_ratio: f64,
    /// What else the laws of the scene ask of a material, by name.
    pub more: BTreeMap<String, f64>,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            density: f64::NAN,
            young_modulus: f64::NAN,
            poisson_ratio: f64::NAN,
            more: BTreeMap::new(),
        }
    }
}

impl Material {
    /// Shear modulus G = E / 2(1+ν) [Pa].
    pub fn shear_modulus(&self) -> f64 {
        self.young_modulus / (2.0 * (1.0 + self.poisson_ratio))
    }
}

/// Parameters of the contact between two materials, by name: `friction`, `damping_ratio`,
/// `restitution`, `rolling_friction` and whatever else the laws of the scene ask for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pair {
    values: BTreeMap<String, f64>,
}

impl Pair {
    /// No parameters.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a parameter by name.
    #[must_use]
    pub fn with(mut self, name: &str, value: f64) -> Self {
        self.set(name, value);
        self
    }

    /// Sets a parameter by name.
    pub fn set(&mut self, name: &str, value: f64) {
        self.values.insert(name.to_owned(), value);
    }

    /// Sets a parameter in place of what it excludes: `friction` and its static and dynamic parts,
    /// `damping_ratio` and `restitution`.
    pub(crate) fn change(&mut self, name: &str, value: f64) {
        const PARTS: [&str; 2] = ["static_friction", "dynamic_friction"];
        match name {
            "friction" => self.values.retain(|name, _| !PARTS.contains(&name.as_str())),
            // the other part is as large until it is given too
            "static_friction" | "dynamic_friction" if self.values.remove("friction").is_some() => {
                PARTS.into_iter().for_each(|part| self.set(part, value));
            }
            // the dynamic part is never the larger one
            "static_friction" => {
                if let Some(dynamic) = self.values.get_mut(PARTS[1]) {
                    *dynamic = dynamic.min(value);
                }
            }
            "restitution" => drop(self.values.remove("damping_ratio")),
            "damping_ratio" => drop(self.values.remove("restitution")),
            _ => {}
        }
        self.set(name, value);
    }

    /// A parameter, if it was given.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.values.get(name).copied()
    }

    /// Names and values in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.values.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// Coefficient of friction, static and dynamic alike.
    #[must_use]
    pub fn friction(self, value: f64) -> Self {
        self.with("friction", value)
    }

    /// Ratio of the normal damping to the critical one.
    #[must_use]
    pub fn damping_ratio(self, value: f64) -> Self {
        self.with("damping_ratio", value)
    }

    /// Coefficient of restitution, instead of the damping ratio.
    #[must_use]
    pub fn restitution(self, value: f64) -> Self {
        self.with("restitution", value)
    }

    /// Coefficient of rolling resistance.
    #[must_use]
    pub fn rolling_friction(self, value: f64) -> Self {
        self.with("rolling_friction", value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_parameter_takes_the_place_of_what_it_excludes() {
        let mut pair = Pair::new().friction(0.5).damping_ratio(0.1);
        let mut change = |name: &str, value: f64| {
            pair.change(name, value);
            pair.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>()
        };
        assert_eq!(change("restitution", 0.8), ["friction 0.5", "restitution 0.8"]);
        change("static_friction", 0.4);
        let parts = change("dynamic_friction", 0.3);
        assert_eq!(parts, ["dynamic_friction 0.3", "restitution 0.8", "static_friction 0.4"]);
        // lower than the dynamic one, which is given next
        change("static_friction", 0.2);
        let parts = change("dynamic_friction", 0.1);
        assert_eq!(parts, ["dynamic_friction 0.1", "restitution 0.8", "static_friction 0.2"]);
        assert_eq!(change("friction", 0.6), ["friction 0.6", "restitution 0.8"]);
        assert_eq!(change("damping_ratio", 0.2), ["damping_ratio 0.2", "friction 0.6"]);
    }
}
