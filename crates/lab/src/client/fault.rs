// SPDX-License-Identifier: GPL-3.0-or-later
//! What an engine can do wrong.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use thiserror::Error;

/// Why an engine did not do what it was told.
#[derive(Debug, Error)]
pub enum EngineFault {
    /// There is no process.
    #[error("{} cannot be started ({cause}); give the path of a program that may be executed", program.display())]
    NotStarted {
        /// The program as it was given.
        program: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// It runs but does not speak UCI.
    #[error("it started but did not say \"uciok\" within {after:?}; is it a UCI engine?")]
    NoUci {
        /// How long it had.
        after: Duration,
    },
    /// It does not offer an option, or not with this value.
    #[error("option {name}: {reason}")]
    Option {
        /// The option as it was given.
        name: String,
        /// What is wrong, and what is offered.
        reason: String,
    },
    /// Its process ended.
    #[error("it crashed or ended by itself ({status})")]
    Crashed {
        /// How: the exit status, or the signal, in words.
        status: String,
    },
    /// Its process lives, but has closed its stdin or stdout.
    #[error("it closed its end of the pipe but is still running")]
    ClosedPipe,
    /// It said nothing when it should have, and `stop` did not help.
    #[error("it hung: no answer within {after:?}")]
    Hung {
        /// How long it had.
        after: Duration,
    },
    /// It searches far beyond its node limit.
    #[error(
        "its limit was {given} nodes, and it reports {told} and continues; if it ignores `go nodes`, give it a time limit instead"
    )]
    Overrun {
        /// The limit.
        given: u64,
        /// The nodes that it reported.
        told: u64,
    },
    /// It output `bestmove` without a move.
    #[error("its answer {line:?} has no move")]
    Unreadable {
        /// The line.
        line: String,
    },
    /// Nothing is wrong with the engine: the caller did not want to wait any longer.
    #[error("interrupted")]
    Interrupted,
}

impl EngineFault {
    /// Whether an interruption may be the cause: a terminal sends Ctrl-C to engines too, and they may end before the
    /// caller notices.
    pub(super) const fn may_be_interruption(&self) -> bool {
        matches!(self, Self::Crashed { .. } | Self::ClosedPipe)
    }

    /// The process ended like this.
    pub(super) fn crashed(status: ExitStatus) -> Self {
        let status = match status.code() {
            Some(code) => format!("exit status {code}"),
            // The standard library names signals, such as "signal: 11 (SIGSEGV)".
            None => status.to_string(),
        };
        Self::Crashed { status }
    }
}
