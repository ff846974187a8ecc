//! One pass over all pairs that count: blocks of springs and dashpots of each particle, the stability
//! bound, and the shortest impact.
//!
//! Sums per particle are taken in order of partner id, then of walls; over particles only minima and
//! maxima are taken. The result is the same for any neighbour list and number of threads.

use super::approach::{Approach, Counted};
use super::block::{Block, Weights, step_of};
use super::impact::{Impact, Impacts, steps_per_impact};
use super::limit::Network;
use super::scheme::Scheme;
use super::wall_approach::{WallRoom, WallSurvey};
use crate::Vec3;
use crate::domain::Domain;
use crate::engine::{Engine, StepParts};
use crate::id::ParticleId;
use crate::kernel::laws::{LawTable, PairLaws};
use crate::neighbour::list::NeighbourList;
use crate::parallel::{DisjointSlices, Pool};
use crate::particles::{HotData, Particles};
use crate::scene::Scene;
use crate::search::horizon::Horizon;
use crate::snapshot::Partner;
use crate::wall::live::LiveWall;
use crate::wall_contact::WallContacts;
use std::ops::Range;

/// κ and γ of a particle: bounds of the eigenvalue of its block of springs [1/s²] and of dashpots
/// [1/s]. The eigenvalue at the step h is at most κ h² + γ h.
pub(super) type Rates = [f64; 2];

/// Id that no particle has.
const NOBODY: ParticleId = ParticleId::new(u32::MAX);

/// What a pass found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Survey {
    /// Stability bound; infinite without contacts [s].
    pub bound: f64,
    /// Id of the particle with the larger block of the contact that sets it.
    pub bound_by: Option<ParticleId>,
    /// The impact that needs the shortest step.
    pub impact: Option<Impact>,
    /// Largest k/m* of a contact, as an evaluation measures it [1/s²].
    pub rate: f64,
}

/// Arrays of a pass, reused.
#[derive(Debug, Default)]
pub(crate) struct SurveyRoom {
    rates: Vec<Rates>,
    parts: Vec<Part>,
    steps: Vec<f64>,
    pub(super) accelerations: Vec<Vec3>,
}

/// What one thread finds.
#[derive(Debug)]
struct Part {
    /// Slots of contacts in the bound.
    contacts: Vec<[u32; 2]>,
    walls: WallRoom,
    impacts: Impacts,
    rate: f64,
    /// Least step of a contact so far, and the slot of its particle with the larger block.
    least: (f64, ParticleId),
}

impl Part {
    fn new() -> Self {
        Self {
            contacts: Vec::new(),
            walls: WallRoom::default(),
            impacts: Impacts::NONE,
            rate: 0.0,
            least: (f64::INFINITY, NOBODY),
        }
    }

    fn clear(&mut self) {
        self.contacts.clear();
        self.impacts = Impacts::NONE;
        self.rate = 0.0;
        self.least = (f64::INFINITY, NOBODY);
    }
}

/// What a pass reads.
pub(super) struct Surveyor<'a> {
    pub particles: &'a Particles,
    pub list: &'a NeighbourList,
    pub walls: &'a [LiveWall],
    pub wall_contacts: &'a WallContacts,
    pub table: &'a LawTable,
    pub domain: &'a Domain,
    pub horizon: Horizon,
    pub gravity: Vec3,
    pub rotations: bool,
    pub scheme: Scheme,
    /// Steps per impact of each pair of materials.
    pub steps: &'a [f64],
    /// Acceleration of each particle by fields other than gravity; empty if there are none [m/s²].
    pub accelerations: &'a [Vec3],
}

impl SurveyRoom {
    /// Passes over the contacts of the present state and those that can begin within the horizon of
    /// the engine.
    pub(super) fn run(&mut self, engine: &mut Engine, scene: &Scene) -> Survey {
        self.prepare(engine, scene);
        let (steps, accelerations) =
            (std::mem::take(&mut self.steps), std::mem::take(&mut self.accelerations));
        let (surveyor, pool) = surveyor(engine, scene, &steps, &accelerations);
        let survey = self.pass(&surveyor, pool);
        (self.steps, self.accelerations) = (steps, accelerations);
        survey
    }

    /// The contacts themselves, for power iteration.
    pub(super) fn network(&mut self, engine: &mut Engine, scene: &Scene) -> Network {
        self.prepare(engine, scene);
        Network::new(&surveyor(engine, scene, &self.steps, &self.accelerations).0)
    }

    fn prepare(&mut self, engine: &Engine, scene: &Scene) {
        self.steps.clear();
        let pairs = engine.table().pairs.iter();
        self.steps.extend(pairs.map(|laws| steps_per_impact(scene, laws)));
        engine.external_accelerations(&mut self.accelerations);
    }

    fn pass(&mut self, surveyor: &Surveyor<'_>, pool: &mut Pool) -> Survey {
        let count = surveyor.particles.len();
        self.rates.clear();
        self.rates.resize(count, [0.0; 2]);
        self.parts.resize_with(pool.threads(), Part::new);
        let (rates, parts) =
            (DisjointSlices::new(&mut self.rates), DisjointSlices::new(&mut self.parts));
        pool.split(count, |part, range| {
            // SAFETY: each part has its own element, and `split` gives disjoint ranges.
            let (own, rates) =
                unsafe { (parts.slice_mut(part..part + 1), rates.slice_mut(range.clone())) };
            let [own] = own else { return };
            own.clear();
            surveyor.sum(range, own, rates);
        });
        let all = &self.rates;
        let parts = DisjointSlices::new(&mut self.parts);
        pool.split(count, |part, range| {
            // SAFETY: each part has its own element.
            let [own] = (unsafe { parts.slice_mut(part..part + 1) }) else { return };
            surveyor.bound(range, own, all);
        });
        self.result()
    }

    fn result(&self) -> Survey {
        let mut found = Part::new();
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

/// What a pass reads, and the threads that make it.
fn surveyor<'a>(
    engine: &'a mut Engine,
    scene: &Scene,
    steps: &'a [f64],
    accelerations: &'a [Vec3],
) -> (Surveyor<'a>, &'a mut Pool) {
    let StepParts {
        particles,
        list,
        walls,
        wall_contacts,
        table,
        domain,
        horizon,
        gravity,
        rotations,
        pool,
    } = engine.step_parts();
    let scheme = Scheme::of(&scene.integration);
    let surveyor = Surveyor {
        particles,
        list,
        walls,
        wall_contacts,
        table,
        domain,
        horizon,
        gravity,
        rotations,
        scheme,
        steps,
        accelerations,
    };
    (surveyor, pool)
}

impl Surveyor<'_> {
    /// Sums the blocks of some particles and notes impacts.
    fn sum(&self, range: Range<usize>, part: &mut Part, rates: &mut [Rates]) {
        let particles = &self.particles;
        for (slot, rates) in range.zip(rates) {
            let record = &particles.records[slot];
            let is_free = record.inverse_mass > 0.0;
            let mut blocks = [Block::default(); 2];
            for &entry in self.list.entries(slot) {
                self.add_pair(entry, is_free, part, &mut blocks);
            }
            if !is_free {
                continue;
            }
            let walls = WallSurvey { surveyor: self, slot };
            walls.add(&mut part.walls, &mut part.impacts, &mut part.rate, &mut blocks);
            let inertia = if self.rotations { record.inverse_inertia } else { 0.0 };
            let mass = self.scheme.translation * record.inverse_mass;
            *rates = blocks.map(|block| block.largest(mass, inertia));
        }
    }

    /// A pair of the neighbour list; none if it does not count.
    #[inline(always)]
    pub(super) fn counted(&self, candidate: usize) -> Option<(Approach, Counted)> {
        let slots = self.list.pairs[candidate];
        let [first, second] = slots.map(|slot| &self.particles.records[slot as usize]);
        let apart = Vec3::from_array(second.position) - Vec3::from_array(first.position);
        let difference = self.domain.nearest_image(apart);
        let laws = self.laws(candidate);
        let travel = self.horizon.travel(first) + self.horizon.travel(second);
        let farthest = first.radius + second.radius + laws.reach.max(travel);
        if difference.length_squared() > farthest * farthest {
            return None;
        }
        let acceleration = self.relative_acceleration(slots, [first, second]);
        let approach = Approach::of_particles(first, second, difference, acceleration);
        Some((approach, approach.count(laws, self.horizon.time)?))
    }

    fn laws(&self, candidate: usize) -> &PairLaws {
        &self.table.pairs[self.list.pair_of(candidate)]
    }

    /// Adds one entry of the neighbour list to the blocks of a particle. What belongs to the pair is
    /// noted by its first partner.
    #[inline(always)]
    fn add_pair(&self, entry: u32, is_free: bool, part: &mut Part, blocks: &mut [Block; 2]) {
        let (candidate, is_second) = ((entry >> 1) as usize, entry & 1 == 1);
        if is_second && !is_free {
            return;
        }
        let Some((approach, counted)) = self.counted(candidate) else { return };
        let slots = self.list.pairs[candidate];
        if let Some(contact) = &counted.stiffness {
            let normal = if is_second { -approach.normal } else { approach.normal };
            if is_free {
                let arm = approach.radii[usize::from(is_second)];
                blocks[0].add(normal, arm, &Weights::of_springs(contact, &self.scheme));
                blocks[1].add(normal, arm, &Weights::of_dashpots(contact, &self.scheme));
            }
            if !is_second {
                part.contacts.push(slots);
                let mobility = approach.inverse_masses[0] + approach.inverse_masses[1];
                let factor = self.laws(candidate).duration_factor;
                part.rate = part.rate.max(contact.normal * mobility * factor);
            }
        }
        if let Some(encounter) = counted.impact.filter(|_| !is_second) {
            let pair = self.list.pair_of(candidate);
            part.impacts.note(&self.table.pairs[pair], pair, self.steps[pair], &encounter, || {
                let ids = slots.map(|slot| self.particles.descriptions[slot as usize].id());
                (ids[0], Partner::Particle(ids[1]))
            });
        }
    }

    /// Of two particles: gravity cancels between two free ones.
    #[inline(always)]
    fn relative_acceleration(&self, slots: [u32; 2], records: [&HotData; 2]) -> f64 {
        let both_free = records[0].inverse_mass > 0.0 && records[1].inverse_mass > 0.0;
        if both_free && self.accelerations.is_empty() {
            return 0.0;
        }
        let [first, second] = [0, 1].map(|place| {
            let is_free = records[place].inverse_mass > 0.0;
            if is_free { self.acceleration(slots[place] as usize) } else { Vec3::ZERO }
        });
        (first - second).length()
    }

    /// Acceleration of a free particle by gravity and fields [m/s²].
    pub(super) fn acceleration(&self, slot: usize) -> Vec3 {
        self.gravity + self.accelerations.get(slot).copied().unwrap_or(Vec3::ZERO)
    }

    /// The least step over some particles at walls and over the contacts that a part has noted.
    fn bound(&self, range: Range<usize>, part: &mut Part, rates: &[Rates]) {
        let id = |slot: usize| self.particles.descriptions[slot].id();
        let mut least = part.least;
        let mut note = |step: f64, slot: usize| {
            if step <= least.0 && (step, id(slot)) < least {
                least = (step, id(slot));
            }
        };
        // a contact with a wall, or with a partner whose block is zero
        for slot in range {
            let [springs, dashpots] = rates[slot];
            if springs > 0.0 || dashpots > 0.0 {
                note(step_of(springs, dashpots), slot);
            }
        }
        for slots in &part.contacts {
            let [first, second] = slots.map(|slot| slot as usize);
            let step =
                step_of(rates[first][0] + rates[second][0], rates[first][1] + rates[second][1]);
            let larger = if rates[second] > rates[first] { second } else { first };
            note(step, larger);
        }
        part.least = least;
    }
}
