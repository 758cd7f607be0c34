// SPDX-License-Identifier: GPL-3.0-or-later
//! What the rules prove of atoms of moves: that no move has both, or that each move with one has the other.
//!
//! Both are conjunctions of conditions that no move may have. For each player and all squares of a move, the patterns of the
//! conditions that must be true are joined, with what is known of every legal move. The conjunction is impossible if all of
//! these contradict themselves, or say what must not be true. Nothing is known of what a move leaves as it was, so not
//! everything that is true is proved.

use super::moves::MoveAtoms;
use super::pattern::Pattern;

/// More joined patterns than this are not looked at: nothing is proved.
const MOST_JOINED: usize = 10_000;
/// The place of a move's end in [`Seen::squares`](super::Seen::squares).
const TO: usize = 1;

/// Conditions by number, and whether they must not be true.
type Literals = Vec<(usize, bool)>;

/// Facts after a move, and before it.
type Facts = [Pattern; 2];
/// The squares of [`Seen`](super::Seen): from where, to where, and where the previous move ended.
type Squares = [Option<u8>; 3];

/// Proves relations of the atoms of a theory that says what a move does (`:- after owns(P, S) if legal_move(_, S, P).`).
#[derive(Debug)]
pub struct Proofs<'a> {
    atoms: &'a MoveAtoms,
    /// By place, the patterns of which one must be there.
    patterns: Vec<Vec<Pattern>>,
    /// Whether the second player moves, from where and to where, as far as legal moves name squares, and the facts of
    /// which one is there.
    moves: Vec<(bool, Squares, Vec<Facts>)>,
}

impl<'a> Proofs<'a> {
    /// Prepares proofs about these atoms.
    pub fn new(atoms: &'a MoveAtoms) -> Self {
        let mut proofs = Self { atoms, patterns: atoms.conditions.patterns(), moves: Vec::new() };
        let known: Literals = atoms.known.iter().map(|&number| (number, false)).collect();
        let anything = (vec![[Pattern::default(); 2]], [None; 3]);
        for second_moves in [false, true] {
            for squares in proofs.expanded(&known, anything.1) {
                // What is joined too often is not known.
                let facts = proofs.joined(&known, second_moves, squares, &anything.0);
                let facts = facts.unwrap_or_else(|| anything.0.clone());
                if !facts.is_empty() {
                    proofs.moves.push((second_moves, squares, facts));
                }
            }
        }
        proofs
    }

    /// Whether no legal move can have both atoms, which are given by their places in [`MoveAtoms::atoms`].
    pub fn exclude(&self, one: usize, other: usize) -> bool {
        self.is_impossible([self.literals(one), self.literals(other)].concat())
    }

    /// Whether every legal move with the first atom has the second one.
    pub fn implies(&self, one: usize, other: usize) -> bool {
        let mut opposites = self.literals(other).into_iter().map(|(number, is_negated)| (number, !is_negated));
        opposites.all(|opposite| self.is_impossible([self.literals(one), vec![opposite]].concat()))
    }

    fn literals(&self, atom: usize) -> Literals {
        self.atoms.atoms().get(atom).map(|atom| atom.conditions.clone()).unwrap_or_default()
    }

    /// Whether no move of either player has all of these.
    fn is_impossible(&self, mut literals: Literals) -> bool {
        // First those that must be true: what is joined then has to contradict the others.
        literals.sort_by_key(|&(_, is_negated)| is_negated);
        self.moves.iter().all(|&(second_moves, squares, ref facts)| {
            self.expanded(&literals, squares).into_iter().all(|squares| {
                self.joined(&literals, second_moves, squares, facts).is_some_and(|facts| facts.is_empty())
            })
        })
    }

    /// All choices of those squares that the conditions name and that are not given.
    fn expanded(&self, literals: &Literals, squares: Squares) -> Vec<Squares> {
        let conditions = &self.atoms.conditions;
        let mut all = vec![squares];
        for (key, given) in squares.iter().enumerate() {
            if given.is_none() && literals.iter().any(|&(number, _)| conditions.names(number, key)) {
                // Some moves have no first square, and the previous move may be unknown; where a move ends is always known.
                let choices = || (0..64).map(Some).chain((key != TO).then_some(None));
                let with = |mut squares: Squares, square| {
                    squares[key] = square;
                    squares
                };
                all = all.into_iter().flat_map(|squares| choices().map(move |square| with(squares, square))).collect();
            }
        }
        all
    }

    /// These facts joined with what the conditions say, without contradictions; none if there are too many.
    fn joined(&self, literals: &Literals, second_moves: bool, squares: Squares, facts: &[Facts]) -> Option<Vec<Facts>> {
        let conditions = &self.atoms.conditions;
        let mut joined = facts.to_vec();
        for &(number, is_negated) in literals {
            let place = conditions.place(number, second_moves, squares);
            let patterns = place.map(|place| &self.patterns[place][..]).unwrap_or_default();
            let side = usize::from(conditions.is_before(number));
            if is_negated {
                joined.retain(|facts| !patterns.iter().any(|pattern| pattern.is_part_of(facts[side])));
            } else if joined.len() * patterns.len() > MOST_JOINED {
                return None;
            } else {
                let with = |mut facts: Facts, pattern: Pattern| {
                    facts[side] = facts[side].and(pattern)?;
                    Some(facts)
                };
                joined = joined
                    .iter()
                    .flat_map(|&facts| patterns.iter().filter_map(move |&pattern| with(facts, pattern)))
                    .collect();
            }
            if joined.is_empty() {
                break;
            }
        }
        Some(joined)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Breakthrough, RegisteredGame as _};

    #[test]
    fn the_rules_prove_what_they_say_and_nothing_else() {
        let rules = Breakthrough::THEORY.unwrap().text;
        let text = r#"
            corner(a1). corner(h8).
            same(S, S) :- square(S).
            :- atom Corner if corner(To).
            :- atom Takes if before owns(Them, To).
            :- atom Steps if before blank(To).
            :- atom Leaves if before owns(Us, From).
            :- atom Attacked if protects(_, To, Them).
            :- atom Safe if not protects(_, To, Them).
            :- atom Replies if same(To, Last).
            :- atom Retakes if before owns(Them, To), same(To, Last).
            :- atom Vanishes if blank(To).
        "#;
        let atoms = MoveAtoms::parse(None, &format!("{rules}{text}"), "test", &[]).unwrap();
        let proofs = Proofs::new(&atoms);
        let place = |name: &str| atoms.atoms().iter().position(|atom| atom.name == name).unwrap();
        let exclude = |one, other| proofs.exclude(place(one), place(other));
        let implies = |one, other| proofs.implies(place(one), place(other));
        // By contents of a square, by a condition and its negation, by the effect of a move.
        assert!(exclude("Takes", "Steps") && exclude("Attacked", "Safe") && exclude("Vanishes", "Takes"));
        assert!(!exclude("Takes", "Attacked") && !exclude("Corner", "Steps") && !exclude("Retakes", "Takes"));
        // All moves leave a square that the mover owned, because they are legal.
        assert!(implies("Retakes", "Takes") && implies("Retakes", "Replies") && implies("Corner", "Leaves"));
        assert!(!implies("Takes", "Retakes") && !implies("Replies", "Retakes") && !implies("Leaves", "Corner"));
    }
}
