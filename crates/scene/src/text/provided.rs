//! Particles passed as arrays by a program that uses this library, under file names that the scene contains.

use esker::Quat;
use esker::insert::Sphere;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Listed particles.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ParticleArrays {
    /// Their positions, sizes and velocities.
    pub spheres: Vec<Sphere>,
    /// Orientation of each; empty if none is given.
    pub orientations: Vec<Quat>,
    /// Charge of each [C]; empty if none is given.
    pub charges: Vec<f64>,
}

impl ParticleArrays {
    /// A checksum of all numbers.
    pub fn checksum(&self) -> u32 {
        let mut sum = crc32fast::Hasher::new();
        for sphere in &self.spheres {
            sum.update(&sphere.radius.to_le_bytes());
            for vector in [sphere.position, sphere.velocity, sphere.spin] {
                vector.to_array().iter().for_each(|value| sum.update(&value.to_le_bytes()));
            }
        }
        for orientation in &self.orientations {
            orientation.to_array().iter().for_each(|value| sum.update(&value.to_le_bytes()));
        }
        self.charges.iter().for_each(|value| sum.update(&value.to_le_bytes()));
        sum.finalize()
    }
}

/// Lists of particles by the file names that the scene gives, such as `inputs/balls.csv`. They are not read from disk;
/// a run writes them into its folder.
pub type Provided = BTreeMap<String, Arc<ParticleArrays>>;
