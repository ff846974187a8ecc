//! A simulation that several ranks restore together, each from a part of the state.

use super::validate::defect_of_contacts;
use super::{ContactRows, ParticleRows, RankState, SavedContact, State};
use crate::distributed::Ownership;
use crate::error::Error;
use crate::id::ParticleId;
use crate::partition::indices::FIRST_INDEX;
use crate::ranks::{Comm, gather_everywhere};
use crate::scene::Scene;
use crate::simulation::Simulation;
use crate::wall::ClosestPoint;
use std::sync::Arc;

/// A simulation that several ranks restore together. Each of them adds the particles of its sections; after these have
/// been divided among the ranks, each adds the contacts of its sections.
#[derive(Debug)]
pub struct Restoring {
    simulation: Simulation,
    header: State,
    comm: Arc<dyn Comm>,
    /// Owner of each particle of the sections of this rank, in order of id.
    owners: Vec<(ParticleId, u32)>,
    /// The next indices of the history columns of contacts between particles and with walls.
    next: [usize; 2],
    /// The first defect that this rank has found.
    defect: Option<String>,
}

impl Restoring {
    /// Starts from a state without particles and contacts. All ranks return the same error.
    pub fn new(scene: Scene, header: State, comm: &Arc<dyn Comm>) -> Result<Self, Error> {
        let ownership = Ownership::default();
        let mut simulation = Simulation::prepare(scene)?.on_ranks(Arc::clone(comm), ownership)?;
        simulation.begin_split();
        simulation.restore_header(&header)?;
        Ok(Self {
            simulation,
            header,
            comm: Arc::clone(comm),
            owners: Vec::new(),
            next: [FIRST_INDEX; 2],
            defect: None,
        })
    }

    /// Adds particles of this rank's sections, which come in order of id.
    pub fn add_particles(&mut self, rows: ParticleRows) {
        let ParticleRows { particles, dissipative_forces, accurate_slip } = rows;
        if let Some(defect) = self.header.defect_of_particles(&particles, self.header.walls.len()) {
            self.defect.get_or_insert(defect);
            return;
        }
        self.owners.extend(particles.iter().map(|particle| (particle.id, 0)));
        let rows =
            RankState { particles, dissipative_forces, accurate_slip, ..RankState::default() };
        rows.add_particles(&mut self.simulation.engine);
    }

    /// Records that this rank cannot read its sections; the next collective operation fails on all ranks.
    pub fn fail(&mut self, defect: &str) {
        self.defect.get_or_insert_with(|| defect.to_owned());
    }

    /// Divides the particles among the ranks. A collective operation.
    pub fn divide(&mut self) -> Result<(), Error> {
        if !self.owners.is_sorted_by(|a, b| a.0 < b.0) {
            self.defect.get_or_insert("its particles are not in order of id".to_owned());
        }
        self.agree()?;
        let owners = self.simulation.divide_restored();
        self.owners.iter_mut().zip(owners).for_each(|(one, owner)| one.1 = owner);
        self.simulation.engine.count_rebuild();
        Ok(())
    }

    /// Adds contacts of this rank's sections: they are sent to the owners of their first partners. A collective
    /// operation.
    pub fn add_contacts(&mut self, rows: ContactRows) {
        let mut parts: Vec<RankState> = Vec::new();
        parts.resize_with(self.comm.size(), RankState::default);
        let ContactRows { contacts, wall_contacts } = rows;
        let (history, walls) = (self.history(), self.header.walls.len());
        let mut defect = defect_of_contacts(&contacts, &wall_contacts, history, walls);
        if defect.is_none() {
            let owner = |id: ParticleId| {
                let found = self.owners.binary_search_by_key(&id, |one| one.0);
                found.map(|index| self.owners[index].1 as usize)
            };
            for contact in contacts {
                match owner(contact.partners[0]) {
                    Ok(rank) => parts[rank].contacts.push(contact),
                    Err(_) => defect = Some(missing(contact.partners[0])),
                }
            }
            for contact in wall_contacts {
                match owner(contact.particle) {
                    Ok(rank) => parts[rank].wall_contacts.push(contact),
                    Err(_) => defect = Some(missing(contact.particle)),
                }
            }
        }
        let own = std::mem::take(&mut parts[self.comm.rank()]);
        let received = send(&*self.comm, parts);
        for part in received.iter().chain([&own]) {
            if let Err(found) = self.attach(part) {
                defect.get_or_insert(found);
            }
        }
        if let Some(defect) = defect {
            self.defect.get_or_insert(defect);
        }
    }

    /// Number of values that a contact stores.
    fn history(&self) -> usize {
        self.simulation.engine.table().layout.names.len()
    }

    /// Sets the history of contacts of own particles.
    fn attach(&mut self, part: &RankState) -> Result<(), String> {
        let engine = &mut self.simulation.engine;
        let pairs = part.contacts.iter();
        let pairs = pairs.map(|contact| (contact.partners, contact.history.as_slice()));
        self.next[0] = engine.restore_pairs(self.next[0], part.contacts.len(), pairs)?;
        let walls = part.wall_contacts.iter().map(|contact| {
            let point = ClosestPoint { normal: contact.normal, distance: contact.distance };
            (contact.particle, contact.wall, point, contact.history.as_slice())
        });
        self.next[1] = engine.restore_walls(self.next[1], part.wall_contacts.len(), walls)?;
        Ok(())
    }

    /// Sends contacts of two ranks to the owners of their second partners, and completes the simulation. A collective
    /// operation.
    pub fn finish(mut self) -> Result<Simulation, Error> {
        self.agree()?;
        let engine = &mut self.simulation.engine;
        let mut parts: Vec<RankState> = Vec::new();
        parts.resize_with(self.comm.size(), RankState::default);
        for (rank, contacts) in engine.histories_with_ghosts() {
            parts[rank].contacts = contacts.into_iter().map(SavedContact::new).collect();
        }
        for part in send(&*self.comm, parts) {
            // the owner of the first partner has found no defect in this contact
            if let Err(defect) = self.attach(&part) {
                self.comm.abort(&format!("the contacts of two ranks differ: {defect}"));
            }
        }
        self.simulation.end_of_build();
        Ok(self.simulation)
    }

    /// Fails on all ranks if any of them has found a defect.
    fn agree(&mut self) -> Result<(), Error> {
        let own = self.defect.take().unwrap_or_default();
        let all = gather_everywhere(&*self.comm, own.as_bytes());
        match all.into_iter().find(|defect| !defect.is_empty()) {
            Some(defect) => Err(Error::State(String::from_utf8_lossy(&defect).into_owned())),
            None => Ok(()),
        }
    }
}

impl Simulation {
    /// Divides restored particles, of which each rank has some, among the ranks. Returns the owner of each by its
    /// previous slot.
    fn divide_restored(&mut self) -> Vec<u32> {
        let Some(comm) = self.compute_division() else {
            self.engine.rebuild_uncounted(|_| true);
            return Vec::new();
        };
        let owners = self.owners();
        RankState::migrate(&mut self.engine, &*comm, &owners);
        owners
    }
}

fn missing(id: ParticleId) -> String {
    format!("particle {id} of a contact is missing")
}

/// Sends each part that is not empty to its rank; returns those for this rank.
fn send(comm: &dyn Comm, parts: Vec<RankState>) -> Vec<RankState> {
    let is_used = |part: &RankState| !part.contacts.is_empty() || !part.wall_contacts.is_empty();
    let used = parts.iter().enumerate().filter(|(_, part)| is_used(part));
    let messages = used.map(|(rank, part)| (rank, part.encode())).collect();
    comm.exchange(messages).iter().map(|(_, bytes)| RankState::decode(bytes)).collect()
}
