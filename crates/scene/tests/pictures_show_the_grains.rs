//! Contents of pictures, measured in pixels.

mod support;

use esker::measure::Snapshot;
use esker::wall::Shape;
use esker::{Quat, Vec3};
use esker_draw::{Bounds, Camera, ColorBy, Picture, PictureStyle};
use std::f64::consts::PI;
use support::{noise, noise_vector, particle, wall};

/// Pixels that differ from the background, which changes from row to row only.
fn covered(picture: &Picture) -> usize {
    let row = 3 * picture.width;
    picture
        .pixels
        .chunks(row)
        .map(|row| row.chunks(3).filter(|pixel| *pixel != &row[..3]).count())
        .sum()
}

fn style_looking_along_y(width: usize, height: usize) -> PictureStyle {
    let bounds = Bounds { min: Vec3::splat(-1.0), max: Vec3::splat(1.0) };
    let corners = bounds.corners().map(|corner| (corner, 0.0));
    let aspect = width as f64 / height as f64;
    PictureStyle {
        width,
        height,
        camera: Some(Camera::looking(&corners, -Vec3::Y, Vec3::Z, aspect)),
        ..PictureStyle::default()
    }
}

#[test]
fn the_silhouette_of_a_sphere_has_the_area_of_its_disc() {
    let style = style_looking_along_y(300, 200);
    let pixels_per_metre = 300.0 / style.camera.unwrap().view[0];
    for radius in [0.1, 0.4, 0.8] {
        let snapshot = Snapshot {
            particles: vec![particle(0, Vec3::new(0.1, 0.3, -0.05), radius)],
            ..Snapshot::default()
        };
        let found = covered(&Picture::draw(&snapshot, &style)) as f64;
        let in_pixels = radius * pixels_per_metre;
        let expected = PI * in_pixels * in_pixels;
        // Pixels on the rim count in full: half a pixel around the disc.
        let rim = 2.0 * PI * in_pixels * 0.75;
        assert!((found - expected).abs() < rim, "{radius}: {found} for {expected}");
    }
}

#[test]
fn the_nearer_sphere_hides_the_one_behind() {
    let mut near = particle(0, Vec3::new(0.0, -0.5, 0.0), 0.5);
    let mut far = particle(1, Vec3::new(0.0, 0.5, 0.0), 0.4);
    (near.group, far.group) = (esker::GroupId::new(0), esker::GroupId::new(1));
    let style = PictureStyle { color: ColorBy::Group, ..style_looking_along_y(90, 60) };
    let draw = |particles| {
        let snapshot = Snapshot { particles, ..Snapshot::default() };
        let picture = Picture::draw(&snapshot, &style);
        let middle = 3 * (30 * 90 + 45);
        [0, 1, 2].map(|channel| picture.pixels[middle + channel])
    };
    let [red, _, blue] = draw(vec![near, far]);
    assert!(blue > red, "group 0 is blue");
    near.position.y = 1.5;
    let [red, _, blue] = draw(vec![near, far]);
    assert!(red > blue, "group 1 is orange");
}

#[test]
fn a_stripe_is_a_great_circle_that_rotates_with_its_particle() {
    let style = PictureStyle { stripe: true, ..style_looking_along_y(180, 120) };
    let camera = style.camera.unwrap();
    let pixels_per_metre = 180.0 / camera.view[0];
    let radius = 0.8;
    // fractions of the brightness without a stripe, by pixel
    let draw = |orientation: Quat, style: &PictureStyle| {
        let mut ball = particle(0, Vec3::ZERO, radius);
        ball.orientation = orientation;
        let snapshot = Snapshot { particles: vec![ball], ..Snapshot::default() };
        Picture::draw(&snapshot, style).pixels
    };
    let plain = draw(Quat::IDENTITY, &PictureStyle { stripe: false, ..style });
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        for angle in [0.0, 0.5, 2.0] {
            let orientation = Quat::from_axis_angle(axis, angle);
            let pixels = draw(orientation, &style);
            // Points of the surface towards the camera, in the body and in the picture; the band is
            // 0.16 radii wide on each side of the plane whose normal is (1, 1, 1)/√3 in the body.
            let (mut dark, mut bright) = (0, 0);
            for step in 0..400 {
                let [u, v] = [noise(2 * step), noise(2 * step + 1)].map(|u| 1.4 * (u - 0.5));
                let depth = (1.0 - u * u - v * v).max(0.0).sqrt();
                let normal = u * camera.right + v * camera.up + depth * camera.back;
                let height = (orientation.inverse() * normal).dot(Vec3::ONE.normalize()).abs();
                let column = 90.0 + u * radius * pixels_per_metre;
                let row = 60.0 - v * radius * pixels_per_metre;
                let pixel = 3 * (row as usize * 180 + column as usize);
                let fraction = f64::from(pixels[pixel + 1]) / f64::from(plain[pixel + 1]);
                // pixels at the edge are half dark and half bright
                if height < 0.13 {
                    dark += 1;
                    assert!(fraction < 0.65, "{axis} {angle}: {fraction} at {height}");
                } else if height > 0.19 {
                    bright += 1;
                    assert!(
                        (fraction - 1.0).abs() < 1e-9,
                        "{axis} {angle}: {fraction} at {height}"
                    );
                }
            }
            assert!(dark > 5 && bright > 100, "{dark} {bright}");
        }
    }
}

#[test]
fn the_same_snapshot_gives_the_same_png() {
    let snapshot = heap(300);
    let draw = || Picture::draw(&snapshot, &PictureStyle::default()).png().unwrap();
    assert!(draw() == draw());
}

#[test]
fn nothing_and_nonsense_can_be_drawn() {
    let mut broken = heap(3);
    broken.particles[0].position.x = f64::NAN;
    broken.particles[1].radius = f64::INFINITY;
    broken.particles[2].velocity.x = f64::NAN;
    for snapshot in [Snapshot::default(), broken] {
        for (width, height) in [(0, 0), (1, 1), (64, 48)] {
            let style = PictureStyle { width, height, up: Vec3::ZERO, ..PictureStyle::default() };
            Picture::draw(&snapshot, &style).png().unwrap();
        }
    }
}

/// A heap of balls on a floor: not packed, but similar in appearance.
fn heap(count: u64) -> Snapshot {
    let mut particles = Vec::new();
    let radius = 0.55 / (count as f64).cbrt();
    for id in 0.. {
        if particles.len() as u64 == count {
            break;
        }
        let u = noise_vector(id);
        let position = Vec3::new(2.4 * (u.x - 0.5), 2.4 * (u.y - 0.5), u.z);
        if position.truncate().length() * 0.6 + position.z < 0.7 {
            let mut ball = particle(id, position, radius * (0.8 + 0.4 * noise(id + 9)));
            ball.position.z += ball.radius;
            ball.velocity = Vec3::X * (position.truncate().length() + 0.2 * noise(id + 5));
            particles.push(ball);
        }
    }
    Snapshot {
        groups: vec!["a".into(), "b".into()],
        particles,
        walls: vec![wall("floor", Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z })],
        ..Snapshot::default()
    }
}
