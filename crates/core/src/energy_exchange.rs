//! Energy that enters and leaves a simulation between steps.

/// Energy added or removed by insertions, deletions and changes; kept with an energy ledger.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct EnergyExchange {
    inserted: f64,
    turnover: f64,
    departed_kinetic: f64,
    half_step_difference: f64,
    before_edit: Option<EnergyBalance>,
}

/// Energy at one time, to be compared with that at another time; zero without a ledger.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct EnergyBalance {
    /// Current energy plus dissipated energy minus the work of walls and fields [J].
    pub total: f64,
    /// Kinetic energy less that of the velocities half a step before and after [J].
    pub half_step_difference: f64,
}

impl EnergyExchange {
    /// The accounts of a saved state: inserted energy, turnover, kinetic energy of deleted particles, and
    /// the contributions of insertions and changes to the half-step difference [J].
    pub(crate) fn restored(
        [inserted, turnover, departed_kinetic, half_step_difference]: [f64; 4],
    ) -> Self {
        Self { inserted, turnover, departed_kinetic, half_step_difference, before_edit: None }
    }

    /// Adds the energy difference of two balances; negative if energy was removed.
    pub(crate) fn insert(&mut self, before: EnergyBalance, after: EnergyBalance) {
        let energy = after.total - before.total;
        self.inserted += energy;
        self.turnover += energy.abs();
        self.half_step_difference += after.half_step_difference - before.half_step_difference;
    }

    /// Contributions of insertions and changes to the half-step difference [J].
    pub(crate) fn half_step_difference(&self) -> f64 {
        self.half_step_difference
    }

    /// Adds the kinetic energy of deleted particles [J].
    pub(crate) fn add_departure(&mut self, kinetic: f64) {
        self.departed_kinetic += kinetic;
    }

    /// Initial energy plus the energy inserted since [J].
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

    /// True if the user has begun to edit particles since the last step.
    pub(crate) fn is_edited(&self) -> bool {
        self.before_edit.is_some()
    }

    /// Records the energy before the user edits particles.
    pub(crate) fn begin_edit(&mut self, before: EnergyBalance) {
        self.before_edit = Some(before);
    }

    /// Ends an edit; returns the energy before it, if there was one.
    pub(crate) fn end_edit(&mut self) -> Option<EnergyBalance> {
        self.before_edit.take()
    }
}
