// SPDX-License-Identifier: GPL-3.0-or-later
//! What a run of Gradual Focus leaves behind: every feature as CSV, and the best one as an extension table.

use super::fitness::Evaluation;
use super::gradual_focus::{Judged, Outcome, Settings, Verdict};
use crate::features::{AtomSet, ExtensionTable, Vocabulary, file};
use crate::game::Game;
use crate::games::Furnished;
use crate::search::Depth;
use crate::suite::Suite;

/// How many further features the table's file offers behind the best one, commented out.
const RUNNERS_UP: usize = 9;

/// What became of a feature, in a few words.
#[must_use]
pub fn verdict(vocabulary: &Vocabulary, judged: &Judged, settings: &Settings) -> String {
    let epsilon = settings.epsilon;
    let (kept, pruned) = if settings.strictly_better {
        ("kept, above", "pruned, not above")
    } else {
        ("kept, at least", "pruned, below")
    };
    let against = |word: &str| {
        judged.parents.map_or_else(String::new, |parents| {
            let (first, second) = (vocabulary.format(parents.first), vocabulary.format(parents.second));
            format!("{first} {} + {second}: {word} {} + {epsilon}", parents.first_value, parents.first_value)
        })
    };
    match &judged.verdict {
        Verdict::Neutral => "the baseline, no extension".to_owned(),
        Verdict::Base => "an atom".to_owned(),
        Verdict::Tried => String::new(),
        Verdict::BelowThreshold { delta } => format!("dropped, below delta = {delta} (threshold pruning)"),
        Verdict::Kept => against(kept),
        Verdict::Pruned { banned } if banned.is_empty() => against(pruned),
        Verdict::Pruned { banned } => {
            let banned: Vec<_> = banned.iter().map(|&feature| vocabulary.format(feature)).collect();
            format!("{}; bans {}", against(pruned), banned.join(" and "))
        }
    }
}

/// Every feature evaluated, best first, with the positions it solves.
///
/// # Errors
/// Never in memory; the writer's interface has them.
pub fn features_csv<G: Furnished>(outcome: &Outcome, suite: &Suite<G>) -> Result<String, csv::Error> {
    let vocabulary = G::VOCABULARY;
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "feature",
        "atoms",
        "value",
        "unsearched",
        "first_parent",
        "first_parent_value",
        "second_parent",
        "p",
        "verdict",
        "mean_depth",
        "mean_height",
        "frequency",
        "nodes",
        "nodes_to_solution",
        "solved",
    ])?;
    for judged in outcome.ranking() {
        let verdict = match judged.verdict {
            Verdict::Neutral => "neutral",
            Verdict::Base => "base",
            Verdict::BelowThreshold { .. } => "below threshold",
            Verdict::Kept => "kept",
            Verdict::Tried => "tried",
            Verdict::Pruned { .. } => "pruned",
        };
        let summary = &judged.evaluation.summary;
        let parents = judged.parents.map(|parents| {
            [vocabulary.format(parents.first), parents.first_value.to_string(), vocabulary.format(parents.second)]
        });
        let [first, first_value, second] = parents.unwrap_or_default();
        let p = outcome.compared_with(judged).map(|(_, differences)| format!("{:.6}", differences.p_value()));
        let solved: Vec<&str> =
            judged.evaluation.solved.iter().map(|&index| suite.problems[index].id.as_str()).collect();
        writer.write_record([
            vocabulary.format(judged.feature),
            judged.feature.len().to_string(),
            judged.evaluation.value.to_string(),
            judged.evaluation.unsearched.to_string(),
            first,
            first_value,
            second,
            p.unwrap_or_default(),
            verdict.to_owned(),
            whole(&judged.evaluation, format!("{:.4}", summary.mean_depth)),
            whole(&judged.evaluation, format!("{:.4}", summary.mean_height)),
            whole(&judged.evaluation, format!("{:.6}", summary.frequency)),
            summary.nodes.to_string(),
            whole(&judged.evaluation, summary.nodes_to_solution.to_string()),
            solved.join(" "),
        ])?;
    }
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A figure of all positions; blank for a feature that was not tried on all.
fn whole(evaluation: &Evaluation, figure: String) -> String {
    if evaluation.is_bound() { String::new() } else { figure }
}

/// The features of the output that solve more than Neutral and may stand in a file, best first.
fn worthwhile<'a>(vocabulary: &Vocabulary, outcome: &'a Outcome) -> Vec<&'a Judged> {
    let neutral = outcome.judged.first().map_or(0, |neutral| neutral.evaluation.value);
    let is_worthwhile = |judged: &&Judged| {
        // A run without groups may put out a combination that says one thing twice (Rdt-RdTt); files refuse those.
        judged.evaluation.value > neutral && vocabulary.check_clash(judged.feature).is_ok()
    };
    outcome.output().into_iter().filter(is_worthwhile).collect()
}

/// The best feature as an extension table's text, the next ones behind it commented out. `origin` says what made it.
/// Where nothing solves more than Neutral, the table is empty.
#[must_use]
pub fn extensions_toml<G: Game>(outcome: &Outcome, ply: Depth, origin: &str) -> String {
    let vocabulary = G::VOCABULARY;
    let features = worthwhile(&vocabulary, outcome);
    let mut comments: Vec<String> = origin.lines().map(str::to_owned).collect();
    let best = match features.first() {
        Some(best) => {
            let neutral = outcome.judged.first().map_or(0, |neutral| neutral.evaluation.value);
            let value = best.evaluation.value;
            comments.push(format!(
                "the best feature: it solves {value} positions, the search without extensions {neutral}"
            ));
            best.feature
        }
        None => {
            comments.push("no feature solves more positions than the search without extensions".to_owned());
            AtomSet::EMPTY
        }
    };
    let mut text = file::render::<G>(&ExtensionTable::single(best, ply), &comments);
    let runners_up: Vec<String> = features
        .iter()
        .skip(1)
        .take(RUNNERS_UP)
        .map(|judged| {
            let name = vocabulary.format(judged.feature);
            format!(
                "\n# [[extension]]    # solves {}\n# feature = \"{name}\"\n# ply = {ply}\n",
                judged.evaluation.value
            )
        })
        .collect();
    if !runners_up.is_empty() {
        text += "\n# The next best, each on its own; rows that are not commented out are tried together.\n";
        text += &runners_up.concat();
    }
    text
}
