//! A simulation on several ranks.
//!
//! Every rank has the same scene, clock, schedule and walls. Particles and contacts are divided among
//! the ranks while steps are made. Whatever else is done in a step (stages, insertion, deletion, updates
//! of the time step, errors) is done by every rank with all particles: they are joined before it, and
//! divided again before the next step is integrated. The first rank leads: it tells the others when to
//! make a step, and gathers a copy of the state when its caller reads one.

use crate::error::{Error, Problem};
use crate::integrate::{Integrator, Iteration};
use crate::random::{Draws, Purpose};
use crate::ranks::{Comm, Point, bisect};
use crate::scene::Scene;
use crate::simulation::Simulation;
use crate::stage::Change;
use crate::state::Parts;
use std::sync::{Arc, OnceLock};

/// Which rank owns a particle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ownership {
    /// Recursive coordinate bisection with equal work. The particles are divided again if the work of
    /// the ranks becomes unequal.
    #[default]
    Bisection,
    /// A hash of the id and of the number of the division, for tests: nearly every contact is one of
    /// two ranks. The particles are divided again at each rebuild of the neighbour list.
    Hash,
}

/// How the work was divided among the ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Division {
    /// Steps that this rank has made with its own particles.
    pub steps: u64,
    /// Sum of own particles over these steps.
    pub own: u64,
    /// Sum of ghosts over these steps.
    pub ghosts: u64,
}

impl Division {
    fn note(&mut self, simulation: &Simulation) {
        if simulation.is_split() {
            let [own, ghosts] = simulation.engine.own_and_ghosts();
            self.steps += 1;
            self.own += own as u64;
            self.ghosts += ghosts as u64;
        }
    }
}

/// What the first rank tells the others to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Command {
    Step = 1,
    Gather = 2,
    KineticEnergy = 3,
    End = 4,
}

/// The ranks of a simulation.
#[derive(Debug)]
pub(crate) struct Ranks {
    comm: Arc<dyn Comm>,
    ownership: Ownership,
    /// Divisions so far.
    divisions: u64,
    /// A copy of the whole state, on the first rank, if its caller has read one since the last step.
    gathered: OnceLock<Box<Simulation>>,
}

impl Ranks {
    fn is_leader(&self) -> bool {
        self.comm.rank() == 0
    }

    fn command(&self, command: Command) {
        self.comm.broadcast(&mut vec![command as u8]);
    }

    /// The rank that owns each particle.
    fn owners(&self, points: &[Point]) -> Vec<u32> {
        let size = self.comm.size();
        match self.ownership {
            Ownership::Bisection => bisect(points, size),
            Ownership::Hash => {
                let hash = |point: &Point| {
                    let draws = Draws::new(self.divisions, Purpose::Test, point.id.into());
                    (draws.uniform(0) * size as f64) as u32
                };
                points.iter().map(hash).collect()
            }
        }
    }
}

impl Drop for Ranks {
    fn drop(&mut self) {
        if self.is_leader() && !std::thread::panicking() {
            self.command(Command::End);
        }
    }
}

impl Scene {
    /// What this scene uses that is not supported on several ranks.
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
    /// Shares the work with other ranks, which have built the same simulation. All but the first one then
    /// call [`Simulation::follow`]. Refuses what is not supported on several ranks.
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
            self.ranks = Some(Ranks { comm, ownership, divisions: 0, gathered });
        }
        Ok(self)
    }

    /// Makes the steps that the first rank makes, until it ends. Returns how the work was divided.
    #[doc(hidden)]
    pub fn follow(mut self) -> Division {
        let mut division = Division::default();
        let Some(comm) = self.ranks.as_ref().map(|ranks| Arc::clone(&ranks.comm)) else {
            return division;
        };
        loop {
            let mut command = Vec::new();
            comm.broadcast(&mut command);
            match command.first() {
                // an error is found by all ranks, and reported by the first one
                Some(&step) if step == Command::Step as u8 => {
                    drop(self.step_together());
                    division.note(&self);
                }
                Some(&gather) if gather == Command::Gather as u8 => drop(self.gather()),
                Some(&energy) if energy == Command::KineticEnergy as u8 => {
                    self.engine.kinetic_energy();
                }
                _ => return division,
            }
        }
    }

    /// Numbers of the particles that this rank owns and of its ghosts.
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

    /// Translational and rotational kinetic energy, summed by all ranks if the particles are
    /// divided [J].
    pub(crate) fn kinetic_energies(&self) -> [f64; 2] {
        match &self.ranks {
            Some(ranks) if self.engine.is_split() => match ranks.gathered.get() {
                Some(whole) => whole.engine.kinetic_energy(),
                None => {
                    assert!(ranks.is_leader(), "only the first rank reads the state of all");
                    ranks.command(Command::KineticEnergy);
                    self.engine.kinetic_energy()
                }
            },
            _ => self.engine.kinetic_energy(),
        }
    }

    /// A copy with the particles of all ranks, on the first one. All ranks take part.
    fn gather(&self) -> Option<Result<Self, Error>> {
        let ranks = self.ranks.as_ref()?;
        let walls = self.engine.walls_with_loads();
        let parts = ranks.comm.gather(&Parts::of(&self.engine).encode());
        ranks.is_leader().then(|| {
            let parts = Parts::merged(parts.iter().map(|bytes| Parts::decode(bytes)));
            let mut scene = self.scene.clone();
            scene.threads = 1;
            Self::restore(scene, self.state_with(&walls, parts))
        })
    }

    /// Gives every rank all particles and contacts.
    pub(crate) fn join(&mut self) {
        let Some(ranks) = self.ranks.as_ref().filter(|_| self.engine.is_split()) else { return };
        let comm = Arc::clone(&ranks.comm);
        self.engine.note_wall_loads();
        let parts = comm.gather(&Parts::of(&self.engine).encode());
        let mut all = Vec::new();
        if comm.rank() == 0 {
            all = Parts::merged(parts.iter().map(|bytes| Parts::decode(bytes))).encode();
        }
        comm.broadcast(&mut all);
        self.engine.end_split();
        if let Err(defect) = Parts::decode(&all).restore(&mut self.engine)
            && self.engine.first_not_finite().is_none()
        {
            comm.abort(&format!("the particles of all ranks do not fit together: {defect}"));
        }
    }

    /// Divides the particles among the ranks.
    pub(crate) fn split(&mut self) {
        let Some(ranks) = &mut self.ranks else { return };
        ranks.divisions += 1;
        let own = ranks.comm.rank() as u32;
        let owners = ranks.owners(&self.engine.points());
        self.engine.split(|slot| owners[slot] == own);
    }

    /// Whether this rank has only its own particles.
    pub(crate) fn is_split(&self) -> bool {
        self.engine.is_split()
    }

    /// Whether the particles are to be divided among ranks before the next step.
    pub(crate) fn must_split(&self) -> bool {
        self.ranks.is_some() && !self.engine.is_split()
    }

    /// Whether the particles are to be divided again before the next rebuild of the neighbour list.
    pub(crate) fn must_divide_again(&mut self) -> bool {
        match &self.ranks {
            Some(ranks) if ranks.ownership == Ownership::Hash => true,
            Some(_) => self.engine.is_out_of_balance(),
            None => false,
        }
    }
}
