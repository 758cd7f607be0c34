// SPDX-License-Identifier: GPL-3.0-or-later
//! Test positions: problems whose best move is known.
//!
//! [`epd`] reads and writes them, [`run`] measures how many a search solves, [`prove`] decides exactly who wins within
//! a number of plies, [`generate`] makes problems from games, [`filter`] keeps the hard ones, [`baseline`] keeps what
//! was solved once, and [`distinct`] sees to it that none comes twice.

pub mod baseline;
pub mod distinct;
pub mod epd;
pub mod external;
pub mod filter;
pub mod generate;
pub mod prove;
pub mod run;

pub use baseline::Baseline;
pub use distinct::Distinct;
pub use epd::{Problem, Suite};
