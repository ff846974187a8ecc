//! The automatic time step: stability, accuracy of impacts, and that the choice depends on the state
//! alone. docs/time-step.md states the rule.

#[path = "../common/mod.rs"]
mod common;

mod choice;
mod found;
mod gas;
mod given;
mod impacts;
mod oblique;
mod packing;
mod rest;
mod stability;
