//! `rkf45`: options and schema.

use super::{accepts, no_convergence};
use crate::registry::Entry;
use crate::schema::build::{either, positive, table};
use crate::text::table::Table;
use crate::text::value::Limits;
use esker::integrate::{Integrator, Rkf45};
use serde_json::Value as Schema;

pub(super) const RKF45: Entry<Integrator> = Entry::table("rkf45", read, schema);

fn read(options: &Table<'_>) -> Integrator {
    Integrator::Rkf45(settings(options))
}

fn settings(options: &Table<'_>) -> Rkf45 {
    let mut rkf45 = Rkf45 { accept: accepts(options, |_| {}), ..Rkf45::default() };
    let Some(value) = options.optional("tolerance") else { return rkf45 };
    if value.is_table() {
        let Some(table) = value.table() else { return rkf45 };
        for (key, target) in [
            ("position", &mut rkf45.position),
            ("velocity", &mut rkf45.velocity),
            ("spin", &mut rkf45.spin),
        ] {
            if let Some(tolerance) = table.optional_number(key, Limits::Positive) {
                *target = tolerance;
            }
        }
        table.finish();
    } else if let Some(tolerance) = value.number(Limits::Positive) {
        (rkf45.position, rkf45.velocity, rkf45.spin) = (tolerance, tolerance, tolerance);
    }
    rkf45
}

fn schema() -> Schema {
    let tolerances = table(
        "For each quantity",
        [
            ("position", positive("Fraction of the radius")),
            ("velocity", positive("Fraction of the largest speed that can occur")),
            ("spin", positive("Fraction of the largest speed divided by the radius")),
        ],
    );
    table(
        "Fehlberg's method of order 4 (5) with error control",
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
