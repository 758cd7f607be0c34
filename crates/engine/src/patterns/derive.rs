// SPDX-License-Identifier: GPL-3.0-or-later
//! Atoms of moves from the rules alone: every predicate about squares, applied to the squares of a move and of the move
//! before it, for both players, before and after the move.
//!
//! Two predicates have a meaning: `legal_move`, and `goal(Player)`. If a move takes a piece from a square to another, and a
//! piece on certain squares has reached the goal, then every square has a distance to it: the moves that a piece alone on
//! the board needs if the opponent passes. Nothing else is known of a game.

use std::collections::{BTreeMap, BTreeSet};

use super::board::{Board, square_name};
use super::build;
use super::clauses::{BLANK, LEGAL_MOVE, Predicate, Sort};
use super::moves::statements_with;
use super::pattern::Content;
use super::symmetry::Symmetry;
use super::syntax::{Statement, Wrong};
use super::theory::Theory;
use super::unfold::{Limits, unfold_by};
use crate::base::data_file::DataFileError;

/// How much a predicate may unfold to, where distances are derived; it is left out otherwise.
const LIMITS: Limits = Limits { patterns: 20_000, steps: 1_000_000 };
/// The most atoms that are derived.
const MOST: usize = 4096;
/// The columns of a line of facts.
const COLUMNS: usize = 110;

/// Atoms that were derived, as clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The rules, and the clauses that the atoms need besides.
    pub clauses: String,
    /// The atoms, the simplest first: a directive each.
    pub atoms: Vec<String>,
}

/// The atoms of moves that follow from the rules in a text; `rules` are read before one without a board.
///
/// # Errors
/// If the text is wrong: the error calls it `name` and has the line.
pub fn derive(rules: Option<&str>, text: &str, name: &str) -> Result<Derived, DataFileError> {
    let wrong = |(line, reason): Wrong| DataFileError::Line { name: name.to_owned(), line: line.max(1), reason };
    let statements = statements_with(rules, text).map_err(wrong)?;
    let theory = build::build(&statements).map_err(wrong)?;
    let derived = Derived { clauses: String::new(), atoms: Vec::new() };
    let mut making = Making { theory: &theory, names: BTreeSet::new(), derived };
    for statement in statements.iter().filter(|statement| !matches!(statement, Statement::Start { .. })) {
        making.derived.clauses += &format!("{statement}\n");
    }
    making.previous_move();
    making.regions();
    making.goal();
    // The simpler atoms first, and the facts and what may be played before what it is made of: of those that say nearly the
    // same, the first ones are kept.
    let mut predicates: Vec<(usize, &Predicate)> = theory.predicates.iter().enumerate().collect();
    predicates.retain(|(_, predicate)| !predicate.is_static);
    predicates.sort_by_key(|(number, predicate)| (*number > BLANK, predicate.name != LEGAL_MOVE, *number));
    for named in 1..=2 {
        for (_, predicate) in &predicates {
            making.predicate(predicate, named);
        }
    }
    making.derived.atoms.truncate(MOST);
    Ok(making.derived)
}

struct Making<'a> {
    theory: &'a Theory,
    names: BTreeSet<String>,
    derived: Derived,
}

impl Making<'_> {
    /// Predicates whose names differ in more than letters and digits may give equal names; the first one keeps it.
    fn atom(&mut self, name: &str, meaning: &str, conditions: &str) {
        if !self.names.insert(name.to_owned()) {
            return;
        }
        self.derived.atoms.push(format!(":- atom {name} \"{meaning}\" if {conditions}."));
    }

    /// A property of the move's end, and its opposite.
    fn both(&mut self, names: [&str; 2], meaning: &str, condition: &str) {
        self.atom(names[0], meaning, condition);
        self.atom(names[1], &format!("not so: {meaning}"), &format!("not {condition}"));
    }

    /// Facts, side by side.
    fn facts(&mut self, facts: impl IntoIterator<Item = String>) {
        let mut line = String::new();
        for fact in facts {
            if line.len() + fact.len() > COLUMNS {
                self.derived.clauses += &format!("{}\n", line.trim_end());
                line.clear();
            }
            line += &format!("{fact}. ");
        }
        self.derived.clauses += &format!("{}\n", line.trim_end());
    }

    fn previous_move(&mut self) {
        self.derived.clauses += "same_square(S, S) :- square(S).\nbeside(S, T) :- neighbor(S, _, T).\n";
        self.atom("Replies", "ends where the opponent's last move ended", "same_square(To, Last)");
        self.atom("Beside", "ends beside where the opponent's last move ended", "beside(To, Last)");
        self.atom("LeavesIt", "starts beside where the opponent's last move ended", "beside(From, Last)");
    }

    /// Squares that the game's symmetries do not tell apart; where they only mirror the board, by their distance to the side.
    fn regions(&mut self) {
        let symmetries = Symmetry::all(self.theory);
        let kept: Vec<Symmetry> = symmetries.into_iter().filter(|symmetry| !symmetry.exchanges_players()).collect();
        let Board { columns, rows, .. } = self.theory.board;
        let image = |symmetry: &Symmetry, square: u8| symmetry.square(square);
        let squares: Vec<u8> = self.theory.board.squares().collect();
        let mirrors = |square: u8| (columns - 1 - square % 8) + square / 8 * 8;
        let only_sides = kept.len() == 2 && squares.iter().all(|&square| image(&kept[1], square) == mirrors(square));
        if only_sides {
            for reach in 0..(columns / 2).saturating_sub(1) {
                let aside = |square: u8| (square % 8).min(columns - 1 - square % 8);
                let near = squares.iter().filter(|&&square| aside(square) <= reach);
                let facts: Vec<String> = near.map(|&square| format!("side{reach}({})", square_name(square))).collect();
                self.facts(facts);
                let meaning = format!("ends on one of the {} files next to the sides", 2 * (reach + 1));
                let names = [format!("Side{reach}"), format!("Inside{reach}")];
                self.both([&names[0], &names[1]], &meaning, &format!("side{reach}(To)"));
            }
        } else if kept.len() > 1 {
            let class = |square: u8| kept.iter().map(|symmetry| image(symmetry, square)).min().unwrap_or(square);
            let classes: BTreeSet<u8> = squares.iter().map(|&square| class(square)).collect();
            for first in classes.into_iter().filter(|_| columns * rows > 1) {
                let name = square_name(first);
                let of_class = squares.iter().filter(|&&square| class(square) == first);
                let facts: Vec<String> =
                    of_class.map(|&square| format!("like_{name}({})", square_name(square))).collect();
                self.facts(facts);
                let meaning = format!("ends on {name}, or on a square that is the same by symmetry");
                self.atom(&format!("Like{}", name.to_uppercase()), &meaning, &format!("like_{name}(To)"));
            }
        }
    }

    /// The predicate of that name with these sorts.
    fn named(&self, name: &str, sorts: &[Sort]) -> Option<&Predicate> {
        let wanted: Vec<Option<Sort>> = sorts.iter().copied().map(Some).collect();
        self.theory.predicates.iter().find(|predicate| predicate.name == name && predicate.sorts == wanted)
    }

    /// By player: from where to where a piece alone moves, and whether a step needs no more than a blank square.
    fn steps(&self) -> Option<[BTreeMap<(u8, u8), bool>; 2]> {
        self.named(LEGAL_MOVE, &[Sort::Square, Sort::Square, Sort::Player])?;
        let mut all = [BTreeMap::new(), BTreeMap::new()];
        for (side, player) in self.theory.players.into_iter().enumerate() {
            let name = &self.theory.constants[usize::from(player)];
            let feature = self.theory.feature(&format!("{LEGAL_MOVE}(From, To, {name})")).ok()?;
            let own = if side == 0 { Content::First } else { Content::Second };
            for (key, pattern) in unfold_by(self.theory, &feature, &[0, 1], LIMITS).ok()?.patterns {
                let square = |place: usize| self.theory.square_of[usize::from(key[place])];
                let (Some(from), Some(to)) = (square(0), square(1)) else { continue };
                let is_alone = pattern.set(own) == 1 << from
                    && pattern.squares() == pattern.set(own) | pattern.set(Content::Blank);
                if is_alone {
                    all[side].insert((from, to), pattern.set(Content::Blank) == 1 << to);
                }
            }
        }
        Some(all)
    }

    /// By player and square: how many moves a piece alone needs from there to the goal.
    fn distances(&self, steps: &[BTreeMap<(u8, u8), bool>; 2]) -> Option<[BTreeMap<u8, usize>; 2]> {
        self.named("goal", &[Sort::Player])?;
        let mut all = [BTreeMap::new(), BTreeMap::new()];
        for (side, player) in self.theory.players.into_iter().enumerate() {
            let feature = self.theory.feature(&format!("goal({})", self.theory.constants[usize::from(player)])).ok()?;
            let own = if side == 0 { Content::First } else { Content::Second };
            for (_, pattern) in unfold_by(self.theory, &feature, &[], LIMITS).ok()?.patterns {
                if pattern.length() == 1 && pattern.set(own) != 0 {
                    all[side].insert(pattern.squares().trailing_zeros() as u8, 0);
                }
            }
            for moves in 1..=64 {
                let is_before =
                    |&&(from, to): &&(u8, u8)| all[side].contains_key(&to) && !all[side].contains_key(&from);
                let before: Vec<u8> = steps[side].keys().filter(is_before).map(|&(from, _)| from).collect();
                all[side].extend(before.into_iter().map(|from| (from, moves)));
            }
        }
        all.iter().all(|distances| !distances.is_empty()).then_some(all)
    }

    fn goal(&mut self) {
        let Some(steps) = self.steps() else { return };
        let Some(distances) = self.distances(&steps) else { return };
        let names = self.theory.players.map(|player| self.theory.constants[usize::from(player)].clone());
        let farthest = distances.iter().flat_map(BTreeMap::values).copied().max().unwrap_or_default();
        for most in 0..farthest {
            let near = |side: usize| {
                let near = distances[side].iter().filter(|(_, moves)| **moves <= most);
                near.map(|(&square, _)| format!("goal_in{most}({}, {})", names[side], square_name(square)))
                    .collect::<Vec<_>>()
            };
            let facts: Vec<String> = (0..2).flat_map(near).collect();
            self.facts(facts);
            let meaning = format!("from its end the goal is at most {most} moves away, if nobody is in the way");
            let names = [format!("Within{most}"), format!("Beyond{most}")];
            self.both([&names[0], &names[1]], &meaning, &format!("goal_in{most}(Us, To)"));
        }
        // By player: the directions of its steps, if all go to a neighbour that must be blank and nothing else.
        let mut directions = BTreeSet::new();
        for side in 0..2 {
            for (&(from, to), &needs_blank) in &steps[side] {
                let of_step =
                    Board::directions().find(|direction| self.theory.board.neighbor(from, direction) == Some(to));
                let Some(direction) = of_step.filter(|_| needs_blank && farthest > 0) else { return };
                directions.insert(format!("steps({}, {direction})", names[side]));
            }
        }
        self.facts(directions);
        self.derived.clauses += "on(S, D, P) :- goal_in0(P, S), steps(P, D).\n\
                                 on(S, D, P) :- neighbor(S, D, T), blank(T), on(T, D, P).\n\
                                 onward(From, To, P) :- owns(P, To), neighbor(From, D, To), on(To, D, P).\n";
        let meaning = "going on as it moved, the piece reaches the goal if the opponent passes";
        self.both(["Onward", "NotOnward"], meaning, "onward(From, To, Us)");
    }

    /// A predicate of squares of the move, `named` of them by name, the others being any.
    fn predicate(&mut self, predicate: &Predicate, named: usize) {
        let mut lists: Vec<Vec<&str>> = vec![Vec::new()];
        for sort in &predicate.sorts {
            let choices: &[&str] = match sort {
                Some(Sort::Player) => &["Us", "Them"],
                Some(Sort::Square) => &["_", "To", "From", "Last"],
                None => &["_"],
            };
            lists = choices
                .iter()
                .flat_map(|&choice| lists.iter().map(move |list| [&list[..], &[choice]].concat()))
                .collect();
            if lists.len() > MOST {
                return;
            }
        }
        for list in lists {
            let squares: Vec<&&str> = list.iter().filter(|name| ["To", "From", "Last"].contains(name)).collect();
            let has_no_square = !predicate.sorts.contains(&Some(Sort::Square));
            let is_twice = squares.len() == 2 && squares[0] == squares[1];
            // A predicate of players alone is as simple as one of a square.
            if (squares.len() != named && !(has_no_square && named == 1)) || is_twice {
                continue;
            }
            let atom = format!("{}({})", predicate.name, list.join(", "));
            let name = predicate
                .name
                .split('_')
                .map(capital)
                .chain(list.iter().map(|name| name.replace('_', "Any")))
                .collect::<String>();
            let said = format!("{}({})", predicate.name, list.join(", ").replace('_', "any"));
            self.atom(&name, &format!("after the move: {said}"), &atom);
            self.atom(&format!("Not{name}"), &format!("not after the move: {said}"), &format!("not {atom}"));
            self.atom(&format!("Was{name}"), &format!("before the move: {said}"), &format!("before {atom}"));
            self.atom(&format!("Makes{name}"), &format!("becomes true: {said}"), &format!("before not {atom}, {atom}"));
            self.atom(
                &format!("Ends{name}"),
                &format!("ceases to be true: {said}"),
                &format!("before {atom}, not {atom}"),
            );
        }
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
