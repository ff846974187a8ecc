//! Named parameters: one description of the parameters of a field, a wall shape, a motion or a
//! pattern.
//!
//! A type that implements [`Described`] lists its parameters once, each with key, unit and range. A reader of input
//! files runs the description on a table to obtain values and messages; a generator of schemas runs it to collect keys.
//! The engine is independent of file formats.

use crate::Vec3;
use std::sync::Arc;

/// The range of a number.
///
/// ```
/// use esker::parameters::Limits;
///
/// assert_ne!(Limits::Positive, Limits::NotNegative);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limits {
    /// Any finite number.
    Any,
    /// Greater than zero.
    Positive,
    /// Zero or greater.
    NotNegative,
}

/// A vector as a function of position [m] and time [s].
#[derive(Clone)]
pub enum VectorFunction {
    /// Constant.
    Constant(Vec3),
    /// A function, and its text.
    Varying(Arc<dyn Fn(Vec3, f64) -> Vec3 + Send + Sync>, Arc<str>),
}

/// The key of a parameter that is the value itself: `electric = [0, 0, 1]` instead of a table.
pub const ITSELF: &str = "";

/// A source of parameters. A parameter that is missing or invalid is reported by the implementation and
/// replaced by a placeholder, so that one pass finds all mistakes; the object is then discarded.
pub trait Parameters {
    /// A number.
    fn number(&mut self, key: &'static str, about: &'static str, limits: Limits) -> f64;

    /// An optional number.
    fn optional_number(
        &mut self,
        key: &'static str,
        about: &'static str,
        limits: Limits,
    ) -> Option<f64>;

    /// An optional whole number.
    fn optional_count(&mut self, key: &'static str, about: &'static str) -> Option<usize>;

    /// Three numbers.
    fn vector(&mut self, key: &'static str, about: &'static str) -> Vec3;

    /// A unit vector; input of any other length is normalised.
    fn direction(&mut self, key: &'static str, about: &'static str) -> Vec3;

    /// The index of the chosen word.
    fn word(
        &mut self,
        key: &'static str,
        about: &'static str,
        words: &'static [&'static str],
    ) -> usize;

    /// The number of the one key that is given, and the index of the key.
    fn one_number(&mut self, keys: &[(&'static str, &'static str)]) -> (usize, f64);

    /// Three numbers or expressions of position and time; zero if missing.
    fn vector_function(&mut self, key: &'static str, about: &'static str) -> VectorFunction;

    /// Reports a parameter that is invalid for a reason other than its range.
    fn problem(&mut self, key: &'static str, message: String, label: &'static str);
}

/// A type that can be constructed from named parameters.
///
/// ```
/// use esker::parameters::{Described, Limits, Parameters, VectorFunction};
/// use esker::prelude::*;
///
/// /// A field or a motion with one number.
/// struct Spring {
///     stiffness: f64,
/// }
///
/// impl Described for Spring {
///     const NAME: &'static str = "spring";
///     const ABOUT: &'static str = "Spring to the origin";
///
///     fn from_parameters(parameters: &mut dyn Parameters) -> Self {
///         Self { stiffness: parameters.number("stiffness", "Stiffness [N/m]", Limits::Positive) }
///     }
/// }
///
/// /// A source that collects the keys, as a generator of schemas does.
/// #[derive(Default)]
/// struct Keys(Vec<&'static str>);
///
/// impl Parameters for Keys {
///     fn number(&mut self, key: &'static str, _: &'static str, _: Limits) -> f64 {
///         self.0.push(key);
///         1.0
///     }
/// #     fn optional_number(&mut self, key: &'static str, _: &'static str, _: Limits) -> Option<f64> {
/// #         self.0.push(key);
/// #         None
/// #     }
/// #     fn optional_count(&mut self, key: &'static str, _: &'static str) -> Option<usize> {
/// #         self.0.push(key);
/// #         None
/// #     }
/// #     fn vector(&mut self, key: &'static str, _: &'static str) -> Vec3 {
/// #         self.0.push(key);
/// #         Vec3::ZERO
/// #     }
/// #     fn direction(&mut self, key: &'static str, _: &'static str) -> Vec3 {
/// #         self.0.push(key);
/// #         Vec3::Z
/// #     }
/// #     fn word(&mut self, key: &'static str, _: &'static str, _: &'static [&'static str]) -> usize {
/// #         self.0.push(key);
/// #         0
/// #     }
/// #     fn one_number(&mut self, keys: &[(&'static str, &'static str)]) -> (usize, f64) {
/// #         self.0.extend(keys.iter().map(|(key, _)| *key));
/// #         (0, 1.0)
/// #     }
///     // … and the same for the other kinds
///     fn vector_function(&mut self, key: &'static str, _: &'static str) -> VectorFunction {
///         self.0.push(key);
///         VectorFunction::Constant(Vec3::ZERO)
///     }
/// #     fn problem(&mut self, _: &'static str, _: String, _: &'static str) {}
/// }
///
/// let mut keys = Keys::default();
/// assert_eq!(Spring::from_parameters(&mut keys).stiffness, 1.0);
/// assert_eq!(keys.0, ["stiffness"]);
/// ```
pub trait Described: Sized {
    /// Its name in input files.
    const NAME: &'static str;

    /// A short description.
    const ABOUT: &'static str;

    /// Reads the parameters.
    fn from_parameters(parameters: &mut dyn Parameters) -> Self;
}
