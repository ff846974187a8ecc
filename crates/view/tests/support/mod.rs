//! A small run, and requests over a plain socket.

#![allow(dead_code)]

use esker_scene::SceneText;
use esker_scene::run::{Run, RunOptions};
use esker_view::{Feed, FolderFeed, Server, ServerOptions};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Two groups of spheres fall on a floor.
pub const SCENE: &str = "format = 1\ntitle = \"A test <b>of</b> the viewer\"\ngravity = [0, 0, -9.81]\n\
    [domain]\nmin = [-2, -2, -0.5]\nmax = [2, 2, 1]\n\
    [materials]\ngrain = { density = 2500.0, young_modulus = 2.0e7, poisson_ratio = 0.25 }\n\
    [contact]\nnormal = \"hertz\"\ndamping = \"hertz\"\ntangential = \"mindlin\"\n\
    pairs = [{ between = [\"grain\", \"grain\"], friction = 0.5, restitution = 0.5 }]\n\
    [[particles]]\nname = \"a\"\nmaterial = \"grain\"\nradius = 0.02\n\
    insert = { count = 30, box = { min = [-0.1, -0.1, 0.02], max = [0.1, 0.1, 0.2] } }\n\
    [[particles]]\nname = \"b\"\nmaterial = \"grain\"\nradius = 0.015\n\
    insert = { count = 30, box = { min = [-0.1, -0.1, 0.2], max = [0.1, 0.1, 0.35] } }\n\
    [[walls]]\nname = \"floor\"\nmaterial = \"grain\"\nhalf-space = { point = [0, 0, 0], normal = [0, 0, 1] }\n\
    [[stages]]\nname = \"fall\"\nend = { after = 0.1 }\n[[stages]]\nname = \"rest\"\nend = { after = 0.1 }\n\
    [outputs]\nframes = { every = 0.02, contacts = true }\nenergy = { every = 0.005 }\nwalls = { every = 0.01 }\n";

/// Opens a run of the scene.
pub fn open(folder: &Path) -> Run {
    let text = SceneText { name: "test.toml".into(), text: SCENE.into(), base: PathBuf::new() };
    let loaded = text.load::<&str>(&[]).unwrap_or_else(|error| panic!("{}", error.render(false)));
    let options = RunOptions { folder: folder.to_path_buf(), threads: 1, ..RunOptions::default() };
    Run::open(loaded, &options).unwrap()
}

/// A finished run.
pub fn run(folder: &Path) {
    let summary = open(folder).finish(&AtomicBool::new(false), |_| {}).unwrap();
    assert_eq!(summary.failure, None);
}

/// A server of a folder.
pub fn serve(folder: &Path) -> Server {
    let feed: Arc<dyn Feed> = Arc::new(FolderFeed::open(folder).unwrap());
    Server::start(vec![feed], &ServerOptions::default()).unwrap()
}

/// Sends the head of a request and returns status and body.
pub fn send(server: &Server, head: &str) -> (u16, Vec<u8>) {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|w| w == b"\r\n\r\n").map_or(bytes.len(), |at| at + 4);
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    (status, bytes[end..].to_vec())
}

/// A request as the page sends it.
pub fn get(server: &Server, path: &str) -> (u16, Vec<u8>) {
    let head = format!(
        "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nX-Esker-Token: {}\r\nConnection: close\r\n\r\n",
        server.port(),
        server.token()
    );
    send(server, &head)
}

/// The same as JSON.
pub fn json(server: &Server, path: &str) -> serde_json::Value {
    let (status, body) = get(server, path);
    assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&body));
    serde_json::from_slice(&body).unwrap()
}
