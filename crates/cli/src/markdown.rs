//! `--markdown VALIDATION.md`: the summary of all cases, and `cases/NAME/RESULTS.md` beside it with the comparisons of
//! each.

use crate::failure::Failure;
use esker_scene::plain_file::{self, LONGEST_FILE};
use esker_study::case::{
    Case, CaseResult, Papers, is_validation_page, results_page, validation_page,
};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Paths of the pages.
pub struct Pages {
    summary: PathBuf,
    cases: PathBuf,
}

impl Pages {
    /// The pages of a summary. Files of another kind are refused here, before hours of computing.
    pub fn at(summary: &Path, cases: &[Case]) -> Result<Self, Failure> {
        let folder = summary.parent().unwrap_or_else(|| Path::new(""));
        let pages = Self { summary: summary.to_owned(), cases: folder.join("cases") };
        if read(summary)?.is_some_and(|text| !is_validation_page(&text)) {
            return Err(foreign(summary, "it does not begin with `# Validation`"));
        }
        for case in cases {
            pages.earlier(&case.name)?;
        }
        Ok(pages)
    }

    fn of_case(&self, case: &str) -> PathBuf {
        self.cases.join(case).join("RESULTS.md")
    }

    fn earlier(&self, case: &str) -> Result<Option<String>, Failure> {
        let path = self.of_case(case);
        let earlier = read(&path)?;
        if let Some(text) = &earlier {
            validation_page(&Papers::default(), [text.as_str()])
                .map_err(|what| foreign(&path, &what))?;
        }
        Ok(earlier)
    }

    /// Writes the pages of the results and the summary, and the plots of the papers if there is a
    /// folder for them.
    pub fn write(&self, papers: &Papers, results: &[CaseResult]) -> Result<(), Failure> {
        for result in results {
            let path = self.of_case(&result.case);
            let page = results_page(result, self.earlier(&result.case)?.as_deref())
                .map_err(|what| foreign(&path, &what))?;
            let folder = self.cases.join(&result.case);
            fs::create_dir_all(&folder).map_err(|error| cannot_write(&folder, &error))?;
            put(&path, &page)?;
        }
        let pages = self.all()?;
        let summary = validation_page(papers, pages.iter().map(String::as_str))
            .map_err(|what| foreign(&self.cases, &what))?;
        put(&self.summary, &summary)?;
        self.write_plots(papers, results)
    }

    /// One plot for each paper, as `docs/images/PAPER.svg` beside the summary.
    fn write_plots(&self, papers: &Papers, results: &[CaseResult]) -> Result<(), Failure> {
        let images = self.cases.with_file_name("docs").join("images");
        if !images.is_dir() {
            return Ok(());
        }
        for paper in &papers.papers {
            let result = results.iter().find(|result| result.case == paper.plot.case);
            if let Some((_, svg)) = result.and_then(|result| result.plots.get(paper.plot.index)) {
                put(&images.join(format!("{}.svg", paper.key)), svg)?;
            }
        }
        Ok(())
    }

    /// The pages of all cases.
    fn all(&self) -> Result<Vec<String>, Failure> {
        let unreadable =
            |error| Failure::input(format!("cannot read `{}`: {error}", self.cases.display()));
        let mut pages = Vec::new();
        for entry in fs::read_dir(&self.cases).map_err(unreadable)? {
            let name = entry.map_err(unreadable)?.file_name();
            pages.extend(self.earlier(&name.to_string_lossy())?);
        }
        Ok(pages)
    }
}

fn read(path: &Path) -> Result<Option<String>, Failure> {
    match plain_file::read_text(path, LONGEST_FILE) {
        Ok(text) => Ok(Some(text)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(Failure::input(format!("cannot read `{}`: {error}", path.display()))),
    }
}

fn foreign(path: &Path, what: &str) -> Failure {
    let path = path.display();
    Failure::input(format!("`{path}` is not a page of `esker reproduce`: {what}"))
        .help("name another file, or remove this one")
}

/// Writes a file.
pub fn put(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| cannot_write(path, &error))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::input(format!("cannot write `{}`: {error}", path.display()))
}
