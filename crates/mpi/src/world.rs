//! [`Comm`] on the processes of an MPI job. Only the thread that started MPI communicates.

use crate::flight::Flight;
use crate::message::{Transfer, process, receive, send};
use crate::progress::{Progress, Wait};
use esker::ranks::{Comm, Link};
use mpi::collective::SystemOperation;
use mpi::datatype::Equivalence;
use mpi::environment::{Threading, Universe, initialize_with_threading};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Root, Source};
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Tags of messages, which separate the messages of different operations.
const GATHER: i32 = 1;
const EXCHANGE: i32 = 2;
const HALO: i32 = 3;

/// Largest number of elements of one MPI message.
const PIECE: usize = 1 << 27;

/// Largest count of numbers that are reduced without allocating memory.
const FEW: usize = 16;

/// Bytes of the first message of a broadcast: its length, and as many of its bytes as fit. The command for a step is
/// one message.
const FRAME: usize = 64;

/// Time after which a process that could not end the job exits; the launcher then ends the others.
const LAST_RESORT: Duration = Duration::from_secs(3);

/// The communicator of a process of an MPI job.
#[derive(Debug, Clone)]
pub struct Mpi {
    rank: usize,
    size: usize,
    piece: usize,
    progress: Progress,
    /// The messages of the halo.
    flight: Arc<Mutex<Flight>>,
}

/// Initialises MPI. The program keeps the universe until its end. None if MPI cannot be initialised.
pub fn start() -> Option<(Universe, Mpi)> {
    let (universe, _) = initialize_with_threading(Threading::Funneled)?;
    let world = universe.world();
    let (rank, size) = (world.rank() as usize, world.size() as usize);
    let (progress, flight) = (Progress::default(), Arc::default());
    Some((universe, Mpi { rank, size, piece: PIECE, progress, flight }))
}

/// From now on a panic, after its message, ends all processes of the job.
pub fn abort_on_panic() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        usual(panic);
        let rank = SimpleCommunicator::world().rank();
        report(&format!("rank {rank}{} has panicked; the run ends", on_host()));
        end_job()
    }));
}

/// Prints an error. A closed stderr is ignored.
fn report(text: &str) {
    let _ = writeln!(std::io::stderr(), "error: {text}");
}

/// The machine of this process, for messages.
fn on_host() -> String {
    mpi::environment::processor_name().map_or(String::new(), |name| format!(" on `{name}`"))
}

/// Ends all processes of the job. Another thread may be waiting inside MPI: if it blocks this call, the process exits
/// alone, and its launcher ends the others.
fn end_job() -> ! {
    std::thread::spawn(|| {
        std::thread::sleep(LAST_RESORT);
        std::process::abort();
    });
    SimpleCommunicator::world().abort(1)
}

impl Mpi {
    /// Ends the job if this process waits longer than the limit for another one.
    pub fn watch(&self, limit: Duration) {
        let rank = self.rank;
        self.progress.watch(limit, move |wait, time| {
            report(&format!(
                "rank {rank}{}: no progress for {} s while it waits for {wait}; the run ends\n\
                 help: a process hangs, or the network between two machines is broken; `--resume` continues from \
                 the last checkpoint, `--mpi-timeout` sets the limit",
                on_host(),
                time.as_secs_f64(),
            ));
            end_job()
        });
    }

    /// The same communicator with MPI messages of at most this many elements, for tests: a long message is sent in
    /// pieces.
    #[must_use]
    pub fn with_pieces(mut self, piece: usize) -> Self {
        self.piece = piece.clamp(1, PIECE);
        self
    }

    /// The messages of the halo.
    fn flight(&self) -> MutexGuard<'_, Flight> {
        self.flight.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The numbers of this process, reduced over all processes by an operation.
    fn reduce<T: Equivalence + Copy + Default>(&self, numbers: &mut [T], by: SystemOperation) {
        let (mut few, many);
        let own = if numbers.len() <= FEW {
            few = [T::default(); FEW];
            few[..numbers.len()].copy_from_slice(numbers);
            &few[..numbers.len()]
        } else {
            many = numbers.to_vec();
            &many[..]
        };
        let world = SimpleCommunicator::world();
        for (own, all) in own.chunks(self.piece).zip(numbers.chunks_mut(self.piece)) {
            world.all_reduce_into(own, all, by);
        }
    }
}

impl Comm for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn max(&self, numbers: &mut [u64]) {
        let _wait = self.progress.wait(Wait::Max);
        self.reduce(numbers, SystemOperation::max());
    }

    fn sum(&self, numbers: &mut [i64]) {
        let _wait = self.progress.wait(Wait::Sum);
        self.reduce(numbers, SystemOperation::sum());
    }

    fn broadcast(&self, bytes: &mut Vec<u8>) {
        let _wait = self.progress.wait(Wait::Broadcast);
        let world = SimpleCommunicator::world();
        let root = process(&world, 0);
        let mut frame = [0u8; FRAME];
        let (length, begin) = frame.split_at_mut(size_of::<u64>());
        length.copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        let fit = bytes.len().min(begin.len());
        begin[..fit].copy_from_slice(&bytes[..fit]);
        root.broadcast_into(&mut frame[..]);
        let (length, begin) = frame.split_at(size_of::<u64>());
        let length = u64::from_le_bytes(length.try_into().unwrap_or_default()) as usize;
        bytes.resize(length, 0);
        let fit = length.min(begin.len());
        bytes[..fit].copy_from_slice(&begin[..fit]);
        for piece in bytes[fit..].chunks_mut(self.piece) {
            self.progress.note(Wait::Broadcast);
            root.broadcast_into(piece);
        }
    }

    fn gather(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let world = SimpleCommunicator::world();
        if self.rank > 0 {
            // the first process receives the messages in order, and may write files before
            let _wait = self.progress.wait(Wait::Gather(0));
            let root = process(&world, 0);
            root.send_with_tag(&(bytes.len() as u64), GATHER);
            send(&root, bytes, GATHER, self.piece);
            return Vec::new();
        }
        let others = (1..self.size).map(|rank| {
            let _wait = self.progress.wait(Wait::Gather(rank));
            let from = process(&world, rank);
            let mut length = 0u64;
            from.receive_into_with_tag(&mut length, GATHER);
            let mut bytes = vec![0; length as usize];
            receive(&from, &mut bytes, GATHER, self.piece);
            bytes
        });
        std::iter::once(bytes.to_vec()).chain(others).collect()
    }

    fn exchange(&self, messages: Vec<(usize, Vec<u8>)>) -> Vec<(usize, Vec<u8>)> {
        let mut sent = vec![0u64; self.size];
        // the length plus one, so that an empty message is distinguished from none
        messages.iter().for_each(|(to, bytes)| sent[*to] = bytes.len() as u64 + 1);
        let mut lengths = vec![0u64; self.size];
        {
            let _wait = self.progress.wait(Wait::Lengths);
            SimpleCommunicator::world().all_to_all_into(&sent[..], &mut lengths[..]);
        }
        let senders = lengths.iter().enumerate().filter(|(_, length)| **length > 0);
        let mut received: Vec<(usize, Vec<u8>)> =
            senders.map(|(from, length)| (from, vec![0; *length as usize - 1])).collect();
        let receives = received.iter_mut().map(|(from, bytes)| (*from, &mut bytes[..])).collect();
        let sends = messages.iter().map(|(to, bytes)| (*to, &bytes[..])).collect();
        Transfer { receives, sends, tag: EXCHANGE, piece: self.piece }.run(&self.progress);
        received
    }

    fn start(&self, links: &mut [Link]) {
        self.flight().start(links, HALO, self.piece);
    }

    fn poll(&self, _: &mut [Link]) -> bool {
        self.flight().poll()
    }

    fn finish(&self, links: &mut [Link]) {
        self.flight().finish(links, &self.progress);
    }

    fn abort(&self, reason: &str) -> ! {
        report(&format!("rank {}: {reason}", self.rank));
        end_job()
    }
}
