// SPDX-License-Identifier: GPL-3.0-or-later
//! Features: conjunctions of atoms of a theory. The value of a feature in a position is the number of its solutions.

use super::clauses::{Atom, Rule, Term};

/// A conjunction of atoms. Variables are numbered in the order of their first places, and there are no duplicate atoms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Conjunction {
    /// The atoms.
    pub atoms: Vec<Atom>,
    /// How many variables they have.
    pub variables: u16,
}

impl Conjunction {
    /// The conjunction of these atoms; their variables may have any numbers.
    pub fn new(atoms: impl IntoIterator<Item = Atom>) -> Self {
        let mut order: Vec<u16> = Vec::new();
        let mut kept: Vec<Atom> = Vec::new();
        for mut atom in atoms {
            for term in &mut atom.terms {
                let Term::Variable(number) = term else { continue };
                let place = order.iter().position(|known| known == number).unwrap_or_else(|| {
                    order.push(*number);
                    order.len() - 1
                });
                *term = Term::Variable(place as u16);
            }
            if !kept.contains(&atom) {
                kept.push(atom);
            }
        }
        Self { atoms: kept, variables: order.len() as u16 }
    }

    /// The conjunction with a variable replaced by a constant.
    pub fn bound(&self, variable: u16, constant: u16) -> Self {
        let mut atoms = self.atoms.clone();
        for term in atoms.iter_mut().flat_map(|atom| &mut atom.terms) {
            if *term == Term::Variable(variable) {
                *term = Term::Constant(constant);
            }
        }
        Self::new(atoms)
    }

    /// The conjunction with the atom at `place` replaced by the body of a rule for it; none if the rule's head does not fit
    /// the atom.
    pub fn replaced(&self, place: usize, rule: &Rule) -> Option<Self> {
        let atom = self.atoms.get(place)?;
        // The rule's variables are numbered after those of the conjunction.
        let shifted = |term: Term| match term {
            Term::Variable(number) => Term::Variable(self.variables + number),
            constant @ Term::Constant(_) => constant,
        };
        let mut values = vec![None; usize::from(self.variables) + usize::from(rule.variables)];
        for (&left, &right) in atom.terms.iter().zip(&rule.head.terms) {
            match (value(&values, left), value(&values, shifted(right))) {
                (left, right) if left == right => {}
                (term, Term::Variable(number)) | (Term::Variable(number), term) => {
                    values[usize::from(number)] = Some(term);
                }
                _ => return None,
            }
        }
        let mut atoms = Vec::with_capacity(self.atoms.len() + rule.body.len());
        for (other, own) in self.atoms.iter().enumerate() {
            if other != place {
                atoms.push(own.clone());
                continue;
            }
            let body = rule.body.iter().map(|atom| Atom {
                predicate: atom.predicate,
                terms: atom.terms.iter().map(|&term| shifted(term)).collect(),
            });
            atoms.extend(body);
        }
        for term in atoms.iter_mut().flat_map(|atom| &mut atom.terms) {
            *term = value(&values, *term);
        }
        Some(Self::new(atoms))
    }
}

/// What a term stands for, as far as that is known.
fn value(values: &[Option<Term>], mut term: Term) -> Term {
    while let Term::Variable(number) = term {
        match values[usize::from(number)] {
            Some(next) => term = next,
            None => break,
        }
    }
    term
}
