// SPDX-License-Identifier: GPL-3.0-or-later
//! Protocols: GTP and UCI for clients of this engine, and a UCI client for other engines.

pub mod client;
pub mod gtp;
pub mod uci;
pub mod uci_score;

pub use uci_score::UciScore;
