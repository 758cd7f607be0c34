// SPDX-License-Identifier: GPL-3.0-or-later
//! The client's side of UCI: other engines, asked as a GUI asks them.
//!
//! Positions and moves are text: nothing here knows a game. What an engine does wrong ends as a [`Fault`] that says
//! what it was, never as a panic, a wait without end, or memory that grows as fast as an engine can write.
//!
//! | file | idea |
//! |---|---|
//! | `command` | how an engine is started |
//! | `process` | the process and its pipes: two threads, stamped events |
//! | `group` | a process together with the processes that it starts |
//! | `reply` | a line of an engine turned into a [`Reply`] |
//! | `options` | what an engine offers to be set, and values checked against that |
//! | `session` | [`Client`]: start, a new game, quit |
//! | `search` | one `go`: its answer, its limits of time |
//! | `trial` | whether an engine knows limits of nodes |
//! | `pool` | engines that run and wait for their next game |
//! | `fault` | what an engine can do wrong |
//!
//! Times are measured at the pipe, by the threads that write and read it and do nothing else, so that a caller who is
//! busy charges nobody. What an engine starts is killed with it on Unix, also when the engine has ended by itself, unless it
//! leaves the engine's process group; elsewhere an engine that a script starts has to notice that its input has ended.
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
pub use fault::Fault;
pub use options::{Kind, Offered};
pub use pool::{EnginePool, PATIENCE};
pub use reply::{Best, Bound, Info, Reply, parse};
pub use search::{Allowance, Answer, GRACE, limits};
pub use session::Client;
