//! History of the contacts of inserted particles.

use crate::wall::ClosestPoint;

/// History of the contacts of a list of particles.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{scene, snapshot, simulation, RADIUS};
/// use esker::prelude::*;
/// use std::sync::Arc;
///
/// # let contact = ContactModel::normal(Hertz::default());
/// # let grains = vec![Sphere::new(RADIUS, Vec3::ZERO)];
/// let settled = simulation(contact.clone(), Pair::new(), grains);
/// let (spheres, restart) = settled.save().bed();
/// let (mut scene, grain) = scene(contact, Pair::new());
/// let mut source = Source::list("bed", grain, spheres);
/// source.inherited = Some(Arc::new(restart)); // the contacts keep their history
/// scene.particles.push(source);
/// assert_eq!(scene.build()?.counts().present, 1);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Restart {
    /// Names of the history columns.
    pub columns: Vec<String>,
    /// Contacts between particles: their two indices in the list, and the values of the columns.
    pub contacts: Vec<([usize; 2], Vec<f64>)>,
    /// Contacts with walls: index in the list, name of the wall, closest point, and the values.
    pub wall_contacts: Vec<(usize, String, ClosestPoint, Vec<f64>)>,
}
