//! [`Comm`] on the processes of an MPI job. Only the thread that started MPI communicates.

use crate::message::{PIECE, receive, send};
use esker::ranks::{Comm, Link};
use mpi::collective::SystemOperation;
use mpi::datatype::Equivalence;
use mpi::environment::{Threading, Universe, initialize_with_threading};
use mpi::topology::{Process, SimpleCommunicator};
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Root, Source};
use std::io::Write;

/// Tags of messages, so that those of one operation are not taken for those of another.
const GATHER: i32 = 1;
const EXCHANGE: i32 = 2;
const HALO: i32 = 3;

/// The communication of a process of an MPI job.
#[derive(Debug, Clone, Copy)]
pub struct Mpi {
    rank: usize,
    size: usize,
}

/// Initialises MPI. The program keeps the universe until its end. None if MPI cannot be initialised.
pub fn start() -> Option<(Universe, Mpi)> {
    let (universe, _) = initialize_with_threading(Threading::Funneled)?;
    let world = universe.world();
    let (rank, size) = (world.rank() as usize, world.size() as usize);
    Some((universe, Mpi { rank, size }))
}

/// From now on a panic, after its message, ends all processes of the job.
pub fn abort_on_panic() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        usual(panic);
        SimpleCommunicator::world().abort(1)
    }));
}

fn process(world: &SimpleCommunicator, rank: usize) -> Process<'_> {
    world.process_at_rank(rank as i32)
}

/// Receives and sends messages, each from or to a rank, all at the same time.
fn transfer<T: Equivalence>(receives: Vec<(usize, &mut [T])>, sends: Vec<(usize, &[T])>, tag: i32) {
    let world = SimpleCommunicator::world();
    mpi::request::scope(|scope| {
        let (mut receiving, mut sending) = (Vec::new(), Vec::new());
        for (rank, elements) in receives {
            for piece in elements.chunks_mut(PIECE) {
                let from = process(&world, rank);
                receiving.push(from.immediate_receive_into_with_tag(scope, piece, tag));
            }
        }
        for (rank, elements) in sends {
            for piece in elements.chunks(PIECE) {
                sending.push(process(&world, rank).immediate_send_with_tag(scope, piece, tag));
            }
        }
        for request in receiving {
            request.wait();
        }
        for request in sending {
            request.wait();
        }
    });
}

impl Mpi {
    /// The numbers of this process and of all, reduced by an operation.
    fn reduce<T: Equivalence + Copy>(&self, numbers: &mut [T], by: SystemOperation) {
        let own = numbers.to_vec();
        SimpleCommunicator::world().all_reduce_into(&own[..], numbers, by);
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
        self.reduce(numbers, SystemOperation::max());
    }

    fn sum(&self, numbers: &mut [i64]) {
        self.reduce(numbers, SystemOperation::sum());
    }

    fn broadcast(&self, bytes: &mut Vec<u8>) {
        let world = SimpleCommunicator::world();
        let root = process(&world, 0);
        let mut length = bytes.len() as u64;
        root.broadcast_into(&mut length);
        bytes.resize(length as usize, 0);
        bytes.chunks_mut(PIECE).for_each(|piece| root.broadcast_into(piece));
    }

    fn gather(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let world = SimpleCommunicator::world();
        if self.rank > 0 {
            let root = process(&world, 0);
            root.send_with_tag(&(bytes.len() as u64), GATHER);
            send(&root, bytes, GATHER);
            return Vec::new();
        }
        let others = (1..self.size).map(|rank| {
            let from = process(&world, rank);
            let mut length = 0u64;
            from.receive_into_with_tag(&mut length, GATHER);
            let mut bytes = vec![0; length as usize];
            receive(&from, &mut bytes, GATHER);
            bytes
        });
        std::iter::once(bytes.to_vec()).chain(others).collect()
    }

    fn exchange(&self, messages: Vec<(usize, Vec<u8>)>) -> Vec<(usize, Vec<u8>)> {
        let world = SimpleCommunicator::world();
        let mut sent = vec![0u64; self.size];
        // one more than the length, so that an empty message is a message
        messages.iter().for_each(|(to, bytes)| sent[*to] = bytes.len() as u64 + 1);
        let mut lengths = vec![0u64; self.size];
        world.all_to_all_into(&sent[..], &mut lengths[..]);
        let senders = lengths.iter().enumerate().filter(|(_, length)| **length > 0);
        let mut received: Vec<(usize, Vec<u8>)> =
            senders.map(|(from, length)| (from, vec![0; *length as usize - 1])).collect();
        let receives = received.iter_mut().map(|(from, bytes)| (*from, &mut bytes[..]));
        let sends = messages.iter().map(|(to, bytes)| (*to, &bytes[..]));
        transfer(receives.collect(), sends.collect(), EXCHANGE);
        received
    }

    /// Does nothing: all messages are sent by `finish`. Requests that live from one call to the other
    /// would need unsafe code.
    fn start(&self, _: &mut [Link]) {}

    fn finish(&self, links: &mut [Link]) {
        let (mut receives, mut sends) = (Vec::new(), Vec::new());
        for Link { rank, send, receive } in links {
            receives.push((*rank, &mut receive[..]));
            sends.push((*rank, &send[..]));
        }
        transfer(receives, sends, HALO);
    }

    fn abort(&self, reason: &str) -> ! {
        // a closed stderr is no reason to stay
        let _ = writeln!(std::io::stderr(), "error: rank {}: {reason}", self.rank);
        SimpleCommunicator::world().abort(1)
    }
}
