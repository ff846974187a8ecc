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

/// Bytes of a block before compression: two windows of zlib. Compared with compression of whole arrays this costs
/// almost nothing, and a reader works in cache.
const BLOCK: usize = 1 << 16;

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

    fn points(self) -> i64 {
        match self {
            Self::Verts => 1,
            Self::Lines => 2,
            Self::Triangles => 3,
        }
    }
}

/// A piece of points and cells of one kind under construction. Only compressed bytes are kept in memory; the numbers
/// are taken from iterators.
pub(super) struct PolyData {
    kind: Cells,
    points: usize,
    cells: usize,
    field_data: String,
    point_data: String,
    cell_data: String,
    geometry: String,
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
        let mut piece = Self {
            kind,
            points: points.len(),
            cells,
            field_data: String::new(),
            point_data: String::new(),
            cell_data: String::new(),
            geometry: String::new(),
            appended: Vec::new(),
        };
        let points = piece.array("Points", points)?;
        let connectivity = piece.array("connectivity", connectivity.map(|index| [index]))?;
        let ends = (1..=cells as i64).map(|cell| [cell * kind.points()]);
        let offsets = piece.array("offsets", ends)?;
        let element = kind.element();
        piece.geometry = format!(
            "<Points>\n{points}</Points>\n<{element}>\n{connectivity}{offsets}</{element}>\n"
        );
        Ok(piece)
    }

    /// Adds a column with one entry per point.
    pub(super) fn point_column<T: Scalar, const N: usize>(
        &mut self,
        name: &str,
        rows: impl Iterator<Item = [T; N]>,
    ) -> io::Result<()> {
        let column = self.array(name, rows)?;
        self.point_data.push_str(&column);
        Ok(())
    }

    /// Adds a column with one entry per cell.
    pub(super) fn cell_column<T: Scalar, const N: usize>(
        &mut self,
        name: &str,
        rows: impl Iterator<Item = [T; N]>,
    ) -> io::Result<()> {
        let column = self.array(name, rows)?;
        self.cell_data.push_str(&column);
        Ok(())
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

    /// Writes the file.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let count = |kind: Cells| if kind == self.kind { self.cells } else { 0 };
        writeln!(out, "<?xml version=\"1.0\"?>")?;
        writeln!(
            out,
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">"
        )?;
        write!(out, "<PolyData>\n<FieldData>\n{}</FieldData>\n", self.field_data)?;
        writeln!(
            out,
            "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" NumberOfPolys=\"{}\">",
            self.points,
            count(Cells::Verts),
            count(Cells::Lines),
            count(Cells::Triangles)
        )?;
        write!(out, "<PointData>\n{}</PointData>\n", self.point_data)?;
        write!(out, "<CellData>\n{}</CellData>\n", self.cell_data)?;
        write!(out, "{}</Piece>\n</PolyData>\n", self.geometry)?;
        write!(out, "<AppendedData encoding=\"raw\">\n_")?;
        out.write_all(&self.appended)?;
        write!(out, "\n</AppendedData>\n</VTKFile>\n")
    }

    /// Appends the numbers and returns the element that refers to them.
    fn array<T: Scalar, const N: usize>(
        &mut self,
        name: &str,
        rows: impl Iterator<Item = [T; N]>,
    ) -> io::Result<String> {
        let offset = self.appended.len();
        let mut blocks = Blocks::default();
        for row in rows {
            for number in row {
                number.append_to(&mut blocks.current);
            }
            blocks.close_full()?;
        }
        blocks.finish(&mut self.appended)?;
        let name = escape(name);
        Ok(format!(
            "<DataArray type=\"{}\" Name=\"{name}\" NumberOfComponents=\"{N}\" format=\"appended\" offset=\"{offset}\"/>\n",
            T::WORD
        ))
    }
}

/// The blocks of one array.
#[derive(Default)]
struct Blocks {
    current: Vec<u8>,
    compressed: Vec<u8>,
    sizes: Vec<u64>,
}

impl Blocks {
    fn close_full(&mut self) -> io::Result<()> {
        while self.current.len() >= BLOCK {
            let rest = self.current.split_off(BLOCK);
            self.close()?;
            self.current = rest;
        }
        Ok(())
    }

    fn close(&mut self) -> io::Result<()> {
        let before = self.compressed.len();
        // Trajectories hardly compress: a higher level takes five times as long for a few per cent, and repetitive
        // columns become small at any level.
        let mut encoder = ZlibEncoder::new(&mut self.compressed, Compression::fast());
        encoder.write_all(&self.current)?;
        encoder.finish()?;
        self.sizes.push((self.compressed.len() - before) as u64);
        self.current.clear();
        Ok(())
    }

    fn finish(mut self, appended: &mut Vec<u8>) -> io::Result<()> {
        let partial = self.current.len() as u64;
        if partial > 0 {
            self.close()?;
        }
        for number in [self.sizes.len() as u64, BLOCK as u64, partial] {
            appended.extend_from_slice(&number.to_le_bytes());
        }
        for size in &self.sizes {
            appended.extend_from_slice(&size.to_le_bytes());
        }
        appended.extend_from_slice(&self.compressed);
        Ok(())
    }
}
