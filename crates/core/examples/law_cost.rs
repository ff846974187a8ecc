//! What laws cost: nanoseconds for each contact of a full chunk, with all numbers in the cache.
//! `cargo run --release --example law_cost`

use esker::law::cohesion::{Adhesion, Bond, Formation, LiquidBridge, Mie, Truncation, VanDerWaals};
use esker::law::{Column, Contacts, Forces, History, Law, Memory, PairContext, Step, WIDTH};
use esker::prelude::*;
use std::time::Instant;

const RADIUS: f64 = 0.01;

fn main() {
    let hertz = || ContactModel::normal(Hertz::default());
    let mindlin = || hertz().damping(HertzDamping::default()).tangential(Mindlin::default());
    let with = |law| -> ContactModel {
        let mut model = mindlin();
        model.cohesion.push(law);
        model
    };
    use std::sync::Arc;
    let rows: Vec<(&str, ContactModel)> = vec![
        ("hertz", hertz()),
        ("hertz, damping, mindlin", mindlin()),
        ("… and elastic-plastic rolling", mindlin().rolling(ElasticPlastic::default())),
        ("… and adhesion", with(Arc::new(Adhesion::default()))),
        ("… and persistent adhesion", with(Arc::new(Adhesion { persistent: true }))),
        ("… and bond", with(Arc::new(Bond::default()))),
        ("… and mie, smooth", with(Arc::new(Mie::default()))),
        ("… and mie, sharp", with(Arc::new(Mie { truncation: Truncation::Sharp }))),
        ("… and van der waals", with(Arc::new(VanDerWaals::default()))),
        ("… and liquid bridge", with(Arc::new(LiquidBridge::default()))),
        (
            "… and liquid bridge in the shell",
            with(Arc::new(LiquidBridge { formation: Formation::Shell })),
        ),
    ];
    let costs: Vec<f64> = rows.iter().map(|(_, model)| cost(model)).collect();
    println!("{:<36} {:>10} {:>18}", "laws", "ns/contact", "of hertz-mindlin");
    for ((name, _), cost) in rows.iter().zip(&costs) {
        println!("{name:<36} {cost:>10.2} {:>18.2}", cost / costs[1]);
    }
}

/// Best of some rounds, so that other work on the machine counts least.
fn cost(model: &ContactModel) -> f64 {
    let laws = laws(model);
    let contacts = contacts();
    let width = |law: &dyn Law| law.history().iter().map(|column| column.width()).sum();
    let old: Vec<Vec<Column>> =
        laws.iter().map(|law| vec![[0.0; WIDTH]; width(law.as_ref())]).collect();
    let mut new = old.clone();
    let step = Step { dt: 1e-5, elapsed: 1e-5, end_velocity_share: 1.0, ledger: false };
    let (rounds, chunks) = (500, 100);
    let mut best = f64::INFINITY;
    let mut forces = Forces::ZERO;
    for _ in 0..rounds {
        let start = Instant::now();
        for _ in 0..chunks {
            forces = Forces::ZERO;
            for ((law, old), new) in laws.iter().zip(&old).zip(&mut new) {
                law.evaluate(
                    std::hint::black_box(&contacts),
                    &step,
                    &mut History { old, new, memory: Memory::NONE },
                    &mut forces,
                );
            }
            std::hint::black_box(&forces);
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(chunks));
    }
    assert!(forces.elastic[0] > 0.0);
    1e9 * best / WIDTH as f64
}

/// The laws of a model, with the parameters that they ask for.
fn laws(model: &ContactModel) -> Vec<Box<dyn Law>> {
    let all = [
        ("damping_ratio", 0.2),
        ("friction", 0.4),
        ("rolling_friction", 0.3),
        ("adhesion_coefficient", 20.0),
        ("adhesion_exponent", 1.5),
        ("adhesion_critical_strain", 1e-4),
        ("bond_stiffness", 1e5),
        ("bond_exponent", 0.5),
        ("bond_critical_strain", 2e-4),
        ("rotational_bond_stiffness", 1e9),
        ("mie_attraction", 1e-6),
        ("mie_attraction_exponent", 6.0),
        ("mie_repulsion", 1e-10),
        ("mie_repulsion_exponent", 12.0),
        ("mie_cutoff", 0.03),
        ("hamaker_constant", 1e-17),
        ("asperity_radius", 1e-8),
        ("surface_tension", 0.07),
        ("bridge_volume", 0.01),
    ];
    let pair = all.iter().fold(Pair::new(), |pair, (name, value)| pair.with(name, *value));
    let material =
        Material { density: 2500.0, young_modulus: 1e7, poisson_ratio: 0.3, ..Material::default() };
    let mut context =
        PairContext::new(["a", "a"], [&material; 2], &pair, "pair", [RADIUS; 2], false);
    model.models().map(|model| model.for_pair(&mut context)).collect()
}

/// Contacts of spheres of many sizes at small overlaps, with a little of every motion.
fn contacts() -> Contacts {
    let mut contacts = Contacts::ZERO;
    for c in 0..WIDTH {
        let share = c as f64 / WIDTH as f64;
        let radii = [RADIUS, RADIUS * (0.5 + 0.5 * share)];
        contacts.overlap[c] = 1e-4 * (0.1 + share) * RADIUS;
        contacts.closing_speed[c] = 1e-3 * (share - 0.5);
        contacts.normal[2][c] = 1.0;
        contacts.distance[c] = radii[0] + radii[1] - contacts.overlap[c];
        contacts.effective_radius[c] = 1.0 / (1.0 / radii[0] + 1.0 / radii[1]);
        contacts.effective_mass[c] = 1e-3;
        for body in 0..2 {
            contacts.radius[body][c] = radii[body];
            contacts.inverse_mass[body][c] = 500.0;
            contacts.inverse_inertia[body][c] = 1e7;
            contacts.lever[body][c] = radii[body];
        }
        contacts.slip_velocity[0][c] = 1e-3 * share;
        contacts.slip[0][c] = 1e-8 * share;
        contacts.rolling_velocity[1][c] = 0.1 * share;
        contacts.roll[1][c] = 1e-6 * share;
    }
    contacts
}
