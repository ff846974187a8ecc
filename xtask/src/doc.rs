//! Documentation of the libraries. A broken link is an error, and so is a public item of the engine without an example.

use crate::steps::{cargo, target};
use anyhow::{Context, Result, ensure};
use std::path::Path;

/// Units in brackets, which rustdoc interprets as links.
const UNITS: [&str; 15] =
    ["C", "Hz", "J", "K", "N", "Pa", "T", "W", "bytes", "kg", "m", "m²", "m³", "rad", "s"];

/// Beginning of rustdoc's message on a broken link.
const UNRESOLVED: &str = "unresolved link to `";

/// Builds the documentation; fails on any warning except those about units.
pub fn documentation() -> Result<()> {
    eprintln!("== documentation");
    let flags = "-D warnings --force-warn rustdoc::broken_intra_doc_links";
    let libraries = ["doc", "--no-deps", "--lib", "--workspace", "--exclude", "xtask"];
    let output = cargo(&libraries)
        .args(["--message-format", "short"])
        .env("RUSTDOCFLAGS", flags)
        .output()
        .context("cannot start cargo")?;
    let messages = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "the documentation cannot be built:\n{messages}");
    let broken: Vec<&str> = messages.lines().filter(|line| is_broken(line)).collect();
    ensure!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
    let pages = pages(&target().join("doc/esker"))?;
    let without = without_example(&pages);
    ensure!(
        without.is_empty(),
        "{} public items of the engine are used in no example; add one to the item, or use it in that of its \
         trait or type:\n{}",
        without.len(),
        without.join("\n")
    );
    Ok(())
}

/// The page of a type, trait, function or macro: the modules that lead to it, its name, and its examples.
struct Page {
    modules: Vec<String>,
    name: String,
    examples: String,
}

/// The pages of a crate, without those that only refer to another.
fn pages(folder: &Path) -> Result<Vec<Page>> {
    let mut found = Vec::new();
    collect(folder, &mut Vec::new(), &mut found)?;
    Ok(found)
}

fn collect(folder: &Path, modules: &mut Vec<String>, found: &mut Vec<Page>) -> Result<()> {
    for entry in std::fs::read_dir(folder).context("no documentation of the engine")? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            modules.push(name);
            collect(&path, modules, found)?;
            modules.pop();
            continue;
        }
        let Some((kind, name)) = name.strip_suffix(".html").and_then(|name| name.split_once('.'))
        else {
            continue;
        };
        if ["struct", "enum", "trait", "fn", "macro"].contains(&kind) {
            let page = std::fs::read_to_string(&path)?;
            if !page.contains("http-equiv=\"refresh\"") {
                let examples = examples(&page);
                found.push(Page { modules: modules.clone(), name: name.to_owned(), examples });
            }
        }
    }
    Ok(())
}

/// The code of the examples of a page, without its markup.
fn examples(page: &str) -> String {
    let mut code = String::new();
    for block in page.split("rust-example-rendered").skip(1) {
        let block = block.split_once('>').map_or("", |(_, rest)| rest);
        for part in block.split("</pre>").next().unwrap_or_default().split('<') {
            code.push_str(part.split_once('>').map_or(part, |(_, text)| text));
        }
        code.push('\n');
    }
    code.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// Items that have no example and whose path occurs in no example. Items of the prelude have their own pages.
fn without_example(pages: &[Page]) -> Vec<String> {
    let shown: String = pages.iter().map(|page| page.examples.as_str()).collect();
    let is_shown = |page: &&Page| {
        let module = page.modules.last().map_or("esker", String::as_str);
        !page.examples.is_empty() || module == "prelude" || is_named(&shown, module, &page.name)
    };
    let mut found: Vec<String> = pages
        .iter()
        .filter(|page| !is_shown(page))
        .map(|page| [page.modules.join("::"), page.name.clone()].join("::"))
        .collect();
    found.sort();
    found
}

/// True if code contains `module::name`, or `name` in a list `module::{…}`.
fn is_named(code: &str, module: &str, name: &str) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    code.split(&format!("{module}::")).skip(1).any(|rest| {
        let names = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default(),
            None => rest.split(|letter| !is_word(letter)).next().unwrap_or_default(),
        };
        names.split(|letter| !is_word(letter)).any(|word| word == name)
    })
}

/// True if a message concerns a link that is neither resolved nor a unit.
fn is_broken(message: &str) -> bool {
    let Some((_, rest)) = message.split_once(UNRESOLVED) else { return false };
    let link = rest.split('`').next().unwrap_or_default();
    !UNITS.contains(&link)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_no_broken_link() {
        assert!(is_broken("scene.rs:50:9: warning: unresolved link to `Simulation::overlaps`"));
        assert!(!is_broken("scene.rs:50:9: warning: unresolved link to `m`"));
        assert!(!is_broken("scene.rs:50:9: warning: unused variable"));
    }

    #[test]
    fn an_item_is_shown_by_an_example_of_its_own_or_by_its_path_in_another() {
        let page = |module: &str, name: &str, code: &str| Page {
            modules: vec![module.to_owned()],
            name: name.to_owned(),
            examples: examples(code),
        };
        let code = "<pre class=\"rust rust-example-rendered\"><code><span>use </span>esker::law::{Law, \
                    Step};\nnormal::Hertz</code></pre><p>law::{Forces}</p>";
        let pages = [
            page("law", "Law", code),
            page("law", "Step", ""),
            page("normal", "Hertz", ""),
            page("law", "Forces", ""),
            page("measure", "Step", ""),
        ];
        assert_eq!(without_example(&pages), ["law::Forces", "measure::Step"]);
    }
}
