//! The embedded published problems, and their names on the command line.

use crate::failure::Failure;
use esker_study::case::{Case, CaseError, Files, Papers};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

include!(concat!(env!("OUT_DIR"), "/cases.rs"));

/// The table of the papers, in the folder of the cases.
const PAPERS: &str = "papers.toml";

/// The papers.
pub fn papers() -> Result<Papers, Failure> {
    let bytes = FILES.iter().find(|(path, _)| *path == PAPERS).map(|(_, bytes)| *bytes);
    let text = std::str::from_utf8(bytes.unwrap_or_default()).unwrap_or_default();
    Papers::read(text).map_err(Failure::input)
}

/// All cases in order of their names.
pub fn all() -> Result<Vec<Case>, CaseError> {
    let mut folders: BTreeMap<&str, Files> = BTreeMap::new();
    for (path, bytes) in FILES {
        // A file beside the folders, such as an overview, belongs to no case.
        if let Some((folder, name)) = path.split_once('/') {
            folders.entry(folder).or_default().insert(name, *bytes);
        }
    }
    folders.into_iter().map(|(name, files)| Case::read(name, files)).collect()
}

/// The cases selected by names: a case, a paper or its beginning (`campello`, `campello-2015`), or a folder with a
/// user-defined case; without names, all embedded cases.
pub fn chosen(words: &[String]) -> Result<Vec<Case>, Failure> {
    let wrong = |error: CaseError| Failure::input(error.to_string());
    if words.is_empty() || words.iter().any(|word| word == "all") {
        let mut cases = all().map_err(wrong)?;
        papers()?.sort(&mut cases);
        return Ok(cases);
    }
    let (folders, words): (Vec<&String>, Vec<&String>) =
        words.iter().partition(|word| Path::new(word).join("case.toml").is_file());
    let own: Vec<Case> = folders
        .iter()
        .map(|word| Case::open(Path::new(word)))
        .collect::<Result<_, _>>()
        .map_err(wrong)?;
    let all = if words.is_empty() { Vec::new() } else { all().map_err(wrong)? };
    for word in &words {
        if !all.iter().any(|case| names(word, case)) {
            let mut known: Vec<&str> = all.iter().map(|case| case.name.as_str()).collect();
            known.extend(paper_keys(&all));
            let help = esker_scene::suggestion(word, &known, "cases and papers");
            let what = format!("`{word}` is neither a case, a paper nor the folder of a case");
            return Err(Failure::input(what).help(help));
        }
    }
    let named = all.into_iter().filter(|case| words.iter().any(|word| names(word, case)));
    let mut named: Vec<Case> = named.collect();
    papers()?.sort(&mut named);
    named.extend(own);
    Ok(named)
}

fn names(word: &str, case: &Case) -> bool {
    let paper = case.paper();
    let beginning = paper.strip_prefix(word).is_some_and(|rest| rest.starts_with('-'));
    case.name == word || paper == word || beginning
}

fn paper_keys(all: &[Case]) -> Vec<&str> {
    let mut papers: Vec<&str> = all.iter().map(Case::paper).collect();
    papers.sort_unstable();
    papers.dedup();
    papers
}

/// One line for each case, below its paper.
pub fn listing(papers: &Papers, cases: &[Case]) -> String {
    let width = cases.iter().map(|case| case.name.len()).max().unwrap_or_default();
    let section = cases.iter().map(|case| case.section().chars().count()).max().unwrap_or_default();
    let mut text = String::new();
    for of_paper in cases.chunk_by(|one, other| one.paper() == other.paper()) {
        let key = of_paper[0].paper();
        let name = papers.name(key);
        let _ =
            if name == key { writeln!(text, "{name}") } else { writeln!(text, "{name} ({key})") };
        for case in of_paper {
            let _ = writeln!(
                text,
                "  {:<width$}  {:<section$}  {}",
                case.name,
                case.section(),
                case.title()
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use esker_study::case::Size;

    #[test]
    fn every_case_reads_its_scenes_load_and_it_says_what_it_shows() {
        let folder = tempfile::tempdir().unwrap();
        for case in all().unwrap() {
            for (path, bytes) in case.files.iter() {
                let path = folder.path().join(&case.name).join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, bytes).unwrap();
            }
            assert!(case.readme().len() > 200, "{}: README.md is short", case.name);
            for run in [Size::Quick, Size::Full].into_iter().flat_map(|size| case.runs(size)) {
                let pairs: Vec<(&str, &str)> =
                    run.changes.iter().map(|change| change.split_once('=').unwrap()).collect();
                let path = folder.path().join(&case.name).join(&run.scene);
                let loaded = esker_scene::load_with(&path, &pairs)
                    .unwrap_or_else(|error| panic!("{} {}: {error}", case.name, run.name));
                esker_scene::run::build(&loaded)
                    .unwrap_or_else(|error| panic!("{} {}: {error}", case.name, run.name));
            }
        }
    }

    #[test]
    fn cases_are_named_by_their_name_and_by_paper() {
        let all = all().unwrap();
        for case in &all {
            assert!(
                chosen(std::slice::from_ref(&case.name))
                    .unwrap()
                    .iter()
                    .any(|one| one.name == case.name)
            );
            assert!(chosen(&[case.paper().to_owned()]).unwrap().len() <= all.len());
        }
        assert!(chosen(&["nothing-like-it".to_owned()]).is_err());
    }
}
