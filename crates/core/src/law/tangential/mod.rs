//! Tangential force.

mod contensou;
pub(crate) mod friction;
mod incremental;
mod limit_curve;
mod mindlin;
mod penalty;
mod returns;
mod rolling_mapped;
mod sliding_torsion;
pub(crate) mod spring;
mod spring_dashpot;

pub use contensou::PressureShape;
pub use friction::{FrictionLimit, SlipRule};
pub use incremental::{Direction, ElasticDisplacement, Form, Incremental, StiffnessAt};
pub use mindlin::Mindlin;
pub use penalty::{Penalty, Stick};
pub use rolling_mapped::RollingMapped;
pub use sliding_torsion::{SlidingTorsion, TorsionStick};
pub(crate) use spring::{EXCESS, SLIDING, SPRING};
pub use spring::{Return, Stiffness};
pub use spring_dashpot::SpringDashpot;
