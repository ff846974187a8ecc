//! The limit of a contact in force and torque, in tables: the curve (F, 𝒯) of `contensou.rs`, the distance to it, and
//! its nearest point.
//!
//! Tabulated at first use: linear between 4096 points, within 1e-6 of the integrals over the disc. The nearest point is
//! found for eight contacts at a time by a fixed number of steps of Newton's method, to rounding accuracy; the result
//! is always a point of the curve.

use super::contensou::{PressureShape, hertz, uniform};
use crate::simd::multiversion;
use std::sync::OnceLock;

/// Intervals of each table.
const INTERVALS: usize = 4096;

/// Contacts whose nearest points are computed together.
pub(super) const LANES: usize = 8;

/// Steps of Newton's method for the nearest point.
const TRIES: usize = 4;

/// One number for each of the contacts.
pub(super) type Lanes = [f64; LANES];

/// Pairs of values, at equal distances from 0 to 1.
type Table = Box<[[f64; 2]; INTERVALS + 1]>;

/// Force and torque of a disc, in units of μN and μNa.
#[derive(Debug)]
pub(super) struct Disc {
    /// F divided by the fraction of sliding, `F √(1+λ²)/λ`, and 𝒯 divided by that of spinning, `𝒯 √(1+λ²)`, over
    /// `λ/(1+λ)`.
    factors: Table,
    /// Distance of the curve (F, 𝒯/𝒯(0)) from the origin, and its parameter `λ/(1+λ)`, over the fraction of the second
    /// component in the sum of both.
    directions: Table,
    /// 𝒯(0).
    pub torque_at_rest: f64,
}

/// The interval of a table for a parameter from 0 to 1, and the fraction of the interval.
#[inline(always)]
fn interval(parameter: f64) -> (usize, f64) {
    let scaled = parameter * INTERVALS as f64;
    let index = (scaled as i32).clamp(0, INTERVALS as i32 - 1);
    (index as usize, scaled - f64::from(index))
}

/// The values of a table at a parameter from 0 to 1.
#[inline(always)]
fn interpolate(table: &Table, parameter: f64) -> [f64; 2] {
    let (index, rest) = interval(parameter);
    // the last of the 4097 points is beyond the last index
    let (start, end) = (table[index], table[index + 1]);
    [start[0] + rest * (end[0] - start[0]), start[1] + rest * (end[1] - start[1])]
}

fn table(value: impl Fn(f64) -> [f64; 2]) -> Table {
    let mut table = Box::new([[0.0; 2]; INTERVALS + 1]);
    for (index, entry) in table.iter_mut().enumerate() {
        *entry = value(index as f64 / INTERVALS as f64);
    }
    table
}

impl Disc {
    /// The tables for a pressure.
    pub(super) fn new(pressure: PressureShape) -> &'static Self {
        static UNIFORM: OnceLock<Disc> = OnceLock::new();
        static HERTZ: OnceLock<Disc> = OnceLock::new();
        match pressure {
            PressureShape::Uniform => UNIFORM.get_or_init(|| Self::tabulate(uniform)),
            PressureShape::Hertz => HERTZ.get_or_init(|| Self::tabulate(hertz)),
        }
    }

    fn tabulate(of: fn(f64) -> [f64; 2]) -> Self {
        let factors = table(|parameter| {
            let parameter = parameter.clamp(1e-7, 1.0 - 1e-7);
            let ratio = parameter / (1.0 - parameter);
            let root = (1.0 + ratio * ratio).sqrt();
            let [force, torque] = of(ratio);
            [force * root / ratio, torque * root]
        });
        let torque_at_rest = of(0.0)[1];
        let mut disc = Self { factors, directions: table(|_| [0.0; 2]), torque_at_rest };
        disc.directions = table(|fraction| disc.direction(fraction));
        disc
    }

    /// The distance of the curve in one direction, and its parameter there, by bisection.
    fn direction(&self, fraction: f64) -> [f64; 2] {
        let normalised = |parameter: f64| {
            let [force, torque] = self.point(parameter);
            [force, torque / self.torque_at_rest]
        };
        let [mut low, mut high] = [0.0, 1.0];
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let [force, torque] = normalised(middle);
            if torque > fraction * (force + torque) {
                low = middle;
            } else {
                high = middle;
            }
        }
        let parameter = 0.5 * (low + high);
        let [force, torque] = normalised(parameter);
        [force.hypot(torque), parameter]
    }

    /// F and 𝒯 at `λ/(1+λ)`.
    fn point(&self, parameter: f64) -> [f64; 2] {
        let rest = 1.0 - parameter;
        let root = (parameter * parameter + rest * rest).sqrt();
        let [sliding, spinning] = interpolate(&self.factors, parameter);
        [sliding * parameter / root, spinning * rest / root]
    }

    /// F and 𝒯 divided by their fractions of the motion, for given sliding and rim speeds.
    #[inline(always)]
    pub(super) fn coefficients(&self, sliding: f64, rim: f64) -> [f64; 2] {
        interpolate(&self.factors, sliding / (sliding + rim).max(f64::MIN_POSITIVE))
    }

    /// Distance of the limit, in units of μN, in the direction of a force and of a torque divided by `a 𝒯(0)`, and its
    /// parameter `λ/(1+λ)`.
    #[inline(always)]
    pub(super) fn limit(&self, force: f64, torque: f64) -> [f64; 2] {
        interpolate(&self.directions, torque / (force + torque).max(f64::MIN_POSITIVE))
    }
}

multiversion! {
    /// F and 𝒯 after the return map of trial forces and torques beyond the curve, both in units of the limits: the
    /// nearest point in the metric of the elastic energy, with a torsional stiffness of half the tangential one times
    /// a². The ratio of dissipated slip to dissipated twist is then λ: force and torque of a steady motion are those of
    /// its velocities.
    ///
    /// `parameters` are those of the curve in the directions of the trials, at which the search starts: the closer a
    /// trial is to the curve, the better is its start.
    pub(super) fn nearest(disc: &Disc, force: &Lanes, torque: &Lanes, parameters: &mut Lanes) -> [Lanes; 2] {
        let mut found = [[0.0; LANES]; 2];
        for attempt in 0..=TRIES {
            let (mut start, mut change) = ([[0.0; LANES]; 2], [[0.0; LANES]; 2]);
            let mut rests = [0.0; LANES];
            for lane in 0..LANES {
                let (index, rest) = interval(parameters[lane]);
                let (this, next) = (disc.factors[index], disc.factors[index + 1]);
                rests[lane] = rest;
                for part in 0..2 {
                    start[part][lane] = this[part];
                    change[part][lane] = next[part] - this[part];
                }
            }
            for lane in 0..LANES {
                let (parameter, other) = (parameters[lane], 1.0 - parameters[lane]);
                let inverse = 1.0 / (parameter * parameter + other * other).sqrt();
                let cube = inverse * inverse * inverse;
                let along = start[0][lane] + rests[lane] * change[0][lane];
                let about = start[1][lane] + rests[lane] * change[1][lane];
                let (sliding, spinning) = (along * parameter * inverse, about * other * inverse);
                found[0][lane] = sliding;
                found[1][lane] = spinning;
                let slope = INTERVALS as f64 * change[0][lane] * parameter * inverse + along * other * cube;
                let fall = INTERVALS as f64 * change[1][lane] * other * inverse - about * parameter * cube;
                // the dissipated slip, normal to the direction that belongs to the parameter
                let (beyond, over) = (force[lane] - sliding, torque[lane] - spinning);
                let miss = other * beyond - 2.0 * parameter * over;
                let steepness = 2.0 * parameter * fall - other * slope - beyond - 2.0 * over;
                let next = (parameter - miss / steepness).clamp(0.0, 1.0);
                parameters[lane] = if attempt < TRIES { next } else { parameter };
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    /// Direct integration over the disc in polar coordinates about the centre of rotation's axis.
    fn quadrature(ratio: f64, hertzian: bool) -> [f64; 2] {
        let (rings, angles) = (800, 800);
        let mut sum = [0.0; 2];
        for ring in 0..rings {
            // r = sin φ removes the root from Hertz's pressure
            let angle = (ring as f64 + 0.5) / rings as f64 * FRAC_PI_2;
            let (radius, slope) = (angle.sin(), angle.cos());
            let pressure = if hertzian { 1.5 / PI * angle.cos() } else { 1.0 / PI };
            for index in 0..angles {
                let around = (index as f64 + 0.5) / angles as f64 * 2.0 * PI;
                let velocity = [ratio - radius * around.sin(), radius * around.cos()];
                let speed = velocity[0].hypot(velocity[1]).max(1e-300);
                let area = radius * slope * FRAC_PI_2 / rings as f64 * 2.0 * PI / angles as f64;
                let moment = radius * (around.cos() * velocity[1] - around.sin() * velocity[0]);
                sum[0] += pressure * area * velocity[0] / speed;
                sum[1] += pressure * area * moment / speed;
            }
        }
        sum
    }

    #[test]
    fn the_tables_are_the_integrals_over_the_disc() {
        for (pressure, hertzian) in [(PressureShape::Uniform, false), (PressureShape::Hertz, true)]
        {
            let disc = Disc::new(pressure);
            for ratio in [0.03, 0.3, 0.65, 0.95, 1.05, 1.7, 4.0, 30.0] {
                let [force, torque] = quadrature(ratio, hertzian);
                let root = f64::hypot(1.0, ratio);
                let [sliding, spinning] = disc.coefficients(ratio, 1.0);
                // the kink where the disc is at rest reduces the accuracy of the quadrature
                assert!((sliding * ratio / root - force).abs() < 3e-6, "{ratio} {force}");
                assert!((spinning / root - torque).abs() < 3e-6, "{ratio} {torque}");
                let normal = torque / disc.torque_at_rest;
                assert!(
                    (disc.limit(force, normal)[0] - force.hypot(normal)).abs() < 5e-6,
                    "{ratio}"
                );
            }
        }
    }

    #[test]
    fn the_tables_keep_to_the_closed_forms_within_a_millionth() {
        let disc = Disc::new(PressureShape::Uniform);
        for index in 1..20_000 {
            let parameter = f64::from(index) / 20_000.0;
            let ratio = parameter / (1.0 - parameter);
            let root = f64::hypot(1.0, ratio);
            let [force, torque] = uniform(ratio);
            let [sliding, spinning] = disc.coefficients(ratio, 1.0);
            assert!((sliding * ratio / root - force).abs() < 1e-6, "{ratio}");
            assert!((spinning / root - torque).abs() < 1e-6, "{ratio}");
        }
    }

    /// The nearest point by bisection.
    fn by_bisection(disc: &Disc, force: f64, torque: f64) -> [f64; 2] {
        let [mut low, mut high] = [0.0, 1.0];
        for _ in 0..60 {
            let parameter = 0.5 * (low + high);
            let [sliding, spinning] = disc.point(parameter);
            if (1.0 - parameter) * (force - sliding) > 2.0 * parameter * (torque - spinning) {
                low = parameter;
            } else {
                high = parameter;
            }
        }
        disc.point(0.5 * (low + high))
    }

    #[test]
    fn the_nearest_point_is_found_from_just_beyond_the_curve_and_from_afar() {
        for pressure in [PressureShape::Uniform, PressureShape::Hertz] {
            let disc = Disc::new(pressure);
            let mut worst = [0.0f64; 3];
            for beyond in [1e-9, 1e-6, 1e-3, 0.03, 0.3, 1.0, 3.0, 30.0, 1e3, 1e6] {
                for index in 0..=2000 {
                    let parameter = f64::from(index) / 2000.0;
                    let [force, torque] = disc.point(parameter).map(|part| part * (1.0 + beyond));
                    let start = disc.limit(force, torque / disc.torque_at_rest)[1];
                    let [[found, ..], [spinning, ..]] =
                        nearest(disc, &[force; LANES], &[torque; LANES], &mut [start; LANES]);
                    let expected = by_bisection(disc, force, torque);
                    let error = (found - expected[0]).hypot(spinning - expected[1]);
                    if error > worst[0] {
                        worst = [error, beyond, parameter];
                    }
                }
            }
            // the tables are the same; the remaining difference is the rounding error of the search
            assert!(worst[0] < 1e-12, "{pressure:?} {worst:?}");
        }
    }
}
