// SPDX-License-Identifier: GPL-3.0-or-later
//! The Universal Chess Interface (Huber and Meyer-Kahlen 2006), which carries other games as well.
//!
//! `docs/uci.md` describes it for users.
//!
//! Three threads: one reads lines, one (the session) obeys them, one searches. The search prints its own `bestmove`;
//! the session only waits for it where it needs the thinker.

mod clock;
pub mod command;
mod count;
mod info;
mod input;
mod options;
mod output;
mod search;
pub mod session;
mod task;
mod thinker;
mod variant;

pub use session::run;
