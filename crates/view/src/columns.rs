//! Quantities by which particles are coloured: columns of a frame, their components, and displacements.

use crate::ViewError;
use crate::feed::{At, Feed, FrameData, Quantity};
use esker_scene::output::Column;
use std::sync::Arc;

/// Columns with a label and a unit. Others are shown by their name.
const KNOWN: [(&str, &str, &str); 11] = [
    ("velocity", "speed", "m/s"),
    ("radius", "radius", "m"),
    ("coordination", "coordination number", ""),
    ("force", "force", "N"),
    ("torque", "torque", "N m"),
    ("spin", "spin", "rad/s"),
    ("mass", "mass", "kg"),
    ("charge", "charge", "C"),
    ("material", "material", ""),
    ("temperature", "temperature", "K"),
    ("id", "id", ""),
];
/// Columns that are not offered for colouring.
const HIDDEN: [&str; 7] =
    ["Points", "connectivity", "offsets", "orientation", "rotation_vector", "image", "group"];

/// The quantities of a frame with these columns (names and numbers of components).
pub fn quantities<'a>(columns: impl Iterator<Item = (&'a str, usize)>) -> Vec<Quantity> {
    let mut found: Vec<Quantity> = columns
        .filter(|(name, components)| !HIDDEN.contains(name) && matches!(components, 1 | 3))
        .map(|(name, components)| {
            let known = KNOWN.iter().find(|(known, _, _)| *known == name);
            let (label, unit) = known.map_or((name, ""), |(_, label, unit)| (*label, *unit));
            Quantity { name: name.to_owned(), label: label.to_owned(), unit, components }
        })
        .collect();
    let rank = |quantity: &Quantity| {
        KNOWN.iter().position(|(known, _, _)| *known == quantity.name).unwrap_or(KNOWN.len())
    };
    found.sort_by_key(rank);
    found
}

/// A number for each particle. `velocity` is the magnitude of a vector, `velocity.x` a component,
/// `displacement@3` (also with a component) the displacement since frame 3.
pub fn values(feed: &dyn Feed, frame: &dyn FrameData, name: &str) -> Result<Vec<f64>, ViewError> {
    let (name, component) = match name.rsplit_once('.') {
        Some((name, "x")) => (name, Some(0)),
        Some((name, "y")) => (name, Some(1)),
        Some((name, "z")) => (name, Some(2)),
        _ => (name, None),
    };
    let column = match name.strip_prefix("displacement@") {
        Some(since) => {
            let since = since.parse().map_err(|_| missing(name))?;
            Arc::new(displacement(feed, frame, since)?)
        }
        None => {
            let names = frame.column_names();
            if !names.iter().any(|known| known == name) {
                let offered = quantities(names.iter().map(|known| (known.as_str(), 1)));
                let list: Vec<String> = offered.into_iter().map(|offer| offer.name).collect();
                let message = format!("there is no quantity `{name}`, only {}", list.join(", "));
                return Err(ViewError::missing(message));
            }
            frame.column(name)?
        }
    };
    let tuples = column.values.chunks_exact(column.components.max(1));
    match (column.components, component) {
        (1, None) => Ok(column.values.clone()),
        (3, None) => Ok(tuples.map(length).collect()),
        (components, Some(axis)) if axis < components => Ok(tuples.map(|t| t[axis]).collect()),
        _ => Err(missing(name)),
    }
}

fn missing(name: &str) -> ViewError {
    ViewError::missing(format!("there is no quantity `{name}`"))
}

fn length(tuple: &[f64]) -> f64 {
    tuple.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Displacement of every particle since an earlier frame [m]; zero for particles that did not exist then.
fn displacement(feed: &dyn Feed, now: &dyn FrameData, since: usize) -> Result<Column, ViewError> {
    let before = feed.frame(At::Frame(since))?;
    let periods = feed.periods();
    let [ids, earlier_ids] = [now.column("id")?, before.column("id")?];
    let [points, earlier] = [unwrapped(now, periods)?, unwrapped(&*before, periods)?];
    let mut values = Vec::with_capacity(points.len());
    let mut row = 0;
    for (id, point) in ids.values.iter().zip(points.chunks_exact(3)) {
        while earlier_ids.values.get(row).is_some_and(|known| known < id) {
            row += 1;
        }
        let from = match earlier_ids.values.get(row) {
            Some(known) if known == id => &earlier[3 * row..3 * row + 3],
            _ => point,
        };
        values.extend(point.iter().zip(from).map(|(to, from)| to - from));
    }
    Ok(Column { components: 3, values })
}

/// Positions without jumps at periodic boundaries [m].
fn unwrapped(frame: &dyn FrameData, periods: [f64; 3]) -> Result<Vec<f64>, ViewError> {
    let mut points = frame.column("Points")?.values.clone();
    if periods != [0.0; 3]
        && let Ok(image) = frame.column("image")
    {
        for (index, (point, image)) in points.iter_mut().zip(&image.values).enumerate() {
            *point += image * periods[index % 3];
        }
    }
    Ok(points)
}

/// Range of a quantity over the run: the smallest and the largest number, and the 1st and 99th percentile, from at most
/// 48 evenly spread frames.
pub fn range(feed: &dyn Feed, name: &str) -> Result<[f64; 4], ViewError> {
    const FRAMES: usize = 48;
    const MOST: usize = 200_000;
    let frames = feed.progress()?.times.len();
    if frames == 0 {
        let mut all = values(feed, &*feed.frame(At::Live)?, name)?;
        return Ok(ends(&mut all));
    }
    let chosen = FRAMES.min(frames);
    let mut all = Vec::new();
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for index in 0..chosen {
        let number = if chosen == 1 { 0 } else { index * (frames - 1) / (chosen - 1) };
        let mut found = values(feed, &*feed.frame(At::Frame(number))?, name)?;
        found.retain(|value| value.is_finite());
        low = found.iter().fold(low, |low, value| low.min(*value));
        high = found.iter().fold(high, |high, value| high.max(*value));
        let stride = (found.len() * chosen).div_ceil(MOST).max(1);
        all.extend(found.into_iter().step_by(stride));
    }
    let [first, last, lower, upper] = ends(&mut all);
    if low <= high { Ok([low, high, lower, upper]) } else { Ok([first, last, lower, upper]) }
}

fn ends(values: &mut Vec<f64>) -> [f64; 4] {
    values.retain(|value| value.is_finite());
    values.sort_by(f64::total_cmp);
    let (Some(&low), Some(&high)) = (values.first(), values.last()) else {
        return [0.0, 1.0, 0.0, 1.0];
    };
    let at = |part: f64| values[(part * (values.len() - 1) as f64).round() as usize];
    [low, high, at(0.01), at(0.99)]
}
