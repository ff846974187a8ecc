//! Requests that are refused, and requests that are answered.

mod support;

use esker_scene::output::{FrameFile, frame_files};
use esker_view::frame::MAGIC;
use serde_json::Value;
use support::{get, json, run, send, serve};

/// A section of a frame as numbers.
fn section(bytes: &[u8], name: &str) -> Vec<f64> {
    assert_eq!(bytes[..4], MAGIC);
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let length = word(8);
    let header: Value = serde_json::from_slice(&bytes[12..12 + length]).unwrap();
    let found = header["sections"].as_array().unwrap().iter().find(|s| s["name"] == name).unwrap();
    let whole = |key: &str| found[key].as_u64().unwrap() as usize;
    let start = 12 + length + whole("offset");
    let count = whole("count") * whole("components");
    let body = &bytes[start..];
    match found["type"].as_str().unwrap() {
        "f32" => body.as_chunks::<4>().0[..count]
            .iter()
            .map(|b| f64::from(f32::from_le_bytes(*b)))
            .collect(),
        "u32" => body.as_chunks::<4>().0[..count]
            .iter()
            .map(|b| f64::from(u32::from_le_bytes(*b)))
            .collect(),
        "u16" => body.as_chunks::<2>().0[..count]
            .iter()
            .map(|b| f64::from(u16::from_le_bytes(*b)))
            .collect(),
        "u8" => body[..count].iter().map(|b| f64::from(*b)).collect(),
        other => panic!("{other}"),
    }
}

#[test]
fn wrong_hosts_origins_tokens_paths_and_methods_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path());
    let server = serve(folder.path());
    let (port, token) = (server.port(), server.token().to_owned());
    let head = |line: &str, host: &str, rest: &str| {
        format!("{line} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{rest}\r\n")
    };
    let right = format!("X-Esker-Token: {token}\r\n");
    let local = format!("127.0.0.1:{port}");
    let run_line = "GET /api/0/run";
    for (expected, request) in [
        (200, head(run_line, &local, &right)),
        (200, head("GET /", &local, "")),
        (200, head("GET /assets/main.js", "localhost:1", "")),
        (403, head(run_line, "example.com", &right)),
        (403, head(run_line, "localhost.", &right)),
        (403, head("GET /", "example.com", "")),
        (403, "GET / HTTP/1.0\r\nConnection: close\r\n\r\n".to_owned()),
        (403, head(run_line, &local, &format!("{right}Origin: null\r\n"))),
        (403, head(run_line, &local, &format!("{right}Origin: http://example.com\r\n"))),
        (403, head(run_line, &local, &format!("{right}Sec-Fetch-Site: cross-site\r\n"))),
        (403, head(run_line, &local, "")),
        (403, head(run_line, &local, "X-Esker-Token: 0123\r\n")),
        (405, head("POST /api/0/run", &local, &format!("{right}Content-Length: 0\r\n"))),
        (405, head("OPTIONS /api/0/run", &local, &right)),
        (413, format!("{}hello", head(run_line, &local, &format!("{right}Content-Length: 5\r\n")))),
        (404, head("GET /api/0/frames/999", &local, &right)),
        (404, head("GET /api/7/run", &local, &right)),
        (404, head("GET /assets/../Cargo.toml", &local, "")),
        (404, head("GET /assets/%2e%2e/Cargo.toml", &local, "")),
        (404, head("GET /api/0/tables/../../run.toml", &local, &right)),
        (404, head("GET /api/0/frames/0?columns=no_such", &local, &right)),
    ] {
        let (status, body) = send(&server, &request);
        // 422 for a missing column: the frame file exists without it.
        let alike = status == expected || (expected == 404 && status == 422);
        assert!(alike, "{request}: {status} {}", String::from_utf8_lossy(&body));
    }
    let (status, _) =
        send(&server, &head("GET /", &local, &format!("X: {}\r\n", "y".repeat(20_000))));
    assert!(status != 200, "a head of 20 kB was answered with {status}");
}

#[test]
fn sections_are_the_frame_rounded_to_single_precision() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path());
    let server = serve(folder.path());
    let info = json(&server, "/api/0/run");
    assert_eq!(info["state"], "finished");
    assert_eq!(info["times"].as_array().unwrap().len(), 11);
    assert_eq!(info["groups"], serde_json::json!(["a", "b"]));
    let starts: Vec<f64> =
        info["stages"].as_array().unwrap().iter().map(|s| s["start"].as_f64().unwrap()).collect();
    assert_eq!(starts, [0.0, 0.1]);
    let origin: Vec<f64> =
        info["origin"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let file = FrameFile::open(&frame_files(folder.path()).unwrap()[5].particles).unwrap();
    let (_, bytes) = get(&server, "/api/0/frames/5?columns=velocity,velocity.z,radius");
    let points = file.read("Points").unwrap().values;
    let expected: Vec<f64> =
        points.iter().enumerate().map(|(i, x)| f64::from((x - origin[i % 3]) as f32)).collect();
    assert_eq!(section(&bytes, "position"), expected);
    let velocity = file.read("velocity").unwrap().values;
    let z: Vec<f64> = velocity.chunks(3).map(|v| f64::from(v[2] as f32)).collect();
    assert_eq!(section(&bytes, "velocity.z"), z);
    let speed = |v: &[f64]| f64::from((v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt() as f32);
    assert_eq!(section(&bytes, "velocity"), velocity.chunks(3).map(speed).collect::<Vec<_>>());
    assert_eq!(section(&bytes, "id"), file.read("id").unwrap().values);
    // 16 bits for each direction of the bounding box.
    let (_, bytes) = get(&server, "/api/0/frames/5?positions=u16");
    assert!(section(&bytes, "position").contains(&65_535.0));
    let last = json(&server, "/api/0/frames/10/particles/17");
    let row = file.row_of(17).unwrap().unwrap();
    assert_eq!(last["row"], row);
    let history = json(&server, "/api/0/particles/17/history?column=velocity.z");
    let found = history["values"][5].as_f64().unwrap();
    // The JSON reader may differ in the last bit.
    assert!((found / velocity[3 * row + 2] - 1.0).abs() < 1e-15, "{found}");
    let (_, contacts) = get(&server, "/api/0/frames/10/contacts");
    assert!(section(&contacts, "force").iter().all(|force| *force >= 0.0));
    let (_, table) = get(&server, "/api/0/tables/0");
    assert_eq!(table, std::fs::read(folder.path().join("energy.csv")).unwrap());
    let displaced = get(&server, "/api/0/frames/5?columns=displacement@5").1;
    assert!(section(&displaced, "displacement@5").iter().all(|x| *x == 0.0));
}

#[test]
fn damaged_bytes_give_messages_and_never_break_the_server() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path());
    let frame = frame_files(folder.path()).unwrap()[5].clone();
    let paths =
        [frame.particles, frame.walls, frame.contacts.unwrap(), folder.path().join("frames.pvd")];
    let requests = [
        "/api/0/run",
        "/api/0/frames/5?columns=velocity,force.z",
        "/api/0/frames/5/walls",
        "/api/0/frames/5/contacts",
        "/api/0/frames/5/particles/17",
        "/api/0/particles/17/history?column=velocity",
    ];
    let mut random = 1_u64;
    let mut next = |below: usize| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    let mut refused = 0;
    for path in &paths {
        let whole = std::fs::read(path).unwrap();
        for round in 0..16 {
            let mut bytes = whole.clone();
            if round % 4 == 0 {
                bytes.truncate(next(whole.len()));
            }
            for _ in 0..1 + round / 4 {
                let at = next(bytes.len().max(1));
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = next(256) as u8;
                }
            }
            std::fs::write(path, &bytes).unwrap();
            let Ok(feed) = esker_view::FolderFeed::open(folder.path()) else { continue };
            let server = esker_view::Server::start(
                vec![std::sync::Arc::new(feed)],
                &esker_view::ServerOptions::default(),
            )
            .unwrap();
            for request in requests {
                let (status, body) = get(&server, request);
                let known = [200, 404, 422].contains(&status);
                assert!(known, "{request}: {status} {}", String::from_utf8_lossy(&body));
                refused += usize::from(status == 422);
            }
        }
        std::fs::write(path, &whole).unwrap();
    }
    assert!(refused > 60, "only {refused} requests were refused");
}

#[test]
fn damaged_folders_give_messages() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path());
    let frames = frame_files(folder.path()).unwrap();
    std::fs::write(&frames[3].particles, "nonsense").unwrap();
    std::fs::write(&frames[4].walls, "<VTKFile type=\"PolyData\"><AppendedData encoding=\"raw\">_")
        .unwrap();
    std::fs::remove_file(&frames[5].particles).unwrap();
    std::fs::write(folder.path().join("summary.json"), "{").unwrap();
    std::fs::write(folder.path().join("postmortem.json"), "[1").unwrap();
    let server = serve(folder.path());
    assert_eq!(json(&server, "/api/0/run")["state"], "stopped");
    for path in ["/api/0/frames/3", "/api/0/frames/4/walls", "/api/0/frames/5"] {
        let (status, body) = get(&server, path);
        let body = String::from_utf8(body).unwrap();
        assert_eq!(status, 422, "{body}");
        assert!(body.contains(".vtp"), "{body}");
    }
    std::fs::write(folder.path().join("run.toml"), "\u{0}= [").unwrap();
    assert_eq!(json(&serve(folder.path()), "/api/0/run")["title"], "");
}
