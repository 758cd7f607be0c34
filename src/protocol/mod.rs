// SPDX-License-Identifier: GPL-3.0-or-later
//! How other programs talk to the engine, and how it talks to them.

pub mod client;
pub mod gtp;
pub mod uci;
pub mod uci_score;

pub use uci_score::UciScore;
