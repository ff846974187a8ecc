//! The table of one measure: rows in time and at the end.

use super::lazy_snapshot::LazySnapshot;
use crate::output::{Cell, Table};
use crate::settings::Measured;
use esker::Trigger;
use esker::measure::{Column, MeasureState};
use esker_draw::OutputError;
use std::path::Path;

/// A measure with its table.
#[derive(Debug)]
pub(super) struct MeasureTable {
    measured: Measured,
    columns: Vec<Column>,
    /// None if only the start and the end are recorded.
    trigger: Option<Trigger>,
    table: Table,
    memory: MeasureState,
    last: Vec<Option<f64>>,
}

/// The state at a resume: end of the table, state of the measure, time and step.
pub(super) struct From {
    pub position: u64,
    pub memory: MeasureState,
    pub time: f64,
    pub dt: f64,
}

impl MeasureTable {
    /// Starts its table, or continues it.
    pub(super) fn open(
        measured: &Measured,
        folder: &Path,
        from: Option<From>,
    ) -> Result<Self, OutputError> {
        let path = folder.join(table_name(&measured.name));
        let columns = measured.measure.columns();
        let mut header = vec!["time", "step"];
        header.extend(columns.iter().map(|column| column.name.as_str()));
        let every = measured.every;
        let (table, trigger, memory) = match from {
            None => {
                (Table::create(path, &header)?, every.map(Trigger::every), MeasureState::default())
            }
            Some(from) => (
                Table::open_at(path, &header, from.position)?,
                every.map(|every| Trigger::every(every).resumed(from.time, from.dt)),
                from.memory,
            ),
        };
        let last = vec![None; columns.len()];
        Ok(Self { measured: measured.clone(), columns, trigger, table, memory, last })
    }

    /// Its name in the run folder.
    pub(super) fn table_name(&self) -> String {
        table_name(&self.measured.name)
    }

    /// Its state for a checkpoint.
    pub(super) fn memory(&self) -> &MeasureState {
        &self.memory
    }

    /// Adds a row if one is due.
    pub(super) fn record(&mut self, now: &LazySnapshot) -> Result<(), OutputError> {
        let due = match &mut self.trigger {
            Some(trigger) => trigger.fires(now.simulation),
            None => self.memory.step.is_none(),
        };
        if due { self.push(now) } else { Ok(()) }
    }

    /// Adds the row of the end, unless it exists.
    pub(super) fn finish(&mut self, now: &LazySnapshot) -> Result<(), OutputError> {
        if self.memory.step != Some(now.step()) {
            return self.push(now);
        }
        if self.last.iter().all(Option::is_none) {
            // Resumed at the end of the run: the row is in the table, but its numbers are not in memory.
            self.last = self.measured.measure.values(now.snapshot(), &mut self.memory.clone());
        }
        self.table.flush()
    }

    fn push(&mut self, now: &LazySnapshot) -> Result<(), OutputError> {
        self.last = self.measured.measure.values(now.snapshot(), &mut self.memory);
        self.memory.time = Some(now.time());
        self.memory.step = Some(now.step());
        let mut row = vec![Cell::Number(now.time()), Cell::Integer(now.step())];
        row.extend(self.last.iter().map(|value| value.map_or(Cell::Empty, Cell::Number)));
        self.table.push_row(&row)?;
        self.table.flush()
    }

    /// End of the table, for a checkpoint.
    pub(super) fn position(&mut self) -> Result<u64, OutputError> {
        self.table.position()
    }

    /// The numbers of the last row.
    pub(super) fn outcome(&self) -> Outcome {
        let values = self.columns.iter().cloned().zip(self.last.iter().copied()).collect();
        Outcome { name: self.measured.name.clone(), values }
    }
}

/// The last numbers of a measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Name of the measure.
    pub name: String,
    /// Columns with their numbers.
    pub values: Vec<(Column, Option<f64>)>,
}

impl Outcome {
    /// Its columns without values, before anything is measured.
    pub(super) fn missing(measured: &Measured) -> Self {
        let columns = measured.measure.columns().into_iter();
        Self { name: measured.name.clone(), values: columns.map(|column| (column, None)).collect() }
    }
}

pub(super) fn table_name(measure: &str) -> String {
    format!("measures/{measure}.csv")
}
