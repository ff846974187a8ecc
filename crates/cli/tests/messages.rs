//! Output of the program: help, derived quantities, errors.

mod support;

use support::{SMALL, err, esker, out};

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("small.toml"), SMALL).expect("it can be written");
    folder
}

#[test]
fn help_names_every_command() {
    let output = esker(folder().path(), &["--help"]);
    assert!(output.status.success());
    for command in ["run", "check", "new", "list", "info", "schema", "bench", "reproduce"] {
        assert!(out(&output).contains(command), "{command}");
    }
}

#[test]
fn a_misspelt_command_is_an_error_of_input_with_a_suggestion() {
    let output = esker(folder().path(), &["chekc"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("check"), "{}", err(&output));
    assert!(out(&output).is_empty());
}

#[test]
fn the_list_has_a_line_for_each_scene_and_each_case() {
    let text = out(&esker(folder().path(), &["list"]));
    let (scenes, cases) = text.split_once("\n\n").expect("two parts");
    for part in [scenes, cases] {
        let lines: Vec<&str> = part.lines().skip(1).collect();
        assert!(lines.len() >= 2, "{text}");
        assert!(lines.iter().all(|line| line.len() > 30), "{text}");
    }
    assert!(scenes.contains("\npile ") && cases.contains("\n  bandeira-incline "), "{text}");
}

#[test]
fn check_shows_the_time_step_and_what_it_follows_from() {
    let output = esker(folder().path(), &["check", "small.toml"]);
    let text = out(&output);
    assert!(output.status.success(), "{}", err(&output));
    for line in ["time step", "stability", "next impact", "contact time"] {
        assert!(text.lines().any(|found| found.starts_with(line)), "{line}: {text}");
    }
    assert!(text.contains("block: 40, radius"), "{text}");
    assert!(text.contains("rain: 0, to be inserted"), "{text}");
    assert!(text.contains("floor: half-space of grain, moving"), "{text}");
    assert!(text.contains("rolling elastic-plastic"), "{text}");
    assert!(text.contains("the papers' rule, a twentieth of it"), "{text}");
}

#[test]
fn an_unknown_material_is_shown_with_its_line_and_a_suggestion() {
    let folder = folder();
    let bad = SMALL.replacen("material = \"grain\"", "material = \"grian\"", 1);
    std::fs::write(folder.path().join("bad.toml"), bad).expect("it can be written");
    for command in ["check", "run"] {
        let output = esker(folder.path(), &[command, "bad.toml"]);
        assert_eq!(output.status.code(), Some(2));
        let text = err(&output);
        assert!(text.starts_with("error: unknown material `grian`\n  --> bad.toml:"), "{text}");
        assert!(text.contains("help: did you mean `grain`?"), "{text}");
        assert!(!folder.path().join("runs").exists());
    }
}

#[test]
fn an_unknown_column_of_a_probe_is_shown_with_its_line_and_a_suggestion() {
    let folder = folder();
    let bad = SMALL.replacen("\"max_height\"", "\"max_hight\"", 1);
    std::fs::write(folder.path().join("bad.toml"), bad).expect("it can be written");
    let text = err(&esker(folder.path(), &["check", "bad.toml"]));
    assert!(text.contains("error: unknown column `max_hight`\n  --> bad.toml:"), "{text}");
    assert!(text.contains("did you mean `max_height`?"), "{text}");
}

#[test]
fn a_column_that_no_law_records_is_refused_until_one_does() {
    let folder = folder();
    let probes = "probes = [{ name = \"slid\", contact = [0, \"floor\"], \
                  columns = [\"elastic_displacement\", \"sliding_displacement\"] },";
    let asks = SMALL.replacen("probes = [", probes, 1);
    std::fs::write(folder.path().join("asks.toml"), &asks).expect("it can be written");
    let output = esker(folder.path(), &["check", "asks.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("record_sliding = true"), "{}", err(&output));
    let set = "contact.tangential={ mindlin = { record_sliding = true } }";
    let output = esker(folder.path(), &["check", "asks.toml", "--set", set]);
    assert!(output.status.success(), "{}", err(&output));
}

#[test]
fn a_misspelt_built_in_scene_finds_its_neighbour() {
    for arguments in [&["run", "hoper"][..], &["new", "mine", "--from", "hoper"]] {
        let text = err(&esker(folder().path(), arguments));
        assert!(text.contains("did you mean `hopper`?"), "{text}");
    }
}

#[test]
fn a_scene_that_never_ends_is_refused() {
    let folder = folder();
    let start = SMALL.find("[[stages]]").expect("it is there");
    let end = SMALL.find("[outputs]").expect("it is there");
    let endless = format!("{}{}", &SMALL[..start], &SMALL[end..]);
    std::fs::write(folder.path().join("endless.toml"), endless).expect("it can be written");
    let output = esker(folder.path(), &["run", "endless.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("the run would never end"), "{}", err(&output));
}

#[test]
fn a_scene_that_is_not_there_is_an_error_that_names_the_built_in_ones() {
    let output = esker(folder().path(), &["run", "nowhere.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("pile, drum"), "{}", err(&output));
}

#[test]
fn a_wrong_override_is_named() {
    let folder = folder();
    let output = esker(folder.path(), &["check", "small.toml", "--set", "seed"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("not KEY=VALUE"));
    let output = esker(folder.path(), &["check", "small.toml", "--set", "time.step=1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("--set time.step=1"), "{}", err(&output));
}

#[test]
fn a_new_scene_can_be_checked_and_is_never_overwritten() {
    let folder = folder();
    let output = esker(folder.path(), &["new", "my", "--from", "billiards"]);
    assert_eq!(out(&output), "my.toml\n");
    assert!(esker(folder.path(), &["check", "my.toml"]).status.success());
    let again = esker(folder.path(), &["new", "my"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(err(&again).contains("exists already"));
    let unknown = esker(folder.path(), &["new", "other", "--from", "nothing"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(!folder.path().join("other.toml").exists());
}

#[test]
fn the_schema_is_json_that_knows_the_tables_of_a_scene() {
    let text = out(&esker(folder().path(), &["schema"]));
    let schema: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(schema["properties"]["particles"].is_object());
}

/// A layer of a hundred grains on the floor with this spacing [m].
fn layer(apart: f64) -> String {
    let side = 10.0 * apart;
    let mut state = format!("# state\n# box 0 {side} 0 {side} 0 0.5\n");
    for i in 0..100 {
        let (x, y) = (apart * (0.5 + f64::from(i % 10)), apart * (0.5 + f64::from(i / 10)));
        state.push_str(&format!("{x} {y} 0.005 0.005 0 0 0 0 0 0\n"));
    }
    state
}

#[test]
fn the_bench_of_the_laws_measures_every_law_of_the_registry() {
    let folder = folder();
    std::fs::write(folder.path().join("a.state"), layer(0.00999)).expect("it can be written");
    let arguments = ["bench", "--laws", "--state", "a.state", "--steps", "20", "--json", "a.json"];
    let output = esker(folder.path(), &arguments);
    assert!(output.status.success(), "{}", err(&output));
    let json = std::fs::read_to_string(folder.path().join("a.json")).expect("it is there");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let measured = json.as_array().expect("a list");
    for (slot, words) in esker_scene::law_words() {
        for word in words {
            let is_it = |cost: &&serde_json::Value| cost["slot"] == slot && cost["law"] == word;
            let cost = measured.iter().find(is_it).unwrap_or_else(|| panic!("{slot} {word}"));
            assert!(cost["problem"].is_null(), "{slot} {word}: {}", cost["problem"]);
            assert!(cost["ratio"].as_f64() > Some(0.0), "{slot} {word}");
        }
    }
}

/// Some names contain commas, so that each is quoted.
#[test]
fn a_word_that_no_law_has_is_answered_by_the_names_of_all() {
    let output = esker(folder().path(), &["bench", "--laws", "herz"]);
    assert_eq!(output.status.code(), Some(2));
    let told = err(&output);
    assert!(
        told.starts_with("error: no name of a law contains `herz`\nhelp: the laws are `"),
        "{told}"
    );
    for name in ["`hertz`, ", "`power-law, lens`, ", "`mindlin, rescaled`, "] {
        assert!(told.contains(name), "{name}: {told}");
    }
}

/// Every command with an option for threads warns if there is one thread more than cores.
#[test]
fn more_threads_than_cores_are_warned_of_and_as_many_are_not() {
    let folder = folder();
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    };
    // A very short run, since threads without a core are slow.
    let short = SMALL.replace("end = { after = 0.06 }", "end = { after = 1e-4 }");
    write("small.toml", &short);
    write("a.state", &layer(0.02));
    std::fs::create_dir(folder.path().join("brief")).expect("it can be made");
    write("brief/scene.toml", &short);
    write("brief/README.md", "Brief.\n");
    write(
        "brief/case.toml",
        "format = 1\npaper = \"none-2026\"\nsection = \"1\"\ntitle = \"Brief\"\n[[runs]]\nname = \"a\"\n\
         [[quantities]]\nid = \"steps\"\nname = \"steps\"\nvalue = \"summary('a', 'steps')\"\n\
         claim = \"some\"\nholds = \"value > 0\"\n",
    );
    let commands: [&[&str]; 4] = [
        &["run", "small.toml", "--quiet"],
        &["bench", "--state", "a.state", "--steps", "1"],
        &["reproduce", "brief"],
        &["sweep", "small.toml", "--vary", "contact.pairs[0].friction=0.1", "--jobs", "1"],
    ];
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for command in commands {
        for (threads, warned) in [(cores, false), (cores + 1, true)] {
            let (threads, out) = (threads.to_string(), format!("{}-{threads}", command[0]));
            let mut arguments = [command, &["--threads", &threads]].concat();
            if command[0] != "bench" {
                arguments.extend(["--out", &out]);
            }
            let output = esker(folder.path(), &arguments);
            assert_eq!(output.status.code(), Some(0), "{}", err(&output));
            let warning = format!("warning: {threads} threads on {cores} core");
            assert_eq!(err(&output).contains(&warning), warned, "{}", err(&output));
        }
    }
}

#[test]
fn the_bench_measures_a_state_in_the_format_of_the_peers() {
    let folder = folder();
    std::fs::write(folder.path().join("a.state"), layer(0.02)).expect("it can be written");
    let arguments = ["bench", "--state", "a.state", "--steps", "50", "--json", "a.json"];
    let output = esker(folder.path(), &arguments);
    assert!(output.status.success(), "{}", err(&output));
    assert!(out(&output).contains("M particle-steps/s"));
    let json = std::fs::read_to_string(folder.path().join("a.json")).expect("it is there");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["particles"], 100);
    std::fs::write(folder.path().join("b.state"), "# box 0 1 0 1 0 1\n1 2 3\n").expect("written");
    let output = esker(folder.path(), &["bench", "--state", "b.state"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("`b.state`, line 2"), "{}", err(&output));
}
