// SPDX-License-Identifier: GPL-3.0-or-later
//! Another program as a contestant, over UCI.

use std::thread;
use std::time::Duration;

use super::allowance::GameClock;
use super::contestant::{Contestant, Thought, Turn};
use super::fault::{FaultKind, GameFault, MoveFailure};
use super::withdrawal::Withdrawals;
use crate::game::Notation;
use crate::history::History;
use crate::players::Program;
use crate::players::question::{NoMove, Patience, Question, answered_move};
use crate::protocol::client::{Answer, Client, EngineFault, EnginePool};
use crate::run::Stop;
use crate::search::Limits;

/// Where no clock runs, a program that says something now and then may take so many times the patience for a move, and no
/// longer: one that talks without end hangs as well.
const PATIENCES: u32 = 20;

/// How often it is tried to start a program for a game: on a loaded machine it may be too slow once.
const STARTS: u32 = 3;
/// How long to wait before it is tried again.
const PAUSE: Duration = Duration::from_millis(500);

/// A program in one game; afterwards it goes back to the pool, if it still runs.
pub struct External<'a> {
    /// The program.
    pub program: &'a Program,
    /// Which player of the tournament it is.
    pub player: usize,
    /// Where it waits between games.
    pub pool: &'a EnginePool,
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
            self.pool.put(self.player, client);
        }
    }
}

impl External<'_> {
    /// The program from the pool, or started; it knows of the new game.
    fn call(&self) -> Result<Client, MoveFailure> {
        let interrupted = || self.stop.is_raised();
        for starts in 1.. {
            let fault = match self.pool.client(self.player, &self.program.command, &self.program.required, &interrupted)
            {
                Ok(client) => return Ok(client),
                Err(EngineFault::Interrupted) => break,
                Err(_) if interrupted() => break,
                Err(fault) => fault,
            };
            log::warn!("player {} cannot be started: {fault}", self.player + 1);
            if starts == STARTS {
                self.withdrawals.enter(self.player, fault.to_string());
                return Err(MoveFailure::Withdrawn);
            }
            thread::sleep(PAUSE);
        }
        Err(MoveFailure::Interrupted)
    }

    /// What a fault of the program means in a game. The program is dead then.
    fn failed(&mut self, fault: &EngineFault) -> MoveFailure {
        self.client = None;
        let kind = match fault {
            EngineFault::Interrupted => return MoveFailure::Interrupted,
            // The first three are of a program that does not even start.
            EngineFault::NotStarted { .. }
            | EngineFault::NoUci { .. }
            | EngineFault::Option { .. }
            | EngineFault::Crashed { .. } => FaultKind::Crash,
            EngineFault::ClosedPipe => FaultKind::ClosedPipe,
            EngineFault::Hung { .. } => FaultKind::Hang,
            EngineFault::Overrun { .. } => FaultKind::Overrun,
            EngineFault::Unreadable { .. } => FaultKind::Garbage,
        };
        if self.stop.is_raised() { MoveFailure::Interrupted } else { GameFault::new(kind, fault.to_string()).into() }
    }
}

impl<G: Notation> Contestant<G> for External<'_> {
    fn begin(&mut self) -> Result<(), MoveFailure> {
        self.client = Some(self.call()?);
        Ok(())
    }

    fn think(&mut self, game: &History<G>, turn: &Turn<'_>) -> Result<Thought<G::Move>, MoveFailure> {
        let Some(client) = &mut self.client else {
            return Err(GameFault::new(FaultKind::Crash, "it does not run").into());
        };
        let limit = turn.clocks[G::to_move(game.position()).index()].until_flag();
        let question = Question {
            game,
            clocks: turn.clocks.each_ref().map(GameClock::shown),
            limits: Limits { nodes: turn.allowance.nodes, depth: turn.allowance.depth, time: turn.allowance.move_time },
            due: limit.map(|limit| limit + turn.margin),
            patience: Patience { silence: self.patience, total: PATIENCES * self.patience },
            watch_nodes: false,
        };
        let answer = question.ask(client, &|| turn.stop.is_raised(), &mut |_| ());
        let answer = answer.map_err(|fault| self.failed(&fault))?;
        answered_move::<G>(game.position(), &answer.best).map(|mv| thought(mv, &answer)).map_err(
            |NoMove { text, has_shape, reason }| {
                // Whatever it is, the next game is not played by a program in that state.
                self.client = None;
                let kind = if has_shape { FaultKind::IllegalMove } else { FaultKind::Garbage };
                let position = G::format_position(game.position());
                GameFault::new(kind, format!("bestmove {text} in {position}: {reason}")).into()
            },
        )
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
