//! History of the contacts of particles that are inserted together.

use crate::wall::ClosestPoint;

/// History of the contacts of a list of particles.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Restart {
    /// Names of the history columns.
    pub columns: Vec<String>,
    /// Contacts between particles: their two places in the list, and the values of the columns.
    pub contacts: Vec<([usize; 2], Vec<f64>)>,
    /// Contacts with walls: place in the list, name of the wall, where, and the values.
    pub wall_contacts: Vec<(usize, String, ClosestPoint, Vec<f64>)>,
}
