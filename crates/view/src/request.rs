//! Content of a request. Only numbers and names of quantities are taken from it, never a path.

use crate::encode::ParticleQuery;
use crate::feed::At;
use crate::picture::PictureOptions;

/// Largest number of quantities in a request.
const MOST_COLUMNS: usize = 8;

/// A request below `/api/RUN/`.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Information that the page needs before the first frame.
    Run,
    /// Waits for new data: number of known frames, step in memory, lengths of tables, and whether contacts are shown.
    Next { frames: usize, step: u64, tables: Vec<u64>, state: String, contacts: bool },
    /// Particles of a frame.
    Particles(At, ParticleQuery),
    /// Walls, unless the page has this revision.
    Walls(At, Option<u32>),
    /// Contacts.
    Contacts(At),
    /// Everything about a particle.
    Particle(At, u64),
    /// A quantity of a particle over the run.
    History(u64, String),
    /// Range of a quantity over the run.
    Range(String),
    /// A table from a byte position onwards.
    Table(usize, u64),
    /// A picture drawn by the program, for pages without WebGL2.
    Picture(At, Box<PictureOptions>),
}

/// The run and the request of a path and its query; none if they are invalid.
pub fn parse(path: &str, query: &str) -> Option<(usize, Request)> {
    let rest = path.strip_prefix("/api/")?;
    let words: Vec<&str> = rest.split('/').collect();
    let (run, words) = words.split_first()?;
    let query = Query(query);
    Some((run.parse().ok()?, request(words, &query)?))
}

fn request(words: &[&str], query: &Query<'_>) -> Option<Request> {
    if let Some((at, rest)) = requested_time(words) {
        return match rest {
            [] => Some(Request::Particles(at, query.particles()?)),
            ["walls"] => Some(Request::Walls(at, query.number("have"))),
            ["contacts"] => Some(Request::Contacts(at)),
            ["picture.png"] => {
                let default = PictureOptions::default();
                let options = PictureOptions {
                    color: query.text("color").unwrap_or(default.color),
                    range: query.numbers("range"),
                    camera: query.numbers("camera").unwrap_or(default.camera),
                    ..PictureOptions::default()
                };
                Some(Request::Picture(at, Box::new(options)))
            }
            ["particles", id] => Some(Request::Particle(at, id.parse().ok()?)),
            _ => None,
        };
    }
    match words {
        ["run"] => Some(Request::Run),
        ["next"] => Some(Request::Next {
            frames: query.number("frames").unwrap_or(0),
            step: query.number("step").unwrap_or(0),
            tables: query.list("tables").iter().flat_map(|size| size.parse()).collect(),
            state: query.text("state").unwrap_or_default(),
            contacts: query.text("contacts").as_deref() == Some("1"),
        }),
        ["particles", id, "history"] => {
            Some(Request::History(id.parse().ok()?, query.text("column")?))
        }
        ["range"] => Some(Request::Range(query.text("column")?)),
        ["tables", index] => {
            Some(Request::Table(index.parse().ok()?, query.number("after").unwrap_or(0)))
        }
        _ => None,
    }
}

/// `frames/N` or `live`, and the rest of the path.
fn requested_time<'a, 'b>(words: &'a [&'b str]) -> Option<(At, &'a [&'b str])> {
    match words {
        ["frames", number, rest @ ..] => Some((At::Frame(number.parse().ok()?), rest)),
        ["live", rest @ ..] => Some((At::Live, rest)),
        _ => None,
    }
}

/// `a=1&b=x,y`.
struct Query<'a>(&'a str);

impl Query<'_> {
    fn text(&self, name: &str) -> Option<String> {
        let mut pairs = self.0.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(known, _)| *known == name).map(|(_, value)| decoded(value))
    }

    fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.text(name)?.parse().ok()
    }

    fn list(&self, name: &str) -> Vec<String> {
        let text = self.text(name).unwrap_or_default();
        text.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }

    /// The expected number of finite numbers.
    fn numbers<const N: usize>(&self, name: &str) -> Option<[f64; N]> {
        let numbers: Vec<f64> = self.list(name).iter().flat_map(|x| x.parse()).collect();
        let numbers: [f64; N] = numbers.try_into().ok()?;
        numbers.iter().all(|x| x.is_finite()).then_some(numbers)
    }

    fn particles(&self) -> Option<ParticleQuery> {
        let columns = self.list("columns");
        (columns.len() <= MOST_COLUMNS).then(|| ParticleQuery {
            columns,
            have: self.number("have"),
            short_positions: self.text("positions").as_deref() == Some("u16"),
            orientation: self.text("orientation").as_deref() == Some("1"),
            vectors: self.text("vectors").as_deref() == Some("1"),
        })
    }
}

/// Text after percent-decoding; invalid UTF-8 is replaced.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = match (first, tail) {
            (b'%', [a, b, ..]) => {
                let digit = |byte: &u8| (*byte as char).to_digit(16);
                digit(a).zip(digit(b)).map(|(a, b)| (16 * a + b) as u8)
            }
            _ => None,
        };
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_hold_numbers_and_names_and_no_paths() {
        let particles = parse("/api/0/frames/7", "columns=velocity.x,force&have=5&positions=u16");
        let query = ParticleQuery {
            columns: vec!["velocity.x".into(), "force".into()],
            have: Some(5),
            short_positions: true,
            ..ParticleQuery::default()
        };
        assert_eq!(particles, Some((0, Request::Particles(At::Frame(7), query))));
        assert_eq!(parse("/api/1/live/walls", ""), Some((1, Request::Walls(At::Live, None))));
        assert_eq!(
            parse("/api/0/particles/17/history", "column=displacement%403"),
            Some((0, Request::History(17, "displacement@3".into())))
        );
        for path in [
            "/api/0",
            "/api/",
            "/api/x/run",
            "/api/0/frames/-1",
            "/api/0/frames/../run",
            "/api/0/run/..",
            "/api/0/tables/energy.csv",
            "/api/0/frames/1e9/walls",
            "//api/0/run",
            "/api/0//run",
        ] {
            assert_eq!(parse(path, ""), None, "{path}");
        }
    }

    #[test]
    fn broken_escapes_are_texts() {
        for (text, expected) in
            [("%41%zz%4", "A%zz%4"), ("%", "%"), ("a+b", "a+b"), ("%ff", "\u{fffd}")]
        {
            assert_eq!(decoded(text), expected);
        }
    }
}
