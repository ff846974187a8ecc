//! Materials, and the parameters of a pair of materials.

use std::collections::BTreeMap;

pub use crate::id::MaterialId;

/// An elastic material.
///
/// ```
/// use esker::prelude::*;
/// let glass = Material::new().density(2500.0).young_modulus(5.0e7).poisson_ratio(0.24);
/// assert_eq!(glass.density, Some(2500.0));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Material {
    /// Density in kg/m³. A material of walls only needs none.
    pub density: Option<f64>,
    /// Young's modulus in Pa; infinite for a rigid wall.
    pub young_modulus: Option<f64>,
    /// Poisson's ratio.
    pub poisson_ratio: Option<f64>,
    /// Other values that laws of the scene read from materials, by name.
    pub more: BTreeMap<String, f64>,
}

impl Material {
    /// A material without values. A scene in which a required value is missing is refused.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the density in kg/m³.
    #[must_use]
    pub fn density(mut self, value: f64) -> Self {
        self.density = Some(value);
        self
    }

    /// Sets Young's modulus in Pa.
    #[must_use]
    pub fn young_modulus(mut self, value: f64) -> Self {
        self.young_modulus = Some(value);
        self
    }

    /// Sets Poisson's ratio.
    #[must_use]
    pub fn poisson_ratio(mut self, value: f64) -> Self {
        self.poisson_ratio = Some(value);
        self
    }

    /// Sets a value that a law reads by name.
    #[must_use]
    pub fn with(mut self, name: &str, value: f64) -> Self {
        self.more.insert(name.to_owned(), value);
        self
    }

    /// The elastic constants; every material of a checked scene has them.
    pub(crate) fn elastic(&self) -> Option<Elastic> {
        let (young_modulus, poisson_ratio) = (self.young_modulus?, self.poisson_ratio?);
        Some(Elastic { young_modulus, poisson_ratio })
    }

    /// Speed of a longitudinal wave in a thin rod, √(E/ρ), in m/s.
    pub(crate) fn speed_of_sound(&self) -> Option<f64> {
        Some((self.young_modulus? / self.density?).sqrt())
    }

    /// Mass of a sphere in kg; infinite without a density, which only materials of walls may lack in a
    /// checked scene.
    pub(crate) fn sphere_mass(&self, radius: f64) -> f64 {
        let volume = 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius;
        self.density.map_or(f64::INFINITY, |density| volume * density)
    }
}

/// Elastic constants of a material.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Elastic {
    /// Young's modulus in Pa.
    pub young_modulus: f64,
    pub poisson_ratio: f64,
}

impl Elastic {
    /// Shear modulus G = E / 2(1+ν), in Pa.
    pub(crate) fn shear_modulus(&self) -> f64 {
        self.young_modulus / (2.0 * (1.0 + self.poisson_ratio))
    }
}

/// Defines [`Pair`] with a field and a method for each parameter of the laws of this crate.
macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        /// Parameters of the contact between two materials. Each law of the scene reads its own; a missing parameter
        /// that a law requires, and one that no law reads, are reported by [`Scene::build`](crate::Scene::build).
        ///
        /// ```
        /// use esker::prelude::*;
        ///
        /// let pair = Pair::new().friction(0.4).restitution(0.9);
        /// assert_eq!(pair.friction, Some(0.4));
        /// assert_eq!(pair.rolling_friction, None);
        /// ```
        #[derive(Debug, Clone, PartialEq, Default)]
        #[non_exhaustive]
        pub struct Pair {
            $($(#[$doc])* pub $name: Option<f64>,)*
            /// Parameters of laws outside this crate, by name.
            pub more: BTreeMap<String, f64>,
        }

        impl Pair {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(mut self, value: f64) -> Self {
                    self.$name = Some(value);
                    self
                }
            )*

            /// Sets a parameter by name.
            pub fn set(&mut self, name: &str, value: f64) {
                match name {
                    $(stringify!($name) => self.$name = Some(value),)*
                    other => drop(self.more.insert(other.to_owned(), value)),
                }
            }

            /// A parameter by name.
            pub fn value(&self, name: &str) -> Option<f64> {
                match name {
                    $(stringify!($name) => self.$name,)*
                    other => self.more.get(other).copied(),
                }
            }

            /// Names and values in alphabetical order.
            pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
                let known = [$((stringify!($name), self.$name)),*];
                let known = known.into_iter().filter_map(|(name, value)| Some((name, value?)));
                let more = self.more.iter().map(|(name, value)| (name.as_str(), *value));
                let all: BTreeMap<&str, f64> = known.chain(more).collect();
                all.into_iter()
            }
        }
    };
}

parameters! {
    /// Coefficient of friction, static and dynamic.
    friction;
    /// Coefficient of static friction.
    static_friction;
    /// Coefficient of dynamic friction.
    dynamic_friction;
    /// Fraction of the critical normal damping.
    damping_ratio;
    /// Coefficient of restitution, instead of the damping ratio.
    restitution;
    /// Fraction of the critical tangential damping.
    tangential_damping_ratio;
    /// Coefficient of rolling resistance.
    rolling_friction;
    /// Fraction of the critical rolling damping.
    rolling_damping_ratio;
    /// Coefficient of the rolling arm (law `arm`).
    rolling_arm;
    /// Normal stiffness in N/m (laws `linear` and `fractional`).
    normal_stiffness;
    /// Normal viscosity in N s/m (law `fractional`).
    normal_viscosity;
    /// Order of the fractional derivative, from 0 (a spring) to 1 (a dashpot) (law `fractional`).
    fractional_order;
    /// Stiffness of the parallel spring in N/m (law `fractional`).
    parallel_stiffness;
    /// Contact modulus in Pa (law `power-law`).
    contact_modulus;
    /// Exponent of the strain (law `power-law`).
    strain_exponent;
    /// Damping per contact area in N s/m³ (law `area`).
    area_damping;
    /// Penalty factor of friction in N/m³ (law `penalty`).
    friction_penalty;
    /// Slip speed that smooths the change of sign of friction, in m/s.
    smoothing_speed;
    /// Rate at which friction weakens with the slip speed.
    friction_weakening;
    /// Coefficient of adhesion in N (law `adhesion`).
    adhesion_coefficient;
    /// Exponent of adhesion (law `adhesion`).
    adhesion_exponent;
    /// Strain at which adhesion ends (law `adhesion`).
    adhesion_critical_strain;
    /// Stiffness of a bond in Pa (law `bond`).
    bond_stiffness;
    /// Exponent of a bond (law `bond`).
    bond_exponent;
    /// Strain at which a bond breaks (law `bond`).
    bond_critical_strain;
    /// Rotational stiffness of a bond in N/m³ (law `bond`).
    rotational_bond_stiffness;
    /// Strength κ₁ of the attraction in N m^λ₁ (law `mie`).
    mie_attraction;
    /// Exponent λ₁ of the attraction (law `mie`).
    mie_attraction_exponent;
    /// Strength κ₂ of the repulsion in N m^λ₂ (law `mie`).
    mie_repulsion;
    /// Exponent λ₂ of the repulsion (law `mie`).
    mie_repulsion_exponent;
    /// Cut-off distance in m (law `mie`).
    mie_cutoff;
    /// Hamaker constant in J (law `van-der-waals`).
    hamaker_constant;
    /// Radius of asperities in m (law `van-der-waals`).
    asperity_radius;
    /// Cut-off distance in m (law `van-der-waals`).
    van_der_waals_cutoff;
    /// Surface tension of the liquid in N/m (law `liquid-bridge`).
    surface_tension;
    /// Volume of a liquid bridge in m³ (law `liquid-bridge`).
    bridge_volume;
}

impl Pair {
    /// No parameters.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a parameter by name: for laws outside this crate.
    #[must_use]
    pub fn with(mut self, name: &str, value: f64) -> Self {
        self.set(name, value);
        self
    }

    /// Sets a parameter and removes those that it excludes: `friction` and its static and dynamic values,
    /// `damping_ratio` and `restitution`.
    pub(crate) fn change(&mut self, name: &str, value: f64) {
        match name {
            "friction" => (self.static_friction, self.dynamic_friction) = (None, None),
            // the other coefficient keeps its value until it is also given
            "static_friction" | "dynamic_friction" if self.friction.take().is_some() => {
                (self.static_friction, self.dynamic_friction) = (Some(value), Some(value));
            }
            // the dynamic coefficient never exceeds the static one
            "static_friction" => {
                self.dynamic_friction = self.dynamic_friction.map(|dynamic| dynamic.min(value));
            }
            "restitution" => self.damping_ratio = None,
            "damping_ratio" => self.restitution = None,
            _ => {}
        }
        self.set(name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_parameter_replaces_those_that_it_excludes() {
        let mut pair = Pair::new().friction(0.5).damping_ratio(0.1);
        let mut change = |name: &str, value: f64| {
            pair.change(name, value);
            pair.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>()
        };
        assert_eq!(change("restitution", 0.8), ["friction 0.5", "restitution 0.8"]);
        change("static_friction", 0.4);
        let parts = change("dynamic_friction", 0.3);
        assert_eq!(parts, ["dynamic_friction 0.3", "restitution 0.8", "static_friction 0.4"]);
        // lower than the dynamic one, which is set next
        change("static_friction", 0.2);
        let parts = change("dynamic_friction", 0.1);
        assert_eq!(parts, ["dynamic_friction 0.1", "restitution 0.8", "static_friction 0.2"]);
        assert_eq!(change("friction", 0.6), ["friction 0.6", "restitution 0.8"]);
        assert_eq!(change("damping_ratio", 0.2), ["damping_ratio 0.2", "friction 0.6"]);
    }
}
