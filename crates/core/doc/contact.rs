// One contact for examples of laws: two grains of 10 g and radius 10 mm.

use esker::law::Step;
use esker::law::slots::Contact;

/// A contact with this overlap [m] and closing speed [m/s].
pub fn contact(overlap: f64, closing_speed: f64) -> Contact {
    Contact {
        overlap,
        closing_speed,
        effective_radius: 0.005,
        effective_mass: 0.005,
        radii: [0.01; 2],
        inverse_masses: [100.0; 2],
        inverse_inertias: [2.5e6; 2],
        age: 0.0,
        at_wall: false,
        step: Step::at_accepted_state(1e-5),
    }
}
