//! The benchmark on several ranks: threads of this process, or processes of an MPI job.

use super::scenes::{Which, stopped};
use super::states::State;
use crate::arguments::Bench;
use crate::failure::Failure;
use crate::ranks::Job;
use esker::ranks::{Comm, RankThreads, spawn_ranks};
use esker::{Division, Ownership, Simulation};
use esker_scene::run::{CountedRanks, RankReport};
use serde::Serialize;
use std::sync::Arc;

/// Measured quantities of a rank; numbers per step are means.
#[derive(Debug, Clone, Serialize)]
pub struct MeasuredRank {
    host: String,
    /// Own particles.
    particles: f64,
    ghosts: f64,
    /// Messages to other ranks per step.
    messages: f64,
    /// Bytes of ghosts sent per step.
    bytes: f64,
    /// Other bytes sent per step.
    other_bytes: f64,
    /// Time of all steps without communication [s].
    work: f64,
    /// Time to send ghosts and to wait for them [s].
    halo: f64,
    /// Time in global reductions [s].
    agreement: f64,
    /// Time in other communication: commands, migration [s].
    other: f64,
    processor_time: Option<f64>,
    peak_memory: Option<u64>,
}

/// The first rank of a benchmark, which queries the others.
#[derive(Debug)]
pub struct Leader {
    pub simulation: Simulation,
    comm: Arc<CountedRanks>,
    /// The other ranks, if they are threads; dropped after the simulation.
    _threads: Option<RankThreads>,
}

impl Leader {
    /// Divides the simulation of a state among the ranks.
    pub fn start(
        which: Which,
        state: State,
        arguments: &Bench,
        job: &Job,
    ) -> Result<Self, Failure> {
        let threads = arguments.threads;
        let simulation = which.build(&state, threads)?;
        let (comm, rank_threads) = match job.comm() {
            Some(comm) => {
                comm.broadcast(&mut state.text().into_bytes());
                (Arc::clone(comm), None)
            }
            None => {
                let (comm, rank_threads) = spawn_ranks(arguments.ranks, move |comm| {
                    let simulation = which.build(&state, threads);
                    follow(simulation, comm, false);
                });
                (comm, Some(rank_threads))
            }
        };
        let comm = Arc::new(CountedRanks::new(comm, job.comm().is_some()));
        let ranks: Arc<dyn Comm> = Arc::<CountedRanks>::clone(&comm);
        let simulation = simulation.on_ranks(ranks, Ownership::default()).map_err(stopped)?;
        Ok(Self { simulation, comm, _threads: rank_threads })
    }

    /// Communication counters.
    pub fn counts(&self) -> Arc<CountedRanks> {
        Arc::clone(&self.comm)
    }

    /// Ends the ranks.
    pub fn end(self, reports: Vec<RankReport>, steps: u64) -> Vec<MeasuredRank> {
        let Self { simulation, comm, .. } = &self;
        let [own, ghosts] = simulation.own_and_ghosts();
        let comm = Arc::clone(comm);
        let first = [own as f64, ghosts as f64];
        // notifies the other ranks of the end; they then report the division of the particles
        drop(self.simulation);
        let others = comm.gather(&[]);
        let divisions = others.iter().skip(1).map(|bytes| decode(bytes));
        let divisions = std::iter::once(first).chain(divisions);
        reports.into_iter().zip(divisions).map(|(report, own)| one(report, own, steps)).collect()
    }
}

/// A process that is not the first one: receives the state, and follows the steps of the first one.
pub fn follow_job(arguments: &Bench, comm: &Arc<dyn Comm>) {
    let mut text = Vec::new();
    comm.broadcast(&mut text);
    if text.is_empty() {
        return;
    }
    let state = State::parse(&String::from_utf8_lossy(&text), "the state of the first process");
    let simulation = state.and_then(|state| arguments.scene.build(&state, arguments.threads));
    follow(simulation, Arc::clone(comm), true);
}

/// Follows the steps of the first rank, and reports the division of the particles.
fn follow(simulation: Result<Simulation, Failure>, comm: Arc<dyn Comm>, is_process: bool) {
    let comm = Arc::new(CountedRanks::new(comm, is_process));
    let ranks: Arc<dyn Comm> = Arc::<CountedRanks>::clone(&comm);
    let simulation = simulation
        .and_then(|simulation| simulation.on_ranks(ranks, Ownership::default()).map_err(stopped));
    match simulation {
        Ok(simulation) => {
            let Division { steps, own, ghosts, .. } = simulation.follow();
            let mean = |sum: u64| sum as f64 / steps.max(1) as f64;
            comm.gather(&[mean(own), mean(ghosts)].map(f64::to_le_bytes).concat());
        }
        Err(failure) => comm.abort(failure.message()),
    }
}

/// Two numbers from their bytes.
fn decode(bytes: &[u8]) -> [f64; 2] {
    let (numbers, _) = bytes.as_chunks::<8>();
    let number = |index: usize| numbers.get(index).map_or(f64::NAN, |&one| f64::from_le_bytes(one));
    [number(0), number(1)]
}

fn one(report: RankReport, [particles, ghosts]: [f64; 2], steps: u64) -> MeasuredRank {
    let all = &report.communication;
    let per_step = |count: u64| count as f64 / steps.max(1) as f64;
    MeasuredRank {
        particles,
        ghosts,
        messages: per_step(all.halo_messages),
        bytes: per_step(all.halo_bytes),
        other_bytes: per_step(all.other_bytes),
        work: report.wall_time - all.seconds(),
        halo: all.halo_seconds,
        agreement: all.agreement_seconds,
        other: all.other_seconds,
        processor_time: report.processor_time,
        peak_memory: report.peak_memory,
        host: report.host,
    }
}

/// A table with a line for each rank.
pub fn table(ranks: &[MeasuredRank], steps: u64) -> String {
    let mut text = "\nrank  particles  ghosts  messages  bytes/step    work    halo   agree   other  [µs/step]\n".to_owned();
    for (rank, one) in ranks.iter().enumerate() {
        let [work, halo, agreement, other] = [one.work, one.halo, one.agreement, one.other]
            .map(|time| 1e6 * time / steps.max(1) as f64);
        text += &format!(
            "{rank:>4} {:>10.0} {:>7.0} {:>9.1} {:>11.0} {work:>7.1} {halo:>7.1} {agreement:>7.1} {other:>7.1}\n",
            one.particles, one.ghosts, one.messages, one.bytes,
        );
    }
    let most = ranks.iter().map(|one| one.work).fold(0.0, f64::max);
    let mean = ranks.iter().map(|one| one.work).sum::<f64>() / ranks.len().max(1) as f64;
    text + &format!("largest work / mean work: {:.3}\n", most / mean)
}
