// SPDX-License-Identifier: GPL-3.0-or-later
//! Games gone through: what each move was worth, and what would have been better.
//!
//! | file | idea |
//! |---|---|
//! | [`recorded`] | games as files have them |
//! | [`played`] | a game that was played, ready to be reviewed |
//! | [`units`] | a position searched, and a position solved |
//! | [`run`](mod@run) | all positions of some games |
//! | [`value`] | what is known of a position, and the score to be expected from it |
//! | [`judgement`] | what follows for each move, each side and the game |
//! | `wording` | moves with their numbers, lines, and verdicts in words |
//! | [`listing`] | the same as tables |
//! | [`mod@page`], `drawing` | as a page |
//! | [`pgn`] | as PGN with marks and evaluations |

mod drawing;
pub mod judgement;
pub mod listing;
pub mod page;
pub mod pgn;
pub mod played;
pub mod recorded;
pub mod run;
pub mod units;
pub mod value;
mod wording;
