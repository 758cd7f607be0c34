// SPDX-License-Identifier: GPL-3.0-or-later
//! What follows for each move, for each side, and for the game.
//!
//! A move is judged by the values of the positions before and after it, both searched alike. What it lost is the difference of
//! the scores to be expected; the move that the search would have played has lost nothing.

use serde::Serialize;

use super::played::Played;
use super::units::{Searched, Solved};
use super::value::Value;
use halfply_engine::evaluation::network::Inputs;
use halfply_engine::game::{Game, Notation, Side, legal_moves};
use halfply_engine::search::Score;

/// From so much of the score to be expected a move is an inaccuracy, a mistake, a blunder: what chess.com has for its expected
/// points.
const CLASSES: [(f64, Class); 3] = [(0.2, Class::Blunder), (0.1, Class::Mistake), (0.05, Class::Inaccuracy)];

/// A game is open for a side that can expect so much.
const OPEN: f64 = 0.4;

/// A game is decided for a side that can expect so much.
const DECIDED: f64 = 0.75;

/// How bad a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// It lost nothing to speak of.
    Good,
    /// It lost 5 % or more.
    Inaccuracy,
    /// It lost 10 % or more.
    Mistake,
    /// It lost 20 % or more.
    Blunder,
}

impl Class {
    /// Those that are counted, the worst first.
    pub const MISTAKES: [Self; 3] = [Self::Blunder, Self::Mistake, Self::Inaccuracy];

    /// That of a move that has lost so much, 0 to 1.
    pub fn of(loss: f64) -> Self {
        CLASSES.iter().find(|(least, _)| loss >= *least).map_or(Self::Good, |&(_, class)| class)
    }

    /// In a word, as the sign behind the move, and as the number of that sign in PGN (Edwards 1994, section 10).
    const fn names(self) -> (&'static str, &'static str, Option<u8>) {
        match self {
            Self::Good => ("", "", None),
            Self::Inaccuracy => ("inaccuracy", "?!", Some(6)),
            Self::Mistake => ("mistake", "?", Some(2)),
            Self::Blunder => ("blunder", "??", Some(4)),
        }
    }

    /// In a word; empty for a good move.
    pub const fn name(self) -> &'static str {
        self.names().0
    }

    /// The sign behind the move; empty for a good one.
    pub const fn sign(self) -> &'static str {
        self.names().1
    }

    /// The same in PGN; none for a good move.
    pub const fn nag(self) -> Option<u8> {
        self.names().2
    }
}

/// What is known of a position.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// By a search; none where the game is over.
    pub searched: Option<Searched>,
    /// By a solver.
    pub solved: Option<Solved>,
}

impl Known {
    /// The best line: the solver's, or else the search's.
    fn line(&self) -> &str {
        let solved = self.solved.as_ref().map(|solved| solved.line.as_str()).filter(|line| !line.is_empty());
        solved.or(self.searched.as_ref().map(|searched| searched.line.as_str())).unwrap_or_default()
    }

    fn value(&self, unit: Score, side: Side) -> Option<Value> {
        let solved = self.solved.as_ref().map(|solved| Value::solved(solved, side));
        solved.or_else(|| self.searched.as_ref().map(|searched| Value::searched(searched.score, unit, side)))
    }
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged<M> {
    /// How many moves were played before it.
    pub ply: usize,
    /// Who played it.
    pub side: Side,
    /// As in game records.
    pub text: String,
    /// The score that the side could expect before it, 0 to 1.
    pub before: f64,
    /// The same after it.
    pub after: f64,
    /// What it lost, 0 to 1.
    pub loss: f64,
    /// How bad that is.
    pub class: Class,
    /// Whether there was another move.
    pub had_choice: bool,
    /// What would have been played, best first; empty if that is this move.
    pub better: Vec<M>,
    /// What the solver would have got besides, in points; none where it does not reach.
    pub points_lost: Option<i32>,
}

/// One side of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Account {
    /// Its moves for which there was another one.
    pub moves: usize,
    /// The mean of its moves' accuracies, 0 to 100; none without moves.
    pub accuracy: Option<f64>,
    /// What a move has lost on average, 0 to 1; none without moves.
    pub mean_loss: Option<f64>,
    /// Its blunders, mistakes and inaccuracies.
    pub mistakes: [usize; 3],
}

/// A game with what is known of it.
#[derive(Clone, Debug)]
pub struct Reviewed<'a, G: Notation> {
    /// The game.
    pub played: &'a Played<G>,
    /// What each position is worth, the first one first: one more than there are moves.
    pub values: Vec<Value>,
    /// Its moves.
    pub moves: Vec<Judged<G::Move>>,
    /// The first and the second player.
    pub accounts: [Account; 2],
    /// The move after which the game was decided, by its place; none if it was not, or no single move did it.
    pub turning: Option<usize>,
}

/// The accuracy of a move that has lost so much, 0 to 100: the formula of Lichess ("Lichess Accuracy metric"), which was fitted
/// so that games of strong players come near 100.
pub fn accuracy(loss: f64) -> f64 {
    (103.1668 * libm::exp(-4.354 * loss) - 3.1669).clamp(0.0, 100.0)
}

impl<'a, G: Inputs + Notation> Reviewed<'a, G> {
    /// Judges a game. Of each position something is known unless the game is over there; `unit` is what a pawn is worth in
    /// the search's evaluation. None if too little is known.
    pub fn new(played: &'a Played<G>, known: &[Known], unit: Score) -> Option<Self> {
        let positions = played.history.positions();
        let value = |(known, position): (&Known, &G::Position)| known.value(unit, G::to_move(position));
        let mut values: Vec<Value> = known.iter().zip(positions).map_while(value).collect();
        if values.len() + 1 == positions.len() {
            values.extend(Value::over::<G>(&played.history));
        }
        if values.len() != positions.len() {
            return None;
        }
        let moves: Vec<_> = (0..played.plies()).map(|ply| judged(played, &known[ply], &values, ply)).collect();
        let accounts = Side::BOTH.map(|side| account(&moves, side));
        let turning = turning(&moves, values[moves.len()].expected::<G>());
        Some(Self { played, values, moves, accounts, turning })
    }

    /// The score that the first player can expect in each position.
    pub fn expected(&self) -> impl Iterator<Item = f64> {
        self.values.iter().map(|value| value.expected::<G>())
    }

    /// The moves that were inaccuracies or worse.
    pub fn mistakes(&self) -> impl Iterator<Item = &Judged<G::Move>> {
        self.moves.iter().filter(|judged| judged.class != Class::Good)
    }
}

fn judged<G: Inputs + Notation>(played: &Played<G>, known: &Known, values: &[Value], ply: usize) -> Judged<G::Move> {
    let position = &played.history.positions()[ply];
    let (mv, side) = (played.history.moves()[ply], G::to_move(position));
    let seen = |value: Value| {
        let expected = value.expected::<G>();
        if side == Side::White { expected } else { 1.0 - expected }
    };
    let (before, after) = (seen(values[ply]), seen(values[ply + 1]));
    let had_choice = legal_moves::<G>(position).len() > 1;
    let line = line::<G>(position, known.line());
    let is_best = !had_choice || line.first() == Some(&mv);
    let loss = if is_best { 0.0 } else { (before - after).max(0.0) };
    let points_lost = match (values[ply], values[ply + 1]) {
        (Value::Exact(_, Some(before)), Value::Exact(_, Some(after))) => Some((before - after).abs()),
        _ => None,
    };
    // Another move that is worth as much is not better.
    let better =
        if is_best || (loss == 0.0 && points_lost.is_none_or(|points| points == 0)) { Vec::new() } else { line };
    let text = G::record_move(position, mv);
    Judged { ply, side, text, before, after, loss, class: Class::of(loss), had_choice, better, points_lost }
}

/// The moves of a line, up to the first that is none.
fn line<G: Notation>(position: &G::Position, text: &str) -> Vec<G::Move> {
    let mut position = position.clone();
    let read = |word| {
        let mv = G::parse_move(&position, word).ok()?;
        <G as Game>::play(&mut position, mv);
        Some(mv)
    };
    text.split_whitespace().map_while(read).collect()
}

fn account<M>(moves: &[Judged<M>], side: Side) -> Account {
    let chosen: Vec<&Judged<M>> = moves.iter().filter(|judged| judged.side == side && judged.had_choice).collect();
    let mean = |figure: fn(f64) -> f64| {
        let sum: f64 = chosen.iter().map(|judged| figure(judged.loss)).sum();
        (!chosen.is_empty()).then(|| sum / chosen.len() as f64)
    };
    let mistakes = Class::MISTAKES.map(|class| chosen.iter().filter(|judged| judged.class == class).count());
    Account { moves: chosen.len(), accuracy: mean(accuracy), mean_loss: mean(|loss| loss), mistakes }
}

/// The last move by which the side that stands worse at the end lost 5 % or more while the game was still open for it.
fn turning<M>(moves: &[Judged<M>], end: f64) -> Option<usize> {
    let loser = match end {
        DECIDED.. => Side::Black,
        end if end <= 1.0 - DECIDED => Side::White,
        _ => return None,
    };
    let is_it = |judged: &Judged<M>| judged.side == loser && judged.before >= OPEN && judged.class != Class::Good;
    moves.iter().rposition(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::record::GameRecord;
    use halfply_engine::base::score::WIN;
    use halfply_engine::games::{Chess, Othello};

    fn played<G: Notation>(start: &str, moves: &str) -> Played<G> {
        let record = GameRecord::to_replay(["Ann".into(), "Bob".into()], start.to_owned(), moves.to_owned());
        Played::new(&record, Vec::new()).unwrap()
    }

    fn searched(score: Score, line: &str) -> Known {
        let found = Searched { score, depth: 1, nodes: 1, line: line.to_owned() };
        Known { searched: Some(found), solved: None }
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn a_move_loses_what_can_be_expected_less_after_it() {
        let played = played::<Chess>(START, "e4 f6 d4 g5 Qh5#");
        let known = [
            searched(20, "e2e4 e7e5"),
            searched(-20, "e7e5"),
            // The best move, although the search that follows thinks less of it.
            searched(90, "d2d4"),
            searched(-50, "g8h6"),
            searched(WIN - 1, "d1h5"),
            Known::default(),
        ];
        let reviewed = Reviewed::new(&played, &known, 100).unwrap();
        let classes: Vec<Class> = reviewed.moves.iter().map(|judged| judged.class).collect();
        assert_eq!(classes, [Class::Good, Class::Inaccuracy, Class::Good, Class::Blunder, Class::Good]);
        let expected = |hundredths: f64| 1.0 / (1.0 + (-hundredths / Chess::LOGIT).exp());
        assert!((reviewed.moves[1].loss - (expected(90.0) - expected(20.0))).abs() < 1e-12);
        assert!(reviewed.moves[2].loss == 0.0 && reviewed.moves[2].better.is_empty());
        assert!((reviewed.moves[3].loss - expected(-50.0)).abs() < 1e-12);
        assert_eq!(reviewed.values[4..], [Value::Win(1), Value::Exact(1, None)]);
        assert_eq!(reviewed.turning, Some(3));
        let [white, black] = reviewed.accounts;
        assert_eq!((white.accuracy.map(f64::round), white.mistakes), (Some(100.0), [0, 0, 0]));
        assert_eq!((black.moves, black.mistakes), (2, [1, 0, 1]));
        // A position of which nothing is known, though the game goes on.
        assert!(Reviewed::new(&played, &known[..4], 100).is_none());
    }

    #[test]
    fn nobody_turned_a_game_that_was_even_or_lost_from_the_start() {
        let played = played::<Chess>(START, "e4 e5 d4");
        let turning = |scores: [Score; 4]| {
            let known = scores.map(|score| searched(score, "a2a3"));
            Reviewed::new(&played, &known, 100).unwrap().turning
        };
        assert_eq!(turning([0, -400, 0, 0]), None, "even at the end");
        assert_eq!(turning([-400, 500, -600, 900]), None, "never open");
        assert_eq!(turning([0, 0, 0, 400]), Some(2));
        assert_eq!(turning([0, 400, -400, 400]), Some(0));
    }

    #[test]
    fn exact_values_tell_points_and_moves_without_a_choice_do_not_count() {
        // Black's only move is a pass, then White's only one ends the game.
        let start = "8/8/8/3PP3/3PP3/8/8/1pPPPPPP[PPpp] b - - 0 20";
        let played = played::<Othello>(start, "pass a8");
        let solved = |sign, margin| Known {
            solved: Some(Solved { sign, margin: Some(margin), line: String::new() }),
            ..searched(0, "")
        };
        let reviewed = Reviewed::new(&played, &[solved(-1, -64), solved(1, 64), Known::default()], 100).unwrap();
        assert_eq!(reviewed.values, [Value::Exact(1, Some(64)); 3]);
        assert_eq!((reviewed.moves[0].points_lost, reviewed.moves[0].had_choice), (Some(0), false));
        assert_eq!(reviewed.accounts[1].accuracy, None);
    }

    #[test]
    fn losses_have_names_and_accuracies() {
        for (loss, class) in [
            (0.0, Class::Good),
            (0.0499, Class::Good),
            (0.05, Class::Inaccuracy),
            (0.1, Class::Mistake),
            (0.2, Class::Blunder),
            (1.0, Class::Blunder),
        ] {
            assert_eq!(Class::of(loss), class, "{loss}");
        }
        // Lichess: 100 without a loss, and about 64 for ten percent.
        assert!((accuracy(0.0) - 100.0).abs() < 1e-3 && (accuracy(0.1) - 63.6).abs() < 0.1 && accuracy(1.0) == 0.0);
    }
}
