//! Cohesion laws. None yet.
