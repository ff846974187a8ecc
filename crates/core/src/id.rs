//! Identifiers of particles, walls, groups and materials.
//!
//! An identifier is a number that is valid for one scene and the simulations built from it. Numbers are assigned in
//! order, starting from zero, and never reused.

macro_rules! identifier {
    ($(#[$attribute:meta])* $name:ident, $number:ty) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(transparent))]
        pub struct $name($number);

        impl $name {
            /// The identifier with this number, for numbers from files or other programs.
            pub const fn new(number: $number) -> Self {
                Self(number)
            }

            /// The number, as written to output.
            pub const fn number(self) -> $number {
                self.0
            }

            /// The number as an index.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<$name> for $number {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl From<$name> for u64 {
            fn from(id: $name) -> Self {
                Self::from(id.0)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

identifier! {
    /// A particle. Returned by [`Scene::add_sphere`](crate::Scene::add_sphere); particles that a source
    /// places get the following numbers.
    ///
    /// ```
    /// use esker::ParticleId;
    /// assert_eq!(ParticleId::new(7).to_string(), "7");
    /// ```
    ParticleId, u32
}

identifier! {
    /// A wall. Returned by [`Scene::add_wall`](crate::Scene::add_wall); walls that stages add get the
    /// following numbers.
    ///
    /// ```
    /// use esker::prelude::*;
    ///
    /// let mut scene = Scene::new();
    /// let steel = scene.add_material("steel", Material::new());
    /// let floor = Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z };
    /// let floor: WallId = scene.add_wall("floor", floor, steel);
    /// assert_eq!(scene.walls[floor.index()].name, "floor");
    /// ```
    WallId, u16
}

identifier! {
    /// A group of particles: those of one source, or of one wall made of particles. See
    /// [`Simulation::group_id`](crate::Simulation::group_id).
    ///
    /// ```
    /// use esker::prelude::*;
    ///
    /// assert_eq!(GroupId::new(2).number(), 2);
    /// ```
    GroupId, u16
}

identifier! {
    /// A material. Returned by [`Scene::add_material`](crate::Scene::add_material).
    ///
    /// ```
    /// use esker::prelude::*;
    ///
    /// let mut scene = Scene::new();
    /// let steel: MaterialId = scene.add_material("steel", Material::new());
    /// assert_eq!(scene.materials[steel.index()].0, "steel");
    /// ```
    MaterialId, u16
}
