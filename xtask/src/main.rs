//! Esker's chores. `cargo xtask test` is exactly what CI runs; `cargo xtask soak` runs for an
//! hour or more and is for releases.

// Functions stay below 60 lines (clippy.toml); tests may list more cases.
#![cfg_attr(not(test), warn(clippy::too_many_lines))]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for developers, on a terminal"
)]

mod answer;
mod bench;
mod bits;
mod dependencies;
mod doc;
mod fuzz;
mod graph;
mod guard;
mod python;
mod sanitize;
mod smoke;
mod soak;
mod steps;
mod view;
mod wheel;

use anyhow::{Result, bail};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test   what CI runs: format, lints, all tests, docs, a release build, a run from end to end
         (--portable: without checks that need packages of the system)
  soak   a million particles, saved and resumed; ten million steps of a small scene; a million steps
         of a bouncing stack with each integrator; runs stopped at random; errors of the file system at
         every operation of a small run
         (--short: the same in small, as in `test`; --faults: only stops and errors)
  fuzz   changed scenes, meshes, tables, checkpoints, run folders and case folders, guided by coverage;
         what breaks something is kept under crates/study/tests/found, which `test` tries again
         (--minutes N: 10 if not given; --seed N; names of kinds: only these)
  dependencies
         unused ones, licences and duplicate versions, as in `test`
  doc    the documentation, with its links and the number of public items without an example, as in `test`
  smoke  a run from end to end, as in `test`
  bits FILE
         writes hashes of the results of all built-in scenes and laws (--compare: reports those that changed)
  view   the viewer in a real browser (Chromium), as in `test`; pictures are kept under target/view; `view budgets` measures it
         (words: only tests with one of them in their name)
  wheel  builds the Python package and tests it in a fresh virtual environment, as in `test`
         (--long: with a hundred thousand random calls of the interface)
  graph  writes the graph of the crates and the order of the modules to ARCHITECTURE.md
  sanitize
         tests of the engine under AddressSanitizer (nightly toolchain) or valgrind's memcheck
  guard  instructions of a step, counted by callgrind, against those on record, as in `test`
         (--record: put them on record)
  bench  the standard scenes, or those that are named; with --peers also LAMMPS, LIGGGHTS and YADE on
         the same states, installed by package; with --answer the dynamic angle of a drum, the mass rate of a
         hopper and the angle of a heap by Esker, LAMMPS and LIGGGHTS, and the simulated time per processor
         hour (--seeds N: initial states of each, 3 if not given; names: only these problems)
";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["test"] => steps::test(steps::Needs::System),
        ["test", "--portable"] => steps::test(steps::Needs::Portable),
        ["dependencies"] => dependencies::dependencies(),
        ["doc"] => doc::documentation(),
        ["smoke"] => steps::build_program().and_then(|()| smoke::smoke()),
        ["bits", file] => bits::bits(file, false),
        ["bits", file, "--compare"] => bits::bits(file, true),
        ["view", only @ ..] => view::view(only),
        ["wheel"] => steps::build_program().and_then(|()| wheel::wheel(wheel::Calls::Few)),
        ["wheel", "--long"] => {
            steps::build_program().and_then(|()| wheel::wheel(wheel::Calls::Many))
        }
        ["graph"] => graph::graph(),
        ["sanitize"] => sanitize::sanitize(),
        ["guard"] => guard::guard(false),
        ["guard", "--record"] => guard::guard(true),
        ["fuzz", rest @ ..] => fuzz::fuzz(rest),
        ["bench", "--answer", words @ ..] => answer::answer(words),
        ["bench", "--peers", only @ ..] => bench::bench(true, only),
        ["bench", only @ ..] => bench::bench(false, only),
        ["soak"] => soak::soak(soak::Size::Full),
        ["soak", "--short"] => soak::soak(soak::Size::Short),
        ["soak", "--faults"] => soak::faults_alone(soak::Size::Full),
        ["soak", "--short", "--faults"] => soak::faults_alone(soak::Size::Short),
        _ => bail!("{USAGE}"),
    }
}
