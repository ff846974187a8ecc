//! Whether `VALIDATION.md` still says what the cases say, as far as that can be told without any run.
//!
//! A case says everything on the page but our values: what a row that does not fail ends in follows from
//! it, and so do the remarks.

use super::file::Size;
use super::folder::Case;
use super::judge::{self, Foreseen};
use super::markdown::{self, Part, Section};
use super::result;
use super::table::HEADS;
use std::collections::BTreeMap;

/// Where our value stands, which takes runs.
const OURS: usize = 3;

/// Where a page says something else than the cases, in words for whoever writes it anew.
pub fn outdated(page: &str, cases: &[Case]) -> Result<Vec<String>, String> {
    let sections = markdown::read(page)?;
    let mut found = Vec::new();
    for case in cases {
        match sections.get(&case.name) {
            None => found.push(format!("{}: the case is not there", case.name)),
            Some(section) => {
                let told = of_case(section, case)?;
                found.extend(told.into_iter().map(|what| format!("{}, {what}", case.name)));
            }
        }
    }
    let gone = sections.keys().filter(|name| !cases.iter().any(|case| case.name == **name));
    found.extend(gone.map(|name| format!("{name}: there is no such case")));
    Ok(found)
}

fn of_case(section: &Section, case: &Case) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let head = markdown::head(&case.name, [case.paper(), case.section(), case.title()]);
    differs(&mut found, "head", &section.head, &head);
    let parts = match case.has_one_size() {
        true => BTreeMap::from([(Part::Both, Size::Quick)]),
        false => BTreeMap::from([(Part::Quick, Size::Quick), (Part::Full, Size::Full)]),
    };
    for (part, size) in &parts {
        let heading = part.heading();
        match section.parts.get(part) {
            None => found.push(format!("`{heading}` is not there")),
            Some(text) => of_size(&mut found, heading, text, case, *size)?,
        }
    }
    let other = section.parts.keys().filter(|part| !parts.contains_key(part));
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

    let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let rows: Vec<Vec<&str>> = rows.skip(1).map(|row| row.split(" | ").collect()).collect();
    let foreseen = judge::foreseen(case, size).map_err(|what| format!("{}: {what}", case.name))?;
    if rows.len() != foreseen.len() {
        found.push(format!("{heading}: {} rows, not {}", rows.len(), foreseen.len()));
        return Ok(());
    }
    for (told, Foreseen { row, take_runs: [published, theory] }) in rows.iter().zip(&foreseen) {
        let place = format!("{heading}, {}", row.name);
        if told.len() != HEADS.len() {
            found.push(format!("{place}: {} cells", told.len()));
            continue;
        }
        for (index, (told, cell)) in told.iter().zip(markdown::line(row)).enumerate() {
            if index == OURS || index == 1 && *published || index == 2 && *theory {
                continue;
            }
            differs(found, &format!("{place}, {}", HEADS[index]), told, &cell);
        }
    }
    let told: Vec<&str> = text.lines().filter(|line| line.starts_with("- *")).collect();
    let remarks: Vec<String> =
        foreseen.iter().filter_map(|foreseen| markdown::remark(&foreseen.row)).collect();
    if told.len() != remarks.len() {
        found.push(format!("{heading}: {} remarks, not {}", told.len(), remarks.len()));
        return Ok(());
    }
    for (told, remark) in told.iter().zip(&remarks) {
        differs(found, &format!("{heading}, remarks"), told, remark);
    }
    Ok(())
}

fn differs(found: &mut Vec<String>, place: &str, told: &str, right: &str) {
    if told != right {
        found.push(format!("{place}: `{told}` is now `{right}`"));
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

    const PAGE: &str = r"# Validation

## fall

galilei-1638 3: Fall. [What it shows](cases/fall/README.md).

### One size

2026-11-16: 1 run, 2.0 s of computing.

| quantity | published | theory | ours | verdict |
|---|---|---|---|---|
| time \|t\| [s] | 0.203874 ± 0.00204 | 5 ± 1 | 0.2 | agrees |
| it falls | bodies fall | – | 1 | differs (known) |
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

    fn found(case_text: &str, page: &str) -> Vec<String> {
        outdated(page, &[case(case_text)]).expect("a page")
    }

    #[test]
    fn a_page_that_says_what_the_case_says_is_not_outdated() {
        assert_eq!(found(CASE, PAGE), [""; 0]);
        // Our value and a theory that takes runs are not known here.
        let other = PAGE.replace("| 0.2 |", "| 0.3 ± 0.1 (3 runs) |").replace("5 ± 1", "6 ± 1");
        assert_eq!(found(CASE, &other), [""; 0]);
    }

    #[test]
    fn every_text_of_a_case_that_is_shown_is_compared() {
        let changes = [
            ("galilei-1638", "galilei-1639", "head: `galilei-1638 3: Fall."),
            ("\"Fall\"", "\"Drop\"", "head"),
            ("time |t|", "time |u|", "`time \\|t\\| [s]` is now `time \\|u\\| [s]`"),
            ("unit = \"s\"", "unit = \"m\"", ", quantity: "),
            ("g = 9.81", "g = 10", "published: `0.203874 ± 0.00204` is now `0.2 ± 0.002`"),
            ("\"1 %\"", "\"2 %\"", ", published: "),
            ("bodies fall", "all bodies fall", "`bodies fall` is now `all bodies fall`"),
            ("cause = \"air\"", "cause = \"wind\"", "`- *it falls*: cause: air` is now"),
            ("no way is given", "it is not given", "`- *way*: no way is given` is now"),
            ("known = { ours = 1, moves = 1, cause = \"air\" }", "", "verdict: `differs (known)`"),
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
    fn cases_that_have_come_or_gone_and_rows_that_fail_are_found() {
        assert_eq!(outdated(PAGE, &[]).expect("a page"), ["fall: there is no such case"]);
        let other = PAGE.replace("## fall", "## rise");
        assert!(found(CASE, &other).contains(&"fall: the case is not there".to_owned()));
        let fails = PAGE.replace("| agrees |", "| fails |");
        let told = ["fall, One size, time |t|, verdict: `fails` is now `agrees`"];
        assert_eq!(found(CASE, &fails), told);
        assert!(outdated("# Notes\n", &[]).is_err());
    }
}
