//! VTK XML PolyData files (`.vtp`): arrays appended raw, compressed by zlib in blocks.
//!
//! Source: *VTK XML formats*, docs.vtk.org. An array of the appended section is, in unsigned
//! 64-bit integers, the number of blocks, the size of a block, the size of the last block if
//! it is not a whole one (else 0) and the compressed size of each block; then the blocks.
//! Offsets count from the byte after the underscore.

use esker_draw::escape;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Items of a block: particles, contacts, or points. Blocks of some ten kilobytes take hardly more space than whole
/// arrays, a reader works in cache, and ranks compress them independently.
pub(super) const ITEMS_OF_BLOCK: usize = 4096;

/// Characters of an offset. Their number is fixed, so that the length of the header is known before the data are
/// compressed.
const DIGITS_OF_OFFSET: usize = 20;

/// A number type of VTK.
pub(super) trait Scalar: Copy {
    /// VTK's name of the type.
    const WORD: &'static str;
    /// Adds its little-endian bytes.
    fn append_to(self, bytes: &mut Vec<u8>);
}

macro_rules! scalars {
    ($($number:ty => $word:literal),*) => {$(
        impl Scalar for $number {
            const WORD: &'static str = $word;
            fn append_to(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}
scalars!(f64 => "Float64", i64 => "Int64", i32 => "Int32", u32 => "UInt32", u16 => "UInt16", u8 => "UInt8");

/// The kinds of cells of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cells {
    /// One point each.
    Verts,
    /// Two points each.
    Lines,
    /// Three points each.
    Triangles,
}

impl Cells {
    fn element(self) -> &'static str {
        match self {
            Self::Verts => "Verts",
            Self::Lines => "Lines",
            Self::Triangles => "Polys",
        }
    }

    pub(super) fn points(self) -> i64 {
        match self {
            Self::Verts => 1,
            Self::Lines => 2,
            Self::Triangles => 3,
        }
    }
}

/// The element of the header that contains an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Points,
    Cells,
    PointData,
    CellData,
}

/// Name, type and components of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ArrayType {
    pub element: Element,
    pub name: &'static str,
    /// VTK's name of the type of its numbers.
    pub word: &'static str,
    pub components: usize,
}

impl ArrayType {
    /// An array of numbers with `N` components.
    pub(super) fn of<S: Scalar, const N: usize>(element: Element, name: &'static str) -> Self {
        Self { element, name, word: S::WORD, components: N }
    }
}

/// The header of a piece of points and cells of one kind.
#[derive(Debug, Clone)]
pub(super) struct Header {
    kind: Cells,
    points: usize,
    cells: usize,
    field_data: String,
    /// The arrays with their offsets [bytes].
    arrays: Vec<(ArrayType, u64)>,
}

/// Text after the data.
pub(super) const END: &[u8] = b"\n</AppendedData>\n</VTKFile>\n";

impl Header {
    pub(super) fn new(kind: Cells, points: usize, cells: usize) -> Self {
        Self { kind, points, cells, field_data: String::new(), arrays: Vec::new() }
    }

    /// Adds an array that begins at an offset.
    pub(super) fn add(&mut self, array: ArrayType, offset: u64) {
        self.arrays.push((array, offset));
    }

    /// Adds a number of the file as a whole.
    pub(super) fn field_number(&mut self, name: &str, number: f64) {
        let name = escape(name);
        let _ = writeln!(
            self.field_data,
            "<DataArray type=\"Float64\" Name=\"{name}\" NumberOfTuples=\"1\" format=\"ascii\">{number:?}</DataArray>"
        );
    }

    /// Adds a list of words of the file as a whole, such as the names of the groups. VTK writes text as the codes of
    /// its bytes, each word terminated by a zero.
    pub(super) fn field_words(&mut self, name: &str, words: &[String]) {
        let mut codes = String::new();
        for byte in words.iter().flat_map(|word| word.bytes().chain([0])) {
            let _ = write!(codes, "{byte} ");
        }
        let (name, count) = (escape(name), words.len());
        let _ = writeln!(
            self.field_data,
            "<Array type=\"String\" Name=\"{name}\" NumberOfTuples=\"{count}\" format=\"ascii\">{codes}</Array>"
        );
    }

    /// The text before the data.
    pub(super) fn text(&self) -> String {
        let count = |kind: Cells| if kind == self.kind { self.cells } else { 0 };
        let cells = self.kind.element();
        let [points, corners, point_data, cell_data] =
            [Element::Points, Element::Cells, Element::PointData, Element::CellData]
                .map(|element| self.arrays_of(element));
        format!(
            "<?xml version=\"1.0\"?>\n\
             <VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n\
             <PolyData>\n<FieldData>\n{}</FieldData>\n\
             <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n\
             <PointData>\n{point_data}</PointData>\n<CellData>\n{cell_data}</CellData>\n\
             <Points>\n{points}</Points>\n<{cells}>\n{corners}</{cells}>\n</Piece>\n</PolyData>\n\
             <AppendedData encoding=\"raw\">\n_",
            self.field_data,
            self.points,
            count(Cells::Verts),
            count(Cells::Lines),
            count(Cells::Triangles),
        )
    }

    fn arrays_of(&self, element: Element) -> String {
        let mut text = String::new();
        for (array, offset) in self.arrays.iter().filter(|(array, _)| array.element == element) {
            let ArrayType { name, word, components, .. } = array;
            let (name, offset) = (escape(name), format!("\"{offset}\""));
            let width = DIGITS_OF_OFFSET + 2;
            let _ = writeln!(
                text,
                "<DataArray type=\"{word}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" offset={offset:<width$}/>"
            );
        }
        text
    }
}

/// A piece under construction. Only compressed bytes are kept in memory; the numbers are taken from iterators.
pub(crate) struct PolyData {
    pub(super) header: Header,
    appended: Vec<u8>,
}

impl PolyData {
    /// Points, and cells given by indices of points (as many per cell as the kind has).
    pub(super) fn new(
        points: impl ExactSizeIterator<Item = [f64; 3]>,
        kind: Cells,
        cells: usize,
        connectivity: impl Iterator<Item = i64>,
    ) -> io::Result<Self> {
        let header = Header::new(kind, points.len(), cells);
        let mut piece = Self { header, appended: Vec::new() };
        piece.column(Element::Points, "Points", points)?;
        piece.column(Element::Cells, "connectivity", connectivity.map(|index| [index]))?;
        let ends = (1..=cells as i64).map(|cell| [cell * kind.points()]);
        piece.column(Element::Cells, "offsets", ends)?;
        Ok(piece)
    }

    /// An empty piece, to which arrays are added by [`Self::append`].
    pub(super) fn empty(header: Header) -> Self {
        Self { header, appended: Vec::new() }
    }

    /// Adds an array with one row per point, cell or corner.
    pub(super) fn column<T: Scalar, const N: usize>(
        &mut self,
        element: Element,
        name: &'static str,
        rows: impl Iterator<Item = [T; N]>,
    ) -> io::Result<()> {
        let mut blocks = Blocks::new(N * size_of::<T>());
        let mut bytes = Vec::new();
        for row in rows {
            row.into_iter().for_each(|number| number.append_to(&mut bytes));
            if bytes.len() == blocks.size() {
                blocks.add(&bytes)?;
                bytes.clear();
            }
        }
        blocks.add(&bytes)?;
        self.append(ArrayType::of::<T, N>(element, name), &blocks);
        Ok(())
    }

    /// Adds an array.
    pub(super) fn append(&mut self, array: ArrayType, blocks: &Blocks) {
        self.header.add(array, self.appended.len() as u64);
        self.appended.extend(blocks.head.bytes());
        self.appended.extend(&blocks.compressed);
    }

    /// Writes the file.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(self.header.text().as_bytes())?;
        out.write_all(&self.appended)?;
        out.write_all(END)
    }
}

/// The sizes of the blocks of one array.
#[derive(Debug, Clone)]
pub(super) struct BlockSizes {
    /// Bytes of a whole block before compression.
    pub size: usize,
    /// Bytes of the last block, if it is not a whole one.
    pub partial: usize,
    /// Compressed sizes.
    pub sizes: Vec<u64>,
}

impl BlockSizes {
    /// The bytes before the blocks.
    pub(super) fn bytes(&self) -> impl Iterator<Item = u8> {
        let numbers = [self.sizes.len() as u64, self.size as u64, self.partial as u64];
        numbers.into_iter().chain(self.sizes.iter().copied()).flat_map(u64::to_le_bytes)
    }

    /// Number of bytes before this many blocks.
    pub(super) fn length(blocks: usize) -> u64 {
        8 * (3 + blocks as u64)
    }
}

/// The blocks of one array.
pub(super) struct Blocks {
    head: BlockSizes,
    compressed: Vec<u8>,
}

impl Blocks {
    /// No blocks yet; `item` is the number of bytes of an item.
    pub(super) fn new(item: usize) -> Self {
        let head = BlockSizes { size: ITEMS_OF_BLOCK * item, partial: 0, sizes: Vec::new() };
        Self { head, compressed: Vec::new() }
    }

    /// Bytes of a whole block before compression.
    pub(super) fn size(&self) -> usize {
        self.head.size
    }

    /// Compresses a block; only the last one may be smaller than the others, and an empty one is left out.
    pub(super) fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        if bytes.len() < self.head.size {
            self.head.partial = bytes.len();
        }
        let before = self.compressed.len();
        compress(bytes, &mut self.compressed)?;
        self.head.sizes.push((self.compressed.len() - before) as u64);
        Ok(())
    }
}

/// Appends a compressed block.
pub(super) fn compress(block: &[u8], compressed: &mut Vec<u8>) -> io::Result<()> {
    // Trajectories hardly compress: a higher level takes five times as long for a few per cent, and repetitive
    // columns become small at any level.
    let mut encoder = ZlibEncoder::new(compressed, Compression::fast());
    encoder.write_all(block)?;
    encoder.finish().map(drop)
}
