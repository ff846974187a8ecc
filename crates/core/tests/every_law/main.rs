//! What every contact law must keep to: finite numbers, nothing beyond reach, action and reaction,
//! no preferred direction, no energy from nowhere, and a memory that lasts. One line in
//! `models.rs` puts a law to all of these tests.

mod chain;
mod cohesion;
mod collisions;
mod energy;
mod freedoms;
mod memory;
mod models;
mod ranks;
mod single_contacts;
mod stiffness;
