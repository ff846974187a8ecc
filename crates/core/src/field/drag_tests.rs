use super::*;
use crate::field::{Magnus, ReynoldsDrag, StokesDrag, VolumetricDrag};

fn body(velocity: Vec3) -> Body {
    Body {
        position: Vec3::ZERO,
        velocity,
        spin: Vec3::Z,
        radius: 0.001,
        mass: 1e-5,
        charge: 0.0,
        id: crate::id::ParticleId::new(0),
    }
}

#[test]
fn all_drags_are_stokes_drag_for_a_slow_particle() {
    let (density, viscosity) = (1.2, 1.8e-5);
    let medium_velocity = || MediumVelocity::from(Vec3::X);
    let slow = body(Vec3::X * (1.0 + 1e-7));
    let stokes =
        StokesDrag { viscosity, medium_velocity: medium_velocity() }.load(&slow, 0.0).force;
    let reynolds = ReynoldsDrag { density, viscosity, medium_velocity: medium_velocity() };
    let reynolds = reynolds.load(&slow, 0.0).force;
    let volumetric =
        VolumetricDrag { density, viscosity, voidage: 1.0, medium_velocity: medium_velocity() };
    assert!((reynolds.x / stokes.x - 1.0).abs() < 1e-12);
    // Re = 1.3e-5 adds 0.15 Re^0.687 = 7e-5
    assert!((volumetric.load(&slow, 0.0).force.x / stokes.x - 1.0).abs() < 1e-4);
}

#[test]
fn drag_coefficients_meet_where_the_paper_says_they_do() {
    let coefficient = |reynolds: f64| ReynoldsDrag::coefficient_times_reynolds(reynolds) / reynolds;
    // values at the joints, computed by hand from the printed pieces
    for (reynolds, below, above) in
        [(1.0, 24.0, 24.0), (400.0, 0.5004, 0.5), (3e5, 0.5, 0.0803), (2e6, 0.1808, 0.18)]
    {
        assert!((coefficient(reynolds) - below).abs() < 6e-5, "{reynolds}");
        assert!((coefficient(reynolds * (1.0 + 1e-12)) - above).abs() < 6e-5, "{reynolds}");
    }
}

#[test]
fn a_body_at_rest_in_its_medium_feels_no_drag() {
    let field = ReynoldsDrag { density: 1.2, viscosity: 1.8e-5, medium_velocity: Vec3::X.into() };
    assert_eq!(field.load(&body(Vec3::X), 0.0).force, Vec3::ZERO);
}

#[test]
fn a_crowded_particle_is_dragged_more() {
    let drag = |voidage: f64| {
        let (density, viscosity) = (1.2, 1.8e-5);
        let medium_velocity = MediumVelocity::default();
        let field = VolumetricDrag { density, viscosity, voidage, medium_velocity };
        field.load(&body(Vec3::X), 0.0).force.x
    };
    assert!((drag(0.4) / drag(1.0) / 0.4f64.powf(-3.65) - 1.0).abs() < 1e-12);
}

#[test]
fn a_particle_that_spins_about_z_and_moves_along_x_is_pushed_along_y() {
    let magnus = Magnus { coefficient: 2.0, medium_velocity: MediumVelocity::default() };
    assert_eq!(magnus.load(&body(3.0 * Vec3::X), 0.0).force, 6.0 * Vec3::Y);
    // a medium with the same velocity removes the force
    let along = Magnus { medium_velocity: (3.0 * Vec3::X).into(), ..magnus };
    assert_eq!(along.load(&body(3.0 * Vec3::X), 0.0).force, Vec3::ZERO);
}

#[test]
fn a_medium_that_varies_is_taken_where_and_when_the_particle_is() {
    let shear = |position: Vec3, time: f64| Vec3::new(2.0 * position.y + time, 0.0, 0.0);
    let drag = LinearDrag { coefficient: 3.0, medium_velocity: MediumVelocity::from_fn(shear) };
    let body = Body { position: Vec3::Y * 0.5, ..body(Vec3::ZERO) };
    assert_eq!(drag.load(&body, 4.0).force, 15.0 * Vec3::X);
}
