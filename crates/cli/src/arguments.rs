//! The command line.

use crate::bench::Which;
use clap::{Args, Parser, Subcommand, ValueEnum};
use esker::MOST_THREADS;
use std::path::PathBuf;
use std::time::Duration;

/// A discrete element method simulator for granular materials.
///
/// Without a command, the built-in pile is run.
#[derive(Debug, Parser)]
#[command(name = "esker", version, max_term_width = 100)]
pub struct Arguments {
    /// The subcommand.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a scene file, or a built-in scene by name.
    Run(Run),
    /// Print time step, contact times, particle counts and laws of a scene, without running it.
    Check(Check),
    /// Write a new scene file, a copy of a built-in scene.
    New(New),
    /// List the built-in scenes and the published problems.
    List,
    /// Run published problems and compare with the papers; exit code 1 if a comparison fails.
    Reproduce(Reproduce),
    /// Run a scene with many parameter values and rank the parameters by their effect.
    Sweep(Sweep),
    /// Show a run in the browser while it runs or afterwards, two runs side by side, or a scene before it runs.
    View(View),
    /// Summarise a run folder or a checkpoint.
    Info(Info),
    /// Print the JSON schema of scene files, for completion in editors.
    Schema,
    /// Measure particle steps per second of a standard scene.
    Bench(Bench),
}

/// Options of `esker run`.
#[derive(Debug, Args, Default)]
pub struct Run {
    /// Scene file, or name of a built-in scene [default: pile].
    pub scene: Option<String>,
    /// Output folder [default: runs/NAME, or runs/NAME-2 … if that exists].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Number of threads; 0 takes one per thousand particles, at most all cores. Results do not
    /// depend on it.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads)]
    pub threads: usize,
    /// Divide the particles among N ranks within this process, each with its own threads: to test and
    /// debug runs on several ranks. Results do not depend on it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = ranks)]
    pub ranks: usize,
    /// Continue from the last checkpoint of the same scene (in DIR, or in the newest runs/NAME).
    #[arg(long)]
    pub resume: bool,
    /// Override a value of the scene, such as `time.step=1e-6` or `particles[0].radius=0.01`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub changes: Vec<String>,
    /// Print only errors and warnings.
    #[arg(long, short)]
    pub quiet: bool,
    /// Replace the run in DIR; with --resume, continue although the scene has changed.
    #[arg(long)]
    pub force: bool,
    /// Save and exit after this wall-clock time, such as `3600` (seconds), `90m` or `23h30m`, with
    /// exit code 124; `--resume` continues. Allow time for one checkpoint and the report.
    #[arg(long, value_name = "DURATION", value_parser = crate::duration::parse)]
    pub max_time: Option<Duration>,
    /// Under `mpirun`: end the run if a process waits this long for another one, which hangs or cannot be reached.
    /// Ten times as long while the first process writes files.
    #[arg(long, value_name = "DURATION", default_value = "120", value_parser = crate::duration::parse)]
    pub mpi_timeout: Duration,
    /// Show the run in the browser while it computes. On a terminal the viewer stays open until Ctrl-C.
    #[arg(long)]
    pub view: bool,
    /// Port of the viewer; 0 takes a free one.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "view")]
    pub port: u16,
    /// Print the address of the viewer without opening a browser.
    #[arg(long, requires = "view")]
    pub no_browser: bool,
    /// Exit with code 1 if there are warnings; if there are any before the first step, the run is not
    /// started.
    #[arg(long)]
    pub strict: bool,
}

/// Options of `esker view`.
#[derive(Debug, Args, Default)]
pub struct View {
    /// Run folders, at most two, or a scene [default: the newest run in `runs`].
    pub runs: Vec<String>,
    /// Port on this machine; 0 takes a free one.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,
    /// Print the address without opening a browser.
    #[arg(long)]
    pub no_browser: bool,
    /// Write a self-contained page instead of serving; it needs neither a server nor a network.
    #[arg(long, value_name = "FILE.html")]
    pub export: Option<PathBuf>,
    /// Number of frames of the exported page, evenly spaced [default: up to 1 million particles
    /// times frames].
    #[arg(long, value_name = "N", requires = "export")]
    pub frames: Option<usize>,
    /// Quantities of the exported page for coloring, such as `force` or `velocity.z` [default:
    /// velocity].
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "export")]
    pub columns: Vec<String>,
    /// Draw one picture without a browser; "Copy command" in the viewer generates the options.
    #[arg(long, value_name = "FILE.png", conflicts_with = "export")]
    pub picture: Option<PathBuf>,
    /// Frame of the picture [default: the last one].
    #[arg(long, value_name = "N", requires = "picture")]
    pub frame: Option<usize>,
    /// Quantity by which the picture is colored.
    #[arg(long, value_name = "NAME", requires = "picture", default_value = "velocity")]
    pub color: String,
    /// Range of the color scale of the picture [default: that of the frame].
    #[arg(
        long,
        value_name = "LOW,HIGH",
        value_delimiter = ',',
        requires = "picture",
        allow_hyphen_values = true
    )]
    pub range: Vec<f64>,
    /// Size of the picture in pixels.
    #[arg(long, value_name = "WIDTH,HEIGHT", value_delimiter = ',', requires = "picture")]
    pub size: Vec<usize>,
    /// Groups to hide in the picture.
    #[arg(long, value_name = "GROUP", value_delimiter = ',', requires = "picture")]
    pub hide: Vec<String>,
    /// The picture shows only particles with A x + B y + C z <= D.
    #[arg(
        long,
        value_name = "A,B,C,D",
        value_delimiter = ',',
        requires = "picture",
        allow_hyphen_values = true
    )]
    pub clip: Vec<f64>,
    /// The picture shows only particles in a box: lower and upper corner.
    #[arg(
        long = "box",
        value_name = "X,Y,Z,X,Y,Z",
        value_delimiter = ',',
        requires = "picture",
        allow_hyphen_values = true
    )]
    pub inside: Vec<f64>,
    /// The picture shows only particles with a quantity between two values.
    #[arg(
        long,
        value_name = "NAME,LOW,HIGH",
        value_delimiter = ',',
        requires = "picture",
        allow_hyphen_values = true
    )]
    pub threshold: Vec<String>,
    /// Direction towards the camera and upward direction of the picture (six numbers), optionally
    /// its centre and the height of the view [m] (ten numbers).
    #[arg(
        long,
        value_name = "X,Y,Z,X,Y,Z[,X,Y,Z,H]",
        value_delimiter = ',',
        requires = "picture",
        allow_hyphen_values = true
    )]
    pub camera: Vec<f64>,
    /// Override a value of the displayed scene.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub changes: Vec<String>,
}

/// Options of `esker check`.
#[derive(Debug, Args)]
pub struct Check {
    /// Scene file, or name of a built-in scene.
    pub scene: String,
    /// Override a value of the scene.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub changes: Vec<String>,
    /// Exit with code 1 if there are warnings.
    #[arg(long)]
    pub strict: bool,
}

/// Options of `esker new`.
#[derive(Debug, Args)]
pub struct New {
    /// Name of the file; `.toml` is appended if it has no extension.
    pub name: String,
    /// Built-in scene to copy.
    #[arg(long, value_name = "TEMPLATE", default_value = "bouncing_ball")]
    pub from: String,
}

/// Options of `esker reproduce`.
#[derive(Debug, Args)]
pub struct Reproduce {
    /// Names of cases or papers, such as `campello-2015` or `bandeira`, or folders with your own
    /// `case.toml` [default: all built-in cases].
    pub cases: Vec<String>,
    /// All cases.
    #[arg(long)]
    pub all: bool,
    /// List the cases and exit.
    #[arg(long)]
    pub list: bool,
    /// Run at the size of the paper; the quick size takes minutes for all cases.
    #[arg(long)]
    pub full: bool,
    /// Output folder. Interrupted runs are continued; finished runs are not repeated.
    #[arg(long, value_name = "DIR", default_value = "reproduced")]
    pub out: PathBuf,
    /// Also write the results as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Also write a summary as Markdown, and the results to cases/NAME/RESULTS.md in the same folder.
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Number of concurrent runs; 0 takes one per core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads)]
    pub jobs: usize,
    /// Threads of each run; 0 takes one if runs are concurrent, else a number suited to the run.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads)]
    pub threads: usize,
    /// Print no progress.
    #[arg(long, short)]
    pub quiet: bool,
}

/// How the points of a sweep are chosen.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Choice {
    /// All combinations of values: main effects.
    Grid,
    /// N rows of k + 2 runs for k parameters: first and total order indices.
    Sobol,
    /// N trajectories of k + 1 runs: elementary effects μ*, μ, σ; for screening with few runs.
    Morris,
    /// N runs: rank correlations and regression.
    Latin,
}

/// Options of `esker sweep`.
#[derive(Debug, Args)]
pub struct Sweep {
    /// Scene file, or name of a built-in scene.
    pub scene: String,
    /// Parameter and its values: `KEY=a,b,c`, `KEY=lo..hi`, `KEY=lo..hi log`, `KEY=lo..hi in 5`.
    /// KEY is a path as in `--set`, with `*` for all items, such as `contact.pairs[*].friction`, or
    /// `seed`. `whole` after a range rounds to integers. A value may set other keys:
    /// `contact.rolling=none,arm with KEY=VALUE`.
    #[arg(long, value_name = "KEY=VALUES")]
    pub vary: Vec<String>,
    /// Sampling method [default: grid, if all values are listed].
    #[arg(long, value_enum)]
    pub method: Option<Choice>,
    /// Rows (sobol), trajectories (morris) or runs (latin).
    #[arg(long, value_name = "N")]
    pub samples: Option<usize>,
    /// Runs per point, with consecutive seeds from that of the scene; the ranking is based on their
    /// mean.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seeds: usize,
    /// Seed of the sampling.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Results to collect: a name, the end of a name, or a prefix with `*` such as `heap.*`
    /// [default: all measures and the last values of all probes].
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub collect: Vec<String>,
    /// Override a value of the scene in all runs.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub changes: Vec<String>,
    /// Output folder [default: sweeps/NAME]. Interrupted runs are continued; finished runs
    /// are not repeated.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Number of concurrent runs; 0 takes one per core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads)]
    pub jobs: usize,
    /// Threads of each run; 0 takes one if runs are concurrent, else a number suited to the run.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads)]
    pub threads: usize,
    /// List the runs and estimate their cost, without running.
    #[arg(long)]
    pub dry_run: bool,
    /// Also write frames, contact lists and reports of the runs.
    #[arg(long)]
    pub keep: bool,
    /// Also write the rankings as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Print no progress.
    #[arg(long, short)]
    pub quiet: bool,
}

/// Options of `esker info`.
#[derive(Debug, Args)]
pub struct Info {
    /// A run folder or a checkpoint.
    pub path: PathBuf,
}

/// Options of `esker bench`.
#[derive(Debug, Args)]
pub struct Bench {
    /// Scene to measure.
    #[arg(long, value_enum, default_value_t = Which::Bed)]
    pub scene: Which,
    /// Initial state, instead of the one that Esker computes: a line `# box xlo xhi ylo yhi zlo zhi`,
    /// then `x y z r vx vy vz wx wy wz` for each sphere.
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// Number of threads; 0 takes all cores.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,
    /// Divide the particles among N ranks within this process; `mpirun` does it among processes.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = ranks)]
    pub ranks: usize,
    /// Number of steps to measure.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub steps: u64,
    /// Number of particles [default: bed 10000, drum 20000, gas 50000]. Above 10000, a bed has a
    /// multiple of 10000.
    #[arg(long, value_name = "N")]
    pub particles: Option<usize>,
    /// Also write the result as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Measure the cost of each contact law relative to Hertz with Mindlin, over at most 1000 steps.
    /// With WORD, only laws whose names contain it.
    #[arg(long, value_name = "WORD", num_args = 0..=1, default_missing_value = "")]
    pub laws: Option<String>,
    /// Highest instruction set to use [default: the highest of the machine].
    #[arg(long, value_enum, value_name = "SET")]
    pub instruction_set: Option<InstructionSet>,
    /// Write the initial state and exit.
    #[arg(long, value_name = "FILE")]
    pub write_state: Option<PathBuf>,
}

/// Instruction sets that the engine is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum InstructionSet {
    /// Available on every machine of this architecture.
    Baseline,
    /// 256-bit vectors.
    Avx2,
    /// 512-bit vectors.
    Avx512,
}

/// Most ranks within this process: each temporarily holds all particles.
const MOST_RANKS: usize = 64;

/// A number of ranks within this process.
fn ranks(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("not a whole number, one or more".to_owned()),
        Ok(number) if number > MOST_RANKS => Err(format!("at most {MOST_RANKS}")),
        Ok(number) => Ok(number),
    }
}

/// A number of threads. More than a large machine has cores would be started one by one until the
/// system refuses.
fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().map_err(|_| "not a whole number, zero or more".to_owned())?;
    if number > MOST_THREADS {
        return Err(format!("at most {MOST_THREADS}; 0 selects a suitable number"));
    }
    Ok(number)
}
