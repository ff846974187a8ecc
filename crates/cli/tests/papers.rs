//! `docs/papers.md` and its source table.

use esker_study::case::{Case, Papers, papers_page};
use std::collections::BTreeSet;
use std::path::PathBuf;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn papers() -> Papers {
    Papers::read(&text("cases/papers.toml")).expect("the table is good")
}

fn cases() -> Vec<Case> {
    let folders = std::fs::read_dir(root().join("cases")).expect("it can be listed");
    let folders = folders.map(|entry| entry.expect("it can be listed").path());
    folders
        .filter(|path| path.is_dir())
        .map(|folder| Case::open(&folder).expect("the case is good"))
        .collect()
}

/// With `ESKER_WRITE_PAGES` set, the page is written instead.
#[test]
fn the_page_of_the_papers_is_that_of_the_table_and_the_cases() {
    let expected = papers_page(&papers(), &cases()).expect("a page");
    let path = root().join("docs/papers.md");
    if std::env::var_os("ESKER_WRITE_PAGES").is_some() {
        std::fs::write(&path, &expected).expect("it can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "docs/papers.md is out of date: ESKER_WRITE_PAGES=1 cargo test -p esker-cli --test papers"
    );
}

#[test]
fn every_case_is_in_the_table_below_its_own_paper() {
    let papers = papers();
    let mut known = BTreeSet::new();
    for paper in &papers.papers {
        known
            .extend(paper.problems.iter().map(|problem| (problem.case.clone(), paper.key.clone())));
    }
    let cases: BTreeSet<_> =
        cases().iter().map(|case| (case.name.clone(), case.paper().to_owned())).collect();
    assert_eq!(known, cases);
}

/// The numbers of errata in a text like `L-E4 to L-E7, R6`.
fn errata(text: &str) -> impl Iterator<Item = &str> {
    text.split(", ").flat_map(|part| part.split(" to "))
}

#[test]
fn pages_words_errata_and_plots_of_the_table_exist() {
    let guide = text("docs/guide.md");
    let known_errata = text("docs/errata.md");
    for paper in &papers().papers {
        assert!(root().join(format!("docs/images/{}.svg", paper.key)).is_file(), "{}", paper.key);
        for one in &paper.equations {
            let page = text(&format!("docs/{}", one.page));
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            let words = one.used_as.split(|c: char| !is_word(c)).filter(|word| !word.is_empty());
            for word in words.filter(|_| one.used_as != "always") {
                let is_known = page.contains(word) || guide.contains(word);
                assert!(is_known, "{} {}: `{word}` is not in {}", paper.tag, one.at, one.page);
            }
            for erratum in one.errata.iter().flat_map(|all| errata(all)) {
                let is_known = known_errata.lines().any(|line| names(line, erratum));
                assert!(is_known, "{} {}: {erratum} is not in errata.md", paper.tag, one.at);
            }
        }
    }
}

/// True if the first cell of a row of the errata contains this one, in a list or within a range.
fn names(line: &str, erratum: &str) -> bool {
    let Some(cell) = line.strip_prefix("| ").and_then(|line| line.split(" | ").next()) else {
        return false;
    };
    let number = |text: &str| {
        let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
        let stem = &text[..text.len() - digits.len()];
        digits.parse::<u32>().ok().map(|number| (stem.to_owned(), number))
    };
    let wanted = number(erratum);
    cell.split(", ").any(|part| match part.split_once('–') {
        Some((first, last)) => match (number(first), number(last), &wanted) {
            (Some(first), Some(last), Some(wanted)) => {
                first.0 == wanted.0 && (first.1..=last.1).contains(&wanted.1)
            }
            _ => false,
        },
        None => part == erratum,
    })
}
