// SPDX-License-Identifier: GPL-3.0-or-later
//! The comparison of an experiment's runs as a page, with links to the pages of the runs.

use maud::{Markup, html};

use super::super::findings::Findings;
use super::plan::Plan;
use super::report::{Report, ReportPart};
use crate::report::band::{Band, Point};
use crate::report::html::{note, table};
use crate::report::page::{Part, page, repeated_by};
use halfply_engine::base::figures::thousands;
use halfply_engine::features::Vocabulary;

/// The most runs whose way is drawn.
const MOST_DRAWN: usize = 24;

/// The name of a run's page, by its number from 1.
pub fn page_name(number: usize) -> String {
    format!("run-{number}.html")
}

/// The page's HTML. `command` is the one that repeats the experiment. Runs have pages of their own when it `is_over`.
pub(super) fn render(report: &Report<'_>, command: &str, is_over: bool) -> String {
    let Report { plan, ref vocabulary, findings, .. } = *report;
    let runs = html! {
        (note(&report.conditions()))
        (links(plan, findings, vocabulary, is_over))
    };
    let mut parts =
        vec![Part::new("The runs", runs), Part::new("The best feature over the evaluations", ways(plan, findings))];
    parts.extend(report.parts().iter().map(part));
    parts.push(repeated_by(command));
    page(&plan.title, &headline(plan, findings, vocabulary), &parts)
}

/// What was found, in a sentence.
pub(super) fn headline(plan: &Plan, findings: &[Findings], vocabulary: &Vocabulary) -> String {
    let runs = match plan.runs.len() {
        1 => "1 run".to_owned(),
        count => format!("{count} runs"),
    };
    let best = |(run, findings): (_, &Findings)| {
        let best = findings.outcome.worthwhile(vocabulary).first().map(|&best| best.clone())?;
        Some((run, best, findings.positions.len()))
    };
    // Of equal ones the first.
    let best = plan.runs.iter().zip(findings).filter_map(best).rev().max_by_key(|(_, best, _)| best.worth.value);
    match best {
        Some((run, best, positions)) => format!(
            "{runs}: the best feature of all is {} of \"{}\", worth {} of {} positions.",
            best.name(vocabulary),
            run.name,
            best.worth.value,
            thousands(positions as u64)
        ),
        None => format!("{runs}: nothing is worth more than no extension."),
    }
}

/// Each run with what it found, and a link to its page if there is one.
fn links(plan: &Plan, findings: &[Findings], vocabulary: &Vocabulary, is_over: bool) -> Markup {
    let item = |(place, (run, findings)): (usize, (&super::PlannedRun, &Findings))| {
        let outcome = &findings.outcome;
        let best = outcome.worthwhile(vocabulary).first().map_or_else(
            || "nothing worth more than no extension".to_owned(),
            |best| format!("{}, worth {}", best.name(vocabulary), best.worth.value),
        );
        html! {
            li {
                @if is_over { a href=(page_name(place + 1)) { (run.name) } } @else { (run.name) }
                ": " (thousands(outcome.judged.len() as u64)) " features evaluated; " (best)
            }
        }
    };
    html! { ol { @for run in plan.runs.iter().zip(findings).enumerate() { (item(run)) } } }
}

/// For each run, the value of the best feature after each evaluation.
fn ways(plan: &Plan, findings: &[Findings]) -> Markup {
    let plot = |(run, findings): (&super::PlannedRun, &Findings)| {
        let judged = &findings.outcome.judged;
        let mut best = i64::MIN;
        let point = |(place, judged): (usize, &super::super::judged::Judged)| {
            if !judged.worth.is_bound {
                best = best.max(judged.worth.value);
            }
            Point::exact(place as f64 + 1.0, best as f64)
        };
        let points: Vec<Point> = judged.iter().enumerate().map(point).collect();
        let neutral = judged.first().map(|neutral| (neutral.worth.value as f64, "Neutral"));
        let levels: Vec<(f64, &str)> = neutral.into_iter().collect();
        Band { title: &run.name, unit: "features", levels: &levels }.figure(&points)
    };
    html! {
        div.plots { @for run in plan.runs.iter().zip(findings).take(MOST_DRAWN) { (plot(run)) } }
        (note(
            "The value of the best feature so far, in positions, after each feature evaluated. A run that needs fewer \
             evaluations for the same value is better."
        ))
    }
}

/// A part of the report.
fn part(part: &ReportPart) -> Part {
    let body = html! {
        @if let Some(text) = &part.before { (note(text)) }
        (table(&part.listing))
        @for text in &part.after { (note(text)) }
        @if !part.items.is_empty() { ul { @for item in &part.items { li { (item) } } } }
    };
    Part::new(part.title, body)
}

#[cfg(test)]
mod tests {
    use super::super::run::{PAGE, Ready};
    use super::*;
    use crate::run::Runner;
    use halfply_engine::games::Breakthrough;

    #[test]
    fn the_page_compares_the_runs_and_leads_to_them() {
        let plan = Plan::parse(
            "format = 1\ntitle = 'a < b'\ngame = 'breakthrough'\nnodes = 30\n[[run]]\nname = 'gradual focus'\n\
             recipe = { max_evaluations = 8 }\n[[run]]\nname = 'brute force'\n\
             recipe = { method = 'brute-force', max_atoms = 1, max_evaluations = 8 }",
            "example",
        )
        .unwrap();
        let bed = plan.bed::<Breakthrough>(plan.nodes).unwrap();
        let ready = Ready::new(&plan, &bed).unwrap();
        let found = ready.learn(&mut Runner::new(1), |_| ()).unwrap();
        let header = bed.header(ready.atoms());
        let files = ready.files(&found, &header, "halfply <x>");
        let page = &files.iter().find(|(name, _)| name == PAGE).unwrap().1;
        for expected in [
            "<title>a &lt; b</title>",
            "<a href=\"run-1.html\">gradual focus</a>: 8 features evaluated",
            "<a href=\"run-2.html\">brute force</a>: 8 features evaluated",
            "<h2>What each evaluated</h2>",
            "<h2>Precision and recall</h2>",
            "are relevant: no proper part",
            "halfply &lt;x&gt;",
        ] {
            assert!(page.contains(expected), "{expected}\n{page}");
        }
        assert_eq!(page.matches("<figure class=\"plot\">").count(), 2);
        assert!(files.iter().any(|(name, _)| name == "run-2.html"));
        assert_eq!(page.matches("<table").count(), page.matches("</table>").count());
        for tag in ["div", "section", "ol", "figure", "p"] {
            let opened = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }
}
