//! Differences between two scenes, by key.

use crate::text::nesting::bounded;
use crc32fast::Hasher;
use esker::Scene;
use esker::insert::Placement;
use esker::stage::Change;
use esker::wall::{Mesh, Shape};
use toml::{Table, Value};

/// Largest number of changes that are named; the others are counted.
const MOST_NAMED: usize = 5;

/// Differences of `new`, as text for a message; none if both are equal. Comments, order and layout are ignored.
pub(super) fn between(old: &str, new: &str) -> Option<String> {
    if old == new {
        return None;
    }
    let (Ok(before), Ok(after)) = (bounded(old).parse::<Table>(), bounded(new).parse::<Table>())
    else {
        return Some("its text".to_owned());
    };
    let mut found = Vec::new();
    compare("", Some(&Value::Table(before)), Some(&Value::Table(after)), &mut found);
    let named = found.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join("; ");
    match found.len() {
        0 => None,
        all if all > MOST_NAMED => Some(format!("{named}; and {} more", all - MOST_NAMED)),
        _ => Some(named),
    }
}

/// Checksums of data that a scene takes from other files, with descriptions: meshes and listed particles.
pub(super) fn inputs(scene: &Scene) -> Vec<(String, u32)> {
    let staged = || scene.stages.iter().flat_map(|stage| &stage.changes);
    let added = staged().filter_map(|change| match change {
        Change::AddWall(wall) => Some(wall),
        _ => None,
    });
    let meshes = scene.walls.iter().chain(added).filter_map(|wall| match &wall.shape {
        Shape::Mesh(mesh) => Some((format!("the mesh of wall `{}`", wall.name), checksum(mesh))),
        _ => None,
    });
    let inserted = staged().filter_map(|change| match change {
        Change::Insert(source) => Some(source),
        _ => None,
    });
    let lists = scene.particles.iter().chain(inserted).filter_map(|source| {
        let Placement::List(spheres) = &source.placement else { return None };
        let mut hash = Hasher::new();
        for sphere in spheres {
            let vectors = [sphere.position, sphere.velocity, sphere.spin];
            let numbers = vectors.iter().flat_map(|vector| vector.to_array());
            numbers.chain([sphere.radius]).for_each(|number| hash.update(&number.to_le_bytes()));
        }
        Some((format!("the particles of group `{}`", source.name), hash.finalize()))
    });
    meshes.chain(lists).collect()
}

fn checksum(mesh: &Mesh) -> u32 {
    let mut hash = Hasher::new();
    let numbers = mesh.vertices().iter().flat_map(|vertex| vertex.to_array());
    numbers.for_each(|number| hash.update(&number.to_le_bytes()));
    let corners = mesh.triangles().iter().flatten();
    corners.for_each(|corner| hash.update(&corner.to_le_bytes()));
    hash.finalize()
}

/// Inputs with another checksum, as text for a message. An added or removed input is a change of the scene and not of a
/// file.
pub(super) fn between_inputs(old: &[(String, u32)], new: &[(String, u32)]) -> Option<String> {
    let other = new.iter().filter(|(name, sum)| {
        old.iter().any(|(known, _)| known == name) && !old.contains(&(name.clone(), *sum))
    });
    let named: Vec<&str> = other.map(|(name, _)| name.as_str()).collect();
    (!named.is_empty()).then(|| named.join("; "))
}

fn compare(path: &str, old: Option<&Value>, new: Option<&Value>, found: &mut Vec<String>) {
    match (old, new) {
        (Some(Value::Table(old)), Some(Value::Table(new))) => {
            let mut keys: Vec<&String> = old.keys().chain(new.keys()).collect();
            keys.sort();
            keys.dedup();
            for key in keys {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                compare(&path, old.get(key), new.get(key), found);
            }
        }
        (Some(Value::Array(old)), Some(Value::Array(new)))
            if old.iter().chain(new).all(Value::is_table) =>
        {
            for index in 0..old.len().max(new.len()) {
                compare(&format!("{path}[{index}]"), old.get(index), new.get(index), found);
            }
        }
        (old, new) if old == new => {}
        (None, Some(new)) => found.push(format!("`{path}` is new: {}", short(new))),
        (Some(old), None) => found.push(format!("`{path}` is gone: it was {}", short(old))),
        (Some(old), Some(new)) => {
            found.push(format!("`{path}` was {} and is {}", short(old), short(new)));
        }
        (None, None) => {}
    }
}

fn short(value: &Value) -> String {
    match value {
        Value::Table(_) => "a table".to_owned(),
        Value::Array(list) if list.len() > 4 => format!("a list of {}", list.len()),
        other => {
            let text = other.to_string();
            if text.chars().count() > 60 { "a long text".to_owned() } else { text }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_named_by_key_with_both_values() {
        let old = "seed = 4\n[time]\nsafety = 0.1\n[[walls]]\nname = \"a\"\n";
        let new = "seed = 5\ntitle = \"x\"\n[time]\n[[walls]]\nname = \"b\"\n";
        assert_eq!(
            between(old, new).unwrap(),
            "`seed` was 4 and is 5; `time.safety` is gone: it was 0.1; `title` is new: \"x\"; \
             `walls[0].name` was \"a\" and is \"b\""
        );
    }

    #[test]
    fn comments_and_layout_are_no_change() {
        assert_eq!(between("a = 1\nb = [1, 2]\n", "# hello\nb = [ 1, 2 ]\na = 1"), None);
    }

    #[test]
    fn many_changes_are_counted() {
        let text = |value: u32| (0..9).map(|i| format!("k{i} = {value}\n")).collect::<String>();
        assert!(between(&text(1), &text(2)).unwrap().ends_with("; and 4 more"));
    }
}
