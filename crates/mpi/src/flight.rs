//! Messages of the halo between `start` and `finish`.

use crate::message::process;
use crate::progress::{Progress, Wait};
use esker::ranks::Link;
use mpi::request::{Request, StaticScope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Destination, Source};
use std::mem::{forget, take};

/// A message on its way to or from a rank.
type Message = (usize, Request<'static, [f64], StaticScope>);

/// Messages in flight, with their buffers. Nothing is allocated after the first messages of the same number.
///
/// Invariant: each request refers to memory of `buffers`, which is not read, written, moved or freed before all requests
/// have been completed. No method gives access to a buffer in flight; if requests are left when this value is dropped,
/// their buffers are leaked.
///
/// Requests are used only by the thread that started MPI, as all of MPI.
#[derive(Debug, Default)]
pub struct Flight {
    buffers: Vec<Link>,
    receiving: Vec<Message>,
    sending: Vec<Message>,
}

// SAFETY: `Comm` is used by one thread of a rank only.
unsafe impl Send for Flight {}

impl Flight {
    /// Takes the buffers of the links and starts their messages, in pieces of at most this many numbers.
    pub fn start(&mut self, links: &mut [Link], tag: i32, piece: usize) {
        assert!(self.buffers.is_empty(), "the last exchange of ghosts is not finished");
        let taken = links.iter_mut().map(|link| Link {
            rank: link.rank,
            send: take(&mut link.send),
            receive: take(&mut link.receive),
        });
        self.buffers.extend(taken);
        let world = SimpleCommunicator::world();
        for Link { rank, receive, .. } in &mut self.buffers {
            let (start, length) = (receive.as_mut_ptr(), receive.len());
            // SAFETY: the invariant of the type.
            let numbers = unsafe { std::slice::from_raw_parts_mut(start, length) };
            for piece in numbers.chunks_mut(piece) {
                let from = process(&world, *rank);
                let request = from.immediate_receive_into_with_tag(StaticScope, piece, tag);
                self.receiving.push((*rank, request));
            }
        }
        for Link { rank, send, .. } in &self.buffers {
            // SAFETY: as above.
            let numbers = unsafe { std::slice::from_raw_parts(send.as_ptr(), send.len()) };
            for piece in numbers.chunks(piece) {
                let to = process(&world, *rank);
                let request = to.immediate_send_with_tag(StaticScope, piece, tag);
                self.sending.push((*rank, request));
            }
        }
    }

    /// True if everything has been received. Each test lets all messages of the process progress.
    pub fn poll(&mut self) -> bool {
        while let Some((rank, request)) = self.receiving.pop() {
            if let Err(request) = request.test() {
                self.receiving.push((rank, request));
                return false;
            }
        }
        true
    }

    /// Waits for all messages and returns the buffers to the same links.
    pub fn finish(&mut self, links: &mut [Link], progress: &Progress) {
        for (rank, request) in self.receiving.drain(..) {
            let _wait = progress.wait(Wait::Receive(rank));
            request.wait_without_status();
        }
        for (rank, request) in self.sending.drain(..) {
            let _wait = progress.wait(Wait::Send(rank));
            request.wait_without_status();
        }
        assert_eq!(self.buffers.len(), links.len(), "the links have changed since `start`");
        for (link, buffers) in links.iter_mut().zip(self.buffers.drain(..)) {
            assert_eq!(link.rank, buffers.rank, "the links have changed since `start`");
            *link = buffers;
        }
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        if !(self.receiving.is_empty() && self.sending.is_empty()) {
            forget((take(&mut self.buffers), take(&mut self.receiving), take(&mut self.sending)));
        }
    }
}
