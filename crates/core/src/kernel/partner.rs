//! The two kinds of second partner of a contact.

use super::contact_kernel::Input;
use crate::chunk::Record;
use crate::geometry::contact::{self, Kinematics, PairInput, Separation};
use crate::geometry::{halfway, rotated, rotated_halfway};

crate::record! {
    /// Kinematics for later loops.
    pub(super) struct Geometry {
        pub normal: [f64; 3],
        pub overlap: f64,
        pub closing_speed: f64,
        /// Cosine and sine of the mean rotation about the normal.
        pub spin_rotation: [f64; 2],
        /// Time that the contact has existed since the accepted state.
        pub age: f64,
        pub inverse_distance: f64,
        pub effective_mass: f64,
        pub effective_radius: f64,
    }
}

/// The kind of the second partner.
pub(super) trait Partner {
    const AT_WALL: bool;
    /// One, or zero at a wall, which has no moment arm.
    const SECOND_ARM_FACTOR: f64;

    /// Separation before the square root and the division of the kinematics; not called at a wall.
    fn separation(pair: &PairInput, input: &Input<'_>, c: usize) -> Separation;

    /// Kinematics from the separation; at a wall from the normal and the distance.
    fn kinematics(
        pair: &PairInput,
        input: &Input<'_>,
        c: usize,
        separation: &impl Fn() -> Separation,
    ) -> Kinematics;

    /// The vector by which [`Partner::transported`] describes the rotation of the normal.
    fn normal_change(
        pair: &PairInput,
        input: &Input<'_>,
        c: usize,
        geometry: &Geometry,
    ) -> [f64; 3];

    /// A stored vector in the current tangent plane.
    fn transported(
        vector: [f64; 3],
        normal: [f64; 3],
        normal_change: [f64; 3],
        spin_rotation: [f64; 2],
    ) -> [f64; 3];
}

/// A particle: the normal rotates with the tangential motion of the centres.
pub(super) struct Particle;

impl Partner for Particle {
    const AT_WALL: bool = false;
    const SECOND_ARM_FACTOR: f64 = 1.0;

    #[inline(always)]
    fn separation(pair: &PairInput, input: &Input<'_>, c: usize) -> Separation {
        let difference = Record::load(&input.partners.difference, 0, c);
        contact::separation(pair, difference, input.images, input.step.elapsed)
    }

    #[inline(always)]
    fn kinematics(
        pair: &PairInput,
        _: &Input<'_>,
        _: usize,
        separation: &impl Fn() -> Separation,
    ) -> Kinematics {
        separation().kinematics(pair)
    }

    /// The mean of the old and the new normal.
    #[inline(always)]
    fn normal_change(
        pair: &PairInput,
        input: &Input<'_>,
        _: usize,
        geometry: &Geometry,
    ) -> [f64; 3] {
        let Geometry { normal, closing_speed, inverse_distance, .. } = *geometry;
        let half = 0.5 * input.step.elapsed;
        let half_change =
            contact::normal_change(normal, pair.velocity, closing_speed, inverse_distance, half);
        halfway(normal, half_change)
    }

    #[inline(always)]
    fn transported(
        vector: [f64; 3],
        normal: [f64; 3],
        halfway: [f64; 3],
        spin_rotation: [f64; 2],
    ) -> [f64; 3] {
        rotated_halfway(vector, normal, halfway, spin_rotation)
    }
}

/// A point of a wall: normal, its change and the distance are loaded.
pub(super) struct Wall;

impl Partner for Wall {
    const AT_WALL: bool = true;
    const SECOND_ARM_FACTOR: f64 = 0.0;

    #[inline(always)]
    fn separation(_: &PairInput, _: &Input<'_>, _: usize) -> Separation {
        Separation {
            difference: [0.0; 3],
            square: 0.0,
            distance: 0.0,
            closing: 0.0,
            half_angle: 0.0,
            inverse: 0.0,
        }
    }

    #[inline(always)]
    fn kinematics(
        pair: &PairInput,
        input: &Input<'_>,
        c: usize,
        _: &impl Fn() -> Separation,
    ) -> Kinematics {
        let normal = Record::load(&input.contacts.normal, 0, c);
        contact::wall_kinematics(pair, normal, input.contacts.distance[c], input.step.elapsed)
    }

    /// The change of the normal since the accepted state.
    #[inline(always)]
    fn normal_change(_: &PairInput, input: &Input<'_>, c: usize, _: &Geometry) -> [f64; 3] {
        Record::load(&input.contacts.normal_change, 0, c)
    }

    #[inline(always)]
    fn transported(
        vector: [f64; 3],
        normal: [f64; 3],
        normal_change: [f64; 3],
        spin_rotation: [f64; 2],
    ) -> [f64; 3] {
        rotated(vector, normal, normal_change, spin_rotation)
    }
}
