//! Streams: particles inserted over time, each as soon as there is space.

use super::place::{set_in_motion, wrapped};
use super::region::Container;
use super::{Placement, Radius, Source, Sphere};
use crate::Vec3;
use crate::domain::Domain;
use crate::random::{Draws, Purpose};

/// Number of points tried for a particle in one step; the next step continues with other points.
const ATTEMPTS_PER_STEP: u64 = 32;

/// The variable state of a stream, stored in checkpoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StreamState {
    /// Number of inserted particles.
    pub emitted: u64,
    /// Number of points tried without success for the next particle.
    pub tried: u64,
}

/// An active stream.
#[derive(Debug, Clone)]
pub struct Stream {
    source: Source,
    radius: Radius,
    container: Container,
    domain: Domain,
    started_at: f64,
    begin: f64,
    rate: f64,
    count: Option<u64>,
    /// The variable state.
    pub state: StreamState,
}

impl Stream {
    /// A stream that starts at `started_at` [s], the start of the stage that inserts it; `None` if the source is not a
    /// stream or has no radii.
    pub fn new(source: &Source, started_at: f64, domain: &Domain) -> Option<Self> {
        let Placement::Stream { region, rate, count, start } = &source.placement else {
            return None;
        };
        Some(Self {
            source: source.clone(),
            radius: source.radius.clone()?,
            container: Container::new(region, domain),
            domain: domain.clone(),
            started_at,
            begin: started_at + start,
            rate: *rate,
            count: count.map(|count| count as u64),
            state: StreamState::default(),
        })
    }

    /// Start of the stage that inserts it [s].
    pub fn started_at(&self) -> f64 {
        self.started_at
    }

    /// The source.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Number of particles due: the first at the start, the others at equal intervals.
    pub fn due(&self, time: f64) -> usize {
        if time < self.begin {
            return 0;
        }
        let due = ((time - self.begin) * self.rate).floor() as u64;
        due.saturating_add(1).min(self.count.unwrap_or(u64::MAX)) as usize
    }

    /// The next particle, if one is due and a position is found; `has_space` is true if a sphere of this centre [m] and
    /// radius [m] touches nothing. To be called until it returns `None`; a particle without space is tried again at the
    /// next call.
    pub fn next(
        &mut self,
        time: f64,
        seed: u64,
        next_id: u64,
        has_space: &dyn Fn(Vec3, f64) -> bool,
    ) -> Option<Sphere> {
        if self.state.emitted >= self.due(time) as u64 {
            return None;
        }
        let radius = self.radius.draw(seed, next_id);
        let draws = Draws::new(seed, Purpose::Position, next_id);
        for _ in 0..ATTEMPTS_PER_STEP {
            let attempt = self.state.tried as u32; // after 2³² points the same ones come again
            self.state.tried += 1;
            let uniform = std::array::from_fn(|axis| {
                draws.uniform(attempt.wrapping_mul(3).wrapping_add(axis as u32))
            });
            let position = wrapped(self.container.random_point(radius, uniform)?, &self.domain);
            if has_space(position, radius) {
                self.state = StreamState { emitted: self.state.emitted + 1, tried: 0 };
                let mut sphere = Sphere::new(radius, position);
                let draws = Draws::new(seed, Purpose::Velocity, next_id);
                set_in_motion(&self.source, draws, &mut sphere);
                return Some(sphere);
            }
        }
        None
    }

    /// True if a sphere of this radius [m] fits into the region.
    pub(crate) fn holds(&self, radius: f64) -> bool {
        self.container.random_point(radius, [0.5; 3]).is_some()
    }

    /// True if all particles have been inserted.
    pub fn finished(&self) -> bool {
        self.count.is_some_and(|count| self.state.emitted >= count)
    }
}

/// Random points of the region of a stream at which a sphere of this radius [m] lies completely inside.
pub(crate) fn points_of_stream(
    source: &Source,
    domain: &Domain,
    radius: f64,
    seed: u64,
    count: u32,
) -> Vec<Vec3> {
    let Some(stream) = Stream::new(source, 0.0, domain) else { return Vec::new() };
    let draws = Draws::new(seed, Purpose::Position, 0);
    let point = |number: u32| {
        let uniform = std::array::from_fn(|axis| draws.uniform(3 * number + axis as u32));
        Some(wrapped(stream.container.random_point(radius, uniform)?, domain))
    };
    (0..count).filter_map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MaterialId;
    use crate::insert::Region;

    fn stream(count: Option<usize>) -> Stream {
        let source = Source {
            velocity: Vec3::new(0.0, 0.0, -2.0),
            ..Source::new(
                "",
                MaterialId::new(0),
                Radius::Uniform { min: 0.01, max: 0.02 },
                Placement::Stream {
                    region: Region::Box { min: Vec3::ZERO, max: Vec3::ONE },
                    rate: 4.0,
                    count,
                    start: 0.5,
                },
            )
        };
        let domain = Domain::new(Vec3::ZERO, Vec3::ONE);
        Stream::new(&source, 1.0, &domain).expect("a stream")
    }

    #[test]
    fn particles_are_due_at_equal_intervals_from_the_start() {
        let stream = stream(Some(5));
        let due = [1.4, 1.5, 1.74, 1.75, 2.0, 99.0].map(|time| stream.due(time));
        assert_eq!(due, [0, 1, 1, 2, 3, 5]);
    }

    #[test]
    fn a_stream_gives_what_is_due_and_ends() {
        let mut stream = stream(Some(3));
        let space = |_: Vec3, _: f64| true;
        assert_eq!(stream.next(1.4, 1, 10, &space), None);
        let first = stream.next(1.5, 1, 10, &space).expect("one is due");
        assert_eq!(first.velocity.z, -2.0);
        assert_eq!(stream.next(1.5, 1, 11, &space), None);
        assert!(stream.next(9.0, 1, 11, &space).is_some() && !stream.finished());
        assert!(stream.next(9.0, 1, 12, &space).is_some() && stream.finished());
        assert_eq!(stream.next(9.0, 1, 13, &space), None);
    }

    #[test]
    fn what_finds_no_room_is_tried_again_at_other_points() {
        let mut stream = stream(None);
        let seen = std::cell::RefCell::new(Vec::new());
        let full = |position: Vec3, _: f64| {
            seen.borrow_mut().push(position.to_array());
            false
        };
        assert_eq!(stream.next(1.5, 1, 10, &full), None);
        assert_eq!(stream.next(1.5, 1, 10, &full), None);
        let mut seen = seen.into_inner();
        assert_eq!(seen.len() as u64, 2 * ATTEMPTS_PER_STEP);
        seen.sort_by(|a, b| a[0].total_cmp(&b[0]));
        seen.dedup();
        assert_eq!(seen.len() as u64, 2 * ATTEMPTS_PER_STEP);
        assert!(stream.next(1.5, 1, 10, &|_, _| true).is_some());
    }

    #[test]
    fn a_stream_resumes_from_its_state() {
        let mut whole = stream(None);
        let space = |position: Vec3, _: f64| position.x > 0.9;
        for id in 0..3 {
            whole.next(9.0, 1, id, &space);
        }
        let mut resumed = stream(None);
        resumed.state = whole.state;
        assert_eq!(resumed.next(9.0, 1, 3, &space), whole.next(9.0, 1, 3, &space));
    }
}
