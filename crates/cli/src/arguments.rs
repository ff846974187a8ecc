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
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a scene file, or a built-in scene by name.
    Run(Run),
    /// Show what a scene amounts to: time step, contact times, counts; then stop.
    Check(Check),
    /// Write a new scene file to start from.
    New(New),
    /// List the built-in scenes and the published problems.
    List,
    /// Run published problems and compare with what was published; exit 1 if a comparison fails.
    Reproduce(Reproduce),
    /// Run a scene with many values of its parameters and rank these by their effect.
    Sweep(Sweep),
    /// Show a run in the browser while it runs or afterwards, two runs side by side, or a scene before it runs.
    View(View),
    /// Show what a run folder or a checkpoint holds.
    Info(Info),
    /// Print the JSON schema of scene files, for completion in editors.
    Schema,
    /// Measure particle-steps per second on a standard scene.
    Bench(Bench),
}

/// Options of `esker run`.
#[derive(Debug, Args, Default)]
pub struct Run {
    /// Scene file, or name of a built-in scene [default: pile].
    pub scene: Option<String>,
    /// Folder to write into [default: runs/NAME, or runs/NAME-2 … if that exists].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Threads; 0 takes one for each thousand particles, at most all cores. The result is the
    /// same for any number.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads)]
    pub threads: usize,
    /// Divide the particles among N ranks within this process, each with its own threads: to test and
    /// debug runs on several ranks. The result is the same for any number.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = ranks)]
    pub ranks: usize,
    /// Continue from the last checkpoint of the same scene (in DIR, or in the newest runs/NAME).
    #[arg(long)]
    pub resume: bool,
    /// Put a value over one of the scene, such as `time.step=1e-6` or `particles[0].radius=0.01`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub changes: Vec<String>,
    /// Say nothing but errors and warnings.
    #[arg(long, short)]
    pub quiet: bool,
    /// Replace the run in DIR; with --resume, continue although the scene has changed.
    #[arg(long)]
    pub force: bool,
    /// Save and end after this wall-clock time, such as `3600` (seconds), `90m` or `23h30m`, with
    /// exit code 124; `--resume` continues. Leave time for one checkpoint and the report.
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
    /// Print the address of the viewer and open no browser.
    #[arg(long, requires = "view")]
    pub no_browser: bool,
    /// Exit with 1 if there are warnings; those known before the first step keep the run from
    /// starting.
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
    /// Print the address and open no browser.
    #[arg(long)]
    pub no_browser: bool,
    /// Write one page that holds everything, instead of serving: it can be opened from a file, sent, and needs no
    /// network.
    #[arg(long, value_name = "FILE.html")]
    pub export: Option<PathBuf>,
    /// Frames of the exported page, evenly spread [default: as many as 1 million particles times frames allow].
    #[arg(long, value_name = "N", requires = "export")]
    pub frames: Option<usize>,
    /// Quantities of the exported page to color by, such as `force` or `velocity.z` [default: velocity].
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "export")]
    pub columns: Vec<String>,
    /// Draw one picture without a browser, as the viewer's "Copy command" says.
    #[arg(long, value_name = "FILE.png", conflicts_with = "export")]
    pub picture: Option<PathBuf>,
    /// Frame of the picture [default: the last one].
    #[arg(long, value_name = "N", requires = "picture")]
    pub frame: Option<usize>,
    /// What the picture is colored by.
    #[arg(long, value_name = "NAME", requires = "picture", default_value = "velocity")]
    pub color: String,
    /// Ends of the color scale of the picture [default: those of the frame].
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
    /// Groups that the picture leaves out.
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
    /// Direction towards the camera and upward direction of the picture: six numbers; with its centre and the
    /// height of the view [m], ten.
    #[arg(
        long,
        value_name = "X,Y,Z,X,Y,Z[,X,Y,Z,H]",
        value_delimiter = ',',
        requires = "picture",
        allow_hyphen_values = true
    )]
    pub camera: Vec<f64>,
    /// Override a value of a scene that is shown.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub changes: Vec<String>,
}

/// Options of `esker check`.
#[derive(Debug, Args)]
pub struct Check {
    /// Scene file, or name of a built-in scene.
    pub scene: String,
    /// Put a value over one of the scene.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub changes: Vec<String>,
    /// Exit with 1 if there are warnings.
    #[arg(long)]
    pub strict: bool,
}

/// Options of `esker new`.
#[derive(Debug, Args)]
pub struct New {
    /// Name of the file; `.toml` is added if it has no ending.
    pub name: String,
    /// Built-in scene to start from.
    #[arg(long, value_name = "TEMPLATE", default_value = "bouncing_ball")]
    pub from: String,
}

/// Options of `esker reproduce`.
#[derive(Debug, Args)]
pub struct Reproduce {
    /// Names of cases or papers, such as `campello-2015` or `bandeira`, or folders with a `case.toml`
    /// of your own [default: all built-in cases].
    pub cases: Vec<String>,
    /// All cases.
    #[arg(long)]
    pub all: bool,
    /// List the cases and stop.
    #[arg(long)]
    pub list: bool,
    /// Run at the size of the paper; the quick size takes minutes in all.
    #[arg(long)]
    pub full: bool,
    /// Folder to write into. Interrupted runs continue; finished ones are not repeated.
    #[arg(long, value_name = "DIR", default_value = "reproduced")]
    pub out: PathBuf,
    /// Write the results as JSON too.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write a summary as Markdown too, and the results to cases/NAME/RESULTS.md beside it.
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Runs side by side; 0 takes one for each core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads)]
    pub jobs: usize,
    /// Threads of each run; 0 takes one where runs are side by side, else as many as suit the run.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads)]
    pub threads: usize,
    /// Say nothing on the way.
    #[arg(long, short)]
    pub quiet: bool,
}

/// How the points of a sweep are chosen.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Choice {
    /// Every value with every other: main effects.
    Grid,
    /// N rows of k + 2 runs for k parameters: first and total order indices.
    Sobol,
    /// N paths of k + 1 runs: elementary effects μ*, μ, σ; finds what matters with few runs.
    Morris,
    /// N runs: rank correlations and regression.
    Latin,
}

/// Options of `esker sweep`.
#[derive(Debug, Args)]
pub struct Sweep {
    /// Scene file, or name of a built-in scene.
    pub scene: String,
    /// What varies: `KEY=a,b,c`, `KEY=lo..hi`, `KEY=lo..hi log`, `KEY=lo..hi in 5`. A KEY is as in
    /// `--set`, with `*` for all items, such as `contact.pairs[*].friction`; also `seed`. `whole`
    /// after a range rounds. A value may bring others: `contact.rolling=none,arm with KEY=VALUE`.
    #[arg(long, value_name = "KEY=VALUES")]
    pub vary: Vec<String>,
    /// How points are chosen [default: grid, if all values are listed].
    #[arg(long, value_enum)]
    pub method: Option<Choice>,
    /// Rows (sobol), paths (morris) or runs (latin).
    #[arg(long, value_name = "N")]
    pub samples: Option<usize>,
    /// Runs of each point, with seeds that follow that of the scene; their mean is ranked.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seeds: usize,
    /// Seed of the choice of points.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Results to collect, by name, its end or a beginning with `*`, as `heap.*` [default: all measures and the
    /// last values of all probes].
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub collect: Vec<String>,
    /// Put a value over one of the scene in all runs.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub changes: Vec<String>,
    /// Folder to write into [default: sweeps/NAME]. Interrupted runs continue; finished ones
    /// are not repeated.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Runs side by side; 0 takes one for each core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads)]
    pub jobs: usize,
    /// Threads of each run; 0 takes one where runs are side by side, else as many as suit the run.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads)]
    pub threads: usize,
    /// List the runs, estimate what they take, and stop.
    #[arg(long)]
    pub dry_run: bool,
    /// Write frames, contact lists and reports of the runs too.
    #[arg(long)]
    pub keep: bool,
    /// Write the rankings as JSON too.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Say nothing on the way.
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
    /// What to measure.
    #[arg(long, value_enum, default_value_t = Which::Bed)]
    pub scene: Which,
    /// Start from this state instead of one that esker makes: a line `# box xlo xhi ylo yhi zlo zhi`,
    /// then `x y z r vx vy vz wx wy wz` for each sphere.
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// Threads; 0 takes all cores.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,
    /// Divide the particles among N ranks within this process; `mpirun` does it among processes.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = ranks)]
    pub ranks: usize,
    /// Steps to measure.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub steps: u64,
    /// Particles [default: bed 10000, drum 20000, gas 50000]. A bed of more than 10000 has a
    /// multiple of that.
    #[arg(long, value_name = "N")]
    pub particles: Option<usize>,
    /// Write the result as JSON too.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Measure what each contact law costs, beside Hertz with Mindlin; 1000 steps at most. With a
    /// word, only laws that have it in their name.
    #[arg(long, value_name = "WORD", num_args = 0..=1, default_missing_value = "")]
    pub laws: Option<String>,
    /// Use at most this instruction set [default: the best of the machine].
    #[arg(long, value_enum, value_name = "SET")]
    pub instruction_set: Option<InstructionSet>,
    /// Write the initial state, and end.
    #[arg(long, value_name = "FILE")]
    pub write_state: Option<PathBuf>,
}

/// Instruction sets that the engine is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum InstructionSet {
    /// What every machine of this architecture has.
    Baseline,
    /// 256-bit vectors.
    Avx2,
    /// 512-bit vectors.
    Avx512,
}

/// Most ranks within this process: each has all particles now and then.
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
        return Err(format!("at most {MOST_THREADS}; 0 takes what suits the machine"));
    }
    Ok(number)
}
