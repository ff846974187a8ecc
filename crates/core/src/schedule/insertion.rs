//! Insertion of particles during a run, at once or by a stream.

use crate::error::{Error, Problem};
use crate::insert::{Source, Stream, check_amount, place_clear_of};
use crate::insertion::{Occupancy, misses_walls};
use crate::particles::IDS_END;
use crate::plausibility::{most_inserted, most_present};
use crate::simulation::Simulation;
use std::sync::Arc;

/// Particles that a stream inserts between two checks of the free memory.
const PARTICLES_PER_CHECK: u64 = 65_536;

impl Simulation {
    /// Inserts the particles of a source, or starts its stream.
    pub(crate) fn insert(&mut self, source: &Source, path: &str) -> Result<(), Error> {
        if let Some(stream) = Stream::new(source, self.time(), self.engine.domain()) {
            self.check_stream(&stream, path)?;
            self.group(&source.name);
            self.schedule.streams.push((self.schedule.streams_begun, stream));
            self.schedule.streams_begun += 1;
            return Ok(());
        }
        let occupied = self.engine.spheres_of_all(|_| true);
        let spheres = place_clear_of(
            source,
            self.scene.seed,
            self.schedule.next_id,
            &occupied,
            self.engine.domain(),
            &|position, radius| misses_walls(&self.engine, position, radius),
        )
        .map_err(|error| {
            let message = error.message(self.scene.notation);
            Error::Scene(vec![Problem::at(format!("{path}.insert"), message)])
        })?;
        if let Some(inherited) = &source.inherited {
            self.inherited.push((self.schedule.next_id, path.to_owned(), Arc::clone(inherited)));
        }
        self.check_ids(spheres.len(), path)?;
        self.divide_first(&spheres);
        let others =
            if source.members.is_empty() { Vec::new() } else { self.scene.particles.clone() };
        for (index, sphere) in spheres.iter().enumerate() {
            let other = source.members.get(index).and_then(|&other| others.get(other));
            if !self.add_particle(sphere, other.unwrap_or(source)) {
                continue;
            }
            if let Some(orientation) = source.orientations.get(index) {
                self.engine.particles_mut().set_last_orientation(*orientation);
            }
            if let Some(charge) = source.charges.get(index) {
                let particles = self.engine.particles_mut();
                particles.set_charge(particles.len() - 1, *charge);
            }
        }
        Ok(())
    }

    /// Refuses a stream whose particles do not fit into its region, into memory or into the
    /// range of ids. The number that can be inserted before the end counts, not the number
    /// requested.
    fn check_stream(&self, stream: &Stream, path: &str) -> Result<(), Error> {
        let source = stream.source();
        let refuse =
            |message: String| Error::Scene(vec![Problem::at(format!("{path}.insert"), message)]);
        let radius = source.largest_radius();
        if !stream.holds(radius) {
            let message = format!("a particle of radius {radius} m does not fit in the region");
            return Err(refuse(message));
        }
        let left = self.time_left(self.schedule.present);
        check_amount(most_present(source, self.engine.domain(), left)).map_err(refuse)?;
        let coming = most_inserted(source, left);
        if coming.is_finite() && coming > (IDS_END - self.schedule.next_id) as f64 {
            let message = format!(
                "the stream inserts {coming:.1e} particles before the run ends, and at most \
                 {IDS_END} are possible in one run"
            );
            return Err(refuse(message));
        }
        Ok(())
    }

    /// Refuses insertions beyond the largest id.
    fn check_ids(&self, more: usize, path: &str) -> Result<(), Error> {
        if self.schedule.next_id + more as u64 <= IDS_END {
            return Ok(());
        }
        let message = format!("at most {IDS_END} particles are possible in one run");
        Err(Error::Scene(vec![Problem::at(path, message)]))
    }

    pub(super) fn run_streams(&mut self) -> Result<(), Error> {
        let time = self.time();
        if self
            .schedule
            .streams
            .iter()
            .all(|(_, stream)| stream.due(time) as u64 <= stream.state.emitted)
        {
            return Ok(());
        }
        let mut streams = std::mem::take(&mut self.schedule.streams);
        let before = self.counts.inserted;
        let outcome = self.with_energy_balance(|simulation| {
            for (_, stream) in &mut streams {
                simulation.run_stream(stream, time)?;
            }
            if simulation.counts.inserted > before { simulation.changed() } else { Ok(()) }
        });
        streams.retain(|(_, stream)| !stream.finished());
        self.schedule.streams = streams;
        outcome
    }

    fn run_stream(&mut self, stream: &mut Stream, time: f64) -> Result<(), Error> {
        let source = stream.source().clone();
        let Some(bounds) = source.bounds() else { return Ok(()) };
        let mut occupancy = Occupancy::new(&self.engine, bounds, source.largest_radius());
        loop {
            let has_space = |position, radius| occupancy.has_space(&self.engine, position, radius);
            let Some(sphere) =
                stream.next(time, self.scene.seed, self.schedule.next_id, &has_space)
            else {
                return Ok(());
            };
            self.check_ids(1, "particles")?;
            occupancy.add(&sphere);
            self.add_particle(&sphere, &source);
            if stream.state.emitted.is_multiple_of(PARTICLES_PER_CHECK) {
                self.check_space(&source)?;
            }
        }
    }

    /// Refuses to go on where memory is short, on any rank.
    fn check_space(&self, source: &Source) -> Result<(), Error> {
        let found = check_amount(PARTICLES_PER_CHECK as f64);
        if !self.engine.any(found.is_err()) {
            return Ok(());
        }
        let message = found.err().unwrap_or_else(|| "another rank is short of memory".into());
        let message = format!("the stream `{}` does not end: {message}", source.name);
        Err(Error::Scene(vec![Problem::at("particles", message)]))
    }
}
