//! A run in memory: pages display it without effect on its results and speed.

mod support;

use esker_view::{Feed, Live, Server, ServerOptions};
use std::collections::BTreeMap;
use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use support::{get, json, open, run};

/// All files of a run except those that contain wall-clock times.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for subfolder in ["", "frames"] {
        for entry in std::fs::read_dir(folder.join(subfolder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            let timed = ["summary.json", "report.html", "checkpoint.esk"].contains(&name.as_str());
            if path.is_file() && !timed {
                found.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    found
}

#[test]
fn a_page_sees_the_run_and_changes_no_file() {
    let plain = tempfile::tempdir().unwrap();
    run(plain.path());
    let watched = tempfile::tempdir().unwrap();
    let opened = open(watched.path());
    let live = Arc::new(Live::new(watched.path(), opened.simulation()).unwrap());
    let server =
        Server::start(vec![Arc::clone(&live) as Arc<dyn Feed>], &ServerOptions::default()).unwrap();
    assert_eq!(json(&server, "/api/0/run")["live"], true);
    let mut seen = Vec::new();
    let mut steps = 0_u64;
    let watch = |simulation: &esker::Simulation| {
        live.offer(simulation);
        steps += 1;
        if steps.is_multiple_of(20) {
            let known = seen.last().copied().unwrap_or(0);
            let news = json(&server, &format!("/api/0/next?frames=999&step={known}&contacts=1"));
            seen.push(news["step"].as_u64().unwrap());
            assert_eq!(get(&server, "/api/0/live?columns=velocity").0, 200);
            assert_eq!(get(&server, "/api/0/live/walls").0, 200);
        }
    };
    opened.finish(&AtomicBool::new(false), watch).unwrap();
    live.finish();
    assert!(seen.windows(2).any(|pair| pair[1] > pair[0]), "{seen:?}");
    assert_eq!(json(&server, "/api/0/next?frames=0")["state"], "finished");
    let (plain, watched) = (files(plain.path()), files(watched.path()));
    assert!(plain.len() > 20);
    assert_eq!(plain.keys().collect::<Vec<_>>(), watched.keys().collect::<Vec<_>>());
    for (name, bytes) in &plain {
        assert!(bytes == &watched[name], "{name} differs");
    }
}

#[test]
fn a_client_that_never_reads_does_not_hold_up_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let opened = open(folder.path());
    let live = Arc::new(Live::new(folder.path(), opened.simulation()).unwrap());
    let server =
        Server::start(vec![Arc::clone(&live) as Arc<dyn Feed>], &ServerOptions::default()).unwrap();
    let request = format!(
        "GET /api/0/live?columns=velocity HTTP/1.1\r\nHost: localhost\r\nX-Esker-Token: {}\r\n\r\n",
        server.token()
    );
    // Many requests on each connection; no response is read.
    let mut silent: Vec<TcpStream> =
        (0..12).map(|_| TcpStream::connect(("127.0.0.1", server.port())).unwrap()).collect();
    for stream in &mut silent {
        stream.set_nonblocking(true).unwrap();
        for _ in 0..200 {
            let _ = stream.write(request.as_bytes());
        }
    }
    let summary =
        opened.finish(&AtomicBool::new(false), |simulation| live.offer(simulation)).unwrap();
    assert_eq!((summary.stage.as_str(), &summary.failure), ("rest", &None));
    drop(silent);
    drop(server);
}
