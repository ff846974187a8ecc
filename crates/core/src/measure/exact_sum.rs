//! placeholder
/// Exact sum.
#[derive(Debug, Clone, Default)]
pub struct ExactSum;
