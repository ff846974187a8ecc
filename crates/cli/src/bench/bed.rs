//! The standard bed: spheres settled on a floor, periodic to the sides.

use crate::failure::{Failure, say};
use esker::insert::{Amount, Placement, Radius, Region, Source};
use esker::prelude::*;
use std::fmt::Write;
use std::path::PathBuf;

/// Mean radius [m]; radii are uniform within 10 % of it.
const RADIUS: f64 = 0.005;
/// Time for a bed to settle [s].
const SETTLING: f64 = 0.15;
/// Counts up when the way a bed is made changes, so that no old one is taken from the cache.
const RECIPE: u32 = 1;

/// The scene of all beds but for its particles and its box.
fn scene(threads: usize) -> (Scene, MaterialId) {
    let mut scene = Scene::new();
    scene.title = "Settled bed".to_owned();
    scene.seed = 1;
    scene.gravity = Vec3::new(0.0, 0.0, -9.81);
    scene.threads = threads;
    scene.step = StepSize::Fixed(5e-6);
    scene.contact = ContactModel::normal(normal::Hertz::default())
        .damping(damping::HertzDamping::default())
        .tangential(tangential::Mindlin::default());
    let material = Material {
        density: 2500.0,
        young_modulus: 1e7,
        poisson_ratio: 0.25,
        ..Material::default()
    };
    let grain = scene.add_material("grain", material);
    scene.set_pair(grain, grain, Pair::new().friction(0.5).restitution(0.5));
    let floor = Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z };
    scene.add_wall("floor", floor, grain);
    (scene, grain)
}

fn domain(low: Vec3, high: Vec3) -> Domain {
    // Grains rest a little below the floor's surface.
    let mut domain = Domain::new(low - Vec3::Z * 2.0 * RADIUS, high);
    domain.periodic = [true, true, false];
    domain
}

/// A settled bed as text, from the cache or made now.
pub fn settled(count: usize) -> Result<String, Failure> {
    let path = cache().map(|folder| folder.join(format!("bed-{RECIPE}-{count}.state")));
    if let Some(text) = path.as_ref().and_then(|path| std::fs::read_to_string(path).ok()) {
        return Ok(text);
    }
    say(format_args!("making the bed: this happens once\n"));
    let text = make(count)?;
    // A cache that cannot be written costs time, nothing else.
    if let Some(path) = path
        && let Some(folder) = path.parent()
        && std::fs::create_dir_all(folder).is_ok()
        && std::fs::write(path.with_extension("unfinished"), &text).is_ok()
    {
        let _ = std::fs::rename(path.with_extension("unfinished"), &path);
    }
    Ok(text)
}

fn cache() -> Option<PathBuf> {
    let own = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    own.filter(|path| path.is_absolute()).or_else(home).map(|folder| folder.join("esker"))
}

/// Grows spheres in a box twice as high as wide until they nearly touch, and lets them settle.
fn make(count: usize) -> Result<String, Failure> {
    let volume = count as f64 * 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3) / 0.55;
    let width = (volume / 2.0).cbrt().max(10.0 * RADIUS);
    let height = volume / (width * width);
    let (mut scene, grain) = scene(0);
    let high = Vec3::new(width, width, 1.5 * height);
    scene.domain = Some(domain(Vec3::ZERO, high));
    scene.particles.push(Source {
        name: "bed".to_owned(),
        material: grain,
        radius: Radius::Uniform { min: 0.9 * RADIUS, max: 1.1 * RADIUS },
        placement: Placement::Grow {
            region: Region::Box { min: Vec3::ZERO, max: Vec3::new(width, width, height) },
            amount: Amount::Count(count),
        },
        ..Source::default()
    });
    // The grains at the bottom are hit by all those above them; only the rest at the end counts.
    scene.health.overlap_limit = 0.5;
    let mut simulation = scene.build().map_err(stopped)?;
    while simulation.time() < SETTLING {
        simulation.step().map_err(stopped)?;
    }
    let mut text =
        format!("# state of a settled bed\n# box 0 {} 0 {} 0 {}\n", high.x, high.y, high.z);
    for particle in simulation.snapshot().particles {
        let vectors =
            [particle.velocity, particle.spin].map(|v| format!("{} {} {}", v.x, v.y, v.z));
        let Vec3 { x, y, z } = particle.position;
        let _ = writeln!(text, "{x} {y} {z} {} {}", particle.radius, vectors.join(" "));
    }
    Ok(text)
}

/// The simulation of a state: a line `# box …` and rows `x y z r vx vy vz wx wy wz`.
pub fn build(text: &str, name: &str, threads: usize) -> Result<Simulation, Failure> {
    build_with(text, name, threads, |_, _| {})
}

/// The same after a change to the scene.
pub fn build_with(
    text: &str,
    name: &str,
    threads: usize,
    change: impl FnOnce(&mut Scene, MaterialId),
) -> Result<Simulation, Failure> {
    let mut bounds: Option<[f64; 6]> = None;
    let mut list = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let wrong = |what: &str| Failure::input(format!("`{name}`, line {}: {what}", index + 1));
        if let Some(rest) = line.strip_prefix("# box") {
            bounds = Some(numbers(rest).ok_or_else(|| wrong("a box has six numbers"))?);
        } else if !(line.starts_with('#') || line.trim().is_empty()) {
            let row: [f64; 10] = numbers(line).ok_or_else(|| wrong("a sphere has ten numbers"))?;
            list.push(Sphere {
                position: Vec3::new(row[0], row[1], row[2]),
                radius: row[3],
                velocity: Vec3::new(row[4], row[5], row[6]),
                spin: Vec3::new(row[7], row[8], row[9]),
            });
        }
    }
    let Some([x0, x1, y0, y1, z0, z1]) = bounds else {
        return Err(Failure::input(format!(
            "`{name}` has no line `# box xlo xhi ylo yhi zlo zhi`"
        )));
    };
    let (mut scene, grain) = scene(threads);
    scene.domain = Some(domain(Vec3::new(x0, y0, z0), Vec3::new(x1, y1, z1)));
    scene.particles.push(Source {
        name: "bed".to_owned(),
        material: grain,
        placement: Placement::List(list),
        ..Source::default()
    });
    change(&mut scene, grain);
    scene.build().map_err(stopped)
}

fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let found: Option<Vec<f64>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
    found?.try_into().ok()
}

/// An error of the engine.
pub fn stopped(error: esker::Error) -> Failure {
    match error {
        esker::Error::Step(error) => Failure::unphysical(error.to_string()),
        other => Failure::input(other.to_string()),
    }
}
