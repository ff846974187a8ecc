//! The engine is independent of scene files: its messages name settings through `esker::Setting`.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path())
    {
        if entry.is_dir() {
            sources(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.push(entry);
        }
    }
}

/// True if a line of code, not of a comment, contains text such as `` `key = ``, `key = "value"` or `[health]`.
fn quotes_a_scene_file(line: &str) -> bool {
    let code = line.trim_start();
    if code.starts_with("//") {
        return false;
    }
    let is_key = |text: &str| {
        let end = text.find(|letter: char| !(letter.is_ascii_lowercase() || letter == '_'));
        end.is_some_and(|end| end > 0 && text[end..].starts_with(" = "))
    };
    let tables = ["[health]", "[domain]", "[contact]", "[time]", "[search]", "[motion]"];
    let has_value = code.contains(r#" = \""#) || code.contains(r#" = [\""#);
    code.match_indices('`').any(|(at, _)| is_key(&code[at + 1..]))
        || has_value
        || (code.contains('"') && tables.iter().any(|table| code.contains(table)))
}

#[test]
fn no_message_of_the_engine_quotes_a_scene_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/core/src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 100);
    let mut found = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a source file");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = code.lines().enumerate().filter(|(_, line)| quotes_a_scene_file(line));
        found.extend(
            lines.map(|(number, line)| format!("{}:{}: {line}", file.display(), number + 1)),
        );
    }
    assert!(found.is_empty(), "name the setting by `Notation::name`:\n{}", found.join("\n"));
}

#[test]
fn text_of_a_scene_file_is_recognised() {
    assert!(quotes_a_scene_file("format!(\"or `step = \\\"auto\\\"`\")"));
    assert!(quotes_a_scene_file("\"enlarge [domain]\""));
    assert!(quotes_a_scene_file("\"choose memory = \\\"direct\\\"\""));
    assert!(quotes_a_scene_file("\"add {{ between = [\\\"a\\\"] }}\""));
    assert!(!quotes_a_scene_file("// such as `step = 1e-5`"));
    assert!(!quotes_a_scene_file("let [contact] = contacts;"));
    assert!(!quotes_a_scene_file("format!(\"`friction` is {value}\")"));
}
