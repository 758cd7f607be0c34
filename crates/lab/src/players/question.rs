// SPDX-License-Identifier: GPL-3.0-or-later
//! Asking another program for the best move of a game: the lines it is sent, the time it has, and the check of its answer.

use std::fmt;
use std::time::Duration;

use crate::client::{self, Answer, AnswerLimits, Client, EngineFault, GRACE, Info};
use halfply_engine::game::{Game, Notation};
use halfply_engine::history::History;
use halfply_engine::search::Limits;
use halfply_engine::search::clock::Clock;

/// The time that a program without a clock has to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// The longest time without an `info` line.
    pub silence: Duration,
    /// The longest time in all: a program that outputs `info` without end hangs, too.
    pub total: Duration,
}

/// A question for the best move.
pub struct Question<'a, G: Notation> {
    /// The game so far; the move is for its last position.
    pub game: &'a History<G>,
    /// The clocks of White and Black; none for a player without a clock.
    pub clocks: [Option<Clock>; 2],
    /// The other limits of the search.
    pub limits: Limits,
    /// The time after which an answer is late, including the margin; none without a clock.
    pub due: Option<Duration>,
    /// The time to answer without a clock.
    pub patience: Patience,
    /// Whether the program, instead of getting its node limit, which it would ignore, is stopped when it reports as many
    /// nodes.
    pub watch_nodes: bool,
}

/// An answer that is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoMove {
    /// The answer.
    pub text: String,
    /// Whether it looks like a move.
    pub has_shape: bool,
    /// Why it is not a legal move.
    pub reason: String,
}

impl fmt::Display for NoMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bestmove {}: {}", self.text, self.reason)
    }
}

impl<G: Notation> Question<'_, G> {
    /// Asks the program; `hear` is called for each `info` line.
    ///
    /// # Errors
    /// As [`Client::go`]. A program that answers only after `stop` hangs, too, unless it has a clock, which decides whether
    /// the answer is late, or its nodes are watched.
    pub fn ask(
        &self,
        client: &mut Client,
        interrupted: &dyn Fn() -> bool,
        hear: &mut dyn FnMut(&Info),
    ) -> Result<Answer, EngineFault> {
        let (given, stop_at) = if self.watch_nodes { (None, self.limits.nodes) } else { (self.limits.nodes, None) };
        let allowance = AnswerLimits {
            total: Some(self.due.map_or(self.patience.total, |due| due + GRACE)),
            silence: self.due.is_none().then_some(self.patience.silence),
            nodes: given,
            stop_at,
        };
        let answer = client.go(&position::<G>(self.game), &self.go(), allowance, interrupted, hear)?;
        if answer.stopped && self.due.is_none() && !self.watch_nodes {
            return Err(EngineFault::Hung { after: answer.elapsed });
        }
        Ok(answer)
    }

    /// The line that starts the search.
    fn go(&self) -> String {
        let mut text = "go".to_owned();
        if let Some(own) = self.clocks[G::to_move(self.game.position()).index()] {
            // An opponent without a clock is reported with the same times: some programs need both clocks.
            for (name, clock) in ["w", "b"].into_iter().zip(self.clocks) {
                let Clock { left, increment, .. } = clock.unwrap_or(own);
                text += &format!(" {name}time {} {name}inc {}", left.as_millis().max(1), increment.as_millis());
            }
            if let Some(moves) = own.moves_to_go {
                text += &format!(" movestogo {moves}");
            }
        }
        let nodes = self.limits.nodes.filter(|_| !self.watch_nodes);
        text += &client::limits(Limits { nodes, ..self.limits });
        if text == "go" { "go infinite".to_owned() } else { text }
    }
}

/// The line that sets up the game.
pub fn position<G: Notation>(game: &History<G>) -> String {
    // A history always has a first position.
    let start = &game.positions()[0];
    let mut text = if *start == <G as Game>::start() {
        "position startpos".to_owned()
    } else {
        format!("position fen {}", G::format_position(start))
    };
    let moves = game.move_texts();
    if !moves.is_empty() {
        text += " moves ";
        text += &moves.join(" ");
    }
    text
}

/// The move in an answer.
///
/// # Errors
/// If it is not a legal move in the notation of UCI.
pub fn answered_move<G: Notation>(position: &G::Position, text: &str) -> Result<G::Move, NoMove> {
    let has_shape = G::has_move_shape(text);
    let reason = match G::parse_move(position, text) {
        Ok(mv) if has_shape => return Ok(mv),
        Err(error) if has_shape => error.to_string(),
        _ => "it is not a move in the notation of UCI".to_owned(),
    };
    Err(NoMove { text: text.to_owned(), has_shape, reason })
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::{Breakthrough, Chess};

    const PATIENCE: Patience = Patience { silence: Duration::from_secs(1), total: Duration::from_secs(2) };

    fn game<G: Notation>(start: G::Position, moves: &[&str]) -> History<G> {
        let mut game = History::new(start);
        for text in moves {
            game.play(G::parse_move(game.position(), text).unwrap());
        }
        game
    }

    #[test]
    fn positions_are_sent_with_all_moves() {
        let start = || <Chess as Game>::start();
        assert_eq!(position(&game::<Chess>(start(), &[])), "position startpos");
        let castled = ["e4", "e5", "Nf3", "Nf6", "Be2", "Be7", "O-O"];
        assert_eq!(
            position(&game::<Chess>(start(), &castled)),
            "position startpos moves e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1"
        );
        let fen = "8/8/P7/8/8/7p/8/8 w - - 0 1";
        let other = Breakthrough::parse_position(fen).unwrap();
        let text = position(&game::<Breakthrough>(other, &["a6a7"]));
        assert_eq!(text, format!("position fen {fen} moves a6a7"));
    }

    #[test]
    fn limits_are_sent_as_they_are() {
        let sent = |clocks: [Option<Clock>; 2], limits, watch_nodes, moves: &[&str]| {
            let game = game::<Chess>(<Chess as Game>::start(), moves);
            Question { game: &game, clocks, limits, due: None, patience: PATIENCE, watch_nodes }.go()
        };
        let clock = |seconds: u64, tenths: u64, moves_to_go| {
            let (left, increment) = (Duration::from_secs(seconds), Duration::from_millis(100 * tenths));
            Some(Clock { left, increment, moves_to_go })
        };
        let (none, nodes) = (Limits::default(), Limits::nodes(5));
        let [ten, five] = [clock(10, 1, None), clock(5, 0, None)];
        assert_eq!(sent([ten, five], none, false, &["e4"]), "go wtime 10000 winc 100 btime 5000 binc 0");
        assert_eq!(
            sent([clock(60, 10, Some(40)), None], none, false, &[]),
            "go wtime 60000 winc 1000 btime 60000 binc 1000 movestogo 40"
        );
        assert_eq!(sent([ten, None], nodes, false, &["e4"]), "go nodes 5");
        let both = Limits { time: Some(Duration::from_millis(70)), depth: Some(3), ..nodes };
        assert_eq!(sent([None; 2], both, false, &[]), "go movetime 70 nodes 5 depth 3");
        assert_eq!(sent([None; 2], both, true, &[]), "go movetime 70 depth 3");
        assert_eq!(sent([None; 2], nodes, true, &[]), "go infinite");
    }

    #[test]
    fn the_reason_is_given_if_an_answer_is_not_a_move() {
        let start = <Chess as Game>::start();
        assert!(answered_move::<Chess>(&start, "e2e4").is_ok());
        for (text, has_shape) in [("e2e5", true), ("e4", false), ("", false), ("nonsense", false)] {
            let no_move = answered_move::<Chess>(&start, text).unwrap_err();
            assert_eq!(no_move.has_shape, has_shape, "{text}");
            assert!(no_move.to_string().starts_with(&format!("bestmove {text}: ")), "{no_move}");
        }
    }
}
