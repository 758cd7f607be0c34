// SPDX-License-Identifier: GPL-3.0-or-later
//! Features with their games and what a suite says of them, from a CSV file.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use halfply_engine::base::data_file;
use halfply_engine::base::figures::thousands;
use serde::Deserialize;

use crate::plot::Point;

/// A feature in games, and on a suite at the same nodes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measurement {
    /// The search, `plain` or `full`.
    pub search: String,
    /// Nodes a move, and a position.
    pub nodes: u64,
    /// The feature.
    pub feature: String,
    /// What a move with it costs, in plies.
    pub ply: f64,
    /// Games against the search without extensions.
    pub games: u64,
    /// Points a game, 0 to 1.
    pub score: f64,
    /// Half the width of the score's 95 % interval, by pairs of games.
    pub margin: f64,
    /// Moves extended among all moves searched in the games, 0 to 1.
    #[expect(dead_code, reason = "for readers of the file")]
    pub extended_in_games: f64,
    /// The games, a file in `tournament/results/`.
    #[cfg_attr(not(test), expect(dead_code, reason = "for readers of the file"))]
    pub journal: String,
    /// The suite, a file in `suites/`.
    pub suite: String,
    /// Positions of the suite.
    pub positions: u32,
    /// Positions solved without extensions.
    #[expect(dead_code, reason = "for readers of the file")]
    pub solved_without: u32,
    /// Positions solved with the feature only.
    pub gained: u32,
    /// Positions solved without extensions only.
    pub lost: u32,
    /// Moves extended among all moves searched on the suite, 0 to 1.
    pub frequency: f64,
    /// Mean plies of the last completed iteration without extensions.
    pub depth_without: f64,
    /// The same with the feature.
    pub depth: f64,
    /// Nodes until the right move was found and kept, without extensions; where it was not, the limit.
    pub kept_without: u64,
    /// The same with the feature.
    pub kept: u64,
}

impl Measurement {
    /// The feature as a point of the plot.
    pub fn point(&self, figure: f64) -> Point {
        let Self { feature, ply, games, score, margin, .. } = self;
        Point { name: format!("{feature}@{ply}"), games: *games, score: *score, margin: *margin, figure }
    }

    /// Positions gained less positions lost, as a share of the suite.
    pub fn gain(&self) -> f64 {
        (f64::from(self.gained) - f64::from(self.lost)) / f64::from(self.positions)
    }

    /// How much deeper the last completed iteration is than without extensions, in plies; negative as a rule.
    pub fn deeper(&self) -> f64 {
        self.depth - self.depth_without
    }

    /// The share of the nodes to solution that the feature saves.
    pub fn saved(&self) -> f64 {
        1.0 - self.kept as f64 / self.kept_without as f64
    }
}

/// Features measured in one search with one limit, on one suite.
pub struct Group<'a> {
    search: String,
    nodes: u64,
    /// The suite.
    pub suite: String,
    /// The features.
    pub measurements: Vec<&'a Measurement>,
}

impl Group<'_> {
    /// The search and its limit in words.
    pub fn search(&self) -> String {
        format!("{}, {} nodes", self.search, thousands(self.nodes))
    }

    /// One figure of all features.
    pub fn column(&self, figure: impl Fn(&Measurement) -> f64) -> Vec<f64> {
        self.measurements.iter().map(|measurement| figure(measurement)).collect()
    }

    /// Several figures of all features: the inputs of a fit.
    pub fn inputs<const N: usize>(&self, figures: impl Fn(&Measurement) -> [f64; N]) -> Vec<[f64; N]> {
        self.measurements.iter().map(|measurement| figures(measurement)).collect()
    }
}

/// Reads the file.
pub fn load(path: &Path) -> Result<Vec<Measurement>> {
    let text = data_file::read(path, "measurements of features")?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let measurements: Vec<Measurement> =
        reader.deserialize().collect::<Result<_, _>>().with_context(|| path.display().to_string())?;
    for (line, measurement) in (2..).zip(&measurements) {
        ensure!(
            measurement.positions > 0 && measurement.kept_without > 0,
            "{}:{line}: positions and kept_without must not be 0",
            path.display()
        );
    }
    Ok(measurements)
}

/// Sorts the measurements by search, limit and suite.
pub fn groups(measurements: &[Measurement]) -> Vec<Group<'_>> {
    let mut groups: BTreeMap<_, Vec<&Measurement>> = BTreeMap::new();
    for measurement in measurements {
        // The plain search first.
        let key = (measurement.search != "plain", &measurement.search, measurement.nodes, &measurement.suite);
        groups.entry(key).or_default().push(measurement);
    }
    let group = |((_, search, nodes, suite), measurements): ((bool, &String, u64, &String), _)| Group {
        search: search.clone(),
        nodes,
        suite: suite.clone(),
        measurements,
    };
    groups.into_iter().map(group).collect()
}

#[cfg(test)]
mod tests {
    use halfply_engine::features::{ExtensionTable, file};
    use halfply_engine::game::Game;
    use halfply_engine::games::Breakthrough;
    use halfply_engine::search::Depth;
    use halfply_lab::players::PlayerRecord;
    use halfply_lab::run::journal;
    use halfply_lab::tournament::entrant::EntrantRecord;
    use halfply_lab::tournament::record::GameRecord;
    use halfply_lab::tournament::scoreboard::Scoreboard;

    use super::*;

    /// The signatures of searches that read `PP` as what is `PPf` today.
    const FORMER_PP: [u64; 2] = [3_017_693, 2_329_556];

    /// The table of a player of a journal, in today's names; none of another program.
    fn table(player: &EntrantRecord, signature: u64) -> Option<ExtensionTable> {
        let PlayerRecord::Search(search) = &player.player else { return None };
        let rows = search.extensions.replace("none", "");
        let rows = if FORMER_PP.contains(&signature) { rows.replace("PP", "PPf") } else { rows };
        Some(file::parse_line(&rows, &Breakthrough::VOCABULARY).unwrap())
    }

    #[test]
    fn the_games_are_those_of_the_journals() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut checked = 0;
        for measurement in load(&root.join("research/good-features.csv")).unwrap() {
            // The oldest results have no journal.
            if !measurement.journal.ends_with(".jsonl.gz") {
                continue;
            }
            let path = root.join("tournament/results").join(&measurement.journal);
            let (header, games) = journal::load::<GameRecord>(&path, "tournament").unwrap();
            let players: Vec<EntrantRecord> = serde_json::from_value(header.config["players"].clone()).unwrap();
            let place = |wanted: &ExtensionTable| {
                players.iter().position(|player| table(player, header.signature).as_ref() == Some(wanted)).unwrap()
            };
            let feature = Breakthrough::VOCABULARY.parse(&measurement.feature).unwrap();
            let one = place(&ExtensionTable::single(feature, Depth::from_cost(measurement.ply).unwrap()));
            let none = place(&ExtensionTable::default());
            let mut board = Scoreboard::new(players.iter().map(|player| player.name.clone()));
            for (_, game) in &games {
                board.add(game);
            }
            let (_, pairs) = board.meeting(one, none).unwrap();
            assert_eq!(pairs.games(), measurement.games, "{measurement:?}");
            assert!((pairs.score() - measurement.score).abs() < 1e-4, "{measurement:?}");
            assert!((pairs.margin() - measurement.margin).abs() < 1e-4, "{measurement:?}");
            checked += 1;
        }
        assert!(checked > 0);
    }
}
