//! Named parameters: one description of the parameters of a field, a wall shape, a motion or a
//! pattern.
//!
//! A type that implements [`Described`] lists its parameters once, each with key, unit and range. A reader
//! of input files runs the description against a table to get values and messages; a generator of schemas
//! runs it to collect keys. The engine knows nothing of file formats.

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

    /// A number that may be missing.
    fn optional_number(
        &mut self,
        key: &'static str,
        about: &'static str,
        limits: Limits,
    ) -> Option<f64>;

    /// A whole number that may be missing.
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

    /// The number of the one key that is given, and which key that is.
    fn one_number(&mut self, keys: &[(&'static str, &'static str)]) -> (usize, f64);

    /// Three numbers or expressions of position and time; zero if missing.
    fn vector_function(&mut self, key: &'static str, about: &'static str) -> VectorFunction;

    /// Reports that a parameter is invalid for a reason that its range does not express.
    fn problem(&mut self, key: &'static str, message: String, label: &'static str);
}

/// A type that can be constructed from named parameters.
pub trait Described: Sized {
    /// Its name in input files.
    const NAME: &'static str;

    /// A short description.
    const ABOUT: &'static str;

    /// Reads the parameters.
    fn from_parameters(parameters: &mut dyn Parameters) -> Self;
}
