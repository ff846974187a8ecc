//! The binary form of a frame: `ESKV`, version and length of the header (u32 each), a JSON header padded with
//! spaces to a multiple of 4 bytes, and sections, little-endian and aligned to 4 bytes.

use serde::Serialize;

/// First bytes.
pub const MAGIC: [u8; 4] = *b"ESKV";
/// Version of the format.
pub const VERSION: u32 = 1;

/// Position and content of a section.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Section {
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    components: usize,
    /// Tuples.
    count: usize,
    /// From the end of the header [bytes].
    offset: usize,
    min: f64,
    max: f64,
}

/// The header.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Header {
    /// Time [s].
    pub time: f64,
    /// Steps made.
    pub step: u64,
    /// Name of the stage.
    pub stage: Option<String>,
    /// Positions are relative to this point [m].
    pub origin: [f64; 3],
    /// Number of particles, contacts or triangles.
    pub count: usize,
    /// Changes if radii, ids or groups, or the walls, change.
    pub revision: u32,
    /// Range of positions encoded as u16: lower and upper corner, relative to the origin [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[[f32; 3]; 2]>,
}

/// A frame that is being encoded.
#[derive(Debug, Default)]
pub struct Encoder {
    header: Header,
    sections: Vec<Section>,
    body: Vec<u8>,
}

#[derive(Serialize)]
struct WholeHeader<'a> {
    #[serde(flatten)]
    header: &'a Header,
    sections: &'a [Section],
}

/// A number of a section.
pub trait Number: Copy + Into<f64> {
    /// Name of the type in the header.
    const KIND: &'static str;
    /// Appends its little-endian bytes.
    fn append_to(self, bytes: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($number:ty => $kind:literal),*) => {$(
        impl Number for $number {
            const KIND: &'static str = $kind;
            fn append_to(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}
numbers!(f32 => "f32", u32 => "u32", u16 => "u16", i16 => "i16", u8 => "u8");

impl Encoder {
    /// Starts a frame.
    pub fn new(header: Header) -> Self {
        Self { header, sections: Vec::new(), body: Vec::new() }
    }

    /// Adds a section. Its range is that of its finite numbers.
    pub fn section<T: Number>(
        &mut self,
        name: &str,
        components: usize,
        numbers: impl Iterator<Item = T>,
    ) {
        let offset = self.body.len();
        let (mut min, mut max, mut count) = (f64::INFINITY, f64::NEG_INFINITY, 0_usize);
        for number in numbers {
            let value: f64 = number.into();
            if value.is_finite() {
                min = min.min(value);
                max = max.max(value);
            }
            count += 1;
            number.append_to(&mut self.body);
        }
        while !self.body.len().is_multiple_of(4) {
            self.body.push(0);
        }
        let ends = if min <= max { (min, max) } else { (0.0, 0.0) };
        self.sections.push(Section {
            name: name.to_owned(),
            kind: T::KIND,
            components,
            count: count / components.max(1),
            offset,
            min: ends.0,
            max: ends.1,
        });
    }

    /// The bytes.
    pub fn finish(self) -> Vec<u8> {
        let whole = WholeHeader { header: &self.header, sections: &self.sections };
        let mut header = serde_json::to_vec(&whole).unwrap_or_default();
        while !header.len().is_multiple_of(4) {
            header.push(b' ');
        }
        let mut bytes = Vec::with_capacity(12 + header.len() + self.body.len());
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&header);
        bytes.extend_from_slice(&self.body);
        bytes
    }
}
