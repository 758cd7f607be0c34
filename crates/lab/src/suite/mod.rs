// SPDX-License-Identifier: GPL-3.0-or-later
//! Test positions: problems whose best move is known.

mod baseline;
pub mod distinct;
pub mod epd;
mod external;
pub mod filter;
pub mod generate;
mod moves;
pub mod page;
mod points;
pub mod run;
mod score;
mod terms;
mod tolerance;
pub mod trial;

pub use baseline::{Author, Baseline, BaselineComparison, BaselineError};
pub use distinct::Distinct;
pub use epd::{Problem, Suite};
pub use points::Points;
pub use run::run;
pub use score::Score;
pub use terms::{ProgramTerms, Terms};
pub use tolerance::{Oddity, Tolerated};
pub use trial::{Summary, TrialResult};

/// The first position of the Strategic Test Suite.
#[cfg(test)]
const STS: &str = "1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - - bm f5;";
