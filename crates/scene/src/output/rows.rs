//! Frames and tables that all ranks write together. No rank holds all particles.
//!
//! Each function is called by all ranks. Files of particles and tables are written by all of them: each formats or
//! compresses consecutive rows and writes them to their position in the file. The contacts of a frame are sent to the
//! first rank part by part, which compresses them.

use super::final_table::{final_columns, final_row};
use super::frame_parts::{
    Array, Values, contact_arrays, contact_header, particle_arrays, particle_header,
};
use super::shared_file::{SharedFile, rounds, rows_of_part};
use super::state_tables::{contact_columns, contact_row};
use super::tables::append_row;
use super::vtk::{BlockSizes, Blocks, END, ITEMS_OF_BLOCK, PolyData, compress};
use esker::measure::{ContactView, ParticleView};
use esker::ranks::Comm;
use esker::state::{Census, IdRange, Rows};
use esker::{Simulation, Vec3};
use std::io;
use std::path::Path;

/// Writes the particles of a frame.
pub(crate) fn write_particles(simulation: &Simulation, path: &Path) -> io::Result<()> {
    let rows = simulation.rows();
    let snapshot = rows.snapshot_without_rows();
    let census = rows.census(&rows.surroundings(), Vec3::Z);
    let file = SharedFile::create(rows.comm(), path)?;
    let size = rows_of_part(census.particles, file.writers().len());
    let (count, parts) = rows.parts(size);
    let arrays = particle_arrays();
    let mut header = particle_header(&snapshot, count);
    let mut blank = header.clone();
    arrays.iter().for_each(|array| blank.add(array.array, 0));
    let start = blank.text().len() as u64;
    let threads = simulation.scene().threads;
    let mut writer = ArrayWriter { rows, census, file, count, size, parts, threads };
    writer.file.skip(start);
    for array in &arrays {
        header.add(array.array, writer.file.end() - start);
        writer.write(array)?;
    }
    let ArrayWriter { mut file, rows, .. } = writer;
    let is_first = rows.comm().rank() == 0;
    file.append(Ok(if is_first { END } else { &[] }))?;
    if is_first {
        file.write_at(0, header.text().as_bytes());
    }
    file.sync()
}

/// Writes the arrays of particles.
struct ArrayWriter<'a> {
    rows: Rows<'a>,
    census: Census,
    file: SharedFile<'a>,
    /// Number of particles.
    count: usize,
    /// Rows of a part.
    size: usize,
    parts: Vec<IdRange>,
    threads: usize,
}

impl ArrayWriter<'_> {
    /// Writes an array: the sizes of its blocks, then the blocks.
    fn write(&mut self, array: &Array<ParticleView>) -> io::Result<()> {
        let comm = self.rows.comm();
        let blocks = self.count.div_ceil(ITEMS_OF_BLOCK);
        let start = self.file.end();
        self.file.skip(BlockSizes::length(blocks));
        let size = ITEMS_OF_BLOCK * array.item;
        let partial = self.count % ITEMS_OF_BLOCK * array.item;
        let mut head = BlockSizes { size, partial, sizes: Vec::with_capacity(blocks) };
        let writers = self.file.writers().to_vec();
        let own = writers.iter().position(|writer| *writer == comm.rank());
        for (round, ids) in rounds(&self.parts, &writers, comm.size()).enumerate() {
            let part = own.map(|own| round * writers.len() + own);
            let bytes = self.plain(array, &ids, part);
            let packed = packed(&bytes, size, self.threads);
            drop(bytes);
            let (bytes, sizes) = match &packed {
                Ok((bytes, sizes)) => (Ok(&bytes[..]), &sizes[..]),
                Err(error) => (Err(io::Error::new(error.kind(), error.to_string())), &[][..]),
            };
            self.file.append(bytes)?;
            let message: Vec<u8> = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
            for bytes in comm.gather(&message) {
                head.sizes.extend(bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)));
            }
        }
        if comm.rank() == 0 {
            self.file.write_at(start, &head.bytes().collect::<Vec<u8>>());
        }
        Ok(())
    }

    /// The bytes of the rows of this rank; `part` is their number among the parts.
    fn plain(&self, array: &Array<ParticleView>, ids: &[IdRange], part: Option<usize>) -> Vec<u8> {
        match &array.values {
            Values::OfItem(append) => self.rows.particle_bytes(ids, &self.census, append),
            Values::OfIndex(append) => {
                let mut bytes = Vec::new();
                let first = part.map_or(self.count, |part| part * self.size).min(self.count);
                let end = (first + self.size).min(self.count);
                (first as u64..end as u64).for_each(|index| append(index, &mut bytes));
                bytes
            }
        }
    }
}

/// Blocks, compressed on several threads, and their sizes.
fn packed(bytes: &[u8], block: usize, threads: usize) -> io::Result<(Vec<u8>, Vec<u64>)> {
    let pack = |bytes: &[u8]| {
        let (mut packed, mut sizes) = (Vec::new(), Vec::new());
        for block in bytes.chunks(block) {
            let before = packed.len();
            compress(block, &mut packed)?;
            sizes.push((packed.len() - before) as u64);
        }
        Ok((packed, sizes))
    };
    let blocks = bytes.len().div_ceil(block);
    let each = blocks.div_ceil(threads.max(1)).max(1);
    if blocks <= each {
        return pack(bytes);
    }
    let parts: io::Result<Vec<(Vec<u8>, Vec<u64>)>> = std::thread::scope(|scope| {
        let parts = bytes.chunks(each * block);
        let parts: Vec<_> = parts.map(|part| scope.spawn(move || pack(part))).collect();
        let join = |part: std::thread::ScopedJoinHandle<'_, _>| {
            part.join().unwrap_or_else(|_| Err(io::Error::other("a thread has failed")))
        };
        parts.into_iter().map(join).collect()
    });
    let (bytes, sizes): (Vec<_>, Vec<_>) = parts?.into_iter().unzip();
    Ok((bytes.concat(), sizes.concat()))
}

/// Writes the contacts of a frame; the first rank compresses and returns them.
pub(crate) fn collect_contacts(simulation: &Simulation) -> io::Result<Option<PolyData>> {
    let rows = simulation.rows();
    let snapshot = rows.snapshot_without_rows();
    let surroundings = rows.surroundings();
    let arrays = contact_arrays();
    let (_, parts) = rows.parts(rows_of_part(simulation.counts().present, 1));
    let append = |contact: &ContactView, bytes: &mut Vec<u8>| {
        for array in &arrays {
            if let Values::OfItem(append) = &array.values {
                append(contact, bytes);
            }
        }
    };
    let mut collected = Collected::new(&arrays);
    for ids in rounds(&parts, &[0], rows.comm().size()) {
        collected.add(&rows.contact_bytes(&ids, &surroundings, append))?;
    }
    if rows.comm().rank() > 0 {
        return Ok(None);
    }
    let (count, blocks) = collected.finish()?;
    let mut piece = PolyData::empty(contact_header(&snapshot, count as usize));
    for (array, blocks) in arrays.iter().zip(&blocks) {
        piece.append(array.array, blocks);
    }
    Ok(Some(piece))
}

/// Contacts that are divided into arrays and compressed as they come.
struct Collected<'a> {
    arrays: &'a [Array<ContactView>],
    /// Bytes of a contact in all arrays.
    item: usize,
    count: u64,
    /// For each array, bytes of an incomplete block, and its blocks.
    blocks: Vec<(Vec<u8>, Blocks)>,
}

impl<'a> Collected<'a> {
    fn new(arrays: &'a [Array<ContactView>]) -> Self {
        let items = arrays.iter().filter(|array| matches!(array.values, Values::OfItem(_)));
        let blocks = arrays.iter().map(|array| (Vec::new(), Blocks::new(array.item)));
        Self {
            arrays,
            item: items.map(|array| array.item).sum(),
            count: 0,
            blocks: blocks.collect(),
        }
    }

    /// Adds the bytes of contacts.
    fn add(&mut self, contacts: &[u8]) -> io::Result<()> {
        for mut contact in contacts.chunks_exact(self.item) {
            for (array, (bytes, blocks)) in self.arrays.iter().zip(&mut self.blocks) {
                match &array.values {
                    Values::OfIndex(append) => append(self.count, bytes),
                    Values::OfItem(_) => {
                        let (own, rest) = contact.split_at(array.item);
                        bytes.extend_from_slice(own);
                        contact = rest;
                    }
                }
                if bytes.len() == blocks.size() {
                    blocks.add(bytes)?;
                    bytes.clear();
                }
            }
            self.count += 1;
        }
        Ok(())
    }

    /// The number of contacts, and the blocks of each array.
    fn finish(self) -> io::Result<(u64, Vec<Blocks>)> {
        let finish = |(bytes, mut blocks): (Vec<u8>, Blocks)| {
            blocks.add(&bytes)?;
            Ok(blocks)
        };
        let blocks: io::Result<Vec<Blocks>> = self.blocks.into_iter().map(finish).collect();
        Ok((self.count, blocks?))
    }
}

/// Writes the particles as a table.
pub(crate) fn write_particle_table(simulation: &Simulation, path: &Path) -> io::Result<()> {
    let rows = simulation.rows();
    let snapshot = rows.snapshot_without_rows();
    let nothing = rows.without_contacts();
    let append = |particle: &ParticleView, bytes: &mut Vec<u8>| {
        let mut line = String::new();
        append_row(&mut line, &final_row(&snapshot, particle));
        bytes.extend(line.as_bytes());
    };
    write_lines(simulation, &rows, path, &final_columns(), |ids| {
        rows.particle_bytes(ids, &nothing, append)
    })
}

/// Writes the contacts as a table.
pub(crate) fn write_contact_table(simulation: &Simulation, path: &Path) -> io::Result<()> {
    let rows = simulation.rows();
    let snapshot = rows.snapshot_without_rows();
    let surroundings = rows.surroundings();
    let name = |index: usize| snapshot.walls.get(index).map_or("", |wall| wall.name.as_str());
    let append = |contact: &ContactView, bytes: &mut Vec<u8>| {
        let mut line = String::new();
        append_row(&mut line, &contact_row(contact, name));
        bytes.extend(line.as_bytes());
    };
    write_lines(simulation, &rows, path, &contact_columns(), |ids| {
        rows.contact_bytes(ids, &surroundings, append)
    })
}

/// Writes a header and the lines that each rank has for its ids.
fn write_lines(
    simulation: &Simulation,
    rows: &Rows<'_>,
    path: &Path,
    columns: &[String],
    lines: impl Fn(&[IdRange]) -> Vec<u8>,
) -> io::Result<()> {
    let comm: &dyn Comm = rows.comm();
    let mut file = SharedFile::create(comm, path)?;
    let header = columns.join(",") + "\n";
    file.append(Ok(if comm.rank() == 0 { header.as_bytes() } else { &[] }))?;
    let writers = file.writers().to_vec();
    let size = rows_of_part(simulation.counts().present, writers.len());
    let (_, parts) = rows.parts(size);
    for ids in rounds(&parts, &writers, comm.size()) {
        let lines = lines(&ids);
        file.append(Ok(&lines))?;
    }
    file.sync()
}
