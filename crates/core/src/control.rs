//! Changes that a program makes while a simulation runs, and handles of walls, groups and materials.

use crate::Vec3;
use crate::error::{Error, Problem};
use crate::field::Field;
use crate::id::{GroupId, MaterialId, WallId};
use crate::material::Pair;
use crate::scene::Scene;
use crate::simulation::Simulation;
use crate::snapshot::WallView;
use crate::stage::Change;
use crate::wall::Motion;
use std::sync::Arc;

impl Simulation {
    /// The scene, with all changes made so far by methods such as [`Self::set_gravity`]. A state saved after such a
    /// change is restored with this scene ([`Simulation::restore`](Self::restore)).
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The wall with this name that is present.
    pub fn wall_id(&self, name: &str) -> Option<WallId> {
        Some(WallId::new(self.engine.present_wall(name)? as u16))
    }

    /// A wall and its load; none if there is no wall with this id.
    pub fn wall(&self, id: WallId) -> Option<WallView> {
        self.wall_views().into_iter().nth(id.index())
    }

    /// The group of particles with this name.
    pub fn group_id(&self, name: &str) -> Option<GroupId> {
        let index = self.groups.iter().position(|group| group == name)?;
        Some(GroupId::new(index as u16))
    }

    /// Name of a group of particles.
    pub fn group_name(&self, id: GroupId) -> Option<&str> {
        self.groups.get(id.index()).map(String::as_str)
    }

    /// Sets gravity in m/s².
    ///
    /// ```
    /// # use esker::prelude::*;
    /// # fn main() -> Result<(), Error> {
    /// # let mut scene = Scene::new();
    /// # let glass = Material::new().density(2500.0).young_modulus(5.0e7).poisson_ratio(0.24);
    /// # let glass = scene.add_material("glass", glass);
    /// # scene.step = StepSize::Fixed(1e-3);
    /// # let ball = scene.add_sphere(glass, Sphere::new(0.01, Vec3::ZERO));
    /// let mut simulation = scene.build()?;
    /// simulation.run_until(0.1)?;
    /// simulation.set_gravity(Vec3::Z * -10.0)?;
    /// simulation.run_until(0.2)?;
    /// let speed = simulation.particles()[ball].velocity.z;
    /// assert!((speed + 1.0).abs() < 1e-12); // 10 m/s² during 0.1 s
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_gravity(&mut self, gravity: Vec3) -> Result<(), Error> {
        if !gravity.is_finite() {
            return refused("gravity", format!("gravity is {gravity} m/s²"));
        }
        self.change_at(Change::SetGravity(gravity), "gravity")?;
        self.scene.gravity = gravity;
        self.forget_changes(|change| matches!(change, Change::SetGravity(_)));
        Ok(())
    }

    /// Sets a new motion of a wall, which starts at its current pose.
    pub fn set_wall_motion(&mut self, wall: WallId, motion: Motion) -> Result<(), Error> {
        let name = self.present_wall_name(wall)?;
        let path = format!("walls[{wall}].motion");
        if let Some(problem) = motion.problems().into_iter().next() {
            return refused(&path, problem);
        }
        self.change_at(Change::SetMotion(name.clone(), motion.clone()), &path)?;
        self.forget_changes(|change| matches!(change, Change::SetMotion(of, _) if *of == name));
        if let Some(wall) = self.scene.walls.get_mut(wall.index()) {
            wall.motion = motion;
            return Ok(());
        }
        // walls of stages come after those of the start, in order
        let index = wall.index() - self.scene.walls.len();
        let changes = self.scene.stages.iter_mut().flat_map(|stage| &mut stage.changes);
        let added = changes.filter_map(|change| match change {
            Change::AddWall(wall) => Some(wall),
            _ => None,
        });
        if let Some(wall) = added.into_iter().nth(index) {
            wall.motion = motion;
        }
        Ok(())
    }

    /// Adds a field, or replaces the one of the same name.
    pub fn set_field(&mut self, field: Arc<dyn Field>) -> Result<(), Error> {
        self.change_at(Change::SetField(field), "fields")?;
        self.keep_fields();
        Ok(())
    }

    /// Removes the field of this name.
    pub fn remove_field(&mut self, name: &str) -> Result<(), Error> {
        if !self.engine.fields().iter().any(|field| field.name() == name) {
            return refused("fields", format!("there is no field `{name}`"));
        }
        self.change_at(Change::RemoveField(name.to_owned()), "fields")?;
        self.keep_fields();
        Ok(())
    }

    /// Sets a parameter of the contact between two materials, such as `friction`. It replaces parameters that it
    /// excludes: `restitution` replaces `damping_ratio`.
    pub fn set_pair_parameter(
        &mut self,
        first: MaterialId,
        second: MaterialId,
        parameter: &str,
        value: f64,
    ) -> Result<(), Error> {
        let parameter = parameter.to_owned();
        self.change_at(Change::SetPair { between: [first, second], parameter, value }, "pairs")?;
        self.forget_changes(|change| matches!(change, Change::SetPair { .. }));
        Ok(())
    }

    /// Sets several parameters of the contact between two materials, as
    /// [`Self::set_pair_parameter`] does.
    pub fn set_pair_parameters(
        &mut self,
        first: MaterialId,
        second: MaterialId,
        pair: &Pair,
    ) -> Result<(), Error> {
        pair.iter()
            .try_for_each(|(name, value)| self.set_pair_parameter(first, second, name, value))
    }

    /// Makes a change as a stage does, between steps. A state that is saved afterwards can be restored
    /// with a scene in which the current stage makes the same change.
    pub fn change(&mut self, change: Change) -> Result<(), Error> {
        self.change_at(change, "change")
    }

    /// Makes a change between two steps: rebuilds the neighbour list, evaluates the forces and records the energy that
    /// the change adds.
    fn change_at(&mut self, change: Change, path: &str) -> Result<(), Error> {
        if self.ranks.is_some() {
            return refused(path, "changes between steps are not supported on several ranks");
        }
        self.accept_edits()?;
        self.with_energy_balance(|simulation| {
            simulation.apply(change, path)?;
            simulation.changed()
        })
    }

    fn present_wall_name(&self, id: WallId) -> Result<String, Error> {
        match self.engine.walls().get(id.index()).filter(|wall| wall.present) {
            Some(wall) => Ok(wall.wall.name.clone()),
            None => refused("walls", format!("there is no wall {id}")),
        }
    }

    /// Replaces the fields of the scene by the current ones.
    fn keep_fields(&mut self) {
        self.scene.fields = self.engine.fields().to_vec();
        self.forget_changes(|change| {
            matches!(change, Change::SetField(_) | Change::RemoveField(_))
        });
    }

    /// Removes changes of stages that have begun and that a later change by the program replaces, so that restoring a
    /// state from the scene does not repeat them.
    fn forget_changes(&mut self, is_replaced: impl Fn(&Change) -> bool) {
        let begun = self.schedule.present + usize::from(self.schedule.begun);
        for stage in self.scene.stages.iter_mut().take(begun) {
            stage.changes.retain(|change| !is_replaced(change));
        }
    }
}

fn refused<T>(path: &str, message: impl Into<String>) -> Result<T, Error> {
    Err(Error::Scene(vec![Problem::at(path, message)]))
}
