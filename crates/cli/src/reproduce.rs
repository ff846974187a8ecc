//! `esker reproduce`: published problems and the comparison with computed results.

use crate::arguments::Reproduce;
use crate::cases;
use crate::failure::{Failure, NOT_ALL, print, say};
use crate::interrupt::Interrupt;
use crate::markdown::{Pages, put};
use crate::program::program;
use crate::threads;
use esker_scene::run::RunError;
use esker_study::batch::{Attempt, RunResult, side_by_side, take_folder};
use esker_study::case::{
    Case, CaseResult, CaseRunner, Papers, PlannedRun, Size, Verdict, page, text_table,
};

/// Runs the cases and compares.
pub fn reproduce(arguments: &Reproduce) -> Result<(), Failure> {
    let cases = cases::chosen(if arguments.all { &[] } else { &arguments.cases })?;
    if arguments.list {
        return print(&cases::listing(&cases::papers()?, &cases));
    }
    let interrupt = Interrupt::listen()?;
    let size = if arguments.full { Size::Full } else { Size::Quick };
    let runner = CaseRunner {
        folder: arguments.out.clone(),
        program: program(),
        threads: if arguments.jobs == 1 { arguments.threads } else { arguments.threads.max(1) },
    };
    let markdown = arguments.markdown.as_ref().map(|path| Pages::at(path, &cases)).transpose()?;
    take_folder(&runner.folder, "reproduce")?;
    let made = make(&runner, &cases, size, arguments, &interrupt)?;
    let mut results = Vec::new();
    for (case, runs) in cases.iter().zip(made) {
        let result =
            runner.judge(case, size, runs).map_err(|error| Failure::input(error.to_string()))?;
        print(&text_table(&result))?;
        results.push(result);
    }
    let papers = cases::papers()?;
    let summary = papers.summary_text(&results);
    if !summary.is_empty() {
        print(&format!("{summary}\n"))?;
    }
    write(&runner, arguments, &papers, &results)?;
    if let Some(pages) = markdown {
        pages.write(&papers, &results)?;
    }
    let fails: usize = results.iter().map(|result| result.count(Verdict::Fails)).sum();
    match fails {
        0 => Ok(()),
        1 => Err(Failure::unphysical("1 comparison fails")),
        _ => Err(Failure::unphysical(format!("{fails} comparisons fail"))),
    }
}

/// Makes all runs, several concurrently; the runs of a case in order.
fn make(
    runner: &CaseRunner,
    cases: &[Case],
    size: Size,
    arguments: &Reproduce,
    interrupt: &Interrupt,
) -> Result<Vec<Vec<RunResult>>, Failure> {
    for case in cases {
        runner.unpack(case)?;
    }
    let planned: Vec<(usize, PlannedRun)> = cases
        .iter()
        .enumerate()
        .flat_map(|(index, case)| case.runs(size).into_iter().map(move |run| (index, run)))
        .collect();
    threads::warn(runner.threads, threads::jobs(arguments.jobs, planned.len()));
    let made = side_by_side(planned.len(), arguments.jobs, interrupt.flag(), |index| {
        let (case, run) = &planned[index];
        let case = &cases[*case];
        let outcome = runner.make(case, size, run, interrupt.flag());
        announce(case, run, &outcome, arguments.quiet);
        outcome
    });
    gather(cases, &planned, made, arguments, interrupt)
}

fn gather(
    cases: &[Case],
    planned: &[(usize, PlannedRun)],
    made: Vec<Option<Result<Attempt, RunError>>>,
    arguments: &Reproduce,
    interrupt: &Interrupt,
) -> Result<Vec<Vec<RunResult>>, Failure> {
    let mut results = vec![Vec::new(); cases.len()];
    for ((case, _), outcome) in planned.iter().zip(made) {
        match outcome {
            Some(Ok(Attempt::Made(result))) => results[*case].push(result),
            Some(Err(error)) => return Err(error.into()),
            Some(Ok(Attempt::Interrupted)) | None => {
                let help = format!(
                    "the same command continues; finished runs are in {}",
                    arguments.out.display()
                );
                return Err(Failure::interrupted(interrupt).saying(NOT_ALL).help(help));
            }
        }
    }
    Ok(results)
}

fn announce(case: &Case, run: &PlannedRun, outcome: &Result<Attempt, RunError>, quiet: bool) {
    if quiet {
        return;
    }
    match outcome {
        Ok(Attempt::Made(result)) => say(format_args!(
            "{} {}: {} steps, {:.1} s{}\n",
            case.name,
            run.name,
            result.steps,
            result.wall_time,
            if result.reused { ", reused" } else { "" }
        )),
        Ok(Attempt::Interrupted) => {
            say(format_args!("{} {}: interrupted, saved\n", case.name, run.name));
        }
        Err(_) => say(format_args!("{} {}: cannot be run\n", case.name, run.name)),
    }
}

/// Report and JSON.
fn write(
    runner: &CaseRunner,
    arguments: &Reproduce,
    papers: &Papers,
    results: &[CaseResult],
) -> Result<(), Failure> {
    let report = runner.folder.join("report.html");
    put(&report, &page(papers, results)?)?;
    if let Some(path) = &arguments.json {
        put(path, &serde_json::to_string_pretty(results).unwrap_or_default())?;
    }
    if !arguments.quiet {
        say(format_args!("report: {} (open in a browser)\n", report.display()));
    }
    Ok(())
}
