//! One pass over all included pairs: blocks of springs and dashpots of each particle, the stability bound, and the
//! shortest impact.
//!
//! Sums per particle are taken in order of partner id, then of walls; over particles only minima and maxima are taken.
//! The result is independent of the neighbour list and the number of threads.

use super::accurate_slip;
use super::block::{Blocks, add_contacts, step_of};
use super::impact::{Impact, Impacts, steps_per_impact};
use super::limit::Network;
use super::pair_contacts::{ContactIndex, NO_CONTACT, PairContact};
use super::wall_approach::{WallSurvey, WallSurveyScratch};
use crate::Vec3;
use crate::chunk::Images;
use crate::engine::{Engine, Halo, StepParts};
use crate::id::ParticleId;
use crate::integrate::Stability;
use crate::kernel::laws::LawTable;
use crate::neighbour::list::NeighbourList;
use crate::parallel::{DisjointSlices, Pool};
use crate::particles::Particles;
use crate::scene::Scene;
use crate::search::horizon::Horizon;
use crate::wall::live::LiveWall;
use crate::wall_contact::WallContacts;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// κ and γ of a particle: bounds of the eigenvalue of its block of springs [1/s²] and of dashpots
/// [1/s], then the same with accurate slip. The eigenvalue at the step h is at most κ h² + γ h.
pub(super) type Rates = [f64; 4];

/// An id that is not used.
const NO_PARTICLE: ParticleId = ParticleId::new(u32::MAX);

/// Result of a pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Survey {
    /// Stability bound; infinite without contacts [s].
    pub bound: f64,
    /// Id of the particle with the larger block of the contact that determines it.
    pub bound_by: Option<ParticleId>,
    /// The impact that needs the shortest step.
    pub impact: Option<Impact>,
    /// Largest k/m* of a contact, as measured by an evaluation [1/s²].
    pub rate: f64,
}

/// Largest number of contacts of a thread that are kept in memory between two passes: beyond it, a rebuild of the
/// neighbour list needs the memory in the meantime.
const MOST_KEPT: usize = 1 << 20;

/// Arrays of a pass, reused.
#[derive(Debug, Default)]
pub(crate) struct SurveyScratch {
    pub(super) rates: Vec<Rates>,
    parts: Vec<ThreadSurvey>,
    /// Contacts that each thread found.
    pub(super) contacts: Vec<Vec<PairContact>>,
    /// Index of the contact of each pair of the list.
    indices: Vec<ContactIndex>,
    /// Which own particles have accurate slip.
    pub(super) accurate_slip: Vec<AtomicBool>,
    pub(super) inputs: Inputs,
}

/// Arrays read by a pass.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    steps: Vec<f64>,
    pub accelerations: Vec<Vec3>,
    travels: Vec<f64>,
}

/// Result of one thread.
#[derive(Debug)]
pub(super) struct ThreadSurvey {
    walls: WallSurveyScratch,
    pub impacts: Impacts,
    pub rate: f64,
    /// Smallest step of a contact so far, and the slot of its particle with the larger block.
    least: (f64, ParticleId),
}

impl ThreadSurvey {
    fn new() -> Self {
        Self {
            walls: WallSurveyScratch::default(),
            impacts: Impacts::NONE,
            rate: 0.0,
            least: (f64::INFINITY, NO_PARTICLE),
        }
    }

    fn clear(&mut self) {
        self.impacts = Impacts::NONE;
        self.rate = 0.0;
        self.least = (f64::INFINITY, NO_PARTICLE);
    }
}

/// Input of a pass.
pub(super) struct Surveyor<'a> {
    pub particles: &'a Particles,
    pub list: &'a NeighbourList,
    pub walls: &'a [LiveWall],
    pub wall_contacts: &'a WallContacts,
    pub table: &'a LawTable,
    pub images: Images,
    pub horizon: Horizon,
    pub gravity: Vec3,
    pub rotations: bool,
    pub scheme: Stability,
    /// Steps per impact of each pair of materials.
    pub steps: &'a [f64],
    /// Acceleration of each particle by fields other than gravity; empty if there are none [m/s²].
    pub accelerations: &'a [Vec3],
    /// Distance that each particle can travel until the next update [m].
    pub travels: &'a [f64],
}

impl SurveyScratch {
    /// Passes over the contacts of the current state and those that can begin within the horizon of the engine.
    pub(super) fn run(&mut self, engine: &mut Engine, scene: &Scene) -> Survey {
        self.record_accelerations(engine);
        let survey = engine.with_ghosts(|engine| {
            self.prepare(engine, scene);
            let inputs = std::mem::take(&mut self.inputs);
            let (surveyor, pool, halo) = surveyor(engine, scene, &inputs);
            let survey = self.pass(&surveyor, pool, halo);
            self.inputs = inputs;
            survey
        });
        if !engine.corrects_slip() {
            self.release_contacts();
        }
        survey.merged(engine.step_parts().halo)
    }

    /// The contacts themselves, for power iteration.
    pub(super) fn network(&mut self, engine: &mut Engine, scene: &Scene) -> Network {
        self.record_accelerations(engine);
        self.prepare(engine, scene);
        Network::new(&surveyor(engine, scene, &self.inputs).0)
    }

    /// Computes the accelerations of own particles and ghosts by fields.
    fn record_accelerations(&mut self, engine: &mut Engine) {
        let accelerations = &mut self.inputs.accelerations;
        engine.external_accelerations(accelerations);
        if !engine.fields().is_empty() && engine.is_split() {
            let mut all = accelerations.iter().map(Vec3::to_array).collect();
            engine.step_parts().halo.append_values(&mut all);
            accelerations.clear();
            accelerations.extend(all.into_iter().map(Vec3::from_array));
        }
    }

    fn prepare(&mut self, engine: &mut Engine, scene: &Scene) {
        let Inputs { steps, travels, .. } = &mut self.inputs;
        steps.clear();
        steps.extend(engine.table().pairs.iter().map(|laws| steps_per_impact(scene, laws)));
        let StepParts { particles, horizon, pool, .. } = engine.step_parts();
        travels.resize(particles.len(), 0.0);
        let all = DisjointSlices::new(travels);
        pool.split(particles.len(), |_, range| {
            // SAFETY: the ranges of `split` are disjoint.
            let travels = unsafe { all.slice_mut(range.clone()) };
            for (travel, record) in travels.iter_mut().zip(&particles.records[range]) {
                *travel = horizon.travel(record);
            }
        });
    }

    fn pass(&mut self, surveyor: &Surveyor<'_>, pool: &mut Pool, halo: &mut Halo) -> Survey {
        // ghosts have no entries in the list
        let count = surveyor.list.starts.len() - 1;
        self.rates.clear();
        self.rates.resize(count, Rates::default());
        self.parts.resize_with(pool.threads(), ThreadSurvey::new);
        self.find_contacts(surveyor, pool);
        let contacts = FoundContacts { of_parts: &self.contacts, indices: &self.indices };
        let (rates, parts) =
            (DisjointSlices::new(&mut self.rates), DisjointSlices::new(&mut self.parts));
        pool.split(count, |part, range| {
            // SAFETY: each part has its own element, and the ranges of `split` are disjoint.
            let (own, rates) =
                unsafe { (parts.slice_mut(part..part + 1), rates.slice_mut(range.clone())) };
            let [own] = own else { return };
            surveyor.sum(range, contacts, own, rates);
        });
        halo.append_values(&mut self.rates);
        let all = &self.rates;
        let parts = DisjointSlices::new(&mut self.parts);
        pool.split(count, |part, range| {
            // SAFETY: each part has its own element.
            let [own] = (unsafe { parts.slice_mut(part..part + 1) }) else { return };
            surveyor.bound(range, &contacts.of_parts[part], own, all);
        });
        self.result()
    }

    /// Returns the memory of many contacts.
    pub(super) fn release_contacts(&mut self) {
        for contacts in self.contacts.iter_mut().filter(|own| own.capacity() > MOST_KEPT) {
            *contacts = Vec::new();
        }
    }

    /// First pass: the contacts of two particles, and the impacts among them.
    fn find_contacts(&mut self, surveyor: &Surveyor<'_>, pool: &mut Pool) {
        let pairs = surveyor.list.pairs.len();
        self.indices.clear();
        self.indices.resize(pairs, NO_CONTACT);
        self.parts.iter_mut().for_each(ThreadSurvey::clear);
        self.contacts.resize_with(pool.threads(), Vec::new);
        self.contacts.iter_mut().for_each(Vec::clear);
        let (parts, contacts, indices) = (
            DisjointSlices::new(&mut self.parts),
            DisjointSlices::new(&mut self.contacts),
            DisjointSlices::new(&mut self.indices),
        );
        pool.split(pairs, |part, range| {
            // SAFETY: each part has its own elements, and the ranges of `split` are disjoint.
            let (own, contacts, indices) = unsafe {
                (
                    parts.slice_mut(part..part + 1),
                    contacts.slice_mut(part..part + 1),
                    indices.slice_mut(range.clone()),
                )
            };
            let ([own], [contacts]) = (own, contacts) else { return };
            surveyor.find_contacts(range, part as u32, own, contacts, indices);
        });
    }

    fn result(&self) -> Survey {
        let mut found = ThreadSurvey::new();
        for part in &self.parts {
            found.rate = found.rate.max(part.rate);
            found.impacts.merge(&part.impacts);
            found.least = if part.least < found.least { part.least } else { found.least };
        }
        let (bound, id) = found.least;
        Survey {
            bound,
            bound_by: bound.is_finite().then_some(id),
            impact: found.impacts.shortest(),
            rate: found.rate,
        }
    }
}

/// Contacts of two particles, found by the first pass.
#[derive(Clone, Copy)]
struct FoundContacts<'a> {
    of_parts: &'a [Vec<PairContact>],
    indices: &'a [ContactIndex],
}

/// Input of a pass, and the threads that execute it.
fn surveyor<'a>(
    engine: &'a mut Engine,
    scene: &Scene,
    inputs: &'a Inputs,
) -> (Surveyor<'a>, &'a mut Pool, &'a mut Halo) {
    let StepParts {
        particles,
        list,
        walls,
        wall_contacts,
        table,
        images,
        horizon,
        gravity,
        rotations,
        pool,
        halo,
    } = engine.step_parts();
    let scheme = scene.integrator.stability();
    let surveyor = Surveyor {
        particles,
        list,
        walls,
        wall_contacts,
        table,
        images,
        horizon,
        gravity,
        rotations,
        scheme,
        steps: &inputs.steps,
        accelerations: &inputs.accelerations,
        travels: &inputs.travels,
    };
    (surveyor, pool, halo)
}

impl Surveyor<'_> {
    /// Sums the blocks of some particles, and records impacts with walls.
    fn sum(
        &self,
        range: Range<usize>,
        contacts: FoundContacts<'_>,
        part: &mut ThreadSurvey,
        rates: &mut [Rates],
    ) {
        let particles = &self.particles;
        for (slot, rates) in range.zip(rates) {
            let record = &particles.records[slot];
            if !(record.inverse_mass > 0.0) {
                continue;
            }
            let mut blocks = Blocks::default();
            let FoundContacts { of_parts, indices } = contacts;
            add_contacts(&mut blocks, self.list.entries(slot), indices, of_parts);
            let walls = WallSurvey { surveyor: self, slot };
            walls.add(&mut part.walls, &mut part.impacts, &mut part.rate, &mut blocks);
            let inertia = if self.rotations { record.inverse_inertia } else { 0.0 };
            let mass = self.scheme.translation * record.inverse_mass;
            *rates = accurate_slip::rates(&blocks, mass, inertia);
        }
    }

    /// Acceleration of a free particle by gravity and fields [m/s²].
    pub(super) fn acceleration(&self, slot: usize) -> Vec3 {
        self.gravity + self.accelerations.get(slot).copied().unwrap_or(Vec3::ZERO)
    }

    /// The smallest step over some particles at walls and over the contacts found by a part.
    fn bound(
        &self,
        range: Range<usize>,
        contacts: &[PairContact],
        part: &mut ThreadSurvey,
        rates: &[Rates],
    ) {
        let id = |slot: usize| self.particles.metadata[slot].id();
        let mut least = part.least;
        let mut update = |step: f64, slot: usize| {
            if step <= least.0 && (step, id(slot)) < least {
                least = (step, id(slot));
            }
        };
        // a contact with a wall, or with a partner whose block is zero
        for slot in range {
            let [springs, dashpots, ..] = rates[slot];
            if springs > 0.0 || dashpots > 0.0 {
                update(step_of(springs, dashpots), slot);
            }
        }
        for contact in contacts {
            let [first, second] = contact.slots.map(|slot| slot as usize);
            let step =
                step_of(rates[first][0] + rates[second][0], rates[first][1] + rates[second][1]);
            let larger = if rates[second][..2] > rates[first][..2] { second } else { first };
            update(step, larger);
        }
        part.least = least;
    }
}
