//! `report.html`: one page that holds everything, to be opened or sent as it is.

use super::base64;
use super::error::OutputError;
use minijinja::{Environment, Value, context};

/// Its name ends in `.html`, which makes every value escaped that is not marked safe.
const TEMPLATE_NAME: &str = "report.html";
const TEMPLATE: &str = include_str!("report.html");
/// What all pages look like.
pub const PAGE_STYLE: &str = include_str!("page.css");

/// A table of texts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReportTable {
    /// What it shows.
    pub title: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows, each as long as the columns.
    pub rows: Vec<Vec<String>>,
}

/// What a report shows, in the order of the page. Empty parts are left out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// Title of the run.
    pub title: String,
    /// What the run was and what came out, in a few lines: name and value.
    pub summary: Vec<(String, String)>,
    /// What the reader should know before trusting the numbers.
    pub warnings: Vec<String>,
    /// A page that shows the run, for a frame of its own without access to this one.
    pub viewer: Option<String>,
    /// Pictures: caption and the bytes of a PNG file.
    pub pictures: Vec<(String, Vec<u8>)>,
    /// Groups and their colours (sRGB), if pictures are coloured by group.
    pub legend: Vec<(String, [u8; 3])>,
    /// Plots: caption and SVG, as [`Plot::svg`](super::Plot::svg) makes it. It is put into the
    /// page as it is: pass no text of others here.
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
