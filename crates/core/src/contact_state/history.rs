//! Layout of the history of contacts: columns in contact order, stored twice (accepted and trial).

use crate::geometry::{ANCHORAGE_NAMES, ANCHORAGE_WIDTH, Anchorage};
use crate::law::{HistoryField, Law, Mapping, Transport};

/// The columns that the laws of a scene need, the same for every pair of materials, and the numbers that they store
/// outside them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct HistoryLayout {
    /// Number of columns.
    pub width: usize,
    /// First column and number of columns of each law.
    pub laws: Vec<(usize, usize)>,
    /// Fields of all laws in the order of the columns.
    pub fields: Vec<HistoryField>,
    /// First column of each vector and its transport with the tangent plane.
    pub vectors: Vec<(usize, Transport)>,
    /// Names of the columns and of the numbers stored outside them, for checkpoints.
    pub names: Vec<String>,
    /// Columns of the engine, after those of the laws.
    pub anchorage: Option<Anchorage>,
    /// Numbers that each law stores outside its columns.
    pub stored: Vec<StoredNumbers>,
    /// Numbers that all laws store outside their columns.
    pub stride: usize,
}

/// Position and meaning of the numbers that a law stores outside its columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredNumbers {
    pub start: usize,
    pub width: usize,
    /// Meaning of the numbers, for each pair of materials.
    pub meanings: Vec<String>,
}

impl StoredNumbers {
    /// Meaning of the numbers: one text if it is the same for all pairs, else all texts.
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
            let (fields, transport) = law.history();
            for field in &fields {
                if field.is_vector() {
                    layout.vectors.push((layout.width, transport));
                }
                let name = field.name();
                layout.names.extend((0..field.width).map(|part| format!("{name}.{part}")));
                layout.width += field.width;
            }
            layout.fields.extend(fields);
            layout.laws.push((start, layout.width - start));
        }
        for law in laws {
            let (width, meaning) = law.stored_history();
            let meanings = vec![meaning.to_owned()];
            layout.stored.push(StoredNumbers { start: layout.stride, width, meanings });
            layout.stride += width;
        }
        layout
    }

    /// Adds the laws of another pair of materials, which must have the same columns. Pairs may store different amounts
    /// of numbers outside their columns: blocks have the largest length. False if the columns differ.
    pub(crate) fn unite(&mut self, other: &Self) -> bool {
        let columns = |layout: &Self| {
            (layout.width, layout.laws.clone(), layout.vectors.clone(), layout.names.clone())
        };
        if columns(self) != columns(other) || self.stored.len() != other.stored.len() {
            return false;
        }
        self.stride = 0;
        for (numbers, other) in self.stored.iter_mut().zip(&other.stored) {
            numbers.start = self.stride;
            numbers.width = numbers.width.max(other.width);
            self.stride += numbers.width;
            numbers.meanings.extend_from_slice(&other.meanings);
        }
        true
    }

    /// Adds the columns of the engine for mapped slip.
    pub(crate) fn add_anchorage(&mut self, mapping: Mapping) {
        self.anchorage = Some(Anchorage { start: self.width, mapping });
        self.width += ANCHORAGE_WIDTH;
        self.names.extend(ANCHORAGE_NAMES.map(str::to_owned));
    }

    /// Adds the names of the numbers that laws store outside their columns.
    pub(crate) fn name_stored(&mut self) {
        for numbers in &self.stored {
            let meaning = numbers.meaning();
            self.names.extend((0..numbers.width).map(|part| format!("{meaning}.{part}")));
        }
    }

    /// The first column of the field with this name.
    pub(crate) fn start_of(&self, name: &str) -> Option<usize> {
        let part = |column: &String| column.strip_suffix(".0") == Some(name);
        self.names.iter().position(part)
    }
}
