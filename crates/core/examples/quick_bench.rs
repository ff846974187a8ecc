//! Throw-away.
use esker::prelude::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let threads: usize = args.get(2).map_or(1, |s| s.parse().unwrap());
    let steps: usize = args.get(3).map_or(2000, |s| s.parse().unwrap());
    let rolling_on = args.get(4).is_some();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let mut scene = Scene::new();
    let mut bounds = vec![];
    let mut list = vec![];
    for line in text.lines() {
        if let Some(b) = line.strip_prefix("# box") {
            bounds = b.split_whitespace().map(|v| v.parse::<f64>().unwrap()).collect();
            continue;
        }
        if line.starts_with('#') {
            continue;
        }
        let v: Vec<f64> = line.split_whitespace().map(|v| v.parse().unwrap()).collect();
        list.push(Sphere {
            position: Vec3::new(v[0], v[1], v[2]),
            radius: v[3],
            velocity: Vec3::new(v[4], v[5], v[6]),
            spin: Vec3::new(v[7], v[8], v[9]),
        });
    }
    let n = list.len();
    let mut domain = Domain::new(
        Vec3::new(bounds[0], bounds[2], bounds[4] - 0.01),
        Vec3::new(bounds[1], bounds[3], bounds[5]),
    );
    domain.periodic = [true, true, false];
    scene.domain = Some(domain);
    scene.gravity = Vec3::Z * -9.81;
    scene.threads = threads;
    scene.step = StepSize::Fixed(5e-6);
    scene.contact = ContactModel::normal(normal::Hertz::default())
        .damping(damping::HertzDamping::default())
        .tangential(tangential::Mindlin::default());
    let m = scene.add_material(
        "grain",
        Material {
            density: 2500.0,
            young_modulus: 1e7,
            poisson_ratio: 0.25,
            ..Material::default()
        },
    );
    let mut pair = Pair::new().friction(0.5).restitution(0.5);
    if rolling_on {
        scene.contact = scene.contact.rolling(rolling::ElasticPlastic::default());
        pair = pair.rolling_friction(0.1);
    }
    scene.set_pair(m, m, pair);
    scene.add_wall("floor", Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z }, m);
    scene.particles.push(Source {
        name: "bed".into(),
        material: m,
        placement: Placement::List(list),
        ..Source::default()
    });
    let mut sim = scene.build().unwrap();
    for _ in 0..201 {
        sim.step().unwrap();
        if sim.steps() >= 200 {
            println!("step {} KE {:.4e}", sim.steps(), sim.energy().kinetic);
        }
    }
    let t = std::time::Instant::now();
    for _ in 0..steps {
        sim.step().unwrap();
    }
    let e = t.elapsed().as_secs_f64();
    println!(
        "{:.2} M/s, {:.1} ns/particle-step; {:?} skin {:?} bytes/particle {} cand,cont {:?}",
        n as f64 * steps as f64 / e / 1e6,
        e * 1e9 / n as f64 / steps as f64,
        sim.statistics(),
        0,
        sim.bytes() / n,
        sim.candidates_and_contacts()
    );
    let s: f64 = sim.particles().positions().map(|p| p[2]).sum();
    println!("{s:e}");
}
