//! `cargo xtask bits`: hashes of the final states of all built-in scenes and of a small bed with every law and
//! integrator, to verify that a change of the code changes no result.
//!
//! The hashes depend on the program alone: `bits FILE` writes them, `bits FILE --compare` reports those that differ.
//! They are not stored in the repository, because results may change for good reasons.

use crate::steps::{build_program, program, root};
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;
use std::process::Command;

/// Contact models: name, lines of `[contact]`, parameters of each pair.
const MODELS: &[(&str, &str, &str)] = &[
    ("default", "normal='hertz' damping='hertz' tangential='mindlin'", "restitution=0.5"),
    (
        "keep",
        "normal={hertz={tension='keep'}} damping='hertz' tangential='mindlin'",
        "restitution=0.5",
    ),
    (
        "clip",
        "normal={hertz={tension='clip'}} damping='hertz' tangential='mindlin'",
        "restitution=0.5",
    ),
    (
        "release",
        "normal={hertz={tension='release'}} damping='hertz' tangential='mindlin'",
        "restitution=0.5",
    ),
    (
        "radius",
        "normal='hertz' damping='hertz' tangential='mindlin' lever='radius'",
        "restitution=0.5",
    ),
    (
        "contact",
        "normal='hertz' damping='hertz' tangential='mindlin' lever='contact'",
        "restitution=0.5",
    ),
    (
        "linear",
        "normal='linear' damping='linear' tangential='spring-dashpot'",
        "restitution=0.5 normal_stiffness=2e3 tangential_damping_ratio=0.1",
    ),
    (
        "power-law",
        "normal={power-law={area='lens'}} damping='area' tangential='mindlin'",
        "contact_modulus=4.5e6 strain_exponent=0.7 area_damping=1e5 tangential_damping_ratio=0.1",
    ),
    (
        "fractional",
        "normal={fractional={order=0.1,horizon=1}} tangential='rolling-mapped'",
        "normal_stiffness=2e3 normal_viscosity=0.5",
    ),
    ("penalty", "normal='hertz' damping='hertz' tangential='penalty'", "P restitution=0.5"),
    ("incremental", "normal='hertz' damping='hertz' tangential='incremental'", "restitution=0.5"),
    (
        "sliding-torsion",
        "normal='hertz' damping='hertz' tangential='sliding-torsion'",
        "restitution=0.5",
    ),
    (
        "elastic-plastic",
        "normal='hertz' damping='hertz' tangential='mindlin' rolling='elastic-plastic'",
        "R restitution=0.5",
    ),
    (
        "linear, elastic-plastic",
        "normal='linear' damping='linear' tangential='mindlin' rolling='elastic-plastic'",
        "R restitution=0.5 normal_stiffness=2e3",
    ),
    (
        "constant-torque",
        "normal='hertz' damping='hertz' tangential='mindlin' rolling='constant-torque'",
        "R restitution=0.5",
    ),
    (
        "arm",
        "normal='hertz' damping='hertz' tangential='mindlin' rolling='arm'",
        "rolling_arm=0.2 smoothing_speed=1e-3 restitution=0.5",
    ),
    (
        "adhesion",
        "normal='hertz' damping='hertz' tangential='mindlin' cohesion=['adhesion']",
        "restitution=0.5 adhesion_coefficient=1e-3 adhesion_critical_strain=1e-5 adhesion_exponent=1.5",
    ),
    (
        "bond",
        "normal='hertz' damping='hertz' tangential='mindlin' cohesion=['bond']",
        "restitution=0.5 bond_stiffness=1e3 bond_exponent=0.5 bond_critical_strain=1e-5 rotational_bond_stiffness=1e5",
    ),
    (
        "van-der-waals",
        "normal='hertz' damping='hertz' tangential='mindlin' cohesion=['van-der-waals']",
        "restitution=0.5 hamaker_constant=1e-19 asperity_radius=1e-8 van_der_waals_cutoff=1e-7",
    ),
    (
        "liquid-bridge",
        "normal='hertz' damping='hertz' tangential='mindlin' cohesion=['liquid-bridge']",
        "restitution=0.5 surface_tension=0.05 bridge_volume=1e-3",
    ),
];

/// Integrators, as lines of `[time]`.
const INTEGRATORS: &[&str] = &[
    "integrator='velocity-verlet' step=1e-5",
    "integrator='symplectic-euler' step=1e-5",
    "integrator='newmark-pec' step=1e-5",
    "integrator={theta={phi=0.5,iteration='jacobi',tolerance=1e-5}} step=1e-5",
    "integrator={theta={phi=0.5,iteration='gauss-seidel',tolerance=1e-5}} step=1e-5",
    "integrator={rkf45={tolerance={position=1e-6,velocity=1e-4,spin=1e-3}}} step={max=1e-5,min=1e-9}",
];

/// Built-in scenes with changes that shorten them.
const SCENES: &[(&str, &[&str])] = &[
    ("billiards", &[]),
    ("bouncing_ball", &[]),
    ("brazil_nut", &["stages[*].end={after=0.02}"]),
    ("conveyor", &["stages[*].end={after=0.05}"]),
    ("drum", &["stages[*].end={after=0.02}"]),
    ("heap", &["stages[*].end={after=0.1}"]),
    ("hopper", &["stages[*].end={after=0.02}"]),
    ("ledge", &["stages[*].end={after=0.05}"]),
    ("mixer", &["stages[*].end={after=0.05}"]),
    ("pile", &["stages[*].end={after=0.02}", "particles[0].insert.count=1000"]),
];

/// Writes the hashes to a file, or compares them with those in it.
pub fn bits(file: &str, compare: bool) -> Result<()> {
    build_program()?;
    let folder = tempfile::tempdir()?;
    let mut found = BTreeMap::new();
    for (scene, changes) in SCENES {
        let path = root().join("scenes").join(format!("{scene}.toml"));
        found.insert(format!("scene {scene}"), hash(folder.path(), &path, changes)?);
    }
    let path = folder.path().join("bed.toml");
    let mut bed = |name: String, text: String| -> Result<()> {
        std::fs::write(&path, text)?;
        let hash = hash(folder.path(), &path, &[]).with_context(|| name.clone())?;
        found.insert(name, hash);
        Ok(())
    };
    for (name, laws, parameters) in MODELS {
        for energy in [false, true] {
            let text = bed_scene(INTEGRATORS[0], laws, parameters, energy);
            bed(format!("law {name}, energy {energy}"), text)?;
        }
    }
    for integrator in INTEGRATORS {
        let (_, laws, parameters) = MODELS[0];
        bed(integrator.to_string(), bed_scene(integrator, laws, parameters, true))?;
    }
    let text: String = found.iter().fold(String::new(), |mut text, (name, hash)| {
        let _ = writeln!(text, "{hash:016x} {name}");
        text
    });
    if !compare {
        return std::fs::write(file, text).context("cannot write the hashes");
    }
    let before = std::fs::read_to_string(file).context("no hashes to compare with")?;
    let known: Vec<&str> = before.lines().collect();
    let changed: Vec<&str> = text.lines().filter(|line| !known.contains(line)).collect();
    if !changed.is_empty() {
        bail!("{} of {} results changed:\n{}", changed.len(), found.len(), changed.join("\n"));
    }
    eprintln!("{} results have the same bits", found.len());
    Ok(())
}

/// A few hundred spheres of two materials that fall into a cylinder.
fn bed_scene(time: &str, laws: &str, parameters: &str, energy: bool) -> String {
    let lines = |text: &str| split_assignments(text).join("\n");
    let friction = if parameters.contains("P ") {
        "friction=0.4,friction_penalty=1e9,"
    } else if parameters.contains("R ") {
        "friction=0.4,rolling_friction=0.1,"
    } else {
        "friction=0.4,"
    };
    let parameters = parameters.trim_start_matches("P ").trim_start_matches("R ").replace(' ', ",");
    let pair = |second: &str| format!("{{between=['grain','{second}'],{friction}{parameters}}}");
    let energy = if energy { "energy={every=0.005}" } else { "" };
    format!(
        "format=1\ntitle='bed'\nseed=7\ngravity=[0.4,0.2,-9.81]\n[time]\n{}\n\
         [domain]\nmin=[-0.05,-0.05,-0.02]\nmax=[0.05,0.05,0.1]\n\
         [materials]\ngrain={{density=2500.0,young_modulus=5.0e6,poisson_ratio=0.25}}\n\
         other={{density=2000.0,young_modulus=4.0e6,poisson_ratio=0.3}}\n\
         [contact]\n{}\npairs=[{},{}]\n\
         [[particles]]\nname='grains'\nmaterial='grain'\nradius={{uniform={{min=0.002,max=0.003}}}}\n\
         insert={{count=300,cylinder={{start=[0,0,0],end=[0,0,0.06],radius=0.02}}}}\n\
         [[walls]]\nname='floor'\nmaterial='other'\nhalf-space={{point=[0,0,0],normal=[0,0,1]}}\n\
         [[walls]]\nname='bin'\nmaterial='grain'\n\
         cylinder={{start=[0,0,0],end=[0,0,0.1],radius=0.025,particles='inside'}}\n\
         [[stages]]\nname='fall'\nend={{after=0.015}}\n[outputs]\nfinal=true\n{energy}\n",
        lines(time),
        lines(laws),
        pair("grain"),
        pair("other"),
    )
}

/// Splits `a=1 b={c=2}` into assignments; values contain no spaces.
fn split_assignments(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}

/// Runs a scene on two threads; the hash of its final state and energies.
fn hash(folder: &Path, scene: &Path, changes: &[&str]) -> Result<u64> {
    let out = folder.join("out");
    if out.exists() {
        std::fs::remove_dir_all(&out)?;
    }
    let mut command = Command::new(program());
    command.args(["run", "--quiet", "--threads", "2", "--out"]).arg(&out).arg(scene);
    for change in changes {
        command.args(["--set", change]);
    }
    let output = command.output()?;
    let messages = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{} failed:\n{messages}", scene.display());
    let mut hasher = DefaultHasher::new();
    for file in ["final.csv", "energy.csv"] {
        hasher.write(&std::fs::read(out.join(file)).unwrap_or_default());
    }
    Ok(hasher.finish())
}
