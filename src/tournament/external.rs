// SPDX-License-Identifier: GPL-3.0-or-later
//! A program of somebody's as a contestant, over UCI.

use std::thread;
use std::time::Duration;

use super::allowance::Allowance;
use super::contestant::{Contestant, Thought, Turn};
use super::fault::{Failure, Fault, Kind};
use super::withdrawal::Withdrawals;
use crate::game::{Game, Notation};
use crate::history::History;
use crate::protocol::client::{self, Answer, Client, EngineCommand, GRACE, Stable};
use crate::run::Stop;
use crate::search::Limits;
use crate::search::clock::Clock;

/// Where no clock runs, a program that says something now and then may take so many times the patience for a move, and no
/// longer: one that talks without end hangs as well.
const PATIENCES: u32 = 20;

/// How often it is tried to start a program for a game: on a loaded machine it may be too slow once.
const STARTS: u32 = 3;
/// How long to wait before it is tried again.
const PAUSE: Duration = Duration::from_millis(500);

/// A program in one game; afterwards it goes back to the stable, if it still runs.
pub struct External<'a> {
    /// How it is started.
    pub command: &'a EngineCommand,
    /// Options that the game needs.
    pub required: &'a [(String, String)],
    /// Which player of the tournament it is.
    pub player: usize,
    /// Where it waits between games.
    pub stable: &'a Stable,
    /// Where it is written down if it cannot be started.
    pub withdrawals: &'a Withdrawals,
    /// How long it may say nothing where no clock runs.
    pub patience: Duration,
    /// Raised when the game is given up.
    pub stop: &'a Stop,
    /// The program, while it runs.
    pub client: Option<Client>,
}

impl Drop for External<'_> {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            self.stable.put(self.player, client);
        }
    }
}

impl External<'_> {
    /// The program from the stable, or started; it knows of the new game.
    fn call(&self) -> Result<Client, Failure> {
        let interrupted = || self.stop.is_raised();
        for starts in 1.. {
            let fault = match self.stable.client(self.player, self.command, self.required, &interrupted) {
                Ok(client) => return Ok(client),
                Err(client::Fault::Interrupted) => break,
                Err(_) if interrupted() => break,
                Err(fault) => fault,
            };
            log::warn!("player {} cannot be started: {fault}", self.player + 1);
            if starts == STARTS {
                self.withdrawals.enter(self.player, fault.to_string());
                return Err(Failure::Withdrawn);
            }
            thread::sleep(PAUSE);
        }
        Err(Failure::Interrupted)
    }

    /// What a fault of the program means in a game. The program is dead then.
    fn failed(&mut self, fault: &client::Fault) -> Failure {
        self.client = None;
        let kind = match fault {
            client::Fault::Interrupted => return Failure::Interrupted,
            // The first three are of a program that does not even start.
            client::Fault::NotStarted { .. }
            | client::Fault::NoUci { .. }
            | client::Fault::Option { .. }
            | client::Fault::Crashed { .. } => Kind::Crash,
            client::Fault::ClosedPipe => Kind::ClosedPipe,
            client::Fault::Hung { .. } => Kind::Hang,
            client::Fault::Overrun { .. } => Kind::Overrun,
            client::Fault::Unreadable { .. } => Kind::Garbage,
        };
        if self.stop.is_raised() { Failure::Interrupted } else { Fault::new(kind, fault.to_string()).into() }
    }
}

impl<G: Notation> Contestant<G> for External<'_> {
    fn begin(&mut self) -> Result<(), Failure> {
        self.client = Some(self.call()?);
        Ok(())
    }

    fn think(&mut self, game: &History<G>, turn: &Turn<'_>) -> Result<Thought<G::Move>, Failure> {
        let Some(client) = &mut self.client else {
            return Err(Fault::new(Kind::Crash, "it does not run").into());
        };
        let limit = turn.clocks[G::to_move(game.position()).index()].until_flag();
        let patience = client::Allowance {
            total: Some(limit.map_or(PATIENCES * self.patience, |limit| limit + turn.margin + GRACE)),
            silence: limit.is_none().then_some(self.patience),
            nodes: turn.allowance.nodes,
            stop_at: None,
        };
        let interrupted = || turn.stop.is_raised();
        let answer = client.go(&position::<G>(game), &go(game, turn), patience, &interrupted, &mut |_| ());
        let answer = answer.map_err(|fault| self.failed(&fault))?;
        if answer.stopped && limit.is_none() {
            // Where a clock runs, the clock says what that is.
            return Err(self.failed(&client::Fault::Hung { after: answer.elapsed }));
        }
        let has_shape = G::has_move_shape(&answer.best);
        let mv = match G::parse_move(game.position(), &answer.best) {
            Ok(_) if !has_shape => Err("that is no move as UCI has them".to_owned()),
            Ok(mv) => Ok(mv),
            Err(error) => Err(error.to_string()),
        };
        match mv {
            Ok(mv) => Ok(thought(mv, &answer)),
            Err(error) => {
                // Whatever it is, the next game is not played by a program in that state.
                self.client = None;
                let kind = if has_shape { Kind::IllegalMove } else { Kind::Garbage };
                let position = G::format_position(game.position());
                Err(Fault::new(kind, format!("bestmove {} in {position}: {error}", answer.best)).into())
            }
        }
    }
}

fn thought<M>(mv: M, answer: &Answer) -> Thought<M> {
    Thought {
        mv,
        value: answer.last.as_ref().and_then(|info| info.exact()),
        depth: answer.depth,
        nodes: answer.nodes,
        extended: 0,
        elapsed: answer.elapsed,
    }
}

/// The game so far as UCI has it.
fn position<G: Notation>(game: &History<G>) -> String {
    // A history has a first position from the beginning.
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

/// What the program may use, as UCI has it.
fn go<G: Notation>(game: &History<G>, turn: &Turn<'_>) -> String {
    let mut text = "go".to_owned();
    let own = turn.clocks[G::to_move(game.position()).index()].shown();
    if let Some(own) = own {
        // An opponent without a clock is said to have the same: UCI knows no other way, and some programs look at both.
        let [white, black] = turn.clocks.each_ref().map(|clock| clock.shown().unwrap_or(own));
        for (name, clock) in [("w", white), ("b", black)] {
            let Clock { left, increment, .. } = clock;
            text += &format!(" {name}time {} {name}inc {}", left.as_millis().max(1), increment.as_millis());
        }
        if let Some(moves) = own.moves_to_go {
            text += &format!(" movestogo {moves}");
        }
    }
    let Allowance { nodes, depth, move_time, .. } = *turn.allowance;
    text + &client::limits(Limits { nodes, depth, time: move_time })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Breakthrough, Chess};
    use crate::tournament::allowance::GameClock;

    fn game<G: Notation>(start: G::Position, moves: &[&str]) -> History<G> {
        let mut game = History::new(start);
        for text in moves {
            game.play(G::parse_move(game.position(), text).unwrap());
        }
        game
    }

    #[test]
    fn positions_are_told_with_all_moves() {
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
    fn limits_are_told_as_they_are() {
        let stop = Stop::default();
        let told = |allowances: [Allowance; 2], moves: &[&str]| {
            let clocks = allowances.map(GameClock::new);
            let game = game::<Chess>(<Chess as Game>::start(), moves);
            let allowance = &allowances[moves.len() % 2];
            go(&game, &Turn { allowance, clocks: &clocks, margin: Duration::ZERO, stop: &stop })
        };
        let clock = |text: &str| Allowance { control: Some(text.parse().unwrap()), ..Allowance::default() };
        let nodes = Allowance::nodes(5);
        assert_eq!(told([clock("10+0.1"), clock("5")], &["e4"]), "go wtime 10000 winc 100 btime 5000 binc 0");
        assert_eq!(told([clock("40/60+1"), nodes], &[]), "go wtime 60000 winc 1000 btime 60000 binc 1000 movestogo 40");
        assert_eq!(told([clock("10+0.1"), nodes], &["e4"]), "go nodes 5");
        let both = Allowance { move_time: Some(Duration::from_millis(70)), depth: Some(3), ..nodes };
        assert_eq!(told([both, both], &[]), "go movetime 70 nodes 5 depth 3");
    }
}
