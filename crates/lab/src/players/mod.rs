// SPDX-License-Identifier: GPL-3.0-or-later
//! Players: a search with all its settings, or another program with its options.
//!
//! All commands make players in the same way. Files and arguments give a [`PlayerSpec`], which is checked once and makes a
//! [`Player`]. Journals store its [`record`](Player::record), and reports describe the record.

pub mod player;
pub mod program_spec;
pub mod question;
pub mod search_spec;

pub use player::{Player, PlayerRecord, PlayerSpec, SpecError};
pub use program_spec::{Program, ProgramRecord, ProgramSpec};
pub use question::Question;
pub use search_spec::{SearchSpec, SearchSpecError};
