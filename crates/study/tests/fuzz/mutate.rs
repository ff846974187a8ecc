//! Mutations of text and bytes that preserve most of the structure, so that they pass the first checks of readers.

use super::random::Random;

/// Numbers at the limits of formats and types.
const NUMBERS: [&str; 26] = [
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "0.5",
    "1e-3",
    "1e3",
    "1e-9",
    "1e9",
    "1e-30",
    "1e30",
    "1e-160",
    "1e160",
    "1e-308",
    "4.9e-324",
    "1.7976931348623157e308",
    "nan",
    "-nan",
    "inf",
    "-inf",
    "9223372036854775807",
    "-9223372036854775808",
    "9007199254740993",
    "4294967296",
    "0x10",
];

/// Pieces of TOML, CSV and meshes that are likely to cause failures.
const PIECES: [&str; 40] = [
    "\"",
    "'",
    "\"\"\"",
    "[",
    "]",
    "{",
    "}",
    "=",
    ",",
    "\n",
    ".",
    "#",
    ";",
    "{}",
    "[]",
    "[[]]",
    "true",
    "\"\"",
    "\"x\"",
    "\"t^\"",
    "\"sin(t)\"",
    "ü",
    "\u{0}",
    "\u{1b}[31m",
    "\u{feff}",
    "\r",
    "\t",
    "99999999999999999999",
    "1e999",
    "[[walls]]\n",
    "[[particles]]\n",
    "[[stages]]\n",
    "../",
    "/dev/null",
    "\"*\"",
    "\"all\"",
    "[0, 0, 0]",
    "[1, 2]",
    "{ after = 0 }",
    "{ every = 0 }",
];

/// Mutates a text at a few positions; `others` are texts from which parts are taken.
pub fn text(text: &str, others: &[String], random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..1 + random.below(1 + random.clone().below(6)) {
        text = change(&text, others, random);
    }
    text
}

fn change(text: &str, others: &[String], random: &mut Random) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    if lines.is_empty() {
        return (*random.pick(&PIECES)).to_owned();
    }
    let at = random.below(lines.len());
    match random.below(14) {
        0..=3 => return number(text, random),
        4 => return word(text, others, random),
        5 => return piece(text, random),
        6 => drop(lines.remove(at)),
        7 => lines.insert(random.below(lines.len()), lines[at]),
        8 => {
            let other = random.below(lines.len());
            lines.swap(at, other);
        }
        9 => {
            let value = *random.pick(&[PIECES.as_slice(), NUMBERS.as_slice()]);
            let value = *random.pick(value);
            if let Some((key, _)) = lines[at].split_once('=') {
                let line = format!("{key}= {value}");
                lines[at] = &line;
                return joined(&lines);
            }
        }
        10 => {
            // A table of another text, inserted where a table begins.
            let other: Vec<&str> = match others {
                [] => return piece(text, random),
                _ => random.pick(others).lines().collect(),
            };
            let block = block(&other, random.below(other.len()));
            let end = self::block(&lines, at).end;
            lines.splice(end..end, other[block].iter().copied());
        }
        11 => drop(lines.drain(block(&lines, at))),
        12 => {
            let copied: Vec<&str> = lines[block(&lines, at)].to_vec();
            lines.splice(at..at, copied);
        }
        _ => return repeated(text, random),
    }
    joined(&lines)
}

fn joined(lines: &[&str]) -> String {
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

/// The lines of the table around a line: from a line that begins with `[` to the next.
fn block(lines: &[&str], at: usize) -> std::ops::Range<usize> {
    let head = |line: &str| line.starts_with('[');
    let start = (0..=at.min(lines.len().saturating_sub(1)))
        .rev()
        .find(|i| lines.get(*i).is_some_and(|line| head(line)));
    let start = start.unwrap_or(0);
    let length = lines.iter().skip(start + 1).position(|line| head(line));
    start..length.map_or(lines.len(), |length| start + 1 + length)
}

/// Ranges of the text that consist of certain characters.
fn runs(text: &str, wanted: impl Fn(char) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, letter) in text.char_indices().chain([(text.len(), '\n')]) {
        match (wanted(letter), start) {
            (true, None) => start = Some(at),
            (false, Some(begin)) => {
                found.push(begin..at);
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Replaces a number by another.
fn number(text: &str, random: &mut Random) -> String {
    let ranges: Vec<_> = runs(text, |c| c.is_ascii_alphanumeric() || ".+-_".contains(c))
        .into_iter()
        .filter(|range| text[range.clone()].parse::<f64>().is_ok())
        .collect();
    if ranges.is_empty() {
        return piece(text, random);
    }
    let range = random.pick(&ranges).clone();
    let old: f64 = text[range.clone()].parse().unwrap_or(0.0);
    let new = match random.below(5) {
        0 | 1 => (*random.pick(&NUMBERS)).to_owned(),
        2 => format!("{:e}", old * 10_f64.powi(random.below(13) as i32 - 6)),
        3 => format!("{}", -old),
        _ => format!("{}", random.below(20)),
    };
    format!("{}{new}{}", &text[..range.start], &text[range.end..])
}

/// Replaces a word by a word of another text.
fn word(text: &str, others: &[String], random: &mut Random) -> String {
    let letters = |c: char| c.is_ascii_alphabetic() || "_-".contains(c);
    let ranges = runs(text, letters);
    let other = if others.is_empty() || random.once_in(2) { text } else { random.pick(others) };
    let words = runs(other, letters);
    if ranges.is_empty() || words.is_empty() {
        return piece(text, random);
    }
    let range = random.pick(&ranges).clone();
    let word = &other[random.pick(&words).clone()];
    format!("{}{word}{}", &text[..range.start], &text[range.end..])
}

/// Replaces a few characters by a piece.
fn piece(text: &str, random: &mut Random) -> String {
    let start = boundary(text, random.below(text.len() + 1));
    let end = boundary(text, (start + random.below(12)).min(text.len())).max(start);
    format!("{}{}{}", &text[..start], random.pick(&PIECES), &text[end..])
}

/// Repeats a part of the text many times.
fn repeated(text: &str, random: &mut Random) -> String {
    let start = boundary(text, random.below(text.len() + 1));
    let end = boundary(text, (start + random.below(40)).min(text.len())).max(start);
    let times = *random.pick(&[2, 10, 100, 2000]);
    format!("{}{}{}", &text[..end], text[start..end].repeat(times), &text[end..])
}

fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Mutates bytes at a few positions.
pub fn bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(6) {
        if bytes.is_empty() {
            bytes.push(random.bits() as u8);
            continue;
        }
        let at = random.below(bytes.len());
        let length = random.below(64).min(bytes.len() - at);
        match random.below(9) {
            0 => bytes[at] = random.bits() as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..at + length)),
            4 => bytes.insert(at, random.bits() as u8),
            5 => {
                let part = bytes[at..at + length].to_vec();
                bytes.splice(at..at, part);
            }
            // Lengths and counts as stored in binary files.
            6 | 7 => {
                let number: u64 = *random.pick(&[0, 1, 255, 1 << 16, 1 << 31, u64::MAX, 1 << 40]);
                let width = *random.pick(&[1, 2, 4, 8]);
                let width = width.min(bytes.len() - at);
                bytes[at..at + width].copy_from_slice(&number.to_le_bytes()[..width]);
            }
            _ => bytes[at..at + length].fill(*random.pick(&[0, 0xff, 0x80])),
        }
    }
}
