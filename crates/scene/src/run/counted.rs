//! Communication between ranks with counts of messages, bytes and waiting time; reports of all ranks.
//!
//! A rank that follows the first one waits for its next command in a broadcast. A query of [`CountedRanks`] is also
//! such a broadcast: it is answered here, and the rank continues to wait.

use super::host::{host_name, peak_memory};
use super::stopwatch::process_seconds;
use esker::ranks::{Comm, Link};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Begins a query; no other broadcast begins with these bytes.
const QUERY: [u8; 16] = *b"\xd5esker-query\0\x91\x07\xfe";
/// Kind of a query, after [`QUERY`]: a report, or a reset of the counts.
const REPORT: u8 = 0;
const RESET: u8 = 1;

/// Communication of a rank.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Communication {
    /// Number of exchanges of ghosts.
    pub halo_exchanges: u64,
    /// Messages sent to other ranks in these exchanges.
    pub halo_messages: u64,
    /// Bytes sent in these exchanges.
    pub halo_bytes: u64,
    /// Bytes received in these exchanges.
    pub halo_received: u64,
    /// Time to send and to wait in these exchanges [s].
    pub halo_seconds: f64,
    /// Number of global reductions: maxima and sums over all ranks.
    pub agreements: u64,
    /// Time in these reductions, most of it waiting for the slowest rank [s].
    pub agreement_seconds: f64,
    /// Bytes sent in all other operations: commands, migration, gathered states.
    pub other_bytes: u64,
    /// Time in these operations [s]. Ranks wait here while the first one writes files.
    pub other_seconds: f64,
}

impl Communication {
    /// Time in all operations [s].
    pub fn seconds(&self) -> f64 {
        self.halo_seconds + self.agreement_seconds + self.other_seconds
    }
}

/// Report of a rank.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RankReport {
    /// Name of its machine.
    pub host: String,
    /// Peak memory of its process; none for ranks that are threads of one process [bytes].
    pub peak_memory: Option<u64>,
    /// Processor time of its process since the start of the run; none as for the memory [s].
    pub processor_time: Option<f64>,
    /// Time since the start of the run [s].
    pub wall_time: f64,
    /// Its communication.
    pub communication: Communication,
}

/// A communicator that counts.
#[derive(Debug)]
pub struct CountedRanks {
    inner: Arc<dyn Comm>,
    /// True if each rank is a process.
    are_processes: bool,
    counts: Mutex<Counts>,
}

#[derive(Debug)]
struct Counts {
    /// Start of the counts: wall-clock and processor time.
    started: Instant,
    processor: Option<f64>,
    communication: Communication,
}

impl Counts {
    fn new() -> Self {
        let (started, processor) = (Instant::now(), process_seconds());
        Self { started, processor, communication: Communication::default() }
    }
}

impl CountedRanks {
    /// Starts counting.
    pub fn new(inner: Arc<dyn Comm>, are_processes: bool) -> Self {
        Self { inner, are_processes, counts: Mutex::new(Counts::new()) }
    }

    /// True if each rank is a process, not a thread of this one.
    pub fn are_processes(&self) -> bool {
        self.are_processes
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        // no code that can panic runs while it is locked
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The report of this rank.
    pub fn report(&self) -> RankReport {
        let counts = self.counts();
        let processor = || Some(process_seconds()? - counts.processor?);
        RankReport {
            host: host_name(),
            peak_memory: self.are_processes.then(peak_memory).flatten(),
            processor_time: self.are_processes.then(processor).flatten(),
            wall_time: counts.started.elapsed().as_secs_f64(),
            communication: counts.communication,
        }
    }

    /// The reports of all ranks, in order of rank. Called only by the first one, while the others wait for a command.
    pub fn reports(&self) -> Vec<RankReport> {
        self.query(REPORT);
        let reports = self.inner.gather(&self.encoded_report());
        reports.iter().map(|bytes| postcard::from_bytes(bytes).unwrap_or_default()).collect()
    }

    /// Resets the counts of all ranks. Called only by the first one, while the others wait for a command.
    pub fn reset(&self) {
        self.query(RESET);
        *self.counts() = Counts::new();
    }

    fn query(&self, what: u8) {
        self.inner.broadcast(&mut [&QUERY[..], &[what]].concat());
    }

    fn encoded_report(&self) -> Vec<u8> {
        postcard::to_allocvec(&self.report()).unwrap_or_default()
    }

    /// Answers a query of the first rank; false if the broadcast is not a query.
    fn answer(&self, bytes: &[u8]) -> bool {
        match bytes.strip_prefix(&QUERY) {
            Some([REPORT]) => drop(self.inner.gather(&self.encoded_report())),
            Some([RESET]) => *self.counts() = Counts::new(),
            _ => return false,
        }
        true
    }

    /// Measures the time of an operation whose communication is counted by `count`.
    fn timed<R>(&self, act: impl FnOnce() -> R, count: impl FnOnce(&mut Communication, f64)) -> R {
        let clock = Instant::now();
        let result = act();
        count(&mut self.counts().communication, clock.elapsed().as_secs_f64());
        result
    }

    fn agreement(&self, act: impl FnOnce()) {
        self.timed(act, |all, seconds| {
            all.agreements += 1;
            all.agreement_seconds += seconds;
        });
    }

    fn other<R>(&self, bytes: usize, act: impl FnOnce() -> R) -> R {
        self.timed(act, |all, seconds| {
            all.other_bytes += bytes as u64;
            all.other_seconds += seconds;
        })
    }
}

impl Comm for CountedRanks {
    fn rank(&self) -> usize {
        self.inner.rank()
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn max(&self, numbers: &mut [u64]) {
        self.agreement(|| self.inner.max(numbers));
    }

    fn sum(&self, numbers: &mut [i64]) {
        self.agreement(|| self.inner.sum(numbers));
    }

    fn broadcast(&self, bytes: &mut Vec<u8>) {
        let is_first = self.rank() == 0;
        loop {
            let sent = if is_first { bytes.len() } else { 0 };
            self.other(sent, || self.inner.broadcast(bytes));
            if is_first || !self.answer(bytes) {
                return;
            }
            bytes.clear();
        }
    }

    fn gather(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let sent = if self.rank() == 0 { 0 } else { bytes.len() };
        self.other(sent, || self.inner.gather(bytes))
    }

    fn exchange(&self, messages: Vec<(usize, Vec<u8>)>) -> Vec<(usize, Vec<u8>)> {
        let sent = messages.iter().map(|(_, bytes)| bytes.len()).sum();
        self.other(sent, || self.inner.exchange(messages))
    }

    fn start(&self, links: &mut [Link]) {
        let count = |numbers: usize| (numbers * size_of::<f64>()) as u64;
        let bytes = links.iter().map(|link| count(link.send.len())).sum::<u64>();
        let received = links.iter().map(|link| count(link.receive.len())).sum::<u64>();
        let messages = links.len() as u64;
        self.timed(
            || self.inner.start(links),
            |all, seconds| {
                all.halo_exchanges += 1;
                all.halo_messages += messages;
                all.halo_bytes += bytes;
                all.halo_received += received;
                all.halo_seconds += seconds;
            },
        );
    }

    fn poll(&self, links: &mut [Link]) -> bool {
        self.timed(|| self.inner.poll(links), |all, seconds| all.halo_seconds += seconds)
    }

    fn finish(&self, links: &mut [Link]) {
        self.timed(|| self.inner.finish(links), |all, seconds| all.halo_seconds += seconds);
    }

    fn abort(&self, reason: &str) -> ! {
        self.inner.abort(reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use esker::ranks::run_on_ranks;

    /// A rank that follows, as in `Simulation::follow`: it makes exchanges until the first rank ends it.
    fn follow(comm: &CountedRanks) {
        loop {
            let mut command = Vec::new();
            comm.broadcast(&mut command);
            match command.as_slice() {
                [1] => exchange(comm),
                _ => return,
            }
        }
    }

    fn exchange(comm: &CountedRanks) {
        let link = |rank| Link { rank, send: vec![1.0; 3], receive: vec![0.0; 3] };
        let others = (0..comm.size()).filter(|rank| *rank != comm.rank());
        let mut links: Vec<Link> = others.map(link).collect();
        comm.start(&mut links);
        comm.finish(&mut links);
        comm.max(&mut [0]);
    }

    #[test]
    fn ranks_that_follow_report_what_they_have_communicated_since_the_last_reset() {
        let found = run_on_ranks(3, |comm| {
            let comm = CountedRanks::new(comm, false);
            if comm.rank() > 0 {
                follow(&comm);
                return Vec::new();
            }
            let steps = |count: usize| {
                for _ in 0..count {
                    comm.broadcast(&mut vec![1]);
                    exchange(&comm);
                }
            };
            steps(5);
            comm.reset();
            steps(4);
            let reports = comm.reports();
            steps(1);
            comm.broadcast(&mut vec![2]);
            reports
        });
        let found = found.expect("all end well");
        assert_eq!(found[0].len(), 3);
        for report in &found[0] {
            let all = report.communication;
            // four exchanges with two other ranks, three numbers of eight bytes each
            assert_eq!((all.halo_exchanges, all.halo_messages, all.halo_bytes), (4, 8, 8 * 24));
            assert_eq!((all.halo_received, all.agreements), (8 * 24, 4));
            assert!(all.seconds() <= report.wall_time, "{report:?}");
        }
        assert_eq!(found[0][0].communication.other_bytes, 4);
    }
}
