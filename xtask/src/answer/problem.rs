//! The problems: their scenes, and the computation of a result from positions at several times.

/// Positions of the free particles at one time.
#[derive(Debug, Clone)]
pub struct Frame {
    pub time: f64,
    pub positions: Vec<[f64; 3]>,
}

/// A problem that all codes solve.
pub struct Problem {
    pub name: &'static str,
    pub quantity: &'static str,
    pub unit: &'static str,
    /// Simulated time [s], as in the scene.
    pub duration: f64,
    /// Time between two frames [s], as in the scene.
    pub every: f64,
    /// Scene that computes the initial state.
    pub fill: &'static str,
    /// Scene that is measured.
    pub scene: &'static str,
    /// Profile of the walls for codes whose walls are meshes: distance from the axis, position along it [m].
    pub profile: &'static [[f64; 2]],
    /// True if the axis of the profile is y instead of z.
    pub is_horizontal: bool,
    /// Result from the frames and the mean mass of a particle [kg].
    pub result: fn(&[Frame], f64) -> Option<f64>,
}

/// Material and laws, the first part of each scene.
pub const MATERIAL: &str = include_str!("../../peers/answer/material.toml");

pub const PROBLEMS: [Problem; 3] = [
    Problem {
        name: "drum",
        quantity: "dynamic angle",
        unit: "°",
        duration: 1.5,
        every: 0.05,
        fill: include_str!("../../peers/answer/drum-fill.toml"),
        scene: include_str!("../../peers/answer/drum.toml"),
        profile: &[[0.0, -0.02], [0.07, -0.02], [0.07, 0.02], [0.0, 0.02]],
        is_horizontal: true,
        result: dynamic_angle,
    },
    Problem {
        name: "hopper",
        quantity: "mass rate",
        unit: "kg/s",
        duration: 0.8,
        every: 0.02,
        fill: include_str!("../../peers/answer/hopper-fill.toml"),
        scene: include_str!("../../peers/answer/hopper.toml"),
        profile: &[[0.018, 0.0], [0.05, 0.055], [0.05, 0.3]],
        is_horizontal: false,
        result: mass_rate,
    },
    Problem {
        name: "heap",
        quantity: "angle of the heap",
        unit: "°",
        duration: 1.2,
        every: 0.1,
        fill: include_str!("../../peers/answer/heap-fill.toml"),
        scene: include_str!("../../peers/answer/heap.toml"),
        profile: &[],
        is_horizontal: false,
        result: angle_of_heap,
    },
];

/// Spheres that are the base of the heap.
const BASE_RADIUS: f64 = 0.002;

/// Centres of the base of the heap: a hexagonal layer of touching spheres in a disc of 80 mm.
pub fn base() -> Vec<[f64; 3]> {
    let (spacing, disc) = (2.0 * BASE_RADIUS, 0.08f64);
    let row_spacing = spacing * 0.75f64.sqrt();
    let rows = (disc / row_spacing) as i32;
    let columns = (disc / spacing) as i32 + 1;
    let mut centres = Vec::new();
    for row in -rows..=rows {
        for column in -columns..=columns {
            let shift = 0.5 * f64::from(row.rem_euclid(2));
            let [x, y] = [spacing * (f64::from(column) + shift), row_spacing * f64::from(row)];
            if x.hypot(y) <= disc {
                centres.push([x, y, 0.0]);
            }
        }
    }
    centres
}

/// Angle of the mean position about the axis of the drum, which is y, averaged over the last second. A filling with a
/// plane surface has its centre of mass perpendicular to the surface, so that this is the angle of the surface.
fn dynamic_angle(frames: &[Frame], _mass: f64) -> Option<f64> {
    let angle = |frame: &Frame| {
        let sum = |axis: usize| frame.positions.iter().map(|p| p[axis]).sum::<f64>();
        sum(0).abs().atan2(-sum(2)).to_degrees()
    };
    let angles: Vec<f64> = frames.iter().filter(|frame| frame.time > 0.49).map(angle).collect();
    (!angles.is_empty()).then(|| angles.iter().sum::<f64>() / angles.len() as f64)
}

/// Slope of the discharged mass over time by least squares, from 20 to 70 % of the initial number.
fn mass_rate(frames: &[Frame], mass: f64) -> Option<f64> {
    let all = frames.first()?.positions.len() as f64;
    let points: Vec<[f64; 2]> = frames
        .iter()
        .map(|frame| [frame.time, 1.0 - frame.positions.len() as f64 / all])
        .filter(|point| (0.2..=0.7).contains(&point[1]))
        .collect();
    let count = points.len() as f64;
    let mean = |axis: usize| points.iter().map(|point| point[axis]).sum::<f64>() / count;
    let [time, discharged] = [mean(0), mean(1)];
    let product: f64 = points.iter().map(|p| (p[0] - time) * (p[1] - discharged)).sum();
    let square: f64 = points.iter().map(|p| (p[0] - time).powi(2)).sum();
    (points.len() > 2).then(|| mass * all * product / square)
}

/// Angle of the cone that has the same mean height and mean distance from the axis as the particles at the end: with
/// the height H and the radius R of a cone these are H/4 and R/2. Heights are above the top of the base.
fn angle_of_heap(frames: &[Frame], _mass: f64) -> Option<f64> {
    let positions = &frames.last()?.positions;
    let height: f64 = positions.iter().map(|p| p[2] - BASE_RADIUS).sum();
    let distance: f64 = positions.iter().map(|p| p[0].hypot(p[1])).sum();
    (distance > 0.0).then(|| (2.0 * height / distance).atan().to_degrees())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(time: f64, positions: Vec<[f64; 3]>) -> Frame {
        Frame { time, positions }
    }

    #[test]
    fn the_angle_of_a_uniform_cone_is_its_slope() {
        // midpoints of a fine grid in a cone of 10 mm height and 20 mm radius
        let mut positions = Vec::new();
        for (i, j, k) in (0..80)
            .flat_map(|i| (0..80).map(move |j| (i, j)))
            .flat_map(|(i, j)| (0..40).map(move |k| (i, j, k)))
        {
            let [x, y] = [i, j].map(|index| (f64::from(index) - 39.5) * 0.0005);
            let z = (f64::from(k) + 0.5) * 0.00025;
            if x.hypot(y) < 0.02 * (1.0 - z / 0.01) {
                positions.push([x, y, z + BASE_RADIUS]);
            }
        }
        let angle = angle_of_heap(&[frame(0.0, positions)], 1.0).unwrap();
        assert!((angle - 0.5f64.atan().to_degrees()).abs() < 0.05, "{angle}");
    }

    #[test]
    fn the_rate_of_a_uniform_discharge_is_its_slope() {
        let frames: Vec<Frame> = (0..=100)
            .map(|step| frame(f64::from(step) * 0.01, vec![[0.0; 3]; 1000 - 10 * step as usize]))
            .collect();
        let rate = mass_rate(&frames, 2e-3).unwrap();
        assert!((rate - 2.0).abs() < 1e-9, "{rate}");
    }

    #[test]
    fn the_angle_of_a_tilted_filling_is_its_tilt() {
        let tilt = 30f64.to_radians();
        let centre = [-0.03 * tilt.sin(), 0.0, -0.03 * tilt.cos()];
        let angle = dynamic_angle(&[frame(1.0, vec![centre; 3])], 1.0).unwrap();
        assert!((angle - 30.0).abs() < 1e-9, "{angle}");
    }
}
