//! The tables of a run folder: `energy.csv`, `walls.csv`, `events.csv`, and the contacts
//! at the end, `contacts.csv`.

use super::tables::{Cell, Table, append_row};
use atomic_write_file::AtomicWriteFile;
use esker::Vec3;
use esker::measure::{ContactView, Energy, Partner, Snapshot, WallView};
use esker_draw::OutputError;
use std::io::Write;
use std::path::{Path, PathBuf};

fn energy_columns(energy: &Energy) -> [(&'static str, f64); 14] {
    [
        ("kinetic", energy.kinetic),
        ("rotational", energy.rotational),
        ("potential", energy.potential),
        ("elastic_normal", energy.elastic_normal),
        ("elastic_tangential", energy.elastic_tangential),
        ("cohesion", energy.cohesion),
        ("damping_loss", energy.damping_loss),
        ("sliding_loss", energy.sliding_loss),
        ("rolling_loss", energy.rolling_loss),
        ("cohesion_loss", energy.cohesion_loss),
        ("field_work", energy.field_work),
        ("wall_work", energy.wall_work),
        ("inserted", energy.inserted),
        ("closure_error", energy.closure_error),
    ]
}

/// Defines a table type with a fixed header, based on [`Table`].
macro_rules! table_type {
    ($(#[$text:meta])* $name:ident, $columns:expr) => {
        $(#[$text])*
        #[derive(Debug)]
        pub struct $name(Table);

        impl $name {
            /// Starts the table.
            pub fn create(path: impl Into<PathBuf>) -> Result<Self, OutputError> {
                Ok(Self(Table::create(path, &$columns)?))
            }

            /// Continues the table at a position given by [`Self::position`].
            pub fn open_at(path: impl Into<PathBuf>, position: u64) -> Result<Self, OutputError> {
                Ok(Self(Table::open_at(path, &$columns, position)?))
            }

            /// End of the table, for a checkpoint; see [`Table::position`].
            pub fn position(&mut self) -> Result<u64, OutputError> {
                self.0.position()
            }
        }
    };
}

table_type!(
    /// `energy.csv`: energies, losses and work over time [J].
    EnergyTable,
    ["time", "step"]
        .into_iter()
        .chain(energy_columns(&Energy::default()).map(|(name, _)| name))
        .chain(["time_step"])
        .collect::<Vec<_>>()
);

impl EnergyTable {
    /// Adds a row: time [s], number of steps, energies and the length of the time step [s].
    pub fn push(
        &mut self,
        time: f64,
        step: u64,
        energy: &Energy,
        time_step: f64,
    ) -> Result<(), OutputError> {
        let mut row = vec![Cell::Number(time), Cell::Integer(step)];
        row.extend(energy_columns(energy).map(|(_, value)| Cell::Number(value)));
        row.push(Cell::Number(time_step));
        self.0.push_row(&row)?;
        self.0.flush()
    }
}

table_type!(
    /// `walls.csv`: load, displacement and work of every wall over time.
    WallTable,
    columns(&[
        "time", "step", "wall", "force_*", "torque_*", "position_*", "work"
    ])
);

impl WallTable {
    /// Adds one row per wall.
    pub fn push(&mut self, snapshot: &Snapshot) -> Result<(), OutputError> {
        self.push_walls(snapshot.time, snapshot.step, &snapshot.walls)
    }

    /// Adds one row per wall: time [s], number of steps, walls.
    pub(crate) fn push_walls(
        &mut self,
        time: f64,
        step: u64,
        walls: &[WallView],
    ) -> Result<(), OutputError> {
        for wall in walls {
            let mut row = vec![Cell::Number(time), Cell::Integer(step), Cell::Text(&wall.name)];
            push_vectors(&mut row, &[wall.force, wall.torque, wall.pose.translation]);
            row.push(Cell::Number(wall.work));
            self.0.push_row(&row)?;
        }
        self.0.flush()
    }
}

/// A change of a contact between two steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event<'a> {
    /// Interpolated time [s].
    pub time: f64,
    /// The step in which it happened.
    pub step: u64,
    /// Kind of the event: `begin`, `end`, `stick`, `slip`, `zero-slip`.
    pub event: &'a str,
    /// Id of the first partner.
    pub first: esker::ParticleId,
    /// The second partner.
    pub second: Partner,
    /// Overlap [m].
    pub overlap: f64,
    /// Rate of the overlap [m/s].
    pub closing_speed: f64,
    /// Slip velocity [m/s].
    pub slip_velocity: Vec3,
}

table_type!(
    /// `events.csv`: begin, end, stick and slip of contacts. The second partner is in the
    /// column `second` if it is a particle and in `wall` if it is a wall.
    EventTable,
    columns(&[
        "time",
        "event",
        "first",
        "second",
        "wall",
        "step",
        "overlap",
        "closing_speed",
        "slip_velocity_*"
    ])
);

impl EventTable {
    /// Adds a row; `walls` are the names of the walls in the order of the scene. A step may have many events: call
    /// [`EventTable::flush`] after the last of a step.
    pub fn push(&mut self, event: &Event, walls: &[String]) -> Result<(), OutputError> {
        let [second, wall] =
            partner_cells(event.second, |index| walls.get(index).map_or("", String::as_str));
        let mut row = vec![
            Cell::Number(event.time),
            Cell::Text(event.event),
            Cell::Integer(event.first.into()),
            second,
            wall,
            Cell::Integer(event.step),
            Cell::Number(event.overlap),
            Cell::Number(event.closing_speed),
        ];
        push_vectors(&mut row, &[event.slip_velocity]);
        self.0.push_row(&row)
    }

    /// Passes all rows to the operating system.
    pub fn flush(&mut self) -> Result<(), OutputError> {
        self.0.flush()
    }
}

pub(super) fn contact_columns() -> Vec<String> {
    columns(&[
        "first",
        "second",
        "wall",
        "first_position_*",
        "second_position_*",
        "normal_*",
        "overlap",
        "closing_speed",
        "elastic",
        "damping",
        "cohesion",
        "tangential_*",
        "moment_*",
        "slip_velocity_*",
        "normal_stiffness",
        "tangential_stiffness",
        "elastic_displacement_*",
        "contact_radius",
        "sliding",
    ])
}

/// Writes `contacts.csv`: all quantities of every contact of a snapshot.
pub fn write_contacts_csv(path: &Path, snapshot: &Snapshot) -> Result<(), OutputError> {
    let rows = snapshot.contacts.iter().map(|contact| {
        contact_row(contact, |index| snapshot.walls.get(index).map_or("", |w| w.name.as_str()))
    });
    write_whole(path, &contact_columns(), rows)
}

pub(super) fn contact_row<'a>(
    contact: &ContactView,
    wall_name: impl Fn(usize) -> &'a str,
) -> Vec<Cell<'a>> {
    let [second, wall] = partner_cells(contact.second, wall_name);
    let mut row = vec![Cell::Integer(contact.first.into()), second, wall];
    let positions = [contact.first_position, contact.second_position, contact.normal];
    push_vectors(&mut row, &positions);
    let scalars = [
        contact.overlap,
        contact.closing_speed,
        contact.elastic,
        contact.damping,
        contact.cohesion,
    ];
    row.extend(scalars.map(Cell::Number));
    let vectors = [contact.tangential, contact.moment, contact.slip_velocity];
    push_vectors(&mut row, &vectors);
    row.push(Cell::Number(contact.normal_stiffness));
    row.push(Cell::Number(contact.tangential_stiffness));
    push_vectors(&mut row, &[contact.elastic_displacement]);
    row.push(Cell::Number(contact.contact_radius));
    row.push(Cell::Integer(u64::from(contact.sliding)));
    row
}

/// Replaces a file by a complete table, or keeps the old file.
pub(crate) fn write_whole<'a>(
    path: &Path,
    columns: &[String],
    rows: impl Iterator<Item = Vec<Cell<'a>>>,
) -> Result<(), OutputError> {
    let write = || {
        let mut file = AtomicWriteFile::open(path)?;
        let mut text = columns.join(",") + "\n";
        for row in rows {
            append_row(&mut text, &row);
            if text.len() > 1 << 16 {
                file.write_all(text.as_bytes())?;
                text.clear();
            }
        }
        file.write_all(text.as_bytes())?;
        file.commit()
    };
    write().map_err(OutputError::system("write", path))
}

/// Names of columns, where `name_*` stands for the three components of a vector.
pub(super) fn columns(names: &[&str]) -> Vec<String> {
    let mut all = Vec::new();
    for name in names {
        match name.strip_suffix('*') {
            Some(stem) => all.extend(["x", "y", "z"].map(|axis| format!("{stem}{axis}"))),
            None => all.push((*name).to_string()),
        }
    }
    all
}

pub(super) fn push_vectors(row: &mut Vec<Cell>, vectors: &[Vec3]) {
    for vector in vectors {
        row.extend(vector.to_array().map(Cell::Number));
    }
}

/// The columns `second` and `wall`, of which one is empty.
fn partner_cells<'a>(second: Partner, wall_name: impl Fn(usize) -> &'a str) -> [Cell<'a>; 2] {
    match second {
        Partner::Particle(id) => [Cell::Integer(id.into()), Cell::Empty],
        Partner::Wall(wall) => [Cell::Empty, Cell::Text(wall_name(wall.index()))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_energy_table_has_every_field_of_the_ledger() {
        let ledger = serde_json::to_value(Energy::default()).unwrap();
        let mut fields: Vec<_> = ledger.as_object().unwrap().keys().cloned().collect();
        let mut columns =
            energy_columns(&Energy::default()).map(|(name, _)| name.to_string()).to_vec();
        fields.sort();
        columns.sort();
        assert_eq!(fields, columns);
    }
}
