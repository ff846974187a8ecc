//! Settings of a run in a scene file: outputs and initial state.

use esker::Vec3;
use esker::measure::Measure;
use std::path::PathBuf;
use std::sync::Arc;

/// Outputs of a run. Intervals in seconds of simulated time.
#[derive(Debug, Clone)]
pub struct Outputs {
    /// Frames of the complete state.
    pub frames: Option<Frames>,
    /// Interval of rows in the energy table.
    pub energy: Option<f64>,
    /// Interval of rows in the table of wall forces.
    pub walls: Option<f64>,
    /// Interval of contact lists.
    pub contacts: Option<f64>,
    /// Interval of checkpoints.
    pub checkpoint: Option<f64>,
    /// Tables of chosen quantities.
    pub probes: Vec<Probe>,
    /// True if contact events are recorded, and the detection of zero slip.
    pub events: Option<ZeroSlip>,
    /// True if the final state is written as a table.
    pub final_state: bool,
    /// True if the report is written.
    pub report: bool,
    /// Measures.
    pub measures: Vec<Measured>,
}

impl Default for Outputs {
    fn default() -> Self {
        Self {
            frames: None,
            energy: None,
            walls: None,
            contacts: None,
            checkpoint: None,
            probes: Vec::new(),
            events: None,
            final_state: true,
            report: true,
            measures: Vec::new(),
        }
    }
}

/// Detection of a zero of the slip velocity of a contact within a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ZeroSlip {
    /// Its component along its previous direction changes sign, Z(48).
    #[default]
    Crossing,
    /// The force at the start of the step would reduce it to zero within the step, Z(46).
    Predicted,
    /// As printed in Z(46): the time of the start of the step with the force and the velocity of its end
    /// (docs/errata.md Z-E7). For comparison only.
    Printed,
}

/// Frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Frames {
    /// Interval [s].
    pub every: f64,
    /// Names of the formats, of [`crate::output::FORMATS`].
    pub formats: Vec<&'static str>,
    /// True if contacts are written as lines.
    pub contacts: bool,
}

impl Frames {
    /// True if any format is written.
    pub fn are_written(&self) -> bool {
        !self.formats.is_empty()
    }
}

/// A table of chosen quantities.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// Name of the table.
    pub name: String,
    /// The object of the probe.
    pub target: Target,
    /// Its columns, validated by the writer.
    pub columns: Vec<String>,
    /// Interval [s]; every step if none is given.
    pub every: Option<f64>,
    /// A material point of the particle, relative to its centre at the start [m].
    pub mark: Option<Vec3>,
    /// The fixed axis of the accumulated angle.
    pub axis: Option<Vec3>,
}

/// The object of a probe.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// A group of particles; all particles if none is named.
    Particles(Option<String>),
    /// One particle by id.
    Particle(u64),
    /// The contact of two particles.
    Contact(u64, u64),
    /// The contact of a particle with a wall.
    WallContact(u64, String),
    /// A wall.
    Wall(String),
}

/// A measure, evaluated at intervals and at the end.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Name of its table.
    pub name: String,
    /// Interval [s]; only the start and the end if none is given.
    pub every: Option<f64>,
    /// The measure.
    pub measure: Arc<dyn Measure>,
}

/// A group of particles taken from a checkpoint of another run. The scene contains the group with an empty list, which
/// is filled before the scene is built.
#[derive(Debug, Clone, PartialEq)]
pub struct FromCheckpoint {
    /// Index of the group in `scene.particles`.
    pub source: usize,
    /// The checkpoint.
    pub file: PathBuf,
    /// True if the history of contacts is also read.
    pub history: bool,
}
