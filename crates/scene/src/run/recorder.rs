//! Output during a run.

use super::RunError;
use super::checkpoint::Positions;
use super::events::Events;
use super::lazy_snapshot::LazySnapshot;
use super::measure_table::{From, MeasureTable, Outcome};
use super::probe::ProbeTable;
use super::served::{Request, write_table};
use crate::Outputs;
use crate::output::{
    EnergyTable, EventTable, FORMATS, FrameWriter, Start, WallTable, Writer, write_contacts_csv,
};
use crate::settings::Frames;
use esker::Simulation;
use esker::Trigger;
use esker_draw::OutputError;
use std::fs;
use std::path::{Path, PathBuf};

/// The tables and frames of a run.
#[derive(Debug)]
pub(super) struct Recorder {
    folder: PathBuf,
    energy: Option<(EnergyTable, Trigger)>,
    walls: Option<(WallTable, Trigger)>,
    probes: Vec<ProbeTable>,
    measures: Vec<MeasureTable>,
    events: Option<Events>,
    frames: Option<(Vec<Box<dyn Writer>>, Trigger)>,
    contact_lists: Option<(usize, Trigger)>,
    /// The step of the last row of the energy table, so that the row of the end is written once.
    last: Option<u64>,
}

/// The state of the output at a resume.
struct Resumed<'a> {
    positions: &'a Positions,
    time: f64,
    dt: f64,
}

impl Resumed<'_> {
    fn position(&self, table: &str) -> Result<u64, RunError> {
        let found = self.positions.tables.iter().find(|(name, _)| name == table);
        found.map(|(_, position)| *position).ok_or_else(|| RunError::NotInCheckpoint(table.into()))
    }

    fn measure(&self, table: &str) -> Result<From, RunError> {
        let position = self.position(table)?;
        let found = self.positions.memories.iter().find(|(name, _)| name == table);
        let memory = found.map(|(_, memory)| memory.clone()).unwrap_or_default();
        Ok(From { position, memory, time: self.time, dt: self.dt })
    }
}

/// Opens one table, new or at its position.
macro_rules! open_table {
    ($kind:ident, $folder:expr, $name:expr, $every:expr, $resumed:expr) => {
        match $every {
            None => None,
            Some(every) => Some(match $resumed {
                None => ($kind::create($folder.join($name))?, Trigger::every(every)),
                Some(from) => (
                    $kind::open_at($folder.join($name), from.position($name)?)?,
                    Trigger::every(every).resumed(from.time, from.dt),
                ),
            }),
        }
    };
}

impl Recorder {
    /// Starts all files of a run.
    pub(super) fn start(
        folder: &Path,
        outputs: &Outputs,
        now: &LazySnapshot,
    ) -> Result<Self, RunError> {
        Self::open(folder, outputs, now, None)
    }

    /// Continues all files of a run.
    pub(super) fn resume(
        folder: &Path,
        outputs: &Outputs,
        now: &LazySnapshot,
        positions: &Positions,
    ) -> Result<Self, RunError> {
        let resumed = Resumed { positions, time: now.time(), dt: now.simulation.dt() };
        Self::open(folder, outputs, now, Some(&resumed))
    }

    fn open(
        folder: &Path,
        outputs: &Outputs,
        now: &LazySnapshot,
        resumed: Option<&Resumed<'_>>,
    ) -> Result<Self, RunError> {
        let trigger = |every: f64| match resumed {
            None => Trigger::every(every),
            Some(from) => Trigger::every(every).resumed(from.time, from.dt),
        };
        let probes = outputs.probes.iter().map(|probe| {
            let from = match resumed {
                None => None,
                Some(from) => Some((from.position(&table_name(&probe.name))?, from.time, from.dt)),
            };
            Ok(ProbeTable::open(probe, folder, from)?)
        });
        let measures = outputs.measures.iter().map(|measured| {
            let name = format!("measures/{}.csv", measured.name);
            let from = resumed.map(|from| from.measure(&name)).transpose()?;
            Ok(MeasureTable::open(measured, folder, from)?)
        });
        let events = match (outputs.events, resumed) {
            (None, _) => None,
            (Some(_), None) => Some(EventTable::create(folder.join("events.csv"))?),
            (Some(_), Some(from)) => {
                Some(EventTable::open_at(folder.join("events.csv"), from.position("events.csv")?)?)
            }
        };
        let frames = match outputs.frames.as_ref().filter(|frames| frames.are_written()) {
            None => None,
            Some(frames) => {
                let start = resumed.map_or(Start::New, |from| Start::After(from.positions.frames));
                Some((frame_writers(folder, frames, start)?, trigger(frames.every)))
            }
        };
        let lists = resumed.map_or(0, |from| from.positions.contact_lists);
        Ok(Self {
            folder: folder.to_path_buf(),
            energy: open_table!(EnergyTable, folder, "energy.csv", outputs.energy, resumed),
            walls: open_table!(WallTable, folder, "walls.csv", outputs.walls, resumed),
            probes: probes.collect::<Result<_, RunError>>()?,
            measures: measures.collect::<Result<_, RunError>>()?,
            events: events.map(|table| Events::new(table, outputs.events.unwrap_or_default(), now)),
            frames,
            contact_lists: outputs.contacts.map(|every| (lists, trigger(every))),
            last: resumed.and_then(|from| from.positions.last_row),
        })
    }

    /// Writes the outputs that are due after a step.
    pub(super) fn record(&mut self, now: &LazySnapshot) -> Result<(), OutputError> {
        if let Some(events) = &mut self.events {
            events.record(now)?;
        }
        if let Some((table, trigger)) = &mut self.energy
            && trigger.fires(now.simulation)
        {
            let simulation = now.simulation;
            table.push(
                simulation.time(),
                simulation.steps(),
                &simulation.energy(),
                simulation.dt(),
            )?;
            self.last = Some(now.step());
        }
        if let Some((table, trigger)) = &mut self.walls
            && trigger.fires(now.simulation)
        {
            table.push_walls(now.time(), now.step(), now.walls())?;
        }
        for probe in &mut self.probes {
            probe.record(now)?;
        }
        for measure in &mut self.measures {
            measure.record(now)?;
        }
        if self.frames.as_mut().is_some_and(|(_, trigger)| trigger.fires(now.simulation)) {
            self.write_frame(now)?;
        }
        if let Some((count, trigger)) = &mut self.contact_lists
            && trigger.fires(now.simulation)
        {
            let folder = self.folder.join("contacts");
            fs::create_dir_all(&folder).map_err(OutputError::system("create", &folder))?;
            write_contacts(&folder.join(format!("contacts_{count:06}.csv")), now)?;
            *count += 1;
        }
        Ok(())
    }

    fn write_frame(&mut self, now: &LazySnapshot) -> Result<(), OutputError> {
        match &mut self.frames {
            Some((writers, _)) => {
                writers.iter_mut().try_for_each(|writer| match now.is_divided() {
                    true => writer.write_divided(now.simulation),
                    false => writer.write(now.snapshot()),
                })
            }
            None => Ok(()),
        }
    }

    /// Writes the last rows and the lists of the end.
    pub(super) fn finish(&mut self, now: &LazySnapshot) -> Result<(), OutputError> {
        if let Some((table, _)) = &mut self.energy
            && self.last != Some(now.step())
        {
            let simulation = now.simulation;
            table.push(
                simulation.time(),
                simulation.steps(),
                &simulation.energy(),
                simulation.dt(),
            )?;
        }
        for probe in &mut self.probes {
            probe.flush()?;
        }
        for measure in &mut self.measures {
            measure.finish(now)?;
        }
        if self.contact_lists.is_some() {
            write_contacts(&self.folder.join("contacts.csv"), now)?;
        }
        Ok(())
    }

    /// The last values of the measures.
    pub(super) fn outcomes(&self) -> Vec<Outcome> {
        self.measures.iter().map(MeasureTable::outcome).collect()
    }

    /// Writes the frame of a failure, also if the scene has no frames.
    pub(super) fn write_failure(&mut self, simulation: &Simulation) -> Result<(), OutputError> {
        if self.frames.is_none() {
            let writer = FrameWriter::new(&self.folder, true)?;
            self.frames = Some((vec![Box::new(writer)], Trigger::every_steps(1)));
        }
        self.write_frame(&LazySnapshot::new(simulation))
    }

    /// Positions in all files, for a checkpoint.
    pub(super) fn positions(&mut self) -> Result<Positions, OutputError> {
        let mut tables = Vec::new();
        if let Some((table, _)) = &mut self.energy {
            tables.push(("energy.csv".to_owned(), table.position()?));
        }
        if let Some((table, _)) = &mut self.walls {
            tables.push(("walls.csv".to_owned(), table.position()?));
        }
        if let Some(events) = &mut self.events {
            tables.push(("events.csv".to_owned(), events.position()?));
        }
        for probe in &mut self.probes {
            tables.push((table_name(probe.name()), probe.position()?));
        }
        let mut memories = Vec::new();
        for measure in &mut self.measures {
            tables.push((measure.table_name(), measure.position()?));
            memories.push((measure.table_name(), measure.memory().clone()));
        }
        Ok(Positions {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            tables,
            memories,
            frames: self.frames.as_ref().map_or(0, |(writers, _)| {
                writers.iter().map(|writer| writer.frames()).min().unwrap_or(0)
            }),
            contact_lists: self.contact_lists.as_ref().map_or(0, |(count, _)| *count),
            last_row: self.last,
            inputs: Vec::new(),
            wall_time: 0.0,
            processor_time: None,
            changes: Vec::new(),
        })
    }
}

/// Writes the contacts as a table.
fn write_contacts(path: &Path, now: &LazySnapshot) -> Result<(), OutputError> {
    match now.is_divided() {
        true => write_table(now.simulation, path, Request::ContactTable),
        false => write_contacts_csv(path, now.snapshot()),
    }
}

/// One writer for each format that the scene names.
fn frame_writers(
    folder: &Path,
    frames: &Frames,
    start: Start,
) -> Result<Vec<Box<dyn Writer>>, OutputError> {
    let wanted = FORMATS.iter().filter(|format| frames.formats.contains(&format.name));
    wanted.map(|format| (format.open)(folder, start, frames.contacts)).collect()
}

fn table_name(probe: &str) -> String {
    format!("probes/{probe}.csv")
}
