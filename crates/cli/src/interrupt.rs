//! Signals that end a run (Ctrl-C, a request to terminate, a closed terminal), and SIGUSR1, which saves it.

use crate::failure::Failure;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// Signals within this time count as one, since programs such as `timeout` signal the process and its group.
const TOGETHER: Duration = Duration::from_millis(500);

/// Exit code of a program ended by a signal, to which shells add the number of the signal.
const SIGNALLED: u8 = 128;
/// Number of SIGINT in POSIX.
const INTERRUPT: u8 = 2;

/// True if a signal has requested the end of the run, or a checkpoint.
#[derive(Debug, Clone)]
pub struct Interrupt {
    flag: Arc<AtomicBool>,
    save: Arc<AtomicBool>,
    /// Number of the first signal.
    signal: Arc<AtomicU8>,
}

impl Interrupt {
    /// Starts listening; the first signal sets the flag, and a later one ends the program immediately. SIGUSR1 sets the
    /// other flag, any number of times. To be called before any thread is started, since threads inherit the blocking
    /// of signals.
    pub fn listen() -> Result<Self, Failure> {
        let interrupt = Self {
            flag: Arc::new(AtomicBool::new(false)),
            save: Arc::new(AtomicBool::new(false)),
            signal: Arc::new(AtomicU8::new(INTERRUPT)),
        };
        let mut first = None;
        let handler = interrupt.clone();
        spawn(move |signal| {
            let Some(signal) = signal else {
                handler.save.store(true, Ordering::Relaxed);
                return;
            };
            if first.is_none() {
                handler.signal.store(signal, Ordering::Relaxed);
            }
            handler.flag.store(true, Ordering::Relaxed);
            if first.get_or_insert_with(Instant::now).elapsed() > TOGETHER {
                std::process::exit(i32::from(SIGNALLED + signal));
            }
        })
        .map_err(|error| Failure::input(format!("cannot listen for Ctrl-C: {error}")))?;
        Ok(interrupt)
    }

    /// Set by the first signal.
    pub fn flag(&self) -> &AtomicBool {
        &self.flag
    }

    /// Set by SIGUSR1; to be cleared when the run has been saved.
    pub fn save(&self) -> &AtomicBool {
        &self.save
    }

    /// Exit code of a run that was interrupted: 128 and the number of the signal, as scripts expect.
    pub fn exit_code(&self) -> u8 {
        SIGNALLED + self.signal.load(Ordering::Relaxed)
    }
}

/// Calls `handler` with the number of each signal, in a separate thread; with none for SIGUSR1.
#[cfg(unix)]
fn spawn(mut handler: impl FnMut(Option<u8>) + Send + 'static) -> std::io::Result<()> {
    use nix::sys::signal::{SigSet, Signal};
    let ends = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];
    let signals: SigSet = ends.into_iter().chain([Signal::SIGUSR1]).collect();
    // Signals are blocked in every thread and stay pending until this thread takes them.
    signals.thread_block()?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        while let Ok(signal) = signals.wait() {
            handler(ends.contains(&signal).then_some(signal as u8));
        }
    })?;
    Ok(())
}

/// Calls `handler` at Ctrl-C; other systems do not number signals.
#[cfg(not(unix))]
fn spawn(mut handler: impl FnMut(Option<u8>) + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || handler(Some(INTERRUPT)))
}
