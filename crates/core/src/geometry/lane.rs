//! Geometry and kinematics of one contact. The loops of the stages and the fused loop of the
//! default laws call the same functions, so both give the same bits.

/// Unit vector from the first partner to the second, their distance and its inverse.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Separation {
    pub normal: [f64; 3],
    pub distance: f64,
    pub inverse_distance: f64,
}

/// For the nearest image of a difference of centres.
#[inline(always)]
pub(crate) fn separation(difference: [f64; 3], period: &[f64; 3], half: &[f64; 3]) -> Separation {
    let mut d = difference;
    for axis in 0..3 {
        d[axis] -= if d[axis] > half[axis] { period[axis] } else { 0.0 };
        d[axis] += if d[axis] < -half[axis] { period[axis] } else { 0.0 };
    }
    let distance = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
    // coincident centres give a zero normal and no force; the overlap check reports them
    let inverse_distance = inverse(distance);
    Separation { normal: d.map(|part| part * inverse_distance), distance, inverse_distance }
}

/// 1/d, finite for zero.
#[inline(always)]
pub(crate) fn inverse(distance: f64) -> f64 {
    1.0 / if distance > f64::MIN_POSITIVE { distance } else { f64::MIN_POSITIVE }
}

/// R* and m* from inverse radii and masses, with one division for both.
#[inline(always)]
pub(crate) fn effective(inverse_radii: [f64; 2], inverse_masses: [f64; 2]) -> [f64; 2] {
    let curvature = inverse_radii[0] + inverse_radii[1];
    let lightness = inverse_masses[0] + inverse_masses[1];
    let inverse = 1.0 / (curvature * lightness);
    [lightness * inverse, curvature * inverse]
}

/// Levers with half the overlap taken off each radius; `second` is zero at a wall and one else.
#[inline(always)]
pub(crate) fn half_overlap_levers(radii: [f64; 2], overlap: f64, second: f64) -> [f64; 2] {
    let half = 0.5 * overlap;
    [radii[0] - half, second * (radii[1] - half)]
}

/// How the surfaces move past each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Motion {
    pub closing_speed: f64,
    pub slip_velocity: [f64; 3],
    /// Mean spin of the partners about the normal [rad/s].
    pub mean_spin: f64,
}

/// From relative velocity of the centres, spins and levers.
#[inline(always)]
pub(crate) fn motion(
    normal: [f64; 3],
    velocity: [f64; 3],
    spins: [[f64; 3]; 2],
    levers: [f64; 2],
) -> Motion {
    let (n, v, [first, other], [a, b]) = (normal, velocity, spins, levers);
    let closing = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
    let w = [a * first[0] + b * other[0], a * first[1] + b * other[1], a * first[2] + b * other[2]];
    Motion {
        closing_speed: closing,
        slip_velocity: [
            v[0] - closing * n[0] + (w[1] * n[2] - w[2] * n[1]),
            v[1] - closing * n[1] + (w[2] * n[0] - w[0] * n[2]),
            v[2] - closing * n[2] + (w[0] * n[1] - w[1] * n[0]),
        ],
        mean_spin: 0.5
            * ((first[0] + other[0]) * n[0]
                + (first[1] + other[1]) * n[1]
                + (first[2] + other[2]) * n[2]),
    }
}

/// The share of the time since the accepted state during which a contact has existed: one born
/// within the step has slipped only since then (docs/errata.md R6).
#[inline(always)]
pub(crate) fn share(overlap: f64, closing_speed: f64, elapsed: f64) -> f64 {
    let entered = closing_speed * elapsed;
    let positive = if overlap > 0.0 { overlap } else { 0.0 };
    if overlap < entered { positive / entered } else { 1.0 }
}

/// Change of the normal between particles: it turns with the tangential motion of the centres.
#[inline(always)]
pub(crate) fn turn(
    normal: [f64; 3],
    velocity: [f64; 3],
    closing_speed: f64,
    inverse_distance: f64,
    elapsed: f64,
) -> [f64; 3] {
    let rate = -(elapsed * inverse_distance);
    [
        rate * (velocity[0] - closing_speed * normal[0]),
        rate * (velocity[1] - closing_speed * normal[1]),
        rate * (velocity[2] - closing_speed * normal[2]),
    ]
}
