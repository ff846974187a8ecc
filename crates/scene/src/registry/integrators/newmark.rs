//! `newmark-pec`: options and schema.

use super::count;
use crate::registry::Entry;
use crate::schema::build::{self, flag, table, words};
use crate::text::table::Table;
use esker::integrate::{Integrator, NewmarkPredictor};
use serde_json::Value as Schema;

pub(super) const NEWMARK: Entry<Integrator> = Entry::table("newmark-pec", read, schema);

fn read(options: &Table<'_>) -> Integrator {
    let corrections = options.optional("corrections").and_then(|value| count(&value, 1));
    let predictors =
        [("consistent", NewmarkPredictor::Consistent), ("printed", NewmarkPredictor::Printed)];
    let predictor = options.optional("predictor").and_then(|value| value.variant(&predictors));
    Integrator::NewmarkPec {
        corrections: corrections.unwrap_or(1),
        final_evaluation: options.flag("final_evaluation", false),
        predictor: predictor.unwrap_or_default(),
    }
}

fn schema() -> Schema {
    table(
        "Newmark's method in predictor–corrector form",
        [
            ("corrections", build::count("Number of evaluations with a correction")),
            ("final_evaluation", flag("True if forces are evaluated once more at the end")),
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
