//! Streams: the number of particles due, and whether they can be inserted.

use crate::domain::Domain;
use crate::insert::{Placement, Region, Source};
use crate::insertion::misses_walls;
use crate::simulation::Simulation;
use crate::stage::Change;

/// Largest volume fraction of equal spheres, π/√18.
const DENSEST: f64 = 0.740_48;

/// Number of points tried to find one that is clear of the walls.
const POINTS: u32 = 1000;

/// Progress of a stream.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::scene;
/// use esker::StreamProgress;
/// use esker::prelude::*;
///
/// # let (mut scene, grain) = scene(ContactModel::normal(Hertz::default()), Pair::new());
/// let region = Region::Box { min: Vec3::ZERO, max: Vec3::ONE };
/// let stream = Placement::Stream { region, rate: 100.0, count: Some(50), start: 0.0 };
/// scene.particles.push(Source::new("rain", grain, Radius::Constant(0.01), stream));
/// scene.domain = Some(Domain::new(Vec3::splat(-1.0), Vec3::splat(2.0)));
/// let mut simulation = scene.build()?;
/// simulation.run_until(0.1)?;
/// let open: Vec<StreamProgress> = simulation.open_streams();
/// assert!(open[0].requested == Some(50) && open[0].inserted >= 9);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct StreamProgress {
    /// Group of its particles.
    pub group: String,
    /// Particles requested; none for a stream without a count.
    pub requested: Option<u64>,
    /// Number of particles due.
    pub due: u64,
    /// Number of inserted particles.
    pub inserted: u64,
}

impl Simulation {
    /// The streams that have not inserted all their particles.
    pub fn open_streams(&self) -> Vec<StreamProgress> {
        // streams insert before a step, so particles that became due within the last step are not late
        let time = self.time() - self.last_dt;
        let streams = self.schedule.streams.iter().map(|(_, stream)| StreamProgress {
            group: stream.source().name.clone(),
            requested: match stream.source().placement {
                Placement::Stream { count, .. } => count.map(|count| count as u64),
                _ => None,
            },
            due: stream.due(time) as u64,
            inserted: stream.state.emitted,
        });
        streams.collect()
    }

    /// Longest time that the stages from this one on can take; none if unlimited [s].
    pub(crate) fn time_left(&self, stage: usize) -> Option<f64> {
        let stages = self.schedule.stages.get(stage..)?;
        let times: Option<Vec<f64>> = stages.iter().map(|stage| stage.end.after).collect();
        times.filter(|times| !times.is_empty()).map(|times| times.iter().sum())
    }

    /// A warning for each stream that cannot insert the requested number.
    pub(super) fn short_streams(&self) -> Vec<String> {
        let staged = self.schedule.stages.iter().enumerate().flat_map(|(stage, changes)| {
            changes.changes.iter().filter_map(move |change| match change {
                Change::Insert(source) => Some((stage, source)),
                _ => None,
            })
        });
        let first = self.scene.particles.iter().map(|source| (0, source));
        let mut warnings = Vec::new();
        for (stage, source) in first.chain(staged) {
            let Placement::Stream { region, rate, count, start } = &source.placement else {
                continue;
            };
            let left = self.time_left(stage);
            let plan = StreamPlan { rate: *rate, count: *count, start: *start };
            warnings.extend(left.and_then(|left| plan.too_late(&source.name, left)));
            warnings.extend(
                left.and_then(|left| plan.too_many(source, region, self.advice.speed, left)),
            );
            if stage == 0 && !self.is_clear_somewhere(source) {
                warnings.push(format!(
                    "the stream `{}` has no room: none of {POINTS} random points of its region is \
                     clear of the walls",
                    source.name
                ));
            }
        }
        warnings
    }

    /// True if any point of the region of a stream is clear of the existing walls.
    fn is_clear_somewhere(&self, source: &Source) -> bool {
        let radius = source.smallest_radius();
        let points = crate::insert::points_of_stream(
            source,
            self.engine.domain(),
            radius,
            self.scene.seed,
            POINTS,
        );
        points.into_iter().any(|point| misses_walls(&self.engine, point, radius))
    }
}

/// Requested insertion of a stream.
struct StreamPlan {
    /// Particles per second.
    rate: f64,
    count: Option<usize>,
    /// Start relative to the beginning of the stage [s].
    start: f64,
}

impl StreamPlan {
    /// Number of particles due this time after the beginning of the stage [s].
    fn due(&self, left: f64) -> f64 {
        if left < self.start {
            return 0.0;
        }
        let due = libm::floor((left - self.start) * self.rate) + 1.0;
        self.count.map_or(due, |count| due.min(count as f64))
    }

    fn too_late(&self, name: &str, left: f64) -> Option<String> {
        let requested = self.count.map_or("any".to_owned(), |count| count.to_string());
        let due = self.due(left);
        if self.start >= left {
            return Some(format!(
                "the stream `{name}` inserts none of {requested} particles: it starts after {} s, and \
                 the run ends after at most {left} s",
                self.start
            ));
        }
        self.count.filter(|count| due < *count as f64).map(|count| {
            format!(
                "the stream `{name}` inserts at most {due} of {count} particles: with {} a second, the \
                 last is due after {:.4} s, and the run ends after at most {left} s",
                self.rate,
                self.start + (count - 1) as f64 / self.rate
            )
        })
    }

    /// Particles fill at most 0.74 of the region, and leave it at most at the largest speed through its whole surface.
    /// A flat region has no volume for comparison.
    fn too_many(&self, source: &Source, region: &Region, speed: f64, left: f64) -> Option<String> {
        let (low, high) = region.bounds();
        let size = high - low;
        if !(region.volume() > 0.0) || !speed.is_finite() {
            return None;
        }
        let surface = 2.0 * (size.x * size.y + size.y * size.z + size.z * size.x);
        let time = (left - self.start).max(0.0);
        let each = source.radius.as_ref()?.mean_volume();
        let capacity = (DENSEST * region.volume() / each).max(1.0);
        let most = libm::floor(capacity + DENSEST * surface * speed * time / each);
        let due = self.due(left);
        (due > most).then(|| {
            format!(
                "the stream `{}` has room for at most {most} of {due} particles: its region holds \
                 {capacity:.0}, and they leave it at no more than {speed:.3} m/s",
                source.name
            )
        })
    }
}

/// Largest number of particles of a stream present at a time: the smallest of those requested, those due before the
/// end, and those that fit into the domain.
pub(crate) fn most_present(source: &Source, domain: &Domain, left: Option<f64>) -> f64 {
    let Some(radius) = &source.radius else { return 0.0 };
    let held = domain.size().element_product() / radius.mean_volume();
    let coming = most_inserted(source, left);
    // a stream without an end is checked during the run
    if coming.is_finite() { coming.min(held) } else { 0.0 }
}

/// Largest number of particles that a stream inserts: those requested or due before the end; infinite if neither is
/// known.
pub(crate) fn most_inserted(source: &Source, left: Option<f64>) -> f64 {
    let Placement::Stream { rate, count, start, .. } = source.placement else { return 0.0 };
    let due = left.map_or(f64::INFINITY, |left| StreamPlan { rate, count, start }.due(left));
    due.min(count.map_or(f64::INFINITY, |count| count as f64))
}
