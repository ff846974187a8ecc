//! Properties that hold for every input: no panic, and a refusal states reason and location.

use super::input::{Input, Kind};
use super::seeds::{FILES, TWO};
use esker::insert::{Amount, Placement, Source};
use esker::stage::Change;
use esker::{Scene, Simulation};
use esker_scene::run::{Checkpoint, Run, RunError, RunOptions};
use esker_scene::{Diagnostics, Loaded, Severity};
use esker_study::batch::RunResult;
use esker_study::case::{Case, CaseRunner, Files, Formula, Size};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Largest number of particles of a scene that is built: more only take longer, and if all are at one point, the pairs
/// of 2000 particles take more memory than an input may.
const MOST_PARTICLES: usize = 1000;
/// Number of steps of an accepted scene.
const STEPS: usize = 4;

/// Reads the input in a folder, and processes it as far as it is valid.
pub fn examine(kind: Kind, folder: &Path) -> Result<(), String> {
    let input = Input::read(folder);
    match kind {
        Kind::Scene => {
            let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scene/tests/good");
            scene(&input.text("scene.toml"), &base)
        }
        Kind::Mesh | Kind::Table => scene(&with_files(&input), folder),
        Kind::Checkpoint => checkpoint(folder),
        // Frames and reports take most of the time: one input in four writes them.
        Kind::Run => resume(folder, input.0.values().map(Vec::len).sum::<usize>() % 4 != 0),
        Kind::Case => case(&input, folder),
        Kind::Words => words(&input.text("words.txt")),
    }
}

fn scene(text: &str, base: &Path) -> Result<(), String> {
    let loaded = match esker_scene::load_text("scene.toml", text, base) {
        Ok(loaded) => loaded,
        Err(errors) => return refusal(&errors),
    };
    drop(loaded.render_warnings(true));
    build(loaded)
}

/// Every error has a message and a line.
fn refusal(errors: &Diagnostics) -> Result<(), String> {
    drop(errors.render(true));
    let errors: Vec<_> = errors.list.iter().filter(|one| one.severity == Severity::Error).collect();
    if errors.is_empty() {
        return Err("refused without an error".to_owned());
    }
    for error in errors {
        if error.message.trim().is_empty() {
            return Err("an error without a message".to_owned());
        }
        if error.span.is_none() {
            return Err(format!("a message without a line: {}", error.message));
        }
    }
    Ok(())
}

/// Builds a scene and makes a few steps.
fn build(mut loaded: Loaded) -> Result<(), String> {
    if !bounded(&mut loaded.scene) {
        return Ok(());
    }
    loaded.scene.threads = 1;
    let mut simulation = match esker_scene::run::build(&loaded) {
        Ok(simulation) => simulation,
        Err(RunError::Scene(errors)) => return refusal(&errors),
        Err(other) => return message(&other.to_string()),
    };
    steps(&mut simulation);
    Ok(())
}

fn steps(simulation: &mut Simulation) {
    for _ in 0..STEPS {
        if let Err(error) = simulation.step() {
            return drop(error.to_string());
        }
    }
    drop(simulation.snapshot());
    let _ = simulation.energy();
}

/// Reduces amounts that only cost time; returns whether the scene is small then.
fn bounded(scene: &mut Scene) -> bool {
    let staged = scene.stages.iter_mut().flat_map(|stage| &mut stage.changes);
    let inserted = staged.filter_map(|change| match change {
        Change::Insert(source) => Some(source),
        _ => None,
    });
    scene.particles.iter_mut().chain(inserted).all(small)
}

fn small(source: &mut Source) -> bool {
    match &mut source.placement {
        Placement::List(list) => list.len() <= MOST_PARTICLES,
        Placement::Lattice { count, .. } => {
            *count = Some(count.unwrap_or(MOST_PARTICLES).min(MOST_PARTICLES));
            true
        }
        Placement::Random { amount, .. } | Placement::Grow { amount, .. } => match amount {
            Amount::Count(count) => {
                *count = (*count).min(MOST_PARTICLES);
                true
            }
            _ => {
                *amount = Amount::Count(MOST_PARTICLES / 4);
                true
            }
        },
        Placement::Stream { .. } => true,
        // The fuzzer does not bound the number of points.
        Placement::Pattern(pattern) => {
            pattern.0.count().is_some_and(|count| count <= MOST_PARTICLES)
        }
    }
}

fn message(text: &str) -> Result<(), String> {
    match text.trim().is_empty() {
        true => Err("refused without a message".to_owned()),
        false => Ok(()),
    }
}

/// A scene that uses all files of the input.
fn with_files(input: &Input) -> String {
    let mut text = FILES.to_owned();
    for name in input.0.keys() {
        text.push_str(&match name.as_str() {
            "mesh.stl" | "mesh.obj" => {
                format!("[[walls]]\nname = \"w\"\nmaterial = \"a\"\nmesh = \"{name}\"\n")
            }
            "list.csv" => "[[particles]]\nname = \"p\"\nmaterial = \"a\"\nradius = 0.1\n\
                insert = { csv = \"list.csv\" }\n"
                .to_owned(),
            "bed.state" => "[[particles]]\nname = \"p\"\nmaterial = \"a\"\n\
                insert = { state = \"bed.state\" }\n"
                .to_owned(),
            _ => "[[walls]]\nname = \"w\"\nmaterial = \"a\"\nhalf-space = { point = [0, 0, 0], \
                normal = [0, 0, 1] }\nmotion = { table = \"motion.csv\" }\n"
                .to_owned(),
        });
    }
    text.push_str(
        "[[particles]]\nname = \"q\"\nmaterial = \"a\"\nradius = 0.1\n\
         insert = { list = [{ position = [0, 0, 5] }] }\n",
    );
    text
}

fn checkpoint(folder: &Path) -> Result<(), String> {
    let loaded = esker_scene::load_text("a.toml", TWO, "").expect("a good scene");
    match Checkpoint::read(&folder.join("checkpoint.esk")) {
        Err(error) => return message(&error.to_string()),
        Ok(checkpoint) => match Simulation::restore(loaded.scene, checkpoint.state) {
            Err(error) => message(&error.to_string())?,
            Ok(mut simulation) => steps(&mut simulation),
        },
    }
    let from = format!(
        "{FILES}[[particles]]\nname = \"p\"\nmaterial = \"a\"\n\
         insert = {{ from = \"checkpoint.esk\", history = true }}\n"
    );
    scene(&from, folder)
}

/// Resumes the run in a folder to its end; `force` accepts a changed scene.
fn resume(folder: &Path, light: bool) -> Result<(), String> {
    let loaded = esker_scene::load_text("a.toml", TWO, "").expect("a good scene");
    drop(Checkpoint::newest(&folder.join("run")).map_err(|error| error.to_string()));
    let options = RunOptions {
        folder: folder.join("run"),
        resume: true,
        force: true,
        threads: 1,
        light,
        ..RunOptions::default()
    };
    let run = match Run::open(loaded, &options) {
        Err(RunError::Scene(errors)) => return refusal(&errors),
        Err(error) => return message(&error.to_string()),
        Ok(run) => run,
    };
    let mut made = 0;
    let stop = AtomicBool::new(false);
    let ended = run.finish(&stop, |_| {
        made += 1;
        // A mutated state may be far from its end.
        stop.store(made > 500, std::sync::atomic::Ordering::Relaxed);
    });
    ended.map_or_else(|error| message(&error.to_string()), |_| Ok(()))
}

fn case(input: &Input, folder: &Path) -> Result<(), String> {
    let mut files = Files::default();
    for (name, bytes) in input.0.iter().filter(|(name, _)| !name.starts_with("runs/")) {
        files.insert(name.clone(), bytes.clone());
    }
    let case = match Case::read("fuzz", files) {
        Ok(case) => case,
        Err(error) => return message(&error.to_string()),
    };
    let planned = case.runs(Size::Quick);
    for run in planned.iter().take(4) {
        let changes: Vec<(&str, &str)> =
            run.changes.iter().filter_map(|change| change.split_once('=')).collect();
        let text = case.files.text(&run.scene).unwrap_or_default();
        if let Err(errors) = esker_scene::load_text_with("scene.toml", text, folder, &changes) {
            drop(errors.render(true));
        }
    }
    let runs = planned.iter().map(|run| RunResult {
        name: run.name.clone(),
        folder: folder.join("runs").join(&run.name),
        changes: run.changes.clone(),
        ended: "finished".to_owned(),
        failure: None,
        particles: 1,
        time: 1.0,
        steps: 1,
        wall_time: 1.0,
        processor_time: None,
        day: String::new(),
        reused: false,
    });
    let runs = runs.collect();
    let runner = CaseRunner { folder: folder.join("made"), program: "fuzz".to_owned(), threads: 1 };
    let result = match runner.judge(&case, Size::Quick, runs) {
        Ok(result) => result,
        Err(error) => return message(&error.to_string()),
    };
    let papers = esker_study::case::Papers::default();
    drop(esker_study::case::text_table(&result));
    if let Ok(page) = esker_study::case::results_page(&result, None) {
        drop(esker_study::case::validation_page(&papers, [page.as_str()]));
    }
    esker_study::case::page(&papers, &[result])
        .map_or_else(|error| message(&error.to_string()), |_| Ok(()))
}

fn words(text: &str) -> Result<(), String> {
    for line in text.lines() {
        let (kind, rest) = line.split_once(' ').unwrap_or(("set", line));
        match kind {
            "expression" => match esker_scene::expression::Expression::parse(rest) {
                Ok(expression) => drop(expression.at(0.5)),
                Err(error) => message(&error.message)?,
            },
            "formula" => match Formula::parse(rest) {
                Ok(formula) => drop(formula.references()),
                Err(error) => message(&error)?,
            },
            "vary" => match esker_study::sweep::Parameter::parse(rest) {
                Ok(parameter) => drop((parameter.words(), parameter.text(0.5), parameter.shown())),
                Err(wrong) => message(&format!("{wrong:?}"))?,
            },
            _ => {
                let (path, value) = rest.split_once('=').unwrap_or((rest, "1"));
                match esker_scene::load_text_with("a.toml", TWO, "", &[(path, value)]) {
                    Ok(loaded) => drop(loaded.render_warnings(true)),
                    // A value that is not TOML has no line in the file.
                    Err(errors) => message(&errors.render(true))?,
                }
            }
        }
    }
    Ok(())
}
