//! Everything about one particle: its data and contacts in a frame, and its history over the run.

use crate::ViewError;
use crate::columns;
use crate::feed::{At, Feed, FrameData};
use serde_json::{Map, Value, json};

/// Largest number of frames of a history; if there are more, evenly spread frames are used.
const MOST_FRAMES: usize = 4000;
/// Largest number of frames of a path.
const MOST_POINTS: usize = 800;

/// All data of a particle in full precision, and its contacts.
pub fn particle(frame: &dyn FrameData, id: u64) -> Result<Value, ViewError> {
    let row = frame.row_of(id)?;
    let row = row.ok_or_else(|| ViewError::missing(format!("there is no particle {id}")))?;
    let mut data = Map::new();
    data.insert("position".to_owned(), tuple(&frame.row("Points", row)?));
    let hidden = ["Points", "connectivity", "offsets"];
    for name in frame.column_names().iter().filter(|name| !hidden.contains(&name.as_str())) {
        data.insert(name.clone(), tuple(&frame.row(name, row)?));
    }
    let mut list = Vec::new();
    if let Some(contacts) = frame.contacts()? {
        for index in 0..contacts.first.len() {
            let (first, second) = (u64::from(contacts.first[index]), contacts.second[index]);
            let with_wall = contacts.with_wall[index];
            if first != id && (with_wall || u64::from(second) != id) {
                continue;
            }
            let partner = if first == id { u64::from(second) } else { first };
            list.push(json!({
                "partner": partner,
                "wall": with_wall,
                "force": contacts.force[index],
                "sliding": contacts.sliding[index],
            }));
        }
    }
    list.sort_by(|a, b| {
        let force = |value: &Value| value["force"].as_f64().unwrap_or(0.0);
        force(b).total_cmp(&force(a))
    });
    Ok(json!({ "id": id, "time": frame.time(), "row": row, "data": data, "contacts": list }))
}

/// A number, or a list of several. JSON has no infinity: such numbers are texts.
fn tuple(values: &[f64]) -> Value {
    let one = |value: &f64| match value.is_finite() {
        true => json!(value),
        false => json!(value.to_string()),
    };
    match values {
        [value] => one(value),
        several => several.iter().map(one).collect(),
    }
}

/// A column of a particle over the run: times and values, with `null` if it did not exist. `Points` are positions, for
/// trajectories.
pub fn history(feed: &dyn Feed, id: u64, name: &str) -> Result<Value, ViewError> {
    let count = feed.progress()?.times.len();
    let most = if name == "Points" { MOST_POINTS } else { MOST_FRAMES };
    let stride = count.div_ceil(most).max(1);
    let (mut times, mut values) = (Vec::new(), Vec::new());
    let (base, component) = match name.rsplit_once('.') {
        Some((base, "x")) => (base, Some(0)),
        Some((base, "y")) => (base, Some(1)),
        Some((base, "z")) => (base, Some(2)),
        _ => (name, None),
    };
    for number in (0..count).step_by(stride) {
        let frame = feed.frame(At::Frame(number))?;
        times.push(frame.time());
        let Some(row) = frame.row_of(id)? else {
            values.push(Value::Null);
            continue;
        };
        let found = if base.starts_with("displacement@") {
            let all = columns::values(feed, &*frame, name)?;
            all.get(row).copied().into_iter().collect()
        } else {
            frame.row(base, row)?
        };
        values.push(match (found.len(), component) {
            (_, Some(axis)) if axis < found.len() => json!(found[axis]),
            (3, None) if base != "Points" => json!(found.iter().map(|x| x * x).sum::<f64>().sqrt()),
            _ => tuple(&found),
        });
    }
    Ok(json!({ "id": id, "name": name, "times": times, "values": values }))
}
