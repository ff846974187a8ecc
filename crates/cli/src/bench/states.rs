//! Initial states of the benchmark: read from a file, or computed once and cached. They are the same on every machine,
//! since random numbers are counter-based and runs are bitwise reproducible.

use super::scenes::{DRUM_LENGTH, DRUM_RADIUS, RADIUS, SPREAD, Which, stopped};
use crate::failure::{Failure, say};
use esker::prelude::*;
use esker::random::{Draws, Purpose};
use esker_scene::plain_file::{self, LONGEST_FILE};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Distance between the sites of a loose lattice [m].
const SPACING: f64 = 2.5 * RADIUS;
/// Radius of the boulder, number of columns of the bed below it along each side, and of grains in each: the period must
/// be twice its diameter.
const BOULDER: f64 = 50.0 * RADIUS;
const COLUMNS: usize = 6;
const SHALLOW: usize = 2_500;
/// Largest radius of the bed of many sizes and its median as fractions of [`RADIUS`], standard deviation of the
/// logarithm, and time to settle [s]. All radii are within a factor of ten.
const LARGEST: f64 = 3.162_277_660_168_38;
const LOG_DEVIATION: f64 = 0.6;
const SETTLING_SIZES: f64 = 0.4;
/// Sites along a side of the bed; a column contains [`COLUMN`] grains.
const SITES: usize = 16;
const COLUMN: usize = 10_000;
/// Times for a bed to settle and for a drum to flow [s].
const SETTLING: f64 = 0.3;
const TURNING: f64 = 0.4;
/// Largest random velocity added to a settled bed, per component [m/s].
const KICK: f64 = 0.05;
/// Solid fraction of the gas, and standard deviation of its velocities per component [m/s].
const FRACTION: f64 = 0.05;
const DEVIATION: f64 = 1.0;
/// Version of the computation of states, so that no outdated state is taken from the cache.
const RECIPE: u32 = 2;

/// Spheres in a box `xlo xhi ylo yhi zlo zhi`.
#[derive(Debug, Clone)]
pub struct State {
    pub bounds: [f64; 6],
    pub spheres: Vec<Sphere>,
}

impl State {
    /// Reads the format: a line `# box …` and rows `x y z r vx vy vz wx wy wz`.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let name = path.display();
        let text = plain_file::read_text(path, LONGEST_FILE)
            .map_err(|error| Failure::input(format!("cannot read `{name}`: {error}")))?;
        Self::parse(&text, &name.to_string())
    }

    pub fn parse(text: &str, name: &str) -> Result<Self, Failure> {
        let mut bounds: Option<[f64; 6]> = None;
        let mut spheres = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let wrong =
                |what: &str| Failure::input(format!("`{name}`, line {}: {what}", index + 1));
            if let Some(rest) = line.strip_prefix("# box") {
                bounds = Some(numbers(rest).ok_or_else(|| wrong("a box has six numbers"))?);
            } else if !(line.starts_with('#') || line.trim().is_empty()) {
                let row: [f64; 10] =
                    numbers(line).ok_or_else(|| wrong("a sphere has ten numbers"))?;
                spheres.push(Sphere {
                    position: Vec3::new(row[0], row[1], row[2]),
                    radius: row[3],
                    velocity: Vec3::new(row[4], row[5], row[6]),
                    spin: Vec3::new(row[7], row[8], row[9]),
                });
            }
        }
        let bounds = bounds.ok_or_else(|| {
            Failure::input(format!("`{name}` has no line `# box xlo xhi ylo yhi zlo zhi`"))
        })?;
        Ok(Self { bounds, spheres })
    }

    /// The state as text.
    pub fn text(&self) -> String {
        let [x0, x1, y0, y1, z0, z1] = self.bounds;
        let mut text = format!(
            "# state of {} spheres: x y z r vx vy vz wx wy wz\n# box {x0} {x1} {y0} {y1} {z0} {z1}\n",
            self.spheres.len()
        );
        for Sphere { position: p, radius, velocity: v, spin: w } in &self.spheres {
            let _ = writeln!(
                text,
                "{} {} {} {radius} {} {} {} {} {} {}",
                p.x, p.y, p.z, v.x, v.y, v.z, w.x, w.y, w.z
            );
        }
        text
    }

    /// The initial state of a scene, from the cache or computed. A bed of more than one column is a periodic repetition
    /// of the column, which is exact.
    pub fn of(which: Which, particles: usize) -> Result<Self, Failure> {
        match which {
            Which::Gas => Ok(gas(particles)),
            Which::Bed if particles > COLUMN => {
                let column = cached("bed", COLUMN, || settled(COLUMN))?;
                let columns = particles.div_ceil(COLUMN);
                let rows = (1..=columns).rfind(|n| columns.is_multiple_of(*n) && n * n <= columns);
                let rows = rows.unwrap_or(1);
                Ok(kicked(tiled(&column, columns / rows, rows)))
            }
            Which::Bed => Ok(kicked(cached("bed", particles, || settled(particles))?)),
            Which::BedBoulder => {
                let column = cached("bed", SHALLOW, || settled(SHALLOW))?;
                Ok(with_boulder(kicked(tiled(&column, COLUMNS, COLUMNS))))
            }
            Which::BedSizes => {
                Ok(kicked(cached("bed-sizes", particles, || settled_sizes(particles))?))
            }
            Which::Drum | Which::DrumMesh => cached("drum", particles, || flowing(particles)),
        }
    }
}

fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let found: Option<Vec<f64>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
    found?.try_into().ok()
}

/// Takes a state from the cache, or computes and caches it.
fn cached(
    name: &str,
    particles: usize,
    make: impl FnOnce() -> Result<State, Failure>,
) -> Result<State, Failure> {
    let file = format!("{name}-{RECIPE}-{particles}.state");
    let path = cache().map(|folder| folder.join(file));
    if let Some(state) = path.as_ref().and_then(|path| State::read(path).ok()) {
        return Ok(state);
    }
    say(format_args!(
        "computing the {name} of {particles} particles, once; this takes a minute or two\n"
    ));
    let state = make()?;
    // an unwritable cache only costs time
    if let Some(path) = path
        && let Some(folder) = path.parent()
        && std::fs::create_dir_all(folder).is_ok()
        && std::fs::write(path.with_extension("unfinished"), state.text()).is_ok()
    {
        let _ = std::fs::rename(path.with_extension("unfinished"), &path);
    }
    Ok(state)
}

fn cache() -> Option<PathBuf> {
    let own = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    own.filter(|path| path.is_absolute()).or_else(home).map(|folder| folder.join("esker"))
}

/// Random numbers from -1 to 1 of one particle.
fn centered(particle: usize) -> impl Fn(u32) -> f64 {
    let draws = Draws::new(1, Purpose::Test, particle as u64);
    move |draw| 2.0 * draws.uniform(draw) - 1.0
}

fn radius(number: f64) -> f64 {
    RADIUS * (1.0 + SPREAD * number)
}

/// A grain at a site, with a small random velocity.
fn loose(index: usize, position: Vec3) -> Sphere {
    let number = centered(index);
    Sphere {
        velocity: 0.2 * Vec3::new(number(1), number(2), number(3)),
        ..Sphere::new(radius(number(0)), position)
    }
}

/// A column of grains dropped from a loose lattice.
fn settled(particles: usize) -> Result<State, Failure> {
    let per_layer = SITES * SITES;
    let jitter = 0.5 * SPACING - 1.2 * RADIUS;
    let spheres = (0..particles).map(|index| {
        let [i, j, k] = [index % SITES, index / SITES % SITES, index / per_layer];
        let site = SPACING * (Vec3::new(i as f64, j as f64, k as f64) + 0.5);
        let number = centered(index);
        loose(index, site + jitter * Vec3::new(number(4), number(5), 0.0))
    });
    let side = SITES as f64 * SPACING;
    let height = (particles.div_ceil(per_layer) + 2) as f64 * SPACING;
    let start = State { bounds: [0.0, side, 0.0, side, 0.0, height], spheres: spheres.collect() };
    run(Which::Bed, start, SETTLING)
}

/// A boulder on a bed, in contact with the highest grain below it.
fn with_boulder(mut bed: State) -> State {
    let [x0, x1, y0, y1, z0, _] = bed.bounds;
    let (x, y) = (0.5 * (x0 + x1), 0.5 * (y0 + y1));
    let rest = |grain: &Sphere| {
        let away = (grain.position.x - x).hypot(grain.position.y - y);
        let contact_distance = BOULDER + grain.radius;
        if away < contact_distance {
            grain.position.z + (contact_distance * contact_distance - away * away).sqrt()
        } else {
            z0
        }
    };
    let z = bed.spheres.iter().map(rest).fold(z0, f64::max);
    bed.bounds[5] = bed.bounds[5].max(z + 2.0 * BOULDER);
    bed.spheres.push(Sphere::new(BOULDER, Vec3::new(x, y, z)));
    bed
}

/// A column of grains of many sizes dropped from a loose lattice.
fn settled_sizes(particles: usize) -> Result<State, Failure> {
    let spacing = 2.1 * LARGEST * RADIUS;
    let per_layer = SITES * SITES;
    let spheres = (0..particles).map(|index| {
        let [i, j, k] = [index % SITES, index / SITES % SITES, index / per_layer];
        let draws = Draws::new(3, Purpose::Test, index as u64);
        // the first one within the bounds
        let size = (0..).map(|draw| (LOG_DEVIATION * draws.normal(draw)).exp());
        let size = size.into_iter().find(|size| (1.0 / LARGEST..LARGEST).contains(size));
        Sphere {
            radius: RADIUS * size.unwrap_or(1.0),
            ..loose(index, spacing * (Vec3::new(i as f64, j as f64, k as f64) + 0.5))
        }
    });
    let side = SITES as f64 * spacing;
    let height = (particles.div_ceil(per_layer) + 2) as f64 * spacing;
    let start = State { bounds: [0.0, side, 0.0, side, 0.0, height], spheres: spheres.collect() };
    run(Which::BedSizes, start, SETTLING_SIZES)
}

/// Grains in a drum that has rotated for some time.
fn flowing(particles: usize) -> Result<State, Failure> {
    let across = (DRUM_RADIUS / SPACING) as i32 + 2;
    let along = (DRUM_LENGTH / SPACING) as i32;
    let mut spheres = Vec::new();
    for k in -across..across {
        for i in -across..across {
            let [x, z] = [i, k].map(|index| (f64::from(index) + 0.5) * SPACING);
            if x.hypot(z) > DRUM_RADIUS - 1.25 * RADIUS {
                continue;
            }
            for j in 0..along {
                let y = (f64::from(j) + 0.5 - 0.5 * f64::from(along)) * SPACING;
                spheres.push(loose(spheres.len(), Vec3::new(x, y, z)));
            }
        }
    }
    if spheres.len() < particles {
        return Err(Failure::input(format!("the drum holds {} grains at most", spheres.len())));
    }
    spheres.truncate(particles);
    let (half, end) = (DRUM_RADIUS + 3.0 * RADIUS, 0.5 * DRUM_LENGTH + 3.0 * RADIUS);
    let start = State { bounds: [-half, half, -end, end, -half, half], spheres };
    run(Which::Drum, start, TURNING)
}

/// Runs a scene for a time and returns its final state.
fn run(which: Which, start: State, time: f64) -> Result<State, Failure> {
    let mut simulation = which.build(&start, 0)?;
    while simulation.time() < time {
        simulation.step().map_err(stopped)?;
    }
    let spheres = simulation.snapshot().particles.into_iter().map(|particle| Sphere {
        position: particle.position,
        radius: particle.radius,
        velocity: particle.velocity,
        spin: particle.spin,
    });
    Ok(State { spheres: spheres.collect(), ..start })
}

fn tiled(column: &State, along: usize, across: usize) -> State {
    let [x0, x1, y0, y1, z0, z1] = column.bounds;
    let (width, depth) = (x1 - x0, y1 - y0);
    let mut spheres = Vec::with_capacity(along * across * column.spheres.len());
    for i in 0..along {
        for j in 0..across {
            let shift = Vec3::new(i as f64 * width, j as f64 * depth, 0.0);
            spheres.extend(
                column
                    .spheres
                    .iter()
                    .map(|sphere| Sphere { position: sphere.position + shift, ..*sphere }),
            );
        }
    }
    let bounds = [x0, x0 + along as f64 * width, y0, y0 + across as f64 * depth, z0, z1];
    State { bounds, spheres }
}

/// Adds random velocities, and spins with an equal surface speed.
fn kicked(mut state: State) -> State {
    for (index, sphere) in state.spheres.iter_mut().enumerate() {
        let number = centered(index);
        sphere.velocity += KICK * Vec3::new(number(6), number(7), number(8));
        sphere.spin += KICK / sphere.radius * Vec3::new(number(9), number(10), number(11));
    }
    state
}

/// A gas on a jittered lattice with normally distributed velocities and no drift.
fn gas(particles: usize) -> State {
    let volume = 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3) * (1.0 + SPREAD * SPREAD);
    let side = (particles as f64 * volume / FRACTION).cbrt();
    let sites = (particles as f64).cbrt().ceil() as usize;
    let cell = side / sites as f64;
    let jitter = 0.5 * cell - 1.21 * RADIUS;
    let mut spheres: Vec<Sphere> = (0..particles)
        .map(|index| {
            // distributed over all sites, of which there are slightly more
            let site = index * sites.pow(3) / particles;
            let [i, j, k] = [site % sites, site / sites % sites, site / (sites * sites)];
            let number = centered(index);
            let draws = Draws::new(2, Purpose::Test, index as u64);
            let center = cell * (Vec3::new(i as f64, j as f64, k as f64) + 0.5);
            Sphere {
                velocity: DEVIATION * Vec3::new(draws.normal(0), draws.normal(1), draws.normal(2)),
                ..Sphere::new(
                    radius(number(0)),
                    center + jitter * Vec3::new(number(4), number(5), number(6)),
                )
            }
        })
        .collect();
    let drift = spheres.iter().map(|sphere| sphere.velocity).sum::<Vec3>() / particles as f64;
    spheres.iter_mut().for_each(|sphere| sphere.velocity -= drift);
    State { bounds: [0.0, side, 0.0, side, 0.0, side], spheres }
}
