//! Functions of time for the motions of walls.

use crate::expression::Expression;
use esker::Vec3;
use std::cell::RefCell;
use std::sync::Arc;

type Displacement = Arc<dyn Fn(f64) -> (Vec3, Vec3) + Send + Sync>;
type Angle = Arc<dyn Fn(f64) -> (f64, f64) + Send + Sync>;

/// Functions made of expressions. Equal expressions share one function, by which the engine recognises walls that move
/// together.
#[derive(Default)]
pub(crate) struct MotionFunctions {
    displacements: RefCell<Vec<([Option<Expression>; 3], Displacement)>>,
    angles: RefCell<Vec<(Expression, Angle)>>,
}

impl std::fmt::Debug for MotionFunctions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("functions of time")
    }
}

impl MotionFunctions {
    /// A displacement along each axis [m]; none along those without an expression.
    pub fn displacement(&self, parts: [Option<Expression>; 3]) -> Displacement {
        let mut known = self.displacements.borrow_mut();
        if let Some((_, function)) = known.iter().find(|(other, _)| *other == parts) {
            return Arc::clone(function);
        }
        let own = parts.clone();
        let function: Displacement = Arc::new(move |time| {
            let mut position = Vec3::ZERO;
            let mut velocity = Vec3::ZERO;
            for (axis, part) in own.iter().enumerate() {
                if let Some(now) = part.as_ref().map(|part| part.at(time)) {
                    position[axis] = now.value;
                    velocity[axis] = now.rate;
                }
            }
            (position, velocity)
        });
        known.push((parts, Arc::clone(&function)));
        function
    }

    /// An angle [rad].
    pub fn angle(&self, angle: Expression) -> Angle {
        let mut known = self.angles.borrow_mut();
        if let Some((_, function)) = known.iter().find(|(other, _)| *other == angle) {
            return Arc::clone(function);
        }
        let own = angle.clone();
        let function: Angle = Arc::new(move |time| {
            let now = own.at(time);
            (now.value, now.rate)
        });
        known.push((angle, Arc::clone(&function)));
        function
    }
}
