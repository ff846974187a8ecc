//! Rounded numbers and aligned tables.

/// A value with six digits.
pub fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| rounded(value, 6))
}

/// A value with this many significant digits, without trailing zeros.
pub fn rounded(value: f64, digits: i32) -> String {
    let size = value.abs();
    if value == 0.0 {
        return "0".to_owned();
    }
    let text = if (1e-3..1e6).contains(&size) {
        let decimals = f64::from(digits) - 1.0 - libm::floor(libm::log10(size));
        let digits = decimals.clamp(0.0, 8.0) as usize;
        let text = format!("{value:.digits$}");
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => text,
        }
    } else {
        let digits = (digits - 2).clamp(0, 8) as usize;
        let text = format!("{value:.digits$e}");
        match text.split_once('e') {
            Some((digits, exponent)) if digits.contains('.') => {
                format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
            }
            _ => text,
        }
    };
    text.replace('-', "−")
}

/// The lines of a table with aligned columns, indented by two spaces.
pub fn aligned<R: AsRef<[String]>>(rows: &[R]) -> Vec<String> {
    let columns = rows.iter().map(|row| row.as_ref().len()).max().unwrap_or_default();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.as_ref().get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    rows.iter()
        .map(|row| {
            let cells = row.as_ref().iter().zip(&widths);
            let cells = cells.map(|(cell, width)| format!("{cell:<width$}"));
            format!("  {}", cells.collect::<Vec<_>>().join("  ")).trim_end().to_owned()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits_and_no_idle_zeros() {
        let shown = |value: f64| number(Some(value));
        assert_eq!(shown(0.9), "0.9");
        assert_eq!(shown(-44.705), "−44.705");
        assert_eq!(shown(0.000_123_456), "1.2346e−4");
        assert_eq!(shown(1e-4), "1e−4");
        assert_eq!(shown(12_360.0), "12360");
        assert_eq!(shown(17.980_234_5), "17.9802");
        assert_eq!(shown(0.0), "0");
        assert_eq!(number(None), "–");
    }

    #[test]
    fn columns_begin_at_the_same_places() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned);
        assert_eq!(aligned(&[row(["a", "b"]), row(["µµµ", "c"])]), ["  a    b", "  µµµ  c"]);
    }
}
