//! Warning about more threads than cores.

use crate::failure::say;

/// Number of threads that can run concurrently on this machine.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Number of concurrent runs; 0 selects one per core.
pub fn jobs(given: usize, runs: usize) -> usize {
    let given = if given == 0 { cores() } else { given };
    given.min(runs.max(1))
}

/// Warns if `jobs` concurrent runs with this number of threads each exceed the cores. The threads of a run synchronise
/// several times per step, so that one without a core delays all others.
pub fn warn(threads: usize, jobs: usize) {
    if let Some(warning) = warning(threads, jobs, cores()) {
        say(format_args!("warning: {warning}\n"));
    }
}

fn warning(threads: usize, jobs: usize, cores: usize) -> Option<String> {
    if threads < 2 || threads.saturating_mul(jobs) <= cores {
        return None;
    }
    let what = match jobs {
        1 => format!("{threads} threads"),
        _ => format!("{jobs} concurrent runs with {threads} threads each"),
    };
    let cores = if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
    Some(format!(
        "{what} on {cores}: threads wait for each other, which may make it many times slower; the \
         results are the same"
    ))
}

#[cfg(test)]
mod tests {
    use super::warning;

    #[test]
    fn threads_that_wait_for_each_other_are_warned_of() {
        for (threads, jobs, cores) in [(3, 1, 2), (2, 1, 1), (2, 2, 2), (2, 3, 4)] {
            assert!(warning(threads, jobs, cores).is_some(), "{threads} {jobs} {cores}");
        }
        // Threads of different runs do not synchronise; 0 selects a suitable number.
        for (threads, jobs, cores) in [(0, 1, 1), (1, 8, 2), (2, 1, 2), (2, 2, 4), (0, 9, 2)] {
            assert_eq!(warning(threads, jobs, cores), None);
        }
        let text = warning(2, 2, 2).unwrap_or_default();
        assert!(text.starts_with("2 concurrent runs with 2 threads each on 2 cores:"), "{text}");
    }
}
