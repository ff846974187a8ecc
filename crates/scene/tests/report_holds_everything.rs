//! The report and its plots, as text.

mod support;

use esker_draw::{Picture, PictureStyle, Plot, Report, ReportTable, Scale, Series};
use support::snapshot;

fn plot(name: &str, points: Vec<[f64; 2]>) -> Plot {
    Plot {
        title: "Energy".to_string(),
        x_label: "time [s]".to_string(),
        y_label: "energy [J]".to_string(),
        series: vec![Series { name: name.to_string(), points, ..Series::default() }],
        ..Plot::default()
    }
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn plots_escape_their_texts() {
    let mut plot = plot("<b>&\"'", vec![[0.0, 1.0], [1.0, 2.0]]);
    plot.title = "<script>alert(1)</script>".to_string();
    plot.x_label = "a < b".to_string();
    let svg = plot.svg();
    assert!(!svg.contains("<script") && !svg.contains("<b>"));
    assert!(svg.contains("&lt;b&gt;&amp;&quot;&#39;") && svg.contains("a &lt; b"));
}

#[test]
fn a_line_passes_through_the_corners_of_its_axes() {
    let svg = plot("line", vec![[0.0, 1.0], [5.0, 3.0]]).svg();
    assert!(svg.contains("M78.00 332.00L696.00 34.00"), "{svg}");
}

#[test]
fn a_logarithmic_axis_gives_equal_factors_equal_lengths() {
    let mut plot = plot("decay", vec![[0.0, 1e-4], [1.0, 1e-2], [2.0, 1.0]]);
    plot.y_scale = Scale::Logarithmic;
    let svg = plot.svg();
    assert!(svg.contains("M78.00 332.00L387.00 183.00L696.00 34.00"), "{svg}");
}

#[test]
fn gaps_and_values_that_a_scale_cannot_show_interrupt_a_line() {
    let points = vec![[0.0, 1.0], [1.0, f64::NAN], [2.0, 3.0], [3.0, -1.0], [4.0, 2.0]];
    let line = |scale| {
        let mut plot = plot("line", points.clone());
        plot.y_scale = scale;
        let svg = plot.svg();
        let start = svg.find("stroke-linejoin").unwrap();
        let path = svg[..start].rsplit("d=\"").next().unwrap().to_string();
        count(&path, "M")
    };
    assert_eq!(line(Scale::Linear), 2);
    assert_eq!(line(Scale::Logarithmic), 3);
}

#[test]
fn long_lines_are_thinned_but_keep_their_peaks() {
    let mut points: Vec<[f64; 2]> = (0..100_000).map(|i| [f64::from(i), 0.0]).collect();
    points[54_321][1] = 1.0;
    let svg = plot("line", points).svg();
    assert!(svg.len() < 40_000);
    // The peak is the top of the axis.
    assert!(svg.contains(" 34.00"));
}

#[test]
fn plots_of_nothing_and_of_one_value_have_axes() {
    for points in
        [vec![], vec![[1.0, 0.0]], vec![[f64::NAN, 1.0]], vec![[0.0, 1e300], [1.0, -1e300]]]
    {
        for scale in [Scale::Linear, Scale::Logarithmic] {
            let mut plot = plot("line", points.clone());
            (plot.x_scale, plot.y_scale) = (scale, scale);
            let svg = plot.svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{points:?}: {svg}");
        }
    }
}

fn report() -> Report {
    let decay = |rate: f64| {
        (0..200).map(|i| [0.01 * f64::from(i), (-rate * 0.01 * f64::from(i)).exp()]).collect()
    };
    let mut energy = plot("kinetic", decay(3.0));
    for (name, rate) in
        [("potential", 1.0), ("damping loss", 0.5), ("elastic", 6.0), ("closure error", 8.0)]
    {
        energy.series.push(Series {
            name: name.to_string(),
            points: decay(rate),
            ..Series::default()
        });
    }
    let mut logarithmic = energy.clone();
    logarithmic.title = "Energy, logarithmic".to_string();
    logarithmic.y_scale = Scale::Logarithmic;
    let picture = Picture::draw(&snapshot(800, 0.0), &PictureStyle::default());
    let png = picture.png().unwrap();
    Report {
        title: "Collapse of a pile <&>".to_string(),
        summary: [
            ("particles", "12 360"),
            ("time simulated", "4 s"),
            ("steps", "1 000 000"),
            ("time step", "4.0e-6 s"),
            ("speed", "20 M particle-steps/s"),
            ("energy closure", "2.1e-9"),
        ]
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .to_vec(),
        warnings: vec!["the time step is 0.9 of the limit".to_string()],
        pictures: ["t = 0 s", "t = 2 s", "t = 4 s"]
            .map(|time| (format!("{time}, {}", picture.caption), png.clone()))
            .to_vec(),
        plots: vec![
            ("The ledger over time.".to_string(), energy.svg()),
            (String::new(), logarithmic.svg()),
        ],
        tables: vec![ReportTable {
            title: "Measures".to_string(),
            columns: ["quantity", "published", "tolerance", "ours", "verdict"]
                .map(str::to_string)
                .to_vec(),
            rows: vec![
                ["angle of repose", "23.4°", "± 1°", "23.1°", "agrees"]
                    .map(str::to_string)
                    .to_vec(),
            ],
        }],
        scene: "# <script>alert('x')</script>\nformat = 1\ntitle = \"a & b\"\n".to_string(),
        ..Report::default()
    }
}

#[test]
fn the_viewer_is_a_frame_without_access_to_the_report() {
    let viewer = Some("<script>let a = \"b\" && 1;</script>".to_string());
    let legend = vec![("coarse <b>".to_string(), [0, 114, 178])];
    let page = Report { viewer, legend, ..report() }.render().unwrap();
    assert!(page.contains("sandbox=\"allow-scripts allow-downloads\""));
    assert!(page.contains("srcdoc=\"&lt;script&gt;let a = &quot;b&quot; &amp;&amp; 1;"));
    assert!(page.contains("fill=\"#0072b2\"") && page.contains("coarse &lt;b&gt;"));
    assert!(!page.contains("<script"));
}

#[test]
fn the_report_escapes_the_text_of_the_scene() {
    let page = report().render().unwrap();
    assert!(!page.contains("<script"));
    assert!(page.contains("&lt;script&gt;alert"));
    assert!(page.contains("Collapse of a pile &lt;&amp;&gt;"));
}

#[test]
fn the_report_needs_no_other_file() {
    let page = report().render().unwrap();
    assert_eq!(count(&page, "src=\"data:image/png;base64,iVBORw0KGgo"), 3);
    assert_eq!(count(&page, "<svg "), 2);
    // The name of the SVG format is the only address in the page.
    assert_eq!(count(&page, "http"), count(&page, "xmlns=\"http://www.w3.org/2000/svg\""));
    assert!(!page.contains("href") && !page.contains("@import"));
    if let Some(folder) = std::env::var_os("ESKER_PICTURES") {
        std::fs::write(std::path::Path::new(&folder).join("report.html"), page).unwrap();
    }
}

#[test]
fn an_empty_report_is_a_page() {
    let page = Report::default().render().unwrap();
    assert!(page.contains("</html>") && !page.contains("<h2>"));
}
