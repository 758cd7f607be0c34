// SPDX-License-Identifier: GPL-3.0-or-later
//! Test positions: problems whose best move is known.
//!
//! | module | idea |
//! |---|---|
//! | [`epd`] | suites as files |
//! | [`moves`] | lists of moves, as people write them |
//! | [`points`] | points for moves |
//! | [`tolerance`] | deviations from the standard that are accepted |
//! | [`trial`] | a search of a problem, and the results of many |
//! | [`external`] | the same by an external engine |
//! | [`run`](mod@run) | the whole: a suite given to a player |
//! | [`baseline`] | what an earlier run solved |
//! | [`terms`] | what a run depends on |
//! | [`prove`] | exact proofs of a win within a number of plies |
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
pub mod trial;

pub use baseline::Baseline;
pub use distinct::Distinct;
pub use epd::{Problem, Suite};
pub use run::run;
