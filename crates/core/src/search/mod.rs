//! Neighbour search: the pairs of the neighbour list.
//!
//! Every method finds the same contacts at different cost. Results do not depend on the pairs in the list, only on
//! those within the interaction range.

mod cell_grid;
mod cubes;
pub(crate) mod horizon;
pub(crate) mod skin;

use crate::Vec3;
use crate::domain::Domain;
use crate::particles::HotData;
pub(crate) use cell_grid::Hierarchy;
use cubes::Cubes;
use std::ops::Range;

/// Method of the neighbour search. Every method finds the same contacts.
///
/// ```
/// use esker::search::{SearchMethod, SearchOptions};
///
/// let options = SearchOptions { method: SearchMethod::BruteForce, ..SearchOptions::default() };
/// assert_eq!(options.skin, None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SearchMethod {
    /// A hierarchy of cell grids by size: linear cost for any size ratio.
    #[default]
    Grid,
    /// Cubes of the smallest diameter, B(125)–(126) and Table 14.
    Cubes,
    /// Every pair.
    BruteForce,
}

/// Options of the search.
///
/// ```
/// use esker::prelude::*;
///
/// let mut scene = Scene::new();
/// scene.search.skin = Some(1e-4); // changes the speed, never a result
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SearchOptions {
    /// Search method.
    pub method: SearchMethod,
    /// Distance beyond the interaction range up to which pairs are in the list [m]; default:
    /// tuned by the engine.
    pub skin: Option<f64>,
}

/// A range of slots, and the shift of their positions across a periodic boundary.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SlotRange {
    pub slots: Range<usize>,
    pub shift: [f64; 3],
}

impl SlotRange {
    fn here(slots: Range<usize>) -> Self {
        Self { slots, shift: [0.0; 3] }
    }
}

/// Particles sorted for the search. The extent of a particle is its radius plus its skin; `gap` is
/// the largest distance from the extent to the surface of a partner: the interaction range plus the
/// largest skin.
#[derive(Debug)]
pub(crate) enum Finder {
    Grid(Hierarchy),
    OneByOne(OneByOne),
}

/// Methods that search around each particle separately.
#[derive(Debug)]
pub(crate) enum OneByOne {
    Cubes(Cubes),
    BruteForce,
}

/// Prepares the particles for a method. The order of slots must be that of the hierarchy.
pub(crate) fn finder(
    method: SearchMethod,
    hierarchy: Hierarchy,
    records: &[HotData],
    domain: &Domain,
    gap: f64,
) -> Finder {
    match method {
        SearchMethod::Grid => Finder::Grid(hierarchy),
        SearchMethod::Cubes => Finder::OneByOne(OneByOne::Cubes(Cubes::new(records, domain, gap))),
        SearchMethod::BruteForce => Finder::OneByOne(OneByOne::BruteForce),
    }
}

impl OneByOne {
    /// Appends ranges of slots after `i` that contain all particles near `i`. Positions are not shifted by periods; the
    /// nearest image must be used.
    #[inline(always)]
    pub(crate) fn neighbours(
        &self,
        records: &[HotData],
        extent: f64,
        i: usize,
        found: &mut Vec<SlotRange>,
    ) {
        match self {
            Self::Cubes(cubes) => cubes.neighbours(records, extent, i, found),
            Self::BruteForce => found.push(SlotRange::here(i + 1..records.len())),
        }
    }
}

/// The box of a grid and its division into cells along each axis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lattice {
    origin: Vec3,
    /// Cells per metre along each axis.
    density: Vec3,
    count: [usize; 3],
    periodic: [bool; 3],
    /// Lengths of the box [m].
    length: Vec3,
    /// The axes in order of decreasing distance in memory between neighbouring cells.
    axes: [usize; 3],
    layers: Layers,
}

/// The order in memory of layers across a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layers {
    /// From one end to the other.
    Straight,
    /// Folded: layers from one end at even positions, those from the other at odd ones, so that both ends are adjacent
    /// and neighbours are at most two layers apart. Measured: dense scenes need a shorter result buffer; a gas is 10 %
    /// slower.
    Folded,
}

/// Largest number of cells per particle, so that a dilute cloud does not exhaust memory.
const CELLS_PER_PARTICLE: usize = 8;

impl Lattice {
    /// Divides the bounding box of the particles, or the period, into cells of at least `size`.
    fn new(
        positions: impl ExactSizeIterator<Item = [f64; 3]>,
        domain: &Domain,
        size: f64,
        layers: Layers,
    ) -> Self {
        let limit = (CELLS_PER_PARTICLE * positions.len() + 64) as f64;
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for position in positions {
            low = low.min(position.into());
            high = high.max(position.into());
        }
        for axis in 0..3 {
            if domain.periodic[axis] {
                (low[axis], high[axis]) = (domain.min[axis], domain.max[axis]);
            }
        }
        // so that particles within `size` of each other are never two cells apart due to rounding
        let mut size = size * (1.0 + 1e-9);
        let cells = |size: f64| {
            (0..3).map(|axis| ((high[axis] - low[axis]) / size).floor().max(1.0)).product::<f64>()
        };
        while cells(size) > limit {
            size *= 1.25;
        }
        let mut lattice = Self {
            origin: low,
            density: Vec3::ZERO,
            count: [1; 3],
            periodic: domain.periodic,
            length: high - low,
            axes: [0, 1, 2],
            layers,
        };
        for axis in 0..3 {
            let length = high[axis] - low[axis];
            let count = (length / size).floor().max(1.0);
            lattice.count[axis] = count as usize;
            lattice.density[axis] = if length > 0.0 { count / length } else { 1.0 / size };
        }
        lattice.axes = [[0, 1, 2], [1, 0, 2], [2, 0, 1]][lattice.longest_axis()];
        lattice
    }

    /// The first axis: that with the smallest layers of cells. Periodic axes have a lower
    /// priority: folded, their neighbours are two layers apart; otherwise their ends are far
    /// apart.
    fn longest_axis(&self) -> usize {
        let least = if self.layers == Layers::Folded { 2 } else { 3 };
        let cells = |axis: usize| if self.periodic[axis] { least } else { 4 } * self.count[axis];
        (1..3).fold(0, |longest, axis| if cells(axis) > cells(longest) { axis } else { longest })
    }

    /// Index of the first cell of a row along the last axis, from its indices along the other
    /// axes.
    #[inline(always)]
    fn row(&self, first: usize, second: usize) -> usize {
        (self.rank(first) * self.count[self.axes[1]] + second) * self.count[self.axes[2]]
    }

    #[inline(always)]
    fn is_folded(&self) -> bool {
        self.layers == Layers::Folded && self.periodic[self.axes[0]]
    }

    /// Position in memory of a layer across the first axis.
    #[inline(always)]
    fn rank(&self, layer: usize) -> usize {
        let count = self.count[self.axes[0]];
        match self.is_folded() {
            true if 2 * layer < count => 2 * layer,
            true => 2 * (count - layer) - 1,
            false => layer,
        }
    }

    /// The layer at this position in memory.
    #[inline(always)]
    fn layer(&self, rank: usize) -> usize {
        match self.is_folded() {
            true if rank.is_multiple_of(2) => rank / 2,
            true => self.count[self.axes[0]] - rank.div_ceil(2),
            false => rank,
        }
    }

    fn cells(&self) -> usize {
        self.count.iter().product()
    }

    /// Index of the cell along one axis, unwrapped and unclamped. It is monotonic in the
    /// coordinate, despite rounding, so that a span of coordinates maps to a span of cells.
    #[inline(always)]
    fn raw(&self, axis: usize, coordinate: f64) -> i64 {
        ((coordinate - self.origin[axis]) * self.density[axis]).floor() as i64
    }

    #[inline(always)]
    fn index(&self, position: [f64; 3]) -> usize {
        // a position exactly at the end of a period belongs to the last cell
        let at = |axis: usize| {
            self.raw(axis, position[axis]).clamp(0, self.count[axis] as i64 - 1) as usize
        };
        let [first, second, last] = self.axes;
        self.row(at(first), at(second)) + at(last)
    }

    /// True if the period is so short that two cells are neighbours on both sides.
    #[inline(always)]
    fn is_narrow(&self, axis: usize) -> bool {
        self.periodic[axis] && self.count[axis] < 3
    }

    /// The index of a cell along an axis, then those of its neighbours, with the periodic shift
    /// of positions in them.
    #[inline(always)]
    fn around(&self, axis: usize, index: usize) -> [Option<(usize, f64)>; 3] {
        let (count, period) = (self.count[axis], self.length[axis]);
        let own = Some((index, 0.0));
        if self.is_narrow(axis) {
            return [own, (count == 2).then_some((1 - index.min(1), 0.0)), None];
        }
        let before = if index > 0 {
            Some((index - 1, 0.0))
        } else {
            self.periodic[axis].then_some((count - 1, -period))
        };
        let after = if index + 1 < count {
            Some((index + 1, 0.0))
        } else {
            self.periodic[axis].then_some((0, period))
        };
        [own, before, after]
    }

    /// As `around` for the last axis, along which consecutive cells form one range; the range
    /// with the cell itself comes first.
    #[inline(always)]
    fn runs(&self, index: usize) -> [Option<(Range<usize>, f64)>; 2] {
        let last = self.axes[2];
        let (count, period) = (self.count[last], self.length[last]);
        if self.is_narrow(last) {
            return [Some((0..count, 0.0)), None];
        }
        let own = Some((index.max(1) - 1..(index + 2).min(count), 0.0));
        let beyond = match index {
            _ if !self.periodic[last] => None,
            0 => Some((count - 1..count, -period)),
            _ if index + 1 == count => Some((0..1, period)),
            _ => None,
        };
        [own, beyond]
    }

    /// Ranges of cell indices along one axis that cover `coordinate ± range`: two where it wraps.
    #[inline(always)]
    fn span(&self, axis: usize, coordinate: f64, range: f64) -> [(usize, usize); 2] {
        let count = self.count[axis] as i64;
        let low = self.raw(axis, coordinate - range);
        let high = self.raw(axis, coordinate + range);
        if !self.periodic[axis] {
            return [
                (low.clamp(0, count - 1) as usize, high.clamp(0, count - 1) as usize + 1),
                (0, 0),
            ];
        }
        if high - low + 1 >= count {
            return [(0, count as usize), (0, 0)];
        }
        let (low, high) = (folded(low, count), folded(high, count));
        if low <= high {
            [(low as usize, high as usize + 1), (0, 0)]
        } else {
            [(0, high as usize + 1), (low as usize, count as usize)]
        }
    }
}

impl Lattice {
    /// The rows of cells within `range` of a position, by their indices along the first two axes.
    #[inline(always)]
    fn rows(&self, position: [f64; 3], range: f64) -> impl Iterator<Item = (usize, usize)> {
        let [first, second, _] = self.axes;
        let rows = self.span(second, position[second], range);
        let layers = self.span(first, position[first], range).into_iter();
        layers.flat_map(|(from, end)| from..end).flat_map(move |layer| {
            rows.into_iter().flat_map(|(from, end)| from..end).map(move |row| (layer, row))
        })
    }
}

/// The index modulo `count`; without a division if it is close to the range.
#[inline(always)]
fn folded(raw: i64, count: i64) -> i64 {
    let near = raw + if raw < 0 { count } else { 0 };
    let near = near - if near >= count { count } else { 0 };
    if (0..count).contains(&near) { near } else { raw.rem_euclid(count) }
}
