// SPDX-License-Identifier: GPL-3.0-or-later
//! The client's side of UCI: runs external engines as a GUI does.
//!
//! Positions and moves are text: this module knows no game. An error of an engine becomes an [`EngineFault`], never a
//! panic, an endless wait, or unbounded memory.
//!
//! Times are measured at the pipe, by threads that only read or write it, so a busy caller does not add to an engine's
//! time. On Unix all processes in an engine's process group are killed with it, even if the engine has ended by itself.
//! On other systems, an engine started by a script must detect the end of its input.
//!
//! Not covered: pondering, registration and copy protection.

mod command;
mod fault;
mod group;
mod options;
mod pool;
mod process;
mod reply;
mod search;
mod session;
mod trial;

pub use command::{CommandError, EngineCommand};
pub use fault::EngineFault;
pub use options::{Offered, OptionKind};
pub use pool::{EnginePool, PATIENCE};
pub use reply::{Info, Reply, ScoreBound, parse};
pub use search::{Answer, AnswerLimits, GRACE, limits};
pub use session::Client;
