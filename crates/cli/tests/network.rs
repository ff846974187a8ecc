//! A run on several machines: network namespaces of this machine, connected by a bridge. Needs root, `ip` and
//! `unshare`; if namespaces are not allowed, the test reports it. With the feature `mpi`: `cargo test -p esker-cli
//! --features mpi --test network`.

#![cfg(all(feature = "mpi", target_os = "linux"))]

mod support;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use support::{SMALL, err, esker, files, same_files};

const MACHINES: usize = 3;
/// Longest time from cutting a link to the end of the run: the timeout of the watchdog, and the end of all processes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Machines represented by network namespaces, each with an address on a bridge. Removed at the end.
struct Network {
    /// Prefix of the names of the namespaces, so that concurrent tests use different ones.
    name: String,
    folder: tempfile::TempDir,
}

fn ip(arguments: &str) -> Result<(), String> {
    let words = arguments.split_whitespace();
    let found = Command::new("ip").args(words).output().map_err(|error| error.to_string())?;
    match found.status.success() {
        true => Ok(()),
        false => Err(format!("ip {arguments}: {}", err(&found).trim())),
    }
}

impl Network {
    /// An error states why the system does not allow it.
    fn new() -> Result<Self, String> {
        let name = format!("esk{}", std::process::id() % 10_000);
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let network = Self { name, folder };
        let hub = network.hub();
        ip(&format!("netns add {hub}"))?;
        ip(&format!("-n {hub} link add bridge type bridge"))?;
        ip(&format!("-n {hub} link set bridge up"))?;
        for machine in 0..MACHINES {
            let space = network.space(machine);
            ip(&format!("netns add {space}"))?;
            ip(&format!(
                "link add net netns {space} type veth peer name port{machine} netns {hub}"
            ))?;
            ip(&format!("-n {hub} link set port{machine} master bridge"))?;
            ip(&format!("-n {hub} link set port{machine} up"))?;
            ip(&format!("-n {space} addr add {}/24 dev net", address(machine)))?;
            ip(&format!("-n {space} link set net up"))?;
            ip(&format!("-n {space} link set lo up"))?;
        }
        network.write_agent().map_err(|error| error.to_string())?;
        let works = network.on(0, "true").output().map_err(|error| error.to_string())?;
        match works.status.success() {
            true => Ok(network),
            false => Err(err(&works)),
        }
    }

    fn hub(&self) -> String {
        format!("{}hub", self.name)
    }

    fn space(&self, machine: usize) -> String {
        format!("{}n{machine}", self.name)
    }

    fn agent(&self) -> PathBuf {
        self.folder.path().join("agent")
    }

    /// The launch agent: `agent ADDRESS COMMAND…` replaces `ssh`.
    fn write_agent(&self) -> std::io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        let text = format!(
            "#!/bin/sh\nmachine=${{1##*.10}}; shift\n\
             exec ip netns exec {}n$machine unshare --uts sh -c \"hostname machine$machine; $*\"\n",
            self.name
        );
        std::fs::write(self.agent(), text)?;
        std::fs::set_permissions(self.agent(), std::fs::Permissions::from_mode(0o755))
    }

    /// A shell command on a machine, with its own host name.
    fn on(&self, machine: usize, text: &str) -> Command {
        let mut command = Command::new("ip");
        let text = format!("hostname machine{machine}; exec {text}");
        command.args([
            "netns",
            "exec",
            &self.space(machine),
            "unshare",
            "--uts",
            "sh",
            "-c",
            &text,
        ]);
        command.arg("sh").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// A run of the program with one process on each machine, over TCP.
    fn run(&self, arguments: &[&str]) -> Command {
        let hosts: Vec<String> =
            (0..MACHINES).map(|machine| format!("{}:1", address(machine))).collect();
        let tcp = "--mca btl tcp,self --mca oob_tcp_if_include net --mca btl_tcp_if_include net";
        let text = format!(
            "mpirun --host {} -n {MACHINES} --mca plm_rsh_agent \"$AGENT\" {tcp} \"$@\"",
            hosts.join(",")
        );
        let mut command = self.on(0, &text);
        command
            .arg(env!("CARGO_BIN_EXE_esker"))
            .args(arguments)
            .env("AGENT", self.agent())
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .current_dir(self.folder.path());
        command
    }

    fn cut(&self, machine: usize) {
        ip(&format!("-n {} link set port{machine} down", self.hub())).expect("the link is cut");
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for machine in 0..MACHINES {
            let space = self.space(machine);
            // the launcher's daemon on a disconnected machine is not notified of the end of the run
            for process in self.processes(machine).split_whitespace() {
                let _ = Command::new("kill").args(["-KILL", process]).status();
            }
            let _ = ip(&format!("netns del {space}"));
        }
        let _ = ip(&format!("netns del {}", self.hub()));
    }
}

fn address(machine: usize) -> String {
    format!("10.77.0.10{machine}")
}

fn wait_for(path: &Path) {
    let clock = Instant::now();
    while !path.is_file() {
        assert!(clock.elapsed() < Duration::from_secs(120), "{} is not there", path.display());
        std::thread::sleep(Duration::from_millis(20));
    }
}

impl Network {
    /// True if a process of the program exists on any of the machines.
    fn is_running(&self) -> bool {
        let program = Path::new(env!("CARGO_BIN_EXE_esker")).canonicalize().expect("the program");
        let runs = |process: &str| {
            std::fs::read_link(format!("/proc/{process}/exe")).is_ok_and(|path| path == program)
        };
        (0..MACHINES).any(|machine| self.processes(machine).split_whitespace().any(runs))
    }

    fn processes(&self, machine: usize) -> String {
        let found = Command::new("ip").args(["netns", "pids", &self.space(machine)]).output();
        found.map_or(String::new(), |found| String::from_utf8_lossy(&found.stdout).into_owned())
    }

    /// Waits until all processes of a run have ended, and returns their output. The launcher may wait for the machine
    /// that it cannot reach, and is ended.
    fn ended(&self, mut child: Child) -> String {
        let clock = Instant::now();
        while self.is_running() {
            assert!(
                clock.elapsed() < PATIENCE,
                "the run goes on {PATIENCE:?} after its link was cut"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
        // the last output passes through the launcher
        std::thread::sleep(Duration::from_secs(2));
        let _ = child.kill();
        let _ = child.wait();
        std::fs::read_to_string(self.path().join("said")).expect("it was written")
    }
}

#[test]
fn a_link_that_is_cut_ends_the_run_with_a_message_and_it_goes_on_to_the_same_bytes() {
    let network = match Network::new() {
        Ok(network) => network,
        Err(reason) => return println!("not possible here: {reason}"),
    };
    let scene = SMALL.replace("end = { after = 0.06 }", "end = { after = 0.3 }");
    std::fs::write(network.path().join("scene.toml"), scene).expect("it can be written");
    let run = ["run", "scene.toml", "--threads", "1", "--mpi-timeout", "4", "--out", "parts"];
    let said = std::fs::File::create(network.path().join("said")).expect("a file");
    let child = network.run(&run).stderr(said).spawn().expect("it starts");
    wait_for(&network.path().join("parts/checkpoint.esk"));
    network.cut(MACHINES - 1);
    let said = network.ended(child);
    assert!(said.contains("no progress for 4 s while it waits for"), "{said}");
    assert!(said.contains("on `machine") && said.contains("--resume"), "{said}");

    let resume = ["run", "scene.toml", "--threads", "1", "--out", "parts", "--resume"];
    let resumed = esker(network.path(), &resume);
    assert!(resumed.status.success(), "{}", err(&resumed));
    let whole = esker(network.path(), &["run", "scene.toml", "--threads", "1", "--out", "whole"]);
    assert!(whole.status.success(), "{}", err(&whole));
    same_files(&files(&network.path().join("whole")), &files(&network.path().join("parts")));
}
