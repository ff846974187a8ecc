//! `docs/papers.md`: each paper with its citation, its problems with their verdicts, and its equations.

use super::folder::Case;
use super::judge::Verdict;
use super::papers::{Form, Paper, Papers, overall};
use std::fmt::Write as _;

const HEAD: &str = "# The papers

Esker implements five papers. For each paper, this page lists the sections, figures and tables with the case that computes
them and the overall verdict, then the equations with the scene keys that select them. It is generated from
`cases/papers.toml` and the cases; a test compares it with them. The single comparisons are in the
`RESULTS.md` of the case, the corrections in [errata.md](errata.md).
";

/// The page, from the table and all cases.
pub fn papers_page(papers: &Papers, cases: &[Case]) -> Result<String, String> {
    let mut text = HEAD.to_owned();
    text.push_str("\n| verdict | meaning |\n|---|---|\n");
    for verdict in Verdict::ALL.into_iter().filter(|verdict| *verdict != Verdict::Fails) {
        let _ = writeln!(text, "| {verdict} | {} |", verdict.meaning());
    }
    text.push_str("| partly | some comparisons agree, some differ |\n");
    for paper in &papers.papers {
        text.push_str(&of_paper(paper, cases)?);
    }
    Ok(text)
}

fn of_paper(paper: &Paper, cases: &[Case]) -> Result<String, String> {
    let mut text = format!("\n## {} ({})\n\n{}.", paper.name, paper.tag, paper.citation);
    match &paper.doi {
        Some(doi) => {
            let _ = write!(text, " [doi:{doi}](https://doi.org/{doi})");
        }
        None => text.push_str(" No DOI."),
    }
    let plot = format!("images/{}.svg", paper.key);
    let _ = write!(text, "\n\n![{}: plot of {}]({plot})\n\n", paper.name, paper.plot.case);
    text.push_str("| section, figure, table | problem | case | verdict |\n|---|---|---|---|\n");
    for problem in &paper.problems {
        let case = cases.iter().find(|case| case.name == problem.case);
        let case = case.ok_or_else(|| format!("there is no case `{}`", problem.case))?;
        let verdict = overall(&problem.foreseen(case)?);
        let _ = writeln!(
            text,
            "| {} | {} | [{name}](../cases/{name}/RESULTS.md) | {verdict} |",
            problem.at,
            problem.what,
            name = problem.case
        );
    }
    text.push_str(
        "\n| equations | content | in a scene | page | implemented as |\n|---|---|---|---|---|\n",
    );
    for one in &paper.equations {
        let form = match (&one.errata, one.form) {
            (Some(errata), form) => format!("{} ({errata})", form.name()),
            (None, Form::Part) => "part: the paper does not define it".to_owned(),
            (None, form) => form.name().to_owned(),
        };
        let name = one.page.rsplit('/').next().unwrap_or(&one.page).trim_end_matches(".md");
        let used = if one.used_as == "always" {
            "always".to_owned()
        } else {
            format!("`{}`", one.used_as)
        };
        let _ = writeln!(
            text,
            "| {} | {} | {used} | [{name}]({}) | {form} |",
            one.at, one.what, one.page
        );
    }
    Ok(text)
}
