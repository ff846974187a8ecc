//! A simulation: valid by construction, advanced step by step.

use crate::accounts::Accounts;
use crate::diagnosis::{Finding, Moment};
use crate::engine::{Engine, Statistics};
use crate::error::{Cause, Diagnosis, Error, StepError};
use crate::health::Overlaps;
use crate::id::{GroupId, MaterialId};
use crate::insert::Restart;
use crate::integrate::{Failure, ForcedRejections, Outcome, Plan, StepCounts, Workspace, advance};
use crate::law::Step;
use crate::measure::{ContactView, Energy, ParticleView, Snapshot, WallView};
use crate::particles::Particles;
use crate::particles::storage::DetachedStorage;
use crate::phases::Phase;
use crate::scene::{Scene, StepSize};
use crate::schedule::Schedule;
use crate::time_step::Advice;
use crate::time_step::control::StepControl;
use crate::time_step::survey::SurveyRoom;
use crate::{Vec3, domain::Domain};
use std::sync::Arc;

/// Numbers of particles; `inserted = deleted + present` always holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Counts {
    /// Inserted so far, those of walls included.
    pub inserted: u64,
    /// Deleted so far: they left the domain, or a stage removed them.
    pub deleted: u64,
    /// In the domain now.
    pub present: u64,
}

/// A scene in motion.
#[derive(Debug)]
pub struct Simulation {
    pub(crate) engine: Engine,
    /// Memory of the integrator.
    pub(crate) integrator: Workspace,
    pub(crate) scene: Scene,
    pub(crate) schedule: Schedule,
    pub(crate) clock: Clock,
    pub(crate) counts: Counts,
    pub(crate) groups: Vec<String>,
    pub(crate) accounts: Accounts,
    pub(crate) advice: Advice,
    /// How the automatic step is chosen.
    pub(crate) control: StepControl,
    /// Arrays of the passes that choose it.
    pub(crate) room: SurveyRoom,
    pub(crate) warnings: Vec<String>,
    pub(crate) outcome: Outcome,
    /// Length of the last step [s].
    pub(crate) last_dt: f64,
    /// Steps within the shortest contact so far, from the stiffest one seen; infinite before any.
    pub(crate) fewest_steps: f64,
    /// Overlaps beyond the limit so far.
    pub(crate) overlaps: Overlaps,
    /// Histories that wait for the contacts of new particles: first id, path in the scene.
    pub(crate) inherited: Vec<(u64, String, Arc<Restart>)>,
}

/// Time is counted in steps from the last change of the step, so that it does not drift.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Clock {
    pub base: f64,
    pub steps_since_base: u64,
    pub dt: f64,
    pub step: u64,
}

impl Clock {
    pub(crate) fn time(&self) -> f64 {
        self.base + self.steps_since_base as f64 * self.dt
    }

    /// Counts a step of length `dt`; the next one is to have the length `next`.
    pub(crate) fn pass(&mut self, dt: f64, next: f64) {
        self.set_step(dt);
        self.step += 1;
        self.steps_since_base += 1;
        self.set_step(next);
    }

    pub(crate) fn set_step(&mut self, dt: f64) {
        if dt != self.dt {
            *self = Self { base: self.time(), steps_since_base: 0, dt, step: self.step };
        }
    }
}

impl Simulation {
    /// Advances by one step: what is due between steps, then the step itself.
    pub fn step(&mut self) -> Result<(), Error> {
        self.accept_edit()?;
        self.apply_schedule()?;
        self.update_step()?;
        self.refresh_candidates()?;
        self.integrate()?;
        self.engine.count_step();
        self.check_health()
    }

    /// Lets the integrator make the step.
    fn integrate(&mut self) -> Result<(), Error> {
        let (longest, shortest) = self.step_bounds();
        let Clock { dt, step, .. } = self.clock;
        let plan = Plan {
            time: self.clock.time(),
            dt,
            longest,
            shortest,
            step,
            rotation: self.scene.rotation,
            speed: self.advice.reference_speed,
            is_controlled: !matches!(self.scene.step, StepSize::Fixed(_)),
        };
        match advance(self.scene.integration, &mut self.engine, &mut self.integrator, &plan) {
            Ok(taken) => {
                self.outcome = taken.outcome;
                self.integrator.counts.note(taken.dt);
                self.control.count_step();
                self.last_dt = taken.dt;
                self.clock.pass(taken.dt, taken.next);
                Ok(())
            }
            Err(Failure { cause, slot }) => {
                // what is shown of the failure is the accepted state
                let step = Step { dt, elapsed: 0.0, end_velocity_share: 1.0, ledger: false };
                self.engine.evaluate_trial(self.clock.time(), step);
                Err(self.stopped(cause, slot, None).into())
            }
        }
    }

    /// Evaluates the forces after an edit through [`Self::particles_mut`], as the next step would do first.
    pub fn accept_edits(&mut self) -> Result<(), Error> {
        self.accept_edit()
    }

    /// Lists the candidates anew at the present state. The engine does so by itself when it must; to
    /// measure what it costs. Changes no result.
    pub fn list_candidates(&mut self) {
        self.engine.rebuild(|_| true);
        self.outcome.within_skin = self.engine.stays_within_skin();
    }

    /// Evaluates and books anew what the user has changed between steps.
    pub(crate) fn accept_edit(&mut self) -> Result<(), Error> {
        let Some(before) = self.accounts.end_edit() else { return Ok(()) };
        if let Some(slot) = self.engine.first_not_finite() {
            return Err(self.stopped(Cause::NotFinite, slot, None).into());
        }
        if let Some(slot) = self.engine.wrap_edited() {
            return Err(self.stopped(Cause::LeftDomain, slot, None).into());
        }
        self.changed()?;
        self.accounts.insert(before, self.balance());
        Ok(())
    }

    /// Lists the candidates anew if anything could leave the skin within the next step.
    fn refresh_candidates(&mut self) -> Result<(), Error> {
        let next = self.clock.time() + self.clock.dt;
        self.engine.set_step(self.clock.time(), self.clock.dt);
        if !self.outcome.within_skin || self.engine.walls_leave_skin(next) {
            if let Some(slot) = self.engine.first_not_finite() {
                return Err(self.stopped(Cause::NotFinite, slot, None).into());
            }
            self.engine.rebuild(|_| true);
            self.outcome.within_skin = true;
        }
        Ok(())
    }

    fn check_health(&mut self) -> Result<(), Error> {
        if !self.outcome.inside {
            self.leave_domain()?;
        }
        self.check_overlap(Moment::Step)?;
        self.note_stiffness();
        self.check_energy()
    }

    pub(crate) fn stopped(&self, cause: Cause, slot: usize, partner: Option<String>) -> StepError {
        let record = &self.engine.particles().records[slot];
        let (diagnosis, advice) = self.advice_on(&cause, slot);
        StepError {
            cause,
            step: self.clock.step,
            time: self.clock.time(),
            id: self.engine.particles().descriptions[slot].id(),
            position: record.position.into(),
            velocity: record.velocity.into(),
            partner,
            diagnosis,
            advice,
            at_start: None,
        }
    }

    fn share_of_limit(&self) -> String {
        let dt = self.clock.dt;
        format!("the time step {dt:.1e} s is {:.2} of the limit", dt / self.advice.limit)
    }

    /// The likely cause of a failure and a value to try.
    fn advice_on(&self, cause: &Cause, slot: usize) -> Finding {
        let found = self.share_of_limit();
        let (dt, shortest) = (self.clock.dt, 0.1 * self.step_bounds().1);
        match cause {
            Cause::LeftDomain => self.explain_leaving(slot),
            Cause::NotFinite => self.explain_not_finite(slot),
            Cause::NotConverged { .. } => (
                Diagnosis::NotConverged,
                format!(
                    "{found}; allow a shorter one with `step = {{ max = {dt:.1e}, min = {shortest:.1e} }}`, \
                     or more `most_iterations`, or take it as it is with `on_no_convergence = \"accept\"`",
                ),
            ),
            Cause::Inaccurate { .. } => (
                Diagnosis::NotConverged,
                format!(
                    "{found}; allow a shorter one with `step = {{ max = {dt:.1e}, min = {shortest:.1e} }}`, \
                     or a larger `tolerance`, or take it as it is with `on_no_convergence = \"accept\"`",
                ),
            ),
            Cause::Energy(_) => (
                Diagnosis::Energy,
                format!(
                    "{found}, and the particle named is the one with most kinetic energy; try {:.1e} s",
                    0.5 * dt.min(0.5 * self.advice.limit)
                ),
            ),
            // the caller knows more
            Cause::Overlap(_) | Cause::Stiffness(_) => (Diagnosis::Unknown, found),
        }
    }

    /// Evaluates the forces at the accepted state after something has changed between steps.
    pub(crate) fn evaluate_anew(&mut self) {
        let step = Step { dt: self.clock.dt, elapsed: 0.0, end_velocity_share: 1.0, ledger: false };
        self.engine.evaluate_accepted(self.clock.time(), step);
        if self.engine.has_ledger() {
            // the next step's work begins with the power of this instant
            self.engine.sum_wall_loads();
        }
    }

    /// Simulated time [s].
    pub fn time(&self) -> f64 {
        self.clock.time()
    }

    /// Steps made.
    pub fn steps(&self) -> u64 {
        self.clock.step
    }

    /// Length of the present time step [s].
    pub fn dt(&self) -> f64 {
        self.clock.dt
    }

    /// Whether every stage is over. A scene without stages never ends.
    pub fn is_finished(&self) -> bool {
        self.schedule.is_finished(self)
    }

    /// Name of the present stage.
    pub fn stage(&self) -> &str {
        self.schedule.stage_name()
    }

    /// Share of the run that is done, as far as it can be told from times.
    pub fn progress(&self) -> Option<f64> {
        self.schedule.progress(self.time())
    }

    /// The particles.
    pub fn particles(&self) -> &Particles {
        self.engine.particles()
    }

    /// The particles, to be changed between steps; forces are evaluated anew before the next one.
    pub fn particles_mut(&mut self) -> &mut Particles {
        if !self.accounts.is_edited() {
            self.accounts.begin_edit(self.balance());
        }
        self.engine.particles_mut()
    }

    /// Continues with a copy of the particles and hands out the memory in which they were, for those who
    /// still look at it through [`Particles::view`]. Changes no result.
    pub fn detach_particles(&mut self) -> DetachedStorage {
        self.engine.particles_mut().detach()
    }

    /// Numbers of particles.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// What the time step was chosen from.
    pub fn advice(&self) -> &Advice {
        &self.advice
    }

    /// Steps within the shortest contact so far, measured: from the stiffest contact seen. None
    /// before anything has touched.
    pub fn steps_per_contact(&self) -> Option<f64> {
        self.fewest_steps.is_finite().then_some(self.fewest_steps)
    }

    /// What is doubtful but no error.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// What the laws have to say about their parameters.
    pub fn remarks(&self) -> &[String] {
        &self.engine.table().remarks
    }

    /// Names of the groups of particles.
    pub fn groups(&self) -> &[String] {
        &self.groups
    }

    /// The domain.
    pub fn domain(&self) -> &Domain {
        self.engine.domain()
    }

    /// Gravity now [m/s²].
    pub fn gravity(&self) -> Vec3 {
        self.engine.gravity()
    }

    /// Counts of work done.
    pub fn statistics(&self) -> Statistics {
        self.engine.statistics()
    }

    /// Counts of steps: rejected attempts, iterations, evaluations, shortest and longest step.
    pub fn step_counts(&self) -> StepCounts {
        self.integrator.counts
    }

    /// For tests: repeats up to `most` attempts of each step that would be accepted, as many as a
    /// random number says. Only integrators that can reject a step heed it.
    #[doc(hidden)]
    pub fn force_rejections(&mut self, seed: u64, most: u64) {
        self.integrator.forced = Some(ForcedRejections { seed, most });
    }

    /// Number of pairs of materials whose laws are evaluated by a compiled contact kernel; those of all
    /// others use the dynamic path, which gives the same results.
    pub fn pairs_with_kernel(&self) -> usize {
        self.engine.table().pairs.iter().filter(|pair| pair.kernel.is_some()).count()
    }

    /// Number of candidates and of contacts between particles now.
    pub fn pairs_and_contacts(&self) -> (usize, usize) {
        self.engine.pairs_and_contacts()
    }

    /// Counts from now on how long each phase of a step takes, by a clock in seconds.
    pub fn time_phases(&mut self, clock: fn() -> f64) {
        self.engine.phases_mut().start(clock);
    }

    /// Seconds of each phase since [`Self::time_phases`].
    pub fn phases(&self) -> impl Iterator<Item = (Phase, f64)> {
        Phase::ALL.into_iter().zip(self.engine.phases().seconds())
    }

    /// Bytes held for particles and contacts.
    pub fn bytes(&self) -> usize {
        self.engine.bytes()
    }

    /// Kinetic energy of translation [J]. That of rotation is [`Self::rotational_energy`].
    pub fn kinetic_energy(&self) -> f64 {
        self.engine.kinetic_energy()[0]
    }

    /// Kinetic energy of rotation [J].
    pub fn rotational_energy(&self) -> f64 {
        self.engine.kinetic_energy()[1]
    }

    /// The energy ledger. Without `scene.ledger`, only what can be told from the present state.
    pub fn energy(&self) -> Energy {
        let mut energy = self.engine.energy(self.time());
        energy.inserted = self.accounts.inserted();
        energy.turnover = self.accounts.turnover();
        energy.departed_kinetic = self.accounts.departed_kinetic();
        energy.half_step_difference -= self.accounts.half_step_difference();
        if self.engine.has_ledger() {
            energy.closure_error = energy.present() + energy.lost()
                - (energy.inserted + energy.wall_work + energy.field_work)
                - energy.half_step_difference;
        }
        energy
    }

    /// The present state for output and measures.
    pub fn snapshot(&self) -> Snapshot {
        let contacts = self.engine.contact_views();
        let coordination = self.engine.coordination(&contacts);
        self.snapshot_of(contacts, &coordination)
    }

    /// The present state without contacts, which need an evaluation of all forces; coordination numbers are zero.
    pub fn snapshot_without_contacts(&self) -> Snapshot {
        self.snapshot_of(Vec::new(), &[])
    }

    fn snapshot_of(&self, contacts: Vec<ContactView>, coordination: &[u32]) -> Snapshot {
        let particles = self.engine.particles();
        let view = |slot: usize| {
            let (record, description) = (&particles.records[slot], &particles.descriptions[slot]);
            ParticleView {
                id: description.id(),
                group: GroupId::new(description.group),
                material: MaterialId::new(description.material),
                radius: record.radius,
                mass: record.mass,
                charge: particles.charge(slot),
                position: record.position.into(),
                image: description.image,
                velocity: record.velocity.into(),
                spin: record.spin.into(),
                orientation: particles.orientations[slot],
                force: particles.loads[slot].force(),
                torque: particles.loads[slot].torque(),
                coordination: coordination.get(slot).copied().unwrap_or(0),
            }
        };
        Snapshot {
            time: self.time(),
            step: self.clock.step,
            time_step: self.clock.dt,
            stage: self.stage().to_owned(),
            groups: self.groups.clone(),
            materials: self.scene.materials.iter().map(|(name, _)| name.clone()).collect(),
            domain_min: self.engine.domain().min,
            domain_max: self.engine.domain().max,
            periodic: self.engine.domain().periodic,
            particles: particles.slots_by_id().map(view).collect(),
            contacts,
            walls: self.wall_views(),
            stable_contacts: self.scene.stable_contacts(),
        }
    }

    /// All contacts in order of (first, second), evaluated at the present state.
    pub fn contacts(&self) -> Vec<ContactView> {
        self.engine.contact_views()
    }

    /// Names of the columns that the laws remember of each contact.
    pub fn history_columns(&self) -> &[String] {
        &self.engine.table().layout.names
    }

    /// The walls that are there, with the forces on them.
    pub fn wall_views(&self) -> Vec<WallView> {
        let walls = self.engine.walls_with_loads();
        walls
            .into_iter()
            .map(|wall| WallView {
                name: wall.wall.name.clone(),
                shape: wall.wall.shape.clone(),
                pose: wall.pose,
                force: wall.force,
                torque: wall.torque,
                work: wall.work,
                present: wall.present,
            })
            .collect()
    }
}
