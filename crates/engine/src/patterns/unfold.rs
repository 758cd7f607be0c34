// SPDX-License-Identifier: GPL-3.0-or-later
//! Unfolding: from a feature to its patterns.
//!
//! The atoms of a feature are resolved from left to right, as Prolog does, with facts and rules of the theory. An atom
//! `owns` or `blank` is not resolved: any player and square may be meant, and the fact becomes part of the pattern. A
//! branch ends when two facts contradict each other. Each solution gives one conjunction of facts.

use std::collections::BTreeSet;

use thiserror::Error;

use super::clauses::{Atom, BLANK, OWNS, Rule, Term};
use super::conjunction::Conjunction;
use super::pattern::{Content, Pattern};
use super::theory::Theory;

/// The most atoms in one chain of resolution. A rule that refers to itself without end has more.
const DEEPEST: u32 = 1000;

/// How much work an unfolding may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most different patterns.
    pub patterns: usize,
    /// The most resolution steps.
    pub steps: u64,
}

impl Limits {
    /// Limits by the number of patterns, with steps in proportion.
    pub const fn of_patterns(patterns: usize) -> Self {
        Self { patterns, steps: 1_000_000 + 100 * patterns as u64 }
    }
}

/// Why an unfolding was not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unfinished {
    /// There are more patterns than the limit.
    #[error("it has more than {0} patterns; allow more")]
    Patterns(usize),
    /// It takes more steps than the limit.
    #[error("its unfolding takes more than {0} steps; allow more patterns, or bind a variable")]
    Steps(u64),
    /// A rule refers to itself without end, or bodies are that long.
    #[error(
        "its unfolding has a chain of {DEEPEST} atoms: a rule that refers to itself before its arguments change has no end, \
         and longer rules are not unfolded"
    )]
    Endless,
}

/// The patterns of a feature.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unfolded {
    /// The solutions: conjunctions of facts, of which several may be equal.
    pub solutions: u64,
    /// The different conjunctions of facts.
    pub patterns: BTreeSet<Pattern>,
}

/// The patterns of a feature, all of them.
///
/// # Errors
/// If a limit is reached.
pub fn unfold(theory: &Theory, feature: &Conjunction, limits: Limits) -> Result<Unfolded, Unfinished> {
    let Keyed { solutions, patterns, .. } = unfold_by(theory, feature, &[], limits)?;
    Ok(Unfolded { solutions, patterns: patterns.into_iter().map(|(_, pattern)| pattern).collect() })
}

/// The patterns of a feature, by what some of its variables stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keyed {
    solutions: u64,
    /// The constants of the variables, and a pattern.
    pub patterns: BTreeSet<(Vec<u16>, Pattern)>,
    /// How much work it was.
    pub steps: u64,
}

/// As [`unfold`], by what these variables stand for.
pub(crate) fn unfold_by(
    theory: &Theory,
    feature: &Conjunction,
    keys: &[u16],
    limits: Limits,
) -> Result<Keyed, Unfinished> {
    let bindings = vec![None; usize::from(feature.variables)];
    let mut search = Search { theory, limits, keys, bindings, trail: Vec::new(), found: Keyed::default() };
    search.solve(Some(&Frame { atoms: &feature.atoms, base: 0, next: None }), Pattern::default(), 0)?;
    Ok(search.found)
}

/// Atoms that are still to be resolved, and those after them.
struct Frame<'a> {
    atoms: &'a [Atom],
    /// The place of their first variable among the bindings.
    base: usize,
    next: Option<&'a Frame<'a>>,
}

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    /// A constant.
    Constant(u16),
    /// The same as another variable.
    Same(usize),
}

struct Search<'a> {
    theory: &'a Theory,
    limits: Limits,
    /// The variables whose constants are kept.
    keys: &'a [u16],
    /// By variable: what it stands for.
    bindings: Vec<Option<Value>>,
    /// The variables that were bound, in that order.
    trail: Vec<usize>,
    found: Keyed,
}

impl Search<'_> {
    fn solve(&mut self, mut frame: Option<&Frame<'_>>, pattern: Pattern, depth: u32) -> Result<(), Unfinished> {
        while let Some(Frame { atoms: [], next, .. }) = frame {
            frame = *next;
        }
        let Some(&Frame { atoms, base, next }) = frame else { return self.keep(pattern) };
        let Some((atom, rest)) = atoms.split_first() else { return Ok(()) };
        if depth == DEEPEST {
            return Err(Unfinished::Endless);
        }
        let rest = Frame { atoms: rest, base, next };
        match atom.predicate {
            BLANK => self.position(atom, base, None, &rest, pattern, depth),
            OWNS => {
                for (content, player) in [Content::First, Content::Second].into_iter().zip(self.theory.players) {
                    self.position(atom, base, Some((content, player)), &rest, pattern, depth)?;
                }
                Ok(())
            }
            _ => self.defined(atom, &rest, pattern, depth),
        }
    }

    /// Takes each possible fact of `blank`, or of `owns` for one player, into the pattern.
    fn position(
        &mut self,
        atom: &Atom,
        base: usize,
        owner: Option<(Content, u16)>,
        rest: &Frame<'_>,
        pattern: Pattern,
        depth: u32,
    ) -> Result<(), Unfinished> {
        let theory = self.theory;
        let content = owner.map_or(Content::Blank, |(content, _)| content);
        let place = usize::from(owner.is_some());
        let only = match self.value(atom.terms[place], base) {
            Value::Constant(constant) => theory.square_of[usize::from(constant)],
            Value::Same(_) => None,
        };
        let squares = only.map_or(0..=63, |square| square..=square);
        for square in squares {
            let (Some(constant), Some(longer)) = (theory.squares[usize::from(square)], pattern.with(content, square))
            else {
                continue;
            };
            self.step()?;
            let mark = self.trail.len();
            let is_owner = owner.is_none_or(|(_, player)| self.bind(atom.terms[0], base, player));
            if is_owner && self.bind(atom.terms[place], base, constant) {
                self.solve(Some(rest), longer, depth + 1)?;
            }
            self.undo(mark);
        }
        Ok(())
    }

    /// Resolves an atom with the facts and the rules of its predicate.
    fn defined(&mut self, atom: &Atom, rest: &Frame<'_>, pattern: Pattern, depth: u32) -> Result<(), Unfinished> {
        let (theory, base) = (self.theory, rest.base);
        let predicate = &theory.predicates[atom.predicate];
        let first = atom.terms.first().and_then(|&term| match self.value(term, base) {
            Value::Constant(constant) => Some(constant),
            Value::Same(_) => None,
        });
        for fact in predicate.facts_with(first) {
            self.step()?;
            let mark = self.trail.len();
            if atom.terms.iter().zip(fact).all(|(&term, &constant)| self.bind(term, base, constant)) {
                self.solve(Some(rest), pattern, depth + 1)?;
            }
            self.undo(mark);
        }
        for rule in &predicate.rules {
            self.step()?;
            self.rule(atom, rule, rest, pattern, depth)?;
        }
        Ok(())
    }

    fn rule(
        &mut self,
        atom: &Atom,
        rule: &Rule,
        rest: &Frame<'_>,
        pattern: Pattern,
        depth: u32,
    ) -> Result<(), Unfinished> {
        let (mark, own) = (self.trail.len(), self.bindings.len());
        self.bindings.resize(own + usize::from(rule.variables), None);
        let mut pairs = atom.terms.iter().zip(&rule.head.terms);
        if pairs.all(|(&given, &head)| self.unify(given, rest.base, head, own)) {
            self.solve(Some(&Frame { atoms: &rule.body, base: own, next: Some(rest) }), pattern, depth + 1)?;
        }
        self.undo(mark);
        self.bindings.truncate(own);
        Ok(())
    }

    fn keep(&mut self, pattern: Pattern) -> Result<(), Unfinished> {
        self.found.solutions += 1;
        // Every variable of a solution is bound: rules have no variable in the head alone, and facts have none.
        let constant = |&variable: &u16| match self.value(Term::Variable(variable), 0) {
            Value::Constant(constant) => constant,
            Value::Same(_) => u16::MAX,
        };
        let key = self.keys.iter().map(constant).collect();
        self.found.patterns.insert((key, pattern));
        let most = self.limits.patterns;
        if self.found.patterns.len() > most { Err(Unfinished::Patterns(most)) } else { Ok(()) }
    }

    fn step(&mut self) -> Result<(), Unfinished> {
        self.found.steps += 1;
        if self.found.steps > self.limits.steps { Err(Unfinished::Steps(self.limits.steps)) } else { Ok(()) }
    }

    /// A constant, or the variable at the end of a chain of equal ones.
    fn value(&self, term: Term, base: usize) -> Value {
        let mut value = match term {
            Term::Constant(constant) => Value::Constant(constant),
            Term::Variable(number) => Value::Same(base + usize::from(number)),
        };
        while let Value::Same(variable) = value {
            match self.bindings[variable] {
                Some(next) => value = next,
                None => break,
            }
        }
        value
    }

    fn bind(&mut self, term: Term, base: usize, constant: u16) -> bool {
        self.equate(self.value(term, base), Value::Constant(constant))
    }

    fn unify(&mut self, given: Term, base: usize, head: Term, own: usize) -> bool {
        self.equate(self.value(given, base), self.value(head, own))
    }

    fn equate(&mut self, left: Value, right: Value) -> bool {
        match (left, right) {
            (left, right) if left == right => return true,
            (Value::Constant(_), Value::Constant(_)) => return false,
            // The newer of two variables stands for the older, which exists longer.
            (Value::Same(left), Value::Same(right)) => self.set(left.max(right), Value::Same(left.min(right))),
            (Value::Same(variable), constant) | (constant, Value::Same(variable)) => self.set(variable, constant),
        }
        true
    }

    fn set(&mut self, variable: usize, value: Value) {
        self.bindings[variable] = Some(value);
        self.trail.push(variable);
    }

    fn undo(&mut self, mark: usize) {
        for variable in self.trail.drain(mark..) {
            self.bindings[variable] = None;
        }
    }
}
