//! Wall-clock time and processor time of a run; the latter excludes time used by other processes.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Number of active runs of this process, and of all runs started so far.
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);
static BEGUN: AtomicUsize = AtomicUsize::new(0);

/// Measures time from its creation.
#[derive(Debug)]
pub(super) struct Stopwatch {
    started: Instant,
    /// The clock of the processor time, and its reading at the start.
    processor: Option<(Whose, f64)>,
}

/// Clocks of processor time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// One thread computes: the calling one.
    Thread,
    /// Several threads compute. The time of the process is that of the run only while the process has no other run; the
    /// number is that of the runs started so far.
    Process(usize),
}

impl Stopwatch {
    /// Starts a stopwatch for a run with this number of threads, the calling one included.
    pub(super) fn start(threads: usize) -> Self {
        let others = UNDER_WAY.fetch_add(1, Ordering::Relaxed);
        let begun = BEGUN.fetch_add(1, Ordering::Relaxed) + 1;
        let whose = match threads {
            1 => Some(Whose::Thread),
            _ if others == 0 => Some(Whose::Process(begun)),
            _ => None,
        };
        let processor = whose.and_then(|whose| Some((whose, reading(whose)?)));
        Self { started: Instant::now(), processor }
    }

    /// Wall-clock time [s].
    pub(super) fn wall_time(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Processor time summed over the threads [s]; none if unknown.
    pub(super) fn processor_time(&self) -> Option<f64> {
        let (whose, before) = self.processor?;
        let alone = match whose {
            Whose::Thread => true,
            Whose::Process(begun) => BEGUN.load(Ordering::Relaxed) == begun,
        };
        Some(reading(whose)? - before).filter(|_| alone)
    }
}

impl Drop for Stopwatch {
    fn drop(&mut self) {
        UNDER_WAY.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Processor time of all threads of this process, if the system reports it [s].
pub(super) fn process_seconds() -> Option<f64> {
    reading(Whose::Process(0))
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn reading(whose: Whose) -> Option<f64> {
    use nix::time::{ClockId, clock_gettime};
    let clock = match whose {
        Whose::Thread => ClockId::CLOCK_THREAD_CPUTIME_ID,
        Whose::Process(_) => ClockId::CLOCK_PROCESS_CPUTIME_ID,
    };
    clock_gettime(clock).ok().map(|time| std::time::Duration::from(time).as_secs_f64())
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn reading(_: Whose) -> Option<f64> {
    None
}

/// The date (UTC), such as `2026-11-16`.
pub fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date(since.as_secs() / 86_400)
}

/// The date some days after 1970-01-01.
fn date(days: u64) -> String {
    let leap =
        |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let (mut year, mut rest) = (1970, days);
    loop {
        let length = if leap(year) { 366 } else { 365 };
        if rest < length {
            break;
        }
        rest -= length;
        year += 1;
    }
    let february = if leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if rest < length {
            break;
        }
        rest -= length;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", rest + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Dates as printed by `date -d @SECONDS`.
    #[test]
    fn days_have_the_dates_of_the_calendar() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (19_722, "2023-12-31"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days), expected);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn sleep_takes_no_time_of_the_processor_and_work_does() {
        let stopwatch = Stopwatch::start(1);
        std::thread::sleep(Duration::from_millis(50));
        let asleep = stopwatch.processor_time().expect("there is such a clock");
        assert!(stopwatch.wall_time() >= 0.05);
        assert!(asleep < 0.04, "{asleep}");
        let mut sum = 0.0_f64;
        while stopwatch.processor_time().expect("there is such a clock") < 0.02 {
            sum += std::hint::black_box(1.0);
        }
        assert!(sum > 0.0 && stopwatch.wall_time() >= 0.07);
    }
}
