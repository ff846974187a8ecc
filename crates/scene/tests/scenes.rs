//! Every good scene loads; every bad scene gives exactly its message.
//!
//! A bad scene is a file `bad/NAME.diff`: differences to a base scene, a line `====`, and the message. Hunks are
//! separated by `@@`; a line begins with a blank (context), `-` (removed) or `+` (added). Context and removed lines are
//! searched from the end of the previous hunk; `^` is the beginning of the file. The first line may name a base other
//! than `base.toml`.

use std::path::{Path, PathBuf};

fn scenes(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(kind);
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is in the repository")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    all.sort();
    all
}

/// A bad scene: its file, the text of the scene and the message.
struct Bad {
    path: PathBuf,
    name: String,
    text: String,
    message: String,
}

fn bad_scenes() -> Vec<Bad> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let mut all: Vec<Bad> = std::fs::read_dir(&folder)
        .expect("the folder is in the repository")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "diff"))
        .map(bad_scene)
        .collect();
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all
}

fn bad_scene(path: PathBuf) -> Bad {
    let (differences, message) = split(&path);
    let (base, hunks) = match differences.strip_prefix("base ") {
        Some(rest) => rest.split_once('\n').expect("a line"),
        None => ("base.toml", differences.as_str()),
    };
    let base = std::fs::read_to_string(path.with_file_name(base)).expect("a base scene");
    let text = changed(&base, hunks).unwrap_or_else(|| panic!("{}: {hunks}", path.display()));
    let name = path.file_stem().and_then(|name| name.to_str()).expect("names are plain");
    Bad { name: format!("{name}.toml"), text, message, path }
}

fn split(path: &Path) -> (String, String) {
    let file = std::fs::read_to_string(path).expect("the file can be read");
    let (differences, message) = file.split_once("====\n").expect("a line of ====");
    (differences.to_owned(), message.to_owned())
}

/// Applies the hunks; none if one does not fit.
fn changed(base: &str, hunks: &str) -> Option<String> {
    let mut rest: Vec<&str> = base.split('\n').collect();
    let mut text: Vec<&str> = Vec::new();
    for hunk in hunks.split("@@\n") {
        let lines = |kinds: [char; 2]| -> Vec<&str> {
            hunk.lines().filter_map(|line| line.strip_prefix(kinds)).collect()
        };
        let (old, new) = (lines([' ', '-']), lines([' ', '+']));
        let at = rest.windows(old.len().max(1)).position(|window| window == old);
        let at = if hunk.starts_with('^') { 0 } else { at? };
        text.extend(rest.drain(..at));
        rest.drain(..old.len());
        text.extend(new);
    }
    text.extend(rest);
    Some(text.join("\n"))
}

fn load(path: &Path) -> Result<esker_scene::Loaded, esker_scene::Diagnostics> {
    let name = path.file_name().and_then(|name| name.to_str()).expect("names are plain");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    esker_scene::load_text(name, &text, path.parent().expect("it is in a folder"))
}

#[test]
fn every_good_scene_loads() {
    for path in scenes("good") {
        match load(&path) {
            Ok(loaded) => assert_eq!(loaded.render_warnings(false), "", "{}", path.display()),
            Err(errors) => panic!("{errors}"),
        }
    }
}

fn refusal(path: &Path) -> String {
    let errors = esker_scene::load(path).err().map(|errors| errors.render(false));
    let folder = path.parent().expect("it is in a folder").display().to_string();
    errors.expect("it is refused").replace(&format!("{folder}/"), "")
}

#[test]
fn a_scene_file_that_cannot_be_text_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("binary.toml"), [0x7f, b'E', b'L', b'F', 0xff, 0xfe, 0]).expect("written");
    assert_eq!(
        refusal(&file("binary.toml")),
        "error: the file is not text in UTF-8\n --> binary.toml:1:5\n  |\n1 | ␡ELF\u{fffd}\u{fffd}␀\n  \
         |     ^ these bytes are not text\n\n1 error in binary.toml\n"
    );
    let message = refusal(&file("missing.toml"));
    assert!(message.starts_with("error: cannot read the file: No such file"), "{message}");
    let message = refusal(folder.path());
    assert!(message.starts_with("error: cannot read the file"), "{message}");
}

#[test]
fn a_huge_scene_file_is_refused_before_it_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("huge.toml");
    let file = std::fs::File::create(&path).expect("created");
    file.set_len(1 << 40).expect("a file with a hole takes no room");
    let expected = "error: cannot read the file: it is 1099512 MB long, more than the 68 MB allowed\n--> huge.toml\n\
        help: a scene file must be short: put large numbers of particles into a CSV file\n\n1 error in huge.toml\n";
    assert_eq!(refusal(&path), expected);
}

#[test]
fn a_huge_mesh_is_refused_before_it_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = std::fs::File::create(folder.path().join("huge.stl")).expect("created");
    file.set_len(1 << 40).expect("a file with a hole takes no room");
    let bad = bad_scenes().into_iter().find(|bad| bad.name == "mesh_is_missing.toml");
    let text = bad.expect("it is there").text.replace("fence.stl", "huge.stl");
    let errors = esker_scene::load_text("a.toml", &text, folder.path()).err();
    let shown = errors.map(|errors| errors.render(false)).unwrap_or_default();
    assert!(shown.starts_with("error: cannot read `huge.stl`"), "{shown}");
    assert!(shown.contains("it is 1099512 MB long, more than the 4295 MB allowed"), "{shown}");
}

#[test]
fn base_scenes_are_good() {
    for path in scenes("bad") {
        load(&path).unwrap_or_else(|errors| panic!("{errors}"));
    }
}

/// With `ESKER_WRITE_MESSAGES` set, the messages are written instead: read them before they are
/// committed.
#[test]
fn every_bad_scene_gives_its_message() {
    let write = std::env::var_os("ESKER_WRITE_MESSAGES").is_some();
    let all = bad_scenes();
    assert!(all.len() >= 200);
    let mut wrong = Vec::new();
    for bad in all {
        let folder = bad.path.parent().expect("it is in a folder");
        let shown = match esker_scene::load_text(&bad.name, &bad.text, folder) {
            Ok(loaded) => match loaded.scene.clone().build() {
                Ok(_) => panic!("{} is a scene", bad.path.display()),
                Err(error) => loaded.explain(&error).render(false),
            },
            Err(errors) => errors.render(false),
        };
        if write {
            let (differences, _) = split(&bad.path);
            std::fs::write(&bad.path, format!("{differences}====\n{shown}")).expect("written");
        } else if shown != bad.message {
            wrong.push(format!("{}:\n{shown}instead of\n{}", bad.name, bad.message));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_message_about_a_scene_has_its_line() {
    let mut count = 0;
    for bad in bad_scenes() {
        let mut lines = bad.message.lines();
        while let Some(line) = lines.next() {
            if !line.starts_with("error: ") && !line.starts_with("warning: ") {
                continue;
            }
            let location = lines.next().and_then(|line| line.trim_start().strip_prefix("--> "));
            let location = location.unwrap_or_else(|| panic!("{}: {line}", bad.name));
            let numbers: Vec<&str> = location.rsplit(':').take(2).collect();
            let numbered = numbers.iter().all(|number| number.parse::<u32>().is_ok());
            assert!(numbered && numbers.len() == 2, "{}: {line} {location}", bad.name);
            count += 1;
        }
    }
    assert!(count > 200, "{count} messages");
}
