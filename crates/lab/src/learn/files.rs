// SPDX-License-Identifier: GPL-3.0-or-later
//! The result files of runs, by their names.

use serde::Serialize;

use super::candidate::Candidate;
use super::findings::Findings;
use super::knowledge::Knowledge;
use super::match_file;
use super::page::{Diagrams, Link, Page};
use super::report;
use super::run::Ready;
use super::searches::{SearchConfig, TestBed};
use crate::run::Header;
use halfply_engine::base::Depth;
use halfply_engine::features::ExtensionTable;
use halfply_engine::games::RegisteredGame;

/// Every feature.
pub const FEATURES: &str = "features.csv";
/// The best feature, as an extension table.
pub const EXTENSIONS: &str = "extensions.toml";
/// A page for people.
pub const PAGE: &str = "report.html";
/// The best features in words.
pub const WORDS: &str = "knowledge.md";
/// The same for programs.
pub const KNOWLEDGE: &str = "knowledge.json";
/// The best disjunction, as an extension table.
pub const DISJUNCTION: &str = "disjunction.toml";
/// A tournament that tests it.
pub const MATCH: &str = "match.toml";

/// Every candidate of a run that tunes settings.
pub const ROUNDS: &str = "rounds.csv";
/// The parameters of its best one.
pub const PARAMETERS: &str = "parameters.toml";

/// The table that it was given, if that defines atoms.
pub const GIVEN: &str = "given.toml";

/// All names.
pub const ALL: [&str; 10] =
    [FEATURES, EXTENSIONS, PAGE, WORDS, KNOWLEDGE, DISJUNCTION, MATCH, ROUNDS, PARAMETERS, GIVEN];

/// What made the files, as they say themselves.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The options that chose the search; each follows a space.
    pub options: &'a str,
    /// The command that repeats the run.
    pub command: &'a str,
    /// The header of its journal.
    pub header: &'a Header,
}

impl Origin<'_> {
    /// What made a file, in a line.
    pub fn made_by<G: RegisteredGame>(&self, method: &str, bed: &TestBed<G>) -> String {
        let (suite, seed, nodes) = (&bed.suite.name, bed.searcher.setup.seed, bed.nodes);
        let Self { options, header, .. } = self;
        format!(
            "learned by {method} from {suite}, seed {seed}, {nodes} nodes a position{options}; halfply {}",
            header.version
        )
    }
}

/// The page of a run that found this, at its end or so far, with links to other files.
pub fn page<G: RegisteredGame>(
    ready: &Ready<'_, G>,
    findings: &Findings,
    origin: Origin<'_>,
    links: &[Link],
) -> String {
    let title = format!("{}: {} on {}", G::NAME, ready.recipe.method.name(), ready.bed.suite.name);
    titled(&title, ready, findings, origin, links)
}

/// The same with another title.
pub(super) fn titled<G: RegisteredGame>(
    title: &str,
    ready: &Ready<'_, G>,
    findings: &Findings,
    origin: Origin<'_>,
    links: &[Link],
) -> String {
    let (bed, method) = (ready.bed, &ready.recipe.method);
    let page = Page {
        title,
        settings: &settings(&bed.config(), ready.recipe, origin.header.signature),
        command: origin.command,
        vocabulary: &bed.vocabulary(),
        acceptance: &method.conjunctions().acceptance,
        findings,
        diagrams: &Diagrams::of_findings(&ready.learned_from, findings, &bed.searcher.setup.table),
        links,
    };
    page.render()
}

/// The files of a run that found this, with their names. There are disjunction and tournament only if a disjunction is
/// worth more than every feature.
///
/// # Errors
/// Never: everything in them can be written.
pub fn files<G: RegisteredGame>(
    ready: &Ready<'_, G>,
    findings: &Findings,
    origin: Origin<'_>,
) -> Result<Vec<(&'static str, String)>, toml::ser::Error> {
    let (bed, vocabulary) = (ready.bed, ready.bed.vocabulary());
    let conjunctions = ready.recipe.method.conjunctions();
    let made_by = origin.made_by(ready.recipe.method.name(), bed);
    let mut links = vec![
        Link::new(WORDS, "the best features in words"),
        Link::new(KNOWLEDGE, "the same for programs (JSON)"),
        Link::new(FEATURES, "all figures (CSV)"),
        Link::new(EXTENSIONS, "the best feature as a table (TOML)"),
    ];
    if findings.outcome.best_disjunction().is_some() {
        links.push(Link::new(DISJUNCTION, "the rows as a table (TOML)"));
        links.push(Link::new(MATCH, "a tournament to test it (TOML)"));
    }
    let ply = conjunctions.plies.first().and_then(|&ply| Depth::from_cost(ply).ok()).unwrap_or(Depth::PLY);
    let knowledge = Knowledge::of_findings(findings, G::NAME, &vocabulary, &made_by);
    let mut files = vec![
        (FEATURES, report::features_csv(findings, &vocabulary, ply)),
        (EXTENSIONS, report::extensions_toml(&findings.outcome, &vocabulary, &made_by)),
        (PAGE, page(ready, findings, origin, &links)),
        (WORDS, knowledge.page()),
        (KNOWLEDGE, knowledge.json()),
    ];
    if let Some((growth, best)) = findings.outcome.best_disjunction() {
        let evaluation = bed.searcher.evaluation.name();
        files.push((DISJUNCTION, report::disjunction_toml(growth, best, &vocabulary, &made_by)));
        let candidate = |table: &ExtensionTable| Candidate::of_table(table.clone(), &bed.searcher.setup);
        let [none, alone, together] = [&ExtensionTable::default(), &best.table, &growth.last().table].map(candidate);
        let players =
            [("none", None, &none), ("best", Some(EXTENSIONS), &alone), ("disjunction", Some(DISJUNCTION), &together)];
        files.push((MATCH, match_file::of_candidates::<G>(&players, &ready.conditions, evaluation, &made_by)?));
    }
    Ok(files)
}

/// Everything that a run was set, by name, for a page.
pub fn settings(searches: &SearchConfig<'_>, recipe: &impl Serialize, signature: u64) -> Vec<(String, String)> {
    let mut shown = Vec::new();
    for value in [serde_json::to_value(searches), serde_json::to_value(recipe)] {
        // Plain data with string keys can always be written.
        for (name, value) in value.unwrap_or_default().as_object().into_iter().flatten() {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            shown.push((name.replace('_', " "), text));
        }
    }
    shown.push(("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()));
    shown.push(("behaviour signature".to_owned(), signature.to_string()));
    shown
}
