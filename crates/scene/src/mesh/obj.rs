//! OBJ files: `v x y z` and `f a b c …`, in double precision. Polygons are cut into a fan of triangles.

use super::stl::short;
use super::{Location, Triangles};
use crate::plain_file;
use crate::text::words;
use esker::Vec3;

/// Statements that do not affect the shape of facets.
const PASSED_OVER: [&str; 18] = [
    "vn",
    "vt",
    "vp",
    "o",
    "g",
    "s",
    "mg",
    "l",
    "p",
    "mtllib",
    "usemtl",
    "usemap",
    "maplib",
    "lod",
    "bevel",
    "c_interp",
    "d_interp",
    "shadow_obj",
];

/// Reads all facets of a file.
pub(super) fn parse(bytes: &[u8]) -> Result<Triangles, String> {
    let text = plain_file::text(bytes)?;
    let mut vertices = Vec::new();
    let mut triangles = Triangles::default();
    // Facets may refer to later vertices, so that indices are resolved at the end.
    let mut facets: Vec<(usize, Vec<i64>, usize)> = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let mut line = line.split('#').next().unwrap_or_default().trim_end().to_owned();
        // A backslash at the end of a line joins the next line.
        while line.ends_with('\\') {
            line.pop();
            let next = lines.next().map_or("", |(_, next)| next);
            line.push_str(next.split('#').next().unwrap_or_default().trim_end());
        }
        let wrong = |what: String| format!("line {}: {what}", index + 1);
        let mut parts = line.split_whitespace();
        match parts.next() {
            None => {}
            Some("v") => {
                let vertex = vertex(parts).ok_or_else(|| {
                    wrong(format!("`{}` is not `v` and three numbers", short(line.trim())))
                })?;
                vertices.push(vertex);
            }
            Some("f") => {
                let corners: Option<Vec<i64>> = parts.map(corner).collect();
                let corners = corners.filter(|corners| corners.len() > 2).ok_or_else(|| {
                    let line = short(line.trim());
                    wrong(format!("`{line}` is not `f` and three or more numbers of vertices"))
                })?;
                facets.push((index + 1, corners, vertices.len()));
            }
            Some(word) if PASSED_OVER.contains(&word) => {}
            Some(word) => {
                let help = words::suggestion(word, &["v", "f", "vn", "vt", "o", "g"], "usual");
                return Err(wrong(format!("unknown statement `{}`; {help}", short(word))));
            }
        }
    }
    for (line, corners, before) in facets {
        let find = |number: &i64| {
            let index = resolve(*number, before);
            index.and_then(|index| vertices.get(index).copied()).ok_or_else(|| {
                let count = vertices.len();
                format!("line {line}: there is no vertex {number}; there are {count}")
            })
        };
        let corners: Vec<Vec3> = corners.iter().map(find).collect::<Result<_, _>>()?;
        for pair in corners[1..].windows(2) {
            triangles.push([corners[0], pair[0], pair[1]], Location::Line(line))?;
        }
    }
    Ok(triangles)
}

/// Three coordinates; an optional weight or colour is ignored.
fn vertex<'a>(parts: impl Iterator<Item = &'a str>) -> Option<Vec3> {
    let numbers: Option<Vec<f64>> = parts.map(|part| part.parse().ok()).collect();
    let numbers = numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite()))?;
    match numbers.as_slice() {
        [x, y, z, rest @ ..] if rest.len() <= 4 => Some(Vec3::new(*x, *y, *z)),
        _ => None,
    }
}

/// The vertex of `vertex/texture/normal`.
fn corner(part: &str) -> Option<i64> {
    part.split('/').next()?.parse().ok()
}

/// Vertices are counted from 1, or backwards from the last one so far.
fn resolve(number: i64, before: usize) -> Option<usize> {
    let before = i64::try_from(before).ok()?;
    let index = if number > 0 { number - 1 } else { before.checked_add(number)? };
    if number == 0 { None } else { usize::try_from(index).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_double_and_polygons_become_fans() {
        let text = "# a box without most of it\no box\nv 0.1 0 0 1.0\nv 1 0.2 0\n\
                    v 0 1 0.30000000000000004\nvn 0 0 1\nf 1//1 2/7 \\\n 3/7/1\nv 5 5 5\nf -4 -3 -2 -1\n";
        let read = parse(text.as_bytes()).unwrap();
        let [a, b, c, d] =
            [[0.1, 0.0, 0.0], [1.0, 0.2, 0.0], [0.0, 1.0, 0.1 + 0.2], [5.0, 5.0, 5.0]]
                .map(Vec3::from_array);
        assert_eq!(read.vertices, [a, b, c, a, b, c, a, c, d]);
        assert_eq!(read.triangles, [[0, 1, 2], [3, 4, 5], [6, 7, 8]]);
        assert_eq!(read.locations, [Location::Line(7), Location::Line(10), Location::Line(10)]);
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        let wrong = |text: &str| parse(text.as_bytes()).unwrap_err();
        let vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
        for (more, what) in [
            ("f 1 2 4\n", "line 4: there is no vertex 4; there are 3"),
            ("f 1 2 0\n", "line 4: there is no vertex 0; there are 3"),
            ("f 1 2 -4\n", "line 4: there is no vertex -4; there are 3"),
            ("f 1 2\n", "line 4: `f 1 2` is not `f` and three or more numbers of vertices"),
            ("f 1 2 a\n", "line 4: `f 1 2 a` is not `f` and three or more numbers of vertices"),
            ("\nv 1 2\n", "line 5: `v 1 2` is not `v` and three numbers"),
            ("v 1 2 nan\n", "line 4: `v 1 2 nan` is not `v` and three numbers"),
        ] {
            assert_eq!(wrong(&format!("{vertices}{more}")), what);
        }
        let message = wrong("v 0 0 0\nvx 1 2 3\n");
        assert!(message.starts_with("line 2: unknown statement `vx`;"), "{message}");
        assert_eq!(parse(b"v 0 0 0\n\xff\n").unwrap_err(), "line 2 is not text in UTF-8");
    }
}
