//! A snapshot: the state of a simulation at one time, in order of id, for output and measures.

use crate::id::{GroupId, MaterialId, ParticleId, WallId};
use crate::wall::{Pose, Shape};
use crate::{Quat, Vec3};

/// One particle.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
///
/// let now = snapshot(vec![Sphere::new(RADIUS, Vec3::X)]);
/// assert_eq!((now.particles[0].position, now.particles[0].coordination), (Vec3::X, 0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParticleView {
    /// Id, never reused.
    pub id: ParticleId,
    /// Group; its name is in [`Snapshot::groups`].
    pub group: GroupId,
    /// Material; its name is in [`Snapshot::materials`].
    pub material: MaterialId,
    /// Radius [m].
    pub radius: f64,
    /// Mass [kg]; infinite for a fixed or driven particle.
    pub mass: f64,
    /// Charge [C].
    pub charge: f64,
    /// Position inside the domain [m].
    pub position: Vec3,
    /// Number of periods travelled; the unwrapped position is `position + image * period`.
    pub image: [i32; 3],
    /// Velocity [m/s].
    pub velocity: Vec3,
    /// Spin [rad/s].
    pub spin: Vec3,
    /// Orientation.
    pub orientation: Quat,
    /// Sum of forces [N].
    pub force: Vec3,
    /// Sum of torques [N m].
    pub torque: Vec3,
    /// Number of touching partners.
    pub coordination: u32,
}

/// The second partner of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Partner {
    /// A particle.
    Particle(ParticleId),
    /// A wall; its index is that in [`Snapshot::walls`].
    Wall(WallId),
}

/// One contact. Forces act on the first partner.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
/// use esker::measure::Partner;
///
/// let now = snapshot(vec![Sphere::new(RADIUS, Vec3::ZERO), Sphere::new(RADIUS, Vec3::X * 0.0199)]);
/// let contact = &now.contacts[0];
/// assert_eq!(contact.second, Partner::Particle(ParticleId::new(1)));
/// assert!((contact.overlap - 1e-4).abs() < 1e-12);
/// assert!((contact.force().length() - contact.elastic).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactView {
    /// Id of the first partner.
    pub first: ParticleId,
    /// The second partner.
    pub second: Partner,
    /// Centre of the first partner [m].
    pub first_position: Vec3,
    /// Centre of the second partner (its nearest image), or the nearest point of the wall [m].
    pub second_position: Vec3,
    /// Unit vector from the first to the second.
    pub normal: Vec3,
    /// Overlap, positive when touching [m].
    pub overlap: f64,
    /// Rate of the overlap [m/s].
    pub closing_speed: f64,
    /// Elastic normal force, repulsive [N].
    pub elastic: f64,
    /// Damping normal force, repulsive [N].
    pub damping: f64,
    /// Attraction [N].
    pub cohesion: f64,
    /// Tangential force [N].
    pub tangential: Vec3,
    /// Moment of rolling resistance and torsion [N m].
    pub moment: Vec3,
    /// Slip velocity [m/s].
    pub slip_velocity: Vec3,
    /// Stiffness of the normal law [N/m].
    pub normal_stiffness: f64,
    /// Stiffness of the tangential spring [N/m].
    pub tangential_stiffness: f64,
    /// Radius of the contact area [m].
    pub contact_radius: f64,
    /// Displacement stored in the tangential spring [m].
    pub elastic_displacement: Vec3,
    /// Slip beyond the spring since the contact began, if the law records it [m].
    pub sliding_displacement: Option<Vec3>,
    /// True if the tangential law slips.
    pub sliding: bool,
    /// Trial force minus the static limit in the last step: positive in slip [N].
    pub friction_excess: f64,
    /// Change of the slip velocity by a tangential impulse, `1/m₁ + l₁²/I₁ + 1/m₂ + l₂²/I₂` [1/kg].
    /// H of Z(45).
    pub slip_mobility: f64,
}

impl ContactView {
    /// The whole force on the first partner [N].
    pub fn force(&self) -> Vec3 {
        (self.cohesion - self.elastic - self.damping) * self.normal + self.tangential
    }

    /// Time in which the current tangential force would reduce the slip velocity to zero [s]; none if the force does
    /// not oppose it. Z(46), with force and velocity at the same time.
    pub fn time_to_zero_slip(&self) -> Option<f64> {
        let speed = self.slip_velocity.length();
        let against = -self.tangential.dot(self.slip_velocity) / speed;
        let time = speed / (against * self.slip_mobility);
        (speed > 0.0 && against > 0.0 && time.is_finite()).then_some(time)
    }
}

/// One wall.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{scene, RADIUS};
/// use esker::prelude::*;
///
/// let (mut scene, grain) = scene(ContactModel::normal(Hertz::default()), Pair::new());
/// let floor = Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z };
/// let floor = scene.add_wall("floor", floor, grain);
/// scene.add_sphere(grain, Sphere::new(RADIUS, Vec3::Z * 0.0099));
/// let simulation = scene.build()?;
/// let wall = simulation.wall(floor).unwrap();
/// assert!(wall.force.z < 0.0); // the sphere presses on the floor
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct WallView {
    /// Name.
    pub name: String,
    /// Its surface in the initial position.
    pub shape: Shape,
    /// Its current pose and motion.
    pub pose: Pose,
    /// Force of the particles on it [N].
    pub force: Vec3,
    /// Torque of the particles on it, about the centre of its pose [N m].
    pub torque: Vec3,
    /// Work done on the particles [J].
    pub work: f64,
    /// True if it is present: stages can remove walls.
    pub present: bool,
}

/// Energies, losses and work [J].
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{scene, RADIUS};
/// use esker::prelude::*;
///
/// let (mut scene, grain) = scene(ContactModel::normal(Hertz::default()), Pair::new());
/// scene.ledger = true;
/// scene.gravity = Vec3::Z * -9.81;
/// scene.add_sphere(grain, Sphere::new(RADIUS, Vec3::Z));
/// let mut simulation = scene.build()?;
/// let before = simulation.energy();
/// simulation.run_until(0.1)?;
/// let after = simulation.energy();
/// assert!((before.potential - after.potential - after.kinetic).abs() < 1e-6 * after.kinetic);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Energy {
    /// Translational.
    pub kinetic: f64,
    /// Rotational.
    pub rotational: f64,
    /// Kinetic energy minus that of the velocities half a step before and after, minus the work of dissipative forces
    /// in the last half step, and minus the contribution of insertions and changes to this difference. Velocity Verlet
    /// conserves the remaining energy, which is used for the closure error; zero with other integrators.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub half_step_difference: f64,
    /// Potential energy in gravity and other conservative fields.
    pub potential: f64,
    /// Stored by normal laws.
    pub elastic_normal: f64,
    /// Stored by tangential and rolling springs.
    pub elastic_tangential: f64,
    /// Potential energy of cohesion: zero for partners beyond the interaction range, negative for bound partners.
    pub cohesion: f64,
    /// Energy dissipated by damping so far.
    pub damping_loss: f64,
    /// Energy dissipated by sliding so far.
    pub sliding_loss: f64,
    /// Energy dissipated by rolling so far.
    pub rolling_loss: f64,
    /// Energy dissipated by cohesion with history so far: the energy released when bridges and persistent adhesion
    /// form.
    pub cohesion_loss: f64,
    /// Work of non-conservative fields on the particles so far (drag: negative).
    pub field_work: f64,
    /// Work of walls on the particles so far.
    pub wall_work: f64,
    /// Energy added by insertions and changes, minus that of deleted particles.
    pub inserted: f64,
    /// Sum of the absolute energies of all insertions, removals and changes; a scale for the closure error, not part of
    /// the ledger.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub turnover: f64,
    /// Translational and rotational kinetic energy of deleted particles; a scale for the closure error, contained in
    /// `inserted`.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub departed_kinetic: f64,
    /// The closure error: [present](Self::present) + [lost](Self::lost) - supplied -
    /// `half_step_difference`.
    pub closure_error: f64,
}

impl Energy {
    /// Current energy: kinetic, potential, elastic and cohesive [J].
    pub fn present(&self) -> f64 {
        self.kinetic
            + self.rotational
            + self.potential
            + self.elastic_normal
            + self.elastic_tangential
            + self.cohesion
    }

    /// The closure error as a fraction of the energy exchanged: kinetic energy and energy stored in contacts, energy
    /// dissipated or removed with deleted particles, and the work of walls and fields. The divisor is at least a
    /// billionth of the energy that was added or removed, so that rounding alone is not an error.
    pub fn relative_closure_error(&self) -> f64 {
        let in_play = self.kinetic
            + self.rotational
            + self.elastic_normal
            + self.elastic_tangential
            + self.cohesion.abs()
            + self.lost().abs()
            + self.departed_kinetic
            + self.wall_work.abs()
            + self.field_work.abs();
        let in_play = in_play.max(1e-9 * self.turnover);
        if in_play == 0.0 { 0.0 } else { self.closure_error / in_play }
    }

    /// Dissipated energy [J].
    pub fn lost(&self) -> f64 {
        self.damping_loss + self.sliding_loss + self.rolling_loss + self.cohesion_loss
    }
}

/// The state of a simulation at one time.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
///
/// let now = snapshot(vec![Sphere::new(RADIUS, Vec3::X)]);
/// assert_eq!((now.time, now.particles.len(), now.contacts.len()), (0.0, 1, 0));
/// assert_eq!(now.groups, ["grains"]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// Time [s].
    pub time: f64,
    /// Number of steps.
    pub step: u64,
    /// Length of the next time step [s].
    pub time_step: f64,
    /// Name of the stage.
    pub stage: String,
    /// Names of the groups of particles.
    pub groups: Vec<String>,
    /// Names of the materials.
    pub materials: Vec<String>,
    /// Lower corner of the domain [m].
    pub domain_min: Vec3,
    /// Upper corner of the domain [m].
    pub domain_max: Vec3,
    /// Periodic directions.
    pub periodic: [bool; 3],
    /// Particles in order of id, driven ones included.
    pub particles: Vec<ParticleView>,
    /// Contacts in order of (first, second).
    pub contacts: Vec<ContactView>,
    /// Walls in the order of the scene.
    pub walls: Vec<WallView>,
    /// Smallest number of contacts of a particle in equilibrium: 2 with friction or cohesion, else 4, in a plane
    /// problem 3.
    pub stable_contacts: u32,
}
