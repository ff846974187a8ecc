//! Data of a self-contained page: positions as u16 and as differences from frame to frame, byte by byte, deflated.

use crate::ViewError;
use crate::columns;
use crate::encode::{self, Fixed};
use crate::feed::{At, Feed, FrameData, RunInfo};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::Serialize;
use std::io::Write;

/// Largest number of rows of a table.
const MOST_ROWS: usize = 1500;

/// Contents of a self-contained page.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Numbers of the frames; none selects the latest state.
    pub frames: Vec<usize>,
    /// Quantities to colour by.
    pub columns: Vec<String>,
    /// True if contacts are included.
    pub contacts: bool,
    /// True if orientations and velocities are included, for marks and glyphs.
    pub motion: bool,
}

#[derive(Debug, Serialize)]
struct FrameHead {
    time: f64,
    step: u64,
    stage: Option<String>,
    count: usize,
    fixed: usize,
    walls: usize,
    /// True if positions are differences from the previous frame.
    differs: bool,
    positions: [usize; 2],
    /// One for each quantity.
    values: Vec<[usize; 2]>,
    contacts: Option<[usize; 2]>,
    /// Components of orientations as i8, one after the other, also as differences.
    orientation: Option<[usize; 2]>,
    /// Components of velocities as i8, one after the other.
    vectors: Option<[usize; 2]>,
}

#[derive(Debug, Serialize)]
struct Head<'a> {
    run: &'a RunInfo,
    frames: Vec<FrameHead>,
    /// Radius, id, group.
    fixed: Vec<[[usize; 2]; 3]>,
    walls: Vec<[[usize; 2]; 2]>,
    /// Range of the positions.
    range: [[f32; 3]; 2],
    /// Name, smallest and largest value of each quantity.
    columns: Vec<(String, f64, f64)>,
    /// Largest component of a velocity [m/s].
    fastest: f64,
    tables: Vec<String>,
}

/// Binary sections, each with its position and length.
#[derive(Default)]
struct Parts(Vec<u8>);

impl Parts {
    fn add(&mut self, bytes: &[u8]) -> [usize; 2] {
        while !self.0.len().is_multiple_of(4) {
            self.0.push(0);
        }
        let start = self.0.len();
        self.0.extend_from_slice(bytes);
        [start, bytes.len()]
    }
}

/// The data of a page, deflated.
pub fn data(feed: &dyn Feed, choice: &Choice) -> Result<Vec<u8>, ViewError> {
    let times: Vec<At> = match choice.frames.as_slice() {
        [] => vec![At::Live],
        frames => frames.iter().map(|number| At::Frame(*number)).collect(),
    };
    let mut info = feed.info()?;
    info.live = false;
    let mut head = Head {
        run: &info,
        frames: Vec::new(),
        fixed: Vec::new(),
        walls: Vec::new(),
        range: positions_range(feed, &times)?,
        columns: Vec::new(),
        fastest: if choice.motion { fastest(feed, &times)? } else { 0.0 },
        tables: tables(feed, &info),
    };
    for name in &choice.columns {
        let (low, high) = values_range(feed, &times, name)?;
        head.columns.push((name.clone(), low, high));
    }
    let mut writer = Writer {
        feed,
        choice,
        parts: Parts::default(),
        last: None,
        last_orientation: Vec::new(),
        fixed: Vec::new(),
        walls: Vec::new(),
    };
    for at in times {
        let frame = feed.frame(at)?;
        writer.frame(&mut head, &*frame, at)?;
    }
    let parts = writer.parts.0;
    let mut info = info.clone();
    if head.frames.len() < info.times.len() {
        let (held, all) = (head.frames.len(), info.times.len());
        info.notes.push(match held {
            1 => format!("This page holds the last of {all} frames, to limit its size."),
            _ => format!("This page holds {held} of {all} frames, to limit its size."),
        });
    }
    info.times = head.frames.iter().map(|frame| frame.time).collect();
    info.contacts = head.frames.iter().any(|frame| frame.contacts.is_some());
    let head = Head { run: &info, ..head };
    let mut text = serde_json::to_vec(&head).map_err(|error| ViewError::Page(error.to_string()))?;
    while !text.len().is_multiple_of(4) {
        text.push(b' ');
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&(text.len() as u32).to_le_bytes())?;
    encoder.write_all(&text)?;
    encoder.write_all(&parts)?;
    Ok(encoder.finish()?)
}

struct Writer<'a> {
    feed: &'a dyn Feed,
    choice: &'a Choice,
    parts: Parts,
    /// Positions of the previous frame and the index of its radii, ids and groups.
    last: Option<(usize, Vec<u16>)>,
    /// Orientations of the previous frame.
    last_orientation: Vec<u8>,
    /// Revisions of the data written so far.
    fixed: Vec<u32>,
    walls: Vec<u32>,
}

impl Writer<'_> {
    fn frame(
        &mut self,
        head: &mut Head<'_>,
        frame: &dyn FrameData,
        at: At,
    ) -> Result<(), ViewError> {
        let fixed = self.fixed(head, frame)?;
        let walls = self.walls(head, frame)?;
        let positions = encode::positions(self.feed, frame)?;
        let short: Vec<u16> = positions
            .iter()
            .enumerate()
            .map(|(i, x)| encode::quantised(*x, i % 3, &head.range))
            .collect();
        let differs = self.last.as_ref().is_some_and(|(index, _)| *index == fixed);
        let stored: Vec<u16> = match &self.last {
            Some((_, before)) if differs => {
                short.iter().zip(before).map(|(now, before)| now.wrapping_sub(*before)).collect()
            }
            _ => short.clone(),
        };
        let count = short.len() / 3;
        let mut bytes = Vec::with_capacity(2 * stored.len());
        for axis in 0..3 {
            let along = || stored.iter().skip(axis).step_by(3);
            bytes.extend(along().map(|x| x.to_le_bytes()[0]));
            bytes.extend(along().map(|x| x.to_le_bytes()[1]));
        }
        let positions = self.parts.add(&bytes);
        let mut values = Vec::new();
        for (name, low, high) in &head.columns {
            let found = columns::values(self.feed, frame, name)?;
            let width = if high > low { high - low } else { 1.0 };
            let byte = |value: f64| ((value - low) / width * 255.0).clamp(0.0, 255.0).round() as u8;
            values.push(self.parts.add(&found.into_iter().map(byte).collect::<Vec<u8>>()));
        }
        let contacts = if self.choice.contacts { self.contacts(at) } else { None };
        let orientation = self.orientation(frame, differs)?;
        let vectors = self.vectors(frame, head.fastest)?;
        head.frames.push(FrameHead {
            time: frame.time(),
            step: frame.step(),
            stage: frame.stage(),
            count,
            fixed,
            walls,
            differs,
            positions,
            values,
            contacts,
            orientation,
            vectors,
        });
        self.last = Some((fixed, short));
        Ok(())
    }

    /// Orientations, accurate to a degree.
    fn orientation(
        &mut self,
        frame: &dyn FrameData,
        differs: bool,
    ) -> Result<Option<[usize; 2]>, ViewError> {
        if !self.choice.motion {
            return Ok(None);
        }
        let now = planes::<4>(&frame.column("orientation")?.values, 1.0);
        let before = std::mem::replace(&mut self.last_orientation, now.clone());
        let stored: Vec<u8> = match differs {
            true => {
                now.iter().zip(&before).map(|(now, before)| now.wrapping_sub(*before)).collect()
            }
            false => now,
        };
        Ok(Some(self.parts.add(&stored)))
    }

    fn vectors(
        &mut self,
        frame: &dyn FrameData,
        fastest: f64,
    ) -> Result<Option<[usize; 2]>, ViewError> {
        if !self.choice.motion {
            return Ok(None);
        }
        let bytes = planes::<3>(&frame.column("velocity")?.values, fastest);
        Ok(Some(self.parts.add(&bytes)))
    }

    /// The contacts as the bytes sent by the server.
    fn contacts(&mut self, at: At) -> Option<[usize; 2]> {
        let bytes = encode::contacts(self.feed, at).ok()?;
        Some(self.parts.add(&bytes))
    }

    fn fixed(&mut self, head: &mut Head<'_>, frame: &dyn FrameData) -> Result<usize, ViewError> {
        let fixed = Fixed::of(frame)?;
        if let Some(known) = self.fixed.iter().position(|known| *known == fixed.revision) {
            return Ok(known);
        }
        let radius: Vec<u8> = fixed.radius.iter().flat_map(|x| x.to_le_bytes()).collect();
        let id: Vec<u8> = fixed.id.iter().flat_map(|x| x.to_le_bytes()).collect();
        let offsets = [self.parts.add(&radius), self.parts.add(&id), self.parts.add(&fixed.group)];
        head.fixed.push(offsets);
        self.fixed.push(fixed.revision);
        Ok(self.fixed.len() - 1)
    }

    fn walls(&mut self, head: &mut Head<'_>, frame: &dyn FrameData) -> Result<usize, ViewError> {
        let (corners, wall, revision) = encode::wall_triangles(self.feed, frame)?;
        if let Some(known) = self.walls.iter().position(|known| *known == revision) {
            return Ok(known);
        }
        let corners: Vec<u8> = corners.iter().flat_map(|x| x.to_le_bytes()).collect();
        let wall: Vec<u8> = wall.iter().flat_map(|x| x.to_le_bytes()).collect();
        head.walls.push([self.parts.add(&corners), self.parts.add(&wall)]);
        self.walls.push(revision);
        Ok(self.walls.len() - 1)
    }
}

/// The bounding box of the positions of all selected frames.
fn positions_range(feed: &dyn Feed, times: &[At]) -> Result<[[f32; 3]; 2], ViewError> {
    let mut range = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    for at in times {
        let positions = encode::positions(feed, &*feed.frame(*at)?)?;
        if positions.is_empty() {
            continue;
        }
        let [low, high] = encode::ends(&positions);
        for axis in 0..3 {
            range[0][axis] = range[0][axis].min(low[axis]);
            range[1][axis] = range[1][axis].max(high[axis]);
        }
    }
    Ok(if range[0][0] <= range[1][0] { range } else { [[0.0; 3], [1.0; 3]] })
}

/// Range of a quantity over all selected frames.
fn values_range(feed: &dyn Feed, times: &[At], name: &str) -> Result<(f64, f64), ViewError> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for at in times {
        for value in columns::values(feed, &*feed.frame(*at)?, name)? {
            if value.is_finite() {
                low = low.min(value);
                high = high.max(value);
            }
        }
    }
    Ok(if low <= high { (low, high) } else { (0.0, 1.0) })
}

/// Tuples as i8 between -largest and largest: all first components, then all second ones, and so on.
fn planes<const N: usize>(values: &[f64], largest: f64) -> Vec<u8> {
    let byte = |value: &f64| ((value / largest * 127.0).clamp(-127.0, 127.0).round() as i8) as u8;
    (0..N).flat_map(|part| values.iter().skip(part).step_by(N).map(byte)).collect()
}

/// The largest component of a velocity in all selected frames.
fn fastest(feed: &dyn Feed, times: &[At]) -> Result<f64, ViewError> {
    let mut largest = f64::MIN_POSITIVE;
    for at in times {
        let velocity = feed.frame(*at)?.column("velocity")?;
        let sizes = velocity.values.iter().map(|part| part.abs()).filter(|size| size.is_finite());
        largest = sizes.fold(largest, f64::max);
    }
    Ok(largest)
}

/// The tables with every n-th row, which limits their length.
fn tables(feed: &dyn Feed, info: &RunInfo) -> Vec<String> {
    let thinned = |index: usize| {
        let bytes = feed.table(index, 0).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let walls = if info.tables[index].name == "walls" { info.walls.len().max(1) } else { 1 };
        let rows = text.lines().count().saturating_sub(1) / walls;
        let stride = rows.div_ceil(MOST_ROWS).max(1);
        let keeps = |row: usize| row == 0 || ((row - 1) / walls).is_multiple_of(stride);
        let kept = text.lines().enumerate().filter(|(row, _)| keeps(*row));
        kept.map(|(_, line)| format!("{line}\n")).collect()
    };
    (0..info.tables.len()).map(thinned).collect()
}
