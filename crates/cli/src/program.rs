//! Which program this is.

/// What tells this program from any other, so that no result of another is taken for its own.
pub fn program() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let bytes = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    format!("{version} {:08x}", esker_study::case::checksum(&bytes))
}
