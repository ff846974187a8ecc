//! `esker sweep`: designs, results and rankings on scenes with known results.

mod support;

use support::sweep::{DRAG, HEAP, folder_with, number, rows, speed};
use support::{err, esker, out};

#[test]
fn a_grid_gives_every_combination_and_the_speed_of_theory() {
    let folder = folder_with(DRAG);
    let output = esker(
        folder.path(),
        &[
            "sweep",
            "scene.toml",
            "--vary",
            "fields[0].drag.linear.coefficient=0.001,0.005,0.02",
            "--vary",
            "particles[0].radius=0.01,0.02",
            "--collect",
            "velocity_x",
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let runs = rows(&folder.path().join("sweeps/scene/results.csv"));
    assert_eq!(runs.len(), 6);
    for row in &runs {
        let coefficient = number(row, "fields[0].drag.linear.coefficient");
        let expected = speed(coefficient, number(row, "particles[0].radius"));
        // Velocity Verlet: an error of order (c dt/m)² over 2000 steps.
        assert!((number(row, "ball.velocity_x") - expected).abs() < 1e-4, "{row:?}, {expected}");
    }
    let table: Vec<f64> = runs.iter().map(|row| number(row, "ball.velocity_x")).collect();
    let mean = table.iter().sum::<f64>() / 6.0;
    let spread: f64 = table.iter().map(|value| (value - mean).powi(2)).sum();
    let radius = [0, 1].map(|which| (table[which] + table[2 + which] + table[4 + which]) / 3.0);
    let index_of_radius =
        radius.iter().map(|value| 3.0 * (value - mean).powi(2)).sum::<f64>() / spread;
    let effects = rows(&folder.path().join("sweeps/scene/effects.csv"));
    let found = effects
        .iter()
        .find(|row| {
            row["parameter"] == "particles[0].radius" && row["measure"].contains("fraction")
        })
        .expect("it is ranked");
    assert!(
        (number(found, "value") - index_of_radius).abs() < 1e-9,
        "{found:?}, {index_of_radius}"
    );
    let page = std::fs::read_to_string(folder.path().join("sweeps/scene/report.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), 2, "one plot for each parameter");
    assert!(out(&output).contains("ball.velocity_x"), "{}", out(&output));
}

/// First and total index of u and v on (0, 1)² by the midpoint rule.
fn quadrature(function: impl Fn(f64, f64) -> f64) -> [[f64; 2]; 2] {
    const CELLS: usize = 400;
    let at = |index: usize| (index as f64 + 0.5) / CELLS as f64;
    let table: Vec<Vec<f64>> =
        (0..CELLS).map(|i| (0..CELLS).map(|j| function(at(i), at(j))).collect()).collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let variance = |values: &[f64]| {
        let center = mean(values);
        values.iter().map(|value| (value - center).powi(2)).sum::<f64>() / values.len() as f64
    };
    let all = variance(&table.concat());
    let rows: Vec<f64> = table.iter().map(|row| mean(row)).collect();
    let columns: Vec<f64> =
        (0..CELLS).map(|j| mean(&table.iter().map(|row| row[j]).collect::<Vec<_>>())).collect();
    let first = [variance(&rows) / all, variance(&columns) / all];
    [[first[0], 1.0 - first[1]], [first[1], 1.0 - first[0]]]
}

#[test]
fn the_indices_of_a_ball_in_drag_are_those_of_an_integral() {
    let folder = folder_with(DRAG);
    let output = esker(
        folder.path(),
        &[
            "sweep",
            "scene.toml",
            "--vary",
            "fields[0].drag.linear.coefficient=0.001..0.04",
            "--vary",
            "particles[0].radius=0.005..0.02 log",
            "--method",
            "sobol",
            "--samples",
            "64",
            "--collect",
            "velocity_x",
            "--quiet",
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let exact = quadrature(|u, v| speed(0.001 + 0.039 * u, 0.005 * 4.0_f64.powf(v)));
    let effects = rows(&folder.path().join("sweeps/scene/effects.csv"));
    let keys = ["fields[0].drag.linear.coefficient", "particles[0].radius"];
    for (key, exact) in keys.iter().zip(exact) {
        for (measure, exact) in ["first order", "total order"].iter().zip(exact) {
            let row = effects
                .iter()
                .find(|row| row["parameter"] == *key && row["measure"] == *measure)
                .expect("every parameter is ranked");
            // 1/√64 = 0.125 would be the error of random rows; the error of the time step is negligible.
            assert!((number(row, "value") - exact).abs() < 0.125, "{row:?}, not {exact}");
            let (low, high) = (number(row, "low"), number(row, "high"));
            assert!(low < exact && exact < high, "{row:?}, not {exact}");
        }
    }
}

#[test]
fn seeds_are_repeated_and_their_mean_and_deviation_are_given() {
    let folder = folder_with(HEAP);
    let arguments =
        ["sweep", "scene.toml", "--vary", "contact.pairs[*].friction=0.1,0.8", "--seeds", "3"];
    let output = esker(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let sweep_folder = folder.path().join("sweeps/scene");
    let runs = rows(&sweep_folder.join("results.csv"));
    let seeds: Vec<&str> = runs.iter().map(|row| row["seed"].as_str()).collect();
    assert_eq!(seeds, ["3", "4", "5", "3", "4", "5"]);
    for (point, row) in rows(&sweep_folder.join("points.csv")).iter().enumerate() {
        let values: Vec<f64> = runs[3 * point..3 * point + 3]
            .iter()
            .map(|run| number(run, "heap.max_height"))
            .collect();
        let mean = values.iter().sum::<f64>() / 3.0;
        let deviation =
            (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 2.0).sqrt();
        assert!((number(row, "heap.max_height") - mean).abs() < 1e-12, "{row:?}");
        assert!((number(row, "heap.max_height deviation") - deviation).abs() < 1e-12, "{row:?}");
        assert!(deviation > 0.0, "another seed is another heap");
    }
    assert!(out(&output).contains("mean ± standard deviation over 3 seeds"), "{}", out(&output));
}

/// A law and its parameters change together.
#[test]
fn a_word_may_bring_the_parameters_that_its_law_needs() {
    let folder = folder_with(HEAP);
    let arguments = [
        "sweep",
        "scene.toml",
        "--vary",
        "contact.rolling=none,elastic-plastic with contact.pairs[*].rolling_friction=0.3",
        "--collect",
        "max_height",
    ];
    // `heap.max_height` and `measures.max_height` have the same end.
    let output = esker(folder.path(), &arguments);
    assert!(err(&output).contains("is ambiguous"), "{}", err(&output));
    let output =
        esker(folder.path(), &[&arguments[..4], &["--collect", "measures.*,heap.*"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let rows = rows(&folder.path().join("sweeps/scene/results.csv"));
    let words: Vec<&str> = rows.iter().map(|row| row["contact.rolling"].as_str()).collect();
    assert_eq!(
        words,
        ["none", "elastic-plastic with contact.pairs[*].rolling_friction=0.3"],
        "{rows:?}"
    );
    for row in &rows {
        let scene = folder.path().join("sweeps/scene/runs").join(&row["run"]).join("run.toml");
        let scene = std::fs::read_to_string(scene).expect("the scene as it was run");
        let has_law = scene.contains("rolling = \"elastic-plastic\"");
        assert_eq!(has_law, row["contact.rolling"] != "none", "{scene}");
        assert_eq!(scene.contains("rolling_friction = 0.3"), has_law, "{scene}");
    }
    let page = std::fs::read_to_string(folder.path().join("sweeps/scene/report.html")).unwrap();
    for text in [">none</text>", ">elastic-plastic</text>", ">heap.max_height [m]</text>"] {
        assert!(page.contains(text), "{text} is missing");
    }
}

/// The built-in heap with few grains: with low friction they slide apart, with high friction they form a heap. The
/// radius of a grain and five degrees are larger than the scatter over seeds, and much smaller than the difference.
#[test]
fn friction_makes_a_heap_higher_and_steeper_than_damping_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = esker(
        folder.path(),
        &[
            "sweep",
            "heap",
            "--set",
            "particles[0].insert.count=120",
            "--set",
            "particles[0].insert.cylinder.radius=0.055",
            "--set",
            "walls[1].cylinder.radius=0.055",
            "--set",
            "contact.pairs[*].rolling_friction=0.3",
            "--set",
            "stages[1].end.or_after=0.4",
            "--vary",
            "contact.pairs[*].friction=0.1,0.8",
            "--vary",
            "contact.pairs[*].damping_ratio=0.2,0.4",
            "--collect",
            "heap.crest,heap.angle",
            "--seeds",
            "2",
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let effects = rows(&folder.path().join("sweeps/heap/effects.csv"));
    assert_eq!(effects[0]["result"], "measured.heap.crest");
    assert_eq!(effects[0]["parameter"], "contact.pairs[*].friction", "{effects:?}");
    let points = rows(&folder.path().join("sweeps/heap/points.csv"));
    let crest = |point: usize| number(&points[point], "measured.heap.crest");
    assert!(0.5 * (crest(2) + crest(3) - crest(0) - crest(1)) > 0.01, "{points:?}");
    for point in [2, 3] {
        assert!(number(&points[point], "measured.heap.angle") > 5.0, "{points:?}");
    }
}
