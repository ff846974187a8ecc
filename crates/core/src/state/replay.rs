//! Replays the stages of a restored simulation up to its time. Walls, motions, fields and parameters follow from the
//! changes of these stages; the state itself contains only particles and contacts.

use super::{StageState, State};
use crate::error::Error;
use crate::insert::{Placement, Stream};
use crate::simulation::Simulation;
use crate::stage::Change;
use crate::wall::Wall;
use crate::wall::live::LiveWall;

impl Simulation {
    /// Makes the changes of the stages so far, except those of particles, which are saved.
    pub(super) fn replay(&mut self, state: &State) -> Result<(), Error> {
        let saved = &state.stage;
        self.schedule.present = saved.present;
        self.schedule.begun = saved.begun;
        self.schedule.since = saved.since;
        self.schedule.since_step = saved.since_step;
        self.schedule.next_id = saved.next_id;
        self.schedule.streams_begun = saved.streams_begun;
        let first: Vec<Change> = self.scene.particles.iter().cloned().map(Change::Insert).collect();
        let walls: Vec<Wall> = self.scene.walls.clone();
        let begun = saved.present + usize::from(saved.begun);
        let staged: Vec<Change> =
            self.scene.stages.iter().take(begun).flat_map(|stage| stage.changes.clone()).collect();
        self.engine
            .walls_to_restore()
            .extend(walls.into_iter().map(|wall| LiveWall::new(wall, 0.0)));
        let mut stream_number = 0;
        for change in first.into_iter().chain(staged) {
            self.replay_change(change, saved, &mut stream_number)?;
        }
        if self.engine.walls().len() == state.walls.len() {
            Ok(())
        } else {
            Err(Error::State("its walls differ from those of the scene".into()))
        }
    }

    fn replay_change(
        &mut self,
        change: Change,
        saved: &StageState,
        stream_number: &mut u32,
    ) -> Result<(), Error> {
        match change {
            Change::AddWall(wall) => {
                self.engine.walls_to_restore().push(LiveWall::new(wall, 0.0));
            }
            Change::SetMotion(name, motion) => {
                if let Some(wall) = self
                    .engine
                    .walls_to_restore()
                    .iter_mut()
                    .find(|wall| wall.present && wall.wall.name == name)
                {
                    wall.wall.motion = motion;
                }
            }
            Change::Insert(source) => {
                if matches!(source.placement, Placement::Stream { .. }) {
                    let progress =
                        saved.streams.iter().find(|(number, ..)| number == stream_number);
                    *stream_number += 1;
                    if let Some(&(number, started_at, state)) = progress
                        && let Some(mut stream) =
                            Stream::new(&source, started_at, self.engine.domain())
                    {
                        stream.state = state;
                        self.schedule.streams.push((number, stream));
                    }
                }
            }
            Change::RemoveWall(name) => {
                if let Some(wall) = self
                    .engine
                    .walls_to_restore()
                    .iter_mut()
                    .find(|wall| wall.present && wall.wall.name == name)
                {
                    wall.present = false;
                }
            }
            Change::RemoveParticles(_) => {}
            other => self.apply(other, "stages")?,
        }
        Ok(())
    }
}
