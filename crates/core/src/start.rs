//! Errors at the start, reported for the bodies of the scene instead of the run.

use crate::error::{Cause, Error, Problem, StepError};
use crate::id::{ParticleId, WallId};
use crate::insert::Placement;
use crate::simulation::Simulation;
use crate::snapshot::{ContactView, Partner};

/// A body of the scene: its path, and its name in messages.
struct Body {
    path: String,
    name: String,
}

impl Simulation {
    /// Adds the positions of both bodies in the scene to an error of the first force
    /// evaluation.
    pub(crate) fn at_start(&self, error: Error) -> Error {
        match error {
            Error::Step(error) => {
                let problem = Some(Box::new(self.problem_at_start(&error)));
                Error::Step(StepError { at_start: problem, ..error })
            }
            other => other,
        }
    }

    fn problem_at_start(&self, error: &StepError) -> Problem {
        let Some(first) = self.particle_in_scene(error.id) else {
            return Problem::at("particles", error.to_string());
        };
        let second = self.deepest_with(error.id).and_then(|partner| match partner {
            Partner::Particle(id) => self.particle_in_scene(id),
            Partner::Wall(index) => self.wall_in_scene(index),
        });
        let (Cause::Overlap(fraction), Some(second)) = (&error.cause, second) else {
            let message = format!("{} of {}", error.cause, first.name);
            return Problem::at(first.path, message).help(error.advice.clone());
        };
        let message = format!(
            "{} and {} overlap at the start by {:.1} % of the radius",
            first.name,
            second.name,
            100.0 * fraction
        );
        let mut problem = Problem::at(first.path, message).help(error.advice.clone());
        problem.label = Some(first.name);
        problem.other = Some((second.path, second.name));
        problem
    }

    /// The other partner of the contact of a particle with the largest overlap.
    fn deepest_with(&self, id: ParticleId) -> Option<Partner> {
        let views = self.engine.contact_views();
        let own = |view: &&ContactView| view.first == id || view.second == Partner::Particle(id);
        let deepest = views.iter().filter(own).max_by(|a, b| a.overlap.total_cmp(&b.overlap))?;
        let is_first = deepest.first == id;
        Some(if is_first { deepest.second } else { Partner::Particle(deepest.first) })
    }

    fn particle_in_scene(&self, id: ParticleId) -> Option<Body> {
        let particles = &self.engine.particles();
        let slot = particles.slot(id)?;
        let group = &self.groups[usize::from(particles.metadata[slot].group)];
        let name = format!("particle {id} of `{group}`");
        if let Some((wall, _)) = particles.driver(slot) {
            return Some(Body { path: format!("walls[{wall}]"), name });
        }
        // Lists come first, one after another, so that the id determines the item.
        let mut first = 0;
        for (index, source) in self.scene.particles.iter().enumerate() {
            let Placement::List(list) = &source.placement else { continue };
            let end = first + list.len();
            if (first..end).contains(&id.index()) {
                let path = format!("particles[{index}].insert.list[{}]", id.index() - first);
                return Some(Body { path, name });
            }
            first = end;
        }
        let index = self.scene.particles.iter().position(|source| source.name == *group)?;
        Some(Body { path: format!("particles[{index}]"), name })
    }

    fn wall_in_scene(&self, id: WallId) -> Option<Body> {
        let name = &self.engine.walls().get(id.index())?.wall.name;
        let index = self.scene.walls.iter().position(|wall| wall.name == *name)?;
        Some(Body { path: format!("walls[{index}]"), name: format!("the wall `{name}`") })
    }
}
