//! The scenes of the benchmark: beds, a drum as a cylinder or as a mesh, and a gas, all with the default laws and,
//! except for the bed of many sizes, with the same grains.

use super::states::State;
use crate::failure::Failure;
use clap::ValueEnum;
use esker::prelude::*;
use esker::wall::{Mesh, SMOOTH_ANGLE};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Scene to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Which {
    /// A settled bed on a floor, periodic in x and y, with random initial velocities.
    Bed,
    /// The same with a boulder on it, fifty times larger than the grains.
    BedBoulder,
    /// A settled bed with log-normal radii, from a third to three times the median.
    BedSizes,
    /// A closed drum that rotates once per second: a cylinder with two discs.
    Drum,
    /// The same drum as a mesh of 2048 triangles.
    DrumMesh,
    /// A cooling gas, periodic in all directions.
    Gas,
}

/// Mean radius [m]; radii are uniform within 20 % of it.
pub const RADIUS: f64 = 1e-3;
pub const SPREAD: f64 = 0.2;
/// Radius and length of the drum [m].
pub const DRUM_RADIUS: f64 = 0.055;
pub const DRUM_LENGTH: f64 = 0.04;
/// Time step, and that of the bed with smaller grains [s].
const STEP: f64 = 5e-6;
const STEP_SIZES: f64 = 2.5e-6;

impl Which {
    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bed => "bed",
            Self::BedBoulder => "bed-boulder",
            Self::BedSizes => "bed-sizes",
            Self::Drum => "drum",
            Self::DrumMesh => "drum-mesh",
            Self::Gas => "gas",
        }
    }

    /// Default number of particles.
    pub fn particles(self) -> usize {
        match self {
            Self::Bed | Self::BedSizes => 10_000,
            Self::BedBoulder => 90_001,
            Self::Drum | Self::DrumMesh => 20_000,
            Self::Gas => 50_000,
        }
    }

    /// The simulation of a state.
    pub fn build(self, state: &State, threads: usize) -> Result<Simulation, Failure> {
        self.build_with(state, threads, |_, _| {})
    }

    /// The same after a change to the scene.
    pub fn build_with(
        self,
        state: &State,
        threads: usize,
        change: impl FnOnce(&mut Scene, MaterialId),
    ) -> Result<Simulation, Failure> {
        let (mut scene, grain) = scene(threads);
        let [x0, x1, y0, y1, z0, z1] = state.bounds;
        let mut domain = Domain::new(Vec3::new(x0, y0, z0), Vec3::new(x1, y1, z1));
        match self {
            Self::Bed | Self::BedBoulder | Self::BedSizes => {
                // grains rest slightly below the surface of the floor
                domain.min.z -= 10.0 * RADIUS;
                domain.periodic = [true, true, false];
                let floor = Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z };
                scene.add_wall("floor", floor, grain);
            }
            Self::Drum => {
                for (name, shape) in cylinder() {
                    scene.add_moving_wall(name, shape, grain, turning());
                }
            }
            Self::DrumMesh => {
                let mesh = drum_mesh()?;
                scene.add_moving_wall("drum", Shape::Mesh(Arc::new(mesh)), grain, turning());
            }
            Self::Gas => {
                domain.periodic = [true; 3];
                scene.gravity = Vec3::ZERO;
            }
        }
        if self == Self::BedSizes {
            scene.step = StepSize::Fixed(STEP_SIZES);
        }
        scene.domain = Some(domain);
        scene.particles.push(Source::list("grains", grain, state.spheres.clone()));
        change(&mut scene, grain);
        scene.build().map_err(stopped)
    }
}

/// The common part of all scenes: E = 10 MPa, ν = ¼, μ = e = ½. Tension is kept, as in LAMMPS `granular` with the same
/// restitution; the measured loop is also the one that clips.
fn scene(threads: usize) -> (Scene, MaterialId) {
    let mut scene = Scene::new();
    scene.title = "Benchmark".to_owned();
    scene.seed = 1;
    scene.gravity = Vec3::new(0.0, 0.0, -9.81);
    scene.threads = threads;
    scene.step = StepSize::Fixed(STEP);
    scene.contact = ContactModel::normal(normal::Hertz { tension: damping::TensileCutoff::Keep })
        .damping(damping::HertzDamping::default())
        .tangential(tangential::Mindlin::default());
    let material = Material::new().density(2500.0).young_modulus(1e7).poisson_ratio(0.25);
    let grain = scene.add_material("grain", material);
    scene.set_pair(grain, grain, Pair::new().friction(0.5).restitution(0.5));
    // grains at the bottom are hit by all those above while a bed settles
    scene.health.overlap_limit = 0.5;
    (scene, grain)
}

fn turning() -> Motion {
    Motion::Rotation { point: Vec3::ZERO, axis: Vec3::Y, rate: TAU }
}

fn cylinder() -> [(&'static str, Shape); 3] {
    let end = Vec3::Y * (0.5 * DRUM_LENGTH);
    let cap =
        |center: Vec3| Shape::Disc { center, normal: -center.normalize(), radius: DRUM_RADIUS };
    let side = Shape::Cylinder { start: -end, end, radius: DRUM_RADIUS, side: Side::Inside };
    [("side", side), ("front", cap(-end)), ("back", cap(end))]
}

/// 64 planes tangential to the cylinder, divided into five along the axis, and end plates of six rings.
fn drum_mesh() -> Result<Mesh, Failure> {
    const FLATS: u32 = 64;
    const CUTS: u32 = 5;
    const RINGS: u32 = 6;
    let outer = DRUM_RADIUS / (std::f64::consts::PI / f64::from(FLATS)).cos();
    let point = |radius: f64, flat: u32, y: f64| {
        let (sin, cos) = (TAU * f64::from(flat % FLATS) / f64::from(FLATS)).sin_cos();
        Vec3::new(radius * cos, y, radius * sin)
    };
    let mut corners: Vec<[Vec3; 3]> = Vec::new();
    let position_along = |cut: u32| DRUM_LENGTH * (f64::from(cut) / f64::from(CUTS) - 0.5);
    let ring = |ring: u32| outer * f64::from(ring) / f64::from(RINGS);
    for flat in 0..FLATS {
        for cut in 0..CUTS {
            let [a, b] = [position_along(cut), position_along(cut + 1)];
            let [from, to] = [flat, flat + 1];
            corners.push([point(outer, from, a), point(outer, to, a), point(outer, to, b)]);
            corners.push([point(outer, from, a), point(outer, to, b), point(outer, from, b)]);
        }
        for y in [position_along(0), position_along(CUTS)] {
            corners.push([Vec3::Y * y, point(ring(1), flat, y), point(ring(1), flat + 1, y)]);
            for inner in 1..RINGS {
                let [a, b] = [ring(inner), ring(inner + 1)];
                corners.push([point(a, flat, y), point(b, flat, y), point(b, flat + 1, y)]);
                corners.push([point(a, flat, y), point(b, flat + 1, y), point(a, flat + 1, y)]);
            }
        }
    }
    let triangles = (0..corners.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let vertices = corners.into_iter().flatten().collect();
    let (mesh, _) = Mesh::new(vertices, triangles, SMOOTH_ANGLE).map_err(Failure::input)?;
    Ok(mesh)
}

/// An error of the engine.
pub fn stopped(error: esker::Error) -> Failure {
    match error {
        esker::Error::Step(error) => Failure::unphysical(error.to_string()),
        other => Failure::input(other.to_string()),
    }
}
