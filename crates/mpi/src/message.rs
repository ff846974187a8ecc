//! Messages of any length between processes: MPI counts are 32-bit numbers, so that a long message is sent in pieces.

use crate::progress::{Progress, Wait};
use mpi::datatype::Equivalence;
use mpi::topology::{Process, SimpleCommunicator};
use mpi::traits::{Communicator, Destination, Source};

/// The process of a rank.
pub fn process(world: &SimpleCommunicator, rank: usize) -> Process<'_> {
    world.process_at_rank(rank as i32)
}

/// Sends the elements of a slice; the receiver knows their number.
pub fn send<T: Equivalence>(to: &Process<'_>, elements: &[T], tag: i32, piece: usize) {
    elements.chunks(piece).for_each(|piece| to.send_with_tag(piece, tag));
}

/// Receives as many elements as the slice has.
pub fn receive<T: Equivalence>(from: &Process<'_>, elements: &mut [T], tag: i32, piece: usize) {
    for piece in elements.chunks_mut(piece) {
        from.receive_into_with_tag(piece, tag);
    }
}

/// Concurrent messages, each sent to or received from a rank.
#[derive(Debug)]
pub struct Transfer<'a, T> {
    pub receives: Vec<(usize, &'a mut [T])>,
    pub sends: Vec<(usize, &'a [T])>,
    pub tag: i32,
    /// Largest number of elements of one MPI message.
    pub piece: usize,
}

impl<T: Equivalence> Transfer<'_, T> {
    /// Sends and receives all messages.
    pub fn run(self, progress: &Progress) {
        let world = SimpleCommunicator::world();
        mpi::request::scope(|scope| {
            let (mut receiving, mut sending) = (Vec::new(), Vec::new());
            for (rank, elements) in self.receives {
                for piece in elements.chunks_mut(self.piece) {
                    let from = process(&world, rank);
                    let request = from.immediate_receive_into_with_tag(scope, piece, self.tag);
                    receiving.push((rank, request));
                }
            }
            for (rank, elements) in self.sends {
                for piece in elements.chunks(self.piece) {
                    let to = process(&world, rank);
                    sending.push((rank, to.immediate_send_with_tag(scope, piece, self.tag)));
                }
            }
            for (rank, request) in receiving {
                let _wait = progress.wait(Wait::Receive(rank));
                request.wait_without_status();
            }
            for (rank, request) in sending {
                let _wait = progress.wait(Wait::Send(rank));
                request.wait_without_status();
            }
        });
    }
}
