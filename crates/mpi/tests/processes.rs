//! Communication between the processes of an MPI job. Each test starts this program again, as several processes
//! under `mpirun`: `cargo test -p esker-mpi --features mpi --test processes`.

#![cfg(feature = "mpi")]

use esker::ranks::{Comm, Link};
use esker_mpi::Mpi;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Environment variable that contains the role of a process.
const PART: &str = "ESKER_MPI_TEST";
/// Longest time from the fault of one process to the end of all.
const PATIENCE: Duration = Duration::from_secs(30);

/// Starts this program as several processes with a role.
fn on_processes(count: &str, part: &str) -> (Output, Duration) {
    let clock = Instant::now();
    let output = Command::new("mpirun")
        .args(["--oversubscribe", "-n", count])
        .arg(std::env::current_exe().expect("this program"))
        .args(["--ignored", "--exact", "process", "--nocapture"])
        .env(PART, part)
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .stdin(Stdio::null())
        .output();
    (output.expect("mpirun starts"), clock.elapsed())
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

#[test]
#[ignore = "one of several processes; the other tests start it"]
fn process() {
    let Ok(part) = std::env::var(PART) else { return };
    let (_universe, comm) = esker_mpi::start().expect("MPI starts");
    esker_mpi::abort_on_panic();
    match part.as_str() {
        "operations" => (1..6).for_each(|piece| operations(&comm.clone().with_pieces(piece))),
        "panic" => {
            assert!(comm.rank() != 1, "the sky falls");
            comm.max(&mut [0]);
        }
        "hang" => {
            comm.watch(Duration::from_secs(2));
            if comm.rank() == 1 {
                std::thread::sleep(Duration::from_secs(600));
            }
            let link = |rank| Link { rank, send: vec![0.0], receive: vec![0.0] };
            let others = (0..comm.size()).filter(|rank| *rank != comm.rank());
            let mut links: Vec<Link> = others.map(link).collect();
            comm.start(&mut links);
            comm.finish(&mut links);
        }
        _ => panic!("unknown part {part}"),
    }
}

/// Bytes that depend on both ranks, as does their length; none for some pairs.
fn bytes(from: usize, to: usize) -> Vec<u8> {
    (0..(5 * from + 3 * to) % 11).map(|index| (31 * from + 7 * to + index) as u8).collect()
}

/// Compares each operation with its definition, evaluated for all ranks by each of them.
fn operations(comm: &Mpi) {
    let (rank, size) = (comm.rank(), comm.size());
    let number = |rank: usize, index: usize| (rank * 977 + index * 131) as u64 % 1009;
    let mut maxima: Vec<u64> = (0..13).map(|index| number(rank, index)).collect();
    comm.max(&mut maxima);
    let mut sums: Vec<i64> = (0..13).map(|index| number(rank, index) as i64 - 500).collect();
    comm.sum(&mut sums);
    for index in 0..13 {
        let all = (0..size).map(|rank| number(rank, index));
        assert_eq!(Some(maxima[index]), all.clone().max());
        assert_eq!(sums[index], all.map(|number| number as i64 - 500).sum::<i64>());
    }

    // shorter and longer than the first message of a broadcast
    for copies in [1, 30] {
        let mut sent = bytes(rank, 2).repeat(copies);
        comm.broadcast(&mut sent);
        assert_eq!(sent, bytes(0, 2).repeat(copies));
    }

    let gathered = comm.gather(&bytes(rank, 1));
    let expected: Vec<Vec<u8>> = (0..size).map(|from| bytes(from, 1)).collect();
    assert_eq!(gathered, if rank == 0 { expected } else { Vec::new() });

    // not every rank sends to every other
    let sends = |from: usize, to: usize| from != to && !(from + 2 * to).is_multiple_of(3);
    let messages = (0..size).filter(|&to| sends(rank, to)).map(|to| (to, bytes(rank, to)));
    let received = comm.exchange(messages.collect());
    let expected =
        (0..size).filter(|&from| sends(from, rank)).map(|from| (from, bytes(from, rank)));
    assert_eq!(received, expected.collect::<Vec<_>>());

    let numbers = |from: usize, to: usize| bytes(from, to).iter().map(|&b| f64::from(b)).collect();
    let others = (0..size).filter(|&other| other != rank);
    let mut links: Vec<Link> = others
        .map(|other| {
            let receive: Vec<f64> = numbers(other, rank);
            Link { rank: other, send: numbers(rank, other), receive: vec![-1.0; receive.len()] }
        })
        .collect();
    for round in 0..4 {
        comm.start(&mut links);
        // the links may move and other operations may run, since the communicator owns the buffers
        assert!(links.iter().all(|link| link.send.is_empty() && link.receive.is_empty()));
        let mut moved = links.clone();
        comm.max(&mut [round]);
        while round % 2 == 0 && !comm.poll(&mut moved) {}
        comm.finish(&mut moved);
        links = moved;
    }
    for link in &links {
        assert_eq!(link.receive, numbers(link.rank, rank), "from {}", link.rank);
    }
}

#[test]
fn every_operation_gives_what_it_should_with_messages_in_pieces() {
    for count in ["2", "4"] {
        let (output, _) = on_processes(count, "operations");
        assert!(output.status.success(), "{count} processes: {}", text(&output));
    }
}

#[test]
fn a_process_that_panics_ends_all_and_is_named() {
    let (output, time) = on_processes("3", "panic");
    let said = text(&output);
    assert!(!output.status.success() && time < PATIENCE, "{time:?}: {said}");
    assert!(said.contains("the sky falls") && said.contains("rank 1"), "{said}");
    assert!(said.contains("has panicked; the run ends"), "{said}");
}

#[test]
fn a_process_that_hangs_ends_all_and_the_message_says_who_waits_for_whom() {
    let (output, time) = on_processes("3", "hang");
    let said = text(&output);
    assert!(!output.status.success() && time < PATIENCE, "{time:?}: {said}");
    assert!(said.contains("no progress for 2 s while it waits for a message of rank 1"), "{said}");
}
