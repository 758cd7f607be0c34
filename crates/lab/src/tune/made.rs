// SPDX-License-Identifier: GPL-3.0-or-later
//! What comes out of the units of a network: games, or a generation.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::recipe::Generation;
use crate::report::{Cell, Column, Listing};
use halfply_engine::base::figures::{percent, quantity};

/// What comes out of a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Made {
    /// Some games.
    Games(Played),
    /// A generation's network.
    Network(Box<Report>),
}

impl Made {
    /// The games, if it is that.
    pub fn games(self) -> Option<Played> {
        match self {
            Self::Games(played) => Some(played),
            Self::Network(_) => None,
        }
    }

    /// The report of a generation, if it is that.
    pub fn network(self) -> Option<Report> {
        match self {
            Self::Network(report) => Some(*report),
            Self::Games(_) => None,
        }
    }
}

/// What came of a batch. The records are in a file of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Played {
    /// The SHA-256 of the file of records, and its name without the ending.
    pub records: String,
    /// How many records there are.
    pub positions: u64,
    /// Games that White won, that were drawn, and that Black won.
    pub results: [u64; 3],
}

/// What came of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Its number, from 1.
    pub generation: usize,
    /// How it was made.
    pub settings: Generation,
    /// The identity of the evaluation that played.
    pub played_by: String,
    /// Games that White won, that were drawn, and that Black won.
    pub results: [u64; 3],
    /// Positions of those games.
    pub positions: u64,
    /// Different positions that it was trained on, with those of earlier generations.
    pub examples: u64,
    /// Different positions that are held out.
    pub held_out: u64,
    /// The score, in hundredths of a pawn, at which the odds of winning these games were e to 1.
    pub scale: f64,
    /// By epoch: the mean loss in training, and on the positions held out. The first is before training, on the
    /// positions held out only.
    pub losses: Vec<[f64; 2]>,
    /// The SHA-256 of the network's file, and its name without the ending.
    pub network: String,
    /// What came of the match against the evaluation that played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub match_result: Option<MatchResult>,
}

/// A match of a network against the evaluation before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchResult {
    /// Games won, drawn and lost.
    pub games: [u64; 3],
    /// The score, 0 to 1.
    pub score: f64,
    /// Half of its 95 % interval, by pairs.
    pub margin: f64,
}

impl Report {
    /// The loss on the positions held out at the end.
    fn loss(&self) -> f64 {
        self.losses.last().map_or(0.0, |&[_, held_out]| held_out)
    }

    /// Its figures, for watchers.
    pub(super) fn figures(&self) -> Vec<(String, f64)> {
        let mut figures = vec![("held-out loss".to_owned(), self.loss())];
        if let Some(result) = &self.match_result {
            figures.push(("score against the generation before, in percent".to_owned(), 100.0 * result.score));
        }
        figures
    }
}

/// What came of it, in a line.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (games, positions) = (quantity(self.results.iter().sum(), "game"), quantity(self.positions, "position"));
        write!(f, "generation {}: {games}, {positions}, held-out loss {:.4}", self.generation, self.loss())?;
        match &self.match_result {
            Some(result) => {
                write!(f, ", {} ± {} against the one before", percent(result.score), percent(result.margin))
            }
            None => Ok(()),
        }
    }
}

/// All generations as a table.
pub fn listing(reports: &[Report]) -> Listing {
    let columns = ["generation", "games", "nodes", "positions"].map(Column::figures);
    let inner = [Column::figures("examples").rank(2), Column::figures("scale").rank(3)];
    let last = ["held-out loss", "score", "±"].map(Column::figures);
    let mut listing = Listing::new(columns.into_iter().chain(inner).chain(last));
    for report in reports {
        let result = report.match_result.as_ref();
        listing.push([
            Cell::count(report.generation as u64),
            Cell::count(report.results.iter().sum()),
            Cell::count(report.settings.play.nodes),
            Cell::count(report.positions),
            Cell::count(report.examples),
            Cell::decimal(report.scale, 0),
            if report.held_out > 0 { Cell::decimal(report.loss(), 4) } else { Cell::blank() },
            result.map(|result| Cell::share(result.score)).into(),
            result.map(|result| Cell::share(result.margin)).into(),
        ]);
    }
    let note = "score: against the generation before, with the same nodes for both; 95 % interval by pairs";
    listing.notes.push(note.to_owned());
    listing
}
