//! The published problems that are part of the program, and how the user names them.

use crate::failure::Failure;
use esker_study::case::{Case, CaseError, Files};
use std::collections::BTreeMap;
use std::path::Path;

include!(concat!(env!("OUT_DIR"), "/cases.rs"));

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

/// The cases that words name: a case, a paper or its beginning (`campello`, `campello-2015`), or a
/// folder with a case of the user's own; all that are built in if there are no words.
pub fn chosen(words: &[String]) -> Result<Vec<Case>, Failure> {
    let wrong = |error: CaseError| Failure::input(error.to_string());
    if words.is_empty() || words.iter().any(|word| word == "all") {
        return all().map_err(wrong);
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
            known.extend(papers(&all));
            let help = esker_scene::suggestion(word, &known, "cases and papers");
            let what =
                format!("no case and no paper is named `{word}`, and it is no folder of a case");
            return Err(Failure::input(what).help(help));
        }
    }
    let named = all.into_iter().filter(|case| words.iter().any(|word| names(word, case)));
    Ok(named.chain(own).collect())
}

fn names(word: &str, case: &Case) -> bool {
    let paper = case.paper();
    let beginning = paper.strip_prefix(word).is_some_and(|rest| rest.starts_with('-'));
    case.name == word || paper == word || beginning
}

fn papers(all: &[Case]) -> Vec<&str> {
    let mut papers: Vec<&str> = all.iter().map(Case::paper).collect();
    papers.sort_unstable();
    papers.dedup();
    papers
}

/// One line for each case.
pub fn listing(cases: &[Case]) -> String {
    let width = cases.iter().map(|case| case.name.len()).max().unwrap_or_default();
    let paper = cases.iter().map(|case| source(case).chars().count()).max().unwrap_or_default();
    cases
        .iter()
        .map(|case| format!("{:<width$}  {:<paper$}  {}\n", case.name, source(case), case.title()))
        .collect()
}

fn source(case: &Case) -> String {
    format!("{} {}", case.paper(), case.section())
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
