//! Identification of the program.

/// Identifies this program, so that results of another program are not reused.
pub fn program() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let bytes = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    format!("{version} {:08x}", esker_study::case::checksum(&bytes))
}
