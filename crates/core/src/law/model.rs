//! The contact model of a scene: the law of each slot.

use super::{Law, Model, TensileCutoff};
use crate::error::Problem;
use crate::geometry::MomentArm;
use crate::material::{Elastic, Material, Pair};
use crate::notation::{Notation, Setting};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The law of each slot. Applied to every pair of materials, with the parameters of the pair.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{scene, RADIUS};
/// use esker::prelude::*;
///
/// let contact = ContactModel::normal(Hertz::default())
///     .damping(HertzDamping::default())
///     .tangential(Mindlin::default())
///     .rolling(ElasticPlastic::default());
/// let pair = Pair::new().restitution(0.8).friction(0.4).rolling_friction(0.05);
/// let (mut scene, grain) = scene(contact, pair);
/// scene.add_sphere(grain, Sphere::new(RADIUS, Vec3::ZERO));
/// assert_eq!(scene.contact.models().count(), 4);
/// assert!(scene.build().is_ok());
/// ```
#[derive(Debug, Clone, Default)]
pub struct ContactModel {
    /// Elastic normal force.
    pub normal: Option<Arc<dyn Model>>,
    /// Dissipative normal force.
    pub damping: Option<Arc<dyn Model>>,
    /// Attractions, any number.
    pub cohesion: Vec<Arc<dyn Model>>,
    /// Tangential force.
    pub tangential: Option<Arc<dyn Model>>,
    /// Rolling resistance.
    pub rolling: Option<Arc<dyn Model>>,
    /// Position of the contact point (moment arm).
    pub moment_arm: MomentArm,
}

impl ContactModel {
    /// A model with only a normal law.
    pub fn normal(law: impl Model + 'static) -> Self {
        Self { normal: Some(Arc::new(law)), ..Self::default() }
    }

    /// Adds a damping law.
    #[must_use]
    pub fn damping(mut self, law: impl Model + 'static) -> Self {
        self.damping = Some(Arc::new(law));
        self
    }

    /// Adds one more cohesion law.
    #[must_use]
    pub fn cohesion(mut self, law: impl Model + 'static) -> Self {
        self.cohesion.push(Arc::new(law));
        self
    }

    /// Adds a tangential law.
    #[must_use]
    pub fn tangential(mut self, law: impl Model + 'static) -> Self {
        self.tangential = Some(Arc::new(law));
        self
    }

    /// Adds a rolling law.
    #[must_use]
    pub fn rolling(mut self, law: impl Model + 'static) -> Self {
        self.rolling = Some(Arc::new(law));
        self
    }

    /// The models in the order in which they are evaluated.
    pub fn models(&self) -> impl Iterator<Item = &Arc<dyn Model>> {
        self.normal
            .iter()
            .chain(&self.damping)
            .chain(&self.cohesion)
            .chain(&self.tangential)
            .chain(&self.rolling)
    }

    /// Builds the laws of one pair in the order of evaluation; none after a problem has been noted.
    /// Every model is called, so that all problems of the pair are reported together.
    pub(crate) fn laws(&self, context: &mut PairContext<'_>) -> Option<Vec<Box<dyn Law>>> {
        let laws: Vec<_> = self
            .models()
            .map(|model| {
                context.law = model.name();
                let law = model.for_pair(context)?;
                context.force_exponent = context.force_exponent.max(law.force_exponent());
                Some(law)
            })
            .collect();
        laws.into_iter().collect()
    }
}

/// Input of a model when it builds the law for a pair of materials; collects problems.
///
/// ```
/// use esker::law::PairContext;
/// use esker::prelude::*;
///
/// let (glass, pair) = (Material::new(), Pair::new().friction(0.4));
/// let mut context =
///     PairContext::new(["glass"; 2], [&glass; 2], &pair, "pairs[0]", [1e-3, 2e-3], false);
/// assert_eq!(context.require("friction", 0.0..=f64::MAX), Some(0.4));
/// assert_eq!(context.require("cohesion", 0.0..=f64::MAX), None);
/// assert_eq!(context.finish().len(), 1); // the missing parameter
/// ```
#[derive(Debug)]
pub struct PairContext<'a> {
    /// The two materials.
    pub materials: [&'a Material; 2],
    /// Smallest and largest radius in the scene [m].
    pub radii: [f64; 2],
    /// Largest radius that the smaller of two partners of these materials can have [m].
    pub smaller_radius: f64,
    /// True if the energy ledger is kept.
    pub ledger: bool,
    /// Treatment of tensile forces at the end of a contact: set by the normal law, which is built
    /// first, and applied by the law that causes them.
    pub tension: TensileCutoff,
    /// Exponent of the overlap in the force of the laws built so far: that of the normal law, which
    /// is built first.
    pub force_exponent: f64,
    /// Damping ratio of the damping law for this pair.
    pub damping_ratio: Option<f64>,
    /// Stiffness of the normal law divided by the contact radius, if this is a constant [Pa].
    pub stiffness_per_radius: Option<f64>,
    /// Length of the run, if all stages have an end time [s].
    pub duration: Option<f64>,
    /// The time step, if given [s].
    pub step: Option<f64>,
    /// Names of settings in messages.
    pub notation: Notation,
    names: [&'a str; 2],
    pair: &'a Pair,
    path: String,
    law: &'static str,
    used: BTreeSet<String>,
    used_of_materials: BTreeSet<String>,
    problems: Vec<Problem>,
    remarks: Vec<String>,
    warnings: Vec<String>,
}

impl<'a> PairContext<'a> {
    /// A context for the pair at `path` in the scene.
    pub fn new(
        names: [&'a str; 2],
        materials: [&'a Material; 2],
        pair: &'a Pair,
        path: impl Into<String>,
        radii: [f64; 2],
        ledger: bool,
    ) -> Self {
        Self {
            materials,
            radii,
            smaller_radius: radii[1],
            ledger,
            tension: TensileCutoff::default(),
            force_exponent: 1.0,
            damping_ratio: None,
            stiffness_per_radius: None,
            duration: None,
            step: None,
            notation: Notation::default(),
            names,
            pair,
            path: path.into(),
            law: "",
            used: BTreeSet::new(),
            used_of_materials: BTreeSet::new(),
            problems: Vec::new(),
            remarks: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// A parameter that the law requires; none after a problem has been reported.
    pub fn require(&mut self, name: &str, range: std::ops::RangeInclusive<f64>) -> Option<f64> {
        let value = self.optional(name, range);
        if value.is_none() {
            let addition = self.notation.name(&Setting::Parameter(name.to_owned()));
            self.lacks(&format!("`{name}`"), &addition);
        }
        value
    }

    /// Reports that this pair lacks something that the law needs.
    pub(crate) fn lacks(&mut self, what: &str, addition: &str) {
        let [first, second] = self.names;
        let pairs = self.notation.name(&Setting::Pairs);
        self.problem(
            format!("the law `{}` needs {what} between `{first}` and `{second}`", self.law),
            Some(format!("add {addition} to the pair of `{first}` and `{second}` in {pairs}")),
        );
    }

    /// An optional parameter.
    pub fn optional(&mut self, name: &str, range: std::ops::RangeInclusive<f64>) -> Option<f64> {
        self.used.insert(name.to_owned());
        let value = self.pair.value(name)?;
        if !range.contains(&value) {
            let path = format!("{}.{name}", self.path);
            let help = format!("the law `{}` takes {}", self.law, in_words(&range));
            self.problems.push(Problem::at(path, format!("`{name}` is {value}")).help(help));
        }
        Some(value)
    }

    /// A parameter of the pair, or the geometric mean of the values of its two materials; none after a problem has been
    /// reported.
    pub fn of_pair_or_materials(
        &mut self,
        name: &str,
        range: std::ops::RangeInclusive<f64>,
    ) -> Option<f64> {
        let values = self.of_materials(name, range.clone());
        if let Some(value) = self.optional(name, range) {
            return Some(value);
        }
        if let [Some(first), Some(second)] = values {
            return Some((first * second).sqrt());
        }
        let addition = self.notation.name(&Setting::Parameter(name.to_owned()));
        self.lacks(&format!("`{name}`"), &format!("{addition} to both materials, or"));
        None
    }

    /// The values of this parameter of the two materials.
    pub fn of_materials(
        &mut self,
        name: &str,
        range: std::ops::RangeInclusive<f64>,
    ) -> [Option<f64>; 2] {
        self.used_of_materials.insert(name.to_owned());
        let values = self.materials.map(|material| material.more.get(name).copied());
        for (value, material) in values.iter().zip(self.names) {
            if let Some(value) = value.filter(|value| !range.contains(value)) {
                let path = format!("materials.{material}.{name}");
                let help = format!("the law `{}` takes {}", self.law, in_words(&range));
                self.problems.push(Problem::at(path, format!("`{name}` is {value}")).help(help));
            }
        }
        values
    }

    /// Parameters of materials that laws have read.
    pub(crate) fn read_of_materials(&self) -> BTreeSet<String> {
        self.used_of_materials.clone()
    }

    /// An option of a law with a value, for messages.
    pub(crate) fn choice(&self, option: &'static str, value: &'static str) -> String {
        self.notation.name(&Setting::Choice { option, value })
    }

    /// Reports a problem of this pair.
    pub fn problem(&mut self, message: impl Into<String>, help: Option<String>) {
        self.problems.push(Problem { help, ..Problem::at(self.path.clone(), message) });
    }

    /// Reports a problem of the options of a law, at its path in the scene.
    pub fn problem_at(&mut self, path: &str, message: impl Into<String>, help: &str) {
        self.problems.push(Problem::at(path, message).help(help));
    }

    /// Adds a remark for `check`, such as a number derived from the parameters.
    pub fn remark(&mut self, text: &str) {
        let [first, second] = self.names;
        self.remarks.push(format!("{first} with {second}: {text}"));
    }

    /// Adds a warning.
    pub fn warn(&mut self, text: &str) {
        let [first, second] = self.names;
        self.warnings.push(format!("{first} with {second}: {text}"));
    }

    /// Remarks and warnings so far.
    pub(crate) fn notes(&mut self) -> [Vec<String>; 2] {
        [std::mem::take(&mut self.remarks), std::mem::take(&mut self.warnings)]
    }

    /// All problems, including parameters that no law has read.
    pub fn finish(mut self) -> Vec<Problem> {
        for (name, _) in self.pair.iter() {
            if !self.used.contains(name) {
                let known: Vec<_> = self.used.iter().map(|name| format!("`{name}`")).collect();
                let help = if known.is_empty() {
                    "the laws of this scene use no parameters of pairs: remove it, or add a law \
                     that uses it"
                        .to_owned()
                } else {
                    format!("the laws of this scene use {}", known.join(", "))
                };
                self.problems.push(
                    Problem::at(
                        format!("{}.{name}", self.path),
                        format!("no law of this scene uses `{name}`"),
                    )
                    .help(help)
                    .words(self.used.iter().map(|name| name.to_string())),
                );
            }
        }
        self.problems
    }

    /// 1/E* = (1-ν₁²)/E₁ + (1-ν₂²)/E₂, inverted [Pa]. B(33), C16(21).
    /// None if a material lacks a constant, which is reported for the material.
    pub fn effective_young_modulus(&self) -> Option<f64> {
        let part = |m: Elastic| (1.0 - m.poisson_ratio * m.poisson_ratio) / m.young_modulus;
        let [first, second] = self.materials.map(Material::elastic);
        Some(1.0 / (part(first?) + part(second?)))
    }

    /// 1/G* = (2-ν₁)/G₁ + (2-ν₂)/G₂, inverted [Pa] (Mindlin).
    /// None if a material lacks a constant, which is reported for the material.
    pub fn effective_shear_modulus(&self) -> Option<f64> {
        let part = |m: Elastic| (2.0 - m.poisson_ratio) / m.shear_modulus();
        let [first, second] = self.materials.map(Material::elastic);
        Some(1.0 / (part(first?) + part(second?)))
    }
}

/// A range of values as text for messages.
fn in_words(range: &std::ops::RangeInclusive<f64>) -> String {
    let [low, high] = [*range.start(), *range.end()];
    match (low == f64::MIN_POSITIVE, high == f64::MAX) {
        (true, true) => "values above 0".to_owned(),
        (true, false) => format!("values above 0 and up to {high}"),
        (false, true) => format!("values from {low} on"),
        (false, false) => format!("values from {low} to {high}"),
    }
}
