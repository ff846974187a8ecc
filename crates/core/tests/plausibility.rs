//! Warnings before the first step: streams that fall short, stages that cannot end, lengths beyond the precision of
//! coordinates, overlaps.

mod common;

use common::*;
use esker::insert::{Amount, Radius, Region};
use esker::prelude::*;
use esker::stage::{Change, End, Stage};

fn stage(name: &str, end: End) -> Stage {
    Stage { name: name.into(), end, changes: Vec::new() }
}

fn after(seconds: f64) -> End {
    End { after: Some(seconds), ..End::default() }
}

/// A floor and a run of 0.1 s.
fn bare() -> (Scene, MaterialId) {
    let (mut scene, material) = scene(damped(), Pair::new().restitution(0.5));
    scene.gravity = -G * Vec3::Z;
    scene.domain = Some(Domain::new(Vec3::splat(-1.0), Vec3::splat(1.0)));
    scene.add_wall("floor", floor(), material);
    scene.stages.push(stage("run", after(0.1)));
    (scene, material)
}

/// One grain above the floor.
fn ball() -> Scene {
    let (mut scene, material) = bare();
    scene.add_sphere(material, sphere(3.0 * RADIUS * Vec3::Z, Vec3::ZERO));
    scene
}

fn stream(material: MaterialId, size: f64, rate: f64, count: Option<usize>, start: f64) -> Source {
    let min = Vec3::new(0.0, 0.0, 2.0 * RADIUS);
    Source::new(
        "rain",
        material,
        Radius::Constant(RADIUS),
        Placement::Stream {
            region: Region::Box { min, max: min + Vec3::splat(size) },
            rate,
            count,
            start,
        },
    )
}

fn raining(size: f64, rate: f64, count: Option<usize>, start: f64) -> Scene {
    let (mut scene, material) = bare();
    scene.particles.push(stream(material, size, rate, count, start));
    scene
}

fn warnings(scene: Scene) -> Vec<String> {
    scene.build().expect("a valid scene").warnings().to_vec()
}

fn refusal(scene: Scene) -> String {
    scene.build().expect_err("a scene that is refused").to_string()
}

#[test]
fn a_stream_that_starts_after_the_end_or_is_too_slow_is_reported_in_advance() {
    assert_eq!(warnings(raining(0.2, 100.0, Some(10), 0.0)), [] as [&str; 0]);
    let late = warnings(raining(0.2, 100.0, Some(10), 0.2));
    assert!(late[0].contains("inserts none of 10 particles"), "{late:?}");
    let endless = warnings(raining(0.2, 100.0, None, 0.2));
    assert!(endless[0].contains("inserts none of any particles"), "{endless:?}");
    // the first at once and then one each 0.01 s: eleven in 0.1 s
    let slow = warnings(raining(0.2, 100.0, Some(50), 0.0));
    assert!(slow[0].contains("inserts at most 11 of 50 particles"), "{slow:?}");
    // a later stage has its own start
    let (mut scene, material) = bare();
    let mut second = stage("second", after(0.05));
    second.changes.push(Change::Insert(stream(material, 0.2, 100.0, Some(3), 0.06)));
    scene.stages.push(second);
    assert!(warnings(scene)[0].contains("inserts none of 3 particles"));
}

#[test]
fn a_stream_without_room_is_reported_in_advance() {
    let found = warnings(raining(3.0 * RADIUS, 1e4, Some(900), 0.0));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("has room for at most") && found[0].contains("of 900"), "{found:?}");
    // below the floor
    let (mut scene, material) = bare();
    let mut below = stream(material, 0.1, 100.0, Some(3), 0.0);
    if let Placement::Stream { region, .. } = &mut below.placement {
        *region = Region::Box { min: Vec3::splat(-0.5), max: Vec3::splat(-0.1) };
    }
    scene.particles.push(below);
    assert!(warnings(scene)[0].contains("clear of the walls"));
    let message = refusal(raining(1.5 * RADIUS, 100.0, Some(3), 0.0));
    assert!(message.contains("does not fit in the region"), "{message}");
}

#[test]
fn a_stream_is_bounded_by_what_can_be_present_and_not_by_its_total() {
    // a number that would take terabytes, of which 101 are inserted before the end
    let scene = raining(0.4, 1e3, Some(3_000_000_000), 0.0);
    assert!(warnings(scene)[0].contains("inserts at most 101 of 3000000000 particles"));
    // a run without a known end, in a domain that holds few
    let mut scene = raining(0.4, 1e3, Some(3_000_000_000), 0.0);
    scene.stages[0].end = End { kinetic_energy_below: Some(1e-9), ..End::default() };
    assert_eq!(warnings(scene), [] as [&str; 0]);
    // more than ids can count
    let mut scene = raining(0.4, 1e12, Some(9_000_000_000), 0.0);
    scene.stages[0].end = after(10.0);
    assert!(refusal(scene).contains("are possible in one run"));
}

#[test]
fn open_streams_report_the_numbers_requested_due_and_inserted() {
    let mut simulation = raining(3.0 * RADIUS, 1e4, Some(900), 0.0).build().expect("valid");
    while !simulation.is_finished() {
        simulation.step().expect("a healthy step");
    }
    let open = simulation.open_streams();
    assert_eq!((open.len(), open[0].requested, open[0].due), (1, Some(900), 900));
    assert_eq!(open[0].inserted, simulation.counts().inserted);
    assert!(open[0].inserted < 900);
}

#[test]
fn stages_that_cannot_end_are_warned_about() {
    let with = |end: End| {
        let mut scene = ball();
        scene.stages.push(stage("wait", end));
        scene
    };
    let until = |count| End { particles_reach: Some(count), ..End::default() };
    let fall = |count| End { particles_fall_to: Some(count), ..End::default() };
    let found = warnings(with(until(2)));
    assert!(found[0].contains("waits for 2 particles, and at most 1 can be there"), "{found:?}");
    assert_eq!(warnings(with(until(1))), [] as [&str; 0]);
    let found = warnings(with(fall(0)));
    assert!(found[0].contains("until 0 particles are left of 1"), "{found:?}");
    let mut deleting = with(fall(0));
    deleting.domain.as_mut().expect("a domain").outside = Outside::Delete;
    assert_eq!(warnings(deleting), [] as [&str; 0]);
    // a second condition to end is enough, and so is a stage that removes them
    let timed = End { after: Some(1.0), ..until(2) };
    assert_eq!(warnings(with(timed)), [] as [&str; 0]);
    let mut removing = with(fall(0));
    removing.stages[1].changes.push(Change::RemoveParticles("sphere0".into()));
    assert_eq!(warnings(removing), [] as [&str; 0]);
}

#[test]
fn more_steps_than_can_be_counted_are_refused() {
    let mut scene = ball();
    scene.stages[0].end = after(1e12);
    let message = refusal(scene);
    assert!(message.contains("stages[0].end") && message.contains("2^53"), "{message}");
    let mut scene = ball();
    scene.stages[0].end = after(1e10);
    assert!(scene.build().is_ok());
}

#[test]
fn lengths_beyond_a_billion_radii_are_warned_about() {
    assert_eq!(warnings(ball()), [] as [&str; 0]);
    let mut scene = ball();
    let edges = [2e160 * Vec3::X, 2e160 * Vec3::Y];
    let corner = -1e160 * (Vec3::X + Vec3::Y);
    scene.walls[0].shape = Shape::Rectangle { corner, edges };
    let found = warnings(scene);
    assert!(found[0].contains("wall `floor` extends to 1.0e160 m, 1.0e162 times"), "{found:?}");
    let mut scene = ball();
    scene.domain = Some(Domain::new(Vec3::splat(-1.1e7), Vec3::splat(1.0)));
    assert!(warnings(scene)[0].contains("the domain extends to 1.1e7 m, 1.1e9 times"));
}

#[test]
fn a_packing_denser_than_spheres_allow_is_refused_before_it_is_grown() {
    let dense = |radius: Radius, fraction: f64, size: f64| {
        let (mut scene, material) = bare();
        scene.particles.push(Source::new(
            "bed",
            material,
            radius,
            Placement::Grow {
                region: Region::Box { min: Vec3::splat(0.1), max: Vec3::splat(0.1 + size) },
                amount: Amount::Fraction(fraction),
            },
        ));
        scene
    };
    // growing this number of particles would take minutes
    let message = refusal(dense(Radius::Constant(0.003), 0.67, 0.4));
    assert!(message.contains("equal spheres at random fill at most 0.66"), "{message}");
    let sizes = Radius::Uniform { min: 0.003, max: 0.006 };
    let message = refusal(dense(sizes.clone(), 0.75, 0.4));
    assert!(message.contains("spheres at random fill at most 0.74"), "{message}");
    // a feasible packing is accepted
    assert!(dense(sizes, 0.5, 0.06).build().is_ok());
}

#[test]
fn the_largest_overlap_has_the_energy_of_hertz() {
    let mut scene = ball();
    assert_eq!(scene.clone().build().expect("valid").largest_overlap(), None);
    let overlap = 0.02 * RADIUS;
    let material = scene.particles[0].material;
    scene.add_sphere(material, sphere(Vec3::new(5.0 * RADIUS, 0.0, RADIUS - overlap), Vec3::ZERO));
    let found = scene.build().expect("valid").largest_overlap().expect("an overlap");
    // 2/5 K δ^{5/2}, on a floor R* is the radius and m* the mass
    let energy = 0.4 * hertz_stiffness(RADIUS) * overlap.powf(2.5);
    assert_close(found.fraction, 0.02, 1e-9);
    assert_close(found.energy, energy, 1e-9);
    assert_close(found.speed, (2.0 * energy / mass(RADIUS)).sqrt(), 1e-9);
    assert_eq!(found.between, ["particle 1 of `sphere1`", "wall `floor`"]);
}
