//! Construction of a simulation from a scene; all input is validated here.

use crate::contact_state::history::HistoryLayout;
use crate::distributed::Ownership;
use crate::domain::Domain;
use crate::energy_exchange::{EnergyBalance, EnergyExchange};
use crate::engine::{Engine, External, Ledger, Neighbours, World};
use crate::error::{Error, Problem};
use crate::health::Overlaps;
use crate::insert::{Placement, Source};
use crate::integrate::{Outcome, Workspace};
use crate::kernel::laws::LawTable;
use crate::material::MaterialId;
use crate::ranks::Comm;
use crate::scene::Scene;
use crate::schedule::Schedule;
use crate::simulation::{Clock, Counts, Simulation};
use crate::stage::Change;
use crate::time_step::Advice;
use crate::time_step::control::StepControl;
use crate::time_step::survey::SurveyScratch;
use crate::wall::live::LiveWall;
use crate::wall::{Shape, Wall};
use crate::{Vec3, check};
use std::sync::Arc;

impl Scene {
    /// Validates the scene and builds the simulation.
    pub fn build(self) -> Result<Simulation, Error> {
        Simulation::new(self)
    }

    /// Builds the simulation on several ranks together: each has its own particles from the start. All but the first
    /// rank then call [`Simulation::follow`]. All ranks return the same error.
    #[doc(hidden)]
    pub fn build_on(self, comm: Arc<dyn Comm>, ownership: Ownership) -> Result<Simulation, Error> {
        let mut simulation = Simulation::prepare(self)?.on_ranks(comm, ownership)?;
        simulation.begin_split();
        let mut simulation = simulation.filled()?;
        simulation.end_of_build();
        Ok(simulation)
    }
}

impl Simulation {
    /// Validates the scene and builds the simulation.
    pub fn new(scene: Scene) -> Result<Self, Error> {
        Self::prepare(scene)?.filled()
    }

    /// Inserts particles and walls and evaluates the forces.
    fn filled(mut self) -> Result<Self, Error> {
        let simulation = &mut self;
        let sources = simulation.scene.particles.clone();
        // listed particles first: their ids are known before others are placed, and random placement avoids them and
        // the particles of walls
        let mut problems = simulation.insert_all(&sources, true)?;
        for wall in simulation.scene.walls.clone() {
            simulation.add_wall(LiveWall::new(wall, 0.0));
        }
        problems.extend(simulation.insert_all(&sources, false)?);
        if !problems.is_empty() {
            return Err(Error::Scene(problems));
        }
        simulation.check_start()?;
        simulation.warn_of_collapse();
        simulation.changed().map_err(|error| simulation.at_start(error))?;
        simulation.check_plausibility()?;
        if simulation.engine.has_ledger() {
            simulation.energy_exchange.insert(EnergyBalance::default(), simulation.balance());
        }
        Ok(self)
    }

    /// Inserts the sources that are lists, or all others; returns their problems.
    fn insert_all(&mut self, sources: &[Source], lists: bool) -> Result<Vec<Problem>, Error> {
        let mut problems = Vec::new();
        for (number, source) in sources.iter().enumerate() {
            if matches!(source.placement, Placement::List(_)) == lists {
                match self.insert(source, &format!("particles[{number}]")) {
                    Err(Error::Scene(found)) => problems.extend(found),
                    other => other?,
                }
            }
        }
        Ok(problems)
    }

    /// Validates a scene and builds its laws, without particles and walls.
    pub(crate) fn prepare(mut scene: Scene) -> Result<Self, Error> {
        // a limit of the energy error can be checked only with a ledger
        scene.ledger |= scene.health.energy_error.is_some();
        let mut problems = check::check(&scene);
        if problems.is_empty() {
            let radii = radii_of(&scene);
            let table = LawTable::new(&scene, &material_pairs(&scene), radii, &mut problems);
            check::check_periods(&scene, &table, radii, &mut problems);
            check::check_evaluations(&scene, &table, &mut problems);
            check_pair_changes(&scene, radii, &mut problems);
            if problems.is_empty() {
                return Ok(Self::empty(scene, table));
            }
        }
        Err(Error::Scene(problems))
    }

    fn empty(scene: Scene, table: LawTable) -> Self {
        let domain = scene.domain.clone().unwrap_or_else(|| domain_around(&scene));
        let warnings = table.warnings.clone();
        let engine = Engine::new(
            World::new(domain, scene.accumulate_angles),
            External::new(scene.gravity, scene.fields.clone(), scene.plane_normal, scene.rotations),
            Neighbours::new(
                scene.search,
                scene.integrator.predicted_fraction(),
                radii_of(&scene)[1],
            ),
            table,
            scene.ledger.then(|| Ledger::new(scene.integrator.works_by_displacement())),
            scene.threads,
        );
        let stages = scene.stages.clone();
        Self {
            engine,
            integrator: Workspace::default(),
            scene,
            schedule: Schedule { stages, ..Schedule::default() },
            clock: Clock { base: 0.0, steps_since_base: 0, dt: 0.0, step: 0 },
            counts: Counts::default(),
            groups: Vec::new(),
            energy_exchange: EnergyExchange::default(),
            advice: Advice::default(),
            control: StepControl::default(),
            survey_scratch: SurveyScratch::default(),
            warnings,
            fewest_steps: f64::INFINITY,
            overlaps: Overlaps::default(),
            outcome: Outcome { within_skin: true, inside: true },
            last_dt: 0.0,
            inherited: Vec::new(),
            ranks: None,
        }
    }

    /// Refuses particles that start outside the domain.
    fn check_start(&mut self) -> Result<(), Error> {
        let first_outside = |engine: &Engine| {
            let particles = engine.particles();
            let is_inside =
                |slot: usize| engine.domain().contains(particles.records[slot].position.into());
            particles.lowest_id(|slot| !is_inside(slot))
        };
        if !self.engine.any(first_outside(&self.engine).is_some()) {
            return Ok(());
        }
        self.join();
        let particles = self.engine.particles();
        let outside = first_outside(&self.engine);
        let Some(slot) = outside else { return Ok(()) };
        let position = Vec3::from_array(particles.records[slot].position);
        let id = particles.metadata[slot].id();
        let group = &self.groups[usize::from(particles.metadata[slot].group)];
        let message =
            format!("particle {id} of `{group}` starts at {position}, outside the domain");
        Err(Error::Scene(vec![
            Problem::at("domain", message).help("enlarge the domain or move the particles"),
        ]))
    }

    /// Active sources, and those of the current and later stages.
    pub(crate) fn streaming_sources(&self) -> Vec<Source> {
        let later = self
            .schedule
            .stages
            .iter()
            .skip(self.schedule.present)
            .flat_map(|stage| &stage.changes);
        let inserted = later.filter_map(|change| match change {
            Change::Insert(source) => Some(source.clone()),
            _ => None,
        });
        self.schedule
            .streams
            .iter()
            .map(|(_, stream)| stream.source().clone())
            .chain(inserted)
            .collect()
    }

    /// Smallest and largest radius that can occur.
    pub(crate) fn radii(&self) -> [f64; 2] {
        radii_of(&self.scene)
    }
}

/// History of contacts in a scene before any change.
fn layout_of(scene: &Scene, radii: [f64; 2]) -> HistoryLayout {
    LawTable::new(scene, &material_pairs(scene), radii, &mut Vec::new()).layout
}

/// Makes the changes of pairs of all stages, so that their problems are found before the run.
fn check_pair_changes(scene: &Scene, radii: [f64; 2], problems: &mut Vec<Problem>) {
    let mut changed = scene.clone();
    let mut before = None;
    for (stage, index) in scene.stages.iter().zip(0..) {
        for (change, number) in stage.changes.iter().zip(0..) {
            let Change::SetPair { between, parameter, value } = change else { continue };
            let path = format!("stages[{index}].changes[{number}]");
            let name = |id: MaterialId| scene.materials.get(id.index()).map(|(name, _)| name);
            let [Some(first), Some(second)] = between.map(name) else {
                let message = format!("there is no material {} or {}", between[0], between[1]);
                problems.push(Problem::at(path, message));
                continue;
            };
            let Some(pair) = changed.pair_mut(*between) else {
                let message =
                    format!("the pair of `{first}` and `{second}` has no parameters to change");
                problems.push(Problem::at(path, message));
                continue;
            };
            pair.change(parameter, *value);
            let mut found = Vec::new();
            let layout =
                LawTable::new(&changed, &material_pairs(&changed), radii, &mut found).layout;
            if found.is_empty() && layout != *before.get_or_insert_with(|| layout_of(scene, radii))
            {
                let message = format!("`{parameter}` changes the history that contacts store");
                let help = "it must be the same for the whole run";
                found.push(Problem::at("", message).help(help));
            }
            // a problem of an earlier change persists after this one
            let is_new = |problem: &Problem| {
                !problems.iter().any(|p| p.message == problem.message && p.help == problem.help)
            };
            found.retain(is_new);
            problems
                .extend(found.into_iter().map(|problem| Problem { path: path.clone(), ..problem }));
        }
    }
}

impl Scene {
    /// Sources of particles, those of stages included.
    pub(crate) fn all_sources(&self) -> impl Iterator<Item = &Source> {
        let staged =
            self.stages.iter().flat_map(|stage| &stage.changes).filter_map(|change| match change {
                Change::Insert(source) => Some(source),
                _ => None,
            });
        self.particles.iter().chain(staged)
    }

    /// Walls, those of stages included.
    pub(crate) fn all_walls(&self) -> impl Iterator<Item = &Wall> {
        let staged =
            self.stages.iter().flat_map(|stage| &stage.changes).filter_map(|change| match change {
                Change::AddWall(wall) => Some(wall),
                _ => None,
            });
        self.walls.iter().chain(staged)
    }
}

/// Pairs of materials that can touch, each once, in a fixed order.
fn material_pairs(scene: &Scene) -> Vec<[MaterialId; 2]> {
    let mut free: Vec<MaterialId> = scene.all_sources().map(|source| source.material).collect();
    let walls: Vec<MaterialId> = scene.all_walls().map(|wall| wall.material).collect();
    free.sort_unstable();
    free.dedup();
    let mut pairs: Vec<[MaterialId; 2]> = Vec::new();
    for &own in &free {
        for &other in free.iter().chain(&walls) {
            pairs.push([own.min(other), own.max(other)]);
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Smallest and largest radius of all particles of a scene [m].
pub(crate) fn radii_of(scene: &Scene) -> [f64; 2] {
    let walls = scene.all_walls().filter_map(|wall| match &wall.shape {
        Shape::Particles(spheres) => Some(spheres.iter().map(|sphere| sphere.radius)),
        _ => None,
    });
    let bounds =
        scene.all_sources().flat_map(|source| [source.smallest_radius(), source.largest_radius()]);
    bounds
        .chain(walls.flatten())
        .fold([f64::INFINITY, 0.0], |[low, high], radius| [low.min(radius), high.max(radius)])
}

/// Margin of an automatic domain, as a multiple of the diagonal of the box around everything.
const DOMAIN_MARGIN: f64 = 10.0;

/// The domain of a scene that specifies none: the bounding box of particles (with their radii), regions of insertion
/// and walls, with a margin of [`DOMAIN_MARGIN`] diagonals on every side. Of a half-space only its point is included.
fn domain_around(scene: &Scene) -> Domain {
    let sources = scene.all_sources().filter_map(|source| {
        let radius = Vec3::splat(source.largest_radius());
        source.bounds().map(|(low, high)| (low - radius, high + radius))
    });
    let walls = scene.all_walls().filter_map(|wall| wall.shape.bounds());
    let points = scene.all_walls().filter_map(|wall| match wall.shape {
        Shape::HalfSpace { point, .. } => Some((point, point)),
        _ => None,
    });
    let (low, high) = sources
        .chain(walls)
        .chain(points)
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), (a, b)| {
            (low.min(a), high.max(b))
        });
    if !(low.is_finite() && high.is_finite()) {
        return Domain::new(Vec3::splat(-1.0), Vec3::splat(1.0));
    }
    let margin = Vec3::splat(DOMAIN_MARGIN * (high - low).length().max(f64::MIN_POSITIVE));
    Domain::new(low - margin, high + margin)
}

impl Source {
    /// Smallest radius that can be drawn [m].
    pub(crate) fn smallest_radius(&self) -> f64 {
        match &self.placement {
            Placement::List(list) => {
                list.iter().map(|sphere| sphere.radius).fold(f64::INFINITY, f64::min)
            }
            _ => self.radius.as_ref().map_or(f64::INFINITY, |radius| radius.bounds().0),
        }
    }

    /// Largest radius that can be drawn [m].
    pub(crate) fn largest_radius(&self) -> f64 {
        match &self.placement {
            Placement::List(list) => list.iter().map(|sphere| sphere.radius).fold(0.0, f64::max),
            _ => self.radius.as_ref().map_or(0.0, |radius| radius.bounds().1),
        }
    }

    /// The bounding box of the centres.
    pub(crate) fn bounds(&self) -> Option<(Vec3, Vec3)> {
        match &self.placement {
            Placement::List(list) => {
                let first = list.first()?.position;
                Some(list.iter().fold((first, first), |(low, high), s| {
                    (low.min(s.position), high.max(s.position))
                }))
            }
            Placement::Lattice { min, max, .. } => Some((*min, *max)),
            Placement::Pattern(pattern) => Some(pattern.0.bounds()),
            Placement::Random { region, .. }
            | Placement::Grow { region, .. }
            | Placement::Stream { region, .. } => Some(region.bounds()),
        }
    }
}
