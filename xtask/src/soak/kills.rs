//! Runs with streams, stages and a moving mesh, repeatedly stopped in every possible way; each writes the same bytes as
//! an uninterrupted run.

use super::Size;
use super::folders::{esker, files, said, same, succeed};
use super::scenes::{BUSY, TRAY};
use crate::steps::program;
use anyhow::{Result, bail, ensure};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Ways to stop a run, with the exit code; none if a signal ends the process.
const STOPS: [(&str, Option<i32>); 5] = [
    ("KILL", None),
    ("TERM", Some(143)),
    ("INT", Some(130)),
    ("USR1, then KILL", None),
    ("max-time", Some(124)),
];

/// Number of stops of each kind.
#[derive(Debug, Default)]
struct Counts([usize; STOPS.len()]);

/// Deterministic random numbers between 0 and 1 (splitmix64).
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)) as f64 / u64::MAX as f64
}

/// Several scenes in the full form, one in the short one.
pub fn kills(folder: &Path, size: Size) -> Result<()> {
    let (scenes, stops) = if size == Size::Full { (20, 25) } else { (1, 12) };
    let folder = folder.join("kills");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("tray.stl"), TRAY)?;
    std::fs::write(folder.join("busy.toml"), BUSY)?;
    let mut state = 18;
    let mut counts = Counts::default();
    for scene in 0..scenes {
        let shake = format!("walls[0].motion.oscillation.frequency={}", 10 + scene);
        let seed = format!("seed={}", 100 + scene);
        let settle = format!("stages[0].end.after={:.4}", 0.03 + 0.05 * random(&mut state));
        let rain =
            format!("particles[1].insert.stream.rate={:.0}", 200.0 + 600.0 * random(&mut state));
        let changes = [shake, seed, settle, rain];
        one(&folder, &changes, stops, &mut state, &mut counts)?;
    }
    let named: Vec<String> =
        STOPS.iter().zip(counts.0).map(|((name, _), count)| format!("{count} by {name}")).collect();
    eprintln!("== soak: {scenes} scenes stopped {}, all to the same bytes", named.join(", "));
    Ok(())
}

fn one(
    folder: &Path,
    changes: &[String],
    stops: usize,
    state: &mut u64,
    counts: &mut Counts,
) -> Result<()> {
    let mut arguments = vec!["run", "busy.toml"];
    arguments.extend(changes.iter().flat_map(|change| ["--set", change.as_str()]));
    let with = |out: &'static str| [arguments.as_slice(), &["--out", out]].concat();
    for out in ["whole", "parts"] {
        let old = folder.join(out);
        if old.exists() {
            std::fs::remove_dir_all(old)?;
        }
    }
    let clock = Instant::now();
    succeed(&mut esker(folder, &with("whole")))?;
    let span = clock.elapsed().as_secs_f64();
    let mut stopped = 0;
    for round in 0..4 * stops {
        let stop_index = (random(state) * STOPS.len() as f64) as usize % STOPS.len();
        let delay = random(state) * 1.5 * span / stops as f64;
        let mut job = with("parts");
        if folder.join("parts").exists() {
            job.push("--resume");
        }
        let output = stop(folder, &job, stop_index, delay, 1 + round % 3)?;
        ensure!(!said(&output).contains("panicked"), "{}", said(&output));
        match output.status.code() {
            Some(0) => break,
            code if code == STOPS[stop_index].1 => {}
            _ => bail!("stopped by {}: {}: {}", STOPS[stop_index].0, output.status, said(&output)),
        }
        counts.0[stop_index] += 1;
        stopped += 1;
        if stopped == stops {
            break;
        }
    }
    ensure!(stopped > 0, "the run ended before it was stopped");
    let mut last = with("parts");
    last.push("--resume");
    succeed(&mut esker(folder, &last))?;
    same(&files(&folder.join("whole"))?, &files(&folder.join("parts"))?)
}

/// Starts a run and stops it after a delay [s], if it has not ended by then.
fn stop(
    folder: &Path,
    job: &[&str],
    stop_index: usize,
    delay: f64,
    threads: usize,
) -> Result<Output> {
    let limit = format!("{:.4}s", delay + 1e-3);
    let mut command = Command::new(program());
    command.args(job).args(["--quiet", "--threads", &threads.to_string()]);
    let by_time = STOPS[stop_index].0 == "max-time";
    if by_time {
        command.args(["--max-time", &limit]);
    }
    let mut child =
        command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    if by_time {
        return Ok(child.wait_with_output()?);
    }
    // Before the folder exists, signals are not handled.
    let clock = Instant::now();
    let lock = folder.join("parts/run.lock");
    while !lock.exists() && child.try_wait()?.is_none() && clock.elapsed().as_secs() < 60 {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_secs_f64(delay));
    match STOPS[stop_index].0 {
        "TERM" => signal(&child, "-TERM")?,
        "INT" => signal(&child, "-INT")?,
        "KILL" => child.kill()?,
        _ => {
            signal(&child, "-USR1")?;
            std::thread::sleep(Duration::from_secs_f64(0.5 * delay));
            child.kill()?;
        }
    }
    Ok(child.wait_with_output()?)
}

/// Sends a signal to a child process; a finished one has not been waited for, so that its process id is still valid.
fn signal(child: &Child, name: &str) -> Result<()> {
    Command::new("kill").args([name, &child.id().to_string()]).status()?;
    Ok(())
}
