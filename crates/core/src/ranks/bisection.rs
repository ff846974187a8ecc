//! Recursive coordinate bisection: parts of space with about equal work.

/// A particle to be assigned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    pub position: [f64; 3],
    pub id: u32,
    pub work: u64,
}

/// Words of a point in a message.
const POINT_WORDS: usize = 5;

impl Point {
    pub(crate) fn encode(points: &[Self]) -> Vec<u8> {
        let words = |point: &Self| {
            let [x, y, z] = point.position.map(f64::to_bits);
            [x, y, z, point.id.into(), point.work]
        };
        points.iter().flat_map(words).flat_map(u64::to_le_bytes).collect()
    }

    pub(crate) fn decode(bytes: &[u8]) -> Vec<Self> {
        let points = words_of(bytes);
        let (points, _) = points.as_chunks::<POINT_WORDS>();
        let point = |&[x, y, z, id, work]: &[u64; POINT_WORDS]| Self {
            position: [x, y, z].map(f64::from_bits),
            id: id as u32,
            work,
        };
        points.iter().map(point).collect()
    }
}

fn words_of(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect()
}

/// A division of space into parts by planes, each of which divides one side of those before it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Bisection {
    /// The planes: each plane is followed by those of its lower side, then those of its upper side.
    cuts: Vec<Cut>,
    parts: usize,
}

/// A plane. Points below it are in the lower side; points in the plane are divided by id.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cut {
    axis: usize,
    position: f64,
    /// The lowest id in the upper side, of points in the plane.
    id: u64,
}

/// Words of a cut in a message.
const WORDS: usize = 3;

impl Bisection {
    /// Parts with about equal work. Depends on the set of points only, not on their order: points with the same
    /// coordinate are ordered by id.
    pub(crate) fn new(points: &[Point], parts: usize) -> Self {
        let mut all: Vec<u32> = (0..points.len() as u32).collect();
        let mut cuts = Vec::with_capacity(parts.saturating_sub(1));
        divide(points, &mut all, parts, &mut cuts);
        Self { cuts, parts }
    }

    /// The part of a point.
    pub(crate) fn part(&self, position: [f64; 3], id: u32) -> usize {
        let (mut cut, mut first, mut parts) = (0, 0, self.parts);
        while parts > 1 {
            let Cut { axis, position: at, id: lowest } = self.cuts[cut];
            let order = position[axis].total_cmp(&at).then(u64::from(id).cmp(&lowest));
            let left = parts / 2;
            if order.is_lt() {
                (cut, parts) = (cut + 1, left);
            } else {
                (cut, first, parts) = (cut + left, first + left, parts - left);
            }
        }
        first
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let words = |cut: &Cut| [cut.axis as u64, cut.position.to_bits(), cut.id];
        self.cuts.iter().flat_map(words).flat_map(u64::to_le_bytes).collect()
    }

    pub(crate) fn decode(bytes: &[u8]) -> Self {
        let words = words_of(bytes);
        let cut = |&[axis, position, id]: &[u64; WORDS]| Cut {
            axis: axis as usize,
            position: f64::from_bits(position),
            id,
        };
        let cuts: Vec<Cut> = words.as_chunks().0.iter().map(cut).collect();
        Self { parts: cuts.len() + 1, cuts }
    }
}

/// Appends the planes that divide some points among `parts`.
fn divide(points: &[Point], chosen: &mut [u32], parts: usize, cuts: &mut Vec<Cut>) {
    if parts <= 1 {
        return;
    }
    let axis = longest_side(points, chosen);
    chosen.sort_unstable_by(|&a, &b| {
        let (a, b) = (&points[a as usize], &points[b as usize]);
        a.position[axis].total_cmp(&b.position[axis]).then(a.id.cmp(&b.id))
    });
    let work = |&index: &u32| u128::from(points[index as usize].work);
    let all: u128 = chosen.iter().map(work).sum();
    let left = parts / 2;
    // the plane at which the work below is closest to that of the lower parts
    let (mut end, mut before) = (0, 0);
    while end < chosen.len()
        && (2 * before + work(&chosen[end])) * (parts as u128) < 2 * all * left as u128
    {
        before += work(&chosen[end]);
        end += 1;
    }
    let upper = chosen.get(end).map(|&index| &points[index as usize]);
    cuts.push(Cut {
        axis,
        position: upper.map_or(f64::INFINITY, |point| point.position[axis]),
        id: upper.map_or(u64::MAX, |point| point.id.into()),
    });
    let (lower, upper) = chosen.split_at_mut(end);
    divide(points, lower, left, cuts);
    divide(points, upper, parts - left, cuts);
}

/// The axis of largest extent of the selected points.
fn longest_side(points: &[Point], chosen: &[u32]) -> usize {
    let length = |axis: usize| {
        let along = chosen.iter().map(|&index| points[index as usize].position[axis]);
        let (low, high) = along
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        high - low
    };
    let lengths = [length(0), length(1), length(2)];
    (1..3).fold(0, |longest, axis| if lengths[axis] > lengths[longest] { axis } else { longest })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Draws, Purpose};

    /// The part of each point.
    fn bisect(points: &[Point], parts: usize) -> Vec<u32> {
        let bisection = Bisection::new(points, parts);
        assert_eq!(Bisection::decode(&bisection.encode()), bisection);
        points.iter().map(|point| bisection.part(point.position, point.id) as u32).collect()
    }

    /// Points in a box, or nine tenths of them in one of its corners, with work between 1 and 20.
    fn points(count: u32, corner: bool) -> Vec<Point> {
        let point = |id: u32| {
            let draws = Draws::new(5, Purpose::Test, id.into());
            let scale = if corner && !id.is_multiple_of(10) { 0.1 } else { 1.0 };
            let position = [0, 1, 2].map(|axis| scale * draws.uniform(axis) * f64::from(axis + 1));
            Point { position, id, work: 1 + (19.0 * draws.uniform(3)) as u64 }
        };
        (0..count).map(point).collect()
    }

    #[test]
    fn every_part_has_about_the_same_work_also_with_most_points_in_a_corner() {
        for corner in [false, true] {
            let points = points(20_000, corner);
            for parts in [1, 2, 3, 4, 5, 8, 13] {
                let mut work = vec![0; parts];
                for (point, owner) in points.iter().zip(bisect(&points, parts)) {
                    work[owner as usize] += point.work;
                }
                let mean = work.iter().sum::<u64>() as f64 / parts as f64;
                let most = work.iter().max().map_or(0.0, |&most| most as f64);
                assert!(most / mean < 1.02, "{parts} parts: {work:?}");
            }
        }
    }

    #[test]
    fn parts_of_a_box_are_boxes() {
        let points = points(5000, false);
        let owners = bisect(&points, 6);
        let bounds = |part: u32| {
            let own = points.iter().zip(&owners).filter(|(_, owner)| **owner == part);
            own.fold([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]], |[low, high], (point, _)| {
                let x = point.position;
                [[0, 1, 2].map(|k| low[k].min(x[k])), [0, 1, 2].map(|k| high[k].max(x[k]))]
            })
        };
        for (one, other) in (0..6).flat_map(|one| (0..one).map(move |other| (one, other))) {
            let ([low, high], [its_low, its_high]) = (bounds(one), bounds(other));
            let apart = |axis: usize| low[axis] >= its_high[axis] || its_low[axis] >= high[axis];
            assert!((0..3).any(apart), "parts {one} and {other} overlap");
        }
    }

    #[test]
    fn the_order_of_the_points_does_not_matter() {
        let mut points = points(3000, false);
        // many points at the same position
        points.iter_mut().step_by(3).for_each(|point| point.position = [0.5; 3]);
        let mut by_id = vec![0; points.len()];
        for (point, owner) in points.iter().zip(bisect(&points, 7)) {
            by_id[point.id as usize] = owner;
        }
        points.reverse();
        points.rotate_left(1234);
        for (point, owner) in points.iter().zip(bisect(&points, 7)) {
            assert_eq!(owner, by_id[point.id as usize]);
        }
    }

    #[test]
    fn there_may_be_more_parts_than_points() {
        let owners = bisect(&points(3, false), 8);
        assert!(owners.iter().all(|&owner| owner < 8) && owners.len() == 3);
        assert!(bisect(&[], 4).is_empty());
    }
}
