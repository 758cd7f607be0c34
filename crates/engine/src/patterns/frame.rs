// SPDX-License-Identifier: GPL-3.0-or-later
//! How positions become facts, and which patterns share a weight: images under the symmetries of a game are worth the
//! same, and those with exchanged players the opposite.

use std::fmt;
use std::str::FromStr;

use super::pattern::Pattern;
use super::symmetry::Symmetry;

/// Whose pieces the facts of the first player are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The first player's, whoever is to move: as in the paper. Values are the first player's.
    Players,
    /// The mover's: where the second player is to move, the players are exchanged. Values are the mover's.
    Mover,
}

impl View {
    /// Its name in files and commands.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Players => "players",
            Self::Mover => "mover",
        }
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for View {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = [Self::Players, Self::Mover];
        all.into_iter()
            .find(|view| view.name() == text)
            .ok_or_else(|| format!("{text:?} is not a view: players or mover"))
    }
}

/// A view, and the symmetries of the game under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    view: View,
    /// Images under these share a weight. Only of the view of the players do any exchange the players.
    ties: Vec<Symmetry>,
    /// What exchanges the players, for the view of the mover.
    exchange: Option<Symmetry>,
}

impl Frame {
    /// The frame of a game with these symmetries; none if the view is the mover's and no symmetry exchanges the players.
    pub fn new(view: View, symmetries: &[Symmetry]) -> Option<Self> {
        let exchanging = symmetries.iter().copied().find(|symmetry| symmetry.exchanges_players());
        Some(match view {
            View::Players => Self { view, ties: symmetries.to_vec(), exchange: None },
            View::Mover => {
                let ties = symmetries.iter().copied().filter(|symmetry| !symmetry.exchanges_players()).collect();
                Self { view, ties, exchange: Some(exchanging?) }
            }
        })
    }

    /// Whose pieces the facts of the first player are.
    pub const fn view(&self) -> View {
        self.view
    }

    /// The symmetries whose images share a weight.
    pub fn ties(&self) -> &[Symmetry] {
        &self.ties
    }

    /// What exchanges the players, for the view of the mover.
    pub const fn exchange(&self) -> Option<Symmetry> {
        self.exchange
    }

    /// The facts of a position as this view has them.
    pub fn facts(&self, facts: Pattern, first_moves: bool) -> Pattern {
        match self.exchange {
            Some(exchange) if !first_moves => exchange.image(facts),
            _ => facts,
        }
    }

    /// A value for the mover as one of this view, and the other way round.
    pub fn value(&self, value: f64, first_moves: bool) -> f64 {
        match self.view {
            View::Players if !first_moves => -value,
            _ => value,
        }
    }

    /// The least of a pattern's images: equal for patterns that share a weight.
    pub fn representative(&self, pattern: Pattern) -> Pattern {
        super::symmetry::representative(&self.ties, pattern)
    }

    /// The images of a pattern, each once, with 1 or -1 times its weight; none if an image is the pattern's own opposite,
    /// so that its weight is 0.
    pub fn images(&self, pattern: Pattern) -> Option<Vec<(Pattern, i8)>> {
        let mut images: Vec<(Pattern, i8)> =
            self.ties.iter().map(|symmetry| (symmetry.image(pattern), symmetry.sign())).collect();
        images.sort_unstable();
        images.dedup();
        images.windows(2).all(|pair| pair[0].0 != pair[1].0).then_some(images)
    }
}
