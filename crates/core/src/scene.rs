//! A scene: all parameters of a run. It can be edited; `build` checks it.

use crate::Vec3;
use crate::domain::Domain;
use crate::field::Field;
use crate::id::{MaterialId, ParticleId, WallId};
use crate::insert::{Placement, Source, Sphere};
use crate::integrate::{Integrator, RotationMap};
use crate::kernel::table::KernelRow;
use crate::law::ContactModel;
use crate::material::{Material, Pair};
use crate::notation::Notation;
use crate::search::SearchOptions;
use crate::stage::Stage;
use crate::wall::{Motion, Shape, Wall};
use std::sync::Arc;

/// The length of a time step.
///
/// ```
/// use esker::prelude::*;
///
/// let mut scene = Scene::new();
/// assert_eq!(scene.step, StepSize::Auto);
/// scene.step = StepSize::AtMost(1e-5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum StepSize {
    /// Derived from the contacts and updated as they change (docs/time-step.md).
    #[default]
    Auto,
    /// Automatic at the start, then constant.
    AutoOnce,
    /// Automatic, with an upper limit [s].
    AtMost(f64),
    /// Given [s].
    Fixed(f64),
    /// Between two bounds, for integrators that adapt the step [s].
    Between {
        /// Longest step.
        max: f64,
        /// Shortest step.
        min: f64,
    },
}

/// Action if the time step is beyond the stability limit.
///
/// ```
/// use esker::scene::{Health, StepLimit};
///
/// let health = Health { step_limit: StepLimit::Warn, ..Health::default() };
/// assert_eq!(health.overlap_limit, 0.1);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StepLimit {
    /// The scene is refused.
    #[default]
    Error,
    /// A warning is issued.
    Warn,
}

/// Action if an overlap is beyond the limit.
///
/// ```
/// use esker::scene::{Health, OverlapPolicy};
///
/// let health = Health { overlap: OverlapPolicy::Warn, ..Health::default() };
/// assert_ne!(health, Health::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OverlapPolicy {
    /// The run is stopped.
    #[default]
    Error,
    /// Such steps are counted: see [`Simulation::overlaps`](crate::Simulation::overlaps).
    Warn,
}

/// Limits beyond which a run is stopped as unphysical.
///
/// ```
/// use esker::prelude::*;
///
/// let mut scene = Scene::new();
/// scene.health.overlap_limit = 0.05;
/// scene.health.energy_error = Some(1e-3); // enables the energy ledger
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Health {
    /// Largest overlap as a fraction of the smaller radius.
    pub overlap_limit: f64,
    /// Action if an overlap is larger.
    pub overlap: OverlapPolicy,
    /// Action if the time step is beyond the stability limit.
    pub step_limit: StepLimit,
    /// Largest closure error of the energy ledger as a fraction of the energy exchanged
    /// ([`Energy::relative_closure_error`](crate::measure::Energy::relative_closure_error)); not checked if none. A limit
    /// enables the ledger.
    pub energy_error: Option<f64>,
}

impl Default for Health {
    fn default() -> Self {
        Self {
            overlap_limit: 0.1,
            overlap: OverlapPolicy::Error,
            step_limit: StepLimit::Error,
            energy_error: None,
        }
    }
}

/// All parameters of a run.
///
/// ```
/// use esker::prelude::*;
///
/// let mut scene = Scene::new();
/// scene.gravity = Vec3::Z * -9.81;
/// let glass = Material::new().density(2500.0).young_modulus(5.0e7).poisson_ratio(0.24);
/// let glass = scene.add_material("glass", glass);
/// let ball = scene.add_sphere(glass, Sphere::new(0.01, Vec3::Z));
/// scene.step = StepSize::Fixed(1e-3);
/// let mut simulation = scene.build()?;
/// simulation.run_until(0.1)?;
/// let fallen = 1.0 - simulation.particles()[ball].position.z;
/// assert!((fallen - 0.5 * 9.81 * 0.01).abs() < 1e-9); // ½ g t²
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Scene {
    /// Title for reports.
    pub title: String,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Gravity [m/s²].
    pub gravity: Vec3,
    /// Other fields.
    pub fields: Vec<Arc<dyn Field>>,
    /// Integrator.
    pub integrator: Integrator,
    /// Conversion of spins into rotations.
    pub rotation: RotationMap,
    /// Time step.
    pub step: StepSize,
    /// The automatic step as a fraction of the duration of the shortest impact; by default given by the contact law.
    pub safety: Option<f64>,
    /// The axis (0, 1, 2) along which nothing moves in a plane (2D) problem.
    pub plane_normal: Option<usize>,
    /// True if particles rotate.
    pub rotations: bool,
    /// True if the rotation angle of each particle about each axis is accumulated.
    pub accumulate_angles: bool,
    /// The box; default: a box around particles and walls.
    pub domain: Option<Domain>,
    /// Materials by name.
    pub materials: Vec<(String, Material)>,
    /// Parameters of pairs of materials, the lower material first.
    pub pairs: Vec<([MaterialId; 2], Pair)>,
    /// Contact laws.
    pub contact: ContactModel,
    /// Combinations of laws that another crate has compiled by [`kernels!`](crate::kernels), in addition to the
    /// built-in table. They change no result.
    pub kernels: Vec<KernelRow>,
    /// Particles present at the start or inserted by streams from the start.
    pub particles: Vec<Source>,
    /// Walls present at the start.
    pub walls: Vec<Wall>,
    /// The stages, one after the other; at least one for a run that ends.
    pub stages: Vec<Stage>,
    /// Neighbour search.
    pub search: SearchOptions,
    /// Limits beyond which the run is stopped.
    pub health: Health,
    /// True if the energy ledger is kept.
    pub ledger: bool,
    /// Number of threads; 0 selects one per core. Never changes a result.
    pub threads: usize,
    /// Names of the settings of this scene in messages.
    pub notation: Notation,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            title: String::new(),
            seed: 0,
            gravity: Vec3::ZERO,
            fields: Vec::new(),
            integrator: Integrator::default(),
            rotation: RotationMap::default(),
            step: StepSize::Auto,
            safety: None,
            plane_normal: None,
            rotations: true,
            accumulate_angles: false,
            domain: None,
            materials: Vec::new(),
            pairs: Vec::new(),
            contact: ContactModel::default(),
            kernels: Vec::new(),
            particles: Vec::new(),
            walls: Vec::new(),
            stages: Vec::new(),
            search: SearchOptions::default(),
            health: Health::default(),
            ledger: false,
            threads: 1,
            notation: Notation::default(),
        }
    }
}

impl Scene {
    /// An empty scene.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a material and returns its id.
    pub fn add_material(&mut self, name: &str, material: Material) -> MaterialId {
        self.materials.push((name.to_owned(), material));
        MaterialId::new((self.materials.len() - 1) as u16)
    }

    /// Sets the parameters of a pair of materials.
    pub fn set_pair(&mut self, first: MaterialId, second: MaterialId, pair: Pair) {
        let key = [first.min(second), first.max(second)];
        match self.pairs.iter_mut().find(|(existing, _)| *existing == key) {
            Some((_, existing)) => *existing = pair,
            None => self.pairs.push((key, pair)),
        }
    }

    /// Parameters of a pair of materials, if it has any.
    pub(crate) fn pair_mut(&mut self, [first, second]: [MaterialId; 2]) -> Option<&mut Pair> {
        let key = [first.min(second), first.max(second)];
        self.pairs.iter_mut().find(|(pair, _)| *pair == key).map(|(_, pair)| pair)
    }

    /// Adds a wall at rest and returns its id.
    pub fn add_wall(&mut self, name: &str, shape: Shape, material: MaterialId) -> WallId {
        self.add_moving_wall(name, shape, material, Motion::Still)
    }

    /// Adds a moving wall and returns its id.
    pub fn add_moving_wall(
        &mut self,
        name: &str,
        shape: Shape,
        material: MaterialId,
        motion: Motion,
    ) -> WallId {
        self.walls.push(Wall { name: name.to_owned(), material, shape, motion });
        WallId::new((self.walls.len() - 1) as u16)
    }

    /// Adds one particle as a separate group and returns its future id.
    ///
    /// Listed particles have the first ids, in the order of the list; those of walls and those placed at random follow.
    pub fn add_sphere(&mut self, material: MaterialId, sphere: Sphere) -> ParticleId {
        let listed = self.particles.iter().map(|source| match &source.placement {
            Placement::List(list) => list.len() as u32,
            _ => 0,
        });
        let id = ParticleId::new(listed.sum());
        self.particles.push(Source::list(
            format!("sphere{}", self.particles.len()),
            material,
            vec![sphere],
        ));
        id
    }

    /// Smallest number of contacts of a particle in equilibrium: 2 with friction or cohesion, else one more than the
    /// number of dimensions.
    pub(crate) fn stable_contacts(&self) -> u32 {
        let has_friction = |pair: &Pair| {
            let given = [pair.friction, pair.static_friction];
            given.into_iter().flatten().any(|coefficient| coefficient > 0.0)
        };
        let friction =
            self.contact.tangential.is_some() && self.pairs.iter().any(|(_, p)| has_friction(p));
        match self.plane_normal {
            _ if friction || !self.contact.cohesion.is_empty() => 2,
            Some(_) => 3,
            None => 4,
        }
    }

    /// Degrees of freedom of the particles.
    pub(crate) fn freedom(&self) -> Freedom {
        Freedom { plane_normal: self.plane_normal, rotations: self.rotations }
    }
}

/// Degrees of freedom: in space or in a plane, with or without rotations.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Freedom {
    plane_normal: Option<usize>,
    rotations: bool,
}

impl Freedom {
    /// The allowed components of a velocity.
    pub(crate) fn velocity(self, mut velocity: Vec3) -> Vec3 {
        if let Some(normal) = self.plane_normal {
            velocity[normal] = 0.0;
        }
        velocity
    }

    /// The allowed components of a spin.
    pub(crate) fn spin(self, spin: Vec3) -> Vec3 {
        match self.plane_normal {
            _ if !self.rotations => Vec3::ZERO,
            Some(normal) => spin * Vec3::AXES[normal],
            None => spin,
        }
    }
}
