//! `esker view`, and `esker run --view`.

use crate::arguments;
use crate::builtin;
use crate::failure::{Failure, print_line, say};
use crate::interrupt::Interrupt;
use esker::Simulation;
use esker_scene::run::{Run, holds_run, write_file};
use esker_view::{
    Export, Feed, FolderFeed, Live, PictureOptions, SceneFeed, Server, ServerOptions, ViewError,
};
use std::io::IsTerminal;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Default parent folder of runs.
const RUNS: &str = "runs";
/// Time between two checks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(100);

impl From<ViewError> for Failure {
    fn from(error: ViewError) -> Self {
        Self::input(error.to_string())
    }
}

/// Shows runs or a scene.
pub fn view(arguments: &arguments::View) -> Result<(), Failure> {
    // Before any thread is started, since threads inherit the signal mask.
    let interrupt = Interrupt::listen()?;
    let feeds = feeds(arguments)?;
    if feeds.len() > 1 && (arguments.export.is_some() || arguments.picture.is_some()) {
        let message = "`--export` and `--picture` take one run; two were given";
        return Err(Failure::input(message.to_owned()));
    }
    if let Some(path) = &arguments.export {
        return export(arguments, &*feeds[0], path);
    }
    if let Some(path) = &arguments.picture {
        return picture(arguments, &*feeds[0], path);
    }
    let server = Server::start(feeds, &ServerOptions { port: arguments.port })?;
    announce(&server, arguments.no_browser)?;
    say(format_args!("Ctrl-C ends the viewer.\n"));
    while !interrupt.flag().load(Ordering::Relaxed) {
        std::thread::sleep(LOOK);
    }
    Ok(())
}

fn feeds(arguments: &arguments::View) -> Result<Vec<Arc<dyn Feed>>, Failure> {
    let mut names = arguments.runs.clone();
    if names.len() > 2 {
        let message = format!("{} runs were given; at most two can be shown", names.len());
        return Err(Failure::input(message));
    }
    if names.is_empty() {
        let newest = esker_view::newest_run(Path::new(RUNS));
        let newest = newest.ok_or_else(|| {
            Failure::input(format!("there is no run in `{RUNS}`"))
                .help("give a run folder or a scene, or start a run with `esker run pile`")
        })?;
        names.push(newest.display().to_string());
    }
    names.iter().map(|name| feed(name, &arguments.changes)).collect()
}

fn feed(name: &str, changes: &[String]) -> Result<Arc<dyn Feed>, Failure> {
    let path = Path::new(name);
    let in_runs = Path::new(RUNS).join(name);
    if path.is_dir() || holds_run(&in_runs) {
        let folder = if path.is_dir() { path } else { &in_runs };
        return Ok(Arc::new(FolderFeed::open(folder)?));
    }
    if !path.exists() && builtin::find(name).is_none() {
        let message =
            format!("`{name}` is neither a run folder, a scene file nor a built-in scene");
        return Err(Failure::input(message).help(builtin::suggestion(name)));
    }
    let (_, loaded) = builtin::load(name, changes)?;
    Ok(Arc::new(SceneFeed::open(&loaded, name)??))
}

fn export(arguments: &arguments::View, feed: &dyn Feed, path: &Path) -> Result<(), Failure> {
    let mut options = Export { frames: arguments.frames, ..Export::default() };
    if arguments.frames.is_some() {
        // The user has chosen the number of frames.
        options.particle_frames = usize::MAX;
    }
    if !arguments.columns.is_empty() {
        options.columns.clone_from(&arguments.columns);
    }
    let page = esker_view::export(feed, &options)?;
    write_file(path, page.as_bytes())?;
    say(format_args!("{:.1} MB, open in a browser:\n", page.len() as f64 / 1e6));
    print_line(&path.display().to_string())
}

fn picture(arguments: &arguments::View, feed: &dyn Feed, path: &Path) -> Result<(), Failure> {
    let default = PictureOptions::default();
    let (camera, section) = match arguments.camera.len() {
        10 => (&arguments.camera[..6], Some(&arguments.camera[6..])),
        _ => (arguments.camera.as_slice(), None),
    };
    let threshold = match arguments.threshold.as_slice() {
        [] => None,
        [name, low, high] => {
            let number = |text: &String| {
                text.parse::<f64>()
                    .map_err(|_| Failure::input(format!("`--threshold`: `{text}` is not a number")))
            };
            Some((name.clone(), number(low)?, number(high)?))
        }
        given => return Err(wrong_count("threshold", given.len(), "a name and two numbers")),
    };
    let options = PictureOptions {
        frame: arguments.frame,
        color: arguments.color.clone(),
        range: numbers("range", &arguments.range, "two numbers")?,
        camera: numbers("camera", camera, "six or ten numbers")?.unwrap_or(default.camera),
        section: numbers("camera", section.unwrap_or_default(), "six or ten numbers")?,
        size: numbers("size", &arguments.size, "two numbers")?.unwrap_or(default.size),
        hidden: arguments.hide.clone(),
        clip: numbers("clip", &arguments.clip, "four numbers")?,
        inside: numbers("box", &arguments.inside, "six numbers")?,
        threshold,
    };
    let (png, caption) = esker_view::picture(feed, &options)?;
    write_file(path, &png)?;
    say(format_args!("{caption}\n"));
    print_line(&path.display().to_string())
}

/// The numbers of an option; none if it is not given.
fn numbers<T: Copy, const N: usize>(
    option: &str,
    given: &[T],
    expected: &str,
) -> Result<Option<[T; N]>, Failure> {
    match given {
        [] => Ok(None),
        given => match given.try_into() {
            Ok(numbers) => Ok(Some(numbers)),
            Err(_) => Err(wrong_count(option, given.len(), expected)),
        },
    }
}

fn wrong_count(option: &str, given: usize, expected: &str) -> Failure {
    Failure::input(format!("`--{option}` has {given} values; expected: {expected}"))
        .help("`esker view --help` explains them")
}

/// Prints the address, and opens it on a desktop.
fn announce(server: &Server, no_browser: bool) -> Result<(), Failure> {
    let port = server.port();
    say(format_args!(
        "The viewer is at the address below. From another machine: ssh -L {port}:127.0.0.1:{port} HOST, then \
         open it there.\n"
    ));
    print_line(&server.address())?;
    if !no_browser && std::io::stderr().is_terminal() {
        open_browser(&server.address());
    }
    Ok(())
}

/// Opens an address with the default browser. If that fails, the user can use the printed address.
fn open_browser(address: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else if ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some()) {
        ("xdg-open", &[])
    } else {
        return;
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address).stdin(Stdio::null());
    let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}

/// A run that is served while it computes.
pub struct Watched {
    live: Arc<Live>,
    /// Serves until dropped.
    _server: Server,
}

impl Watched {
    /// Starts to serve an opened run.
    pub fn start(run: &Run, port: u16, no_browser: bool) -> Result<Self, Failure> {
        let live = Arc::new(Live::new(run.folder(), run.simulation())?);
        let feed: Arc<dyn Feed> = Arc::clone(&live) as Arc<dyn Feed>;
        let server = Server::start(vec![feed], &ServerOptions { port })?;
        announce(&server, no_browser)?;
        Ok(Self { live, _server: server })
    }

    /// Copies the state if a page waits.
    pub fn offer(&self, simulation: &Simulation) {
        self.live.offer(simulation);
    }

    /// Records the end of the run. On a terminal, the viewer stays open until Ctrl-C.
    pub fn stay(self, interrupt: &Interrupt) {
        self.live.finish();
        if !std::io::stderr().is_terminal() || interrupt.flag().load(Ordering::Relaxed) {
            return;
        }
        say(format_args!("The viewer stays open until Ctrl-C.\n"));
        while !interrupt.flag().load(Ordering::Relaxed) {
            std::thread::sleep(LOOK);
        }
    }
}
