//! `report.html`: one self-contained page.

use super::base64;
use super::error::OutputError;
use minijinja::{Environment, Value, context};

/// The ending `.html` of the name makes the template engine escape every value that is not marked safe.
const TEMPLATE_NAME: &str = "report.html";
const TEMPLATE: &str = include_str!("report.html");
/// Style sheet of all pages.
pub const PAGE_STYLE: &str = include_str!("page.css");

/// A table of texts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReportTable {
    /// Title.
    pub title: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows, each as long as the columns.
    pub rows: Vec<Vec<String>>,
}

/// Contents of a report, in the order of the page. Empty parts are omitted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// Title of the run.
    pub title: String,
    /// Summary of the run in a few lines: name and value.
    pub summary: Vec<(String, String)>,
    /// Warnings about the validity of the results.
    pub warnings: Vec<String>,
    /// A page that shows the run, embedded in a frame without access to the report.
    pub viewer: Option<String>,
    /// Pictures: caption and the bytes of a PNG file.
    pub pictures: Vec<(String, Vec<u8>)>,
    /// Groups and their colours (sRGB), if pictures are coloured by group.
    pub legend: Vec<(String, [u8; 3])>,
    /// Plots: caption and SVG, as returned by [`Plot::svg`](super::Plot::svg). The SVG is inserted unescaped: do not
    /// pass untrusted text.
    pub plots: Vec<(String, String)>,
    /// Tables, such as measures.
    pub tables: Vec<ReportTable>,
    /// The scene file as used.
    pub scene: String,
}

impl Report {
    /// The page.
    pub fn render(&self) -> Result<String, OutputError> {
        let wrong = |error: minijinja::Error| OutputError::Report(error.to_string());
        let pictures: Vec<(String, String)> = self
            .pictures
            .iter()
            .map(|(caption, png)| (caption.clone(), base64::encode(png)))
            .collect();
        let tables: Vec<Value> = self
            .tables
            .iter()
            .map(|table| {
                context! { title => table.title.clone(), columns => table.columns.clone(), rows => table.rows.clone() }
            })
            .collect();
        let hexadecimal = |[r, g, b]: &[u8; 3]| format!("#{r:02x}{g:02x}{b:02x}");
        let legend: Vec<(String, String)> =
            self.legend.iter().map(|(name, color)| (name.clone(), hexadecimal(color))).collect();
        let mut environment = Environment::new();
        environment.add_template(TEMPLATE_NAME, TEMPLATE).map_err(wrong)?;
        let page = environment.get_template(TEMPLATE_NAME).map_err(wrong)?;
        page.render(context! {
            style => PAGE_STYLE,
            title => self.title.clone(),
            summary => self.summary.clone(),
            warnings => self.warnings.clone(),
            viewer => self.viewer.clone(),
            pictures => pictures,
            legend => legend,
            plots => self.plots.clone(),
            tables => tables,
            scene => self.scene.clone(),
            version => env!("CARGO_PKG_VERSION"),
        })
        .map_err(wrong)
    }
}
