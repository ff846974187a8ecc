//! Changes of walls, motions, fields, parameters and particles between steps.

use crate::diagnosis::DetectedAt;
use crate::energy_exchange::EnergyBalance;
use crate::error::{Error, Problem};
use crate::id::MaterialId;
use crate::kernel::laws::LawTable;
use crate::simulation::Simulation;
use crate::stage::Change;
use crate::wall::live::LiveWall;

impl Simulation {
    /// Rebuilds the neighbour list, evaluates the forces and checks the time step after a change.
    pub(crate) fn changed(&mut self) -> Result<(), Error> {
        self.evaluate_change(Self::choose_step)?;
        self.check_overlap(DetectedAt::Change)
    }

    /// The same without a check of overlaps, with a function that checks the time step.
    pub(super) fn evaluate_change(
        &mut self,
        choose_step: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.engine.set_step(self.clock.time(), self.clock.dt);
        self.rebuild_list();
        self.apply_inherited()?;
        choose_step(self)?;
        self.evaluate_after_change();
        self.engine.agree([]);
        self.engine.set_step(self.clock.time(), self.clock.dt);
        // the list was built before the new forces and the new step were known
        self.outcome.within_skin = self.engine.stays_within_skin();
        Ok(())
    }

    /// Makes a change that adds or removes energy, and records this energy in the ledger.
    pub(crate) fn with_energy_balance(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let before = self.balance();
        change(self)?;
        self.energy_exchange.insert(before, self.balance());
        Ok(())
    }

    /// The energy before and after a change between steps; a collective operation of all ranks.
    pub(crate) fn balance(&self) -> EnergyBalance {
        if !self.engine.has_ledger() {
            return EnergyBalance::default();
        }
        let energy = self.energy_together();
        EnergyBalance {
            total: energy.present() + energy.lost() - energy.wall_work - energy.field_work,
            half_step_difference: energy.half_step_difference,
        }
    }

    pub(crate) fn apply(&mut self, change: Change, path: &str) -> Result<(), Error> {
        let time = self.time();
        let unknown = |kind: &str, name: &str| {
            Error::Scene(vec![Problem::at(
                path,
                format!("there is no {kind} `{name}` at this stage"),
            )])
        };
        match change {
            Change::RemoveWall(name) => {
                let wall = self.engine.present_wall(&name);
                let index = wall.ok_or_else(|| unknown("wall", &name))?;
                self.engine.remove_wall(index);
                self.remove_wall_particles(index);
            }
            Change::AddWall(wall) => self.add_wall(LiveWall::new(wall, time)),
            Change::SetMotion(name, motion) => {
                let wall = self.engine.present_wall(&name);
                let index = wall.ok_or_else(|| unknown("wall", &name))?;
                self.engine.set_motion(index, motion, time);
            }
            Change::SetGravity(gravity) => self.engine.set_gravity(gravity),
            Change::RemoveField(name) => {
                self.engine.fields_mut().retain(|field| field.name() != name);
            }
            Change::SetField(field) => {
                let fields = self.engine.fields_mut();
                fields.retain(|other| other.name() != field.name());
                fields.push(field);
            }
            Change::SetPair { between, parameter, value } => {
                self.set_pair(between, &parameter, value, path)?
            }
            Change::Insert(source) => self.insert(&source, path)?,
            Change::RemoveParticles(group) => {
                let group = self
                    .groups
                    .iter()
                    .position(|name| *name == group)
                    .ok_or_else(|| unknown("group", &group))?;
                self.delete(|particles, slot| usize::from(particles.metadata[slot].group) == group);
            }
        }
        Ok(())
    }

    fn set_pair(
        &mut self,
        between: [MaterialId; 2],
        parameter: &str,
        value: f64,
        path: &str,
    ) -> Result<(), Error> {
        let before = self.scene.pairs.clone();
        let result = self.try_set_pair(between, parameter, value, path);
        match result {
            Ok(table) => {
                self.engine.set_table(table);
                self.warn_of_collapse();
                Ok(())
            }
            Err(error) => {
                self.scene.pairs = before;
                Err(error)
            }
        }
    }

    /// Changes a parameter in the scene and rebuilds the laws.
    fn try_set_pair(
        &mut self,
        between: [MaterialId; 2],
        parameter: &str,
        value: f64,
        path: &str,
    ) -> Result<LawTable, Error> {
        let Some(pair) = self.scene.pair_mut(between) else {
            return Err(Error::Scene(vec![Problem::at(
                path,
                "this pair of materials has no parameters to change",
            )]));
        };
        pair.change(parameter, value);
        let mut problems = Vec::new();
        let material_pairs: Vec<_> =
            self.engine.table().pairs.iter().map(|pair| pair.materials).collect();
        let table = LawTable::new(&self.scene, &material_pairs, self.radii(), &mut problems);
        if !problems.is_empty() {
            return Err(Error::Scene(problems));
        }
        if table.layout != self.engine.table().layout {
            let message = format!("`{parameter}` changes the history that contacts store");
            return Err(Error::Scene(vec![
                Problem::at(path, message).help("it must be the same for the whole run"),
            ]));
        }
        Ok(table)
    }
}
