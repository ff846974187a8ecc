//! Placement of the ranks of a run: machines, cores and threads.

use super::host::host_name;
use esker::ranks::Comm;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The machine of a rank, and the processors that it may use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Seat {
    host: String,
    processors: BTreeSet<u32>,
    /// Threads that were requested; 0 if none.
    threads: usize,
}

/// Placement of the ranks of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    seats: Vec<Seat>,
}

impl Placement {
    /// The placement of all processes, known to each of them. `threads` is the requested number, 0 for automatic.
    pub fn of(comm: &dyn Comm, threads: usize) -> Self {
        let own = Seat { host: host_name(), processors: allowed_processors(), threads };
        let encode = |seat: &Seat| postcard::to_allocvec(seat).unwrap_or_default();
        let decode = |bytes: &Vec<u8>| postcard::from_bytes(bytes).unwrap_or_default();
        let seats = comm.gather(&encode(&own)).iter().map(decode).collect();
        let mut all = postcard::to_allocvec(&Self { seats }).unwrap_or_default();
        comm.broadcast(&mut all);
        postcard::from_bytes(&all).unwrap_or_default()
    }

    /// Ranks, this one included, that may use a processor that this one may use.
    fn companions(&self, rank: usize) -> impl Iterator<Item = &Seat> {
        let own = &self.seats[rank];
        let shares =
            |seat: &&Seat| seat.host == own.host && !seat.processors.is_disjoint(&own.processors);
        self.seats.iter().filter(shares)
    }

    /// Number of cores for each of the ranks that share processors with this one, at least one.
    pub fn cores(&self, rank: usize) -> usize {
        let processors: BTreeSet<u32> =
            self.companions(rank).flat_map(|seat| &seat.processors).copied().collect();
        (processors.len() / self.companions(rank).count().max(1)).max(1)
    }

    /// One line for the user; `threads` is the default number of a rank.
    pub fn describe(&self, threads: usize) -> String {
        let hosts: BTreeSet<&str> = self.seats.iter().map(|seat| seat.host.as_str()).collect();
        let given = self.seats.iter().map(|seat| seat.threads.max(1)).min().unwrap_or(1);
        let cores = (0..self.seats.len()).map(|rank| self.cores(rank));
        format!(
            "{} on {}, {} and {} for each",
            several(self.seats.len(), "rank"),
            several(hosts.len(), "machine"),
            several(threads.max(given), "thread"),
            several(cores.min().unwrap_or(1), "core"),
        )
    }

    /// A warning if there are more threads than processors. `threads` is the default number of a rank.
    pub fn warning(&self, threads: usize) -> Option<String> {
        let threads_of = |seat: &Seat| if seat.threads == 0 { threads } else { seat.threads };
        (0..self.seats.len()).find_map(|rank| {
            let processors: BTreeSet<u32> =
                self.companions(rank).flat_map(|seat| &seat.processors).copied().collect();
            let wanted: usize = self.companions(rank).map(threads_of).sum();
            (wanted > processors.len()).then(|| {
                format!(
                    "{} of {} share {} on `{}`: ranks wait for each other, which may make it many times \
                     slower; the results are the same. See `--threads`, and `--bind-to` and `--map-by` of mpirun",
                    several(wanted, "thread"),
                    several(self.companions(rank).count(), "rank"),
                    several(processors.len(), "core"),
                    self.seats[rank].host,
                )
            })
        })
    }
}

/// A count with its noun in the correct number.
fn several(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

/// Processors that this process may use, as numbered by the system.
fn allowed_processors() -> BTreeSet<u32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let listed = list.map(|list| processors(list.trim())).unwrap_or_default();
    if !listed.is_empty() {
        return listed;
    }
    (0..std::thread::available_parallelism().map_or(1, usize::from) as u32).collect()
}

/// Reads a list such as `0-3,8,10-11`.
fn processors(list: &str) -> BTreeSet<u32> {
    let range = |part: &str| {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        Some(from.trim().parse().ok()?..=to.trim().parse().ok()?)
    };
    list.split(',').filter_map(range).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use esker::ranks::run_on_ranks;

    fn placement(seats: &[(&str, &str, usize)]) -> Placement {
        let seat = |&(host, list, threads): &(&str, &str, usize)| Seat {
            host: host.to_owned(),
            processors: processors(list),
            threads,
        };
        Placement { seats: seats.iter().map(seat).collect() }
    }

    #[test]
    fn cores_are_those_of_the_machine_divided_among_the_ranks_that_share_them() {
        let shared = placement(&[("a", "0-7", 0), ("a", "0-7", 0), ("b", "0-7", 0)]);
        assert_eq!([0, 1, 2].map(|rank| shared.cores(rank)), [4, 4, 8]);
        // mpirun has bound each rank to separate processors
        let bound = placement(&[("a", "0-1,8-9", 0), ("a", "2-3", 0)]);
        assert_eq!([0, 1].map(|rank| bound.cores(rank)), [4, 2]);
        let crowded = placement(&[("a", "0", 0), ("a", "0", 0)]);
        assert_eq!(crowded.cores(0), 1);
    }

    #[test]
    fn more_threads_than_processors_are_warned_of() {
        let bound = placement(&[("a", "0", 2), ("a", "1", 2)]);
        let warning = bound.warning(1).expect("two threads on one processor");
        assert!(warning.starts_with("2 threads of 1 rank share 1 core on `a`"), "{warning}");
        assert!(placement(&[("a", "0-3", 2), ("a", "0-3", 2)]).warning(1).is_none());
        assert!(placement(&[("a", "0-3", 2), ("a", "0-3", 3)]).warning(1).is_some());
        assert!(placement(&[("a", "0-1", 0), ("b", "0-1", 0)]).warning(2).is_none());
        let text = placement(&[("a", "0-3", 2), ("a", "0-3", 2), ("b", "0-3", 2)]).describe(2);
        assert_eq!(text, "3 ranks on 2 machines, 2 threads and 2 cores for each");
    }

    #[test]
    fn every_rank_knows_the_placement_of_all() {
        let found =
            run_on_ranks(3, |comm| Placement::of(&*comm, comm.rank())).expect("all end well");
        assert!(found.iter().all(|one| *one == found[0]));
        let threads: Vec<usize> = found[0].seats.iter().map(|seat| seat.threads).collect();
        assert_eq!(threads, [0, 1, 2]);
        assert!(found[0].cores(0) >= 1);
    }
}
