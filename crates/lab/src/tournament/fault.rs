// SPDX-License-Identifier: GPL-3.0-or-later
//! What a player can do wrong in a game.

use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use halfply_engine::base::echo::shortened;

/// The most characters of a fault's detail.
const LONGEST_DETAIL: usize = 500;

/// How a player can lose a game other than on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// Its process ended.
    Crash,
    /// It closed its output but still runs.
    ClosedPipe,
    /// It did not answer until long after its time.
    Hang,
    /// It searched far beyond its node limit.
    Overrun,
    /// It answered with an illegal move.
    IllegalMove,
    /// It answered with a text that is not a move.
    Garbage,
    /// It answered late.
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

/// A fault with its details.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameFault {
    /// The kind.
    pub kind: FaultKind,
    /// The details, for the reader.
    pub detail: String,
}

impl GameFault {
    /// A fault of this kind. A long detail is shortened: it may quote a program, and is stored in the journal.
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
    /// The run was stopped.
    Interrupted,
    /// The player cannot be started: there is no game.
    Withdrawn,
    /// The player committed a fault.
    GameFault(GameFault),
}

impl From<GameFault> for MoveFailure {
    fn from(fault: GameFault) -> Self {
        Self::GameFault(fault)
    }
}

/// What happens after a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// The player at fault loses the game, its program is restarted, and the tournament continues. A program that cannot
    /// be restarted withdraws.
    #[default]
    Restart,
    /// The player at fault loses the game, and the tournament stops.
    Stop,
}
