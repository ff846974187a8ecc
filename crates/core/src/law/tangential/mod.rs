//! Tangential force.

mod contensou;
mod friction;
mod incremental;
mod incremental_force;
mod limit_curve;
mod mindlin;
mod penalty;
mod returns;
mod rolling_mapped;
mod sliding_torsion;
mod spring;
mod spring_dashpot;
mod spring_force;

pub use contensou::PressureShape;
pub use friction::{FrictionLimit, SlipRule};
pub use incremental::{Direction, ElasticDisplacement, Form, Incremental, StiffnessAt};
pub use incremental_force::IncrementalSpring;
pub use mindlin::Mindlin;
pub use penalty::{Penalty, PenaltyFriction, Stick};
pub use rolling_mapped::RollingMapped;
pub use sliding_torsion::{SlidingTorsion, TorsionStick};
pub(crate) use spring::{EXCESS, SLIDING, SPRING};
pub use spring::{Return, Stiffness};
pub use spring_dashpot::SpringDashpot;
pub use spring_force::{Spring, SpringOwnRoot};
