// SPDX-License-Identifier: GPL-3.0-or-later
//! Players: a search with all its settings, or another program with its options.
//!
//! All commands make players in the same way. Files and arguments give a [`PlayerSpec`], which is checked once and makes a
//! [`Player`]. Journals store its [`record`](Player::record), and reports describe the record.
//!
//! | file | idea |
//! |---|---|
//! | `search_spec` | a search as a file or a command describes it |
//! | `program_spec` | another program as a file or a command describes it |
//! | `player` | either of them |
//! | `question` | asking another program for a move |

pub mod player;
pub mod program_spec;
pub mod question;
pub mod search_spec;

pub use player::{Player, PlayerRecord, PlayerSpec, SpecError};
pub use program_spec::{Program, ProgramRecord, ProgramSpec};
pub use question::Question;
pub use search_spec::{SearchSpec, SearchSpecError};
