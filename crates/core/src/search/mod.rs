//! Neighbour search.

/// How candidates are found. Every way finds the same contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SearchMethod {
    /// A hierarchy of cell grids by size: linear cost for any size ratio.
    #[default]
    Grid,
    /// Cubes of the smallest diameter, B(125)–(126) and Table 14.
    Cubes,
    /// Every pair.
    BruteForce,
}

/// Options of the search.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SearchOptions {
    /// How candidates are found.
    pub method: SearchMethod,
    /// Distance beyond reach at which candidates are kept [m]; chosen by the engine if none is
    /// given.
    pub skin: Option<f64>,
}
