//! `motion`: how a wall moves.

use crate::diagnostic::Diagnostic;
use crate::expression::{Expression, ExpressionError};
use crate::plain_file;
use crate::text::table::Table;
use crate::text::value::{Limits, Value};
use esker::Vec3;
use esker::wall::Motion;
use std::f64::consts::TAU;

/// The words for motions.
pub(crate) const WORDS: [&str; 7] =
    ["still", "velocity", "rotation", "oscillation", "expression", "angle", "table"];

/// One motion, or a list of several at once.
pub(crate) fn read(value: &Value<'_>) -> Motion {
    if value.is_list() {
        let parts = value.list().unwrap_or_default();
        return Motion::Together(parts.iter().filter_map(one).collect());
    }
    one(value).unwrap_or_default()
}

fn one(value: &Value<'_>) -> Option<Motion> {
    let choice = value.choice(&WORDS)?;
    match (choice.word, &choice.value) {
        ("velocity", Some(velocity)) => return velocity.vec3().map(Motion::Velocity),
        ("velocity", None) => {
            value.report(
                "`velocity` needs its three components",
                "such as { velocity = [0, 0, 1] }",
            );
            return None;
        }
        ("table", Some(table)) => return displacement_table(table),
        _ => {}
    }
    let table = choice.table()?;
    let motion = match choice.word {
        "still" => Motion::Still,
        "rotation" => Motion::Rotation {
            point: table.vec3("point"),
            axis: table.direction("axis"),
            rate: rate(&table),
        },
        "oscillation" => Motion::Oscillation {
            amplitude: table.vec3("amplitude"),
            frequency: table.positive("frequency"),
            phase: table.optional_number("phase", Limits::Any).unwrap_or(0.0),
        },
        "expression" => displacement(&table),
        "angle" => {
            let (point, axis) = (table.vec3("point"), table.direction("axis"));
            let angle = table.required("expression").and_then(|value| expression(&value));
            angle.map_or(Motion::Still, |angle| Motion::Angle {
                point,
                axis,
                angle: value.context.motions.angle(angle),
            })
        }
        // A table is handled above; the word alone lacks its file.
        _ => {
            value.report("`table` needs a file or rows", "such as { table = \"motion.csv\" }");
            return None;
        }
    };
    table.finish();
    Some(motion)
}

/// In radians or in turns a second.
fn rate(table: &Table<'_>) -> f64 {
    match table.one_of(&["rate", "turns_per_second"]) {
        Some(("rate", value)) => value.number(Limits::Any).unwrap_or(f64::NAN),
        Some((_, value)) => TAU * value.number(Limits::Any).unwrap_or(f64::NAN),
        None => f64::NAN,
    }
}

fn displacement(table: &Table<'_>) -> Motion {
    let parts = ["x", "y", "z"].map(|key| {
        let value = table.optional(key)?;
        expression(&value)
    });
    if !["x", "y", "z"].iter().any(|key| table.has(key)) {
        table.report("an expression needs at least one of `x`, `y` or `z`", None);
    }
    Motion::Displacement(table.context.motions.displacement(parts))
}

/// An expression of time; a number is one too.
pub(super) fn expression(value: &Value<'_>) -> Option<Expression> {
    if value.is_number() {
        return value.number(Limits::Any).map(Expression::constant);
    }
    let text = value.text()?;
    Expression::parse(text).map_err(|error| report(value, text, error)).ok()
}

/// Reports what is wrong with the text of an expression at its place.
pub(super) fn report(value: &Value<'_>, text: &str, error: ExpressionError) {
    // The place inside the text is its place in the file only where the text is written as it is:
    // in simple quotes of one character and without escapes.
    let span = value.span();
    let whole = span.end - span.start == text.len() + 2;
    let place = if whole {
        let start = span.start + 1 + error.span.start;
        start..(span.start + 1 + error.span.end).max(start + 1)
    } else {
        span
    };
    let mut remark = Diagnostic::error(error.message, place).label("in this expression");
    remark.help = error.help;
    value.context.report(remark);
}

/// Rows of `t, x, y, z`, in the scene file or in a file of their own.
fn displacement_table(value: &Value<'_>) -> Option<Motion> {
    let rows: Vec<[f64; 4]> =
        if value.is_text() { rows_of_file(value)? } else { inline_rows(value)? };
    if rows.is_empty() || rows.windows(2).any(|pair| pair[0][0] >= pair[1][0]) {
        value.report("the times of a table must increase from row to row", "rows are `t, x, y, z`");
        return None;
    }
    Some(Motion::Table {
        times: rows.iter().map(|row| row[0]).collect(),
        displacements: rows.iter().map(|row| Vec3::new(row[1], row[2], row[3])).collect(),
    })
}

fn inline_rows(value: &Value<'_>) -> Option<Vec<[f64; 4]>> {
    let mut rows = Vec::new();
    for item in value.list()? {
        let numbers: Vec<f64> =
            item.list()?.iter().filter_map(|number| number.number(Limits::Any)).collect();
        match <[f64; 4]>::try_from(numbers) {
            Ok(row) => rows.push(row),
            Err(_) => {
                item.report("a row of a table has four numbers", "`t, x, y, z`");
                return None;
            }
        }
    }
    Some(rows)
}

fn rows_of_file(value: &Value<'_>) -> Option<Vec<[f64; 4]>> {
    let bytes = value.read_file()?;
    let name = value.text()?;
    rows_of_table(&bytes)
        .map_err(|what| {
            let form = "a header `t,x,y,z`, then rows of four numbers";
            value.report_with(format!("cannot read the table `{name}`"), what, form);
        })
        .ok()
}

fn rows_of_table(bytes: &[u8]) -> Result<Vec<[f64; 4]>, String> {
    let text = plain_file::text(bytes)?;
    let number = |cell: &str| cell.parse().ok().filter(|number: &f64| number.is_finite());
    let mut reader =
        csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| error.to_string())?;
    if header.iter().all(|cell| number(cell).is_some()) {
        return Err("line 1: there is no header".to_owned());
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let numbers: Option<Vec<f64>> = record.iter().map(number).collect();
        let row = numbers.and_then(|numbers| <[f64; 4]>::try_from(numbers).ok());
        let line = plain_file::line_of(text, record.position());
        rows.push(row.ok_or_else(|| format!("line {line}: not four numbers"))?);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_displacements_has_a_header_and_four_numbers_in_each_line() {
        assert_eq!(rows_of_table(b"t,x,y,z\n0,1,2,3\n"), Ok(vec![[0.0, 1.0, 2.0, 3.0]]));
        let wrong = |text: &[u8]| rows_of_table(text).unwrap_err();
        assert_eq!(wrong(b"0,1,2,3\n1,1,2,3\n"), "line 1: there is no header");
        assert_eq!(wrong(b"t,x,y,z\n0,1,2,3\n0,up,1,2,3\n"), "line 3: not four numbers");
        assert_eq!(wrong(b"t,x,y,z\n0,1,2\n"), "line 2: not four numbers");
        assert_eq!(wrong(b"t,x,y,z\n0,1,2,inf\n"), "line 2: not four numbers");
        assert_eq!(wrong(b"t,x,y,z\n\xff\n"), "line 2 is not text in UTF-8");
    }
}
