//! Dense random packings: points are distributed at random, then grown in stages to full size; after each stage
//! overlaps are removed by relaxation.
//!
//! Each overlap δ of two particles, or of a particle and the wall of the region, has the energy δ²/2, which is
//! minimised to zero by FIRE (Bitzek, Koskinen, Gähler, Moseler & Gumbsch 2006). Spheres of one size jam at a fraction
//! of about 0.64 by this method (O'Hern, Silbert, Liu & Nagel 2003); rigid walls of a small region reduce it. Radii
//! include a thin coat during growth, so that the final packing has no overlap. All operations have a fixed order.

use super::grow_pairs::Packing;
use super::place::{FreeSpace, Ids};
use super::random_addition;
use crate::Vec3;

/// Fraction at which growth begins.
const FIRST_FRACTION: f64 = 0.25;
/// Growth of the radii from one stage to the next.
const GROWTH: f64 = 1.01;
/// Growth below the next fraction, far from jamming.
const LOOSE_GROWTH: f64 = 1.03;
/// Fraction up to which the larger growth is used.
const LOOSE_FRACTION: f64 = 0.5;
/// Thickness of the coat as a fraction of the radius.
const COAT: f64 = 1e-3;
/// Largest overlap that may remain, as a fraction of the smaller radius.
const OVERLAP_LIMIT: f64 = 1e-3;
/// Iterations after which a stage counts as jammed.
const MOST_ITERATIONS: usize = 5000;

/// Largest fraction that is attempted with spheres of one size.
const MOST_OF_ONE_SIZE: f64 = 0.66;
/// Largest fraction that is attempted with other spheres.
const MOST_OF_ANY: f64 = 0.74;

/// Positions and radii in order of id.
pub(super) fn place(
    space: &FreeSpace<'_>,
    radii: &[f64],
    ids: Ids,
) -> Result<Vec<(Vec3, f64)>, String> {
    if radii.is_empty() {
        return Ok(Vec::new());
    }
    let volume = radii.iter().map(|radius| radius * radius * radius).sum::<f64>();
    let full = 4.0 / 3.0 * std::f64::consts::PI * volume / space.container.volume();
    check_fraction(space, radii, full)?;
    // a flat region has no fraction; it starts from half the size
    let first = if full.is_finite() { libm::cbrt(FIRST_FRACTION / full) } else { 0.5 };
    let mut scale = first.min(1.0);
    let mut packing = Packing::new(space, spread(space, radii, scale, ids)?, radii);
    let mut reached = 0.0;
    loop {
        let overlap = push_apart(&mut packing, scale);
        if overlap > 0.0 && (scale < 1.0 || overlap > OVERLAP_LIMIT) {
            return Err(jammed(full, reached));
        }
        reached = scale;
        if scale >= 1.0 {
            return Ok(packing.into_spheres(space));
        }
        let is_loose = full * scale * scale * scale < LOOSE_FRACTION;
        scale = (scale * if is_loose { LOOSE_GROWTH } else { GROWTH }).min(1.0);
    }
}

/// Refuses a fraction that no random packing reaches, before time is spent on growing it. Spheres of one size jam at
/// random at 0.64 and in crystals at 0.74; a region narrower than two diameters may be filled by a few spheres in a row
/// and is not checked.
fn check_fraction(space: &FreeSpace<'_>, radii: &[f64], full: f64) -> Result<(), String> {
    let largest = radii.iter().copied().fold(0.0, f64::max);
    let (low, high) = space.container.bounds();
    if !full.is_finite() || (high - low).min_element() < 4.0 * largest {
        return Ok(());
    }
    let one_size = radii.iter().all(|&radius| radius == largest);
    let (limit, kind) = if one_size {
        (MOST_OF_ONE_SIZE, "equal spheres at random fill")
    } else {
        (MOST_OF_ANY, "spheres at random fill")
    };
    if full <= limit {
        return Ok(());
    }
    Err(format!(
        "the particles would fill {full:.3} of the region, and {kind} at most {limit}; choose \
         fewer particles or a larger region"
    ))
}

/// Random positions: without overlap at `scale` times the size if they can be found, so that no small particle starts
/// deep inside a large one, else any positions.
fn spread(space: &FreeSpace<'_>, radii: &[f64], scale: f64, ids: Ids) -> Result<Vec<Vec3>, String> {
    let mut anywhere = Vec::with_capacity(radii.len());
    for (index, &radius) in radii.iter().enumerate() {
        // the coat must fit too, or the forces of the walls would never vanish
        let point =
            space.container.random_point(radius * (1.0 + COAT), ids.position_draw(index, 0));
        let Some(point) = point else {
            return Err(format!("a particle of radius {radius} m does not fit in the region"));
        };
        anywhere.push(point);
    }
    let small: Vec<f64> = radii.iter().map(|radius| scale * radius).collect();
    Ok(match random_addition::place(space, &small, ids) {
        Ok(positions) => positions.into_iter().map(|(position, _)| position).collect(),
        Err(_) => anywhere,
    })
}

fn jammed(full: f64, reached: f64) -> String {
    if full.is_finite() {
        format!(
            "the particles jam at a fraction of {:.3}, before they reach {full:.3}; \
             choose fewer particles or a larger region",
            full * reached * reached * reached
        )
    } else {
        format!(
            "the particles jam at {:.1} % of their size; choose fewer particles or a larger region",
            100.0 * reached
        )
    }
}

/// Relaxes the overlaps of particles of `scale` times their size; returns the largest remaining overlap, as a fraction
/// of the smaller radius, zero if there is none.
fn push_apart(packing: &mut Packing<'_>, scale: f64) -> f64 {
    // parameters of FIRE as published, the time step in units of an overlap's own period
    const FIRST_STEP: f64 = 0.1;
    const LONGEST_STEP: f64 = 0.4;
    const FIRST_MIXING: f64 = 0.1;
    const CALM: usize = 5;
    let (mut step, mut mixing, mut downhill) = (FIRST_STEP, FIRST_MIXING, 0);
    packing.stop();
    let mut overlap = packing.push(scale, COAT);
    for _ in 0..MOST_ITERATIONS {
        if overlap <= 0.0 {
            break;
        }
        if packing.power() > 0.0 {
            packing.steer(mixing);
            downhill += 1;
            if downhill > CALM {
                step = (step * 1.1).min(LONGEST_STEP);
                mixing *= 0.99;
            }
        } else {
            packing.stop();
            (mixing, downhill) = (FIRST_MIXING, 0);
            step *= 0.5;
        }
        packing.advance(step);
        overlap = packing.push(scale, COAT);
    }
    overlap
}
