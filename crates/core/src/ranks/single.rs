//! The only rank of a run.

use super::{Comm, Link};

/// A single rank, without communication.
#[derive(Debug, Clone, Copy, Default)]
pub struct SingleRank;

impl Comm for SingleRank {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn max(&self, _: &mut [u64]) {}

    fn sum(&self, _: &mut [i64]) {}

    fn broadcast(&self, _: &mut Vec<u8>) {}

    fn gather(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
        vec![bytes.to_vec()]
    }

    fn exchange(&self, messages: Vec<(usize, Vec<u8>)>) -> Vec<(usize, Vec<u8>)> {
        assert!(messages.is_empty(), "a single rank has no partner to send to");
        messages
    }

    fn start(&self, links: &mut [Link]) {
        assert!(links.is_empty(), "a single rank has no partner to send to");
    }

    fn poll(&self, _: &mut [Link]) -> bool {
        true
    }

    fn finish(&self, _: &mut [Link]) {}

    fn abort(&self, reason: &str) -> ! {
        panic!("{reason}")
    }
}
