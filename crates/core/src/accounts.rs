//! Energy that enters and leaves a simulation between steps.

/// Energy that was brought in or taken away by insertions, deletions and changes; kept with an energy
/// ledger.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Accounts {
    inserted: f64,
    turnover: f64,
    departed_kinetic: f64,
    before_edit: Option<f64>,
}

impl Accounts {
    /// The accounts of a saved state: inserted energy, turnover, kinetic energy of deleted particles [J].
    pub(crate) fn restored([inserted, turnover, departed_kinetic]: [f64; 3]) -> Self {
        Self { inserted, turnover, departed_kinetic, before_edit: None }
    }

    /// Adds energy that was brought in; negative if it was taken away [J].
    pub(crate) fn insert(&mut self, energy: f64) {
        self.inserted += energy;
        self.turnover += energy.abs();
    }

    /// Adds the kinetic energy of deleted particles [J].
    pub(crate) fn depart(&mut self, kinetic: f64) {
        self.departed_kinetic += kinetic;
    }

    /// Energy at the start and brought in since [J].
    pub(crate) fn inserted(&self) -> f64 {
        self.inserted
    }

    /// Sum of the absolute values of all insertions [J].
    pub(crate) fn turnover(&self) -> f64 {
        self.turnover
    }

    /// Kinetic energy of deleted particles [J].
    pub(crate) fn departed_kinetic(&self) -> f64 {
        self.departed_kinetic
    }

    /// Whether the user has begun to edit particles since the last step.
    pub(crate) fn is_edited(&self) -> bool {
        self.before_edit.is_some()
    }

    /// Notes the energy before the user edits particles [J].
    pub(crate) fn begin_edit(&mut self, energy: f64) {
        self.before_edit = Some(energy);
    }

    /// Ends an edit; returns the energy before it, if there was one [J].
    pub(crate) fn end_edit(&mut self) -> Option<f64> {
        self.before_edit.take()
    }
}
