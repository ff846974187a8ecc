//! Surfaces of revolution as ASCII STL files, for codes whose walls are meshes.

use std::f64::consts::{PI, TAU};
use std::fmt::Write;

/// Flat faces around the axis.
const FACES: u32 = 64;

/// The surface of a profile (distance from the axis, position along it) about y or z. The faces touch the surface from
/// outside: their edges are farther from the axis by 1/cos(π/n), 0.1 %.
pub fn of_revolution(profile: &[[f64; 2]], is_horizontal: bool) -> String {
    let outer = 1.0 / (PI / f64::from(FACES)).cos();
    let point = |[distance, along]: [f64; 2], face: u32| {
        let (sin, cos) = (TAU * f64::from(face) / f64::from(FACES)).sin_cos();
        let [a, b] = [outer * distance * cos, outer * distance * sin];
        if is_horizontal { [a, along, b] } else { [a, b, along] }
    };
    let mut text = String::from("solid wall\n");
    for (&low, &high) in profile.iter().zip(profile.iter().skip(1)) {
        for face in 0..FACES {
            let [a, b] = [point(low, face), point(low, face + 1)];
            let [c, d] = [point(high, face + 1), point(high, face)];
            if low[0] > 0.0 {
                facet(&mut text, [a, b, c]);
            }
            if high[0] > 0.0 {
                facet(&mut text, [a, c, d]);
            }
        }
    }
    text + "endsolid wall\n"
}

fn facet(text: &mut String, corners: [[f64; 3]; 3]) {
    text.push_str("facet normal 0 0 0\nouter loop\n");
    for [x, y, z] in corners {
        // writing to a string cannot fail
        let _ = writeln!(text, "vertex {x} {y} {z}");
    }
    text.push_str("endloop\nendfacet\n");
}
