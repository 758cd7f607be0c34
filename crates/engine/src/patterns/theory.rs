// SPDX-License-Identifier: GPL-3.0-or-later
//! A domain theory: the rules of a game as function-free Horn clauses.

use super::board::Board;
use super::clauses::{Atom, Predicate, Rule, Term};
use super::conjunction::Conjunction;

/// The rules of a game, checked.
#[derive(Clone, Debug)]
pub struct Theory {
    /// The names of the constants.
    pub constants: Vec<String>,
    /// The predicates, `owns` and `blank` first.
    pub predicates: Vec<Predicate>,
    /// The board.
    pub board: Board,
    /// The two players, as constants, in the order of the text.
    pub players: [u16; 2],
    /// By square: its constant, for squares of the board.
    pub(super) squares: Vec<Option<u16>>,
    /// By constant: its square, if it is one.
    pub(super) square_of: Vec<Option<u8>>,
    /// The features that generation starts from.
    pub starts: Vec<Conjunction>,
    /// What is true after a move, by what is true before it.
    pub effects: Vec<Rule>,
}

impl Theory {
    /// Letters for the players in drawings: the first of each name, or `1` and `2` if these are equal.
    pub fn letters(&self) -> [char; 2] {
        let [first, second] = self.players.map(|player| self.constants[usize::from(player)].chars().next());
        match (first, second) {
            (Some(first), Some(second)) if first != second => [first, second],
            _ => ['1', '2'],
        }
    }

    /// Whether an atom is the same in all positions.
    pub fn is_static(&self, atom: &Atom) -> bool {
        self.predicates[atom.predicate].is_static
    }

    /// An atom as text. Variables are called `A` to `Z`, `A1`, and so on.
    pub fn atom_text(&self, atom: &Atom) -> String {
        let name = |term: &Term| match *term {
            Term::Constant(number) => self.constants[usize::from(number)].clone(),
            Term::Variable(number) => {
                let letter = char::from(b'A' + (number % 26) as u8);
                if number < 26 { letter.to_string() } else { format!("{letter}{}", number / 26) }
            }
        };
        let predicate = &self.predicates[atom.predicate].name;
        let terms: Vec<String> = atom.terms.iter().map(name).collect();
        if terms.is_empty() { predicate.clone() } else { format!("{predicate}({})", terms.join(", ")) }
    }

    /// A feature as text that [`feature`](Self::feature) reads.
    pub fn text(&self, feature: &Conjunction) -> String {
        feature.atoms.iter().map(|atom| self.atom_text(atom)).collect::<Vec<_>>().join(", ")
    }
}
