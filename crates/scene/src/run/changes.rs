//! What is different between two scenes, by key.

use toml::{Table, Value};

/// Changes that are named; the rest are counted.
const MOST_NAMED: usize = 5;

/// What is different in `new`, as text for a message; none if both say the same. Comments, order and
/// layout do not count.
pub(super) fn between(old: &str, new: &str) -> Option<String> {
    if old == new {
        return None;
    }
    let (Ok(before), Ok(after)) = (old.parse::<Table>(), new.parse::<Table>()) else {
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
