//! `cargo xtask bench --answer`: Esker with its automatic time step, compared with LAMMPS and LIGGGHTS with a common
//! choice of the step. All codes start from the same states of 5000 particles. The table shows a measured result
//! (dynamic angle, mass rate, angle of a heap) and the simulated time per hour of processor time.

mod codes;
mod problem;
mod surface;

use crate::steps::{build_program, target};
use anyhow::{Result, bail};
use codes::{Code, Run};
use problem::{PROBLEMS, Problem};
use std::path::Path;

/// Number of initial states of each problem; the mean and the spread of their results are shown.
const SEEDS: u32 = 3;

/// Measures the named problems, or all. `--seeds N` sets the number of initial states.
pub fn answer(words: &[&str]) -> Result<()> {
    let (seeds, only) = match words {
        ["--seeds", seeds, only @ ..] => (seeds.parse()?, only),
        only => (SEEDS, only),
    };
    if let Some(word) = only.iter().find(|word| PROBLEMS.iter().all(|one| one.name != **word)) {
        let names: Vec<&str> = PROBLEMS.iter().map(|one| one.name).collect();
        bail!("there is no problem `{word}`; problems: {}", names.join(", "));
    }
    build_program()?;
    let folder = target().join("answer");
    std::fs::create_dir_all(&folder)?;
    let codes = codes::available()?;
    println!("{HEADER}");
    for problem in PROBLEMS.iter().filter(|one| only.is_empty() || only.contains(&one.name)) {
        let mut runs: Vec<Vec<Run>> = vec![Vec::new(); codes.len()];
        for seed in 1..=seeds {
            measure(problem, seed, &codes, &folder, &mut runs)?;
        }
        for (code, runs) in codes.iter().zip(&runs) {
            println!("{}", row(problem, code, runs));
        }
    }
    Ok(())
}

const HEADER: &str = "\
| problem | code | time step [µs] | of the Rayleigh time | result | standard deviation | simulated seconds per processor hour |
|---|---|---|---|---|---|---|";

/// Runs all codes from one initial state, one after the other.
fn measure(
    problem: &Problem,
    seed: u32,
    codes: &[Code],
    folder: &Path,
    runs: &mut [Vec<Run>],
) -> Result<()> {
    let start = codes::start(problem, seed, folder)?;
    for (code, runs) in codes.iter().zip(runs) {
        let run = code.run(problem, &start, folder)?;
        eprintln!(
            "{}, state {seed}, {}: {:.3} {}, {:.1} s of processor time",
            problem.name,
            code.name(),
            run.result,
            problem.unit,
            run.processor_time
        );
        runs.push(run);
    }
    Ok(())
}

/// A row of the table: means over the initial states.
fn row(problem: &Problem, code: &Code, runs: &[Run]) -> String {
    let count = runs.len() as f64;
    let mean = |of: fn(&Run) -> f64| runs.iter().map(of).sum::<f64>() / count;
    let result = mean(|run| run.result);
    let squares: f64 = runs.iter().map(|run| (run.result - result).powi(2)).sum();
    let deviation = match runs.len() {
        0 | 1 => "–".to_owned(),
        _ => format!("{:.3}", (squares / (count - 1.0)).sqrt()),
    };
    format!(
        "| {}: {} [{}] | {} | {:.1} | {:.1} % | {result:.3} | {deviation} | {:.0} |",
        problem.name,
        problem.quantity,
        problem.unit,
        code.name(),
        1e6 * mean(|run| run.step),
        100.0 * mean(|run| run.step / run.rayleigh_time),
        3600.0 * problem.duration / mean(|run| run.processor_time)
    )
}
