// SPDX-License-Identifier: GPL-3.0-or-later
//! Protocols for clients of this engine: UCI and GTP.

pub mod gtp;
pub mod uci;
pub mod uci_score;

pub use uci_score::UciScore;
