//! `esker sweep`: messages about failed runs, a dry run, mistakes.

mod support;

use support::sweep::{HEAP, folder_with};
use support::{err, esker, out};

#[test]
fn runs_that_fail_are_listed_and_the_others_counted() {
    let folder = folder_with(HEAP);
    let arguments = [
        "sweep",
        "scene.toml",
        "--vary",
        "materials.grain.young_modulus=-1,2e3,1e7,5e7",
        "--collect",
        "heap.max_height",
        "--json",
        "sweep.json",
    ];
    let output = esker(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    let text = std::fs::read_to_string(folder.path().join("sweep.json")).expect("it is written");
    let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!((&json["runs"], &json["failed"]), (&4.into(), &2.into()), "{json}");
    assert_eq!(json["method"], "grid");
    let effect = &json["effects"][0];
    assert_eq!((&effect["result"], &effect["unit"]), (&"heap.max_height".into(), &"m".into()));
    // A single parameter explains the whole variance.
    let fraction = &effect["parameters"][0]["fraction of the variance"]["value"];
    assert!((fraction.as_f64().expect("a number") - 1.0).abs() < 1e-12, "{effect}");
    let told = err(&output);
    assert!(told.contains("2 of 4 runs failed"), "{told}");
    assert!(told.contains("`young_modulus` is -1"), "{told}");
    let text = std::fs::read_to_string(folder.path().join("sweeps/scene/results.csv")).unwrap();
    let ended: Vec<&str> =
        text.lines().skip(1).map(|line| line.split(',').nth(2).expect("a cell")).collect();
    assert_eq!(ended, ["refused", "failed", "finished", "finished"], "{text}");
    assert!(
        text.contains("the overlap reached") && text.contains(",`young_modulus` is -1"),
        "{text}"
    );
    // a run without a result has a dash instead
    assert_eq!(out(&output).matches('–').count(), 2, "{}", out(&output));
}

#[test]
fn a_dry_run_lists_and_estimates_and_makes_nothing() {
    let folder = folder_with(HEAP);
    let arguments = [
        "sweep",
        "scene.toml",
        "--vary",
        "seed=1,2,3",
        "--vary",
        "time.safety=0.02,0.04",
        "--dry-run",
    ];
    let output = esker(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let text = out(&output);
    assert_eq!(text.lines().count(), 6, "{text}");
    assert!(text.lines().nth(3).is_some_and(|line| line.ends_with("seed=2 time.safety=0.04")));
    assert!(err(&output).contains("particle-steps"), "{}", err(&output));
    assert!(!folder.path().join("sweeps").exists());
}

#[test]
fn mistakes_are_said_before_anything_runs() {
    let folder = folder_with(HEAP);
    let told = |arguments: &[&str]| {
        let output = esker(folder.path(), &[&["sweep", "scene.toml"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{}", err(&output));
        assert!(!folder.path().join("sweeps").exists());
        err(&output)
    };
    let friction = "contact.pairs[0].friction=0.1,0.2";
    assert!(told(&[]).contains("nothing varies"));
    let told_of = |key: &str, set: &str| told(&["--vary", &format!("{key}=1,2"), "--set", set]);
    let misspelt = told_of("contact.pairs[0].frictoin", "seed=1");
    assert!(misspelt.contains("did you mean `friction`?"), "{misspelt}");
    assert!(misspelt.contains("set by `--vary contact.pairs[0].frictoin=1`"), "{misspelt}");
    let misspelt = told_of("contact.pairs[0].friction", "time.safty=1");
    assert!(misspelt.contains("set by `--set time.safty=1`"), "{misspelt}");
    let list = told_of("contact.pair[0].friction", "seed=1");
    assert!(list.contains("no list `pair` there; did you mean `pairs`?"), "{list}");
    let list = told_of("contact.pair[*].friction", "seed=1");
    assert!(list.contains("no `pair` there; did you mean `pairs`?"), "{list}");
    let material = told_of("materials.grian.young_modulus", "seed=1");
    assert!(material.contains("no material `grian` there; did you mean `grain`?"), "{material}");
    assert!(told(&["--vary", "materials.grain.yuong_modulus=1e6,1e7"]).contains("did you mean"));
    assert!(
        told(&["--vary", "contact.pairs.*.friction=1,2"]).contains("`*` does not follow a table")
    );
    assert!(
        told(&["--vary", friction, "--collect", "max_hieght"])
            .contains("did you mean `max_height`?")
    );
    assert!(told(&["--vary", "time.safety=0.01..0.05"]).contains("--method sobol"));
    assert!(told(&["--vary", friction, "--seeds", "0"]).contains("makes no runs"));
    assert!(told(&["--vary", "seed=1,2", "--seeds", "2"]).contains("both given"));
    assert!(told(&["--vary", friction, "--set", "nothing"]).contains("is not KEY=VALUE"));
}
