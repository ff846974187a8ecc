//! The report of `esker reproduce`: one self-contained page.

use super::judge::Verdict;
use super::papers::{Papers, SUMMARY_HEADS};
use super::result::CaseResult;
use super::table::{HEADS, cells};
use esker_draw::{OutputError, PAGE_STYLE, encode_base64};
use minijinja::{Environment, Value, context};

/// The ending `.html` of the name makes the template engine escape every value that is not marked safe.
const TEMPLATE_NAME: &str = "page.html";
const TEMPLATE: &str = include_str!("page.html");

/// The page.
pub fn page(papers: &Papers, results: &[CaseResult]) -> Result<String, OutputError> {
    let wrong = |error: minijinja::Error| OutputError::Report(error.to_string());
    let mut environment = Environment::new();
    environment.add_template(TEMPLATE_NAME, TEMPLATE).map_err(wrong)?;
    let template = environment.get_template(TEMPLATE_NAME).map_err(wrong)?;
    let count = |verdict| results.iter().map(|result| result.count(verdict)).sum::<usize>();
    let counts: Vec<(String, usize)> = Verdict::ALL
        .into_iter()
        .map(|verdict| (verdict.name().to_owned(), count(verdict)))
        .collect();
    let wall_time: f64 = results.iter().map(|result| result.wall_time).sum();
    template
        .render(context! {
            style => PAGE_STYLE,
            counts => counts,
            wall_time => format!("{wall_time:.1}"),
            cases => results.iter().map(case).collect::<Vec<_>>(),
            heads => HEADS.to_vec(),
            summary => papers.summary(results).iter().map(|line| line.to_vec()).collect::<Vec<_>>(),
            summary_heads => SUMMARY_HEADS.to_vec(),
            version => env!("CARGO_PKG_VERSION"),
        })
        .map_err(wrong)
}

fn case(result: &CaseResult) -> Value {
    // A reason shared by consecutive rows is given once, with the last.
    let next = result.rows.iter().skip(1).map(|row| row.reason.as_str()).chain([""]);
    let rows: Vec<Value> = result
        .rows
        .iter()
        .zip(next)
        .map(|(row, next)| {
            let told_later = row.reason == next && row.remark.is_empty();
            context! {
                cells => cells(row).to_vec(),
                reason => if told_later { "" } else { row.reason.as_str() },
                remark => row.remark.clone(),
                class => match row.verdict {
                    Verdict::Fails => "bad",
                    verdict if verdict.is_remarked() => "known",
                    _ => "good",
                },
            }
        })
        .collect();
    let runs: Vec<Vec<String>> = result
        .runs
        .iter()
        .map(|run| {
            vec![
                run.name.clone(),
                run.changes.join("; "),
                run.particles.to_string(),
                format!("{:.4}", run.time),
                run.steps.to_string(),
                format!("{:.2}", run.wall_time),
                run.processor_time.map(|time| format!("{time:.2}")).unwrap_or_default(),
                run.failure.clone().unwrap_or_else(|| run.ended.clone()),
            ]
        })
        .collect();
    let pictures: Vec<(String, String)> = result
        .pictures
        .iter()
        .map(|(caption, png)| (caption.clone(), encode_base64(png)))
        .collect();
    context! {
        name => result.case.clone(),
        paper => result.paper.clone(),
        section => result.section.clone(),
        title => result.title.clone(),
        size => result.size.to_string(),
        counts => result.counts(),
        computing => result.computing(),
        rows => rows,
        runs => runs,
        plots => result.plots.clone(),
        pictures => pictures,
        readme => result.readme.clone(),
    }
}
