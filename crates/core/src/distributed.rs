//! A simulation on several ranks.
//!
//! Every rank has the same scene, clock, schedule and walls. Particles and contacts are divided among the ranks. Steps,
//! stages, insertion, deletion and updates of the time step are made by all ranks together, each with its own
//! particles. Only the diagnosis of an error and the check of a given step near its limit need all particles: they are
//! joined before, and divided again before the next step. The first rank leads: it sends the command for each step, and
//! gathers a copy of the state when its caller reads one.

use crate::engine::{Engine, Imbalance};
use crate::error::{Error, Problem};
use crate::integrate::{Integrator, Iteration};
use crate::random::{Draws, Purpose};
use crate::ranks::{Bisection, Comm, Point};
use crate::scene::Scene;
use crate::simulation::Simulation;
use crate::snapshot::Energy;
use crate::sphere::Sphere;
use crate::stage::Change;
use crate::state::RankState;
use crate::wall::live::LiveWall;
use std::sync::{Arc, OnceLock};

/// Rule that assigns particles to ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ownership {
    /// Recursive coordinate bisection with equal work. The particles are divided again if the work of
    /// the ranks becomes unequal.
    #[default]
    Bisection,
    /// A hash of the id and of the number of the division, for tests: nearly every contact involves two ranks. The
    /// particles are divided again at each rebuild of the neighbour list.
    Hash,
}

/// Largest number of new particles that represent all particles in the first division.
const FIRST_SAMPLES: usize = 16_384;

/// Record of the division of the work among the ranks.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Division {
    /// Number of steps of this rank with divided particles.
    pub steps: u64,
    /// Sum of own particles over these steps.
    pub own: u64,
    /// Sum of ghosts over these steps.
    pub ghosts: u64,
    /// Largest work of a rank divided by the mean.
    pub imbalance: Imbalance,
}

impl Division {
    /// Adds a step.
    fn note(&mut self, engine: &Engine) {
        if engine.is_split() {
            let [own, ghosts] = engine.own_and_ghosts();
            self.steps += 1;
            self.own += own as u64;
            self.ghosts += ghosts as u64;
            self.imbalance = engine.imbalance();
        }
    }
}

/// What the first rank tells the others to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Command {
    Step = 1,
    Gather = 2,
    KineticEnergy = 3,
    Energy = 4,
    Speed = 5,
    GroupSizes = 6,
    Walls = 7,
    Serve = 8,
    End = 9,
}

/// The ranks of a simulation.
#[derive(Debug)]
pub(crate) struct Ranks {
    comm: Arc<dyn Comm>,
    ownership: Ownership,
    /// Number of divisions so far.
    divisions: u64,
    /// The last one, if it is one of space.
    bisection: Option<Bisection>,
    /// Record of the steps since the first division.
    division: Division,
    /// Whether the simulation has been built, so that the other ranks wait for commands.
    is_complete: bool,
    /// A copy of the whole state, on the first rank, if its caller has read the state since the last step.
    gathered: OnceLock<Box<Simulation>>,
}

impl Ranks {
    fn is_leader(&self) -> bool {
        self.comm.rank() == 0
    }

    fn command(&self, command: Command) {
        self.comm.broadcast(&mut vec![command as u8]);
    }

    /// The rank that owns a particle at this position.
    fn owner(&self, position: [f64; 3], id: u32) -> u32 {
        match &self.bisection {
            Some(bisection) => bisection.part(position, id) as u32,
            // no division has been computed yet
            None if self.ownership == Ownership::Bisection => 0,
            None => {
                let draws = Draws::new(self.divisions, Purpose::Test, id.into());
                (draws.uniform(0) * self.comm.size() as f64) as u32
            }
        }
    }

    /// Computes the next division. `points` represent the particles of this rank, or of all ranks on the first one.
    fn divide(&mut self, points: &[Point]) {
        self.divisions += 1;
        if self.ownership == Ownership::Hash {
            return;
        }
        let parts = self.comm.gather(&Point::encode(points));
        let mut cuts = Vec::new();
        if self.is_leader() {
            let points: Vec<Point> = parts.iter().flat_map(|bytes| Point::decode(bytes)).collect();
            if !points.is_empty() {
                cuts = Bisection::new(&points, self.comm.size()).encode();
            }
        }
        self.comm.broadcast(&mut cuts);
        // without particles there is nothing to divide
        self.bisection = (!cuts.is_empty()).then(|| Bisection::decode(&cuts));
    }

    /// The owner of each particle of an engine, by slot.
    fn owners(&self, engine: &Engine) -> Vec<u32> {
        let particles = engine.particles();
        let all = particles.records.iter().zip(&particles.metadata);
        all.map(|(record, one)| self.owner(record.position, one.number)).collect()
    }
}

impl Drop for Ranks {
    fn drop(&mut self) {
        if self.is_leader() && self.is_complete && !std::thread::panicking() {
            self.command(Command::End);
        }
    }
}

impl Scene {
    /// Features of this scene that are not supported on several ranks.
    #[doc(hidden)]
    pub fn unsupported_on_ranks(&self) -> Vec<Problem> {
        const HELP: &str = "run it on one rank, with threads";
        let mut problems = Vec::new();
        if let Integrator::Theta(theta) = self.integrator
            && theta.iterates()
            && theta.iteration == Iteration::GaussSeidel
        {
            let message = "Gauss–Seidel iterations update the particles one after the other, and do not run \
                           on several ranks";
            let help = format!("{HELP}, or take Jacobi iterations");
            problems.push(Problem::at("time.integrator.theta.iteration", message).help(help));
        }
        let staged = self.stages.iter().flat_map(|stage| &stage.changes);
        let staged = staged.filter_map(|change| match change {
            Change::SetField(field) => Some(field),
            _ => None,
        });
        for field in self.fields.iter().chain(staged).filter(|field| field.is_batch()) {
            let message = format!("the field `{}` does not run on several ranks", field.name());
            problems.push(Problem::at("fields", message).help(HELP));
        }
        problems
    }
}

impl Simulation {
    /// Divides the work among ranks, which have built the same simulation. All but the first one then call
    /// [`Simulation::follow`]. Refuses features that are not supported on several ranks.
    #[doc(hidden)]
    pub fn on_ranks(mut self, comm: Arc<dyn Comm>, ownership: Ownership) -> Result<Self, Error> {
        if comm.size() > 1 {
            let problems = self.scene.unsupported_on_ranks();
            if !problems.is_empty() {
                return Err(Error::Scene(problems));
            }
            let with_means = self.scene.integrator.provides_mean_motions();
            self.engine.set_comm(Arc::clone(&comm), with_means);
            let gathered = OnceLock::new();
            self.ranks = Some(Ranks {
                comm,
                ownership,
                divisions: 0,
                bisection: None,
                division: Division::default(),
                is_complete: true,
                gathered,
            });
        }
        Ok(self)
    }

    /// Makes the steps that the first rank makes, until it ends. Returns how the work was divided.
    #[doc(hidden)]
    pub fn follow(self) -> Division {
        self.follow_and_serve(|_, _| {})
    }

    /// The same; `serve` is called for each request of the program on the first rank ([`Simulation::request`]).
    #[doc(hidden)]
    pub fn follow_and_serve(mut self, serve: impl Fn(&Self, &[u8])) -> Division {
        let Some(comm) = self.ranks.as_ref().map(|ranks| Arc::clone(&ranks.comm)) else {
            return Division::default();
        };
        let mut command = Vec::new();
        loop {
            comm.broadcast(&mut command);
            match command.first() {
                // an error is found by all ranks, and reported by the first one
                Some(&step) if step == Command::Step as u8 => drop(self.step_together()),
                Some(&gather) if gather == Command::Gather as u8 => drop(self.gather()),
                Some(&energy) if energy == Command::KineticEnergy as u8 => {
                    self.engine.kinetic_energy();
                }
                Some(&energy) if energy == Command::Energy as u8 => {
                    self.energy_together();
                }
                Some(&speed) if speed == Command::Speed as u8 => {
                    // the comparison of the first rank counts
                    self.engine.is_slower_than(f64::INFINITY);
                }
                Some(&sizes) if sizes == Command::GroupSizes as u8 => {
                    self.engine.group_sizes(self.groups.len());
                }
                Some(&walls) if walls == Command::Walls as u8 => {
                    self.engine.walls_with_loads();
                }
                Some(&request) if request == Command::Serve as u8 => serve(&self, &command[1..]),
                _ => return self.division(),
            }
        }
    }

    /// Record of the division of the work, on this rank.
    #[doc(hidden)]
    pub fn division(&self) -> Division {
        self.ranks.as_ref().map_or(Division::default(), |ranks| ranks.division)
    }

    /// Adds a step to the record of the division.
    pub(crate) fn count_division(&mut self) {
        if let Some(ranks) = &mut self.ranks {
            ranks.division.note(&self.engine);
        }
    }

    /// Numbers of own particles and of ghosts.
    #[doc(hidden)]
    pub fn own_and_ghosts(&self) -> [usize; 2] {
        self.engine.own_and_ghosts()
    }

    /// Tells the other ranks to make a step.
    pub(crate) fn lead_step(&mut self) {
        if let Some(ranks) = &mut self.ranks {
            assert!(ranks.is_leader(), "only the first rank makes steps by itself");
            ranks.gathered.take();
            ranks.command(Command::Step);
        }
    }

    /// The simulation with all particles: this one, or a copy that is gathered from all ranks.
    pub(crate) fn whole(&self) -> &Self {
        match &self.ranks {
            Some(ranks) if self.engine.is_split() => ranks.gathered.get_or_init(|| {
                assert!(ranks.is_leader(), "only the first rank reads the state of all");
                ranks.command(Command::Gather);
                match self.gather() {
                    Some(Ok(whole)) => Box::new(whole),
                    Some(Err(error)) => ranks.comm.abort(&error.to_string()),
                    None => ranks.comm.abort("the first rank has gathered nothing"),
                }
            }),
            _ => self,
        }
    }

    /// What `read` finds, together with all other ranks if the particles are divided. Each of them does the
    /// same on the command.
    fn read_together<R>(&self, command: Command, read: impl FnOnce(&Self) -> R) -> R {
        let Some(ranks) = self.ranks.as_ref().filter(|_| self.engine.is_split()) else {
            return read(self);
        };
        if let Some(whole) = ranks.gathered.get() {
            return read(whole);
        }
        assert!(ranks.is_leader(), "only the first rank reads the state of all");
        ranks.command(command);
        read(self)
    }

    /// Translational and rotational kinetic energy, summed by all ranks if the particles are
    /// divided [J].
    pub(crate) fn kinetic_energies(&self) -> [f64; 2] {
        self.read_together(Command::KineticEnergy, |own| own.engine.kinetic_energy())
    }

    /// The energies, summed by all ranks if the particles are divided.
    pub(crate) fn energies(&self) -> Energy {
        self.read_together(Command::Energy, |own| own.energy_together())
    }

    /// The walls with the forces on them.
    pub(crate) fn walls_with_loads(&self) -> Vec<LiveWall> {
        self.read_together(Command::Walls, |own| own.engine.walls_with_loads())
    }

    /// Number of particles of each group.
    pub fn group_sizes(&self) -> Vec<u64> {
        self.read_together(Command::GroupSizes, |own| own.engine.group_sizes(own.groups.len()))
    }

    /// Whether every free particle is slower than this [m/s].
    pub(crate) fn is_slower_than(&self, speed: f64) -> bool {
        self.read_together(Command::Speed, |own| own.engine.is_slower_than(speed))
    }

    /// A copy with the particles of all ranks, on the first one. All ranks take part.
    fn gather(&self) -> Option<Result<Self, Error>> {
        let ranks = self.ranks.as_ref()?;
        let walls = self.engine.walls_with_loads();
        let parts = ranks.comm.gather(&RankState::of(&self.engine).encode());
        ranks.is_leader().then(|| {
            let parts = RankState::merged(parts.iter().map(|bytes| RankState::decode(bytes)));
            let mut scene = self.scene.clone();
            scene.threads = 1;
            Self::restore(scene, self.state_with(&walls, parts))
        })
    }

    /// Collects all particles and contacts on every rank.
    pub(crate) fn join(&mut self) {
        let Some(ranks) = self.ranks.as_ref().filter(|_| self.engine.is_split()) else { return };
        let comm = Arc::clone(&ranks.comm);
        self.engine.record_wall_loads();
        let parts = comm.gather(&RankState::of(&self.engine).encode());
        let mut all = Vec::new();
        if comm.rank() == 0 {
            all = RankState::merged(parts.iter().map(|bytes| RankState::decode(bytes))).encode();
        }
        comm.broadcast(&mut all);
        self.engine.end_split();
        if let Err(defect) = RankState::decode(&all).restore(&mut self.engine)
            && self.engine.first_not_finite().is_none()
        {
            comm.abort(&format!("the particles of all ranks do not fit together: {defect}"));
        }
    }

    /// Divides the particles, which every rank has completely, among the ranks.
    pub(crate) fn split(&mut self) {
        let Some(ranks) = &mut self.ranks else { return };
        let points = if ranks.is_leader() { self.engine.points() } else { Vec::new() };
        ranks.divide(&points);
        let own = ranks.comm.rank() as u32;
        let owners = ranks.owners(&self.engine);
        self.engine.split(|slot| owners[slot] == own);
    }

    /// Starts without particles: each rank adds its own ones as they are inserted.
    pub(crate) fn begin_split(&mut self) {
        if let Some(ranks) = &mut self.ranks {
            ranks.is_complete = false;
            self.engine.split(|_| true);
        }
    }

    /// From now on the other ranks wait for commands.
    pub(crate) fn end_of_build(&mut self) {
        if let Some(ranks) = &mut self.ranks {
            ranks.is_complete = true;
        }
    }

    /// Divides the first particles, which every rank knows, before they are inserted.
    pub(crate) fn divide_first(&mut self, spheres: &[Sphere]) {
        let first_id = self.schedule.next_id as u32;
        let Some(ranks) = self.ranks.as_mut().filter(|ranks| ranks.bisection.is_none()) else {
            return;
        };
        if !self.engine.is_split() || spheres.is_empty() {
            return;
        }
        let stride = (spheres.len() / FIRST_SAMPLES).max(1);
        let sample = |(index, sphere): (usize, &Sphere)| Point {
            position: sphere.position.to_array(),
            id: first_id + index as u32,
            work: 1,
        };
        let samples = spheres.iter().enumerate().step_by(stride).map(sample);
        let points: Vec<Point> = if ranks.is_leader() { samples.collect() } else { Vec::new() };
        ranks.divide(&points);
    }

    /// Rebuilds the neighbour list; divides the particles again if due.
    pub(crate) fn rebuild_list(&mut self) {
        self.engine.count_rebuild();
        if self.must_divide_again() {
            self.divide_again();
        } else {
            self.engine.rebuild_uncounted(|_| true);
        }
    }

    /// Divides the particles again: those with a new owner migrate.
    pub(crate) fn divide_again(&mut self) {
        if let Some(comm) = self.compute_division() {
            let owners = self.owners();
            RankState::migrate(&mut self.engine, &*comm, &owners);
        }
    }

    /// Computes a division of the particles, of which each rank has some. None on one rank.
    pub(crate) fn compute_division(&mut self) -> Option<Arc<dyn Comm>> {
        let ranks = self.ranks.as_mut()?;
        ranks.divide(&self.engine.points());
        Some(Arc::clone(&ranks.comm))
    }

    /// The owner of each particle of this rank, by slot.
    pub(crate) fn owners(&self) -> Vec<u32> {
        self.ranks.as_ref().map_or_else(Vec::new, |ranks| ranks.owners(&self.engine))
    }

    /// True if a new particle belongs to this rank.
    pub(crate) fn owns(&self, position: [f64; 3], id: u32) -> bool {
        match &self.ranks {
            Some(ranks) if self.engine.is_split() => {
                ranks.owner(position, id) == ranks.comm.rank() as u32
            }
            _ => true,
        }
    }

    /// True if this rank has only its own particles.
    pub(crate) fn is_split(&self) -> bool {
        self.engine.is_split()
    }

    /// The ranks among which the particles are divided; none if this rank has all of them.
    pub(crate) fn split_comm(&self) -> Option<&dyn Comm> {
        self.ranks.as_ref().filter(|_| self.engine.is_split()).map(|ranks| &*ranks.comm)
    }

    /// True if each rank has only its own particles, so that reading all of them gathers a copy on the first one.
    #[doc(hidden)]
    pub fn is_divided(&self) -> bool {
        self.engine.is_split()
    }

    /// Tells the ranks that follow to serve a request of the program, if the particles are divided among them. The
    /// first rank then does the same.
    #[doc(hidden)]
    pub fn request(&self, request: &[u8]) {
        if let Some(ranks) = self.ranks.as_ref().filter(|_| self.engine.is_split()) {
            assert!(ranks.is_leader(), "only the first rank makes requests");
            ranks.comm.broadcast(&mut [&[Command::Serve as u8], request].concat());
        }
    }

    /// Whether the particles must be divided among ranks before the next step.
    pub(crate) fn must_split(&self) -> bool {
        self.ranks.is_some() && !self.engine.is_split()
    }

    /// Whether the particles must be divided again before the next rebuild of the neighbour list.
    pub(crate) fn must_divide_again(&mut self) -> bool {
        match &self.ranks {
            // nothing has been divided yet
            Some(ranks) if ranks.bisection.is_none() => self.engine.is_split(),
            Some(_) => self.engine.is_out_of_balance(),
            None => false,
        }
    }
}
