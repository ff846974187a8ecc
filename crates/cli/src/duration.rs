//! Durations on the command line, such as `3600`, `90m` or `23h30m`.

use std::time::Duration;

/// Units by their letters, longest first [s].
const UNITS: [(char, f64); 4] = [('d', 86400.0), ('h', 3600.0), ('m', 60.0), ('s', 1.0)];
/// Longest accepted duration [s]: a hundred years.
const LONGEST: f64 = 3.2e9;

/// Reads a number of seconds, or numbers with the units `d`, `h`, `m` and `s`, longest unit first.
pub fn parse(text: &str) -> Result<Duration, String> {
    let wrong = || {
        "expected seconds, such as `3600`, or numbers with units, such as `90m`, `23h30m` or `1d12h`"
            .to_owned()
    };
    let mut units = UNITS.as_slice();
    let mut rest = text;
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.');
        let (number, unit) = match digits {
            Some(end) => (&rest[..end], rest[end..].chars().next()),
            None => (rest, None),
        };
        let number: f64 = number.parse().map_err(|_| wrong())?;
        // a number without a unit must be the only one
        let Some(unit) = unit else {
            seconds = if rest.len() == text.len() { number } else { return Err(wrong()) };
            break;
        };
        let at = units.iter().position(|(letter, _)| *letter == unit).ok_or_else(wrong)?;
        seconds += number * units[at].1;
        units = &units[at + 1..];
        rest = &rest[digits.unwrap_or(0) + 1..];
    }
    if !(seconds > 0.0) {
        return Err(format!("`{text}` is not a positive duration; {}", wrong()));
    }
    if seconds > LONGEST {
        return Err("longer than a hundred years".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn units_add_up_to_seconds() {
        for (text, seconds) in [
            ("3600", 3600.0),
            ("0.5", 0.5),
            ("90m", 5400.0),
            ("23h30m", 84600.0),
            ("1d12h", 129_600.0),
            ("1h0m1.5s", 3601.5),
        ] {
            assert_eq!(parse(text).unwrap().as_secs_f64(), seconds, "{text}");
        }
    }

    #[test]
    fn what_is_no_duration_is_refused_with_examples() {
        for text in ["", "0", "-1", "h", "5x", "30m2h", "1h30", "1e3", "nan", "é", "1:30:00", "5mü"]
        {
            let message = parse(text).unwrap_err();
            assert!(message.contains("`23h30m`"), "{text}: {message}");
        }
        assert!(parse("99999999999d").is_err());
    }
}
