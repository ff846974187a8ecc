//! The volume of the part of a sphere inside a box, a cylinder or a ball.
//!
//! Boxes and balls in closed form. For a box: the volume of the unit ball beyond one, two or three planes normal to the
//! axes follows from its faces, V = (S − a A_a − b A_b − c A_c)/3 (Gauss's theorem for the field r/3), and its
//! spherical face S from its angles and arcs (Gauss–Bonnet theorem); the box is a sum of eight of these, one for each
//! corner. The same sums as in S. Strobl, A. Formella & T. Pöschel (2016). For a cylinder, which has no elementary
//! form, the overlap of two discs is integrated along the axis by the double exponential rule of H. Takahasi & M. Mori
//! (1974).

use crate::Vec3;
use crate::insert::Region;
use libm::{atan2, cosh, exp, sinh, sqrt};
use std::f64::consts::{FRAC_PI_2, PI};

/// The volume of the part of a sphere inside a region [m³]. Exact for boxes and balls except for rounding (some 1e-15
/// of the sphere); for cylinders to 1e-10 of the sphere.
pub(super) fn volume_inside(region: &Region, position: Vec3, radius: f64) -> f64 {
    let whole = 4.0 / 3.0 * PI * radius * radius * radius;
    let part = match region {
        Region::Box { min, max } => {
            let [low, high] = [min, max].map(|corner| ((*corner - position) / radius).to_array());
            radius * radius * radius * unit_ball_in_box(low, high)
        }
        Region::Cylinder { start, end, radius: wall } => {
            let length = (*end - *start).length();
            let axis = (*end - *start) / length;
            let along = (position - *start).dot(axis);
            let distance = (position - *start - along * axis).length();
            let ends = [-along, length - along].map(|z| z / radius);
            let unit = unit_ball_in_cylinder(distance / radius, wall / radius, ends);
            radius * radius * radius * unit
        }
        Region::Ball { center, radius: wall } => {
            overlap_of_balls(radius, *wall, (position - *center).length())
        }
    };
    // Rounding must not lead beyond the possible range.
    part.clamp(0.0, whole)
}

/// The part of the unit ball between two corners.
fn unit_ball_in_box(low: [f64; 3], high: [f64; 3]) -> f64 {
    let mut volume = 0.0;
    for corner in 0..8 {
        let take = |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
        let sign = if (corner as u32).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
        volume += sign * beyond([take(0), take(1), take(2)]);
    }
    volume
}

/// The part of the unit ball where x, y and z are above these.
fn beyond(planes: [f64; 3]) -> f64 {
    if planes.iter().any(|plane| *plane >= 1.0) {
        return 0.0;
    }
    // For a plane on the far side, the volume of the mirror image is subtracted; a plane that does not intersect the
    // ball is ignored.
    if let Some(axis) = planes.iter().position(|plane| *plane < 0.0 && *plane > -1.0) {
        let [mut free, mut mirrored] = [planes; 2];
        (free[axis], mirrored[axis]) = (-1.0, -planes[axis]);
        return beyond(free) - beyond(mirrored);
    }
    let mut partition = planes.into_iter().filter(|plane| *plane > -1.0);
    match (partition.next(), partition.next(), partition.next()) {
        (None, ..) => 4.0 / 3.0 * PI,
        (Some(a), None, _) => PI / 3.0 * (1.0 - a) * (1.0 - a) * (2.0 + a),
        (Some(a), Some(b), None) => beyond_two(a, b),
        (Some(a), Some(b), Some(c)) => beyond_three([a, b, c]),
    }
}

/// Beyond two planes, both on the near side.
fn beyond_two(a: f64, b: f64) -> f64 {
    let square = 1.0 - a * a - b * b;
    if square <= 0.0 {
        return 0.0;
    }
    // Half of the edge between the planes. All angles are computed from this number, so that its rounding error
    // cancels.
    let half = sqrt(square);
    // In the disc of a plane: half the angle of the segment, and its area.
    let segment = |own: f64, other: f64| {
        let angle = atan2(half, other);
        (angle, (1.0 - own * own) * angle - other * half)
    };
    let ((angle_a, area_a), (angle_b, area_b)) = (segment(a, b), segment(b, a));
    let sphere = 2.0 * (atan2(half, a * b) - a * angle_a - b * angle_b);
    (sphere - a * area_a - b * area_b) / 3.0
}

/// Beyond three planes, all on the near side.
fn beyond_three(planes: [f64; 3]) -> f64 {
    let squares = planes.map(|plane| plane * plane);
    if squares.iter().sum::<f64>() >= 1.0 {
        return 0.0;
    }
    // Intersection with the sphere of the edge that is not along an axis, by the axis along which it runs.
    let edge = [0, 1, 2]
        .map(|axis| sqrt((1.0 - squares[(axis + 1) % 3] - squares[(axis + 2) % 3]).max(0.0)));
    let mut volume = -PI;
    for axis in 0..3 {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        let [own, b, c] = [planes[axis], planes[next], planes[last]];
        // In the disc of this plane: from the line of `c` to the line of `b`.
        let angle = atan2(edge[last], b) - atan2(c, edge[next]);
        let sector = (1.0 - squares[axis]) * angle;
        let area = 0.5 * (sector - b * edge[last] - c * edge[next]) + b * c;
        volume += atan2(edge[axis], b * c) - own * angle - own * area;
    }
    volume / 3.0
}

/// Two balls at a distance.
fn overlap_of_balls(first: f64, second: f64, distance: f64) -> f64 {
    let (small, large) = (first.min(second), first.max(second));
    if distance >= first + second {
        return 0.0;
    }
    if distance <= large - small {
        return 4.0 / 3.0 * PI * small * small * small;
    }
    let depth = first + second - distance;
    let difference = first - second;
    PI * depth
        * depth
        * (distance * (distance + 2.0 * (first + second)) - 3.0 * difference * difference)
        / (12.0 * distance)
}

/// The part of the unit ball within the radius `wall` of an axis at a distance, between two ends along it.
fn unit_ball_in_cylinder(distance: f64, wall: f64, ends: [f64; 2]) -> f64 {
    let (low, high) = (ends[0].max(-1.0), ends[1].min(1.0));
    // Limits at which the disc of the ball begins to be cut by that of the cylinder, and at which it is entirely
    // outside: the integrand is smooth in between. In the middle it is nearly singular if the greatest disc nearly
    // touches.
    let mut limits = vec![low, high];
    limits.extend((low < 0.0 && 0.0 < high).then_some(0.0));
    for touching in [(wall - distance).abs(), wall + distance] {
        if touching < 1.0 {
            let z = sqrt(1.0 - touching * touching);
            limits.extend([-z, z].into_iter().filter(|one| low < *one && *one < high));
        }
    }
    limits.sort_by(f64::total_cmp);
    let area = |along: f64| {
        overlap_of_discs(sqrt(((1.0 - along) * (1.0 + along)).max(0.0)), wall, distance)
    };
    limits.windows(2).filter(|ends| ends[0] < ends[1]).map(|ends| integral(area, ends)).sum()
}

/// Two discs at a distance.
fn overlap_of_discs(first: f64, second: f64, distance: f64) -> f64 {
    let small = first.min(second);
    if distance >= first + second {
        return 0.0;
    }
    if distance <= (first - second).abs() {
        return PI * small * small;
    }
    let product = (first + second - distance)
        * (distance + first - second)
        * (distance - first + second)
        * (distance + first + second);
    let chord = sqrt(product.max(0.0));
    let square = distance * distance;
    let half_angle = |own: f64, other: f64| atan2(chord, square + own * own - other * other);
    first * first * half_angle(first, second) + second * second * half_angle(second, first)
        - 0.5 * chord
}

/// The double exponential rule between two ends, at which the integrand may have roots: steps of 1/16 from −3.2 to 3.2,
/// beyond which the weights are below 1e-14.
fn integral(function: impl Fn(f64) -> f64, ends: &[f64]) -> f64 {
    const STEP: f64 = 1.0 / 16.0;
    const STEPS: i32 = 51;
    let half = 0.5 * (ends[1] - ends[0]);
    let mut sum = 0.0;
    for step in -STEPS..=STEPS {
        let t = STEP * f64::from(step);
        let inner = FRAC_PI_2 * sinh(t);
        let weight = FRAC_PI_2 * cosh(t) / (cosh(inner) * cosh(inner));
        // 1 − |tanh|, accurate near the ends, where the integrand changes fastest.
        let from_end = half * exp(-inner.abs()) / cosh(inner);
        let z = if inner < 0.0 { ends[0] + from_end } else { ends[1] - from_end };
        sum += weight * function(z);
    }
    half * STEP * sum
}

#[cfg(test)]
#[path = "sphere_part_tests.rs"]
mod tests;
