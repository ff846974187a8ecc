//! Insertion and removal of particles and walls between steps.

use crate::engine::Engine;
use crate::insert::{Source, Sphere};
use crate::material::MaterialId;
use crate::particles::{Driver, HotData, Metadata, Particles, wrap};
use crate::simulation::Simulation;
use crate::wall::Shape;
use crate::wall::live::LiveWall;
use crate::{Quat, Vec3};

impl Simulation {
    /// Index of a group of particles; a new name adds a group.
    pub(crate) fn group(&mut self, name: &str) -> u16 {
        let index = self.groups.iter().position(|group| group == name).unwrap_or_else(|| {
            self.groups.push(name.to_owned());
            self.groups.len() - 1
        });
        index as u16
    }

    /// Adds a particle of a source; false if it belongs to another rank.
    pub(crate) fn add_particle(&mut self, sphere: &Sphere, source: &Source) -> bool {
        let group = self.group(&source.name);
        let free = Driver::default();
        self.push_particle(sphere, group, source.material, source.charge, source.fixed, free)
    }

    fn push_particle(
        &mut self,
        sphere: &Sphere,
        group: u16,
        material: MaterialId,
        charge: f64,
        fixed: bool,
        driver: Driver,
    ) -> bool {
        let radius = sphere.radius;
        let free_mass = self.scene.materials[material.index()].1.sphere_mass(radius);
        let mass = if fixed { f64::INFINITY } else { free_mass };
        let still =
            |vector: Vec3| if fixed && driver.wall == 0 { [0.0; 3] } else { vector.to_array() };
        // the requested velocities have been checked; this removes random components
        let free = self.scene.freedom();
        let mut record = HotData {
            position: sphere.position.to_array(),
            radius,
            velocity: still(free.velocity(sphere.velocity)),
            inverse_mass: 1.0 / mass,
            spin: still(free.spin(sphere.spin)),
            inverse_inertia: 0.0,
            listed_position: sphere.position.to_array(),
            mass,
        };
        record.inverse_inertia = 1.0 / record.inertia();
        let mut metadata = Metadata {
            number: self.schedule.next_id as u32,
            group,
            material: material.number(),
            image: [0; 3],
        };
        wrap(self.engine.domain(), &mut record, &mut metadata);
        let is_own = self.owns(record.position, metadata.number);
        if is_own {
            let particles = self.engine.particles_mut();
            particles.push(record, metadata, Quat::IDENTITY);
            particles.set_last(charge, driver);
        }
        self.schedule.next_id += 1;
        self.counts.inserted += 1;
        self.counts.present += 1;
        is_own
    }

    /// Adds a wall, with its particles if it consists of particles.
    pub(crate) fn add_wall(&mut self, wall: LiveWall) {
        let number = self.engine.walls().len() as u16 + 1;
        let material = wall.wall.material;
        if let Shape::Particles(spheres) = &wall.wall.shape {
            let group = self.group(&wall.wall.name);
            for (index, sphere) in spheres.iter().enumerate() {
                let driver = Driver { wall: number, index: index as u32 };
                self.push_particle(sphere, group, material, 0.0, true, driver);
            }
        }
        self.engine.add_wall(wall);
    }

    /// Deletes the particles of a wall, given by its index in the list of walls.
    pub(crate) fn remove_wall_particles(&mut self, index: usize) {
        self.delete(|particles, slot| {
            particles.driver(slot).is_some_and(|(wall, _)| wall == index)
        });
    }

    /// Deletes particles; their contributions to the ledger remain. A collective operation of all ranks.
    pub(crate) fn delete(&mut self, gone: impl Fn(&Particles, usize) -> bool) {
        let particles = self.engine.particles();
        let leaving: Vec<usize> =
            (0..particles.len()).filter(|&slot| gone(particles, slot)).collect();
        let mut count = [leaving.len() as i64];
        self.engine.sum_over_ranks(&mut count);
        let count = count[0] as u64;
        if count == 0 {
            return;
        }
        let mut keep = vec![true; particles.len()];
        let kinetic = self.engine.account_departure(&leaving);
        self.energy_exchange.add_departure(kinetic);
        leaving.iter().for_each(|&slot| keep[slot] = false);
        self.counts.deleted += count;
        self.counts.present -= count;
        self.engine.rebuild(|slot| keep[slot]);
    }
}

/// Bodies near the position of an insertion, to test whether there is room.
#[derive(Debug, Default)]
pub(crate) struct Occupancy {
    near: Vec<(Vec3, f64)>,
}

impl Occupancy {
    /// The particles of all ranks that a sphere of this radius inside a box could touch.
    pub(crate) fn new(engine: &Engine, (low, high): (Vec3, Vec3), radius: f64) -> Self {
        let middle = 0.5 * (low + high);
        let half = 0.5 * (high - low);
        let is_near = |record: &HotData| {
            let away =
                engine.domain().nearest_image(Vec3::from_array(record.position) - middle).abs()
                    - half;
            away.max_element() < record.radius + radius
        };
        Self { near: engine.spheres_of_all(is_near) }
    }

    pub(crate) fn add(&mut self, sphere: &Sphere) {
        self.near.push((sphere.position, sphere.radius));
    }

    /// True if a sphere would touch neither a particle nor a wall.
    pub(crate) fn has_space(&self, engine: &Engine, position: Vec3, radius: f64) -> bool {
        let misses = |&(other, other_radius): &(Vec3, f64)| {
            let touching = other_radius + radius;
            engine.domain().nearest_image(other - position).length_squared() >= touching * touching
        };
        self.near.iter().all(misses) && misses_walls(engine, position, radius)
    }
}

/// True if a sphere would touch no existing wall and lie on the free side of each wall. A cylinder or cone with its
/// particles inside does not exclude particles inside another one beside it.
pub(crate) fn misses_walls(engine: &Engine, position: Vec3, radius: f64) -> bool {
    let present = || engine.walls().iter().filter(|wall| wall.present);
    let admits = |wall: &LiveWall| wall.wall.shape.admits(wall.pose.to_local(position), radius);
    let holds = |wall: &LiveWall, point: Vec3| wall.wall.shape.holds(wall.pose.to_local(point));
    let is_elsewhere = |wall: &LiveWall| {
        let shape = &wall.wall.shape;
        let local = wall.pose.to_local(position);
        let Some(on_axis) = shape.on_axis(local) else { return false };
        let on_axis = wall.pose.to_world(on_axis);
        shape.contact(local, radius, 0.0).is_none()
            && present().any(|other| holds(other, position) && !holds(other, on_axis))
    };
    present().all(|wall| admits(wall) || is_elsewhere(wall))
}
