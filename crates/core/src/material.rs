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
    /// Young's modulus [Pa].
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
