//! A section of a checkpoint: tag, lengths, checksum, and contents compressed by zstd.
//!
//! Decompression is bounded by the declared length of the section, and this by the stored length: a file of some
//! kilobytes cannot fill the memory.

use serde::{Serialize, de::DeserializeOwned};
use std::io::{self, Read, Seek};

/// Fast, and for packings within a few percent of the compression at higher levels.
const LEVEL: i32 = 3;
/// Bytes before the contents of a section: tag, two lengths, checksum.
const SECTION_HEADER: usize = 4 + 8 + 8 + 4;
/// Largest accepted compression ratio. A lattice of equal particles at rest, about the most regular state there is, is
/// below 100: each particle has its own position and id.
const MOST_PACKED: u64 = 1000;
/// Sections up to this size are accepted at any compression ratio [bytes].
const SMALL: u64 = 1 << 20;

/// Message about a truncated file.
pub(super) const TORN: &str = "the file ends too early";

/// Adds a section to a file.
pub(super) fn append<T: Serialize>(
    bytes: &mut Vec<u8>,
    tag: [u8; 4],
    contents: &T,
) -> Result<(), String> {
    let plain = postcard::to_stdvec(contents).map_err(|error| error.to_string())?;
    let stored = zstd::encode_all(plain.as_slice(), LEVEL).map_err(|error| error.to_string())?;
    bytes.extend(tag);
    bytes.extend((stored.len() as u64).to_le_bytes());
    bytes.extend((plain.len() as u64).to_le_bytes());
    bytes.extend(crc32fast::hash(&stored).to_le_bytes());
    bytes.extend(stored);
    Ok(())
}

/// Reads the bytes of the section at the current position of a file, header included; `left` is the number of bytes up
/// to the end of the file. The checksum must be correct.
pub(super) fn read_stored(
    file: &mut impl Read,
    tag: [u8; 4],
    left: &mut u64,
    bytes: &mut Vec<u8>,
) -> Result<(), String> {
    bytes.clear();
    let torn = |read: usize, wanted: u64| if (read as u64) < wanted { Err(TORN) } else { Ok(()) };
    let header = SECTION_HEADER as u64;
    let read = file.take(header).read_to_end(bytes).map_err(|error| error.to_string())?;
    torn(read, header)?;
    let stored = u64::from_le_bytes(std::array::from_fn(|byte| bytes[4 + byte]));
    *left = left.checked_sub(header).and_then(|left| left.checked_sub(stored)).ok_or(TORN)?;
    let read = file.take(stored).read_to_end(bytes).map_err(|error| error.to_string())?;
    torn(read, stored)?;
    stored_contents(&mut bytes.as_slice(), tag).map(drop)
}

/// The first `count` bytes and the others.
pub(super) fn take(bytes: &[u8], count: usize) -> Result<(&[u8], &[u8]), String> {
    bytes.split_at_checked(count).ok_or_else(|| TORN.to_owned())
}

/// Reads the section with this tag at the beginning of the bytes.
pub(super) fn read<T: DeserializeOwned>(bytes: &mut &[u8], tag: [u8; 4]) -> Result<T, String> {
    let plain = contents(bytes, tag)?;
    postcard::from_bytes(&plain).map_err(|error| format!("cannot be parsed: {error}"))
}

/// Skips the section with this tag at the beginning of the bytes; its checksum must be correct.
pub(super) fn pass_over(bytes: &mut &[u8], tag: [u8; 4]) -> Result<(), String> {
    contents(bytes, tag).map(drop)
}

/// The bytes of the section with this tag at the beginning of the bytes.
fn contents(bytes: &mut &[u8], tag: [u8; 4]) -> Result<Vec<u8>, String> {
    let (stored, length) = stored_contents(bytes, tag)?;
    unpack(stored, length)
}

/// The compressed bytes of the section with this tag at the beginning of the bytes, and their length after
/// decompression. The checksum must be correct.
fn stored_contents<'b>(bytes: &mut &'b [u8], tag: [u8; 4]) -> Result<(&'b [u8], u64), String> {
    let (header, rest) = take(bytes, SECTION_HEADER)?;
    let number = |at: usize| {
        let mut eight = [0; 8];
        eight.copy_from_slice(&header[at..at + 8]);
        u64::from_le_bytes(eight)
    };
    if header[..4] != tag {
        return Err("a section is missing".to_owned());
    }
    let stored_length = usize::try_from(number(4)).map_err(|_| "a section is too long")?;
    let (stored, rest) = take(rest, stored_length)?;
    if crc32fast::hash(stored).to_le_bytes() != header[20..24] {
        return Err("the file is damaged: a checksum does not match".to_owned());
    }
    *bytes = rest;
    Ok((stored, number(12)))
}

/// Skips the section at the current position of a file.
pub(super) fn skip(file: &mut (impl Read + Seek)) -> io::Result<()> {
    let mut header = [0; SECTION_HEADER];
    file.read_exact(&mut header)?;
    let stored = u64::from_le_bytes(std::array::from_fn(|byte| header[4 + byte]));
    file.seek_relative(i64::try_from(stored).map_err(io::Error::other)?)
}

/// The first bytes of the contents of the section at the current position of a file. The checksum, which covers the
/// whole section, is not verified.
pub(super) fn start(file: &mut impl Read, tag: [u8; 4], bytes: u64) -> io::Result<Vec<u8>> {
    let mut header = [0; SECTION_HEADER];
    file.read_exact(&mut header)?;
    if header[..4] != tag {
        return Err(io::Error::other("a section is missing"));
    }
    let mut plain = Vec::new();
    zstd::Decoder::new(file)?.take(bytes).read_to_end(&mut plain)?;
    Ok(plain)
}

/// Decompresses to at most the declared length [bytes].
fn unpack(stored: &[u8], length: u64) -> Result<Vec<u8>, String> {
    if length > MOST_PACKED * stored.len() as u64 + SMALL {
        let stored = stored.len();
        return Err(format!(
            "the file is damaged: a section of {stored} bytes is declared to hold {length} bytes"
        ));
    }
    let mut plain = Vec::new();
    let decoder = zstd::Decoder::new(stored).map_err(|error| error.to_string())?;
    decoder.take(length.saturating_add(1)).read_to_end(&mut plain).map_err(|e| e.to_string())?;
    if plain.len() as u64 != length {
        return Err("the file is damaged: a section has a different length".to_owned());
    }
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A section of zeros with a declared length that may differ from its length.
    fn zeros(length: u64, declared: u64) -> Vec<u8> {
        let stored = zstd::encode_all(std::io::repeat(0).take(length), LEVEL).unwrap();
        let mut bytes = b"RUN ".to_vec();
        bytes.extend((stored.len() as u64).to_le_bytes());
        bytes.extend(declared.to_le_bytes());
        bytes.extend(crc32fast::hash(&stored).to_le_bytes());
        bytes.extend(stored);
        bytes
    }

    #[test]
    fn kilobytes_that_unpack_to_a_gigabyte_are_refused() {
        let bytes = zeros(1 << 30, 1 << 30);
        assert!(bytes.len() < 100_000, "{} bytes", bytes.len());
        let message = read::<Vec<u8>>(&mut bytes.as_slice(), *b"RUN ").unwrap_err();
        let expected = format!(
            "the file is damaged: a section of {} bytes is declared to hold {} bytes",
            bytes.len() - SECTION_HEADER,
            1 << 30
        );
        assert_eq!(message, expected);
    }

    #[test]
    fn a_section_is_unpacked_to_its_declared_length_and_not_beyond() {
        for declared in [0, 1, 999, 1001, SMALL] {
            let bytes = zeros(1000, declared);
            let message = read::<Vec<u8>>(&mut bytes.as_slice(), *b"RUN ").unwrap_err();
            assert_eq!(message, "the file is damaged: a section has a different length");
        }
        let stored = zstd::encode_all(std::io::repeat(7).take(1000), LEVEL).unwrap();
        assert_eq!(unpack(&stored, 1000).unwrap(), [7; 1000]);
    }

    #[test]
    fn the_most_regular_state_is_far_from_the_bound() {
        // a lattice of equal particles at rest
        let cell = |i: u32| [i % 100, i / 100 % 100, i / 10_000].map(|i| 0.01 * f64::from(i));
        let state: Vec<(u32, [f64; 3], f64, [f64; 10])> =
            (0..100_000).map(|i| (i, cell(i), 0.005, [0.0; 10])).collect();
        let mut bytes = Vec::new();
        append(&mut bytes, *b"STAT", &state).unwrap();
        let plain = postcard::to_stdvec(&state).unwrap().len();
        let ratio = plain / bytes.len();
        assert!(10 * ratio < MOST_PACKED as usize, "compressed {ratio} times");
        assert!(read::<Vec<(u32, [f64; 3], f64, [f64; 10])>>(&mut &bytes[..], *b"STAT").is_ok());
    }
}
