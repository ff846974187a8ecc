//! Stiffness and damping of one contact, from which the bound of the time step is computed (`time_step/bound.rs`). Each
//! law adds its contribution at a given overlap, in the order of evaluation, so that a tangential law can use the
//! stiffness of the normal law.

/// Two partners whose stiffness is evaluated. The overlap is the largest predicted until the next update of the time
/// step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairState {
    /// Radii; the second is zero at a wall [m].
    pub radii: [f64; 2],
    /// R* [m].
    pub effective_radius: f64,
    /// m* [kg].
    pub effective_mass: f64,
    /// Inverse masses; zero for an immobile partner [1/kg].
    pub inverse_masses: [f64; 2],
    /// Predicted overlap; negative for a gap [m].
    pub overlap: f64,
    /// Current overlap, at most the predicted one [m].
    pub present_overlap: f64,
}

impl PairState {
    /// Sum of the radii; the radius of the particle at a wall [m].
    pub fn radius_sum(&self) -> f64 {
        self.radii[0] + self.radii[1]
    }

    /// Radius of the smaller partner [m].
    pub fn smaller_radius(&self) -> f64 {
        let [first, second] = self.radii;
        if second > 0.0 && second < first { second } else { first }
    }
}

/// Springs and dashpots of one contact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactStiffness {
    /// Elastic normal force, which determines friction limits [N].
    pub elastic_force: f64,
    /// Radius of the contact area [m].
    pub contact_radius: f64,
    /// Normal spring: dF/dδ of the elastic force [N/m].
    pub normal: f64,
    /// |dF/dδ| of the attractions [N/m].
    pub cohesion: f64,
    /// Normal dashpot [N s/m].
    pub normal_dashpot: f64,
    /// Tangential spring [N/m].
    pub slip: f64,
    /// Tangential dashpot [N s/m].
    pub slip_dashpot: f64,
    /// K of a tangential force `-K Δt u` [N/m].
    pub slip_per_step: f64,
    /// Rolling spring [N m].
    pub roll: f64,
    /// Rolling dashpot [N m s].
    pub roll_dashpot: f64,
    /// Torsion spring [N m].
    pub twist: f64,
    /// Torsion dashpot [N m s].
    pub twist_dashpot: f64,
}
