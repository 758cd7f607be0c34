// SPDX-License-Identifier: GPL-3.0-or-later
//! A domain theory: the rules of a game as function-free Horn clauses.

use std::path::Path;

use super::board::Board;
use super::conjunction::Conjunction;
use super::{build, syntax};
use crate::base::data_file::{self, DataFileError};

/// The most bytes of a theory.
const LARGEST: u64 = 1 << 20;

/// The predicate of a player's squares, `owns(Player, Square)`.
pub(super) const OWNS: usize = 0;
/// The predicate of blank squares, `blank(Square)`.
pub(super) const BLANK: usize = 1;

/// An argument of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// A variable, numbered within its clause.
    Variable(u16),
    /// A constant, numbered within its theory.
    Constant(u16),
}

impl Term {
    /// The number of a variable.
    #[must_use]
    pub const fn variable(self) -> Option<u16> {
        match self {
            Self::Variable(number) => Some(number),
            Self::Constant(_) => None,
        }
    }
}

/// A predicate with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom {
    /// Its place in [`Theory::predicates`].
    pub predicate: usize,
    /// Its arguments, as many as the predicate has.
    pub terms: Vec<Term>,
}

/// A clause with a body: the head is true where all atoms of the body are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule {
    /// What follows.
    pub head: Atom,
    /// What it follows from.
    pub body: Vec<Atom>,
    /// How many variables head and body have.
    pub variables: u16,
}

/// What an argument stands for, as far as transformations need to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// One of the two players.
    Player,
    /// A square of the board.
    Square,
}

/// A predicate: `owns`, `blank`, or one that the theory defines.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: String,
    /// The number of its arguments.
    pub arity: usize,
    /// Its facts, sorted.
    pub facts: Vec<Vec<u16>>,
    /// Its rules, in the order of the text.
    pub rules: Vec<Rule>,
    /// Whether it is the same in all positions: no rule leads to `owns` or `blank`.
    pub is_static: bool,
    /// What its arguments stand for, as far as that is known.
    pub sorts: Vec<Option<Sort>>,
}

impl Predicate {
    /// Its facts with this first argument; all if it is not known.
    pub(super) fn facts_with(&self, first: Option<u16>) -> &[Vec<u16>] {
        let Some(first) = first else { return &self.facts };
        let start = self.facts.partition_point(|fact| fact[0] < first);
        let length = self.facts[start..].partition_point(|fact| fact[0] == first);
        &self.facts[start..start + length]
    }
}

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
    /// The theory in a file.
    ///
    /// # Errors
    /// If it cannot be read, or is wrong: the error names the line and says what to write.
    pub fn load(path: &Path) -> Result<Self, DataFileError> {
        Self::parse(&Self::read(path)?, &path.display().to_string())
    }

    /// The text of a theory's file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(path: &Path) -> Result<String, DataFileError> {
        data_file::read_up_to(LARGEST, path, "a domain theory; `halfply bundled` lists two")
    }

    /// The theory that a text describes; errors call the text `name`.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn parse(text: &str, name: &str) -> Result<Self, DataFileError> {
        let wrong = |(line, reason)| DataFileError::Line { name: name.to_owned(), line, reason };
        build::build(&syntax::statements(text).map_err(wrong)?).map_err(wrong)
    }

    /// The feature that a text describes, such as `legal_move(S, x)` or `owns(x, S), neighbor(S, D, T), blank(T)`.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn feature(&self, text: &str) -> Result<Conjunction, String> {
        let atoms = syntax::conjunction(text).map_err(|(_, reason)| reason)?;
        build::feature(self, &atoms).map_err(|(_, reason)| reason)
    }

    /// Letters for the players in drawings: the first of each name, or `1` and `2` if these are equal.
    #[must_use]
    pub fn letters(&self) -> [char; 2] {
        let [first, second] = self.players.map(|player| self.constants[usize::from(player)].chars().next());
        match (first, second) {
            (Some(first), Some(second)) if first != second => [first, second],
            _ => ['1', '2'],
        }
    }

    /// Whether an atom is the same in all positions.
    #[must_use]
    pub fn is_static(&self, atom: &Atom) -> bool {
        self.predicates[atom.predicate].is_static
    }

    /// An atom as text. Variables are called `A` to `Z`, `A1`, and so on.
    #[must_use]
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
    #[must_use]
    pub fn text(&self, feature: &Conjunction) -> String {
        feature.atoms.iter().map(|atom| self.atom_text(atom)).collect::<Vec<_>>().join(", ")
    }
}
