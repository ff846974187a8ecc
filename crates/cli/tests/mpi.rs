//! Runs on several processes of an MPI job. With the feature `mpi`, and Open MPI on the machine:
//! `cargo test -p esker-cli --features mpi --test mpi`.

#![cfg(feature = "mpi")]

mod support;

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use support::busy::{BUSY, TRAY};
use support::{BLOCKS, SMALL, err, esker, files, same_files};

/// Longest time from the end of a process to the end of the run.
const PATIENCE: Duration = Duration::from_secs(20);

fn folder(scene: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("scene.toml", scene), ("tray.stl", TRAY)] {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    }
    folder
}

/// The program as several processes. More processes than cores are allowed, and root, as in a container.
fn mpirun(folder: &Path, processes: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command
        .args(["--oversubscribe", "-n", processes, env!("CARGO_BIN_EXE_esker")])
        .args(arguments)
        .current_dir(folder);
    as_root(&mut command);
    command
}

/// Open MPI refuses to run as root, the user of tests in a container, unless two variables are set.
fn as_root(command: &mut Command) -> &mut Command {
    command
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
}

fn output(folder: &Path, processes: &str, arguments: &[&str]) -> Output {
    mpirun(folder, processes, arguments).output().expect("mpirun starts")
}

#[test]
fn all_files_are_the_same_for_any_number_of_processes() {
    let folder = folder(SMALL);
    let run = ["run", "scene.toml", "--threads", "1", "--out"];
    assert!(esker(folder.path(), &[&run[..], &["one"]].concat()).status.success());
    let one = files(&folder.path().join("one"));
    for processes in ["2", "4", "8"] {
        let found = output(folder.path(), processes, &[&run[..], &[processes]].concat());
        assert!(found.status.success(), "{processes}: {}", err(&found));
        same_files(&one, &files(&folder.path().join(processes)));
    }
}

#[test]
fn files_of_several_blocks_are_written_by_all_processes_and_read_by_any_number() {
    let folder = folder(BLOCKS);
    let run = ["run", "scene.toml", "--threads", "1", "--out"];
    assert!(esker(folder.path(), &[&run[..], &["one"]].concat()).status.success());
    let one = files(&folder.path().join("one"));
    let found = output(folder.path(), "3", &[&run[..], &["three"]].concat());
    assert!(found.status.success(), "{}", err(&found));
    same_files(&one, &files(&folder.path().join("three")));
    // saved on three, continued on two, and on one
    let cut = output(folder.path(), "3", &[&run[..], &["parts", "--max-time", "0.01"]].concat());
    assert_eq!(cut.status.code(), Some(124), "{}", err(&cut));
    let more = [&run[..], &["parts", "--resume", "--max-time", "0.01"]].concat();
    let cut = output(folder.path(), "2", &more);
    assert!(matches!(cut.status.code(), Some(124 | 0)), "{}", err(&cut));
    let rest = esker(folder.path(), &[&run[..], &["parts", "--resume"]].concat());
    assert!(rest.status.success(), "{}", err(&rest));
    same_files(&one, &files(&folder.path().join("parts")));
}

#[test]
fn only_the_first_process_needs_the_scene_its_mesh_and_its_bed() {
    let folder = folder(BUSY);
    let bed = "--set=stages[0].end.after=0.01";
    assert!(esker(folder.path(), &["run", "scene.toml", "--out", "bed", bed]).status.success());
    let block = BUSY.find("insert = { count = 70").expect("it is there");
    let line = BUSY[block..].lines().next().expect("a line");
    let scene = BUSY.replace(line, "insert = { from = \"bed/checkpoint.esk\" }");
    std::fs::write(folder.path().join("scene.toml"), scene).expect("it can be written");
    let run = ["run", "scene.toml", "--threads", "1", "--out"];
    let one = esker(folder.path(), &[&run[..], &["one"]].concat());
    assert!(one.status.success(), "{}", err(&one));
    // all processes but the first one run in another folder, which contains none of the files
    let away = tempfile::tempdir().expect("a folder");
    let script = "if [ $OMPI_COMM_WORLD_RANK != 0 ]; then cd \"$AWAY\"; fi; exec \"$@\"";
    let mut command = Command::new("mpirun");
    command
        .args(["--oversubscribe", "-n", "3", "sh", "-c", script, "sh"])
        .arg(env!("CARGO_BIN_EXE_esker"))
        .args([&run[..], &["three"]].concat())
        .env("AWAY", away.path());
    let found = as_root(&mut command).current_dir(folder.path()).output().expect("mpirun starts");
    assert!(found.status.success(), "{}", err(&found));
    same_files(&files(&folder.path().join("one")), &files(&folder.path().join("three")));
    assert_eq!(std::fs::read_dir(away.path()).expect("a folder").count(), 0);
}

/// A scene that takes some time.
fn long() -> String {
    SMALL.replace("end = { after = 0.06 }", "end = { after = 0.6 }")
}

/// Starts a run on three processes and waits until it has saved a checkpoint.
fn started(folder: &Path) -> Child {
    let run = ["run", "scene.toml", "--threads", "1", "--out", "parts", "--mpi-timeout", "4"];
    let mut command = mpirun(folder, "3", &run);
    // seconds for processes to save before mpirun kills them
    let child = command.env("OMPI_MCA_odls_base_sigkill_timeout", "8").spawn();
    let child = child.expect("mpirun starts");
    let checkpoint = folder.join("parts/checkpoint.esk");
    let start = Instant::now();
    while !checkpoint.is_file() {
        assert!(start.elapsed() < Duration::from_secs(120), "no checkpoint");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

fn signal(name: &str, process: u32) {
    let kill = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(kill.expect("kill starts").success());
}

/// Child processes of a process.
fn children(process: u32) -> Vec<u32> {
    let found = Command::new("pgrep").args(["-P", &process.to_string()]).output();
    let text = String::from_utf8(found.expect("pgrep starts").stdout).expect("text");
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

/// The run without an interruption.
fn whole(folder: &Path) {
    let run = ["run", "scene.toml", "--threads", "1", "--out", "whole"];
    assert!(esker(folder, &run).status.success());
}

/// Continues a run on two processes, and compares it with an uninterrupted one.
fn goes_on_to_the_same_bytes(folder: &Path) {
    let resume = ["run", "scene.toml", "--threads", "1", "--out", "parts", "--resume"];
    let resumed = output(folder, "2", &resume);
    assert!(resumed.status.success(), "{}", err(&resumed));
    whole(folder);
    same_files(&files(&folder.join("whole")), &files(&folder.join("parts")));
}

/// Waits for the end of a run after a fault, which must come soon and without success.
fn ends_soon(child: Child) -> String {
    let clock = Instant::now();
    let found = child.wait_with_output().expect("it ends");
    assert!(clock.elapsed() < PATIENCE, "{:?}", clock.elapsed());
    assert!(!found.status.success(), "{}", err(&found));
    err(&found)
}

/// A random number below `bound` that differs from run to run.
fn random(bound: u64) -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish() % bound
}

#[test]
fn a_process_that_is_killed_ends_all_and_the_run_goes_on_to_the_same_bytes() {
    let folder = folder(&long());
    let child = started(folder.path());
    let (rank, delay) = (random(3) as usize, random(400));
    let processes = children(child.id());
    assert_eq!(processes.len(), 3);
    std::thread::sleep(Duration::from_millis(delay));
    signal("-KILL", processes[rank]);
    let said = ends_soon(child);
    assert!(said.contains("signal 9"), "process {rank} after {delay} ms: {said}");
    goes_on_to_the_same_bytes(folder.path());
}

#[test]
fn a_process_that_hangs_ends_all_and_the_run_goes_on_to_the_same_bytes() {
    let folder = folder(&long());
    let child = started(folder.path());
    let processes = children(child.id());
    // the process stops without ending, as if its machine had failed
    signal("-STOP", processes[1]);
    let said = ends_soon(child);
    assert!(said.contains("no progress for 4 s while it waits for"), "{said}");
    assert!(said.contains("--resume") && said.contains("rank"), "{said}");
    goes_on_to_the_same_bytes(folder.path());
}

#[test]
fn a_limit_of_time_saves_and_the_run_goes_on_to_the_same_bytes() {
    let folder = folder(SMALL);
    let run = ["run", "scene.toml", "--threads", "1", "--out", "parts", "--max-time", "0.01"];
    let cut = output(folder.path(), "3", &run);
    assert_eq!(cut.status.code(), Some(124), "{}", err(&cut));
    goes_on_to_the_same_bytes(folder.path());
}

#[test]
fn a_full_disk_ends_all_processes_and_names_the_file() {
    let folder = folder(&long());
    let small = folder.path().join("disk");
    std::fs::create_dir(&small).expect("it can be created");
    let mount = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"])
        .arg(&small)
        .output();
    match mount {
        Ok(done) if done.status.success() => {}
        other => {
            return println!("not possible here, a small file system cannot be mounted: {other:?}");
        }
    }
    let run = ["run", "scene.toml", "--threads", "1", "--out", "disk/run"];
    let found = output(folder.path(), "3", &run);
    let unmount = Command::new("umount").arg(&small).status();
    assert!(unmount.is_ok_and(|status| status.success()));
    assert_eq!(found.status.code(), Some(2), "{}", err(&found));
    assert!(err(&found).contains("error: cannot write `disk/run/"), "{}", err(&found));
}

#[test]
fn a_full_disk_of_one_process_ends_all_with_its_rank_and_the_run_goes_on_to_the_same_bytes() {
    let folder = folder(BLOCKS);
    // the second process may write files of at most 64 blocks, which is an error like a full disk
    let script =
        "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then trap '' XFSZ; ulimit -S -f 64; fi; exec \"$@\"";
    let run = ["run", "scene.toml", "--threads", "1", "--out", "parts"];
    let mut command = Command::new("mpirun");
    command
        // shared memory of processes is a file, too
        .args(["--oversubscribe", "--mca", "btl", "tcp,self", "-n", "3", "sh", "-c", script, "sh"])
        .arg(env!("CARGO_BIN_EXE_esker"))
        .args(run);
    let found = as_root(&mut command).current_dir(folder.path()).output().expect("mpirun starts");
    let said = err(&found);
    assert_eq!(found.status.code(), Some(2), "{said}");
    assert!(said.contains("error: cannot write `parts/frames/particles_000000.vtp`"), "{said}");
    assert!(said.contains("(rank 1 on `") && said.contains("help: free disk space"), "{said}");
    goes_on_to_the_same_bytes(folder.path());
}

#[test]
fn a_kill_while_a_checkpoint_is_written_leaves_a_whole_one() {
    // more than a section, so that several processes write
    let scene = BLOCKS.replace("checkpoint = { every = 4e-5 }", "checkpoint = { every = 1e-5 }");
    let scene = scene.replace("end = { after = 4e-5 }", "end = { after = 2e-3 }");
    for rank in 0..3 {
        let folder = folder(&scene);
        let child = started(folder.path());
        let processes = children(child.id());
        assert_eq!(processes.len(), 3);
        let is_writing = || {
            let entries = std::fs::read_dir(folder.path().join("parts")).expect("a folder");
            let mut names = entries.flatten().map(|entry| entry.file_name());
            names.any(|name| name.to_string_lossy().starts_with(".checkpoint.esk."))
        };
        let start = Instant::now();
        while !is_writing() {
            assert!(start.elapsed() < Duration::from_secs(60), "no further checkpoint");
        }
        signal("-KILL", processes[rank]);
        ends_soon(child);
        for name in ["checkpoint.esk", "checkpoint.previous.esk"] {
            let path = folder.path().join("parts").join(name);
            let info = esker(folder.path(), &["info", &path.display().to_string()]);
            assert!(info.status.success() || !path.exists(), "{name}: {}", err(&info));
        }
        let shorter = ["--set", "stages[1].end.after=5e-4", "--force"];
        let mut resume = vec!["run", "scene.toml", "--threads", "1", "--out", "parts", "--resume"];
        resume.extend(shorter);
        let resumed = output(folder.path(), "2", &resume);
        assert!(resumed.status.success(), "{}", err(&resumed));
        let mut whole = vec!["run", "scene.toml", "--threads", "1", "--out", "whole"];
        whole.extend(&shorter[..2]);
        assert!(esker(folder.path(), &whole).status.success());
        // the scene in `run.toml` differs in its comments only
        let [mut one, mut other] = ["whole", "parts"].map(|name| files(&folder.path().join(name)));
        one.remove("run.toml");
        other.remove("run.toml");
        same_files(&one, &other);
    }
}

#[test]
fn ctrl_c_on_mpirun_saves_and_the_run_goes_on_to_the_same_bytes() {
    let folder = folder(&long());
    let child = started(folder.path());
    signal("-INT", child.id());
    let found = child.wait_with_output().expect("it ends");
    assert!(!found.status.success());
    // written after the last checkpoint, by a run that has ended regularly
    assert!(folder.path().join("parts/summary.json").is_file(), "{}", err(&found));
    let resume = ["run", "scene.toml", "--threads", "2", "--out", "parts", "--resume"];
    let resumed = esker(folder.path(), &resume);
    assert!(resumed.status.success(), "{}", err(&resumed));
    whole(folder.path());
    same_files(&files(&folder.path().join("whole")), &files(&folder.path().join("parts")));
}

#[test]
fn a_scene_that_is_refused_ends_all_processes_with_one_message() {
    let folder = folder(&SMALL.replacen("material = \"grain\"", "material = \"grian\"", 1));
    let found = output(folder.path(), "3", &["run", "scene.toml", "--out", "refused"]);
    assert!(!found.status.success());
    assert_eq!(err(&found).matches("1 error in scene.toml").count(), 1, "{}", err(&found));
    assert!(!folder.path().join("refused").exists());
}

#[test]
fn commands_that_do_not_use_mpi_are_refused() {
    let folder = folder(SMALL);
    let found = output(folder.path(), "2", &["sweep", "scene.toml"]);
    assert!(!found.status.success());
    assert!(err(&found).contains("does not use MPI"), "{}", err(&found));
}
