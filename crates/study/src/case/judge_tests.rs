use super::*;
use crate::case::folder::Files;
use std::collections::BTreeMap;

/// A case without runs: quantities are formulas of constants.
fn judged(quantity: &str) -> Row {
    let text = format!(
        "format = 1\npaper = \"p\"\nsection = \"1\"\ntitle = \"t\"\nruns = []\n\
         [[quantities]]\nid = \"q\"\nname = \"q\"\n{quantity}"
    );
    let mut files = Files::default();
    files.insert("case.toml", text);
    files.insert("README.md", "");
    let case = Case::read("test", files).unwrap();
    let data = Data::new(&case, BTreeMap::new());
    rows(&case, Size::Quick, &data, &[]).remove(0)
}

#[test]
fn a_row_agrees_only_within_all_its_tolerances() {
    let both = "value = 1.0\npublished = 1.05\npublished_tolerance = 0.1\ntheory = 1.001\n\
                theory_tolerance = 0.01\nreason = \"r\"";
    assert_eq!(judged(both).verdict, Verdict::Agrees);
    assert_eq!(judged(&both.replace("1.05", "1.2")).verdict, Verdict::Fails);
    assert_eq!(judged(&both.replace("1.001", "1.02")).verdict, Verdict::Fails);
    assert_eq!(judged(&both.replace("0.1\n", "\"4 %\"\n")).verdict, Verdict::Fails);
    assert_eq!(judged(&both.replace("0.1\n", "\"5 %\"\n")).verdict, Verdict::Agrees);
}

#[test]
fn a_known_difference_is_named_until_our_value_moves_or_agrees() {
    let known = "value = 2.0\npublished = 1.0\npublished_tolerance = 0.1\nreason = \"r\"\n\
                 known = { ours = 2.001, moves = 0.01, cause = \"a misprint\" }";
    let row = judged(known);
    assert_eq!(row.verdict, Verdict::Differs);
    assert!(row.remark.contains("a misprint"));
    let moved = judged(&known.replace("2.001", "2.1"));
    assert_eq!(moved.verdict, Verdict::Fails);
    assert!(moved.remark.contains("has changed"));
    let agreeing = judged(&known.replace("published = 1.0", "published = 2.0"));
    assert_eq!(agreeing.verdict, Verdict::Fails);
    assert!(agreeing.remark.contains("out of date"));
}

#[test]
fn a_difference_of_the_other_size_alone_changes_nothing() {
    let known = "value = 2.0\npublished = 2.0\npublished_tolerance = 0.1\nreason = \"r\"\n\
                 known = { only = \"full\", ours = 3.0, moves = 0.01, cause = \"unknown\" }";
    assert_eq!(judged(known).verdict, Verdict::Agrees);
    assert_eq!(
        judged(&known.replace("published = 2.0", "published = 1.0")).verdict,
        Verdict::Fails
    );
    let here = known.replace("\"full\"", "\"quick\"").replace("published = 2.0", "published = 1.0");
    assert_eq!(judged(&here).verdict, Verdict::Fails);
    assert_eq!(judged(&here.replace("3.0", "2.0")).verdict, Verdict::Differs);
}

#[test]
fn words_hold_or_fail_and_what_cannot_be_compared_does_neither() {
    let claim = "value = 2.0\nclaim = \"it is large\"\nholds = \"value > 1\"";
    assert_eq!(judged(claim).verdict, Verdict::InWords);
    assert_eq!(judged(&claim.replace("> 1", "> 3")).verdict, Verdict::Fails);
    let not = "value = 2.0\npublished = 1.0\nnot_comparable = \"other units\"";
    assert_eq!(judged(not).verdict, Verdict::NotComparable);
}

#[test]
fn the_verdict_says_what_was_compared() {
    let number = "value = 1.0\npublished = 1.05\npublished_tolerance = 0.1\nreason = \"r\"";
    assert_eq!(judged(number).verdict, Verdict::Agrees);
    // a number below its tolerance cannot be distinguished from zero
    let small = number.replace("1.05", "0.05").replace("value = 1.0", "value = 0.0");
    assert_eq!(judged(&small).verdict, Verdict::AgreesWithZero);
    let theory = number.replace("published", "theory");
    assert_eq!(judged(&theory).verdict, Verdict::Theory);
    assert_eq!(judged(&format!("{theory}\nagainst = \"self\"")).verdict, Verdict::OwnRun);
    let fitted = format!("{number}\ncalibrated = \"the friction\"");
    let row = judged(&fitted);
    assert_eq!(row.verdict, Verdict::Calibrated);
    assert_eq!(row.remark, "calibrated: the friction");
    assert_eq!(judged(&fitted.replace("1.05", "1.5")).verdict, Verdict::Fails);
    // without a tolerance it is shown beside the published number
    let shown = judged("value = 1.0\npublished = 1.5\ncalibrated = \"the friction\"");
    assert_eq!((shown.verdict, shown.published_tolerance), (Verdict::Calibrated, None));
}

#[test]
fn a_value_that_cannot_be_taken_fails_and_says_why() {
    let row = judged("value = \"1/0\"\npublished = 1\npublished_tolerance = 1\nreason = \"r\"");
    assert_eq!(row.verdict, Verdict::Fails);
    assert!(row.remark.contains("the value is inf"), "{}", row.remark);
}

#[test]
fn a_value_of_several_runs_is_judged_by_its_mean_and_shows_its_spread() {
    let text = "format = 1\npaper = \"p\"\nsection = \"1\"\ntitle = \"t\"\n\
                runs = [{ name = \"seed_1\" }, { name = \"seed_2\" }, { name = \"seed_3\", only = \"full\" }]\n\
                [[quantities]]\nid = \"q\"\nname = \"q\"\n\
                value = \"each('seed_*', last(run.ball.height))\"\n\
                published = 4\npublished_tolerance = 1\nreason = \"r\"";
    let mut files = Files::default();
    files.insert("case.toml", text);
    files.insert("README.md", "");
    files.insert("scene.toml", "");
    let case = Case::read("test", files).unwrap();
    let parent = tempfile::tempdir().unwrap();
    let mut folders = BTreeMap::new();
    for (run, height) in [("seed_1", 4.0), ("seed_2", 5.0)] {
        let folder = parent.path().join(run);
        std::fs::create_dir_all(folder.join("probes")).unwrap();
        std::fs::write(folder.join("probes/ball.csv"), format!("time,height\n0,0\n1,{height}\n"))
            .unwrap();
        folders.insert(run.to_owned(), folder);
    }
    let names: Vec<&str> = case.compared(Size::Quick).map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["q"]);
    let data = Data::new(&case, folders);
    let row = rows(&case, Size::Quick, &data, &[]).remove(0);
    assert_eq!((row.ours, row.runs, row.verdict), (Some(4.5), Some(2), Verdict::Agrees));
    assert!((row.spread.unwrap() - libm::sqrt(0.5)).abs() < 1e-15);
    assert_eq!(crate::case::table::cells(&row)[3], "4.5 ± 0.707 (2 runs)");
    let stopped = [("seed_2".to_owned(), "too fast".to_owned())];
    let row = rows(&case, Size::Quick, &data, &stopped).remove(0);
    assert_eq!(row.verdict, Verdict::Fails);
    assert!(row.remark.contains("too fast"), "{}", row.remark);
    // A quantity whose runs belong to the other size is omitted.
    let none = Data::new(&case, BTreeMap::new());
    assert!(rows(&case, Size::Quick, &none, &[]).is_empty());
}

fn refused(quantity: &str) -> String {
    let mut files = Files::default();
    files.insert("README.md", "");
    files.insert(
        "case.toml",
        format!(
            "format = 1\npaper = \"p\"\nsection = \"1\"\ntitle = \"t\"\nruns = []\n\
             [[quantities]]\nid = \"q\"\nname = \"q\"\n{quantity}"
        ),
    );
    Case::read("test", files).unwrap_err().to_string()
}

#[test]
fn a_case_without_tolerance_reason_or_cause_is_refused() {
    assert!(refused("value = 1\npublished = 1").contains("need a tolerance"));
    assert!(refused("value = 1\npublished = 1\npublished_tolerance = 1").contains("`reason`"));
    assert!(refused("value = 1\nreason = \"r\"").contains("nothing to compare"));
    assert!(
        refused("value = \"last(a.b.c)\"\nclaim = \"c\"\nholds = \"1\"").contains("no run `a`")
    );
    let pattern = "value = \"each('a*', 1)\"\nclaim = \"c\"\nholds = \"1\"";
    assert!(refused(pattern).contains("a name like `a*`"));
    assert!(refused("value = 1\ntypo = 2").contains("typo"));
    let word = "value = \"nothing\"\nclaim = \"c\"\nholds = \"1\"";
    assert!(refused(word).contains("`nothing` is not defined"));
}
