// SPDX-License-Identifier: GPL-3.0-or-later
//! Who thinks: a search with all its settings, or another program with its options.
//!
//! There is one way from a description to a player, whichever command it is for: files and arguments make a
//! [`PlayerSpec`], which is checked once and made a [`Player`], which can think; its [`record`](Player::record) is what
//! journals hold and what reports describe.
//!
//! | file | idea |
//! |---|---|
//! | [`search_spec`] | a search as a file or a command describes it |
//! | [`program_spec`] | another program, likewise |
//! | [`player`] | either of them |
//! | [`question`] | another program asked for the best move of a game |

pub mod player;
pub mod program_spec;
pub mod question;
pub mod search_spec;

pub use player::{Player, PlayerRecord, PlayerSpec, SpecError};
pub use program_spec::{Program, ProgramRecord, ProgramSpec};
pub use question::Question;
pub use search_spec::{SearchSpec, SearchSpecError};
