// SPDX-License-Identifier: GPL-3.0-or-later
//! What a theory consists of: predicates, and clauses of them.

/// The predicate of a player's squares, `owns(Player, Square)`.
pub(super) const OWNS: usize = 0;
/// The predicate of blank squares, `blank(Square)`.
pub(super) const BLANK: usize = 1;
/// The predicate of what may be played: squares in the order of a move, and the player.
pub(super) const LEGAL_MOVE: &str = "legal_move";

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
    /// Its place in [`Theory::predicates`](super::Theory::predicates).
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
