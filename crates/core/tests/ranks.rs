//! Communication between ranks: every operation returns the result that a simple model computes from the contributions
//! of all ranks, and a rank that fails ends all.

use esker::random::{Draws, Purpose};
use esker::ranks::{Comm, Link, SingleRank, run_on_ranks};
use std::sync::Arc;

/// Repetitions of each operation, so that the end of one overlaps the beginning of the next.
const ROUNDS: u64 = 50;

/// A number that depends on rank, round and index.
fn number(rank: usize, round: u64, index: u64) -> u64 {
    let draws = Draws::new(round, Purpose::Test, (rank as u64) << 32 | index);
    (draws.uniform(0) * 2f64.powi(62)) as u64
}

/// Bytes from one rank to another, in pseudorandom number.
fn letter(from: usize, to: usize, round: u64) -> Vec<u8> {
    let count = number(from, round, to as u64) % 50;
    (0..count).map(|index| number(from, round, 100 * to as u64 + index) as u8).collect()
}

/// Runs `check` on 1 to 8 ranks, and on the implementation for a single rank.
fn on_any_number_of_ranks(check: impl Fn(&dyn Comm, u64) + Sync) {
    (0..ROUNDS).for_each(|round| check(&SingleRank, round));
    for size in 1..=8 {
        let ended = run_on_ranks(size, |comm| (0..ROUNDS).for_each(|round| check(&*comm, round)));
        ended.expect("all ranks end well");
    }
}

#[test]
fn the_maximum_of_each_number_reaches_all_ranks() {
    on_any_number_of_ranks(|comm, round| {
        let own = |rank: usize| -> Vec<u64> { (0..8).map(|k| number(rank, round, k)).collect() };
        let mut numbers = own(comm.rank());
        comm.max(&mut numbers);
        for (index, found) in numbers.iter().enumerate() {
            assert_eq!(Some(*found), (0..comm.size()).map(|rank| own(rank)[index]).max());
        }
    });
}

#[test]
fn the_sum_of_each_number_reaches_all_ranks() {
    on_any_number_of_ranks(|comm, round| {
        let own = |rank: usize| -> Vec<i64> {
            (0..70).map(|k| (number(rank, round, k) >> 8) as i64 - (1 << 52)).collect()
        };
        let mut numbers = own(comm.rank());
        comm.sum(&mut numbers);
        for (index, found) in numbers.iter().enumerate() {
            assert_eq!(*found, (0..comm.size()).map(|rank| own(rank)[index]).sum::<i64>());
        }
    });
}

#[test]
fn the_bytes_of_the_first_rank_are_broadcast() {
    on_any_number_of_ranks(|comm, round| {
        let mut bytes = letter(comm.rank(), 1, round);
        comm.broadcast(&mut bytes);
        assert_eq!(bytes, letter(0, 1, round));
    });
}

#[test]
fn the_bytes_of_all_ranks_are_gathered_in_order_of_rank() {
    on_any_number_of_ranks(|comm, round| {
        let found = comm.gather(&letter(comm.rank(), 0, round));
        let gathered = if comm.rank() == 0 { comm.size() } else { 0 };
        let expected: Vec<_> = (0..gathered).map(|rank| letter(rank, 0, round)).collect();
        assert_eq!(found, expected);
    });
}

#[test]
fn messages_arrive_at_their_ranks_in_order_of_sender() {
    on_any_number_of_ranks(|comm, round| {
        // a third of all pairs of ranks have a message
        let sends = |from: usize, to: usize| {
            from != to && number(from, round, 7 * to as u64).is_multiple_of(3)
        };
        let own = comm.rank();
        let out = (0..comm.size()).rev().filter(|&to| sends(own, to));
        let found = comm.exchange(out.map(|to| (to, letter(own, to, round))).collect());
        let from = (0..comm.size()).filter(|&from| sends(from, own));
        assert_eq!(found, from.map(|from| (from, letter(from, own, round))).collect::<Vec<_>>());
    });
}

#[test]
fn linked_ranks_exchange_numbers_and_compute_in_between() {
    on_any_number_of_ranks(|comm, round| {
        let (own, size) = (comm.rank(), comm.size());
        let numbers = |from: usize, to: usize| -> Vec<f64> {
            letter(from, to, round).into_iter().map(f64::from).collect()
        };
        // ranks that differ by at most two
        let linked = (0..size).filter(|&other| other != own && other.abs_diff(own) <= 2);
        let link = |rank: usize| {
            let receive = vec![f64::NAN; numbers(rank, own).len()];
            Link { rank, send: numbers(own, rank), receive }
        };
        let mut links: Vec<Link> = linked.map(link).collect();
        comm.start(&mut links);
        let mut between = [own as u64];
        comm.max(&mut between);
        assert_eq!(between, [size as u64 - 1]);
        comm.finish(&mut links);
        for link in &links {
            assert_eq!(link.receive, numbers(link.rank, own));
        }
    });
}

#[test]
fn results_are_returned_in_order_of_rank() {
    let ranks = run_on_ranks(5, |comm| (comm.rank(), comm.size())).unwrap();
    assert_eq!(ranks, (0..5).map(|rank| (rank, 5)).collect::<Vec<_>>());
}

/// The failure of four ranks of which rank 2 does something else in the third round.
fn failure_of(
    usual: impl Fn(&dyn Comm) + Sync,
    other: impl Fn(Arc<dyn Comm>) + Sync,
) -> (usize, String) {
    let ended = run_on_ranks(4, |comm| {
        for round in 0..10 {
            if round == 3 && comm.rank() == 2 {
                return other(comm);
            }
            usual(&*comm);
        }
    });
    let failure = ended.expect_err("not all ranks can end well");
    (failure.rank, failure.reason)
}

fn largest(comm: &dyn Comm) {
    comm.max(&mut [comm.rank() as u64]);
}

#[test]
fn a_rank_that_panics_ends_all_and_is_named() {
    let found = failure_of(largest, |_| panic!("no more memory"));
    assert_eq!(found, (2, "no more memory".to_owned()));
}

#[test]
fn a_rank_that_aborts_ends_all_and_is_named() {
    let found = failure_of(largest, |comm| comm.abort("the disk is full"));
    assert_eq!(found, (2, "the disk is full".to_owned()));
}

#[test]
fn a_rank_that_ends_early_is_reported_with_the_operation_that_the_others_wait_for() {
    let (_, reason) = failure_of(largest, |_| ());
    for part in ["rank 0 waits in a max of 1 numbers", "rank 2 has ended"] {
        assert!(reason.contains(part), "{reason}");
    }
}

#[test]
fn ranks_in_different_operations_are_reported() {
    let (_, reason) = failure_of(largest, |comm| comm.sum(&mut [1]));
    for part in ["sum of 1 numbers", "max of 1 numbers"] {
        assert!(reason.contains(part), "{reason}");
    }
}

#[test]
fn ranks_that_wait_for_each_other_are_reported_at_once() {
    let wait = |comm: &dyn Comm| {
        let next = (comm.rank() + 1) % 4;
        comm.finish(&mut [Link { rank: next, ..Link::default() }]);
    };
    let (_, reason) = failure_of(wait, |_| ());
    assert!(reason.contains("rank 3 waits for the halo of rank 0"), "{reason}");
}

#[test]
fn a_message_of_another_length_is_reported() {
    let send = |comm: &dyn Comm, count: usize| {
        let other = comm.rank() ^ 1;
        let mut links = [Link { rank: other, send: vec![0.5; count], receive: vec![0.0; 3] }];
        comm.start(&mut links);
        comm.finish(&mut links);
    };
    let (rank, reason) = failure_of(|comm| send(comm, 3), |comm| send(&*comm, 2));
    assert_eq!((rank, reason.as_str()), (3, "rank 2 sent 2 numbers instead of 3"));
}
