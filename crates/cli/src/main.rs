//! The program `esker`. Data goes to stdout, everything else to stderr. Exit codes: 0 success, 1 stopped as unphysical
//! or a failed comparison, 2 invalid input or arguments, 130 interrupted by SIGINT, 143 by SIGTERM (128 and the number
//! of the signal), saved in both cases.

// No panic reaches a user, libraries print nothing, functions stay below 60 lines (clippy.toml). Tests may.
#![cfg_attr(
    not(test),
    warn(clippy::print_stderr, clippy::print_stdout, clippy::too_many_lines, clippy::unwrap_used)
)]

mod arguments;
mod bench;
mod builtin;
mod cases;
mod check;
mod duration;
mod failure;
mod info;
mod interrupt;
mod launcher;
mod markdown;
mod new;
mod program;
mod progress;
mod ranks;
mod reproduce;
mod run;
mod sweep;
mod threads;
mod view;

use arguments::{Arguments, Command, Run};
use clap::Parser;
use failure::{Failure, print, print_line, say};
use std::process::ExitCode;

/// Message of `esker` without arguments, before it runs the pile.
const FIRST_STEPS: &str = "\
Esker simulates granular materials. Commands to start with:

  esker run drum          runs a built-in scene; `esker list` lists all of them
  esker new my            writes a scene file my.toml; then `esker run my.toml`
  esker check my.toml     prints time step, counts and laws of a scene, without running it

All commands: esker --help. Running the built-in scene `pile`, which takes about 7 s.
";

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    let allowed = launcher::refuse_several_processes(arguments.command.as_ref());
    let outcome = allowed.and_then(|()| match arguments.command {
        None => {
            say(format_args!("{FIRST_STEPS}\n"));
            run::run(&Run::default())
        }
        Some(command) => execute(&command),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report();
            ExitCode::from(failure.code)
        }
    }
}

/// Prints the error of the arguments, with control characters made visible, or the requested help.
fn refuse(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        say(error.render());
    } else {
        // A closed pipe is not an error.
        let _ = error.print();
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

fn execute(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Run(options) => run::run(options),
        Command::Check(options) => check::check(options),
        Command::New(options) => new::new(options),
        Command::List => list(),
        Command::Reproduce(options) => reproduce::reproduce(options),
        Command::Sweep(options) => sweep::sweep(options),
        Command::View(options) => view::view(options),
        Command::Info(options) => info::info(&options.path),
        Command::Schema => {
            let schema = esker_scene::schema::schema();
            print_line(&serde_json::to_string_pretty(&schema).unwrap_or_default())
        }
        Command::Bench(options) => bench::bench(options),
    }
}

/// Built-in scenes and cases.
fn list() -> Result<(), Failure> {
    let cases = cases::chosen(&[])?;
    print(&format!(
        "Scenes (esker run NAME):\n{}\nPublished problems (esker reproduce NAME):\n{}",
        builtin::listing(),
        cases::listing(&cases::papers()?, &cases)
    ))
}
