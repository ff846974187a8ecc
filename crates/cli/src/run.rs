//! `esker run`.

use crate::arguments;
use crate::builtin;
use crate::failure::{Failure, colour, print_path, say, say_rendered};
use crate::interrupt::Interrupt;
use crate::launcher;
use crate::progress::Progress;
use crate::ranks::{self, Job};
use crate::threads;
use crate::view;
use esker_scene::Loaded;
use esker_scene::run::{self, Ended, Requests, RunOptions, Summary};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Default parent folder of runs.
const RUNS: &str = "runs";

/// Runs a scene to its end, or follows the process of the MPI job that does.
pub fn run(arguments: &arguments::Run) -> Result<(), Failure> {
    let interrupt = Interrupt::listen()?;
    let job = Job::start(arguments.mpi_timeout, arguments.threads)?;
    if job.follows() {
        job.follow(arguments);
        return Ok(());
    }
    let (loaded, options) = match requested(arguments, &job) {
        Ok(requested) => requested,
        Err(failure) => {
            job.dismiss();
            return Err(failure);
        }
    };
    let run = run::Run::open(loaded, &options)?;
    job.say_placement(run.loaded().scene.threads, arguments.quiet);
    finish(arguments, run, &interrupt)
}

/// The scene and the options of the run.
fn requested(arguments: &arguments::Run, job: &Job) -> Result<(Loaded, RunOptions), Failure> {
    let scene = arguments.scene.as_deref().unwrap_or(builtin::DEFAULT);
    let (name, loaded) = builtin::load(scene, &arguments.changes)?;
    say_rendered(loaded.render_warnings(colour()));
    if arguments.strict && !loaded.warnings.is_empty() {
        return Err(Failure::strict(loaded.warnings.len()));
    }
    let options = RunOptions {
        folder: folder(arguments, &name)?,
        threads: arguments.threads,
        resume: arguments.resume,
        force: arguments.force,
        overrides: arguments.changes.clone(),
        light: false,
        strict: arguments.strict,
        viewer: Some(esker_view::for_report),
        ranks: job.ranks(arguments.ranks),
        comm: job.comm().cloned(),
        cores: job.cores(),
    };
    Ok((loaded, options))
}

/// Makes all steps of the run and reports how it ended.
fn finish(arguments: &arguments::Run, run: run::Run, interrupt: &Interrupt) -> Result<(), Failure> {
    let deadline = arguments.max_time.and_then(|time| Instant::now().checked_add(time));
    let folder = run.folder().to_path_buf();
    for remark in run.remarks().iter().chain(run.simulation().warnings()) {
        say(format_args!("warning: {remark}\n"));
    }
    // in an MPI job, the placement of the processes is printed instead
    if launcher::processes().is_none() {
        threads::warn(arguments.threads, 1);
    }
    let mut progress = Progress::new(arguments.quiet);
    progress.begin(run.simulation(), &folder);
    let requests = Requests { stop: interrupt.flag(), save: interrupt.save(), deadline };
    let live = match arguments.view {
        true => Some(view::Watched::start(&run, arguments.port, arguments.no_browser)?),
        false => None,
    };
    let finish = || {
        run.finish_with(&requests, |simulation| {
            progress.show(simulation);
            if let Some(live) = &live {
                live.offer(simulation);
            }
        })
    };
    let summary = match arguments.ranks {
        0 | 1 => finish()?,
        _ => ranks::report_failures(finish)??,
    };
    progress.end();
    conclude(&summary, &folder, arguments.quiet)?;
    if let Some(live) = live {
        live.stay(interrupt);
    }
    result(&summary, &folder, interrupt, arguments.strict)
}

/// Success, or the reason of an unsuccessful end.
fn result(
    summary: &Summary,
    folder: &Path,
    interrupt: &Interrupt,
    strict: bool,
) -> Result<(), Failure> {
    match &summary.ended {
        Ended::Failed(error) => Err(Failure::unphysical(error.to_string()).help(format!(
            "the last frame of {} shows the failure; {} lists the neighbourhood of the particle",
            folder.join("frames.pvd").display(),
            folder.join("postmortem.json").display()
        ))),
        Ended::Interrupted => Err(Failure::interrupted(interrupt)),
        Ended::OutOfTime => Err(Failure::out_of_time()),
        Ended::Finished if strict && !summary.warnings.is_empty() => {
            Err(Failure::strict(summary.warnings.len()).help("the run itself is complete"))
        }
        Ended::Finished => Ok(()),
    }
}

fn folder(arguments: &arguments::Run, name: &str) -> Result<PathBuf, Failure> {
    if let Some(folder) = &arguments.out {
        return Ok(folder.clone());
    }
    if !arguments.resume {
        return Ok(run::fresh_folder(Path::new(RUNS), name));
    }
    run::folder_to_resume(Path::new(RUNS), name).ok_or_else(|| {
        Failure::input(format!("there is no run of `{name}` with a checkpoint in `{RUNS}`"))
            .help("`--out DIR` selects the folder of the run to continue")
    })
}

/// Reports the end of the run and the location of the results; the path of the folder goes to stdout.
fn conclude(summary: &Summary, folder: &Path, quiet: bool) -> Result<(), Failure> {
    if !quiet {
        say(format_args!(
            "{}: {:.4} s simulated in {} steps, {:.1} s of wall-clock time, {:.2} M particle-steps/s\n",
            summary.ended.name(),
            summary.time,
            summary.steps,
            summary.wall_time,
            summary.particle_steps_per_second / 1e6,
        ));
        if let Some(text) = ranks::describe(&summary.ranks) {
            say(format_args!("{text}\n"));
        }
        let counts = &summary.step_counts;
        if counts.iterations == 0 && counts.rejected == 0 && counts.shortest < counts.longest {
            let time_step = &summary.time_step;
            say(format_args!(
                "time steps from {:.3e} s to {:.3e} s, mean {:.3e} s, changed {} times{}\n",
                counts.shortest,
                counts.longest,
                time_step.mean,
                time_step.changes,
                time_step.limits().map_or(String::new(), |by| format!("; limited by {by}")),
            ));
        } else if counts.rejected + counts.unconverged > 0 || counts.shortest < counts.longest {
            say(format_args!(
                "{}: {} attempts rejected, {} evaluations, steps from {:.3e} s to {:.3e} s, {} not \
                 converged\n",
                summary.integrator,
                counts.rejected,
                counts.evaluations,
                counts.shortest,
                counts.longest,
                counts.unconverged,
            ));
        }
        if matches!(summary.ended, Ended::Interrupted | Ended::OutOfTime) {
            say(format_args!(
                "continue with: the same command and --resume --out {}\n",
                folder.display()
            ));
        }
        let report = folder.join("report.html");
        if report.is_file() {
            say(format_args!("report: {} (open in a browser)\n", report.display()));
        }
        let frames = folder.join("frames.pvd");
        if frames.is_file() {
            say(format_args!("frames: {} (open in ParaView)\n", frames.display()));
        }
    }
    for warning in &summary.end_warnings {
        say(format_args!("warning: {warning}\n"));
    }
    print_path(folder)
}
