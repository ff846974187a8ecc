//! The result depends on the scene alone: not on the number of ranks and not on which rank owns a particle.

mod rich_scene;

use esker::ranks::{Comm, Link, run_on_ranks};
use esker::{Division, Ownership};
use rich_scene::{Trace, Variant, run, run_simulation, scene};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// The bits at all times, and those of the ledger.
type Bits = (Vec<Vec<u64>>, Vec<u64>);

fn bits(trace: &Trace) -> Bits {
    (trace.moments.clone(), trace.ledger.clone())
}

/// The run on one rank that all others are compared with.
fn reference() -> &'static Bits {
    static REFERENCE: OnceLock<Bits> = OnceLock::new();
    REFERENCE.get_or_init(|| bits(&run(Variant::default())))
}

/// The same scene on several ranks.
fn on_ranks(ranks: usize, ownership: Ownership, variant: Variant) -> Bits {
    let results = run_on_ranks(ranks, |comm| {
        let is_first = comm.rank() == 0;
        // built by each rank for itself, or by all together
        let simulation = match ranks.is_multiple_of(2) {
            true => scene(variant).build().and_then(|built| built.on_ranks(comm, ownership)),
            false => scene(variant).build_on(comm, ownership),
        };
        let simulation = simulation.expect("a valid scene");
        if is_first {
            return Some(bits(&run_simulation(simulation, variant)));
        }
        let Division { steps, own, ghosts, .. } = simulation.follow();
        // some 600 particles
        let own = own / steps;
        assert!(steps > 500 && own > 0 && own < 600, "{own} own particles in {steps} steps");
        assert!(ghosts / steps > 5, "{ghosts} ghosts in {steps} steps");
        None
    });
    let mut results = results.expect("no rank fails");
    results.swap_remove(0).expect("the first rank has a result")
}

fn assert_same(ranks: usize, ownership: Ownership, variant: Variant) {
    let (found, expected) = (on_ranks(ranks, ownership, variant), reference());
    let what = format!("{ranks} ranks, {} threads, {ownership:?}", variant.threads);
    for (moment, (found, expected)) in found.0.iter().zip(&expected.0).enumerate() {
        let differing = found.iter().zip(expected).filter(|(a, b)| a != b).count();
        assert!(
            found == expected,
            "{what}: {differing} of {} values differ at moment {moment}",
            expected.len()
        );
    }
    assert_eq!(found.0.len(), expected.0.len(), "{what}");
    assert_eq!(found.1, expected.1, "{what}: the ledger differs");
}

#[test]
fn parts_of_space_on_any_number_of_ranks_give_the_same_bits() {
    for (ranks, threads) in [(2, 1), (3, 2), (4, 1), (8, 1)] {
        assert_same(ranks, Ownership::Bisection, Variant { threads, ..Variant::default() });
    }
}

#[test]
fn owners_at_random_give_the_same_bits() {
    for (ranks, threads) in [(2, 2), (3, 1), (8, 1)] {
        assert_same(ranks, Ownership::Hash, Variant { threads, ..Variant::default() });
    }
}

/// Ranks whose ghosts arrive as late as possible: only when a rank waits for them.
#[derive(Debug)]
struct Late {
    inner: Arc<dyn Comm>,
    /// Numbers of exchanges of ghosts, and of tiles that were evaluated before their arrival.
    exchanges: AtomicU64,
    tiles: AtomicU64,
}

impl Comm for Late {
    fn rank(&self) -> usize {
        self.inner.rank()
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn max(&self, numbers: &mut [u64]) {
        self.inner.max(numbers);
    }

    fn sum(&self, numbers: &mut [i64]) {
        self.inner.sum(numbers);
    }

    fn broadcast(&self, bytes: &mut Vec<u8>) {
        self.inner.broadcast(bytes);
    }

    fn gather(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
        self.inner.gather(bytes)
    }

    fn exchange(&self, messages: Vec<(usize, Vec<u8>)>) -> Vec<(usize, Vec<u8>)> {
        self.inner.exchange(messages)
    }

    fn start(&self, links: &mut [Link]) {
        self.exchanges.fetch_add(1, Ordering::Relaxed);
        // no rank may see a number of this exchange before it waits
        links.iter_mut().for_each(|link| link.receive.fill(f64::NAN));
        self.inner.start(links);
    }

    fn poll(&self, _: &mut [Link]) -> bool {
        self.tiles.fetch_add(1, Ordering::Relaxed);
        false
    }

    fn finish(&self, links: &mut [Link]) {
        self.inner.finish(links);
    }

    fn abort(&self, reason: &str) -> ! {
        self.inner.abort(reason)
    }
}

#[test]
fn inner_contacts_are_evaluated_before_ghosts_arrive_and_give_the_same_bits() {
    for threads in [1, 3] {
        let variant = Variant { threads, ..Variant::default() };
        let results = run_on_ranks(2, |comm| {
            let is_first = comm.rank() == 0;
            let (exchanges, tiles) = (AtomicU64::new(0), AtomicU64::new(0));
            let late = Arc::new(Late { inner: comm, exchanges, tiles });
            let comm: Arc<dyn Comm> = Arc::<Late>::clone(&late);
            let simulation = scene(variant).build_on(comm, Ownership::default());
            let simulation = simulation.expect("a valid scene");
            let found = match is_first {
                true => Some(bits(&run_simulation(simulation, variant))),
                false => {
                    simulation.follow();
                    None
                }
            };
            let counts = [&late.exchanges, &late.tiles].map(|count| count.load(Ordering::Relaxed));
            (found, counts)
        });
        let mut results = results.expect("no rank fails");
        let (found, [exchanges, tiles]) = results.swap_remove(0);
        assert_eq!(found.as_ref(), Some(reference()), "{threads} threads");
        // the first rank has few tiles, and without overlap none would be evaluated before
        assert!(2 * tiles > exchanges, "{tiles} tiles before ghosts in {exchanges} exchanges");
    }
}
