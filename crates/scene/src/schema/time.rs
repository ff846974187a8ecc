//! `[time]`.

use super::build::*;
use crate::registry::choice_schema;
use crate::registry::integrators::INTEGRATORS;
use serde_json::Value;

pub(super) fn time() -> Value {
    let step = vec![
        words("Chosen", &["auto"]),
        positive("Given [s]"),
        table("Chosen at the start and kept", [("!auto", words("When", &["once"]))]),
        table(
            "Chosen, and at most `max`; `min` only where the integrator adapts the step",
            [("!max", positive("Longest step [s]")), ("min", positive("Shortest step [s]"))],
        ),
    ];
    table(
        "Time integration",
        [
            ("integrator", choice_schema("Integrator", INTEGRATORS)),
            ("step", either("Time step", step)),
            ("safety", positive("The automatic step as a fraction of the shortest impact")),
            (
                "rotation",
                words(
                    "Whether spin times step is a rotation angle, or a Rodrigues vector as in C15 and C16",
                    &["exact", "literal"],
                ),
            ),
        ],
    )
}

pub(crate) fn newmark() -> Value {
    table(
        "Newmark's method as predictor and corrector",
        [
            ("corrections", count("Evaluations with a correction each")),
            ("final_evaluation", flag("Whether forces are evaluated once more at the end")),
            (
                "predictor",
                words(
                    "Weight of the acceleration in the predicted velocity: ½, or ¼ as printed in Z",
                    &["consistent", "printed"],
                ),
            ),
        ],
    )
}

pub(crate) fn theta() -> Value {
    let one = |about| positive(about);
    let tolerances = table(
        "For each quantity",
        [
            ("position", one("Of positions")),
            ("velocity", one("Of velocities")),
            ("spin", one("Of spins")),
            ("rotation", one("Of the rotations in the step")),
        ],
    );
    table(
        "Generalised trapezoidal rule",
        [
            ("!phi", number("Weight of the end of the step, 0 to 1")),
            (
                "iteration",
                words("How its equations are solved", &["jacobi", "gauss-seidel", "frozen"]),
            ),
            (
                "tolerance",
                either(
                    "Largest error as a fraction of the change in the step",
                    vec![positive("For all quantities"), tolerances],
                ),
            ),
            ("desired_iterations", count("Iterations after which a shorter step is tried")),
            ("most_iterations", count("Iterations that a step of the shortest length may take")),
            (
                "step_exponents",
                words(
                    "How the step follows from the errors: as derived in B, or as printed there",
                    &["derived", "printed"],
                ),
            ),
            ("on_no_convergence", no_convergence()),
        ],
    )
}

pub(crate) fn rkf45() -> Value {
    let tolerances = table(
        "For each quantity",
        [
            ("position", positive("Fraction of the radius")),
            ("velocity", positive("Fraction of the largest speed that can occur")),
            ("spin", positive("Fraction of that speed over the radius")),
        ],
    );
    table(
        "Fehlberg's method of order 4 (5) with control of the error",
        [
            (
                "tolerance",
                either(
                    "Largest error in one step",
                    vec![positive("For all quantities"), tolerances],
                ),
            ),
            ("on_no_convergence", no_convergence()),
        ],
    )
}

fn no_convergence() -> Value {
    words("What is done if the shortest step does not converge", &["error", "accept"])
}
