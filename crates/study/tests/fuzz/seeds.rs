//! Valid inputs, which are mutated.

use super::input::{Input, Kind};
use super::mutate;
use super::random::Random;
use esker_scene::run::{Run, RunOptions};
use esker_study::case::{Case, CaseRunner, Size};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

/// A scene of two particles that touch, with tables, frames and checkpoints.
pub const TWO: &str = "format = 1\nseed = 3\ngravity = [0, 0, -9.81]\n[domain]\nmin = [-1, -1, -1]\nmax = [1, 1, 1]\n\
    [materials]\na = { density = 1000, young_modulus = 1e6, poisson_ratio = 0.3 }\n\
    [contact]\nnormal = \"hertz\"\ndamping = \"hertz\"\ntangential = \"mindlin\"\n\
    pairs = [{ between = [\"a\", \"a\"], friction = 0.3, restitution = 0.5 }]\n\
    [[particles]]\nname = \"p\"\nmaterial = \"a\"\nradius = 0.1\nvelocity = [1, 0, 0]\n\
    insert = { list = [{ position = [0, 0, 0] }, { position = [0, 0, 0.199] }] }\n\
    [[walls]]\nname = \"w\"\nmaterial = \"a\"\nhalf-space = { point = [0, 0, -0.1], normal = [0, 0, 1] }\n\
    [[stages]]\nname = \"s\"\nend = { after = 0.01 }\n\
    [outputs]\ncheckpoint = { every = 0.004 }\nenergy = { every = 0.002 }\nframes = { every = 0.004 }\n\
    events = true\nwalls = { every = 0.005 }\ncontacts = { every = 0.005 }\n\
    measure = [{ name = \"m\", every = 0.002, momentum = {} }]\n\
    probes = [{ name = \"one\", particle = 0, columns = [\"position\"], every = 0.002 }]\n";

/// A scene that names files; the names are those of the input.
pub const FILES: &str = "format = 1\n[domain]\nmin = [-10, -10, -10]\nmax = [10, 10, 10]\noutside = \"delete\"\n\
    [materials]\na = { density = 1000, young_modulus = 1e6, poisson_ratio = 0.3 }\n\
    [contact]\nnormal = \"hertz\"\npairs = [{ between = [\"a\", \"a\"] }]\n\
    [[stages]]\nname = \"s\"\nend = { after = 0.01 }\n";

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../scene/tests")
}

fn good(name: &str) -> Vec<u8> {
    std::fs::read(tests().join("good").join(name)).expect("it is in the repository")
}

/// All scene files of a folder.
fn scenes(folder: &Path) -> Vec<String> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("it is in the repository")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

/// The texts of all scenes: good ones twice, since they reach more code, and bad ones.
pub fn texts() -> &'static [String] {
    static TEXTS: OnceLock<Vec<String>> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let mut all = scenes(&tests().join("good"));
        all.extend(scenes(&tests().join("../../../scenes")));
        all.extend(all.clone());
        all.extend(scenes(&tests().join("bad")));
        all
    })
}

/// The folder of a finished run of [`TWO`].
fn run_folder() -> &'static Input {
    static FOLDER: OnceLock<Input> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let loaded = esker_scene::load_text("a.toml", TWO, "").expect("a good scene");
        let folder = tempfile::tempdir().expect("a folder");
        let options = RunOptions { folder: folder.path().join("run"), ..RunOptions::default() };
        let run = Run::open(loaded, &options).expect("it starts");
        run.finish(&AtomicBool::new(false), |_| {}).expect("it ends");
        Input::read(folder.path())
    })
}

/// A case with the folders of its runs.
fn case() -> &'static Input {
    static CASE: OnceLock<Input> = OnceLock::new();
    CASE.get_or_init(|| {
        let source = tests().join("../../../cases/zabulionis-oscillator");
        let case = Case::open(&source).expect("a good case");
        let folder = tempfile::tempdir().expect("a folder");
        let runner = CaseRunner {
            folder: folder.path().to_path_buf(),
            program: "fuzz".to_owned(),
            threads: 1,
        };
        runner.unpack(&case).expect("it can be written");
        let interrupt = AtomicBool::new(false);
        for planned in case.runs(Size::Quick) {
            runner.make(&case, Size::Quick, &planned, &interrupt).expect("it runs");
        }
        let case = folder.path().join("zabulionis-oscillator");
        let mut input = Input::default();
        for (name, bytes) in Input::read(&case).0 {
            let tables =
                name.starts_with("quick/") && (name.ends_with(".csv") || name.ends_with(".json"));
            if let Some(file) = name.strip_prefix("case/") {
                input.0.insert(file.to_owned(), bytes);
            } else if tables {
                // Long tables would make attempts slow.
                let text = String::from_utf8_lossy(&bytes);
                let short: Vec<&str> = text.lines().take(200).collect();
                input.0.insert(name.replacen("quick/", "runs/", 1), short.join("\n").into_bytes());
            }
        }
        input
    })
}

/// Lines of expressions, formulas, overrides and parameters of a sweep.
const WORDS: &str = "expression sin(2*pi*t)*exp(-t/3) + max(t, 0.5)^2\n\
    expression if(t < 1, 2*t, -3e-4)\nformula mean(a.b.c) + 2*when(a.b.c, 0, 1e-3)/sqrt(pi)\n\
    formula max(abs(a.b.c - d.e.f))\nset time.step=1e-6\nset walls[2].motion={ velocity = [0, 0, 1] }\n\
    set contact.pairs[0].friction=0.3\nset particles[0].radius=0.01\n\
    vary contact.pairs[*].friction=0.2,0.5,0.8\nvary time.step=1e-6..1e-5 log\nvary seed=1..9 in 5 whole\n\
    vary contact.rolling=none,arm with contact.pairs[0].rolling_friction=0.1\n";

/// A section of a checkpoint with a valid checksum.
fn section(tag: &[u8], plain: &[u8]) -> Vec<u8> {
    let stored = zstd::encode_all(plain, 1).expect("it can be compressed");
    let lengths = [stored.len() as u64, plain.len() as u64].map(u64::to_le_bytes);
    let sum = crc32fast::hash(&stored).to_le_bytes();
    [tag, &lengths[0], &lengths[1], &sum, &stored].concat()
}

/// The contents of the sections of a checkpoint: positions in the outputs, header of the state, particles, contacts.
fn sections(bytes: &[u8]) -> [(Vec<u8>, Vec<u8>); 4] {
    let mut rest = &bytes[12..];
    [(); 4].map(|()| {
        let length = u64::from_le_bytes(rest[4..12].try_into().expect("eight bytes")) as usize;
        let tag = rest[..4].to_vec();
        let plain = zstd::decode_all(&rest[24..24 + length]).expect("it is whole");
        rest = &rest[24 + length..];
        (tag, plain)
    })
}

/// A checkpoint with mutated contents and valid checksums, or a mutated file.
fn checkpoint(random: &mut Random) -> Vec<u8> {
    let mut bytes = run_folder().0["run/checkpoint.esk"].clone();
    if random.once_in(4) {
        mutate::bytes(&mut bytes, random);
        return bytes;
    }
    let mut parts = sections(&bytes);
    // mostly those of the state
    let which = if random.once_in(8) { 0 } else { 1 + random.below(3) };
    mutate::bytes(&mut parts[which].1, random);
    let mut file = bytes[..12].to_vec();
    parts.iter().for_each(|(tag, plain)| file.extend(section(tag, plain)));
    file
}

/// The next input of a kind.
pub fn next(kind: Kind, random: &mut Random) -> Input {
    match kind {
        Kind::Scene => {
            let text = random.pick(texts()).clone();
            Input::one("scene.toml", mutate::text(&text, texts(), random))
        }
        Kind::Mesh => {
            let name = *random.pick(&["binary.stl", "fence.stl", "box.obj", "defects.stl"]);
            Input::one(
                if name.ends_with("obj") { "mesh.obj" } else { "mesh.stl" },
                any(good(name), random),
            )
        }
        Kind::Table => {
            let (name, file) = *random.pick(&[
                ("two.csv", "list.csv"),
                ("bed.state", "bed.state"),
                ("motion.csv", "motion.csv"),
            ]);
            Input::one(file, any(good(name), random))
        }
        Kind::Checkpoint => Input::one("checkpoint.esk", checkpoint(random)),
        Kind::Run => changed_folder(run_folder(), &["run/final.csv"], random),
        Kind::Case => changed_folder(case(), &["README.md"], random),
        Kind::Words => Input::one("words.txt", mutate::text(WORDS, texts(), random)),
    }
}

/// A file mutated as bytes, or as text if it is text.
fn any(bytes: Vec<u8>, random: &mut Random) -> Vec<u8> {
    match String::from_utf8(bytes) {
        Ok(text) if !random.once_in(4) => mutate::text(&text, &[], random).into_bytes(),
        Ok(text) => changed(text.into_bytes(), random),
        Err(binary) => changed(binary.into_bytes(), random),
    }
}

fn changed(mut bytes: Vec<u8>, random: &mut Random) -> Vec<u8> {
    mutate::bytes(&mut bytes, random);
    bytes
}

/// A folder in which a few files are mutated, truncated, missing or exchanged.
fn changed_folder(folder: &Input, alone: &[&str], random: &mut Random) -> Input {
    let mut input = folder.clone();
    let names: Vec<String> =
        input.0.keys().filter(|name| !alone.contains(&name.as_str())).cloned().collect();
    for _ in 0..1 + random.below(3) {
        let name = random.pick(&names).clone();
        let old = input.0.get(&name).cloned().unwrap_or_default();
        match random.below(8) {
            0 => drop(input.0.remove(&name)),
            1 => drop(input.0.insert(name, Vec::new())),
            2 => {
                let other = input.0.get(random.pick(&names)).cloned().unwrap_or_default();
                input.0.insert(name, other);
            }
            3 if name.ends_with("checkpoint.esk") => drop(input.0.insert(name, checkpoint(random))),
            _ => drop(input.0.insert(name, any(old, random))),
        }
    }
    input
}

/// Mutates an input further.
pub fn further(input: &Input, random: &mut Random) -> Input {
    let mut input = input.clone();
    let names: Vec<String> = input.0.keys().cloned().collect();
    let name = random.pick(&names).clone();
    let old = input.0.remove(&name).unwrap_or_default();
    let new = match String::from_utf8(old) {
        Ok(text) if name.ends_with(".toml") => mutate::text(&text, texts(), random).into_bytes(),
        Ok(text) => any(text.into_bytes(), random),
        Err(binary) => any(binary.into_bytes(), random),
    };
    input.0.insert(name, new);
    input
}
