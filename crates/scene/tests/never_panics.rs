//! Whatever is done to a scene file, reading and building it ends in a simulation that can be
//! stepped or in messages, and soon.

use esker::Simulation;
use esker_scene::Loaded;
use esker_scene::run::{Checkpoint, Run, RunOptions};
use proptest::prelude::*;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const GOOD: &str = include_str!("good/everything.toml");

/// Pieces that are likely to hurt.
const PIECES: [&str; 24] = [
    "nan",
    "inf",
    "-1",
    "1e999",
    "0",
    "\"",
    "'",
    "[",
    "]",
    "{",
    "}",
    "=",
    ",",
    "\n",
    "[[walls]]\n",
    "{}",
    "[]",
    "true",
    "99999999999999999999",
    "ü",
    "\u{0}",
    "#",
    "\"x\"",
    "t^",
];

/// Longest time that one of these small scenes may take, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn read(text: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good");
    let began = Instant::now();
    match esker_scene::load_text("a.toml", text, folder) {
        Ok(loaded) => {
            drop(loaded.render_warnings(true));
            build(&loaded);
        }
        Err(errors) => drop((errors.render(true), errors.to_string())),
    }
    assert!(began.elapsed() < PATIENCE, "{:?} for\n{text}", began.elapsed());
}

/// Builds a scene and makes a few steps.
fn build(loaded: &Loaded) {
    let outcome = esker_scene::run::build(loaded);
    let Ok(mut simulation) = outcome else {
        return drop(outcome.map_err(|error| error.to_string()));
    };
    for _ in 0..3 {
        if let Err(error) = simulation.step() {
            return drop(error.to_string());
        }
    }
    drop(simulation.snapshot());
}

fn boundary(text: &str, share: f64) -> usize {
    let mut at = (share * text.len() as f64) as usize;
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Replaces one whole value on one line.
fn replace_value(text: &str, line: usize, piece: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = line % lines.len();
    if let Some((key, _)) = lines[line].split_once('=') {
        lines[line] = format!("{key}= {piece}");
    }
    lines.join("\n")
}

/// Reads a scene whose only wall is this mesh.
fn read_mesh(name: &str, bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(name), bytes).expect("written");
    let text = format!(
        "format = 1\n[materials]\na = {{ young_modulus = 1e6, poisson_ratio = 0.3 }}\n\
         [[walls]]\nname = \"w\"\nmaterial = \"a\"\nmesh = \"{name}\"\n"
    );
    match esker_scene::load_text("a.toml", &text, folder.path()) {
        Ok(loaded) => drop(loaded.render_warnings(false)),
        Err(errors) => drop(errors.render(false)),
    }
}

/// A scene of two particles that touch, with a checkpoint at the end of its only stage.
const TWO: &str = "format = 1\n[materials]\na = { density = 1000, young_modulus = 1e6, poisson_ratio = 0.3 }\n\
         [contact]\nnormal = \"hertz\"\npairs = [{ between = [\"a\", \"a\"] }]\n\
         [[particles]]\nname = \"p\"\nmaterial = \"a\"\nradius = 0.1\nvelocity = [1, 0, 0]\n\
         insert = { list = [{ position = [0, 0, 0] }, { position = [0, 0, 0.199] }] }\n\
         [[stages]]\nname = \"s\"\nend = { after = 0.001 }\n[outputs]\ncheckpoint = { every = 0.0005 }\n";

/// The state of that scene, as it stands behind the checksum of a checkpoint.
fn state() -> &'static [u8] {
    static STATE: OnceLock<Vec<u8>> = OnceLock::new();
    STATE.get_or_init(|| {
        let loaded = esker_scene::load_text("a.toml", TWO, "").expect("a good scene");
        let state = loaded.scene.build().expect("a good scene").save();
        postcard::to_stdvec(&state).expect("it can be written")
    })
}

/// A whole checkpoint of that scene, written by a run.
fn checkpoint() -> &'static [u8] {
    static CHECKPOINT: OnceLock<Vec<u8>> = OnceLock::new();
    CHECKPOINT.get_or_init(|| {
        let loaded = esker_scene::load_text("a.toml", TWO, "").expect("a good scene");
        let folder = tempfile::tempdir().expect("a folder");
        let options = RunOptions { folder: folder.path().join("run"), ..RunOptions::default() };
        let run = Run::open(loaded, &options).expect("it starts");
        run.finish(&AtomicBool::new(false), |_| {}).expect("it ends");
        let path = options.folder.join("checkpoint.esk");
        Checkpoint::read(&path).expect("it is whole");
        std::fs::read(path).expect("it is there")
    })
}

/// Overwrites, cuts out or repeats bytes.
fn damage(bytes: &mut Vec<u8>, edits: &[(f64, u8, u8)]) {
    for &(share, kind, value) in edits {
        if bytes.is_empty() {
            return;
        }
        let at = ((share * bytes.len() as f64) as usize).min(bytes.len() - 1);
        match kind % 4 {
            0 => bytes[at] = value,
            1 => bytes.truncate(at),
            2 => drop(bytes.drain(at..(at + usize::from(value)).min(bytes.len()))),
            _ => bytes.insert(at, value),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn cut_and_patched_scenes(edits in prop::collection::vec((0.0..1.0, 0usize..30, 0usize..24), 1..4)) {
        let mut text = GOOD.to_owned();
        for (share, length, piece) in edits {
            let start = boundary(&text, share);
            let mut end = (start + length).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            text.replace_range(start..end, PIECES[piece]);
        }
        read(&text);
    }

    #[test]
    fn values_of_another_kind(edits in prop::collection::vec((0usize..300, 0usize..24), 1..6)) {
        let mut text = GOOD.to_owned();
        for (line, piece) in edits {
            text = replace_value(&text, line, PIECES[piece]);
        }
        read(&text);
    }

    #[test]
    fn overrides(path in "[a-z_.\\[\\]0-9]{0,20}", value in "[a-z0-9\\[\\]{}='\", .-]{0,12}") {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good");
        for path in [path.as_str(), "walls[2].motion", "outputs.final", "contact.pairs[0].friction"] {
            let changes = [(path, value.as_str()), ("time.step", value.as_str())];
            if let Err(errors) = esker_scene::load_text_with("a.toml", GOOD, &folder, &changes) {
                drop(errors.render(false));
            }
        }
    }

    #[test]
    fn expressions(text in "[-+*/^(),. a-z0-9é]{0,40}") {
        if let Ok(expression) = esker_scene::expression::Expression::parse(&text) {
            let _ = expression.at(0.5);
        }
    }

    #[test]
    fn damaged_meshes(edits in prop::collection::vec((0.0..1.0, any::<u8>(), any::<u8>()), 1..6)) {
        let binary = include_bytes!("good/binary.stl").as_slice();
        let text = include_bytes!("good/fence.stl").as_slice();
        let object = include_bytes!("good/box.obj").as_slice();
        for (name, good) in [("a.stl", binary), ("a.stl", text), ("a.obj", object)] {
            let mut bytes = good.to_vec();
            damage(&mut bytes, &edits);
            read_mesh(name, &bytes);
        }
    }

    /// The contents of a checkpoint behind its checksum, which keeps such damage out of real files.
    #[test]
    fn damaged_states(edits in prop::collection::vec((0.0..1.0, any::<u8>(), any::<u8>()), 1..6)) {
        let mut bytes = state().to_vec();
        damage(&mut bytes, &edits);
        let Ok(state) = postcard::from_bytes::<esker::state::State>(&bytes) else { return Ok(()) };
        let loaded = esker_scene::load_text("a.toml", TWO, "").expect("a good scene");
        // what can be read is restored and stepped
        if let Ok(mut simulation) = Simulation::restore(loaded.scene, state) {
            drop(simulation.step());
        }
    }

    #[test]
    fn damaged_checkpoints(edits in prop::collection::vec((0.0..1.0, any::<u8>(), any::<u8>()), 1..6)) {
        let mut bytes = checkpoint().to_vec();
        damage(&mut bytes, &edits);
        prop_assume!(bytes != checkpoint());
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("checkpoint.esk");
        std::fs::write(&path, &bytes).expect("written");
        prop_assert!(Checkpoint::read(&path).is_err());
    }
}
