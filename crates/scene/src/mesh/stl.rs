//! STL files: text with any number of solids, or binary.
//!
//! Text: `solid NAME`, then facets of `facet normal i j k`, `outer loop`, three lines `vertex x y z`, `endloop`,
//! `endfacet`, then `endsolid NAME`. Binary: a header of 80 bytes, the number of facets, and 50 bytes for each facet:
//! normal and corners in single precision and two unused bytes. The normals are not used: a mesh acts on both sides.

use super::{Location, Triangles};
use esker::Vec3;

/// Bytes before the first facet of a binary file: header and number of facets.
const HEADER: usize = 84;
/// Bytes of a facet: twelve numbers of four bytes and two bytes.
const FACET: usize = 50;

/// Reads all facets of a file.
pub(super) fn parse(bytes: &[u8]) -> Result<Triangles, String> {
    if is_text(bytes) { parse_text(bytes) } else { parse_binary(bytes) }
}

/// The number of facets that a binary file declares.
fn declared(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(HEADER - 4..HEADER)?;
    let count = u32::from_le_bytes([count[0], count[1], count[2], count[3]]);
    usize::try_from(count).ok()
}

/// Binary files may also begin with the word `solid`, but their length agrees with the declared number of facets, and
/// their numbers contain zero bytes.
fn is_text(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    let word = start.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    let fits = declared(bytes).is_some_and(|count| bytes.len() - HEADER == count * FACET);
    word && !fits && !bytes.contains(&0)
}

fn parse_binary(bytes: &[u8]) -> Result<Triangles, String> {
    let Some(count) = declared(bytes) else {
        let length = bytes.len();
        return Err(format!(
            "no text that begins with `solid`, and its {length} bytes are too few for a binary STL"
        ));
    };
    let facets = &bytes[HEADER..];
    let found = facets.len() / FACET;
    if facets.len() < count * FACET {
        return Err(format!("its header declares {count} facets, and it ends after {found}"));
    }
    if found > count {
        return Err(format!("its header declares {count} facets, and it holds {found}"));
    }
    let mut triangles = Triangles::default();
    for (index, facet) in facets.chunks_exact(FACET).enumerate() {
        let number = |at: usize| {
            let bytes = [facet[at], facet[at + 1], facet[at + 2], facet[at + 3]];
            f64::from(f32::from_le_bytes(bytes))
        };
        // Three numbers for each corner, after the normal.
        let corner = |at: usize| Vec3::new(number(at), number(at + 4), number(at + 8));
        let corners = [corner(12), corner(24), corner(36)];
        if corners.iter().any(|corner| !corner.is_finite()) {
            return Err(format!("facet {}: a coordinate is not finite", index + 1));
        }
        triangles.push(corners, Location::Facet)?;
    }
    let rest = facets.len() - count * FACET;
    if rest > 0 {
        triangles.remark = Some(format!("{rest} bytes after its last facet are ignored"));
    }
    Ok(triangles)
}

/// The lines that may follow.
#[derive(Clone, Copy, PartialEq)]
enum Expected {
    Solid,
    Facet,
    Loop,
    Vertex(usize),
    EndLoop,
    EndFacet,
}

impl Expected {
    fn words(self) -> &'static str {
        match self {
            Self::Solid => "`solid`",
            Self::Facet => "`facet normal i j k` or `endsolid`",
            Self::Loop => "`outer loop`",
            Self::Vertex(_) => "`vertex x y z`",
            Self::EndLoop => "`endloop`",
            Self::EndFacet => "`endfacet`",
        }
    }
}

fn parse_text(bytes: &[u8]) -> Result<Triangles, String> {
    let mut triangles = Triangles::default();
    let (mut expected, mut corners, mut first_line) = (Expected::Solid, [Vec3::ZERO; 3], 0);
    let mut last = 0;
    for (index, line) in bytes.split(|byte| matches!(byte, b'\n')).enumerate() {
        let line = String::from_utf8_lossy(line);
        let text = line.trim();
        if text.is_empty() {
            continue;
        }
        last = index + 1;
        let lower = text.to_ascii_lowercase();
        let mut words = lower.split_whitespace();
        let word = words.next().unwrap_or_default();
        let second = words.next();
        let wrong = |what: &str| format!("line {}: {what}", index + 1);
        expected = match (expected, word) {
            (Expected::Solid, "solid") => Expected::Facet,
            (Expected::Facet, "endsolid") => Expected::Solid,
            (Expected::Facet, "facet") if second == Some("normal") && words.count() == 3 => {
                first_line = index + 1;
                Expected::Loop
            }
            (Expected::Loop, "outer") if second == Some("loop") => Expected::Vertex(0),
            (Expected::Vertex(corner), "vertex") => {
                corners[corner] = vertex(text).ok_or_else(|| {
                    wrong(&format!("`{}` is not `vertex` and three numbers", short(text)))
                })?;
                if corner < 2 { Expected::Vertex(corner + 1) } else { Expected::EndLoop }
            }
            (Expected::EndLoop, "endloop") => Expected::EndFacet,
            (Expected::EndFacet, "endfacet") => {
                triangles.push(corners, Location::Line(first_line))?;
                Expected::Facet
            }
            (expected, _) => {
                let (words, text) = (expected.words(), short(text));
                return Err(wrong(&format!("expected {words}, found `{text}`")));
            }
        };
    }
    if expected != Expected::Solid {
        return Err(format!("it ends after line {last}, where {} is missing", expected.words()));
    }
    Ok(triangles)
}

/// The numbers of a corner, in single precision as in binary files.
fn vertex(text: &str) -> Option<Vec3> {
    let mut numbers = text.split_whitespace().skip(1).map(|word| word.parse::<f32>().ok());
    let mut next = || numbers.next()?.map(f64::from).filter(|number| number.is_finite());
    let corner = Vec3::new(next()?, next()?, next()?);
    numbers.next().is_none().then_some(corner)
}

/// The beginning of a line for a message.
pub(super) fn short(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACET_TEXT: &str = "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  \
                              vertex 0 1 0.1\n endloop\nendfacet\n";

    fn binary(declared: u32, present: usize) -> Vec<u8> {
        let mut bytes = b"solid but binary".to_vec();
        bytes.resize(80, b' ');
        bytes.extend(declared.to_le_bytes());
        for index in 0..present {
            let corner = |x: f32, y: f32| [x, y, index as f32];
            let numbers = [[0.0; 3], corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0)];
            bytes.extend(numbers.iter().flatten().flat_map(|number: &f32| number.to_le_bytes()));
            bytes.extend([0, 0]);
        }
        bytes
    }

    #[test]
    fn all_solids_of_a_text_are_read() {
        let text = format!(
            "solid left\n{FACET_TEXT}{FACET_TEXT}endsolid left\n\nSOLID\n{}endsolid\r\n",
            FACET_TEXT.to_uppercase()
        );
        let read = parse(text.as_bytes()).unwrap();
        assert_eq!(read.triangles, [[0, 1, 2], [3, 4, 5], [6, 7, 8]]);
        assert_eq!(read.locations, [Location::Line(2), Location::Line(9), Location::Line(19)]);
        assert_eq!(read.vertices[8], Vec3::new(0.0, 1.0, f64::from(0.1_f32)));
    }

    #[test]
    fn a_binary_file_holds_as_many_facets_as_it_declares() {
        assert_eq!(parse(&binary(2, 2)).unwrap().triangles.len(), 2);
        let wrong = |declared, present| parse(&binary(declared, present)).unwrap_err();
        assert_eq!(wrong(2, 3), "its header declares 2 facets, and it holds 3");
        assert_eq!(wrong(3, 2), "its header declares 3 facets, and it ends after 2");
        assert_eq!(
            wrong(u32::MAX, 1),
            "its header declares 4294967295 facets, and it ends after 1"
        );
        let mut padded = binary(2, 2);
        padded.extend(*b"end\n");
        let read = parse(&padded).unwrap();
        assert_eq!(read.remark.unwrap(), "4 bytes after its last facet are ignored");
        assert_eq!(read.triangles.len(), 2);
    }

    #[test]
    fn what_is_wrong_in_a_text_has_its_line() {
        let wrong = |text: &str| parse(text.as_bytes()).unwrap_err();
        let cut = &FACET_TEXT[..60];
        assert_eq!(
            wrong(&format!("solid a\n{cut}")),
            "it ends after line 5, where `vertex x y z` is missing"
        );
        let number = format!("solid a\n{}", FACET_TEXT.replace("0.1", "0,1"));
        assert_eq!(wrong(&number), "line 6: `vertex 0 1 0,1` is not `vertex` and three numbers");
        let huge = format!("solid a\n{}", FACET_TEXT.replace("0.1", "1e39"));
        assert!(wrong(&huge).starts_with("line 6:"), "beyond single precision");
        let other = format!("solid a\n{FACET_TEXT}{}", FACET_TEXT.replace("facet n", "face n"));
        assert_eq!(
            wrong(&other),
            "line 9: expected `facet normal i j k` or `endsolid`, found `face normal 0 0 1`"
        );
        assert_eq!(wrong("solid a\nendsolid a\nrest\n"), "line 3: expected `solid`, found `rest`");
    }
}
