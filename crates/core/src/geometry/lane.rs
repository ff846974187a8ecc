//! Geometry and kinematics of one contact. The loops of the stages and the fused loop of the
//! default laws call the same functions, so both give the same bits.

/// Two particles that are near each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kinematics {
    /// Unit vector from the first to the second.
    pub normal: [f64; 3],
    pub distance: f64,
    pub inverse_distance: f64,
    pub overlap: f64,
    /// Overlap as a share of the smaller radius.
    pub overlap_fraction: f64,
    /// R* and m*.
    pub effective_radius: f64,
    pub effective_mass: f64,
    pub closing_speed: f64,
    /// 1 / closing speed, where that is positive.
    pub inverse_speed: f64,
    /// Cosine and sine of the mean angle by which they have spun about the normal, see [`cayley`].
    pub spun: [f64; 2],
}

/// Two particles as they are loaded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairInput {
    /// Place of the second less that of the first; at a wall the unit normal.
    pub difference: [f64; 3],
    /// Velocity of the first less that of the second.
    pub velocity: [f64; 3],
    pub spins: [[f64; 3]; 2],
    pub radii: [f64; 2],
    pub inverse_masses: [f64; 2],
}

/// Below these a square of a distance and a velocity times a distance count as zero; small enough
/// for atoms, and products of them are far from underflow.
const LEAST: f64 = 1e-60;

/// For the nearest image. One division for all: the products of its factors give each inverse, to
/// some units of the last place, and it need not wait for the root.
#[inline(always)]
pub(crate) fn approach(
    of: &PairInput,
    period: &[f64; 3],
    half: &[f64; 3],
    elapsed: f64,
) -> Kinematics {
    sight(of, period, half, elapsed).approach(of)
}

/// What an approach waits for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Separation {
    /// From the first to the second.
    pub difference: [f64; 3],
    pub square: f64,
    pub distance: f64,
    /// Times the distance: the closing speed, and half of the mean angle of spinning.
    pub closing: f64,
    pub half_angle: f64,
    /// One over the product of all that is divided by.
    pub inverse: f64,
}

/// Factors of what is divided by.
struct Factors {
    distances: f64,
    half_square: f64,
    spinning: f64,
    positive: f64,
    reach: f64,
    product: f64,
    lightness: f64,
    places: f64,
    bodies: f64,
    rest: f64,
}

#[inline(always)]
fn factors(of: &PairInput, square: f64, closing: f64, half_angle: f64) -> Factors {
    let [first_radius, other_radius] = of.radii;
    let (reach, product) = (first_radius + other_radius, first_radius * other_radius);
    let lightness = of.inverse_masses[0] + of.inverse_masses[1];
    let half_square = half_angle * half_angle;
    // coincident centres give a zero normal and no force; the overlap check reports them
    let distances = if square > LEAST { square } else { LEAST };
    let positive = if closing > LEAST { closing } else { LEAST };
    let spinning = distances + half_square;
    let (places, bodies, rest) = (distances * spinning, reach * lightness, positive * product);
    Factors {
        distances,
        half_square,
        spinning,
        positive,
        reach,
        product,
        lightness,
        places,
        bodies,
        rest,
    }
}

/// The first half of `approach`: up to its root and its division.
#[inline(always)]
pub(crate) fn sight(
    of: &PairInput,
    period: &[f64; 3],
    half: &[f64; 3],
    elapsed: f64,
) -> Separation {
    let (mut d, v, [first, other]) = (of.difference, of.velocity, of.spins);
    for axis in 0..3 {
        d[axis] -= if d[axis] > half[axis] { period[axis] } else { 0.0 };
        d[axis] += if d[axis] < -half[axis] { period[axis] } else { 0.0 };
    }
    let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    let closing = v[0] * d[0] + v[1] * d[1] + v[2] * d[2];
    let half_angle = 0.25
        * elapsed
        * ((first[0] + other[0]) * d[0]
            + (first[1] + other[1]) * d[1]
            + (first[2] + other[2]) * d[2]);
    let Factors { places, bodies, rest, .. } = factors(of, square, closing, half_angle);
    Separation {
        difference: d,
        square,
        distance: square.sqrt(),
        closing,
        half_angle,
        inverse: 1.0 / ((places * bodies) * rest),
    }
}

impl Separation {
    /// The second half of `approach`.
    #[inline(always)]
    pub(crate) fn approach(&self, of: &PairInput) -> Kinematics {
        let Self { difference: d, square, distance, closing, half_angle, inverse } = *self;
        let factors = factors(of, square, closing, half_angle);
        let Factors { distances, half_square, spinning, positive, reach, product, .. } = factors;
        let Factors { lightness, places, bodies, rest, .. } = factors;
        let [first_radius, other_radius] = of.radii;
        let larger = if first_radius > other_radius { first_radius } else { other_radius };
        let (of_places, of_bodies) = (inverse * (bodies * rest), inverse * (places * rest));
        let of_rest = inverse * (places * bodies);
        let inverse_distance = distance * (of_places * spinning);
        let of_spinning = of_places * distances;
        let overlap = reach - distance;
        Kinematics {
            normal: [d[0] * inverse_distance, d[1] * inverse_distance, d[2] * inverse_distance],
            distance,
            inverse_distance,
            overlap,
            overlap_fraction: overlap * (larger * (of_rest * positive)),
            effective_radius: product * (lightness * of_bodies),
            effective_mass: reach * of_bodies,
            closing_speed: closing * inverse_distance,
            inverse_speed: distance * (of_rest * product),
            spun: [
                (distances - half_square) * of_spinning,
                2.0 * (half_angle * distance) * of_spinning,
            ],
        }
    }
}

/// As `approach` for a particle at a wall, whose second partner has no radius and no inverse mass; the
/// difference is the unit normal already.
#[inline(always)]
pub(crate) fn approach_wall(of: &PairInput, distance: f64, elapsed: f64) -> Kinematics {
    let (n, v, [first, other]) = (of.difference, of.velocity, of.spins);
    let overlap = (of.radii[0] + of.radii[1]) - distance;
    let closing_speed = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
    let mean_spin = 0.5
        * ((first[0] + other[0]) * n[0]
            + (first[1] + other[1]) * n[1]
            + (first[2] + other[2]) * n[2]);
    Kinematics {
        normal: n,
        distance,
        // nothing at a wall asks for it
        inverse_distance: 0.0,
        overlap,
        overlap_fraction: overlap / of.radii[0],
        effective_radius: of.radii[0],
        effective_mass: 1.0 / of.inverse_masses[0],
        closing_speed,
        inverse_speed: inverse_speed(closing_speed),
        spun: cayley(mean_spin * elapsed),
    }
}

/// Cosine and sine of an angle in the form of Cayley, which needs no trigonometry and keeps lengths:
/// of the angle 2 atan(θ/2).
#[inline(always)]
pub(crate) fn cayley(angle: f64) -> [f64; 2] {
    let half = 0.5 * angle;
    let square = half * half;
    let scale = 1.0 / (1.0 + square);
    [(1.0 - square) * scale, 2.0 * half * scale]
}

/// Levers with half the overlap taken off each radius; `second` is zero at a wall and one else.
#[inline(always)]
pub(crate) fn half_overlap_arms(radii: [f64; 2], overlap: f64, second: f64) -> [f64; 2] {
    let half = 0.5 * overlap;
    [radii[0] - half, second * (radii[1] - half)]
}

/// The torque on the first partner, and that on the second reversed, from n × tangential force, the
/// couple on the first partner and the levers.
#[inline(always)]
pub(crate) fn sides(torque: [f64; 3], couple: [f64; 3], moment_arms: [f64; 2]) -> [[f64; 3]; 2] {
    let ([a, b], t, c) = (moment_arms, torque, couple);
    [
        [c[0] + a * t[0], c[1] + a * t[1], c[2] + a * t[2]],
        [c[0] - b * t[0], c[1] - b * t[1], c[2] - b * t[2]],
    ]
}

/// The velocity with which the first surface slips over the second, from the relative velocity of
/// the centres, spins and levers.
#[inline(always)]
pub(crate) fn slip_velocity(
    normal: [f64; 3],
    velocity: [f64; 3],
    closing_speed: f64,
    spins: [[f64; 3]; 2],
    moment_arms: [f64; 2],
) -> [f64; 3] {
    let (n, v, c, [first, other], [a, b]) = (normal, velocity, closing_speed, spins, moment_arms);
    let w = [a * first[0] + b * other[0], a * first[1] + b * other[1], a * first[2] + b * other[2]];
    [
        v[0] - c * n[0] + (w[1] * n[2] - w[2] * n[1]),
        v[1] - c * n[1] + (w[2] * n[0] - w[0] * n[2]),
        v[2] - c * n[2] + (w[0] * n[1] - w[1] * n[0]),
    ]
}

/// Twist: relative spin about the normal.
#[inline(always)]
pub(crate) fn twist_velocity(normal: [f64; 3], spins: [[f64; 3]; 2]) -> f64 {
    let (n, [first, other]) = (normal, spins);
    let relative = [first[0] - other[0], first[1] - other[1], first[2] - other[2]];
    relative[0] * n[0] + relative[1] * n[1] + relative[2] * n[2]
}

/// Relative spin without the twist.
#[inline(always)]
pub(crate) fn rolling_velocity(normal: [f64; 3], spins: [[f64; 3]; 2]) -> [f64; 3] {
    let (n, [first, other], twist) = (normal, spins, twist_velocity(normal, spins));
    [
        (first[0] - other[0]) - twist * n[0],
        (first[1] - other[1]) - twist * n[1],
        (first[2] - other[2]) - twist * n[2],
    ]
}

/// How long a contact has existed since the accepted state: one born within the step has slipped
/// only since then (docs/errata.md R6).
#[inline(always)]
pub(crate) fn since(overlap: f64, closing_speed: f64, inverse_speed: f64, elapsed: f64) -> f64 {
    let positive = if overlap > 0.0 { overlap } else { 0.0 };
    if overlap < closing_speed * elapsed { positive * inverse_speed } else { elapsed }
}

/// 1 / closing speed, where that is positive; for [`since`].
#[inline(always)]
pub(crate) fn inverse_speed(closing_speed: f64) -> f64 {
    1.0 / if closing_speed > LEAST { closing_speed } else { LEAST }
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
