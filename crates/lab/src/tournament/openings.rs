// SPDX-License-Identifier: GPL-3.0-or-later
//! Openings: books of them, their order in a tournament, and making them by random plies.

use std::collections::HashSet;
use std::path::Path;

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{SeedableRng, rngs::ChaCha8Rng};

use crate::run::gather::{GatherError, Gathered, Line, Wanted, gather};
use crate::run::{Stop, Unit};
use crate::suite::distinct::{canonical, first_four_fields};
use crate::suite::epd::records;
use halfply_engine::base::bundled::Bundled;
use halfply_engine::base::data_file::{self, DataFileError};
use halfply_engine::base::digest::digest;
use halfply_engine::base::mix::derive;
use halfply_engine::features::ExtensionTable;
use halfply_engine::game::Notation;
use halfply_engine::games::RegisteredGame;
use halfply_engine::history::History;
use halfply_engine::search::Evaluator;
use halfply_engine::search::{Limits, Score, Setup};

/// An opening.
#[derive(Clone, Debug)]
pub struct Opening<G: Notation> {
    /// The first position.
    pub start: G::Position,
    /// The moves that are played before the players take over.
    pub moves: Vec<G::Move>,
}

impl<G: Notation> Opening<G> {
    /// The game when the players take over.
    pub fn history(&self) -> History<G> {
        let mut game = History::new(self.start.clone());
        for &mv in &self.moves {
            game.play(mv);
        }
        game
    }

    /// Reads a line of moves from the start of the game.
    fn from_moves(text: &str) -> Result<Self, String> {
        let mut game = History::<G>::new(G::start());
        for word in text.split_whitespace() {
            let mv = G::parse_move(game.position(), word).map_err(|error| error.to_string())?;
            game.play(mv);
        }
        Ok(Self { start: G::start(), moves: game.moves().to_vec() })
    }

    /// A text that identifies the opening.
    fn text(&self) -> String {
        let moves = self.history().move_texts();
        [vec![G::format_position(&self.start)], moves].concat().join(" ")
    }
}

/// A list of openings.
#[derive(Clone, Debug)]
pub struct Book<G: Notation> {
    /// Its name in reports: the file.
    pub name: String,
    /// The openings in the order of the file.
    pub openings: Vec<Opening<G>>,
    /// SHA-256 of the openings.
    pub digest: String,
    /// Openings of the file that were left out because they lead to the same position as another.
    pub repeated: usize,
}

impl<G: Notation> Book<G> {
    /// Reads a book from a file: EPD lines, whose operations are ignored, or lines of moves from the start of the game.
    ///
    /// # Errors
    /// If the file cannot be read or has no opening, or if a line is not an opening or ends the game.
    pub fn load(path: &Path) -> Result<Self, DataFileError> {
        Self::parse(&data_file::read(path, "a file of openings, EPD or lines of moves")?, &path.display().to_string())
    }

    /// Reads a bundled book.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn bundled(bundled: &Bundled) -> Result<Self, DataFileError> {
        Self::parse(bundled.text, bundled.name)
    }

    /// Reads a book from text. Errors and reports call it `name`.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn parse(text: &str, name: &str) -> Result<Self, DataFileError> {
        let at = |line, reason| DataFileError::Line { name: name.to_owned(), line, reason };
        let (mut openings, mut seen, mut repeated) = (Vec::new(), HashSet::new(), 0);
        for (index, text) in text.lines().enumerate() {
            let line = index + 1;
            let opening = if is_moves(text) {
                Opening::<G>::from_moves(text).map_err(|reason| at(line, reason))?
            } else {
                let Some(record) = records(text).next() else { continue };
                let record = record.map_err(|(_, reason)| at(line, reason))?;
                let start = G::parse_position(&record.position).map_err(|error| at(line, error.to_string()))?;
                Opening { start, moves: Vec::new() }
            };
            let history = opening.history();
            if history.outcome().is_some() {
                return Err(at(line, "the game is over after this opening".to_owned()));
            }
            // A repeated opening would be played again before all others have been used.
            if seen.insert(first_four_fields(&G::format_position(history.position()))) {
                openings.push(opening);
            } else {
                repeated += 1;
            }
        }
        if openings.is_empty() {
            return Err(DataFileError::Empty { name: name.to_owned(), example: "the first four fields of a FEN" });
        }
        let texts: Vec<String> = openings.iter().map(Opening::text).collect();
        Ok(Self { name: name.to_owned(), openings, digest: digest(texts.join("\n")), repeated })
    }

    /// Whether any opening is of Chess960.
    pub fn is_chess960(&self) -> bool {
        self.openings.iter().any(|opening| G::is_chess960(&opening.start))
    }

    /// The same openings, all as positions of Chess960: a tournament is of Chess960 as a whole.
    pub fn as_chess960(mut self) -> Self {
        for opening in &mut self.openings {
            // The moves stay the same; only the notation of castling differs.
            opening.start = G::as_chess960(opening.start.clone());
        }
        self
    }

    /// The positions at which the players take over, in the order of the file.
    pub fn positions(&self) -> Vec<G::Position> {
        self.openings.iter().map(|opening| opening.history().position().clone()).collect()
    }

    /// The order in which a tournament with this seed uses the openings, each once.
    pub fn order(&self, seed: u64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.openings.len()).collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        order
    }
}

/// Whether a line holds moves. A position has slashes between its rows.
fn is_moves(line: &str) -> bool {
    let first = line.split_whitespace().next();
    first.is_some_and(|word| !word.contains('/') && !word.starts_with('#'))
}

/// How openings are made.
#[derive(Clone, Debug)]
pub struct OpeningsRecipe {
    /// The seed of all openings.
    pub seed: u64,
    /// Random plies from the start of the game.
    pub plies: u32,
    /// Nodes of the search that judges the position.
    pub nodes: u64,
    /// The largest advantage of either side, in units of the evaluation.
    pub margin: Score,
}

/// Makes `count` openings, of which no two have the same position or its image, as lines of a book: positions with their
/// scores. They depend on the recipe and the evaluation alone, and not on the number of `threads`.
///
/// # Errors
/// If the recipe gives too few balanced positions.
pub fn make<G: RegisteredGame>(
    recipe: &OpeningsRecipe,
    evaluation: &Evaluator<G>,
    count: u32,
    threads: usize,
    observe: impl FnMut(Gathered),
) -> Result<Vec<String>, GatherError> {
    let wanted = Wanted {
        count,
        most: 1000 * u64::from(count.max(1000)),
        noun: "openings",
        remedy: "too few are balanced; try a greater --margin or more --plies",
    };
    gather(threads, &wanted, |index| Attempt::new(recipe, evaluation, index), observe)
}

/// One attempt at an opening.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a, G: RegisteredGame> {
    recipe: &'a OpeningsRecipe,
    evaluation: &'a Evaluator<G>,
    index: u64,
}

impl<'a, G: RegisteredGame> Attempt<'a, G> {
    /// Attempt number `index` of a recipe, judged by a search with this evaluation.
    pub fn new(recipe: &'a OpeningsRecipe, evaluation: &'a Evaluator<G>, index: u64) -> Self {
        Self { recipe, evaluation, index }
    }
}

impl<G: RegisteredGame> Unit for Attempt<'_, G> {
    /// None if the position is not balanced.
    type Output = Option<Line>;

    fn key(&self) -> String {
        format!("attempt {}", self.index)
    }

    fn run(&self, _: &Stop) -> Option<Option<Line>> {
        Some(self.judge())
    }
}

impl<G: RegisteredGame> Attempt<'_, G> {
    /// A position after random plies with its score for the side to move.
    fn judge(&self) -> Option<Line> {
        let seed = derive(self.recipe.seed, self.index);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut game = History::<G>::new(G::start());
        for _ in 0..self.recipe.plies {
            let mv = *game.legal_moves().choose(&mut random)?;
            game.play(mv);
        }
        if game.outcome().is_some() {
            return None;
        }
        let engine = self.evaluation.engine(&Setup::plain(ExtensionTable::default(), seed));
        let report = engine.thinker().search(game.root(), Limits::nodes(self.recipe.nodes), &mut ());
        let balanced = report.score.abs() <= self.recipe.margin;
        let position = game.position();
        let board = first_four_fields(&G::format_position(position));
        let line = || Line { identity: canonical::<G>(position), text: format!("{board} ce {};", report.score) };
        balanced.then(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::Chess;

    #[test]
    fn openings_that_lead_to_the_same_position_count_once() {
        let lines = ["e2e4 e7e6", "e2e4 e7e6", "e2e3 e7e6 e3e4", "d2d4 e7e6 e2e4", "e2e4 e7e6 d2d4"];
        let book = Book::<Chess>::parse(&lines.join("\n"), "t").unwrap();
        // In the third, Black is to move. The last transposes to the fourth.
        assert_eq!((book.openings.len(), book.repeated), (3, 2));
        assert_eq!(book.openings.iter().map(|opening| opening.moves.len()).collect::<Vec<_>>(), [2, 3, 3]);
        let book = Book::<Chess>::bundled(Chess::OPENINGS).unwrap();
        assert_eq!(book.repeated, 0);
    }
}
