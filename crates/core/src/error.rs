//! Errors: invalid input, or a run that has become unphysical.

use crate::Vec3;
use crate::id::ParticleId;

/// The cause of a failure, as far as it can be derived from the state.
///
/// ```
/// use esker::error::Diagnosis;
///
/// assert_eq!(Diagnosis::StepTooLong.to_string(), "time step too long");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Diagnosis {
    /// The time step is too long for the contact.
    #[error("time step too long")]
    StepTooLong,
    /// The stiffness is too low for the speed of an impact.
    #[error("stiffness too low for the impact")]
    TooSoftForImpact,
    /// The stiffness is too low for a load at rest.
    #[error("stiffness too low for the load")]
    TooSoftForLoad,
    /// Moving walls leave less space than the diameter of a particle.
    #[error("pinched between closing walls")]
    Pinched,
    /// Bodies were placed inside each other.
    #[error("bodies placed inside each other")]
    PlacedInside,
    /// Particles are on the solid side of a wall.
    #[error("normal of a wall reversed")]
    NormalReversed,
    /// The force of a field is not finite.
    #[error("field not finite")]
    FieldNotFinite,
    /// A particle left the domain.
    #[error("particle left the domain")]
    LeftDomain,
    /// Iterations or error control of an integrator failed.
    #[error("integrator did not converge")]
    NotConverged,
    /// The energy ledger does not close.
    #[error("energy ledger not closed")]
    Energy,
    /// None of these.
    #[error("unknown")]
    Unknown,
}

/// An error of the engine.
///
/// ```
/// use esker::prelude::*;
///
/// let mut scene = Scene::new();
/// scene.step = StepSize::Fixed(-1.0);
/// match scene.build() {
///     Err(Error::Scene(problems)) => assert_eq!(problems[0].path, "time.step"),
///     other => panic!("{other:?}"),
/// }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The scene cannot be built; every problem found is listed.
    #[error("{}", list(.0))]
    Scene(Vec<Problem>),
    /// The run has become unphysical.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A saved state does not belong to this scene.
    #[error("the saved state does not fit this scene: {0}")]
    State(String),
}

/// A problem of a scene.
///
/// ```
/// use esker::prelude::*;
///
/// let problem = Problem::at("walls[0].material", "there is no material `steel`").help("add it");
/// assert_eq!(problem.to_string(), "walls[0].material: there is no material `steel` (add it)");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// Path of the setting, such as `walls[2].material`. Paths follow the tables of a scene file, where the
    /// time step is `time.step` and a pair of materials is `contact.pairs[0]`.
    pub path: String,
    /// The problem, in one sentence without a full stop.
    pub message: String,
    /// Valid values, or a remedy.
    pub help: Option<String>,
    /// Valid names for the last name of the path, from which a program suggests the nearest.
    pub words: Vec<String>,
    /// Label of the path, if the message does not explain it.
    pub label: Option<String>,
    /// A second setting that is involved: path and label.
    pub other: Option<(String, String)>,
}

impl Problem {
    /// A problem of the setting with this path.
    pub fn at(path: impl Into<String>, message: impl Into<String>) -> Self {
        let (path, message) = (path.into(), message.into());
        Self { path, message, help: None, words: Vec::new(), label: None, other: None }
    }

    /// Adds valid values, or a remedy.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds valid names for the last name of the path.
    #[must_use]
    pub fn words(mut self, words: impl IntoIterator<Item = String>) -> Self {
        self.words = words.into_iter().collect();
        self
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path, self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

fn list(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n")
}

/// The error of a run that was stopped as unphysical.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{scene, RADIUS};
/// use esker::prelude::*;
/// use esker::error::{Cause, Diagnosis};
///
/// let (mut scene, grain) = scene(ContactModel::normal(Hertz::default()), Pair::new());
/// scene.domain = Some(Domain::new(Vec3::splat(-1.0), Vec3::ONE));
/// let fast = Sphere { velocity: Vec3::X * 10.0, ..Sphere::new(RADIUS, Vec3::ZERO) };
/// let fast = scene.add_sphere(grain, fast);
/// let mut simulation = scene.build()?;
/// let Err(Error::Step(error)) = simulation.run_until(1.0) else { panic!("it leaves the domain") };
/// assert_eq!((error.id, error.cause, error.diagnosis), (fast, Cause::LeftDomain, Diagnosis::LeftDomain));
/// assert!((error.time - 0.1).abs() < 0.01);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{cause} at step {step} (t = {time:.6e} s): particle {id} at ({:.6e}, {:.6e}, {:.6e}) m, moving at ({:.3e}, {:.3e}, {:.3e}) m/s{}; {advice}",
    position.x, position.y, position.z, velocity.x, velocity.y, velocity.z,
    partner.as_ref().map(|p| format!(", with {p}")).unwrap_or_default())]
pub struct StepError {
    /// The cause.
    pub cause: Cause,
    /// Number of the step that failed.
    pub step: u64,
    /// Time at the end of that step [s].
    pub time: f64,
    /// The particle.
    pub id: ParticleId,
    /// Its position [m].
    pub position: Vec3,
    /// Its velocity [m/s].
    pub velocity: Vec3,
    /// The other body, if there is one: `particle 12` or ``wall `gate` ``.
    pub partner: Option<String>,
    /// The likely cause, as far as it follows from the state.
    pub diagnosis: Diagnosis,
    /// The likely cause in words, and a remedy.
    pub advice: String,
    /// The same as a problem of the scene, with the paths of both bodies, if it is found at the start.
    pub at_start: Option<Box<Problem>>,
}

/// Reasons why a run is unphysical.
///
/// ```
/// use esker::error::Cause;
///
/// assert_eq!(Cause::Overlap(0.123).to_string(), "the overlap reached 12.3 % of the radius");
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Cause {
    /// A position, velocity or force is NaN or infinite.
    #[error("the state is no longer finite")]
    NotFinite,
    /// A particle left a domain whose policy is `error`.
    #[error("a particle left the domain")]
    LeftDomain,
    /// Two bodies overlap by more than the limit, given as a fraction of the smaller radius.
    #[error("the overlap reached {:.1} % of the radius", 100.0 * .0)]
    Overlap(f64),
    /// Iterations did not converge, and the step is at its minimum.
    #[error("the {quantity} did not converge: error {error:.1e} after {iterations} iterations")]
    NotConverged {
        /// The quantity that is farthest from its tolerance.
        quantity: &'static str,
        /// Its error as a fraction of its change in the step.
        error: f64,
        /// Number of iterations.
        iterations: u32,
    },
    /// The error of a step at its minimum is above the tolerance.
    #[error("the error of the {quantity} is {times:.1e} times its tolerance")]
    Inaccurate {
        /// The quantity that is farthest from its tolerance.
        quantity: &'static str,
        /// Its error as a multiple of its tolerance.
        times: f64,
    },
    /// The contacts have become so stiff that the step is unstable; the value is the step divided by the stable one.
    #[error("the contacts became so stiff that the time step is {0:.1} of the stability limit")]
    Stiffness(f64),
    /// The energy ledger no longer closes, given as a fraction of the energy exchanged.
    #[error("the closure error of the energy ledger is {0:.1e} of the energy exchanged")]
    Energy(f64),
}
