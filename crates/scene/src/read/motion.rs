//! `motion`: motion of a wall.

use crate::diagnostic::Diagnostic;
use crate::expression::{Expression, ExpressionError};
use crate::plain_file;
use crate::registry;
use crate::registry::motions::MOTIONS;
use crate::text::value::{Limits, Value};
use esker::Vec3;
use esker::wall::Motion;

/// One motion, or a list of several at once.
pub(crate) fn read(value: &Value<'_>) -> Motion {
    if value.is_list() {
        let parts = value.list().unwrap_or_default();
        return Motion::Superposition(parts.iter().filter_map(one).collect());
    }
    one(value).unwrap_or_default()
}

fn one(value: &Value<'_>) -> Option<Motion> {
    registry::read_choice(MOTIONS, &value.choice(&registry::names(MOTIONS))?)
}

/// An expression of time; a number is also accepted.
pub(crate) fn expression(value: &Value<'_>) -> Option<Expression> {
    if value.is_number() {
        return value.number(Limits::Any).map(Expression::constant);
    }
    let text = value.text()?;
    Expression::parse(text).map_err(|error| report(value, text, error)).ok()
}

/// Reports a problem in the text of an expression at its location.
pub(crate) fn report(value: &Value<'_>, text: &str, error: ExpressionError) {
    // A location inside the text corresponds to a location in the file only if the text is written literally: in simple
    // quotes of one character and without escapes.
    let span = value.span();
    let whole = span.end - span.start == text.len() + 2;
    let span = if whole {
        let start = span.start + 1 + error.span.start;
        start..(span.start + 1 + error.span.end).max(start + 1)
    } else {
        span
    };
    let mut remark = Diagnostic::error(error.message, span).label("in this expression");
    remark.help = error.help;
    value.context.report(remark);
}

/// Rows of `t, x, y, z`, in the scene file or in a separate file.
pub(crate) fn displacement_table(value: &Value<'_>) -> Option<Motion> {
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
