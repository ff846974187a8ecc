//! The contact area: the circle in which two spheres intersect, or Hertz's.

use crate::law::Contacts;

/// Which circle is the contact area. For a small overlap the area of the lens is twice that of
/// Hertz, so constants do not carry over from one to the other without that factor.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::repulsion;
/// use esker::law::normal::{Area, PowerLaw};
/// use esker::prelude::*;
///
/// let force = |area| {
///     let pair = Pair::new().contact_modulus(1e6).strain_exponent(0.5);
///     repulsion(ContactModel::normal(PowerLaw { area, ..PowerLaw::default() }), pair, Vec3::ZERO)
/// };
/// assert!((force(Area::Lens) / force(Area::Hertz) - 2.0).abs() < 0.02); // for small overlaps
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Area {
    /// `a² = R* δ`. B(35).
    #[default]
    Hertz,
    /// The intersection of the undeformed spheres, `a² = r₁² - L²`. B(23)–(31).
    Lens,
}

impl Area {
    /// a² for small overlaps, divided by R* δ.
    pub(crate) fn factor(self) -> f64 {
        match self {
            Self::Hertz => 1.0,
            Self::Lens => 2.0,
        }
    }

    /// a² of a contact of a chunk at this overlap, and its slope da²/dδ [m², m].
    #[inline(always)]
    pub(crate) fn square(self, contacts: &Contacts, c: usize, overlap: f64) -> [f64; 2] {
        let radii = [contacts.radius[0][c], contacts.radius[1][c]];
        self.square_of(contacts.effective_radius[c], radii, overlap)
    }

    /// The same from R* and the radii of one contact.
    #[inline(always)]
    pub(crate) fn square_of(
        self,
        effective_radius: f64,
        radii: [f64; 2],
        overlap: f64,
    ) -> [f64; 2] {
        match self {
            Self::Hertz => [effective_radius * overlap, effective_radius],
            Self::Lens => lens(radii[0], radii[1], overlap),
        }
    }
}

/// The circle in which two spheres intersect, or a sphere and a plane if the second radius is zero: its squared radius
/// and the derivative of that with respect to the overlap. This form has no cancellation.
#[inline(always)]
fn lens(first: f64, second: f64, overlap: f64) -> [f64; 2] {
    let at_wall = second == 0.0;
    let sum = first + second;
    let distance = (sum - overlap).max(1e-3 * first);
    // 4 d² a² = δ (2r₁ - δ)(2r₂ - δ)(2r₁ + 2r₂ - δ)
    let product = (2.0 * first - overlap) * (2.0 * second - overlap) * (2.0 * sum - overlap);
    let pair = overlap * product / (4.0 * distance * distance);
    let wall = overlap * (2.0 * first - overlap);
    // da²/dδ = 2 L₁ L₂ / d with the distances L of the centres from the plane of the circle
    let difference = first * first - second * second;
    let to_plane = 0.5 * (distance + difference / distance);
    let pair_slope = 2.0 * to_plane * (distance - to_plane) / distance;
    let wall_slope = 2.0 * (first - overlap);
    // beyond the smaller centre the circle shrinks: out of range, but kept finite and not negative
    let smaller = if at_wall || first < second { first } else { second };
    let square = if at_wall { wall } else { pair };
    let slope = if at_wall { wall_slope } else { pair_slope };
    [square.clamp(0.0, smaller * smaller), slope.max(0.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_circle_is_that_of_the_intersection() {
        for (first, second, overlap) in
            [(1.0f64, 1.0f64, 0.1f64), (1.0, 0.6, 0.1), (0.3, 2.0, 0.02)]
        {
            let distance = first + second - overlap;
            // B(24)–(31): distance of the first centre from the plane, then Pythagoras
            let plane = 0.5 * (distance - (second * second - first * first) / distance);
            let expected = first * first - plane * plane;
            let [square, _] = lens(first, second, overlap);
            assert!((square / expected - 1.0).abs() < 1e-13, "{square} {expected}");
        }
        let [square, slope] = lens(0.5, 0.0, 0.1);
        assert!((square - (0.25 - 0.16)).abs() < 1e-15);
        assert!((slope - 0.8).abs() < 1e-15);
    }

    #[test]
    fn the_slope_is_that_of_the_square() {
        for (first, second, overlap) in [(1.0, 1.0, 0.1), (1.0, 0.6, 0.1), (0.3, 2.0, 0.02)] {
            let step = 1e-5 * overlap;
            let [after, before] =
                [1.0, -1.0].map(|sign| lens(first, second, overlap + sign * step)[0]);
            let [_, slope] = lens(first, second, overlap);
            // the error of a central difference is of second order
            assert!(((after - before) / (2.0 * step) / slope - 1.0).abs() < 1e-8);
        }
    }

    #[test]
    fn a_shallow_lens_has_twice_the_area_of_hertz() {
        let [square, _] = lens(1.0, 0.5, 1e-9);
        assert!((square / (1e-9 / 3.0) - 2.0).abs() < 1e-8);
    }
}
