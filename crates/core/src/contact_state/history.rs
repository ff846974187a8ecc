//! What contacts remember: columns in contact order, held twice (accepted and trial).

use crate::geometry::{ANCHORAGE_NAMES, ANCHORAGE_WIDTH, Anchorage};
use crate::law::{Column, Contacts, HistoryColumn, Law, Mapping, Transport, WIDTH};
use crate::simd::multiversion;

/// Which columns the laws of a scene need, the same for every pair of materials, and how many numbers
/// they store beside them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct HistoryLayout {
    /// Number of columns.
    pub width: usize,
    /// First column and number of columns of each law.
    pub laws: Vec<(usize, usize)>,
    /// First column of each vector and how it follows the tangent plane.
    pub vectors: Vec<(usize, Transport)>,
    /// Names of the columns and of what laws keep beside them, for checkpoints.
    pub names: Vec<String>,
    /// What the engine remembers of each contact, behind what the laws do.
    pub anchorage: Option<Anchorage>,
    /// What each law keeps beside its columns.
    pub kept: Vec<Kept>,
    /// Numbers that all laws keep beside their columns.
    pub stride: usize,
}

/// Where in a row of memory the numbers of a law are, and what they mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    pub start: usize,
    pub width: usize,
    /// What the numbers are, for each pair of materials.
    pub meanings: Vec<String>,
}

impl Kept {
    /// What the numbers are: one text if it is the same for all pairs, else all of them.
    fn meaning(&self) -> String {
        let is_the_same = self.meanings.iter().all(|meaning| *meaning == self.meanings[0]);
        if is_the_same { self.meanings[0].clone() } else { self.meanings.join("; ") }
    }
}

impl HistoryLayout {
    pub(crate) fn new(laws: &[Box<dyn Law>]) -> Self {
        let mut layout = Self::default();
        for law in laws {
            let start = layout.width;
            for column in law.history() {
                if let HistoryColumn::Vector(_, transport) = column {
                    layout.vectors.push((layout.width, *transport));
                }
                for part in 0..column.width() {
                    layout.names.push(format!("{}.{part}", column.name()));
                }
                layout.width += column.width();
            }
            layout.laws.push((start, layout.width - start));
        }
        for law in laws {
            let (width, meaning) = law.memory();
            let meanings = vec![meaning.to_owned()];
            layout.kept.push(Kept { start: layout.stride, width, meanings });
            layout.stride += width;
        }
        layout
    }

    /// Takes in the laws of another pair of materials, which must have the same columns. A pair may
    /// store less than another beside its columns: rows are as long as the longest. False if the
    /// columns differ.
    pub(crate) fn unite(&mut self, other: &Self) -> bool {
        let columns = |layout: &Self| {
            (layout.width, layout.laws.clone(), layout.vectors.clone(), layout.names.clone())
        };
        if columns(self) != columns(other) || self.kept.len() != other.kept.len() {
            return false;
        }
        self.stride = 0;
        for (kept, other) in self.kept.iter_mut().zip(&other.kept) {
            kept.start = self.stride;
            kept.width = kept.width.max(other.width);
            self.stride += kept.width;
            kept.meanings.extend_from_slice(&other.meanings);
        }
        true
    }

    /// Adds what the engine remembers where slip is mapped.
    pub(crate) fn remember_motion(&mut self, mapping: Mapping) {
        self.anchorage = Some(Anchorage { start: self.width, mapping });
        self.width += ANCHORAGE_WIDTH;
        self.names.extend(ANCHORAGE_NAMES.map(str::to_owned));
    }

    /// Names of all that is saved of a contact: the columns, then what laws keep beside them.
    pub(crate) fn name_kept(&mut self) {
        for kept in &self.kept {
            let meaning = kept.meaning();
            self.names.extend((0..kept.width).map(|part| format!("{meaning}.{part}")));
        }
    }

    /// The first column of what has this name.
    pub(crate) fn start_of(&self, name: &str) -> Option<usize> {
        let part = |column: &String| column.strip_suffix(".0") == Some(name);
        self.names.iter().position(part)
    }
}

/// Moves the vectors of a chunk to the present tangent plane. `squarely`: the normals turn at right
/// angles to themselves.
pub(crate) fn transport(
    layout: &HistoryLayout,
    contacts: &Contacts,
    squarely: bool,
    columns: &mut [Column],
) {
    for &(first, how) in &layout.vectors {
        let Ok(vector) = <&mut [Column; 3]>::try_from(&mut columns[first..first + 3]) else {
            continue;
        };
        match how {
            Transport::Project => project(contacts, vector),
            Transport::ProjectRescale => project_and_rescale(contacts, vector),
            Transport::Rotate if squarely => rotate_squarely(contacts, vector),
            Transport::Rotate => rotate(contacts, vector),
        }
    }
}

multiversion! {
    fn project(contacts: &Contacts, vector: &mut [Column; 3]) {
        let n = &contacts.normal;
        for c in 0..WIDTH {
            let along = n[0][c] * vector[0][c] + n[1][c] * vector[1][c] + n[2][c] * vector[2][c];
            for axis in 0..3 {
                vector[axis][c] -= along * n[axis][c];
            }
        }
    }
}

multiversion! {
    fn project_and_rescale(contacts: &Contacts, vector: &mut [Column; 3]) {
        let n = &contacts.normal;
        for c in 0..WIDTH {
            let v = [vector[0][c], vector[1][c], vector[2][c]];
            let along = n[0][c] * v[0] + n[1][c] * v[1] + n[2][c] * v[2];
            let p = [v[0] - along * n[0][c], v[1] - along * n[1][c], v[2] - along * n[2][c]];
            let before = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            let after = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
            let scale = (before / after.max(f64::MIN_POSITIVE)).sqrt();
            for axis in 0..3 {
                vector[axis][c] = if after > 0.0 { scale * p[axis] } else { 0.0 };
            }
        }
    }
}

multiversion! {
    fn rotate(contacts: &Contacts, vector: &mut [Column; 3]) {
        let n = &contacts.normal;
        let turn = &contacts.turn;
        for c in 0..WIDTH {
            let rotated = rotated(
                [vector[0][c], vector[1][c], vector[2][c]],
                [n[0][c], n[1][c], n[2][c]],
                [turn[0][c], turn[1][c], turn[2][c]],
                [contacts.spun[0][c], contacts.spun[1][c]],
            );
            for axis in 0..3 {
                vector[axis][c] = rotated[axis];
            }
        }
    }
}

multiversion! {
    fn rotate_squarely(contacts: &Contacts, vector: &mut [Column; 3]) {
        let n = &contacts.normal;
        let turn = &contacts.turn;
        for c in 0..WIDTH {
            let normal = [n[0][c], n[1][c], n[2][c]];
            let half_turn = [0.5 * turn[0][c], 0.5 * turn[1][c], 0.5 * turn[2][c]];
            let rotated = rotated_squarely(
                [vector[0][c], vector[1][c], vector[2][c]],
                normal,
                between(normal, half_turn),
                [contacts.spun[0][c], contacts.spun[1][c]],
            );
            for axis in 0..3 {
                vector[axis][c] = rotated[axis];
            }
        }
    }
}

/// The smallest rotation that takes the old normal n₀ = n - Δ to n, applied to a vector that is
/// perpendicular to n₀, is `v - (n·v)(n₀ + n)/(1 + n₀·n)`. Then a rotation about n by the mean
/// spin, given by its cosine and sine.
#[inline(always)]
pub(crate) fn rotated(v: [f64; 3], normal: [f64; 3], turn: [f64; 3], spun: [f64; 2]) -> [f64; 3] {
    let cosine = 1.0 - dot(normal, turn);
    let sum = [2.0 * normal[0] - turn[0], 2.0 * normal[1] - turn[1], 2.0 * normal[2] - turn[2]];
    let factor = dot(normal, v) * (1.0 / (1.0 + cosine));
    spun_about(normal, spun, less(v, factor, sum))
}

/// As `rotated`, where the normal turns at a right angle to itself: then 1 + n₀·n is two, and
/// `between` is the middle of both normals.
#[inline(always)]
pub(crate) fn rotated_squarely(
    v: [f64; 3],
    normal: [f64; 3],
    between: [f64; 3],
    spun: [f64; 2],
) -> [f64; 3] {
    spun_about(normal, spun, less(v, dot(normal, v), between))
}

/// The middle of the normals before and after half of a turn each.
#[inline(always)]
pub(crate) fn between(normal: [f64; 3], half_turn: [f64; 3]) -> [f64; 3] {
    less(normal, 1.0, half_turn)
}

#[inline(always)]
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn less(v: [f64; 3], factor: f64, other: [f64; 3]) -> [f64; 3] {
    [v[0] - factor * other[0], v[1] - factor * other[1], v[2] - factor * other[2]]
}

#[inline(always)]
fn spun_about(normal: [f64; 3], [cosine, sine]: [f64; 2], r: [f64; 3]) -> [f64; 3] {
    [
        cosine * r[0] + sine * (normal[1] * r[2] - normal[2] * r[1]),
        cosine * r[1] + sine * (normal[2] * r[0] - normal[0] * r[2]),
        cosine * r[2] + sine * (normal[0] * r[1] - normal[1] * r[0]),
    ]
}
