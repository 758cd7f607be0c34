// SPDX-License-Identifier: GPL-3.0-or-later
//! Tournaments: what a table is worth shows only in games, hundreds or thousands of them.
//!
//! | file | idea |
//! |---|---|
//! | [`definition`] | a tournament as a file describes it |
//! | [`player_definition`] | a player as a file describes it |
//! | [`entrant`] | the players, made of their definitions |
//! | [`description`] | what workers remake a tournament from |
//! | [`openings`] | where games start |
//! | [`schedule`] | who plays whom, from which opening, in which order |
//! | [`game`] | what all games share, and each of them as a unit of work |
//! | [`run`](mod@run) | the whole: from a definition to the last game |
//! | [`play`](mod@play) | one game |
//! | [`contestant`], [`internal`], [`external`] | whoever sits at the board: a search of ours, or a program behind a pipe |
//! | [`allowance`] | nodes, time and clocks |
//! | [`adjudication`] | ending games that are decided |
//! | [`error`] | why it cannot be played |
//! | [`fault`], [`withdrawal`] | what may go wrong, told apart; who can play no more |
//! | [`record`], [`pgn`] | what is kept of a game, and what others read |
//! | [`ledger`] | which games count, and when enough have been played |
//! | [`scoreboard`] | what they have come to |
//! | [`statistics`] | what that is worth |

pub mod adjudication;
pub mod allowance;
pub mod contestant;
pub mod definition;
pub mod description;
pub mod entrant;
pub mod error;
pub mod external;
pub mod fault;
pub mod game;
pub mod internal;
pub mod ledger;
pub mod openings;
pub mod pgn;
pub mod play;
pub mod player_definition;
pub mod record;
pub mod run;
pub mod schedule;
pub mod scoreboard;
pub mod statistics;
pub mod withdrawal;

pub use run::run;
