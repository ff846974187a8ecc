//! Small line plots as SVG.
//!
//! Axes and text have the text colour of the surrounding page, so that a plot suits light and dark pages. Lines differ
//! in dashes as well as in colour. Hand-written for this reason: plotting crates write every colour as a number.

use super::color::DISTINCT;
use super::escape::escape;
use super::ticks;
use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 48.0;
/// Largest number of entries of the legend in one row.
const LEGEND_COLUMNS: usize = 4;
/// Width of a character of the legend, and of the line sample and margins of an entry.
const CHARACTER: f64 = 7.0;
const SAMPLE: f64 = 44.0;
const LEGEND_ROW: f64 = 20.0;
/// The dashes of the first six lines, then of the next six …
const DASHES: [&str; 4] = ["", "7 4", "2 3", "9 3 2 3"];
/// Largest number of points per line; more cannot be distinguished.
const MOST_POINTS: usize = 1500;

/// Margin beyond the outermost points, as a fraction of an axis, so that circles are not clipped.
const ROOM: f64 = 0.03;
/// Widest margin for names along the vertical axis.
const WIDEST_MARGIN: f64 = 300.0;

/// An axis includes zero if its lowest value is below this fraction of the highest.
const NEAR_ZERO: f64 = 0.1;

/// Scale of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Equal steps for equal differences.
    #[default]
    Linear,
    /// Equal steps for equal factors; values that are not positive are omitted.
    Logarithmic,
}

/// Drawing style of the points of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mark {
    /// Joined by a line.
    #[default]
    Line,
    /// Joined by a dashed line in the colour of the text: theory.
    Dashes,
    /// As open circles.
    Points,
    /// As open circles, joined.
    JoinedPoints,
    /// Three points each: the ends of an interval, and between them its centre as a circle.
    Intervals,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points. A value that is not finite interrupts the line.
    pub points: Vec<[f64; 2]>,
    /// Drawing style.
    pub mark: Mark,
}

/// A plot of several lines over one axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plot {
    /// Title.
    pub title: String,
    /// Name and unit of the horizontal axis.
    pub x_label: String,
    /// Name and unit of the vertical axis.
    pub y_label: String,
    /// Scale of the horizontal axis.
    pub x_scale: Scale,
    /// Scale of the vertical axis.
    pub y_scale: Scale,
    /// Names at 0, 1, 2 … along the horizontal axis in place of numbers.
    pub x_words: Vec<String>,
    /// Names at 0, 1, 2 … along the vertical axis in place of numbers.
    pub y_words: Vec<String>,
    /// True if both axes begin at zero.
    pub from_zero: bool,
    /// The lines.
    pub series: Vec<Series>,
}

/// One axis: maps values to pixels.
struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn new(scale: Scale, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let mut ends = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|&value| shows(scale, value)) {
            ends = (ends.0.min(value), ends.1.max(value));
        }
        let (low, high) = match (ends.0.partial_cmp(&ends.1), scale) {
            // A linear axis that almost reaches zero includes it.
            (Some(std::cmp::Ordering::Less), Scale::Linear)
                if ends.0 > 0.0 && ends.0 < NEAR_ZERO * ends.1 =>
            {
                (0.0, ends.1)
            }
            (Some(std::cmp::Ordering::Less), _) => ends,
            (Some(std::cmp::Ordering::Equal), Scale::Linear) => {
                let around = if ends.0 == 0.0 { 1.0 } else { 0.1 * ends.0.abs() };
                (ends.0 - around, ends.0 + around)
            }
            (Some(std::cmp::Ordering::Equal), Scale::Logarithmic) => (ends.0 / 10.0, ends.0 * 10.0),
            (_, Scale::Linear) => (0.0, 1.0),
            (_, Scale::Logarithmic) => (0.1, 10.0),
        };
        Self { scale, low, high, from, to }
    }

    /// An axis of names.
    fn of_words(words: &[String], from: f64, to: f64) -> Self {
        Self { scale: Scale::Linear, low: -0.5, high: words.len() as f64 - 0.5, from, to }
    }

    /// With a margin for circles at its ends; an axis that begins at zero still does.
    fn with_room(mut self, from_zero: bool) -> Self {
        match self.scale {
            Scale::Linear => {
                let room = ROOM * (self.high - self.low);
                self.low -= if from_zero && self.low == 0.0 { 0.0 } else { room };
                self.high += room;
            }
            Scale::Logarithmic => {
                let room = libm::pow(self.high / self.low, ROOM);
                self.low /= room;
                self.high *= room;
            }
        }
        self
    }

    fn pixel(&self, value: f64) -> f64 {
        let fraction = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Logarithmic => libm::log10(value / self.low) / libm::log10(self.high / self.low),
        };
        self.from + fraction * (self.to - self.from)
    }

    /// Positions and texts of the ticks.
    fn marks(&self, wanted: usize) -> Vec<(f64, String)> {
        match self.scale {
            Scale::Linear => {
                let marks = ticks::linear(self.low, self.high, wanted);
                let step = match marks.as_slice() {
                    [first, second, ..] => second - first,
                    _ => self.high - self.low,
                };
                let text = |mark: f64| ticks::label(mark, step);
                marks.iter().map(|&m| (self.pixel(m), text(m))).collect()
            }
            Scale::Logarithmic => ticks::logarithmic(self.low, self.high, wanted)
                .into_iter()
                .map(|(value, text)| (self.pixel(value), text))
                .collect(),
        }
    }
}

fn shows(scale: Scale, value: f64) -> bool {
    value.is_finite() && (scale == Scale::Linear || value > 0.0)
}

impl Plot {
    /// The plot as an SVG element, for a page or a separate file.
    pub fn svg(&self) -> String {
        let columns = self.legend_columns();
        let legend_rows = self.series.len().div_ceil(columns);
        let legend = LEGEND_ROW * legend_rows as f64;
        let height = HEIGHT + legend;
        let (x, y) = self.axes();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
             role=\"img\" aria-label=\"{title}\" font-family=\"system-ui, sans-serif\" \
             font-size=\"13\" fill=\"currentColor\">\n<title>{title}</title>\n\
             <text x=\"{left}\" y=\"20\" font-size=\"15\" font-weight=\"600\">{title}</text>\n",
            title = escape(&self.title),
            left = self.left()
        );
        self.draw_axes(&mut svg, &x, &y);
        for (index, series) in self.series.iter().enumerate() {
            draw_series(&mut svg, series, &stroke(index, series.mark), &x, &y);
            draw_legend_entry(&mut svg, index, columns, series);
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// Number of entries that fit into a row.
    fn legend_columns(&self) -> usize {
        let longest = self.series.iter().map(|series| series.name.chars().count()).max();
        let entry = SAMPLE + CHARACTER * longest.unwrap_or_default() as f64;
        (((WIDTH - LEFT) / entry) as usize).clamp(1, LEGEND_COLUMNS)
    }

    fn axes(&self) -> (Axis, Axis) {
        let points = || self.series.iter().flat_map(|series| &series.points);
        // A point is drawn only if both of its coordinates can be shown.
        let both = || points().filter(|p| shows(self.x_scale, p[0]) && shows(self.y_scale, p[1]));
        let circles = self.series.iter().any(|series| has_circles(series.mark));
        let axis = |index: usize, scale, words: &[String], from, to| {
            if !words.is_empty() {
                return Axis::of_words(words, from, to);
            }
            let zero = self.from_zero.then_some(0.0);
            let axis = Axis::new(scale, both().map(|p| p[index]).chain(zero), from, to);
            if circles { axis.with_room(self.from_zero) } else { axis }
        };
        (
            axis(0, self.x_scale, &self.x_words, self.left(), WIDTH - RIGHT),
            axis(1, self.y_scale, &self.y_words, HEIGHT - BOTTOM, TOP),
        )
    }

    /// Position of the vertical axis: names along it need more room than numbers.
    fn left(&self) -> f64 {
        let longest = self.y_words.iter().map(|word| word.chars().count()).max();
        let names = 16.0 + CHARACTER * longest.unwrap_or_default() as f64;
        names.clamp(LEFT, WIDEST_MARGIN)
    }

    /// Positions and texts of the ticks of an axis.
    fn marks(axis: &Axis, words: &[String], wanted: usize, room: f64) -> Vec<(f64, String)> {
        if words.is_empty() {
            return axis.marks(wanted);
        }
        let pixel = |index: usize| axis.pixel(index as f64);
        words.iter().enumerate().map(|(i, word)| (pixel(i), shortened(word, room))).collect()
    }

    fn draw_axes(&self, svg: &mut String, x: &Axis, y: &Axis) {
        let (left, right, bottom) = (self.left(), WIDTH - RIGHT, HEIGHT - BOTTOM);
        let fraction = (right - left) / self.x_words.len().max(1) as f64;
        for (pixel, text) in Self::marks(x, &self.x_words, 8, fraction) {
            let _ = writeln!(
                svg,
                "<path d=\"M{pixel:.1} {bottom}V{TOP}\" stroke=\"currentColor\" stroke-opacity=\"0.13\"/>\
                 <text x=\"{pixel:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>",
                bottom + 18.0
            );
        }
        for (pixel, text) in Self::marks(y, &self.y_words, 6, left - 16.0) {
            let _ = writeln!(
                svg,
                "<path d=\"M{left} {pixel:.1}H{right}\" stroke=\"currentColor\" stroke-opacity=\"0.13\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
                left - 8.0,
                pixel + 4.5
            );
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.6\"/>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            0.5 * (left + right),
            HEIGHT - 10.0,
            escape(&self.x_label),
            0.5 * (TOP + bottom),
            escape(&self.y_label)
        );
    }
}

/// True if a mark has circles.
fn has_circles(mark: Mark) -> bool {
    matches!(mark, Mark::Points | Mark::JoinedPoints | Mark::Intervals)
}

/// The end of a name, as far as it fits, since keys differ at the end.
fn shortened(word: &str, room: f64) -> String {
    let (count, most) = (word.chars().count(), (room / CHARACTER).max(4.0) as usize);
    let end: String = word.chars().skip(count.saturating_sub(most - 1)).collect();
    escape(&if count <= most { word.to_owned() } else { format!("…{end}") })
}

fn draw_series(svg: &mut String, series: &Series, stroke: &str, x: &Axis, y: &Axis) {
    if series.mark == Mark::Intervals {
        for interval in series.points.chunks_exact(3) {
            let one = |mark, points: &[[f64; 2]]| Series {
                name: String::new(),
                points: points.to_vec(),
                mark,
            };
            draw_series(svg, &one(Mark::Line, &[interval[0], interval[2]]), stroke, x, y);
            draw_series(svg, &one(Mark::Points, &interval[1..2]), stroke, x, y);
        }
        return;
    }
    if series.mark != Mark::Points {
        let path = path(series, x, y);
        let _ = writeln!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke-width=\"1.8\" stroke-linejoin=\"round\" {stroke}/>"
        );
    }
    if matches!(series.mark, Mark::Points | Mark::JoinedPoints) {
        let shown = series.points.iter().filter(|p| shows(x.scale, p[0]) && shows(y.scale, p[1]));
        for point in shown {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"4\" fill=\"none\" stroke-width=\"1.8\" {stroke}/>",
                x.pixel(point[0]),
                y.pixel(point[1])
            );
        }
    }
}

fn stroke(index: usize, mark: Mark) -> String {
    if mark == Mark::Dashes {
        return "stroke=\"currentColor\" stroke-dasharray=\"5 4\"".to_owned();
    }
    let [red, green, blue] = DISTINCT[index % DISTINCT.len()];
    let dashes = DASHES[index / DISTINCT.len() % DASHES.len()];
    format!("stroke=\"rgb({red},{green},{blue})\" stroke-dasharray=\"{dashes}\"")
}

fn draw_legend_entry(svg: &mut String, index: usize, columns: usize, series: &Series) {
    let column = (WIDTH - LEFT) / columns as f64;
    let x = LEFT + column * (index % columns) as f64;
    let y = HEIGHT + LEGEND_ROW * (index / columns) as f64 + 6.0;
    let stroke = stroke(index, series.mark);
    let sample = match series.mark {
        Mark::Line | Mark::Dashes => {
            format!("<path d=\"M{x} {y}h26\" stroke-width=\"2.5\" {stroke}/>")
        }
        Mark::Points | Mark::JoinedPoints | Mark::Intervals => format!(
            "<circle cx=\"{}\" cy=\"{y}\" r=\"4\" fill=\"none\" stroke-width=\"1.8\" {stroke}/>",
            x + 13.0
        ),
    };
    let _ = writeln!(
        svg,
        "{sample}<text x=\"{}\" y=\"{}\">{}</text>",
        x + 32.0,
        y + 4.5,
        escape(&series.name)
    );
}

/// The path of a line. Of a long line, the lowest and the highest point of each section are kept, so that no peak is
/// lost.
fn path(series: &Series, x: &Axis, y: &Axis) -> String {
    let mut path = String::new();
    let mut pen_down = false;
    let stretch = (2 * series.points.len()).div_ceil(MOST_POINTS).max(1);
    for points in series.points.chunks(stretch) {
        for [px, py] in extremes(points) {
            if !(shows(x.scale, px) && shows(y.scale, py)) {
                pen_down = false;
                continue;
            }
            let command = if pen_down { 'L' } else { 'M' };
            let _ = write!(path, "{command}{:.2} {:.2}", x.pixel(px), y.pixel(py));
            pen_down = true;
        }
    }
    path
}

/// The lowest and the highest of some points, in their order; both the same for a single one.
fn extremes(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    if points.len() < 3 || points.iter().any(|point| !point[1].is_finite()) {
        return points.to_vec();
    }
    let by_height = |a: &&[f64; 2], b: &&[f64; 2]| a[1].total_cmp(&b[1]);
    let lowest = points.iter().min_by(by_height);
    let highest = points.iter().max_by(by_height);
    let mut kept: Vec<[f64; 2]> = lowest.into_iter().chain(highest).copied().collect();
    kept.sort_by(|a, b| a[0].total_cmp(&b[0]));
    kept
}
