//! Comparison of `VALIDATION.md` and the `RESULTS.md` of the cases with the cases, as far as possible without a run.
//!
//! Everything on a page except the computed values follows from the case: the verdict of a row that does not fail, and
//! the remarks.

use super::file::Size;
use super::folder::Case;
use super::judge::{self, Foreseen, Row};
use super::papers::Papers;
use super::result;
use super::results_page::{self, Page, Part};
use super::series::{Line, lines};
use super::table::HEADS;
use super::validation_page::validation_page;
use std::collections::BTreeMap;

/// The differences between the summary, the pages of results by name of the case, and the cases.
pub fn outdated(
    papers: &Papers,
    summary: &str,
    pages: &BTreeMap<String, String>,
    cases: &[Case],
) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    if summary != validation_page(papers, pages.values().map(String::as_str))? {
        found.push("the summary is not that of the results".to_owned());
    }
    for case in cases {
        match pages.get(&case.name) {
            None => found.push(format!("{}: it has no page of results", case.name)),
            Some(page) => {
                let differences = of_case(&Page::read(page)?, case)?;
                found.extend(differences.into_iter().map(|what| format!("{}, {what}", case.name)));
            }
        }
    }
    let gone = pages.keys().filter(|name| !cases.iter().any(|case| case.name == **name));
    found.extend(gone.map(|name| format!("{name}: there is no such case")));
    Ok(found)
}

fn of_case(page: &Page, case: &Case) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let head = results_page::head([case.paper(), case.section(), case.title()]);
    differs(&mut found, "name", &page.case, &case.name);
    differs(&mut found, "head", &page.head, &head);
    let parts = match case.has_one_size() {
        true => BTreeMap::from([(Part::Both, Size::Quick)]),
        false => BTreeMap::from([(Part::Quick, Size::Quick), (Part::Full, Size::Full)]),
    };
    for (part, size) in &parts {
        let heading = part.heading();
        match page.parts.get(part) {
            None => found.push(format!("`{heading}` is not there")),
            Some(text) => of_size(&mut found, heading, text, case, *size)?,
        }
    }
    let other = page.parts.keys().filter(|part| !parts.contains_key(part));
    found.extend(other.map(|part| format!("`{}` is no size of it", part.heading())));
    Ok(found)
}

fn of_size(
    found: &mut Vec<String>,
    heading: &str,
    text: &str,
    case: &Case,
    size: Size,
) -> Result<(), String> {
    let runs = result::runs(case.runs(size).len());
    let told = text.lines().next().unwrap_or_default();
    let told = told.split_once(": ").map_or(told, |(_, after)| after);
    let told = told.split_once(',').map_or(told, |(before, _)| before);
    differs(found, heading, told, &runs);

    let foreseen = judge::foreseen(case, size).map_err(|what| format!("{}: {what}", case.name))?;
    let rows: Vec<Row> = foreseen.iter().map(|one| one.row.clone()).collect();
    let told = Page::counts_line(text);
    differs(found, heading, told, &results_page::counts_line(&rows));
    of_table(found, heading, text, &foreseen, &lines(&rows));
    Ok(())
}

/// Compares table and remarks.
fn of_table(
    found: &mut Vec<String>,
    heading: &str,
    text: &str,
    foreseen: &[Foreseen],
    lines: &[Line<'_>],
) {
    let told = text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let told: Vec<Vec<&str>> = told.skip(1).map(|row| row.split(" | ").collect()).collect();
    if told.len() != lines.len() {
        found.push(format!("{heading}: {} rows, not {}", told.len(), lines.len()));
        return;
    }
    for (told, line) in told.iter().zip(lines) {
        let location = format!("{heading}, {}", line.quantity());
        if told.len() != HEADS.len() {
            found.push(format!("{location}: {} cells", told.len()));
            continue;
        }
        for (index, (told, cell)) in told.iter().zip(results_page::cells(line)).enumerate() {
            if !takes_runs(foreseen, line, index) {
                differs(found, &format!("{location}, {}", HEADS[index]), told, &cell);
            }
        }
    }
    let told: Vec<&str> = text.lines().filter(|line| line.starts_with("- *")).collect();
    let remarks: Vec<String> = results_page::remarks(lines);
    if told.len() != remarks.len() {
        found.push(format!("{heading}: {} remarks, not {}", told.len(), remarks.len()));
        return;
    }
    for (told, remark) in told.iter().zip(&remarks) {
        differs(found, &format!("{heading}, remarks"), told, remark);
    }
}

/// True if the content of a cell depends on runs.
fn takes_runs(foreseen: &[Foreseen], line: &Line<'_>, index: usize) -> bool {
    let late = |expected: usize| {
        let mut late = foreseen.iter().filter(|one| one.take_runs[expected]);
        late.any(|one| line.contains(&one.row.id))
    };
    match HEADS[index] {
        "ours" => true,
        "published" => late(0),
        "theory" => late(1),
        _ => false,
    }
}

fn differs(found: &mut Vec<String>, location: &str, told: &str, right: &str) {
    if told != right {
        found.push(format!("{location}: `{told}` is now `{right}`"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::folder::Files;
    use super::*;

    const CASE: &str = r#"
format = 1
paper = "galilei-1638"
section = "3"
title = "Fall"
[let]
g = 9.81
[[runs]]
name = "a"
[[quantities]]
id = "time"
name = "time |t|"
unit = "s"
value = "summary('a', 'time')"
published = "2/g"
published_tolerance = "1 %"
theory = "summary('a', 'steps')"
theory_tolerance = 1
reason = "none"
[[quantities]]
id = "falls"
name = "it falls"
value = "summary('a', 'time')"
claim = "bodies fall"
holds = "value > 0"
known = { ours = 1, moves = 1, cause = "air" }
[[quantities]]
id = "way"
name = "way"
value = "summary('a', 'time')"
not_comparable = "no way is given"
"#;

    const PAGE: &str = r"# Results of fall

galilei-1638, 3: Fall.

## One size

2026-11-16: 1 run, 2.0 s of computing.

Comparisons: agrees 1, differs 1, not comparable 1.

| quantity | published | theory | ours | verdict |
|---|---|---|---|---|
| time \|t\| [s] | 0.203874 ± 0.00204 | 5 ± 1 | 0.2 | agrees |
| it falls | bodies fall | – | 1 | differs |
| way | – | – | 1 | not comparable |

- *it falls*: cause: air
- *way*: no way is given
";

    fn case(text: &str) -> Case {
        let mut files = Files::default();
        for (name, text) in [("case.toml", text), ("README.md", "A fall.\n"), ("scene.toml", "")] {
            files.insert(name, text);
        }
        Case::read("fall", files).expect("a good case")
    }

    fn compared(page: &str, cases: &[Case]) -> Vec<String> {
        let summary = validation_page(&Papers::default(), [page]).expect("a page of results");
        let pages = BTreeMap::from([("fall".to_owned(), page.to_owned())]);
        outdated(&Papers::default(), &summary, &pages, cases).expect("pages")
    }

    fn found(case_text: &str, page: &str) -> Vec<String> {
        compared(page, &[case(case_text)])
    }

    #[test]
    fn pages_that_match_the_case_are_not_outdated() {
        assert_eq!(found(CASE, PAGE), [""; 0]);
        // The computed value and a theory that needs runs are not known here.
        let other = PAGE.replace("| 0.2 |", "| 0.3 ± 0.1 (3 runs) |").replace("5 ± 1", "6 ± 1");
        assert_eq!(found(CASE, &other), [""; 0]);
    }

    #[test]
    fn every_text_of_a_case_that_is_shown_is_compared() {
        let changes = [
            ("galilei-1638", "galilei-1639", "head: `galilei-1638, 3: Fall."),
            ("\"Fall\"", "\"Drop\"", "head"),
            ("time |t|", "time |u|", "`time \\|t\\| [s]` is now `time \\|u\\| [s]`"),
            ("unit = \"s\"", "unit = \"m\"", ", quantity: "),
            ("g = 9.81", "g = 10", "published: `0.203874 ± 0.00204` is now `0.2 ± 0.002`"),
            ("\"1 %\"", "\"2 %\"", ", published: "),
            ("bodies fall", "all bodies fall", "`bodies fall` is now `all bodies fall`"),
            ("cause = \"air\"", "cause = \"wind\"", "`- *it falls*: cause: air` is now"),
            ("no way is given", "it is not given", "`- *way*: no way is given` is now"),
            ("known = { ours = 1, moves = 1, cause = \"air\" }", "", "verdict: `differs`"),
            (
                "known = { ours = 1, moves = 1, cause = \"air\" }",
                "",
                "is now `Comparisons: agrees 1, ",
            ),
            ("name = \"a\"", "name = \"a\"\n[[runs]]\nname = \"b\"", "`1 run` is now `2 runs`"),
            ("name = \"a\"", "name = \"a\"\nfull = [\"x=1\"]", "`One size` is no size of it"),
            ("id = \"way\"", "id = \"way\"\nonly = \"full\"", "`Full size` is not there"),
        ];
        for (old, new, expected) in changes {
            let found = found(&CASE.replacen(old, new, 1), PAGE);
            assert!(found.iter().any(|what| what.contains(expected)), "{old}: {found:?}");
            assert!(found.iter().all(|what| what.starts_with("fall, ")), "{found:?}");
        }
    }

    #[test]
    fn cases_without_page_pages_without_case_and_rows_that_fail_are_found() {
        assert_eq!(compared(PAGE, &[]), ["fall: there is no such case"]);
        let empty = validation_page(&Papers::default(), []).expect("no pages");
        let found_there = outdated(&Papers::default(), &empty, &BTreeMap::new(), &[case(CASE)])
            .expect("no pages");
        assert_eq!(found_there, ["fall: it has no page of results"]);
        let fails = PAGE.replace("| agrees |", "| fails |");
        let told = ["fall, One size, time |t|, verdict: `fails` is now `agrees`"];
        assert_eq!(found(CASE, &fails), told);
    }

    #[test]
    fn a_summary_that_is_not_that_of_the_pages_is_found() {
        let pages = BTreeMap::from([("fall".to_owned(), PAGE.to_owned())]);
        let summary =
            validation_page(&Papers::default(), [PAGE]).expect("a page").replace("| 1 |", "| 2 |");
        let found = outdated(&Papers::default(), &summary, &pages, &[case(CASE)]).expect("pages");
        assert_eq!(found, ["the summary is not that of the results"]);
    }
}
