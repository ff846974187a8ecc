//! Damping ratios of materials: the weighting of the papers and the other one.

mod common;

use common::*;
use damping::Weighting;
use esker::prelude::*;

/// Ratios and moduli of a ball and a floor.
const RATIOS: [f64; 2] = [0.3, 0.05];
const MODULI: [f64; 2] = [2e8, 5e7];

fn scene_of(weighting: Weighting, pair: Pair, ratios: [Option<f64>; 2]) -> Scene {
    let mut scene = Scene::new();
    scene.contact = hertz().damping(HertzDamping { weighting });
    scene.domain = Some(Domain::new(Vec3::splat(-1.0), Vec3::splat(1.0)));
    let [ball, wall] = [0, 1].map(|index| {
        let mut material =
            Material::new().density(DENSITY).young_modulus(MODULI[index]).poisson_ratio(POISSON);
        material.more.extend(ratios[index].map(|ratio| ("damping_ratio".to_owned(), ratio)));
        scene.add_material(["ball", "floor"][index], material)
    });
    scene.set_pair(ball, wall, pair.clone());
    scene.set_pair(ball, ball, pair);
    scene.add_wall("floor", floor(), wall);
    scene.add_sphere(ball, sphere(Vec3::Z * RADIUS, -Vec3::Z));
    scene.safety = Some(1e-3);
    scene
}

/// The damping force of the contact shortly after the first touch [N].
fn damping(weighting: Weighting, pair: Pair, ratios: [Option<f64>; 2]) -> f64 {
    damping_in(scene_of(weighting, pair, ratios))
}

fn damping_in(scene: Scene) -> f64 {
    let mut simulation = scene.build().expect("a valid scene");
    for _ in 0..100 {
        simulation.step().expect("a healthy step");
    }
    simulation.contacts()[0].damping
}

#[test]
fn ratios_are_weighted_by_their_own_young_modulus_or_by_that_of_the_partner() {
    let sum = MODULI[0] + MODULI[1];
    let own = (MODULI[0] * RATIOS[0] + MODULI[1] * RATIOS[1]) / sum;
    let other = (MODULI[1] * RATIOS[0] + MODULI[0] * RATIOS[1]) / sum;
    for (weighting, expected) in
        [(Weighting::OwnStiffness, own), (Weighting::OtherStiffness, other)]
    {
        let found = damping(weighting, Pair::new(), RATIOS.map(Some));
        let given = damping(weighting, Pair::new().damping_ratio(expected), [None; 2]);
        // the two ratios differ in rounding
        assert_close(found, given, 1e-12);
    }
}

#[test]
fn a_ratio_of_the_pair_takes_precedence_over_those_of_the_materials() {
    let mut scene = scene_of(Weighting::OwnStiffness, Pair::new(), RATIOS.map(Some));
    let (ball, wall) = (MaterialId::new(0), MaterialId::new(1));
    scene.set_pair(ball, wall, Pair::new().damping_ratio(0.7));
    // those of the materials are still used between balls, so that none is unused
    assert_eq!(damping_in(scene), {
        damping(Weighting::OwnStiffness, Pair::new().damping_ratio(0.7), [None; 2])
    });
}

#[test]
fn one_ratio_of_two_is_not_enough() {
    let scene = scene_of(Weighting::OwnStiffness, Pair::new(), [Some(0.3), None]);
    let Err(Error::Scene(problems)) = scene.build() else { panic!("it was accepted") };
    let text = problems[0].to_string();
    assert!(text.contains("needs `damping_ratio` or `restitution`"), "{text}");
}

#[test]
fn a_ratio_of_a_material_that_no_law_reads_is_refused() {
    let mut scene = scene_of(Weighting::OwnStiffness, Pair::new(), RATIOS.map(Some));
    scene.contact = hertz();
    let Err(Error::Scene(problems)) = scene.build() else { panic!("it was accepted") };
    assert_eq!(problems[0].path, "materials.ball.damping_ratio");
}
