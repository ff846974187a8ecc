//! Walls: rigid surfaces with a name, a shape and a prescribed motion.

pub(crate) mod joint;
pub(crate) mod live;
mod mesh;
mod motion;
mod pose;
mod same_motion;
pub(crate) mod shape;

pub use mesh::{Defect, Mesh, SMOOTH_ANGLE};
pub(crate) use mesh::{Feature, MESH_CONTACTS, MeshContacts};
pub use motion::{AxisRotation, Motion, Orbit, PrescribedMotion, is_equal};
pub use pose::Pose;
pub use shape::{Annulus, ClosestPoint, Shape, Side, Surface, SurfacePoint};

use crate::material::MaterialId;

/// A rigid surface.
///
/// ```
/// use esker::prelude::*;
///
/// let mut scene = Scene::new();
/// let steel = Material::new().young_modulus(2e11).poisson_ratio(0.3);
/// let steel = scene.add_material("steel", steel);
/// let floor = Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z };
/// let id = scene.add_moving_wall("floor", floor, steel, Motion::Velocity(Vec3::Z * 0.1));
/// assert_eq!(scene.walls[id.index()].name, "floor");
/// ```
#[derive(Debug, Clone)]
pub struct Wall {
    /// Name, unique in the scene.
    pub name: String,
    /// Its material.
    pub material: MaterialId,
    /// Its surface, in the initial position.
    pub shape: Shape,
    /// Its motion.
    pub motion: Motion,
}
