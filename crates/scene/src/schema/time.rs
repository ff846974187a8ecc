//! `[time]`.

use super::build::*;
use crate::registry::choice_schema;
use crate::registry::integrators::INTEGRATORS;
use serde_json::Value;

pub(super) fn time() -> Value {
    let step = vec![
        words("Automatic", &["auto"]),
        positive("Given [s]"),
        table(
            "Automatic at the start, then constant",
            [("!auto", words("Time of the choice", &["once"]))],
        ),
        table(
            "Automatic, at most `max`; `min` only if the integrator adapts the step",
            [("!max", positive("Longest step [s]")), ("min", positive("Shortest step [s]"))],
        ),
    ];
    table(
        "Time integration",
        [
            ("integrator", choice_schema("Integrator", INTEGRATORS)),
            ("step", either("Time step", step)),
            (
                "safety",
                positive("The automatic step as a fraction of the duration of the shortest impact"),
            ),
            (
                "rotation",
                words(
                    "Meaning of spin times step: a rotation angle, or a Rodrigues vector as in C15 and C16",
                    &["exact", "literal"],
                ),
            ),
        ],
    )
}
