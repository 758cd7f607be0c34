// SPDX-License-Identifier: GPL-3.0-or-later
//! The files of a run that discovers features: every feature as CSV, the best feature and the best disjunction as extension
//! tables.

use super::findings::Findings;
use super::growth::Growth;
use super::judged::{Judged, Verdict};
use super::methods::Acceptance;
use super::outcome::LearnOutcome;
use super::worth::Worth;
use crate::report::{Column, Listing, data};
use halfply_engine::base::Depth;
use halfply_engine::features::{ExtensionTable, Row, Vocabulary, file};

/// How many further features the table's file has as comments.
const RUNNERS_UP: usize = 9;

/// The verdict on a feature, in a few words.
pub fn verdict(vocabulary: &Vocabulary, judged: &Judged, acceptance: &Acceptance) -> String {
    let epsilon = acceptance.epsilon;
    let (kept, pruned) = if acceptance.strictly_better {
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
        Verdict::Pruned { banned, by_chance } => {
            let mut reason = against(if by_chance.is_some() { "pruned, though not below" } else { pruned });
            if let Some(p) = by_chance {
                reason += &format!("; by chance with p = {p:.3}");
            }
            if !banned.is_empty() {
                let banned: Vec<_> = banned.iter().map(|&feature| vocabulary.format(feature)).collect();
                reason += &format!("; bans {}", banned.join(" and "));
            }
            reason
        }
    }
}

/// Every feature evaluated, best first, with the positions it solves. `ply` stands in the row of Neutral, whose table has
/// no cost of its own: the first cost that features are tried with.
pub fn features_csv(findings: &Findings, vocabulary: &Vocabulary, ply: Depth) -> String {
    let Findings { outcome, positions, held_out, .. } = findings;
    let columns = [
        "feature",
        "atoms",
        "ply",
        "value",
        "unsearched",
        "first_parent",
        "first_parent_value",
        "second_parent",
        "is_bound",
        "p",
        "verdict",
        "mean_depth",
        "mean_height",
        "frequency",
        "nodes",
        "nodes_found_and_kept",
        "held_out",
        "solved",
    ];
    let mut listing = Listing::new(columns.map(Column::words));
    for judged in outcome.ranking() {
        let verdict = match judged.verdict {
            Verdict::Neutral => "neutral",
            Verdict::Base => "base",
            Verdict::BelowThreshold { .. } => "below threshold",
            Verdict::Kept => "kept",
            Verdict::Tried => "tried",
            Verdict::Pruned { .. } => "pruned",
        };
        let summary = &judged.worth.summary;
        let parents = judged.parents.map(|parents| {
            [vocabulary.format(parents.first), parents.first_value.to_string(), vocabulary.format(parents.second)]
        });
        let [first, first_value, second] = parents.unwrap_or_default();
        let p = outcome.compared_with(judged).map(|(_, comparison)| format!("{:.6}", comparison.p));
        let solved: Vec<&str> = judged.worth.solved.iter().map(|&place| positions[place].as_str()).collect();
        let held_out = held_out.as_ref().and_then(|held_out| held_out.of(&judged.table));
        listing.push([
            judged.name(vocabulary),
            judged.feature().len().to_string(),
            judged.row().map_or(ply, |row| row.cost).to_string(),
            judged.worth.value.to_string(),
            judged.worth.unsearched.to_string(),
            first,
            first_value,
            second,
            judged.worth.is_bound.to_string(),
            p.unwrap_or_default(),
            verdict.to_owned(),
            whole(&judged.worth, format!("{:.4}", summary.mean_depth)),
            whole(&judged.worth, format!("{:.4}", summary.mean_height)),
            whole(&judged.worth, format!("{:.6}", summary.frequency)),
            summary.nodes.to_string(),
            whole(&judged.worth, summary.nodes_found_and_kept.to_string()),
            held_out.map(|evaluation| evaluation.solved.len().to_string()).unwrap_or_default(),
            solved.join(" "),
        ]);
    }
    data::csv(&listing)
}

/// A figure of all positions; blank for a feature that was not tried on all.
fn whole(evaluation: &Worth, figure: String) -> String {
    if evaluation.is_bound { String::new() } else { figure }
}

/// The best feature as the text of an extension table, with the next ones as comments. `origin` says what made it. If
/// no feature solves more than Neutral, the table is empty.
pub fn extensions_toml(outcome: &LearnOutcome, vocabulary: &Vocabulary, origin: &str) -> String {
    let features = outcome.worthwhile(vocabulary);
    let mut comments: Vec<String> = origin.lines().map(str::to_owned).collect();
    let best = match features.first() {
        Some(best) => {
            let neutral = outcome.judged.first().map_or(0, |neutral| neutral.worth.solved.len());
            let solved = best.worth.solved.len();
            comments.push(format!(
                "the best feature: it solves {solved} positions, the search without extensions {neutral}"
            ));
            best.table.clone()
        }
        None => {
            comments.push("no feature solves more positions than the search without extensions".to_owned());
            ExtensionTable::default()
        }
    };
    let mut text = file::render(&best, &comments, vocabulary);
    let runners_up: Vec<String> = features
        .iter()
        .skip(1)
        .take(RUNNERS_UP)
        .filter_map(|judged| {
            let Row { feature, cost } = judged.row()?;
            let (name, solved) = (vocabulary.format(feature), judged.worth.solved.len());
            Some(format!("\n# [[extension]]    # solves {solved}\n# feature = \"{name}\"\n# ply = {cost}\n"))
        })
        .collect();
    if !runners_up.is_empty() {
        text += "\n# The next best, each on its own; rows that are not commented out are tried together.\n";
        text += &runners_up.concat();
    }
    text
}

/// A disjunction as an extension table's text. `origin` says what made it.
pub fn disjunction_toml(growth: &Growth, best: &Judged, vocabulary: &Vocabulary, origin: &str) -> String {
    let last = growth.last();
    let mut comments: Vec<String> = origin.lines().map(str::to_owned).collect();
    comments.push(format!(
        "rows that work together: they solve {} positions, the best feature alone {}",
        last.worth.solved.len(),
        best.worth.solved.len()
    ));
    file::render(&last.table, &comments, vocabulary)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::candidate::Candidate;
    use crate::learn::fitness::FitnessSettings;
    use crate::learn::growth::{Change, Step};
    use crate::learn::match_file;
    use crate::players::Player;
    use crate::tournament::definition::Definition;
    use crate::tournament::entrant::Entrant;
    use halfply_engine::features::{AtomSet, file};
    use halfply_engine::game::Game;
    use halfply_engine::games::Chess;
    use halfply_engine::search::{Parameters, Profile, Setup};

    fn table(text: &str) -> ExtensionTable {
        file::parse_line(text, &Chess::VOCABULARY).unwrap()
    }

    #[test]
    fn a_disjunction_and_its_match_can_be_read_back() {
        let rows = table("AcK@0.5 Rc-Rdb@0.25");
        let row = *table("AcK@0.5").rows().first().unwrap();
        let step = |table: &ExtensionTable, solved: &[usize]| Step {
            change: Change::Added(row),
            table: table.clone(),
            worth: Worth::made(solved.len() as i64, 9, solved),
            from_previous: None,
        };
        let worth = Worth::made(3, 9, &[1, 2, 3]);
        let alone = ExtensionTable::new(vec![row]);
        let best = Judged { table: alone, tables_tried: 1, worth, parents: None, verdict: Verdict::Base };
        let growth = Growth { steps: vec![step(&table("AcK@0.5"), &[1, 2]), step(&rows, &[1, 2, 3, 4])] };
        let text = disjunction_toml(&growth, &best, &Chess::VOCABULARY, "learned");
        assert_eq!(file::parse(&text, "d.toml", &Chess::VOCABULARY).unwrap(), rows, "{text}");
        assert!(text.contains("# rows that work together: they solve 4 positions, the best feature alone 3"), "{text}");

        let parameters = Parameters { null_move: false, ..Parameters::default() };
        let full = Setup { parameters, hash: 4, ..Setup::full() };
        for setup in [full, Setup::plain(ExtensionTable::default(), 1)] {
            let conditions = FitnessSettings::default().conditions(77, setup).unwrap();
            let given = Candidate::of_table(ExtensionTable::default(), &conditions.setup);
            let [alone, changed] = [&best.table, &growth.last().table].map(|table| Candidate {
                table: table.clone(),
                parameters: Parameters { killers: false, ..conditions.setup.parameters.clone() },
            });
            let players = [("none", None, &given), ("best", None, &alone), ("disjunction", None, &changed)];
            let text = match_file::of_candidates::<Chess>(&players, &conditions, "classical", "learned").unwrap();
            let definition = Definition::parse(&text, "m.toml").unwrap();
            definition.check().unwrap();
            let entrants = Entrant::<Chess>::all(&definition).unwrap();
            assert_eq!(entrants.len(), 3, "{text}");
            for (entrant, (_, _, candidate)) in entrants.iter().zip(players) {
                let Player::Search(searcher) = &entrant.player else { panic!("a search") };
                assert_eq!(searcher.setup.table, candidate.table);
                let expected = candidate.setup(&conditions.setup).parameters;
                assert!(conditions.setup.profile == Profile::Plain || searcher.setup.parameters == expected, "{text}");
            }
        }
    }

    #[test]
    fn what_found_nothing_is_an_empty_table() {
        let text = extensions_toml(&LearnOutcome::default(), &Chess::VOCABULARY, "learned");
        assert!(
            file::parse(&text, "e.toml", &Chess::VOCABULARY).unwrap().is_empty()
                && text.contains("no feature solves more")
        );
        assert_eq!(table("none").wanted(), AtomSet::EMPTY);
    }

    /// Neutral, whose table has no row, has the first cost that features are tried with.
    #[test]
    fn every_feature_is_in_the_csv_with_its_cost() {
        let judged = |text: &str, solved: &[usize], verdict| Judged {
            table: table(text),
            tables_tried: 2,
            worth: Worth::made(solved.len() as i64, 3, solved),
            parents: None,
            verdict,
        };
        let judged = vec![judged("none", &[1], Verdict::Neutral), judged("AcK@0.75", &[0, 2], Verdict::Base)];
        let positions = ["a", "b", "c"].map(str::to_owned).to_vec();
        let outcome = LearnOutcome { judged, ..LearnOutcome::default() };
        let findings = Findings { outcome, positions, held_out: None };
        let csv = features_csv(&findings, &Chess::VOCABULARY, Depth::hundredths(25));
        let lines: Vec<&str> = csv.lines().skip(1).collect();
        assert!(lines[0].starts_with("AcK,1,0.75,2,0,") && lines[0].ends_with(",,a c"), "{csv}");
        assert!(lines[1].starts_with("Neutral,0,0.25,1,0,") && lines[1].ends_with(",,b"), "{csv}");
    }
}
