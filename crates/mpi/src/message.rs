//! Messages of any length between two processes: MPI counts are 32-bit numbers, so that a long message is
//! sent in pieces.

use mpi::datatype::Equivalence;
use mpi::topology::Process;
use mpi::traits::{Destination, Source};

/// Most elements of one MPI message.
pub const PIECE: usize = 1 << 27;

/// Sends the elements of a slice; the receiver knows their number.
pub fn send<T: Equivalence>(process: &Process<'_>, elements: &[T], tag: i32) {
    elements.chunks(PIECE).for_each(|piece| process.send_with_tag(piece, tag));
}

/// Receives as many elements as the slice has.
pub fn receive<T: Equivalence>(process: &Process<'_>, elements: &mut [T], tag: i32) {
    for piece in elements.chunks_mut(PIECE) {
        process.receive_into_with_tag(piece, tag);
    }
}
