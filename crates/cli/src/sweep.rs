//! `esker sweep`: a scene with many parameter values, and the ranking of the parameters.

use crate::arguments;
use crate::builtin;
use crate::failure::{Failure, NOT_ALL, print, say};
use crate::interrupt::Interrupt;
use crate::program::program;
use crate::threads;
use esker_scene::check::estimate::{long_time, measured_speed};
use esker_scene::run::RunError;
use esker_study::batch::{Attempt, check_folder, side_by_side, take_folder};
use esker_study::sweep::{
    self, Method, Outcome, Parameter, Plan, Prepared, Ranking, Results, Sweep, SweepError, Wrong,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Name of the command, which marks its folder.
const COMMAND: &str = "sweep";
/// Default parent folder of sweeps.
const SWEEPS: &str = "sweeps";
/// Rankings shown on the terminal; all of them are in the report.
const MOST_SHOWN: usize = 6;
/// Longest measurement of the speed of a run for the estimate.
const MEASURED: Duration = Duration::from_millis(500);

impl From<Wrong> for Failure {
    fn from(wrong: Wrong) -> Self {
        Self::input(wrong.message).help(wrong.help)
    }
}

impl From<SweepError> for Failure {
    fn from(error: SweepError) -> Self {
        match error {
            SweepError::Run(error) => error.into(),
            SweepError::Arguments(wrong) => wrong.into(),
        }
    }
}

/// Makes the runs, collects their results and ranks the parameters.
pub fn sweep(arguments: &arguments::Sweep) -> Result<(), Failure> {
    let interrupt = Interrupt::listen()?;
    let (name, prepared) = prepare(arguments)?;
    for remark in prepared.sweep.plan.remarks() {
        say(format_args!("note: {remark}\n"));
    }
    let (done, stale) = prepared.found();
    if stale > 0 {
        say(format_args!(
            "note: {stale} runs in {} belong to another scene or program and are repeated\n",
            prepared.sweep.folder.display()
        ));
    }
    check_folder(&prepared.sweep.folder, COMMAND)?;
    if arguments.dry_run {
        return list(&prepared, done, arguments.jobs);
    }
    take_folder(&prepared.sweep.folder, COMMAND)?;
    let outcomes = make(&prepared, arguments, done, interrupt.flag())?;
    let results = Results::new(&prepared, outcomes)?;
    results.write(&name)?;
    let folder = &prepared.sweep.folder;
    if results.outcomes.contains(&Outcome::Unfinished) {
        let help = format!("the same command continues; finished runs are in {}", folder.display());
        return Err(Failure::interrupted(&interrupt).saying(NOT_ALL).help(help));
    }
    conclude(&results, arguments)
}

fn prepare(arguments: &arguments::Sweep) -> Result<(String, Prepared), Failure> {
    let parameters: Vec<Parameter> =
        arguments.vary.iter().map(|text| Parameter::parse(text)).collect::<Result<_, _>>()?;
    let method = arguments.method.map(|method| match method {
        arguments::Choice::Grid => Method::Grid,
        arguments::Choice::Sobol => Method::Sobol,
        arguments::Choice::Morris => Method::Morris,
        arguments::Choice::Latin => Method::Latin,
    });
    let plan = Plan::new(parameters, method, arguments.samples, arguments.seeds, arguments.seed)?;
    builtin::pairs(&arguments.changes)?;
    let (name, scene) = builtin::open(&arguments.scene)?;
    let sweep = Sweep {
        provided: esker_scene::Provided::new(),
        scene,
        plan,
        common: arguments.changes.clone(),
        folder: arguments.out.clone().unwrap_or_else(|| Path::new(SWEEPS).join(&name)),
        program: program(),
        threads: if arguments.jobs == 1 { arguments.threads } else { arguments.threads.max(1) },
        light: !arguments.keep,
    };
    Ok((name, sweep.prepare(&arguments.collect)?))
}

/// Makes all runs, several concurrently; returns their outcomes.
fn make(
    prepared: &Prepared,
    arguments: &arguments::Sweep,
    done: usize,
    interrupt: &AtomicBool,
) -> Result<Vec<Outcome>, Failure> {
    let different = prepared.different();
    if !arguments.quiet {
        say(format_args!(
            "{} of {}, {done} already finished, in {}\n",
            counted(different.len(), "run"),
            counted(prepared.sweep.plan.points.len(), "point"),
            prepared.sweep.folder.display()
        ));
    }
    let left = different.len() - done;
    if left > 0 {
        threads::warn(prepared.sweep.threads, threads::jobs(arguments.jobs, left));
    }
    let (ended, refused) = (AtomicUsize::new(0), AtomicBool::new(false));
    let attempts = side_by_side(different.len(), arguments.jobs, interrupt, |position| {
        let index = different[position];
        let outcome = prepared.make(index, interrupt);
        let ended = ended.fetch_add(1, Ordering::Relaxed) + 1;
        let progress = (ended, different.len());
        announce(prepared, index, progress, &outcome, (&refused, arguments.quiet));
        Outcome::of(&outcome)
    });
    let mut outcomes = vec![Outcome::Unfinished; prepared.runs.len()];
    for (index, outcome) in different.into_iter().zip(attempts) {
        outcomes[index] = outcome.unwrap_or(Outcome::Unfinished);
    }
    for index in 0..outcomes.len() {
        outcomes[index] = outcomes[prepared.firsts[index]].clone();
    }
    Ok(outcomes)
}

/// `1 run`, `2 runs`.
fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn announce(
    prepared: &Prepared,
    index: usize,
    (ended, all): (usize, usize),
    outcome: &Result<Attempt, RunError>,
    (refused, quiet): (&AtomicBool, bool),
) {
    let changes = prepared.runs[index].changes[prepared.sweep.common.len()..].join(" ");
    match outcome {
        Ok(Attempt::Made(result)) => {
            if let Some(failure) = &result.failure {
                say(format_args!("[{ended}/{all}] {changes}: failed: {failure}\n"));
            } else if !quiet && !result.reused {
                let (steps, seconds) = (result.steps, result.wall_time);
                say(format_args!("[{ended}/{all}] {changes}: {steps} steps, {seconds:.1} s\n"));
            }
        }
        Ok(Attempt::Interrupted) => say(format_args!("{changes}: interrupted, saved\n")),
        // An error that occurs in many runs is printed completely only once.
        Err(error) if !refused.swap(true, Ordering::Relaxed) => {
            say(format_args!("[{ended}/{all}] {changes}: cannot be run:\n{error}\n"));
        }
        Err(error) => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            let first = first.strip_prefix("error: ").unwrap_or(first);
            say(format_args!("[{ended}/{all}] {changes}: cannot be run: {first}\n"));
        }
    }
}

/// Prints the ranking; an error if runs failed.
fn conclude(results: &Results<'_>, arguments: &arguments::Sweep) -> Result<(), Failure> {
    let (rankings, constant) = results.rankings();
    let folder = &results.prepared.sweep.folder;
    show(results, &rankings, &constant)?;
    let (effects, report) = (results.file("effects.csv"), results.file("report.html"));
    if let Some(path) = &arguments.json {
        put(path, &format!("{:#}\n", sweep::json(results, &rankings, &constant)))?;
    }
    if !arguments.quiet {
        say(format_args!(
            "all runs in {}{}\nreport: {} (open in a browser)\n",
            folder.join("results.csv").display(),
            if results.has_ranking() {
                format!(", effects in {}", effects.display())
            } else {
                String::new()
            },
            report.display()
        ));
    }
    let different = results.prepared.different();
    let failed = |index: &&usize| results.outcomes[**index].failure().is_some();
    match different.iter().filter(failed).count() {
        0 => Ok(()),
        failed => Err(Failure::unphysical(format!(
            "{failed} of {} runs failed; {} states the causes",
            different.len(),
            folder.join("results.csv").display()
        ))),
    }
}

fn show(
    results: &Results<'_>,
    rankings: &[(usize, Ranking)],
    constant: &[&str],
) -> Result<(), Failure> {
    let plan = &results.prepared.sweep.plan;
    let more = rankings.len().saturating_sub(MOST_SHOWN);
    let table = if results.has_ranking() {
        for (_, ranking) in rankings.iter().take(MOST_SHOWN) {
            print(&format!("{}\n", ranking.text(plan)))?;
        }
        "effects.csv"
    } else {
        let shown = &rankings[..rankings.len().min(MOST_SHOWN)];
        print(&results.values_text(shown))?;
        "results.csv"
    };
    if more > 0 {
        print(&format!("{more} more results are in {table}; select results with `--collect`.\n"))?;
    }
    if !constant.is_empty() {
        print(&format!("Constant or missing: {}\n", constant.join(", ")))?;
    }
    Ok(())
}

/// `--dry-run`: the runs and an estimate of their cost.
fn list(prepared: &Prepared, done: usize, jobs: usize) -> Result<(), Failure> {
    for index in prepared.different() {
        let run = &prepared.runs[index];
        print(&format!("{}  {}\n", run.name, run.changes.join(" ")))?;
    }
    let all = prepared.different().len();
    say(format_args!(
        "{} of {}, {done} already finished\n",
        counted(all, "run"),
        counted(prepared.sweep.plan.points.len(), "point")
    ));
    let (mut work, mut counted, mut refused, mut speed) = (0.0, 0.0, 0, None);
    for example in prepared.examples() {
        let Ok((loaded, mut simulation)) = example else {
            refused += 1;
            continue;
        };
        let time: Option<f64> = loaded.scene.stages.iter().map(|stage| stage.end.after).sum();
        let Some(time) = time else { continue };
        let particles = esker_scene::run::expected_particles(&loaded.scene)
            .unwrap_or_default()
            .max(simulation.particles().len());
        work += time / simulation.dt() * particles as f64;
        counted += 1.0;
        speed = speed.or_else(|| measured_speed(&mut simulation, MEASURED));
    }
    if refused > 0 {
        say(format_args!("{refused} of the tested runs have an invalid scene\n"));
    }
    let (true, Some(speed)) = (counted > 0.0, speed) else {
        say("their duration cannot be estimated: a stage has no `after`\n");
        return Ok(());
    };
    let total = work / counted * (all - done) as f64;
    let jobs = threads::jobs(jobs, all - done);
    say(format_args!(
        "at most about {total:.1e} particle-steps, {} at the {:.2} M particle-steps/s of the first \
         steps, {jobs} concurrently\n",
        long_time(total / speed / jobs as f64),
        speed / 1e6,
    ));
    Ok(())
}

fn put(path: &PathBuf, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text)
        .map_err(|error| Failure::input(format!("cannot write `{}`: {error}", path.display())))
}
