//! Tests of the shape of a bridge and of its table.

use super::*;

/// Volumes from far below to far above those on grains.
const VOLUMES: [f64; 8] = [1e-8, 1e-6, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.3];

/// Volume of the solid between the two spherical caps and the circle tangent to both, by Simpson's rule over the
/// height: an independent computation of Φ.
fn volume_by_slices(half_gap: f64, angle: f64) -> f64 {
    let [meridian, neck] = radii(half_gap, angle);
    // the liquid touches the sphere at this height above the middle plane
    let top = 1.0 + half_gap - angle.cos();
    let slices = 20_000;
    let area = |height: f64| {
        let liquid = meridian + neck - (meridian * meridian - height * height).max(0.0).sqrt();
        let depth = (height - half_gap).max(0.0);
        let solid = depth * (2.0 - depth);
        PI * (liquid * liquid - solid)
    };
    // the sphere begins at Z: the rule is applied to each piece
    let slice_mut = |from: f64, to: f64| {
        let step = (to - from) / slices as f64;
        let inner: f64 = (1..slices)
            .map(|i| area(from + i as f64 * step) * if i % 2 == 1 { 4.0 } else { 2.0 })
            .sum();
        (area(from) + inner + area(to)) * step / 3.0
    };
    2.0 * (slice_mut(0.0, half_gap) + slice_mut(half_gap, top)) / (4.0 / 3.0 * PI)
}

#[test]
fn the_volume_is_that_of_the_solid_of_revolution() {
    for (half_gap, angle) in [(0.0, 0.3), (0.05, 0.4), (0.2, 0.8), (0.4, 1.0)] {
        let (closed, slices) = (volume(half_gap, angle), volume_by_slices(half_gap, angle));
        // Simpson's rule on 20 000 slices of a smooth profile
        assert!((closed / slices - 1.0).abs() < 1e-9, "{half_gap} {angle}: {closed} {slices}");
    }
}

#[test]
fn the_filling_angle_solves_its_equation_from_contact_to_rupture() {
    for wanted in VOLUMES {
        for fraction in [0.0, 1e-6, 1e-3, 0.03, 0.1, 0.3, 0.6, 0.9, 1.0] {
            for body in [wanted, wanted / 8.0] {
                let half_gap = fraction * rupture(body);
                let angle = filling_angle(half_gap, body);
                let miss = volume(half_gap, angle) / body - 1.0;
                assert!(miss.abs() < 1e-10, "{body} {fraction}: {miss:e}");
                assert!(radii(half_gap, angle)[1] > 0.0, "the neck is open");
            }
        }
    }
}

#[test]
fn angles_and_pulls_are_those_of_the_reference() {
    // an independent computation: Φ, Z, ψ in degrees, attraction; all digits given are significant
    let reference = [
        (0.001, 0.0, 14.234, 1.7780),
        (0.001, 0.0403, 9.117, 0.3529),
        (0.001, 0.0806, 8.670, 0.1269),
        (0.01, 0.0, 27.102, 1.6116),
        (0.1, 0.0, 54.044, 1.3245),
        (0.1, 0.18706, 41.947, 0.8428),
        (0.1, 0.37411, 38.566, 0.4892),
        (0.2, 0.0, 67.210, 1.2015),
    ];
    for (wanted, half_gap, degrees, expected) in reference {
        assert!((filling_angle(half_gap, wanted).to_degrees() - degrees).abs() < 6e-4);
        assert!((pull(half_gap, wanted) - expected).abs() < 6e-5);
    }
    assert!((rupture(0.001) - 0.0806).abs() < 5e-5);
}

#[test]
fn a_tiny_bridge_at_contact_pulls_with_twice_pi_gamma_r() {
    // ψ = (8Φ/3)^{1/4} = 0.004, and the attraction decreases with ψ in first order
    assert!((pull(0.0, 1e-10) - 2.0).abs() < 0.01);
}

#[test]
fn the_table_gives_pull_and_work_to_a_part_in_a_hundred_thousand() {
    let mut worst = [0.0f64; 2];
    for wanted in VOLUMES {
        let table = Table::new(wanted);
        for ratio in [0.5, 0.55, 0.7, 0.83, 0.97, 1.0] {
            let body = wanted * ratio * ratio * ratio;
            let largest = pull(0.0, body);
            let end = rupture(body);
            let mut work = 0.0;
            let count = 4000;
            // from rupture to contact in steps that decrease with the gap
            let half_gap = |i: usize| end * (i as f64 / count as f64).powi(3);
            for i in (0..count).rev() {
                let [near, far] = [half_gap(i), half_gap(i + 1)];
                let middle = 0.5 * (near + far);
                let [a, b, c] = [near, middle, far].map(|gap| pull(gap, body));
                work += (far - near) / 6.0 * (a + 4.0 * b + c);
                let point = Points::all(&table.point(ratio, near));
                worst[0] = worst[0].max((table.pull(&point)[0] - a).abs() / largest);
                worst[1] = worst[1].max((table.work(&point)[0] - work).abs() / (largest * end));
            }
        }
    }
    println!("pull {:e}, work {:e}", worst[0], worst[1]);
    assert!(worst[0] < 1e-5 && worst[1] < 1e-5, "{worst:?}");
}
