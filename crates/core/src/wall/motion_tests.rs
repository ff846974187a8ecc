use super::*;
use proptest::prelude::*;

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn rotation(rate: f64) -> Motion {
    let axis = Vec3::new(1.0, -2.0, 0.5).normalize();
    Motion::Rotation { point: Vec3::new(0.3, 0.1, -0.2), axis, rate }
}

fn swing() -> Motion {
    Motion::Angle {
        point: Vec3::new(-0.4, 0.2, 0.9),
        axis: Vec3::new(0.0, 0.6, 0.8),
        angle: Arc::new(|t| (0.7 * libm::sin(3.0 * t), 2.1 * libm::cos(3.0 * t))),
    }
}

fn oscillation() -> Motion {
    Motion::Oscillation { amplitude: Vec3::new(0.1, 0.0, -0.2), frequency: 1.5, phase: 0.4 }
}

fn table() -> Motion {
    Motion::Table {
        times: vec![0.5, 1.0, 3.0],
        displacements: vec![Vec3::X, Vec3::Y, Vec3::new(1.0, 2.0, 3.0)],
    }
}

fn every_motion() -> Vec<Motion> {
    let parabola = Arc::new(|t: f64| (Vec3::Y * t * t, Vec3::Y * 2.0 * t));
    let together = vec![
        Motion::Velocity(Vec3::new(0.2, 0.5, 0.0)),
        rotation(2.0),
        swing(),
        oscillation(),
        Motion::Superposition(vec![rotation(-0.7), table()]),
    ];
    vec![
        Motion::Still,
        Motion::Velocity(Vec3::new(1.0, -2.0, 3.0)),
        rotation(-5.0),
        oscillation(),
        Motion::Displacement(parabola),
        swing(),
        table(),
        Motion::Superposition(together),
    ]
}

fn assert_near(a: Vec3, b: Vec3, tolerance: f64) {
    assert!((a - b).length() <= tolerance, "{a} is not within {tolerance} of {b}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn velocity_is_the_derivative_of_position(p in vector(2.0), t in 0.01_f64..3.5) {
        let h = 1e-6;
        // A table has no derivative at its rows.
        prop_assume!([0.5, 1.0, 3.0].iter().all(|row: &f64| (row - t).abs() > 2.0 * h));
        for motion in every_motion() {
            let pose = motion.pose(t);
            let slope = (motion.pose(t + h).to_world(p) - motion.pose(t - h).to_world(p)) / (2.0 * h);
            // Central difference: h² times the third derivative, plus the rounding error divided by h.
            assert_near(pose.velocity_at(pose.to_world(p)), slope, 2e-8);
        }
    }

    #[test]
    fn to_local_undoes_to_world(p in vector(2.0), t in 0.0_f64..10.0) {
        for motion in every_motion() {
            let pose = motion.pose(t);
            assert_near(pose.to_local(pose.to_world(p)), p, 1e-13 * (1.0 + t * t));
        }
    }

    #[test]
    fn poses_follow_each_other_like_functions(p in vector(2.0), s in 0.0_f64..2.0, t in 0.0_f64..2.0) {
        let (first, second) = (rotation(3.0).pose(s), swing().pose(t));
        let both = first.then(&second);
        assert_near(both.to_world(p), second.to_world(first.to_world(p)), 1e-14);
        let x = both.to_world(p);
        let carried = second.direction_to_world(first.velocity_at(first.to_world(p)));
        assert_near(both.velocity_at(x), second.velocity_at(x) + carried, 1e-13);
    }

    #[test]
    fn identity_rounds_nothing(p in vector(1e6)) {
        let pose = Motion::Still.pose(3.0);
        prop_assert_eq!(pose, Pose::IDENTITY);
        prop_assert_eq!(pose.to_world(p), p);
        prop_assert_eq!(pose.to_local(p), p);
        prop_assert_eq!(pose.direction_to_world(p), p);
        prop_assert_eq!(pose.velocity_at(p), Vec3::ZERO);
    }

    #[test]
    fn no_point_of_the_box_is_faster_or_shifted_further_than_the_bounds(
        fraction in (0.0_f64..1.0, 0.0_f64..1.0, 0.0_f64..1.0),
        t in 0.0_f64..3.0,
    ) {
        let bounds = (Vec3::new(-1.0, 0.0, 0.5), Vec3::new(2.0, 0.5, 1.5));
        let p = bounds.0 + (bounds.1 - bounds.0) * Vec3::new(fraction.0, fraction.1, fraction.2);
        for motion in every_motion() {
            let (pose, start) = (motion.pose(t), motion.pose(0.0));
            let speed = pose.velocity_at(pose.to_world(p)).length();
            prop_assert!(speed <= pose.largest_speed(bounds) + 1e-12);
            let shift = (pose.to_world(p) - start.to_world(p)).length();
            prop_assert!(shift <= pose.largest_shift(&start, bounds) + 1e-12);
        }
    }
}

#[test]
fn a_drum_is_where_it_began_after_many_turns() {
    let drum = Motion::Rotation { point: Vec3::new(1.0, 2.0, 3.0), axis: Vec3::Z, rate: TAU };
    let p = Vec3::new(1.5, 2.0, 0.0);
    // The angle of 1e5 revolutions has a rounding error of 1e-10 rad.
    assert_near(drum.pose(1e5).to_world(p), p, 1e-10);
}

#[test]
fn an_oscillation_starts_where_the_wall_stands() {
    assert_eq!(oscillation().pose(0.0).translation, Vec3::ZERO);
}

#[test]
fn a_table_is_at_rest_before_and_after_its_rows() {
    for (t, position) in
        [(0.0, Vec3::X), (3.0, Vec3::new(1.0, 2.0, 3.0)), (9.0, Vec3::new(1.0, 2.0, 3.0))]
    {
        let pose = table().pose(t);
        assert_eq!((pose.translation, pose.velocity), (position, Vec3::ZERO));
    }
    assert_near(table().pose(0.75).translation, Vec3::new(0.5, 0.5, 0.0), 1e-15);
}

#[test]
fn the_axis_of_a_rotation_travels_with_a_translation() {
    let point = Vec3::new(1.0, 0.0, 0.0);
    let roll = Motion::Superposition(vec![
        Motion::Velocity(Vec3::X * 2.0),
        Motion::Rotation { point, axis: Vec3::Z, rate: -3.0 },
    ]);
    let pose = roll.pose(5.0);
    assert_near(pose.to_world(point), point + Vec3::X * 10.0, 1e-14);
    assert_near(pose.velocity_at(point + Vec3::X * 10.0), Vec3::X * 2.0, 1e-14);
}

#[test]
fn a_new_stage_starts_where_the_last_one_left_the_wall() {
    let base = rotation(2.0).pose(1.3);
    let p = Vec3::new(0.2, 0.4, 0.6);
    let next = base.at_rest().then(&Motion::Velocity(Vec3::Y).pose(0.0));
    assert_eq!(next.to_world(p), base.to_world(p));
    assert_eq!(next.velocity_at(next.to_world(p)), Vec3::Y);
}

#[test]
fn a_motion_without_speed_is_still() {
    assert!(Motion::Superposition(vec![Motion::Velocity(Vec3::ZERO), rotation(0.0)]).is_still());
    assert!(every_motion().iter().skip(1).all(|motion| !motion.is_still()));
}

#[test]
fn sound_motions_have_no_problems() {
    assert!(every_motion().iter().all(|motion| motion.problems().is_empty()));
}

#[test]
fn an_axis_must_be_a_unit_vector() {
    let motion = Motion::Rotation { point: Vec3::ZERO, axis: Vec3::new(0.0, 0.0, 2.0), rate: 1.0 };
    assert_eq!(motion.problems(), ["the axis must be a unit vector"]);
}

#[test]
fn a_table_must_be_in_order_of_time_and_whole() {
    let motion = Motion::Table { times: vec![1.0, 1.0], displacements: vec![Vec3::ZERO] };
    assert_eq!(
        motion.problems(),
        [
            "the table must have one displacement for each time",
            "the times must be strictly increasing"
        ]
    );
    // An invalid table must not cause a panic either.
    assert_eq!(motion.pose(2.0).translation, Vec3::ZERO);
    let empty = Motion::Table { times: vec![], displacements: vec![] };
    assert_eq!(empty.pose(1.0).translation, Vec3::ZERO);
}
