// SPDX-License-Identifier: GPL-3.0-or-later
//! How well several kinds of fitness rank rows of extension tables by what they score in games by the clock.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use halfply_engine::base::data_file;
use halfply_lab::report::{Cell, Column, Listing};
use serde::Deserialize;

use crate::plot::{self, Figure, Point};
use crate::statistics::RankCorrelation;

/// A row in games, and what each fitness says of it. Shares, 0 to 1, are differences to no table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The feature.
    pub feature: String,
    /// What a move with it costs, in plies.
    pub ply: f64,
    /// Games by the clock against no table.
    pub games: u64,
    /// Points a game, 0 to 1.
    pub score: f64,
    /// Half the width of the score's 95 % interval, by pairs of games.
    pub margin: f64,
    /// Positions of `suites/breakthrough-7ply.epd` solved at 1,000 nodes.
    pub solved_7ply: f64,
    /// Positions of `suites/breakthrough-mixed.epd` solved at 5,000 nodes.
    pub solved_mixed: f64,
    /// The share of the nodes to solution (found and kept) saved on `suites/breakthrough-mixed.epd`.
    pub nodes_saved: f64,
    /// The mean probability of winning that is given away in 1,500 judged positions at 5,000 nodes, at most 0.2.
    pub regret: f64,
    /// Points a game at 1,000 nodes a move (200 games), less a half.
    pub games_1000: f64,
    /// Points a game at 5,000 nodes a move (100 games), less a half.
    pub games_5000: f64,
}

/// A fitness: its name, and its value, of which more is better.
type Fitness = (&'static str, fn(&Row) -> f64);

/// All that is compared.
const FITNESS: [Fitness; 6] = [
    ("solved, 7-ply suite", |row| row.solved_7ply),
    ("solved, mixed suite", |row| row.solved_mixed),
    ("nodes saved, mixed suite", |row| row.nodes_saved),
    ("regret, with its sign turned", |row| -row.regret),
    ("games at 1,000 nodes", |row| row.games_1000),
    ("games at 5,000 nodes", |row| row.games_5000),
];

/// Reads the file.
pub fn load(path: &Path) -> Result<Vec<Row>> {
    let text = data_file::read(path, "fitness of rows")?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<Row> = reader.deserialize().collect::<Result<_, _>>().with_context(|| path.display().to_string())?;
    ensure!(rows.len() > 3, "{}: a rank correlation needs more than three rows", path.display());
    Ok(rows)
}

/// The rank correlation of each fitness with the score.
pub fn correlations(rows: &[Row]) -> Listing {
    let mut listing =
        Listing::new([Column::words("fitness"), Column::figures("rank correlation"), Column::words("95 % interval")]);
    let scores: Vec<f64> = rows.iter().map(|row| row.score).collect();
    for (name, value) in FITNESS {
        let values: Vec<f64> = rows.iter().map(value).collect();
        let RankCorrelation { rho, interval } = RankCorrelation::of(&values, &scores);
        let interval = interval.map(|[low, high]| format!("{low:+.2} to {high:+.2}")).unwrap_or_default();
        listing.push([Cell::text(name), Cell::text(format!("{rho:+.2}")), Cell::text(interval)]);
    }
    listing
}

/// The score over each fitness, two panels a column.
pub fn plotted(rows: &[Row]) -> String {
    let figure = |&(name, value): &Fitness| {
        let point = |row: &Row| {
            let Row { feature, ply, games, score, margin, .. } = row;
            let name = format!("{feature}@{ply}");
            Point { name, games: *games, score: *score, margin: *margin, figure: value(row) }
        };
        Figure { name: name.to_owned(), points: rows.iter().map(point).collect() }
    };
    let column = |(title, pair): (&str, &[Fitness])| plot::Column {
        title: title.to_owned(),
        figures: pair.iter().map(figure).collect(),
    };
    let titles = ["Positions solved", "Nodes saved, and regret", "Shorter games"];
    plot::render(&titles.into_iter().zip(FITNESS.chunks(2)).map(column).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_lab::report::terminal;

    /// The table in research/fitness.md and the plot are this program's output.
    #[test]
    fn what_the_docs_show_is_of_the_data_in_the_docs() {
        let research = Path::new(env!("CARGO_MANIFEST_DIR")).join("research");
        let rows = load(&research.join("fitness.csv")).unwrap();
        assert_eq!(plotted(&rows), data_file::read(&research.join("fitness.svg"), "a plot").unwrap());
        let text = data_file::read(&research.join("fitness.md"), "a document").unwrap();
        let table = terminal::markdown(&correlations(&rows));
        assert!(text.contains(table.trim()), "research/fitness.md lacks this table:\n{table}");
    }
}
