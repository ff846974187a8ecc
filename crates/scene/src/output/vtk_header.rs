//! The XML part of a `.vtp` file: only the elements and attributes that the writer uses.

/// Types of numbers that the writer uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    F64,
    I64,
    I32,
    U32,
    U16,
    U8,
}

impl Kind {
    fn named(word: &str) -> Option<Self> {
        Some(match word {
            "Float64" => Self::F64,
            "Int64" => Self::I64,
            "Int32" => Self::I32,
            "UInt32" => Self::U32,
            "UInt16" => Self::U16,
            "UInt8" => Self::U8,
            _ => return None,
        })
    }

    /// Bytes of a number.
    pub(super) fn bytes(self) -> u64 {
        match self {
            Self::F64 | Self::I64 => 8,
            Self::I32 | Self::U32 => 4,
            Self::U16 => 2,
            Self::U8 => 1,
        }
    }

    /// Appends the numbers of little-endian bytes.
    pub(super) fn decode(self, bytes: &[u8], values: &mut Vec<f64>) {
        macro_rules! all {
            ($number:ty) => {{
                let (words, _) = bytes.as_chunks();
                values.extend(words.iter().map(|word| <$number>::from_le_bytes(*word) as f64));
            }};
        }
        match self {
            Self::F64 => all!(f64),
            Self::I64 => all!(i64),
            Self::I32 => all!(i32),
            Self::U32 => all!(u32),
            Self::U16 => all!(u16),
            Self::U8 => values.extend(bytes.iter().map(|byte| f64::from(*byte))),
        }
    }
}

/// The items that have one tuple each in an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Per {
    Point,
    Cell,
    /// Indices of points: as many per cell as its kind has.
    Corner,
}

/// An array of the appended data.
#[derive(Debug)]
pub(super) struct Array {
    pub name: String,
    pub kind: Kind,
    pub components: usize,
    /// From the start of the appended data [bytes].
    pub offset: u64,
    per: Per,
}

/// The content of the XML header.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub points: usize,
    pub cells: usize,
    pub arrays: Vec<Array>,
    pub numbers: Vec<(String, f64)>,
    pub words: Vec<(String, Vec<String>)>,
    /// Points of a cell.
    corners: usize,
}

impl Header {
    /// Number of tuples of an array.
    pub(super) fn rows(&self, array: &Array) -> usize {
        match array.per {
            Per::Point => self.points,
            Per::Cell => self.cells,
            Per::Corner => self.cells.saturating_mul(self.corners),
        }
    }
}

/// Reads the text before the appended data.
pub(super) fn parse(text: &str) -> Result<Header, String> {
    let mut header = Header::default();
    let mut per = None;
    let mut is_ours = false;
    for (tag, content) in elements(text) {
        let get = |name: &str| attribute(tag, name);
        let whole = |name: &str| get(name).and_then(|text| text.parse::<usize>().ok());
        match tag.split([' ', '/']).next().unwrap_or_default() {
            "VTKFile" => is_ours = get("type").as_deref() == Some("PolyData"),
            "Piece" => {
                header.points = whole("NumberOfPoints").ok_or("the number of points is missing")?;
                let kinds = [("NumberOfVerts", 1), ("NumberOfLines", 2), ("NumberOfPolys", 3)];
                for (name, corners) in kinds {
                    let cells = whole(name).ok_or("the number of cells is missing")?;
                    if cells > 0 {
                        (header.cells, header.corners) = (cells, corners);
                    }
                }
            }
            "PointData" | "Points" => per = Some(Per::Point),
            "CellData" => per = Some(Per::Cell),
            "Verts" | "Lines" | "Polys" => per = Some(Per::Corner),
            "Array" => {
                let name = get("Name").unwrap_or_default();
                header.words.push((name, words(content)));
            }
            "DataArray" if get("format").as_deref() == Some("ascii") => {
                let number =
                    content.trim().parse().map_err(|_| "a number is not one".to_owned())?;
                header.numbers.push((get("Name").unwrap_or_default(), number));
            }
            "DataArray" => header.arrays.push(array(tag, per)?),
            _ => {}
        }
    }
    if is_ours { Ok(header) } else { Err("this is not a frame".to_owned()) }
}

fn array(tag: &str, per: Option<Per>) -> Result<Array, String> {
    let name = attribute(tag, "Name").ok_or("a column has no name")?;
    let wrong = |what: &str| format!("column `{name}` has no {what}");
    let kind = attribute(tag, "type").and_then(|word| Kind::named(&word));
    let whole = |key: &str| attribute(tag, key).and_then(|text| text.parse::<u64>().ok());
    let components = whole("NumberOfComponents").filter(|count| (1..=16).contains(count));
    // Offsets of cells are ends, one per cell.
    let per = match per {
        Some(Per::Corner) if name == "offsets" => Some(Per::Cell),
        other => other,
    };
    Ok(Array {
        kind: kind.ok_or_else(|| wrong("type"))?,
        components: components.ok_or_else(|| wrong("components"))? as usize,
        offset: whole("offset").ok_or_else(|| wrong("offset"))?,
        per: per.ok_or_else(|| wrong("place"))?,
        name,
    })
}

/// Opening tags without their brackets, each with the text that follows it.
fn elements(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split('<').skip(1).filter_map(|rest| rest.split_once('>'))
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    let value = tag[start..].split('"').next()?;
    let mut text = value.to_owned();
    // The ampersand last, since the other entities begin with it.
    let marks = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    for (escaped, mark) in marks {
        text = text.replace(escaped, mark);
    }
    Some(text)
}

/// Words from the codes of their bytes, each word terminated by a zero.
fn words(codes: &str) -> Vec<String> {
    let bytes: Vec<u8> = codes.split_whitespace().filter_map(|code| code.parse().ok()).collect();
    let mut words: Vec<String> =
        bytes.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into()).collect();
    words.pop();
    words
}
