// SPDX-License-Identifier: GPL-3.0-or-later
//! Tournaments. The strength of a table shows only in games, and it takes hundreds or thousands of them.
//!
//! | file | idea |
//! |---|---|
//! | [`definition`] | a tournament as a file describes it |
//! | [`player_definition`] | a player as a file describes it |
//! | [`entrant`] | the players, made from their definitions |
//! | `names` | the names of players that were given none |
//! | `description` | a tournament as workers receive it |
//! | [`openings`] | where games start |
//! | [`schedule`] | who plays whom, from which opening, in which order |
//! | [`game`] | what all games share, and each game as a unit of work |
//! | [`run`](mod@run) | a tournament from its definition to its last game |
//! | [`play`](mod@play) | one game |
//! | [`contestant`], [`internal`], `external` | an entrant in one game: a search, or another program |
//! | [`allowance`] | nodes, time and clocks |
//! | [`adjudication`] | ending decided games early |
//! | [`error`] | why it cannot be played |
//! | [`fault`], `withdrawal` | what a player can do wrong; players who cannot continue |
//! | [`record`], `pgn` | a game in the journal, and as PGN |
//! | `pgn_games`, [`pgn_tree`] | games of any PGN file; one with its variations |
//! | [`ledger`] | which games count, and when enough have been played |
//! | [`scoreboard`] | the results of the players |
//! | `listing`, [`course`](mod@course), [`page`](mod@page) | results as tables, from game to game, and as a page |
//! | [`statistics`] | scores, intervals, Elo, sequential tests |

pub mod adjudication;
pub mod allowance;
pub mod contestant;
pub mod course;
pub mod definition;
pub mod description;
pub mod entrant;
pub mod error;
pub mod external;
pub mod fault;
pub mod game;
pub mod internal;
pub mod ledger;
pub mod listing;
mod names;
pub mod openings;
pub mod page;
pub mod pgn;
pub mod pgn_games;
pub mod pgn_tree;
pub mod play;
pub mod player_definition;
pub mod record;
pub mod run;
pub mod schedule;
pub mod scoreboard;
pub mod statistics;
pub mod withdrawal;

pub use run::run;
