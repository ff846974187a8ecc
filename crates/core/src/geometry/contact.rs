//! Geometry and kinematics of one contact. The contact kernel and the dynamic path call the same functions, so both
//! give the same bits.

use crate::chunk::{Column, Contacts, Images, Partners, Record, Vector};

/// Geometry and normal motion of a contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kinematics {
    /// Unit vector from the first to the second.
    pub normal: [f64; 3],
    pub distance: f64,
    pub inverse_distance: f64,
    pub overlap: f64,
    /// Overlap as a fraction of the smaller radius.
    pub overlap_fraction: f64,
    /// R* and m*.
    pub effective_radius: f64,
    pub effective_mass: f64,
    pub closing_speed: f64,
    /// 1 / closing speed, if that is positive.
    pub inverse_speed: f64,
    /// Cosine and sine of the mean rotation about the normal, see [`cayley`].
    pub spin_rotation: [f64; 2],
}

/// Loaded data of two partners.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairInput {
    /// Velocity of the first minus that of the second.
    pub velocity: [f64; 3],
    pub spins: [[f64; 3]; 2],
    pub radii: [f64; 2],
    pub inverse_masses: [f64; 2],
}

impl PairInput {
    /// The partners of lane `c`.
    #[inline(always)]
    pub(crate) fn new(partners: &Partners, contacts: &Contacts, c: usize) -> Self {
        let of = |columns: &[Column; 2]| [columns[0][c], columns[1][c]];
        let vector = |columns: &Vector| Record::load(columns, 0, c);
        Self {
            velocity: vector(&partners.velocity),
            spins: [vector(&partners.spin[0]), vector(&partners.spin[1])],
            radii: of(&contacts.radius),
            inverse_masses: of(&contacts.inverse_mass),
        }
    }
}

/// Thresholds below which a squared distance, and a velocity times a distance, count as zero; small enough for atoms,
/// while their products are far from underflow.
const LEAST: f64 = 1e-60;

crate::record! {
    /// Two particles before the square root and the division of their kinematics.
    pub(crate) struct Separation {
        /// From the first centre to the second.
        pub difference: [f64; 3],
        pub square: f64,
        pub distance: f64,
        /// Closing speed times the distance, and half of the mean rotation angle times the distance.
        pub closing: f64,
        pub half_angle: f64,
        /// Inverse of the product of all divisors.
        pub inverse: f64,
    }
}

/// Divisors and their products. One division serves all: the products of the other divisors give each inverse, accurate
/// to some units in the last place, and the division does not depend on the root.
struct Factors {
    distances: f64,
    half_square: f64,
    spinning: f64,
    positive: f64,
    radius_sum: f64,
    product: f64,
    lightness: f64,
    geometric: f64,
    inertial: f64,
    rest: f64,
}

#[inline(always)]
fn factors(pair: &PairInput, square: f64, closing: f64, half_angle: f64) -> Factors {
    let [first_radius, other_radius] = pair.radii;
    let (radius_sum, product) = (first_radius + other_radius, first_radius * other_radius);
    let lightness = pair.inverse_masses[0] + pair.inverse_masses[1];
    let half_square = half_angle * half_angle;
    // coincident centres give a zero normal and no force; the overlap check reports them
    let distances = if square > LEAST { square } else { LEAST };
    let positive = if closing > LEAST { closing } else { LEAST };
    let spinning = distances + half_square;
    let (geometric, inertial) = (distances * spinning, radius_sum * lightness);
    let rest = positive * product;
    Factors {
        distances,
        half_square,
        spinning,
        positive,
        radius_sum,
        product,
        lightness,
        geometric,
        inertial,
        rest,
    }
}

/// Separation of two particles, for the nearest image, before a square root and a division.
#[inline(always)]
pub(crate) fn separation(
    pair: &PairInput,
    difference: [f64; 3],
    images: &Images,
    elapsed: f64,
) -> Separation {
    let Images { period, half } = images;
    let (mut d, v, [first, other]) = (difference, pair.velocity, pair.spins);
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
    let Factors { geometric, inertial, rest, .. } = factors(pair, square, closing, half_angle);
    Separation {
        difference: d,
        square,
        distance: square.sqrt(),
        closing,
        half_angle,
        inverse: 1.0 / ((geometric * inertial) * rest),
    }
}

impl Separation {
    /// Kinematics from the separation.
    #[inline(always)]
    pub(crate) fn kinematics(&self, pair: &PairInput) -> Kinematics {
        let Self { difference: d, square, distance, closing, half_angle, inverse } = *self;
        let factors = factors(pair, square, closing, half_angle);
        let Factors { distances, half_square, spinning, positive, radius_sum, product, .. } =
            factors;
        let Factors { lightness, geometric, inertial, rest, .. } = factors;
        let [first_radius, other_radius] = pair.radii;
        let larger = if first_radius > other_radius { first_radius } else { other_radius };
        let by_geometric = inverse * (inertial * rest);
        let by_inertial = inverse * (geometric * rest);
        let by_rest = inverse * (geometric * inertial);
        let inverse_distance = distance * (by_geometric * spinning);
        let by_spinning = by_geometric * distances;
        let overlap = radius_sum - distance;
        Kinematics {
            normal: [d[0] * inverse_distance, d[1] * inverse_distance, d[2] * inverse_distance],
            distance,
            inverse_distance,
            overlap,
            overlap_fraction: overlap * (larger * (by_rest * positive)),
            effective_radius: product * (lightness * by_inertial),
            effective_mass: radius_sum * by_inertial,
            closing_speed: closing * inverse_distance,
            inverse_speed: distance * (by_rest * product),
            spin_rotation: [
                (distances - half_square) * by_spinning,
                2.0 * (half_angle * distance) * by_spinning,
            ],
        }
    }
}

/// Kinematics of a particle at a wall, which has zero curvature and inverse mass.
#[inline(always)]
pub(crate) fn wall_kinematics(
    pair: &PairInput,
    normal: [f64; 3],
    distance: f64,
    elapsed: f64,
) -> Kinematics {
    let (n, v, [first, other]) = (normal, pair.velocity, pair.spins);
    let overlap = (pair.radii[0] + pair.radii[1]) - distance;
    let closing_speed = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
    let mean_spin = 0.5
        * ((first[0] + other[0]) * n[0]
            + (first[1] + other[1]) * n[1]
            + (first[2] + other[2]) * n[2]);
    Kinematics {
        normal: n,
        distance,
        // not used at a wall
        inverse_distance: 0.0,
        overlap,
        overlap_fraction: overlap / pair.radii[0],
        effective_radius: pair.radii[0],
        effective_mass: 1.0 / pair.inverse_masses[0],
        closing_speed,
        inverse_speed: inverse_speed(closing_speed),
        spin_rotation: cayley(mean_spin * elapsed),
    }
}

/// Cosine and sine of an angle by the Cayley transform, which needs no trigonometric functions and preserves lengths:
/// of the angle 2 atan(θ/2).
#[inline(always)]
pub(crate) fn cayley(angle: f64) -> [f64; 2] {
    let half = 0.5 * angle;
    let square = half * half;
    let scale = 1.0 / (1.0 + square);
    [(1.0 - square) * scale, 2.0 * half * scale]
}

/// Radii minus this fraction of the overlap; `second` is zero at a wall, which has no moment arm, and one between
/// particles.
#[inline(always)]
pub(crate) fn moment_arms(radii: [f64; 2], overlap: f64, fraction: f64, second: f64) -> [f64; 2] {
    let reduction = fraction * overlap;
    [radii[0] - reduction, second * (radii[1] - reduction)]
}

/// The torque on the first partner, and minus that on the second, from n × tangential force, the moment
/// on the first partner and the moment arms.
#[inline(always)]
pub(crate) fn torques_of_partners(
    torque: [f64; 3],
    moment: [f64; 3],
    moment_arms: [f64; 2],
) -> [[f64; 3]; 2] {
    let ([a, b], t, m) = (moment_arms, torque, moment);
    [
        [m[0] + a * t[0], m[1] + a * t[1], m[2] + a * t[2]],
        [m[0] - b * t[0], m[1] - b * t[1], m[2] - b * t[2]],
    ]
}

/// Slip velocity of the first surface relative to the second, from the relative velocity of the centres, spins and
/// moment arms.
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

/// Kicks of two partners.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kicks {
    /// That of the first minus that of the second.
    pub velocity: [f64; 3],
    pub spins: [[f64; 3]; 2],
}

impl Kicks {
    /// The kicks of lane `c`.
    #[inline(always)]
    pub(crate) fn load(partners: &Partners, c: usize) -> Self {
        let [first, second] = &partners.spin_kick;
        Self {
            velocity: Record::load(&partners.kick, 0, c),
            spins: [Record::load(first, 0, c), Record::load(second, 0, c)],
        }
    }

    /// Change of the slip velocity by the kicks of the spins.
    #[inline(always)]
    pub(crate) fn slip_by_spin(&self, normal: [f64; 3], moment_arms: [f64; 2]) -> [f64; 3] {
        let (n, [first, other], [a, b]) = (normal, self.spins, moment_arms);
        let w =
            [a * first[0] + b * other[0], a * first[1] + b * other[1], a * first[2] + b * other[2]];
        [w[1] * n[2] - w[2] * n[1], w[2] * n[0] - w[0] * n[2], w[0] * n[1] - w[1] * n[0]]
    }
}

/// Slip velocity at the end of a step and mean slip velocity since its start, from that of [`slip_velocity`] and the
/// kicks of the partners.
///
/// Velocity Verlet evaluates at the velocity of the end and the spin of the middle of a step. A kick of the velocity is
/// subtracted for the mean, one of the spin is added for the end.
#[inline(always)]
pub(crate) fn kicked_slip_velocities(
    normal: [f64; 3],
    velocity: [f64; 3],
    kicks: Kicks,
    moment_arms: [f64; 2],
) -> [[f64; 3]; 2] {
    let (n, u, kick) = (normal, velocity, kicks.velocity);
    let along = kick[0] * n[0] + kick[1] * n[1] + kick[2] * n[2];
    let by_spin = kicks.slip_by_spin(normal, moment_arms);
    [
        [u[0] + by_spin[0], u[1] + by_spin[1], u[2] + by_spin[2]],
        [
            u[0] - (kick[0] - along * n[0]),
            u[1] - (kick[1] - along * n[1]),
            u[2] - (kick[2] - along * n[2]),
        ],
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

/// Time that a contact has existed since the accepted state: a contact that began within the step has slipped only
/// since then (docs/errata.md R6).
#[inline(always)]
pub(crate) fn age(overlap: f64, closing_speed: f64, inverse_speed: f64, elapsed: f64) -> f64 {
    let positive = if overlap > 0.0 { overlap } else { 0.0 };
    if overlap < closing_speed * elapsed { positive * inverse_speed } else { elapsed }
}

/// 1 / closing speed, if that is positive; for [`age`].
#[inline(always)]
pub(crate) fn inverse_speed(closing_speed: f64) -> f64 {
    1.0 / if closing_speed > LEAST { closing_speed } else { LEAST }
}

/// Change of the normal between particles: it rotates with the tangential motion of the centres.
#[inline(always)]
pub(crate) fn normal_change(
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
