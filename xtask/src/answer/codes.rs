//! Runs of each code from the same initial state.

use super::problem::{Frame, MATERIAL, Problem, base};
use super::surface;
use crate::bench::lammps;
use crate::python::install;
use crate::steps::{program, root};
use anyhow::{Context, Result, bail, ensure};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Density of the particles [kg/m³], as in the scenes.
const DENSITY: f64 = 2500.0;
/// Time step of LAMMPS and LIGGGHTS as a fraction of the Rayleigh time, the upper end of common choices.
const FRACTION: f64 = 0.2;

/// A code that is measured.
pub enum Code {
    Esker,
    Lammps { program: PathBuf },
    Liggghts,
}

/// Results of a run.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    pub result: f64,
    /// Time step, the mean if it changes [s].
    pub step: f64,
    pub rayleigh_time: f64,
    pub processor_time: f64,
}

/// An initial state.
pub struct Start {
    particles: Vec<Particle>,
    domain: [[f64; 2]; 3],
    rayleigh_time: f64,
}

struct Particle {
    is_fixed: bool,
    radius: f64,
    position: [f64; 3],
    velocity: [f64; 3],
    spin: [f64; 3],
}

/// Esker, and the other codes if they can be installed.
pub fn available() -> Result<Vec<Code>> {
    let mut codes = vec![Code::Esker];
    match lammps() {
        Ok(program) => codes.push(Code::Lammps { program }),
        Err(error) => eprintln!("without LAMMPS: {error:#}"),
    }
    let is_there = || Command::new("liggghts").arg("-h").output().is_ok();
    if is_there() || (install(&["liggghts"]).is_ok() && is_there()) {
        codes.push(Code::Liggghts);
    } else {
        eprintln!("without LIGGGHTS: its package cannot be installed");
    }
    Ok(codes)
}

/// Computes an initial state with Esker, which is stored in `start.csv` and `base.csv` of the folder.
pub fn start(problem: &Problem, seed: u32, folder: &Path) -> Result<Start> {
    let mut rows = String::from("x,y,z,r\n");
    for [x, y, z] in base() {
        writeln!(rows, "{x},{y},{z},0.002")?;
    }
    std::fs::write(folder.join("base.csv"), rows)?;
    let scene = format!("seed = {seed}\n{MATERIAL}{}", problem.fill);
    let run = run_esker(&scene, &format!("{}-fill", problem.name), folder)?;
    std::fs::copy(run.join("final.csv"), folder.join("start.csv"))?;
    let summary = summary(&run)?;
    Ok(Start {
        particles: read_particles(&run.join("final.csv"))?,
        domain: domain(problem.scene)?,
        rayleigh_time: number(&summary, "/time_step/rayleigh_time")?,
    })
}

impl Code {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Esker => "Esker",
            Self::Lammps { .. } => "LAMMPS granular",
            Self::Liggghts => "LIGGGHTS",
        }
    }

    pub fn run(&self, problem: &Problem, start: &Start, folder: &Path) -> Result<Run> {
        let before = children_time()?;
        let (frames, step) = match self {
            Self::Esker => esker(problem, folder)?,
            Self::Lammps { program } => {
                let mut command = Command::new(program);
                command.args(["-var", "problem", problem.name]);
                peer(command, "lammps.in", problem, start, folder)?
            }
            Self::Liggghts => {
                let stl = folder.join("wall.stl");
                let text = surface::of_revolution(problem.profile, problem.is_horizontal);
                std::fs::write(&stl, text)?;
                let kind = match problem.name {
                    "drum" => "1",
                    "hopper" => "2",
                    _ => "3",
                };
                let mut command = Command::new("liggghts");
                command.args(["-var", "kind", kind, "-var", "stl"]).arg(stl);
                peer(command, "liggghts.in", problem, start, folder)?
            }
        };
        let processor_time = children_time()? - before;
        let free: Vec<&Particle> = start.particles.iter().filter(|one| !one.is_fixed).collect();
        let volume = |one: &&Particle| std::f64::consts::PI * 4.0 / 3.0 * one.radius.powi(3);
        let mass = DENSITY * free.iter().map(volume).sum::<f64>() / free.len() as f64;
        let result = (problem.result)(&frames, mass)
            .with_context(|| format!("{} of {}: no result", problem.name, self.name()))?;
        Ok(Run { result, step, rayleigh_time: start.rayleigh_time, processor_time })
    }
}

/// Processor time of all finished child processes [s].
fn children_time() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/stat").context("only on Linux")?;
    // the second field, a name in parentheses, may contain spaces; ticks of 1/100 s
    let (_, fields) = status.rsplit_once(')').context("an unknown form of /proc/self/stat")?;
    let ticks = |field: usize| fields.split_whitespace().nth(field - 3)?.parse::<f64>().ok();
    let sum = ticks(16).zip(ticks(17)).map(|(user, system)| 0.01 * (user + system));
    sum.context("no times in /proc/self/stat")
}

/// Frames and mean time step of Esker.
fn esker(problem: &Problem, folder: &Path) -> Result<(Vec<Frame>, f64)> {
    let run = run_esker(&format!("{MATERIAL}{}", problem.scene), problem.name, folder)?;
    let summary = summary(&run)?;
    let mut files: Vec<PathBuf> = std::fs::read_dir(run.join("frames"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|end| end == "csv"));
    files.sort();
    let mut frames = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let particles = read_particles(file)?;
        let free = particles.iter().filter(|one| !one.is_fixed);
        let positions = free.map(|one| one.position).collect();
        frames.push(Frame { time: index as f64 * problem.every, positions });
    }
    Ok((frames, number(&summary, "/time_step/mean")?))
}

/// Runs a scene on one thread; returns the folder of the run.
fn run_esker(scene: &str, name: &str, folder: &Path) -> Result<PathBuf> {
    let file = folder.join(format!("{name}.toml"));
    let run = folder.join(name);
    std::fs::write(&file, scene)?;
    let mut command = Command::new(program());
    command.args(["run", "--quiet", "--force", "--threads", "1", "--out"]).arg(&run).arg(&file);
    let output = command.output()?;
    ensure!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(run)
}

/// Frames and time step of LAMMPS or LIGGGHTS.
fn peer(
    mut command: Command,
    script: &str,
    problem: &Problem,
    start: &Start,
    folder: &Path,
) -> Result<(Vec<Frame>, f64)> {
    let (data, dump) = (folder.join("data"), folder.join("dump"));
    std::fs::write(&data, data_file(start)?)?;
    // a whole number of steps between two frames, not longer than the fraction of the Rayleigh time
    let every = (problem.every / (FRACTION * start.rayleigh_time)).ceil();
    let step = problem.every / every;
    let steps = every * (problem.duration / problem.every).round();
    let script = root().join("xtask").join("peers").join("answer").join(script);
    command.args(["-var", "dt", &step.to_string(), "-var", "steps", &steps.to_string()]);
    command.args(["-var", "every", &every.to_string(), "-var", "data"]).arg(&data);
    command.args(["-var", "out"]).arg(&dump).arg("-in").arg(script);
    let output = command.env("OMP_NUM_THREADS", "1").current_dir(folder).output()?;
    let log = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success() && log.contains("Loop time"), "{} failed: {}", problem.name, {
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(8)..].join("\n")
    });
    Ok((read_dump(&std::fs::read_to_string(dump)?, step)?, step))
}

/// A state as a data file of LAMMPS and LIGGGHTS; fixed particles are of type 2.
fn data_file(start: &Start) -> Result<String> {
    let mut text = format!("state\n\n{} atoms\n2 atom types\n\n", start.particles.len());
    for (axis, [low, high]) in ["x", "y", "z"].iter().zip(start.domain) {
        writeln!(text, "{low} {high} {axis}lo {axis}hi")?;
    }
    text += "\nAtoms\n\n";
    for (index, one) in start.particles.iter().enumerate() {
        let ([x, y, z], diameter) = (one.position, 2.0 * one.radius);
        let kind = if one.is_fixed { 2 } else { 1 };
        writeln!(text, "{} {kind} {diameter} {DENSITY} {x} {y} {z}", index + 1)?;
    }
    text += "\nVelocities\n\n";
    for (index, one) in start.particles.iter().enumerate() {
        let ([x, y, z], [a, b, c]) = (one.velocity, one.spin);
        writeln!(text, "{} {x} {y} {z} {a} {b} {c}", index + 1)?;
    }
    Ok(text)
}

/// Positions of a dump with the columns x y z.
fn read_dump(text: &str, step: f64) -> Result<Vec<Frame>> {
    let mut frames: Vec<Frame> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line == "ITEM: TIMESTEP" {
            let count: f64 = lines.next().context("a dump without its step")?.parse()?;
            frames.push(Frame { time: count * step, positions: Vec::new() });
        } else if let (false, Some(frame)) = (line.starts_with("ITEM"), frames.last_mut()) {
            let numbers: Vec<f64> =
                line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
            // the count and the bounds of the box have one and two numbers
            if let [x, y, z] = numbers[..] {
                frame.positions.push([x, y, z]);
            }
        }
    }
    Ok(frames)
}

/// Particles of a table that Esker wrote.
fn read_particles(file: &Path) -> Result<Vec<Particle>> {
    let text = std::fs::read_to_string(file)?;
    let mut lines = text.lines();
    let header = lines.next().context("an empty table")?.split(',').enumerate();
    let columns: HashMap<&str, usize> = header.map(|(index, name)| (name, index)).collect();
    let column = |name: &str| {
        columns.get(name).copied().with_context(|| format!("{} has no `{name}`", file.display()))
    };
    let (group, radius) = (column("group")?, column("radius")?);
    let mut vectors = [[0; 3]; 3];
    for (vector, name) in vectors.iter_mut().zip(["position", "velocity", "spin"]) {
        for (index, axis) in vector.iter_mut().zip(["x", "y", "z"]) {
            *index = column(&format!("{name}_{axis}"))?;
        }
    }
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let mut values = [[0.0; 3]; 3];
            for (value, index) in values.iter_mut().flatten().zip(vectors.iter().flatten()) {
                *value = fields[*index].parse()?;
            }
            let [position, velocity, spin] = values;
            let is_fixed = fields[group] == "base";
            Ok(Particle { is_fixed, radius: fields[radius].parse()?, position, velocity, spin })
        })
        .collect()
}

/// Bounds of the domain of a scene, by axis.
fn domain(scene: &str) -> Result<[[f64; 2]; 3]> {
    let scene: toml::Table = scene.parse()?;
    let bound = |key: &str, axis: usize| {
        let value = scene.get("domain").and_then(|domain| domain.get(key)?.get(axis)?.as_float());
        value.with_context(|| format!("the scene has no domain.{key}"))
    };
    let mut bounds = [[0.0; 2]; 3];
    for (axis, pair) in bounds.iter_mut().enumerate() {
        *pair = [bound("min", axis)?, bound("max", axis)?];
    }
    Ok(bounds)
}

fn summary(run: &Path) -> Result<serde_json::Value> {
    let summary = serde_json::from_str(&std::fs::read_to_string(run.join("summary.json"))?)?;
    Ok(summary)
}

fn number(summary: &serde_json::Value, key: &str) -> Result<f64> {
    match summary.pointer(key).and_then(serde_json::Value::as_f64) {
        Some(value) => Ok(value),
        None => bail!("summary.json has no `{key}`"),
    }
}
