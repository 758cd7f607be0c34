// SPDX-License-Identifier: GPL-3.0-or-later
//! What may go wrong with a player in a game, told apart.

use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::base::echo::shortened;

/// Characters of a fault's detail that are kept.
const LONGEST_DETAIL: usize = 500;

/// What a player has done to lose a game otherwise than on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// Its process ended.
    Crash,
    /// It closed its output and lived on.
    ClosedPipe,
    /// It did not answer, long after its time was up.
    Hang,
    /// It did not end its search at the nodes it was given.
    Overrun,
    /// It answered with a move that the rules do not allow.
    IllegalMove,
    /// It answered with something that is no move.
    Garbage,
    /// It answered too late.
    Time,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Crash => "crash",
            Self::ClosedPipe => "closed its output",
            Self::Hang => "no answer",
            Self::Overrun => "search without end",
            Self::IllegalMove => "illegal move",
            Self::Garbage => "no move but nonsense",
            Self::Time => "loss on time",
        })
    }
}

/// A fault, and what there is to be said of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameFault {
    /// Which.
    pub kind: FaultKind,
    /// For people.
    pub detail: String,
}

impl GameFault {
    /// A fault of that kind. The detail is shortened: a program may have said anything, and it is kept in the journal.
    #[must_use]
    pub fn new(kind: FaultKind, detail: impl AsRef<str>) -> Self {
        Self { kind, detail: shortened(detail.as_ref(), LONGEST_DETAIL).into_owned() }
    }
}

impl fmt::Display for GameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.detail)
    }
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveFailure {
    /// Somebody asked to stop: nobody's fault.
    Interrupted,
    /// The player cannot come to the board: there is no game.
    Withdrawn,
    /// The player's fault.
    GameFault(GameFault),
}

impl From<GameFault> for MoveFailure {
    fn from(fault: GameFault) -> Self {
        Self::GameFault(fault)
    }
}

/// What is done after a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// The game is lost for whoever caused it; its program is started again, and the tournament goes on. A program that
    /// cannot be started again withdraws.
    #[default]
    Restart,
    /// The game is lost all the same, and the tournament stops.
    Stop,
}
