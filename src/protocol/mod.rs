// SPDX-License-Identifier: GPL-3.0-or-later
//! Protocols: GTP and UCI for clients of this engine, and a UCI client for other engines.

pub mod client;
pub(crate) mod gtp;
pub(crate) mod uci;
pub(crate) mod uci_score;

pub use uci_score::UciScore;
