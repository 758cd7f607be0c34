// SPDX-License-Identifier: GPL-3.0-or-later
//! Makes problems: searches with different evaluations play each other, and positions with exactly one winning move are
//! kept (Skowronski 2009, section 4.1.1).

use serde::Serialize;
use thiserror::Error;

use super::distinct::{canonical, first_four_fields};
use crate::run::gather::{GatherError, Gathered, Line, Wanted, gather};
use crate::run::{Stop, Unit};
use halfply_engine::base::mix::derive;
use halfply_engine::features::ExtensionTable;
use halfply_engine::game::{Notation, Symmetry, Undecided};
use halfply_engine::history::History;
use halfply_engine::search::{Evaluator, Limits, Setup};
use halfply_engine::solve::prove::Prover;

/// Where problems come from: games, and what is looked for in them.
#[derive(Clone, Debug, Serialize)]
pub struct Source {
    /// The seed of all games.
    pub seed: u64,
    /// Nodes a move in the games.
    pub nodes: u64,
    /// The exact length of the win in plies: odd, because the winner moves first and last. In a game that is
    /// [counted at its end](halfply_engine::game::Game::COUNTS_AT_END), how far that end is if nobody passes.
    pub plies: u32,
    /// The most positions that the solver searches for one game.
    pub budget: u64,
}

/// Why a suite could not be made.
#[derive(Debug, Error)]
pub enum GenerateError {
    /// A win of this length cannot be asked for.
    #[error("{0} plies: the winner moves first and last, so the plies are an odd number")]
    EvenPlies(u32),
    /// There are too few problems.
    #[error(transparent)]
    Gather(#[from] GatherError),
}

/// Makes `count` problems, of which no two have the same position or its image, as lines of EPD. They depend on the source
/// and the evaluations of the players alone, and not on the number of `threads`.
///
/// ```
/// use halfply_engine::games::{Breakthrough, RegisteredGame};
/// use halfply_lab::suite::generate::{Source, run};
///
/// let source = Source { seed: 1, nodes: 100, plies: 5, budget: 10_000 };
/// let lines = run(&source, &[Breakthrough::hand_made()], 3, 1, |_| ())?;
/// assert!(lines.len() == 3 && lines.iter().all(|line| line.contains(" bm ")));
/// # Ok::<(), halfply_lab::suite::generate::GenerateError>(())
/// ```
///
/// # Errors
/// If the source asks for wins that the game does not have, or that are too rare.
///
/// # Panics
/// If there is no evaluation.
pub fn run<G: Notation + Symmetry>(
    source: &Source,
    evaluations: &[Evaluator<G>],
    count: u32,
    threads: usize,
    observe: impl FnMut(Gathered),
) -> Result<Vec<String>, GenerateError> {
    if !G::COUNTS_AT_END && source.plies.is_multiple_of(2) {
        return Err(GenerateError::EvenPlies(source.plies));
    }
    let wanted = Wanted {
        count,
        most: 1_000_000,
        noun: "problems",
        remedy: "wins of so many plies are too rare; try fewer --plies",
    };
    Ok(gather(threads, &wanted, |index| SourceGame::new(source, evaluations, index), observe)?)
}

/// A game is searched backwards from `plies` before its end, this many plies further: a win that was missed lies
/// further back.
const LOOK_BACK: usize = 12;

/// A game to be played, and then searched for a problem.
#[derive(Clone, Debug)]
pub struct SourceGame<'a, G: Notation> {
    source: &'a Source,
    /// Those of the players; at least one.
    evaluations: &'a [Evaluator<G>],
    /// Which game of the source.
    index: u64,
}

impl<'a, G: Notation> SourceGame<'a, G> {
    /// The `index`-th game of a source.
    pub fn new(source: &'a Source, evaluations: &'a [Evaluator<G>], index: u64) -> Self {
        Self { source, evaluations, index }
    }

    /// The evaluations of White and Black. Consecutive games go through all pairings.
    fn evaluations(&self) -> [&'a Evaluator<G>; 2] {
        let count = self.evaluations.len() as u64;
        [self.index % count, self.index / count % count].map(|index| &self.evaluations[index as usize])
    }

    /// The whole game.
    fn play(&self) -> History<G> {
        let seed = derive(self.source.seed, self.index);
        let setup = Setup::plain(ExtensionTable::default(), seed);
        let mut players = self.evaluations().map(|evaluation| evaluation.engine(&setup).thinker());
        let mut game = History::<G>::new(G::start());
        while game.outcome().is_none()
            && let Some(player) = players.get_mut(G::to_move(game.position()).index())
        {
            let report = player.search(game.root(), Limits::nodes(self.source.nodes), &mut ());
            let Some(mv) = report.best else { break };
            game.play(mv);
        }
        game
    }
}

impl<G: Notation + Symmetry> Unit for SourceGame<'_, G> {
    type Output = Option<Line>;

    fn key(&self) -> String {
        format!("game {}", self.index)
    }

    fn run(&self, _: &Stop) -> Option<Option<Line>> {
        Some(self.find())
    }
}

impl<G: Notation + Symmetry> SourceGame<'_, G> {
    /// The one move of a position that wins as the source asks for.
    fn only_win(&self, prover: &mut Prover<G>, position: &G::Position) -> Result<Option<G::Move>, Undecided> {
        let Source { plies, budget, .. } = *self.source;
        if G::COUNTS_AT_END { G::only_win(position, plies, budget) } else { prover.unique_win(position, plies) }
    }

    /// The position nearest the end of the game in which exactly one move wins within the plies and none wins faster.
    fn find(&self) -> Option<Line> {
        let game = self.play();
        let positions = game.positions();
        let length = positions.len() - 1;
        let last = length.checked_sub(self.source.plies as usize)?;
        let mut prover = Prover::<G>::new(self.source.budget);
        for ply in (last.saturating_sub(LOOK_BACK)..=last).rev() {
            let position = &positions[ply];
            match self.only_win(&mut prover, position) {
                Ok(Some(mv)) => {
                    let [white, black] = self.evaluations().map(Evaluator::name);
                    let board = first_four_fields(&G::format_position(position));
                    let (mv, plies, index) = (G::format_move(position, mv), self.source.plies, self.index);
                    // Four digits sort well in a suite of any useful size.
                    let text = format!(
                        "{board} bm {mv}; id \"{plies}ply.{index:04}\"; \
                         c0 \"game {index}, ply {ply} of {length}: {white} v {black}\";"
                    );
                    return Some(Line { identity: canonical::<G>(position), text });
                }
                Ok(None) => {}
                Err(_) => return None,
            }
        }
        None
    }
}
