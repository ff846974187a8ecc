//! Views of the current state for output and measures.

use super::Simulation;
use crate::id::{GroupId, MaterialId};
use crate::measure::{ContactView, Energy, ParticleView, Snapshot, WallView};
use crate::wall::live::LiveWall;

impl Simulation {
    /// Translational kinetic energy [J]; see also [`Self::rotational_energy`].
    pub fn kinetic_energy(&self) -> f64 {
        self.kinetic_energies()[0]
    }

    /// Rotational kinetic energy [J].
    pub fn rotational_energy(&self) -> f64 {
        self.kinetic_energies()[1]
    }

    /// The energy ledger. Without `scene.ledger`, only energies that follow from the current
    /// state.
    pub fn energy(&self) -> Energy {
        self.energies()
    }

    /// The energy ledger; on several ranks, all of them call this together.
    pub(crate) fn energy_together(&self) -> Energy {
        let mut energy = self.engine.energy(self.time());
        energy.inserted = self.energy_exchange.inserted();
        energy.turnover = self.energy_exchange.turnover();
        energy.departed_kinetic = self.energy_exchange.departed_kinetic();
        energy.half_step_difference -= self.energy_exchange.half_step_difference();
        if self.engine.has_ledger() {
            energy.closure_error = energy.present() + energy.lost()
                - (energy.inserted + energy.wall_work + energy.field_work)
                - energy.half_step_difference;
        }
        energy
    }

    /// The current state for output and measures.
    pub fn snapshot(&self) -> Snapshot {
        let whole = self.whole();
        let contacts = whole.engine.contact_views();
        let coordination = whole.engine.coordination(&contacts);
        whole.snapshot_of(contacts, &coordination)
    }

    /// The current state without contacts, which need an evaluation of all forces; coordination
    /// numbers are zero.
    pub fn snapshot_without_contacts(&self) -> Snapshot {
        self.whole().snapshot_of(Vec::new(), &[])
    }

    /// The current state without particles and contacts; on several ranks, all of them call this together.
    pub(crate) fn snapshot_without_rows(&self) -> Snapshot {
        let walls = wall_views(self.engine.walls_with_loads());
        Snapshot { walls, ..self.frame_of_snapshot() }
    }

    fn snapshot_of(&self, contacts: Vec<ContactView>, coordination: &[u32]) -> Snapshot {
        let particles = self.engine.particles();
        let view =
            |slot: usize| self.particle_view(slot, coordination.get(slot).copied().unwrap_or(0));
        Snapshot {
            particles: particles.slots_by_id().map(view).collect(),
            contacts,
            walls: self.wall_views(),
            ..self.frame_of_snapshot()
        }
    }

    /// A snapshot without bodies and contacts.
    fn frame_of_snapshot(&self) -> Snapshot {
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
            stable_contacts: self.scene.stable_contacts(),
            ..Snapshot::default()
        }
    }

    /// The particle in a slot.
    pub(crate) fn particle_view(&self, slot: usize, coordination: u32) -> ParticleView {
        let particles = self.engine.particles();
        let (record, metadata) = (&particles.records[slot], &particles.metadata[slot]);
        ParticleView {
            id: metadata.id(),
            group: GroupId::new(metadata.group),
            material: MaterialId::new(metadata.material),
            radius: record.radius,
            mass: record.mass,
            charge: particles.charge(slot),
            position: record.position.into(),
            image: metadata.image,
            velocity: record.velocity.into(),
            spin: record.spin.into(),
            orientation: particles.orientations[slot],
            force: particles.loads[slot].force(),
            torque: particles.loads[slot].torque(),
            coordination,
        }
    }

    /// All contacts in order of (first, second), evaluated at the current state.
    pub fn contacts(&self) -> Vec<ContactView> {
        self.whole().engine.contact_views()
    }

    /// Names of the history columns of each contact.
    pub fn history_columns(&self) -> &[String] {
        &self.engine.table().layout.names
    }

    /// The walls that are there, with the forces on them.
    pub fn wall_views(&self) -> Vec<WallView> {
        wall_views(self.walls_with_loads())
    }
}

fn wall_views(walls: Vec<LiveWall>) -> Vec<WallView> {
    let view = |wall: LiveWall| WallView {
        name: wall.wall.name.clone(),
        shape: wall.wall.shape.clone(),
        pose: wall.pose,
        force: wall.force,
        torque: wall.torque,
        work: wall.work,
        present: wall.present,
    };
    walls.into_iter().map(view).collect()
}
