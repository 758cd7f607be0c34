// SPDX-License-Identifier: GPL-3.0-or-later
//! The symmetries of a game, found in its rules: rotations and reflections of the board, with or without an exchange of
//! the players, that map the theory onto itself.

use std::collections::BTreeSet;
use std::fmt;

use super::board::{Board, Turn};
use super::clauses::{Atom, Rule, Term};
use super::pattern::{Content, Pattern};
use super::theory::Theory;

/// A symmetry of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    turn: Turn,
    exchanges_players: bool,
}

impl Symmetry {
    /// All symmetries of a game. The first changes nothing.
    pub fn all(theory: &Theory) -> Vec<Self> {
        let both = |turn| [false, true].map(|exchanges_players| Self { turn, exchanges_players });
        theory.board.turns().into_iter().flat_map(both).filter(|symmetry| symmetry.keeps(theory)).collect()
    }

    /// Whether it exchanges the players.
    pub const fn exchanges_players(self) -> bool {
        self.exchanges_players
    }

    /// What it does to a value for the first player: -1 if it exchanges the players, else 1.
    pub const fn sign(self) -> i8 {
        if self.exchanges_players { -1 } else { 1 }
    }

    /// The symmetry that [`Display`](fmt::Display) has written, on a board; none if the board has no such symmetry.
    pub fn named(name: &str, board: Board) -> Option<Self> {
        let (turn, exchanges_players) = match name.strip_suffix('x') {
            Some(turn) => (turn, true),
            None => (name, false),
        };
        let turn = board.turns().into_iter().find(|known| known.number().to_string() == turn)?;
        Some(Self { turn, exchanges_players })
    }

    /// Where a square goes.
    pub const fn square(self, square: u8) -> u8 {
        self.turn.square(square)
    }

    /// The image of a pattern.
    pub fn image(self, pattern: Pattern) -> Pattern {
        let image = |(content, square)| {
            let content = match content {
                Content::First if self.exchanges_players => Content::Second,
                Content::Second if self.exchanges_players => Content::First,
                other => other,
            };
            (content, self.turn.square(square))
        };
        // A symmetry moves different squares to different squares, so no two facts contradict each other.
        pattern
            .facts()
            .map(image)
            .fold(Pattern::default(), |pattern, (content, square)| pattern.with(content, square).unwrap_or(pattern))
    }

    /// Whether the theory says the same of the image of a position as of the position.
    fn keeps(self, theory: &Theory) -> bool {
        let Some(renaming) = self.renaming(theory) else { return false };
        let renamed_atom = |atom: &Atom| {
            let renamed = |&term: &Term| match term {
                Term::Constant(number) => Term::Constant(renaming[usize::from(number)]),
                variable @ Term::Variable(_) => variable,
            };
            Atom { predicate: atom.predicate, terms: atom.terms.iter().map(renamed).collect() }
        };
        let renamed_rule = |rule: &Rule| Rule {
            head: renamed_atom(&rule.head),
            body: rule.body.iter().map(renamed_atom).collect(),
            variables: rule.variables,
        };
        let renamed_fact = |fact: &Vec<u16>| fact.iter().map(|&number| renaming[usize::from(number)]).collect();
        theory.predicates.iter().all(|predicate| {
            let facts: BTreeSet<Vec<u16>> = predicate.facts.iter().map(renamed_fact).collect();
            let rules: BTreeSet<Rule> = predicate.rules.iter().map(renamed_rule).collect();
            facts.iter().eq(&predicate.facts) && rules == predicate.rules.iter().cloned().collect()
        })
    }

    /// By constant: what it becomes. Squares, compass directions and players change, other constants do not.
    fn renaming(self, theory: &Theory) -> Option<Vec<u16>> {
        let numbered = |name: &str| theory.constants.iter().position(|known| known == name).map(|place| place as u16);
        let [first, second] = theory.players;
        let renamed = |number: usize| match number as u16 {
            player if player == first || player == second => match self.exchanges_players {
                true => Some(first + second - player),
                false => Some(player),
            },
            _ => match theory.square_of[number] {
                Some(square) => theory.squares[usize::from(self.turn.square(square))],
                None => numbered(self.turn.direction(&theory.constants[number])),
            },
        };
        (0..theory.constants.len()).map(renamed).collect()
    }
}

/// The number of the turn, and `x` if the players are exchanged.
impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.turn.number(), if self.exchanges_players { "x" } else { "" })
    }
}

/// The least of a pattern's images: equal for patterns that are images of each other.
pub fn representative(symmetries: &[Symmetry], pattern: Pattern) -> Pattern {
    symmetries.iter().map(|symmetry| symmetry.image(pattern)).min().unwrap_or(pattern)
}
