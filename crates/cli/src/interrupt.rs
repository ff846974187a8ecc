//! Ctrl-C.

use crate::failure::Failure;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Requests that come together are one: programs like `timeout` ask the process and its group.
const TOGETHER: Duration = Duration::from_millis(500);

/// A flag that Ctrl-C and the request to terminate set; a second one, later, ends the program at
/// once.
pub fn interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    let mut first = None;
    let handler = move || {
        set.store(true, Ordering::Relaxed);
        let since = first.get_or_insert_with(Instant::now).elapsed();
        if since > TOGETHER {
            std::process::exit(2);
        }
    };
    ctrlc::set_handler(handler)
        .map_err(|error| Failure::input(format!("cannot watch for Ctrl-C: {error}")))?;
    Ok(flag)
}
