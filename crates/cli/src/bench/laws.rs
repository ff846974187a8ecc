//! `esker bench --laws`: the cost of each contact law in a settled bed, relative to Hertz with Mindlin.
//!
//! Every law of the registry is measured separately; options of laws that require them are in `OPTIONS`, parameters in
//! `PARAMETERS`.

use super::{State, Which};
use crate::failure::{Failure, print};
use esker::insert::{Placement, Source};
use esker::law::{ContactModel, PairContext};
use esker::prelude::*;
use serde::Serialize;
use std::fmt::Write;
use std::time::Instant;

/// Laws that need options, and other options with a separate measurement: slot, name, value.
const OPTIONS: &[(&str, &str, &str)] = &[
    ("normal", "power-law, lens", r#"{ power-law = { area = "lens" } }"#),
    ("normal", "hertz, release", r#"{ hertz = { tension = "release" } }"#),
    ("normal", "fractional", "{ fractional = { order = 0.1, horizon = 1 } }"),
    (
        "normal",
        "fractional, linear",
        r#"{ fractional = { order = 0.1, horizon = 1, interpolation = "linear" } }"#,
    ),
    ("tangential", "mindlin, rescaled", "{ mindlin = { rescale = true } }"),
    ("tangential", "sliding-torsion, viscous", r#"{ sliding-torsion = { stick = "viscous" } }"#),
    ("rolling", "elastic-plastic, three materials", r#""elastic-plastic""#),
];

/// Laws that are also measured with grains of three materials, cyclically assigned, with equal parameters.
const THREE_MATERIALS: &str = "three materials";

/// Laws that replace two slots.
const WITHOUT_DAMPING: &[&str] = &["fractional"];

/// Parameters for grains of the standard bed, such that it remains nearly unchanged.
const PARAMETERS: &[(&str, f64)] = &[
    ("adhesion_coefficient", 1e-3),
    ("adhesion_critical_strain", 1e-5),
    ("adhesion_exponent", 1.5),
    ("area_damping", 1e6),
    ("asperity_radius", 1e-8),
    ("bond_critical_strain", 1e-5),
    ("bond_exponent", 0.5),
    ("bond_stiffness", 1e3),
    ("bridge_volume", 1e-3),
    ("contact_modulus", 4.5e6),
    ("friction", 0.5),
    ("friction_penalty", 1e10),
    ("hamaker_constant", 1e-19),
    ("mie_attraction", 4e-11),
    ("mie_attraction_exponent", 2.0),
    ("mie_cutoff", 0.0022),
    ("mie_repulsion", 1.6e-16),
    ("mie_repulsion_exponent", 4.0),
    ("normal_stiffness", 2e3),
    ("normal_viscosity", 0.5),
    ("restitution", 0.5),
    ("rolling_arm", 0.2),
    ("rolling_friction", 0.1),
    ("rotational_bond_stiffness", 1e5),
    ("smoothing_speed", 1e-3),
    ("strain_exponent", 0.7),
    ("surface_tension", 1e-3),
    ("van_der_waals_cutoff", 1e-7),
];

/// Least number of rounds in which the law and the reference are measured alternately; the fastest round of each
/// counts, which reduces the influence of other processes.
const ROUNDS: u64 = 20;

/// Largest number of steps in a round. More steps make more rounds, but not in proportion: the state of the bed changes
/// under each law, and not every law keeps the bed together for long.
const STEPS: u64 = 50;

/// Steps before the measurement, in which the bed comes to rest again.
const WARM_UP: u64 = 100;

/// Steps before the measurement in each round, which reload the cache after the other simulation, as in a run of one of
/// them.
const RETURN: u64 = 2;

/// Result for one law.
#[derive(Debug, Serialize)]
struct Cost {
    slot: &'static str,
    law: String,
    ns_per_contact: f64,
    ratio: f64,
    bytes_per_particle: usize,
    /// Reason if it could not be measured.
    problem: Option<String>,
}

/// A law to measure: slot, name and value in a scene.
type Law = (&'static str, String, String);

/// The laws whose names contain a word.
pub fn chosen(word: &str) -> Result<Vec<Law>, Failure> {
    let chosen: Vec<Law> = all().into_iter().filter(|(_, law, _)| law.contains(word)).collect();
    if chosen.is_empty() {
        // Some names contain commas.
        let names: Vec<String> = all().into_iter().map(|(_, law, _)| format!("`{law}`")).collect();
        let help = format!("the laws are {}", names.join(", "));
        return Err(Failure::input(format!("no name of a law contains `{word}`")).help(help));
    }
    Ok(chosen)
}

/// Measures laws and prints the result.
pub fn bench(
    state: &State,
    name: &str,
    chosen: Vec<Law>,
    arguments: &crate::arguments::Bench,
) -> Result<(), Failure> {
    let steps = (arguments.steps / ROUNDS).clamp(1, STEPS);
    let rounds = ROUNDS.max(arguments.steps / (2 * STEPS));
    let (mut costs, mut fastest) = (Vec::new(), f64::INFINITY);
    for (slot, law, value) in chosen {
        let timed = with_law(slot, &law, &value)
            .and_then(|contact| {
                let materials = if law.ends_with(THREE_MATERIALS) { 3 } else { 1 };
                Timed::new(state, arguments.threads, contact, materials)
            })
            .and_then(|timed| {
                // a new bed for each law, so that both have settled for the same time
                let usual = Timed::new(state, arguments.threads, default_laws()?, 1)?;
                in_turn(usual, timed, rounds, steps)
            });
        let (problem, [own, other], bytes_per_particle) = match timed {
            Ok((times, bytes)) => (None, times, bytes),
            Err(failure) => (Some(failure.message().to_owned()), [f64::NAN; 2], 0),
        };
        fastest = fastest.min(other);
        let (ns_per_contact, ratio) = (own, own / other);
        costs.push(Cost { slot, law, ns_per_contact, ratio, bytes_per_particle, problem });
    }
    if let Some(path) = &arguments.json {
        let json = serde_json::to_string_pretty(&costs).unwrap_or_default() + "\n";
        std::fs::write(path, json).map_err(|error| {
            Failure::input(format!("cannot write `{}`: {error}", path.display()))
        })?;
    }
    print(&page(name, fastest, &costs))
}

/// Measures a law and the default laws alternately: time per contact and step [ns], and bytes per particle.
fn in_turn(
    mut usual: Timed,
    mut timed: Timed,
    rounds: u64,
    steps: u64,
) -> Result<([f64; 2], usize), Failure> {
    let (mut own, mut other) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..rounds {
        other = other.min(usual.measure(steps)?);
        own = own.min(timed.measure(steps)?);
    }
    Ok(([own, other], timed.bytes_per_particle()))
}

fn page(name: &str, fastest: f64, costs: &[Cost]) -> String {
    let mut page = format!(
        "state        {name}\nreference    hertz with its damping and mindlin: {fastest:.1} ns per \
         contact and step, all passes included\n\n{:<12} {:<32} {:>12} {:>8} {:>12}\n",
        "slot", "law", "ns/contact", "ratio", "B/particle"
    );
    for cost in costs {
        let _ = match &cost.problem {
            None => writeln!(
                page,
                "{:<12} {:<32} {:>12.1} {:>8.2} {:>12}",
                cost.slot, cost.law, cost.ns_per_contact, cost.ratio, cost.bytes_per_particle
            ),
            Some(problem) => {
                let first = problem.lines().next().unwrap_or_default();
                writeln!(page, "{:<12} {:<32} not measured: {first}", cost.slot, cost.law)
            }
        };
    }
    page
}

/// Every law.
fn all() -> Vec<Law> {
    let mut all = Vec::new();
    for (slot, words) in esker_scene::law_words() {
        let alone = words
            .into_iter()
            .filter(|word| !OPTIONS.iter().any(|(other, name, _)| *other == slot && name == word));
        all.extend(alone.map(|word| (slot, word.to_owned(), format!("\"{word}\""))));
        let chosen = OPTIONS.iter().filter(|(other, ..)| *other == slot);
        all.extend(chosen.map(|(_, name, value)| (slot, (*name).to_owned(), (*value).to_owned())));
    }
    all
}

fn default_laws() -> Result<ContactModel, Failure> {
    with_law("normal", "hertz", "\"hertz\"")
}

/// Hertz with its damping and Mindlin, with one law replaced or added.
fn with_law(slot: &str, law: &str, value: &str) -> Result<ContactModel, Failure> {
    let alone = WITHOUT_DAMPING.iter().any(|word| law.starts_with(word));
    let damping = if alone { "\"none\"" } else { "\"hertz\"" };
    let mut laws =
        vec![("normal", "\"hertz\""), ("damping", damping), ("tangential", "\"mindlin\"")];
    let value = if slot == "cohesion" { format!("[{value}]") } else { value.to_owned() };
    match laws.iter_mut().find(|(name, _)| *name == slot) {
        Some(law) => law.1 = &value,
        None => laws.push((slot, &value)),
    }
    let mut text = "format = 1\n[materials]\ngrain = { density = 2500, young_modulus = 1e7, \
                    poisson_ratio = 0.25 }\n[contact]\n"
        .to_owned();
    for (slot, value) in laws {
        let _ = writeln!(text, "{slot} = {value}");
    }
    let loaded = esker_scene::load_text("bench", &text, ".");
    loaded.map(|loaded| loaded.scene.contact).map_err(|errors| Failure::input(errors.to_string()))
}

/// A bed with given laws.
struct Timed {
    simulation: Simulation,
    threads: usize,
}

impl Timed {
    /// With grains of this number of materials.
    fn new(
        state: &State,
        threads: usize,
        contact: ContactModel,
        materials: usize,
    ) -> Result<Self, Failure> {
        let mut simulation = Which::Bed.build_with(state, threads, |scene, grain| {
            let material = scene.materials[grain.index()].1.clone();
            let pair = parameters(&contact, &material);
            let mut kinds = vec![grain];
            for number in 1..materials {
                kinds.push(scene.add_material(&format!("grain {number}"), material.clone()));
            }
            for (index, &first) in kinds.iter().enumerate() {
                kinds[index..].iter().for_each(|&other| scene.set_pair(first, other, pair.clone()));
            }
            deal_out(&mut scene.particles, &kinds);
            scene.contact = contact;
            // other laws have other contact times; only the cost of a step matters
            scene.health.step_limit = esker::scene::StepLimit::Warn;
            scene.health.overlap_limit = 0.9;
        })?;
        super::advance(&mut simulation, WARM_UP)?;
        Ok(Self { simulation, threads })
    }

    /// Time per contact and step [ns].
    fn measure(&mut self, steps: u64) -> Result<f64, Failure> {
        super::advance(&mut self.simulation, RETURN)?;
        let clock = Clock::start(self.threads);
        super::advance(&mut self.simulation, steps)?;
        let (_, contacts) = self.simulation.pairs_and_contacts();
        Ok(clock.nanoseconds() / (contacts.max(1) as f64 * steps as f64))
    }

    fn bytes_per_particle(&self) -> usize {
        self.simulation.bytes() / self.simulation.particles().len().max(1)
    }
}

/// Distributes the grains of the first source cyclically over the materials.
fn deal_out(sources: &mut Vec<Source>, kinds: &[MaterialId]) {
    let Some(Source { placement: Placement::List(all), .. }) = sources.first().cloned() else {
        return;
    };
    let mut dealt = Vec::new();
    for (index, &material) in kinds.iter().enumerate() {
        let list = all.iter().skip(index).step_by(kinds.len()).copied().collect();
        let name = format!("grains {index}");
        dealt.push(Source::list(name, material, list));
    }
    *sources = dealt;
}

/// Processor time of this thread if the system provides it and no other thread computes, which reduces the influence of
/// other programs; otherwise wall-clock time.
struct Clock {
    start: Instant,
    on_processor: Option<f64>,
}

impl Clock {
    fn start(threads: usize) -> Self {
        let on_processor = if threads == 1 { time_on_processor() } else { None };
        Self { start: Instant::now(), on_processor }
    }

    fn nanoseconds(&self) -> f64 {
        match self.on_processor.zip(time_on_processor()) {
            Some((before, after)) => after - before,
            None => self.start.elapsed().as_secs_f64() * 1e9,
        }
    }
}

/// Processor time of this thread [ns].
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn time_on_processor() -> Option<f64> {
    #[repr(C)]
    struct Time {
        seconds: i64,
        nanoseconds: i64,
    }
    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut Time) -> i32;
    }
    /// `CLOCK_THREAD_CPUTIME_ID` of Linux.
    const OF_THIS_THREAD: i32 = 3;
    let mut time = Time { seconds: 0, nanoseconds: 0 };
    // SAFETY: the C library, which the standard library is linked with, writes a `timespec`, which
    // on 64-bit Linux is two 64-bit integers.
    let failed = unsafe { clock_gettime(OF_THIS_THREAD, &raw mut time) };
    (failed == 0).then_some(time.seconds as f64 * 1e9 + time.nanoseconds as f64)
}

/// No such clock is known on this system.
#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
fn time_on_processor() -> Option<f64> {
    None
}

/// The parameters that the laws read.
fn parameters(contact: &ContactModel, material: &Material) -> Pair {
    let all = PARAMETERS.iter().fold(Pair::new(), |pair, (name, value)| pair.with(name, *value));
    let mut context = PairContext::new(["", ""], [material; 2], &all, "pair", [0.005; 2], false);
    for model in contact.models() {
        model.for_pair(&mut context);
    }
    let unread: Vec<String> = context.finish().into_iter().map(|problem| problem.path).collect();
    let read = PARAMETERS.iter().filter(|(name, _)| !unread.contains(&format!("pair.{name}")));
    read.fold(Pair::new(), |pair, (name, value)| pair.with(name, *value))
}
