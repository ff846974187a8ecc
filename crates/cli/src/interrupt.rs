//! Ctrl-C.

use crate::failure::Failure;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that Ctrl-C and the request to terminate set; a second one ends the program at once.
pub fn interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    let handler = move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(2);
        }
    };
    ctrlc::set_handler(handler)
        .map_err(|error| Failure::input(format!("cannot watch for Ctrl-C: {error}")))?;
    Ok(flag)
}
