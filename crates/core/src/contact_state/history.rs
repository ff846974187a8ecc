//! Layout of the history of contacts: columns in contact order, stored twice (accepted and trial).

use crate::geometry::{ANCHORAGE_NAMES, ANCHORAGE_WIDTH, Anchorage};
use crate::law::{HistoryField, Law, Mapping, Transport};

/// The columns that the laws of a scene need; the same for every pair of materials.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct HistoryLayout {
    /// Number of columns.
    pub width: usize,
    /// First column and number of columns of each law.
    pub laws: Vec<(usize, usize)>,
    /// Fields of all laws in the order of the columns.
    pub fields: Vec<HistoryField>,
    /// First column of each vector and how it follows the tangent plane.
    pub vectors: Vec<(usize, Transport)>,
    /// Names of the columns and of the numbers that laws store beside them, for checkpoints.
    pub names: Vec<String>,
    /// Columns of the engine itself, behind those of the laws.
    pub anchorage: Option<Anchorage>,
    /// Numbers that each law stores beside its columns.
    pub kept: Vec<Kept>,
    /// Numbers that all laws store beside their columns.
    pub stride: usize,
}

/// Position and meaning of the numbers that a law stores beside its columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    pub start: usize,
    pub width: usize,
    pub meaning: String,
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
            let (width, meaning) = law.memory();
            layout.kept.push(Kept { start: layout.stride, width, meaning: meaning.to_owned() });
            layout.stride += width;
        }
        layout
    }

    /// Adds the columns of the engine where slip is mapped.
    pub(crate) fn remember_motion(&mut self, mapping: Mapping) {
        self.anchorage = Some(Anchorage { start: self.width, mapping });
        self.width += ANCHORAGE_WIDTH;
        self.names.extend(ANCHORAGE_NAMES.map(str::to_owned));
    }

    /// Completes the names by those of the numbers that laws store beside their columns.
    pub(crate) fn name_kept(&mut self) {
        for kept in &self.kept {
            self.names.extend((0..kept.width).map(|part| format!("{}.{part}", kept.meaning)));
        }
    }

    /// The first column of the field with this name.
    pub(crate) fn start_of(&self, name: &str) -> Option<usize> {
        let part = |column: &String| column.strip_suffix(".0") == Some(name);
        self.names.iter().position(part)
    }
}
