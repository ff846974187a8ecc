//! Data that the page needs from `run.toml`, the scene as used. It is read as plain TOML, since the meshes of a scene
//! may be missing on the viewing machine.

use esker_scene::plain_file;
use std::path::Path;
use toml::{Table, Value};

/// The longest `run.toml` that is read [bytes].
const LONGEST: u64 = 64 << 20;

/// Data from a scene.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SceneFacts {
    pub title: String,
    pub gravity: [f64; 3],
    pub domain: Option<[[f64; 3]; 2]>,
    pub periodic: [bool; 3],
    /// Names of the stages, and the duration of those that end by duration only [s].
    pub stages: Vec<(String, Option<f64>)>,
    /// Unlimited walls.
    pub half_spaces: Vec<String>,
}

/// The data from a run folder; defaults if it has no readable scene.
pub fn read(folder: &Path) -> SceneFacts {
    let text = plain_file::read_text(&folder.join("run.toml"), LONGEST).unwrap_or_default();
    text.parse::<Table>().map(|table| facts(&table)).unwrap_or_default()
}

fn facts(scene: &Table) -> SceneFacts {
    let domain = scene.get("domain").and_then(Value::as_table);
    let corner = |name: &str| domain.and_then(|domain| vector(domain.get(name)?));
    let periodic = domain.and_then(|domain| domain.get("periodic"));
    let walls = list(scene, "walls");
    let half_spaces = walls.filter(|wall| wall.contains_key("half-space"));
    let stages = list(scene, "stages").map(|stage| {
        let end = stage.get("end").and_then(Value::as_table);
        let after = end.filter(|end| end.len() == 1).and_then(|end| number(end.get("after")?));
        (name(stage), after)
    });
    SceneFacts {
        title: scene.get("title").and_then(Value::as_str).unwrap_or_default().to_owned(),
        gravity: scene.get("gravity").and_then(vector).unwrap_or_default(),
        domain: corner("min").zip(corner("max")).map(|(min, max)| [min, max]),
        periodic: periodic.map(directions).unwrap_or_default(),
        stages: stages.collect(),
        half_spaces: half_spaces.map(name).collect(),
    }
}

fn list<'a>(scene: &'a Table, key: &str) -> impl Iterator<Item = &'a Table> {
    scene.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table)
}

fn name(table: &Table) -> String {
    table.get("name").and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64))
}

fn vector(value: &Value) -> Option<[f64; 3]> {
    let numbers: Vec<f64> = value.as_array()?.iter().filter_map(number).collect();
    numbers.try_into().ok().filter(|vector: &[f64; 3]| vector.iter().all(|x| x.is_finite()))
}

/// `[true, false, false]` or `["x"]`.
fn directions(value: &Value) -> [bool; 3] {
    let Some(list) = value.as_array() else { return [false; 3] };
    let mut found = [false; 3];
    for (index, entry) in list.iter().enumerate() {
        match (entry.as_bool(), entry.as_str()) {
            (Some(repeats), _) if index < 3 => found[index] = repeats,
            (_, Some("x")) => found[0] = true,
            (_, Some("y")) => found[1] = true,
            (_, Some("z")) => found[2] = true,
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_come_from_the_text_and_what_is_odd_is_left_out() {
        let text = "title = \"a\"\ngravity = [0, 0, -9.81]\n[domain]\nmin = [0, 0, 0]\nmax = [1, 2, 3.5]\n\
            periodic = [\"x\", \"y\"]\n[[walls]]\nname = \"floor\"\nhalf-space = { point = [0, 0, 0] }\n\
            [[walls]]\nname = \"tube\"\ncylinder = {}\n[[stages]]\nname = \"fill\"\nend = { after = 2 }\n\
            [[stages]]\nname = \"rest\"\nend = { after = 2, speed_below = 1 }\n";
        let found = facts(&text.parse().unwrap());
        assert_eq!(found.gravity, [0.0, 0.0, -9.81]);
        assert_eq!(found.domain, Some([[0.0; 3], [1.0, 2.0, 3.5]]));
        assert_eq!(found.periodic, [true, true, false]);
        assert_eq!(found.half_spaces, ["floor"]);
        assert_eq!(found.stages, [("fill".into(), Some(2.0)), ("rest".into(), None)]);
        let odd = facts(&"title = 3\ngravity = \"down\"\nwalls = 7\nstages = [1]".parse().unwrap());
        assert_eq!(odd, SceneFacts::default());
    }
}
