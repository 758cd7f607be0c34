// SPDX-License-Identifier: GPL-3.0-or-later
//! Games by name, and the game of a position or a record.

use std::fmt;

use clap::ValueEnum;
use thiserror::Error;

use super::{CHESS, GameName, RegisteredGame};
use crate::game::{Game, Notation};
use crate::with_game;

impl GameName {
    /// Every game, the default one first.
    pub fn all() -> &'static [Self] {
        Self::value_variants()
    }

    /// Its name in commands and files.
    pub fn name(self) -> &'static str {
        with_game!(self, G => <G as Game>::NAME)
    }

    /// The game of a position (FEN), as far as the text tells it. Whether it is a position at all, the game's own notation
    /// says.
    ///
    /// # Errors
    /// If it may be a position of several games, or of none.
    pub fn of_position(fen: &str) -> Result<Self, UnclearGame> {
        let may_be = |game: &Self| with_game!(*game, G => <G as RegisteredGame>::may_be_position(fen));
        Self::only(Self::all().iter().copied().filter(may_be).collect())
    }

    /// Whether a text is a position (FEN) of this game.
    pub fn has_position(self, fen: &str) -> bool {
        with_game!(self, G => G::parse_position(fen).is_ok())
    }

    /// The game of a game record (PGN), by its tag `Variant`; without one it is chess.
    pub fn of_record(variant: Option<&str>) -> Option<Self> {
        /// What other programs call chess, and chess from another position.
        const ALSO_CHESS: [&str; 5] = ["Standard", "Chess960", "Chess 960", "Fischerandom", "From Position"];
        let variant = variant.unwrap_or(CHESS);
        let is_chess = ALSO_CHESS.iter().any(|name| name.eq_ignore_ascii_case(variant));
        let variant = if is_chess { CHESS } else { variant };
        let is_of =
            |game: &&Self| with_game!(**game, G => <G as RegisteredGame>::UCI_VARIANT).eq_ignore_ascii_case(variant);
        Self::all().iter().find(is_of).copied()
    }

    fn only(candidates: Vec<Self>) -> Result<Self, UnclearGame> {
        if let [game] = candidates[..] { Ok(game) } else { Err(UnclearGame(candidates)) }
    }
}

/// A position does not tell its game. Holds the games that it may be of.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct UnclearGame(Vec<GameName>);

impl fmt::Display for UnclearGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |games: &[GameName]| games.iter().map(|game| game.name()).collect::<Vec<_>>().join(", ");
        match &self.0[..] {
            [] => {
                write!(f, "it is a position of no game known here ({}); name one with --game", names(GameName::all()))
            }
            games => write!(f, "it may be a position of each of {}; name one with --game", names(games)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_names_its_game() {
        for game in GameName::all() {
            let variant = with_game!(*game, G => <G as RegisteredGame>::record_variant(false));
            assert_eq!(GameName::of_record(variant), Some(*game));
        }
        assert_eq!(GameName::of_record(Some("chess960")), Some(GameName::Chess));
        assert_eq!(GameName::of_record(Some("Crazyhouse")), None);
    }

    #[test]
    fn every_game_is_registered_under_its_own_name() {
        for &game in GameName::all() {
            with_game!(game, G => {
                assert_eq!(<G as RegisteredGame>::GAME, game);
                assert_eq!(game.to_possible_value().unwrap().get_name(), game.name());
                assert_eq!(serde_json::to_value(game).unwrap(), game.name());
                assert_eq!(GameName::of_position(&G::format_position(&G::start())), Ok(game));
                for fen in G::BENCH {
                    assert!(G::may_be_position(fen), "{fen}");
                }
            });
        }
    }

    #[test]
    fn a_position_that_does_not_tell_its_game_is_an_error() {
        for (candidates, expected) in [
            (vec![], "no game known here (breakthrough, chess, othello); "),
            (vec![GameName::Breakthrough, GameName::Chess], "each of breakthrough, chess; name one with --game"),
        ] {
            let error = GameName::only(candidates).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!(GameName::only(vec![GameName::Chess]), Ok(GameName::Chess));
    }
}
