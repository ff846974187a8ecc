//! Probes: tables of chosen quantities of a group, a particle, a contact or a wall.

use super::lazy_snapshot::LazySnapshot;
use super::quantities::{self, Value};
use crate::output::{Cell, Table};
use crate::settings::{Probe, Target};
use esker::measure::{ContactView, Partner};
use esker::{ParticleId, Trigger, WallId};
use esker_draw::OutputError;
use std::path::Path;

/// Names of quantities and their numbers of columns.
pub(super) type Quantities = &'static [(&'static str, usize)];

const GROUP: Quantities = &[
    ("count", 1),
    ("mass", 1),
    ("mean_position", 3),
    ("mean_velocity", 3),
    ("mean_spin", 3),
    ("min_position", 3),
    ("max_position", 3),
    ("max_height", 1),
    ("max_speed", 1),
    ("kinetic_energy", 1),
    ("rotational_energy", 1),
    ("mean_coordination", 1),
    ("force", 3),
];

const PARTICLE: Quantities = &[
    ("position", 3),
    ("unwrapped_position", 3),
    ("velocity", 3),
    ("speed", 1),
    ("spin", 3),
    ("orientation", 4),
    ("rotation_vector", 3),
    ("rodrigues", 3),
    ("accumulated_angle", 1),
    ("mark", 3),
    ("force", 3),
    ("torque", 3),
    ("kinetic_energy", 1),
    ("rotational_energy", 1),
    ("coordination", 1),
];

const CONTACT: Quantities = &[
    ("overlap", 1),
    ("closing_speed", 1),
    ("normal", 3),
    ("force", 3),
    ("normal_force", 1),
    ("elastic", 1),
    ("damping", 1),
    ("cohesion", 1),
    ("tangential", 3),
    ("tangential_force", 1),
    ("moment", 3),
    ("slip_velocity", 3),
    ("slip_speed", 1),
    ("time_to_zero_slip", 1),
    ("normal_stiffness", 1),
    ("tangential_stiffness", 1),
    ("elastic_displacement", 3),
    ("sliding_displacement", 3),
    ("contact_radius", 1),
    ("sliding", 1),
];

const WALL: Quantities = &[
    ("force", 3),
    ("torque", 3),
    ("position", 3),
    ("rotation", 4),
    ("velocity", 3),
    ("spin", 3),
    ("work", 1),
    ("present", 1),
];

/// Quantities of a probe.
pub(super) fn known(target: &Target) -> Quantities {
    match target {
        Target::Particles(_) => GROUP,
        Target::Particle(_) => PARTICLE,
        Target::Contact(..) | Target::WallContact(..) => CONTACT,
        Target::Wall(_) => WALL,
    }
}

/// A probe with its table.
#[derive(Debug)]
pub(crate) struct ProbeTable {
    probe: Probe,
    trigger: Trigger,
    table: Table,
}

impl ProbeTable {
    /// Starts its table, or continues it at a position.
    pub(crate) fn open(
        probe: &Probe,
        folder: &Path,
        resumed: Option<(u64, f64, f64)>,
    ) -> Result<Self, OutputError> {
        let path = folder.join("probes").join(format!("{}.csv", probe.name));
        let columns = columns(probe);
        let trigger = probe.every.map_or(Trigger::every_steps(1), Trigger::every);
        let (table, trigger) = match resumed {
            None => (Table::create(path, &columns)?, trigger),
            Some((position, time, dt)) => {
                (Table::open_at(path, &columns, position)?, trigger.resumed(time, dt))
            }
        };
        Ok(Self { probe: probe.clone(), trigger, table })
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.probe.name
    }

    /// Adds a row if one is due.
    pub(crate) fn record(&mut self, now: &LazySnapshot) -> Result<(), OutputError> {
        if !self.trigger.fires(now.simulation) {
            return Ok(());
        }
        let mut row = vec![Cell::Number(now.time()), Cell::Integer(now.step())];
        for name in &self.probe.columns {
            let width = width(&self.probe.target, name);
            match value(&self.probe, name, now) {
                Some(Value::Number(number)) => row.push(Cell::Number(number)),
                Some(Value::Integer(number)) => row.push(Cell::Integer(number)),
                Some(Value::Vector(vector)) => row.extend(vector.to_array().map(Cell::Number)),
                Some(Value::Quaternion(q)) => row.extend([q.w, q.x, q.y, q.z].map(Cell::Number)),
                // The particle has left, or the partners do not touch.
                None => row.extend(std::iter::repeat_n(Cell::Empty, width)),
            }
        }
        self.table.push_row(&row)?;
        // Rows of every step are buffered; rare ones are written immediately.
        if self.probe.every.is_some() { self.table.flush() } else { Ok(()) }
    }

    /// End of the table, for a checkpoint.
    pub(crate) fn position(&mut self) -> Result<u64, OutputError> {
        self.table.position()
    }

    /// Passes all rows to the operating system.
    pub(crate) fn flush(&mut self) -> Result<(), OutputError> {
        self.table.flush()
    }
}

fn width(target: &Target, name: &str) -> usize {
    known(target).iter().find(|(known, _)| *known == name).map_or(1, |(_, width)| *width)
}

/// The columns of its table.
pub(super) fn columns(probe: &Probe) -> Vec<String> {
    let mut names = vec!["time".to_owned(), "step".to_owned()];
    for name in &probe.columns {
        match width(&probe.target, name) {
            3 => names.extend(["x", "y", "z"].map(|axis| format!("{name}_{axis}"))),
            4 => names.extend(["w", "x", "y", "z"].map(|axis| format!("{name}_{axis}"))),
            _ => names.push(name.clone()),
        }
    }
    names
}

/// The particle with this number; none if no particle can have it.
fn particle(number: u64) -> Option<ParticleId> {
    u32::try_from(number).ok().map(ParticleId::new)
}

fn value(probe: &Probe, name: &str, now: &LazySnapshot) -> Option<Value> {
    match &probe.target {
        Target::Particles(group) => quantities::of_group(name, group.as_deref(), now),
        Target::Particle(id) => match name {
            "mark" => quantities::mark(particle(*id)?, probe.mark?, now),
            "accumulated_angle" => quantities::accumulated_angle(particle(*id)?, probe.axis?, now),
            _ => quantities::of_particle(name, particle(*id)?, now),
        },
        Target::Contact(first, second) => {
            let [first, second] = [*first.min(second), *first.max(second)];
            let (first, partner) = (particle(first)?, Partner::Particle(particle(second)?));
            quantities::of_contact(name, contact(now, |c| c.first == first && c.second == partner)?)
        }
        Target::WallContact(id, wall) => {
            let id = particle(*id)?;
            let wall = now.walls().iter().position(|view| view.name == *wall)?;
            let partner = Partner::Wall(WallId::new(wall as u16));
            quantities::of_contact(name, contact(now, |c| c.first == id && c.second == partner)?)
        }
        Target::Wall(wall) => {
            let view = now.walls().iter().rfind(|view| view.name == *wall)?;
            quantities::of_wall(name, view)
        }
    }
}

/// The contact of a probe; of several with one wall, the one with the largest overlap.
fn contact<'a>(
    now: &'a LazySnapshot<'_>,
    is_it: impl Fn(&ContactView) -> bool,
) -> Option<&'a ContactView> {
    let found = now.contacts().iter().filter(|contact| is_it(contact));
    found.max_by(|a, b| a.overlap.total_cmp(&b.overlap))
}
