//! Reading a frame returns the written numbers; a damaged file causes an error message.

mod support;

use esker_scene::output::{FrameFile, FrameWriter, frame_files};
use std::fs;
use support::{noise, snapshot};

/// More particles than rows in a block of 64 kB, so that columns have several blocks.
const COUNT: u64 = 6000;

#[test]
fn every_column_is_read_back_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let written = [snapshot(COUNT, 0.0), snapshot(COUNT, 0.25)];
    let mut writer = FrameWriter::new(folder.path(), true).unwrap();
    written.iter().for_each(|snapshot| writer.write(snapshot).unwrap());
    let files = frame_files(folder.path()).unwrap();
    assert_eq!(files.iter().map(|file| file.time).collect::<Vec<_>>(), [0.0, 0.25]);
    let file = FrameFile::open(&files[1].particles).unwrap();
    assert_eq!((file.time(), file.step(), file.points()), (0.25, 250, COUNT as usize));
    assert_eq!(file.stage(), Some("settle"));
    assert_eq!(file.words("groups").unwrap(), ["grains <&>", "größer"]);
    let read = |name: &str| file.read(name).unwrap();
    for (name, expected) in [
        ("Points", written[1].particles.iter().flat_map(|p| p.position.to_array()).collect()),
        ("velocity", written[1].particles.iter().flat_map(|p| p.velocity.to_array()).collect()),
        ("radius", written[1].particles.iter().map(|p| p.radius).collect()),
        ("id", written[1].particles.iter().map(|p| f64::from(p.id.number())).collect()),
        ("group", written[1].particles.iter().map(|p| f64::from(p.group.number())).collect()),
        ("coordination", written[1].particles.iter().map(|p| f64::from(p.coordination)).collect()),
        ("image", written[1].particles.iter().flat_map(|p| p.image.map(f64::from)).collect()),
    ] {
        let expected: Vec<f64> = expected;
        assert!(read(name).values == expected, "{name}");
        for row in [0, 2729, 2730, 2731, 5999] {
            let width = read(name).components;
            assert_eq!(file.read_row(name, row).unwrap(), expected[row * width..(row + 1) * width]);
        }
    }
    assert_eq!(file.row_of(4321).unwrap(), Some(4321));
    assert_eq!(file.row_of(COUNT).unwrap(), None);
    assert!(file.read("no such").unwrap_err().to_string().contains("no column `no such`"));
    let contacts = FrameFile::open(files[1].contacts.as_ref().unwrap()).unwrap();
    assert_eq!(contacts.cells(), COUNT as usize);
    let forces: Vec<f64> = written[1].contacts.iter().map(|c| c.force().length()).collect();
    assert_eq!(contacts.read("force_magnitude").unwrap().values, forces);
    let walls = FrameFile::open(&files[1].walls).unwrap();
    assert_eq!(walls.words("walls").unwrap(), ["floor", "tube"]);
    assert_eq!(walls.read("connectivity").unwrap().values.len(), 3 * walls.cells());
}

#[test]
fn a_damaged_file_gives_a_message_and_never_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = FrameWriter::new(folder.path(), false).unwrap();
    writer.write(&snapshot(300, 0.0)).unwrap();
    let path = frame_files(folder.path()).unwrap()[0].particles.clone();
    let whole = fs::read(&path).unwrap();
    let damaged = folder.path().join("damaged.vtp");
    let mut refused = 0;
    for trial in 0..600_u64 {
        let mut bytes = whole.clone();
        let at = (noise(trial) * bytes.len() as f64) as usize;
        match trial % 3 {
            0 => bytes.truncate(at),
            1 => bytes[at] ^= 1 << (trial % 8),
            // in the text, digits are replaced by nines, so that sizes and offsets grow
            _ => {
                for byte in bytes[..3000.min(at)].iter_mut().filter(|byte| byte.is_ascii_digit()) {
                    *byte = b'9';
                }
            }
        }
        fs::write(&damaged, &bytes).unwrap();
        let read = FrameFile::open(&damaged).and_then(|file| {
            let names: Vec<String> = file.columns().map(|(name, _)| name.to_owned()).collect();
            names.iter().try_for_each(|name| file.read(name).map(drop))?;
            file.row_of(17).map(drop)
        });
        if let Err(error) = read {
            assert!(error.to_string().contains("damaged.vtp"), "{error}");
            refused += 1;
        }
    }
    assert!(refused > 300, "only {refused} of 600 were refused");
}

#[test]
fn a_short_file_cannot_claim_a_long_column() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = FrameWriter::new(folder.path(), false).unwrap();
    writer.write(&snapshot(3, 0.0)).unwrap();
    let path = frame_files(folder.path()).unwrap()[0].particles.clone();
    let bytes = fs::read(&path).unwrap();
    let claim = |from: &str, to: &str| {
        let at = bytes.windows(from.len()).position(|w| w == from.as_bytes()).unwrap();
        let mut changed = bytes[..at].to_vec();
        changed.extend_from_slice(to.as_bytes());
        changed.extend_from_slice(&bytes[at + from.len()..]);
        let path = folder.path().join("claim.vtp");
        fs::write(&path, changed).unwrap();
        FrameFile::open(&path).unwrap().read("radius").unwrap_err().to_string()
    };
    let error = claim("NumberOfPoints=\"3\"", "NumberOfPoints=\"123456789012345\"");
    assert!(error.contains("shorter than its header says"), "{error}");
}
