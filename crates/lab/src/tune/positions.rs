// SPDX-License-Identifier: GPL-3.0-or-later
//! Games of self-play to learn from: quiet positions, and the results of the games.

use std::convert::Infallible;

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{SeedableRng, rngs::ChaCha8Rng};

use super::sure::Sure;
use crate::run::gather::{GatherError, Gathered, Wanted, gather};
use crate::run::{Stop, Unit};
use crate::suite::distinct::first_four_fields;
use halfply_engine::base::data_file::DataFileError;
use halfply_engine::base::mix::derive;
use halfply_engine::game::{Notation, Side, after};
use halfply_engine::games::Furnished;
use halfply_engine::history::History;
use halfply_engine::search::Evaluator;
use halfply_engine::search::setup::Profile;
use halfply_engine::search::{Limits, Score, Setup, Thinker};

/// How games are played, and what is kept of them.
#[derive(Clone, Debug)]
pub struct PositionSettings {
    /// The seed of all games.
    pub seed: u64,
    /// Which search plays.
    pub profile: Profile,
    /// Nodes a move.
    pub nodes: u64,
    /// Random plies after the opening.
    pub plies: u32,
    /// The most, in units of the evaluation, by which a side may stand better after them.
    pub margin: Score,
    /// A game is won if the search reports this score for the same side in [`SURE`](super::sure::SURE) consecutive plies.
    pub decisive: Score,
    /// Positions to keep of a game.
    pub keep: usize,
}

/// The depth in plies to which exchanges are searched.
const EXCHANGES: u32 = 16;

/// A game of this many plies is a draw.
pub const LONGEST: usize = 300;

/// One game of a recipe.
#[derive(Clone, Copy, Debug)]
struct PositionGame<'a, G: Furnished> {
    recipe: &'a PositionSettings,
    openings: &'a [G::Position],
    evaluation: &'a Evaluator<G>,
    index: u64,
}

/// Plays `games` games, and returns the lines of each: quiet positions with the result, as the file has them. They depend on
/// the settings, the openings and the evaluation alone, and not on the number of `threads`.
///
/// # Errors
/// If too few openings are fair.
pub fn make<G: Furnished>(
    settings: &PositionSettings,
    openings: &[G::Position],
    evaluation: &Evaluator<G>,
    games: u32,
    threads: usize,
    observe: impl FnMut(Gathered),
) -> Result<Vec<String>, GatherError<Infallible>> {
    let wanted = Wanted {
        count: games,
        most: 100 * u64::from(games) + 1000,
        noun: "games",
        remedy: "fair openings are too rare; try fewer --plies or a greater --margin",
    };
    let game = |index| PositionGame::<G>::new(settings, openings, evaluation, index);
    let lines = |_, lines: Option<Vec<String>>| Ok(lines.map(|lines| lines.join("\n")));
    gather(threads, &wanted, game, lines, observe)
}

impl<'a, G: Furnished> PositionGame<'a, G> {
    /// The `index`-th game of a recipe.
    fn new(
        recipe: &'a PositionSettings,
        openings: &'a [G::Position],
        evaluation: &'a Evaluator<G>,
        index: u64,
    ) -> Self {
        Self { recipe, openings, evaluation, index }
    }

    /// An opening and random plies; none if they ended the game.
    fn opening(&self, random: &mut ChaCha8Rng) -> Option<History<G>> {
        let mut game = History::<G>::new(self.openings.choose(random)?.clone());
        for _ in 0..self.recipe.plies {
            let mv = *game.legal_moves().choose(random)?;
            game.play(mv);
        }
        game.outcome().is_none().then_some(game)
    }

    /// Plays the game to its end. Returns the winner, if there is one; none if the opening was not fair.
    fn play(&self, game: &mut History<G>, player: &mut dyn Thinker<G>) -> Option<Option<Side>> {
        let start = game.moves().len();
        let mut sure = Sure::default();
        while game.outcome().is_none() {
            if game.moves().len() >= LONGEST {
                return Some(None);
            }
            let report = player.search(game.root(), Limits::nodes(self.recipe.nodes), &mut ());
            if game.moves().len() == start && report.score.abs() > self.recipe.margin {
                return None;
            }
            let mover = G::to_move(game.position());
            if let Some(winner) = sure.winner(mover, report.score, self.recipe.decisive) {
                return Some(Some(winner));
            }
            let Some(mv) = report.best else { break };
            game.play(mv);
        }
        Some(game.winner())
    }

    /// Whether no exchange changes the value of the position.
    fn is_quiet(&self, position: &G::Position) -> bool {
        !G::in_check(position) && !self.gains(position, self.evaluation.judge(position) + 1, EXCHANGES)
    }

    /// Whether the side to move, which may stand pat, reaches a value by noisy moves: quiescence in a null window.
    fn gains(&self, position: &G::Position, goal: Score, plies: u32) -> bool {
        let in_check = G::in_check(position);
        if plies == 0 || !in_check {
            let stands = self.evaluation.judge(position) >= goal;
            if stands || plies == 0 {
                return stands;
            }
        }
        let moves = if in_check { G::generate(position) } else { G::noisy(position) };
        moves.iter().any(|&mv| !self.gains(&after::<G>(position, mv), 1 - goal, plies - 1))
    }
}

impl<G: Furnished> Unit for PositionGame<'_, G> {
    /// Positions, each with the result; none if the opening was not fair.
    type Output = Option<Vec<String>>;

    fn key(&self) -> String {
        format!("game {}", self.index)
    }

    fn run(&self, _: &Stop) -> Option<Option<Vec<String>>> {
        Some(self.positions())
    }
}

impl<G: Furnished> PositionGame<'_, G> {
    fn positions(&self) -> Option<Vec<String>> {
        let seed = derive(self.recipe.seed, self.index);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut game = self.opening(&mut random)?;
        let first = game.moves().len();
        let setup = Setup { profile: self.recipe.profile, seed, hash: 1, ..Setup::full() };
        let mut player = self.evaluation.engine(&setup).thinker();
        let result = written(self.play(&mut game, player.as_mut())?);
        // The last position is decided, or was not searched.
        let played = &game.positions()[first..game.positions().len() - 1];
        let quiet: Vec<_> = played.iter().filter(|position| self.is_quiet(position)).collect();
        let mut chosen: Vec<usize> = (0..quiet.len()).collect();
        chosen.shuffle(&mut random);
        chosen.truncate(self.recipe.keep);
        chosen.sort_unstable();
        let line = |index: usize| format!("{} {result}", first_four_fields(&G::format_position(quiet[index])));
        Some(chosen.into_iter().map(line).collect())
    }
}

const fn written(winner: Option<Side>) -> &'static str {
    match winner {
        Some(Side::White) => "1-0",
        Some(Side::Black) => "0-1",
        None => "1/2-1/2",
    }
}

/// Reads a file of positions with results: each, with the side to move's result, in the order of the file.
///
/// # Errors
/// If a line is no position and result, or there is none.
pub fn parse<G: Notation>(text: &str, name: &str) -> Result<Vec<(G::Position, f64)>, DataFileError> {
    const EXAMPLE: &str = "8/8/8/4k3/8/8/4P3/4K3 w - - 1-0";
    let mut positions = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let at = |reason: String| DataFileError::Line { name: name.to_owned(), line: index + 1, reason };
        let (fen, result) = line.rsplit_once(' ').unwrap_or((line, ""));
        let white = match result {
            "1-0" => 1.0,
            "0-1" => 0.0,
            "1/2-1/2" => 0.5,
            other => return Err(at(format!("{other:?} is no result; a line is like {EXAMPLE}"))),
        };
        let position = G::parse_position(fen).map_err(|error| at(error.to_string()))?;
        let result = if G::to_move(&position) == Side::White { white } else { 1.0 - white };
        positions.push((position, result));
    }
    if positions.is_empty() {
        return Err(DataFileError::Empty { name: name.to_owned(), example: EXAMPLE });
    }
    Ok(positions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::Chess;

    #[test]
    fn lines_are_read_from_the_mover_s_side() {
        let text = "# comment\n\n4k3/8/8/8/8/8/4P3/4K3 w - - 1-0\n4k3/8/8/8/8/8/4P3/4K3 b - - 1-0\n4k3/8/8/8/8/8/4P3/4K3 b - - 1/2-1/2\n";
        let results: Vec<f64> = parse::<Chess>(text, "x").unwrap().into_iter().map(|(_, result)| result).collect();
        assert_eq!(results, [1.0, 0.0, 0.5]);
        for (bad, reason) in
            [("4k3/8/8/8/8/8/4P3/4K3 w - - 2-0", "\"2-0\" is no result"), ("x 1-0", "x:1:"), ("", "no position")]
        {
            let error = parse::<Chess>(bad, "x").unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn quiet_is_where_no_exchange_gains() {
        let recipe = PositionSettings {
            seed: 1,
            profile: Profile::Plain,
            nodes: 100,
            plies: 2,
            margin: 300,
            decisive: 900,
            keep: 5,
        };
        let material = Chess::built_in("material").unwrap();
        let game = PositionGame::<Chess>::new(&recipe, &[], &material, 0);
        let quiet = |fen: &str| game.is_quiet(&Chess::parse_position(fen).unwrap());
        assert!(!quiet("4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 1"));
        assert!(quiet("4k3/4p3/3p4/8/8/8/3R4/4K3 w - - 0 1"));
        assert!(!quiet("4k3/8/3p4/8/8/8/3R4/4K3 w - - 0 1"));
        assert!(!quiet("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1"), "in check");
    }
}
