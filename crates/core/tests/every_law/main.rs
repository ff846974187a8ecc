//! Requirements on every contact law: finite values, no force beyond the interaction range, action and reaction,
//! isotropy, no creation of energy, and history that is preserved. One line in `models.rs` adds a law to all of these
//! tests.

mod chain;
mod cohesion;
mod collisions;
mod energy;
mod formulas;
mod freedoms;
mod memory;
mod models;
mod ranks;
mod single_contacts;
mod stiffness;
