// SPDX-License-Identifier: GPL-3.0-or-later
//! Another program as a contestant, over UCI.

use std::thread;
use std::time::Duration;

use super::allowance::{Allowance, GameClock};
use super::contestant::{Contestant, Thought, Turn};
use super::fault::{FaultKind, GameFault, MoveFailure};
use super::withdrawal::Withdrawals;
use crate::client::{Answer, Client, EngineFault, EnginePool};
use crate::players::Program;
use crate::players::question::{NoMove, Patience, Question, answered_move};
use crate::run::Stop;
use halfply_engine::games::RegisteredGame;
use halfply_engine::history::History;
use halfply_engine::search::Limits;

/// The longest time for a move without a clock, as a multiple of the patience. A program that reports something now and
/// then does not exhaust the patience, but one that reports without end hangs too.
const PATIENCES: u32 = 20;

/// Attempts to start a program for a game. On a loaded machine one may take too long.
const STARTS: u32 = 3;
/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(500);

/// A program in one game. After the game it returns to the pool, if it still runs.
pub struct External<'a> {
    /// What limits its moves.
    pub allowance: Allowance,
    /// Its program.
    pub program: &'a Program,
    /// Its name in the tournament.
    pub name: &'a str,
    /// Its number in the tournament, from 0.
    pub player: usize,
    /// Where programs wait between games.
    pub pool: &'a EnginePool,
    /// The list that a program enters if it cannot be started.
    pub withdrawals: &'a Withdrawals,
    /// The longest silence without a clock.
    pub patience: Duration,
    /// Raised when the game is abandoned.
    pub stop: &'a Stop,
    /// The running program.
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
    /// Takes the program from the pool, or starts it, for a new game.
    fn client(&self) -> Result<Client, MoveFailure> {
        let interrupted = || self.stop.is_raised();
        for starts in 1.. {
            let fault = match self.pool.client(self.player, &self.program.command, &self.program.required, &interrupted)
            {
                Ok(client) => return Ok(client),
                Err(EngineFault::Interrupted) => break,
                Err(_) if interrupted() => break,
                Err(fault) => fault,
            };
            log::warn!("player {:?}: {fault}", self.name);
            if starts == STARTS {
                self.withdrawals.enter(self.player, fault.to_string());
                return Err(MoveFailure::Withdrawn);
            }
            thread::sleep(PAUSE);
        }
        Err(MoveFailure::Interrupted)
    }

    /// What a fault of the program means for the game. After a fault the program is dead.
    fn failed(&mut self, fault: &EngineFault) -> MoveFailure {
        self.client = None;
        let kind = match fault {
            EngineFault::Interrupted => return MoveFailure::Interrupted,
            // A program has the first three faults only at its start.
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

impl<G: RegisteredGame> Contestant<G> for External<'_> {
    fn begin(&mut self) -> Result<(), MoveFailure> {
        self.client = Some(self.client()?);
        Ok(())
    }

    fn think(&mut self, game: &History<G>, turn: &Turn<'_>) -> Result<Thought<G::Move>, MoveFailure> {
        let Some(client) = &mut self.client else {
            return Err(GameFault::new(FaultKind::Crash, "it does not run").into());
        };
        let allowance = self.allowance;
        let limit = turn.clocks[G::to_move(game.position()).index()].until_flag();
        let question = Question {
            game,
            clocks: turn.clocks.each_ref().map(GameClock::shown),
            limits: Limits { nodes: allowance.nodes, depth: allowance.depth, time: allowance.move_time },
            due: limit.map(|limit| limit + turn.margin),
            patience: Patience { silence: self.patience, total: PATIENCES * self.patience },
            watch_nodes: false,
        };
        let answer = question.ask(client, &|| turn.stop.is_raised(), &mut |_| ());
        let answer = answer.map_err(|fault| self.failed(&fault))?;
        answered_move::<G>(game.position(), &answer.best).map(|mv| thought(mv, &answer)).map_err(
            |NoMove { text, has_shape, reason }| {
                // A program in this state does not play the next game.
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
