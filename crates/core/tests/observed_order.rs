//! The slope of error over step is the order that theory gives, for each integrator and problem.
//!
//! Limits of the order by the problems: Hertz's force begins and ends like t^{3/2}, which leaves an error of order 5/2
//! at most; a block that begins to slide has a kink in its force, which leaves order two. An elastic bounce begins and
//! ends without force, and there symplectic Euler is velocity Verlet shifted by half a step, so that it has order two.

mod order;

use order::{Problem, errors, integrators, slope};

fn expected(problem: Problem, name: &str) -> f64 {
    match (problem, name) {
        (_, "theta, φ = 0" | "theta, φ = 1") => 1.0,
        (Problem::Bounce, "symplectic-euler" | "theta, φ = 1, frozen") => 2.0,
        (_, "symplectic-euler" | "theta, φ = 1, frozen") => 1.0,
        (Problem::Oscillator, "rkf45") => 5.0,
        (Problem::Bounce, "rkf45") => 2.5,
        _ => 2.0,
    }
}

#[test]
fn every_integrator_has_its_order_in_every_problem() {
    for problem in Problem::ALL {
        for (name, integrator) in integrators() {
            let points = errors(problem, integrator);
            assert!(points.len() >= 5, "{problem:?}, {name}: {points:?}");
            let (found, expected) = (slope(&points), expected(problem, name));
            println!("{problem:?}, {name}: {found:.2}, expected {expected}");
            // the position within a step of the end of a contact or of the onset of sliding scatters the errors of a
            // method that has hardly any other error
            let scatters = problem != Problem::Oscillator && name == "rkf45";
            let bound = if scatters { 0.4 } else { 0.15 };
            assert!((found - expected).abs() < bound, "{problem:?}, {name}: {found:.2}");
        }
    }
}
