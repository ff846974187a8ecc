//! Errors of the viewer.

use esker_draw::OutputError;

/// An error of the viewer.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// A file of a run folder cannot be read.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The request names something that does not exist.
    #[error("{0}")]
    Missing(String),
    /// The server cannot be started.
    #[error("cannot serve the viewer: {0}")]
    Server(#[from] std::io::Error),
    /// The page cannot be made.
    #[error("cannot make the page: {0}")]
    Page(String),
}

impl ViewError {
    /// Error for something that does not exist.
    pub fn missing(what: impl Into<String>) -> Self {
        Self::Missing(what.into())
    }
}
