// SPDX-License-Identifier: GPL-3.0-or-later
//! Test positions: problems whose best move is known.
//!
//! | module | idea |
//! |---|---|
//! | [`epd`] | suites as files |
//! | [`moves`] | lists of moves, as people write them |
//! | [`points`] | what moves are worth besides being best |
//! | [`tolerance`] | what is read although the standard has it otherwise |
//! | [`run`] | how many a search solves |
//! | [`external`] | how many another program solves |
//! | [`baseline`] | what was solved once |
//! | [`terms`] | what a run depends on |
//! | [`prove`] | exactly who wins within a number of plies |
//! | [`generate`] | problems from games |
//! | [`filter`] | the hard ones |
//! | [`distinct`] | no position twice |

pub mod baseline;
pub mod distinct;
pub mod epd;
pub mod external;
pub mod filter;
pub mod generate;
pub mod moves;
pub mod points;
pub mod prove;
pub mod run;
pub mod terms;
pub mod tolerance;

pub use baseline::Baseline;
pub use distinct::Distinct;
pub use epd::{Problem, Suite};
