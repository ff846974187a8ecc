//! Joins the modules of the page into one script without a bundler: under `file://`, browsers refuse modules in
//! separate files. Each module becomes a function that returns its exports.
//!
//! Rules, which a test checks: one import per line, named or `* as`; exports only `export const|function|class NAME`.

use crate::assets;
use std::collections::BTreeMap;

/// An import line: the imported names, and the module.
fn import(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("import ")?;
    let (what, from) = rest.split_once(" from './")?;
    Some((what, from.strip_suffix(".js';")?))
}

/// The name that a line exports.
fn exported(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("export ")?;
    let rest = rest.strip_prefix("async ").unwrap_or(rest);
    let (word, rest) = rest.split_once(' ')?;
    let known = matches!(word, "const" | "let" | "function" | "class");
    let end = |letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '$';
    known.then(|| rest.split(end).next())?
}

fn variable(module: &str) -> String {
    format!("${}", module.replace(['-', '/'], "_"))
}

/// The script made of `module` and all that it imports.
pub fn join(module: &str) -> Result<String, String> {
    let mut done = BTreeMap::new();
    let mut out = String::new();
    add(module, &mut done, &mut out)?;
    Ok(out)
}

/// Exported names by module.
type Done = BTreeMap<String, Vec<String>>;

/// The names in `{ a, b as c }` that a module does not export.
fn missing<'a>(what: &'a str, exports: &[String]) -> Vec<&'a str> {
    let inside = what.strip_prefix("{ ").and_then(|rest| rest.strip_suffix(" }"));
    let names = inside.into_iter().flat_map(|names| names.split(", "));
    let names = names.map(|name| name.split(" as ").next().unwrap_or(name));
    names.filter(|name| !exports.iter().any(|known| known == name)).collect()
}

fn add(module: &str, done: &mut Done, out: &mut String) -> Result<(), String> {
    if done.contains_key(module) {
        return Ok(());
    }
    // Registered before its imports are processed: modules may import each other's types.
    done.insert(module.to_owned(), Vec::new());
    let bytes = assets::find(&format!("{module}.js")).ok_or(format!("no module `{module}`"))?;
    let text = std::str::from_utf8(bytes).map_err(|_| format!("`{module}` is not text"))?;
    let (mut body, mut names) = (String::new(), Vec::new());
    for line in text.lines() {
        if let Some((what, from)) = import(line) {
            add(from, done, out)?;
            let exports = done.get(from).map(Vec::as_slice).unwrap_or_default();
            if let [first, ..] = missing(what, exports).as_slice() {
                return Err(format!("`{from}` has no line that exports `{first}`"));
            }
            let what = what.strip_prefix("* as ").unwrap_or(what).replace(" as ", ": ");
            body.push_str(&format!("const {what} = {};", variable(from)));
        } else if let Some(name) = exported(line) {
            names.push(name);
            body.push_str(line.strip_prefix("export ").unwrap_or(line));
        } else {
            body.push_str(line);
        }
        body.push('\n');
    }
    done.insert(module.to_owned(), names.iter().map(|name| (*name).to_owned()).collect());
    out.push_str(&format!(
        "const {} = await (async () => {{\n{body}return {{ {} }};\n}})();\n",
        variable(module),
        names.join(", ")
    ));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_keeps_the_rules_of_joining() {
        for asset in assets::ASSETS.iter().filter(|asset| asset.name.ends_with(".js")) {
            if asset.name.starts_with("vendor/") {
                continue;
            }
            let text = std::str::from_utf8(asset.bytes).unwrap();
            for line in text.lines() {
                let known = import(line).is_some() || exported(line).is_some();
                let claims = line.starts_with("import ") || line.starts_with("export ");
                assert!(known == claims, "{}: {line}", asset.name);
            }
            assert!(!text.contains("innerHTML"), "{}: text goes into the page as text", asset.name);
            assert!(text.lines().count() < 300, "{} has 300 lines or more", asset.name);
            assert!(text.starts_with("// @ts-check"), "{}", asset.name);
        }
        assert!(!join("main").unwrap().contains("\nimport "));
    }
}
