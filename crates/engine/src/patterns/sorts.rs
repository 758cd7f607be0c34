// SPDX-License-Identifier: GPL-3.0-or-later
//! Which arguments are players and which are squares, inferred from `owns(Player, Square)` and `blank(Square)`.

use super::clauses::{Atom, Predicate, Rule, Sort, Term};

/// The atoms of a clause with their lines.
pub(super) struct Checked<'a> {
    pub(super) rule: &'a Rule,
    pub(super) lines: Vec<usize>,
}

/// Infers the sorts of all predicates from the clauses.
///
/// # Errors
/// If a variable is a player in one place and a square in another: the line, and a reason.
pub(super) fn infer(predicates: &mut [Predicate], clauses: &[Checked<'_>]) -> Result<(), (usize, String)> {
    loop {
        let mut has_changed = false;
        for Checked { rule, lines } in clauses {
            let atoms = || rule.body.iter().chain([&rule.head]);
            let mut sorts = vec![None; usize::from(rule.variables)];
            for (atom, &line) in atoms().zip(lines) {
                merge(predicates, atom, &mut sorts).map_err(|reason| (line, reason))?;
            }
            for atom in atoms() {
                let places = predicates[atom.predicate].sorts.iter_mut().zip(&atom.terms);
                for (sort, term) in places.filter(|(sort, _)| sort.is_none()) {
                    *sort = term.variable().and_then(|variable| sorts[usize::from(variable)]);
                    has_changed |= sort.is_some();
                }
            }
        }
        if !has_changed {
            return Ok(());
        }
    }
}

/// Takes what an atom says of its variables into `sorts`.
pub(super) fn merge(predicates: &[Predicate], atom: &Atom, sorts: &mut [Option<Sort>]) -> Result<(), String> {
    let predicate = &predicates[atom.predicate];
    for (place, (&sort, term)) in predicate.sorts.iter().zip(&atom.terms).enumerate() {
        let (Some(sort), Some(variable)) = (sort, term.variable()) else { continue };
        let known = &mut sorts[usize::from(variable)];
        if known.is_some_and(|known| known != sort) {
            let (here, there) = match sort {
                Sort::Player => ("player", "square"),
                Sort::Square => ("square", "player"),
            };
            return Err(format!(
                "argument {} of {} is a {here}, but this variable is a {there} in the same clause; the order is \
                 owns(Player, Square)",
                place + 1,
                predicate.name
            ));
        }
        *known = Some(sort);
    }
    Ok(())
}

/// The sorts of a feature's variables.
pub(super) fn of_variables(predicates: &[Predicate], atoms: &[Atom], variables: u16) -> Vec<Option<Sort>> {
    let mut sorts = vec![None; usize::from(variables)];
    for atom in atoms {
        for (&sort, term) in predicates[atom.predicate].sorts.iter().zip(&atom.terms) {
            if let (Some(sort), &Term::Variable(variable)) = (sort, term) {
                sorts[usize::from(variable)] = Some(sort);
            }
        }
    }
    sorts
}
