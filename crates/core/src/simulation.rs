//! A simulation (skeleton while the engine is being put in).
use crate::error::{Error, Problem};
use crate::scene::Scene;
/// A running simulation.
#[derive(Debug)]
pub struct Simulation {}
impl Simulation {
    /// Builds.
    pub fn new(_scene: Scene) -> Result<Self, Error> {
        Err(Error::Scene(vec![Problem::at("", "the engine is not in yet")]))
    }
}
