// SPDX-License-Identifier: GPL-3.0-or-later
//! Atoms of moves, written as clauses.
//!
//! `:- atom Safe "nothing attacks the piece" if not protects(_, To, Them).` says what is true of a move: each condition is a
//! predicate of the theory about the position after the move, or `before` it. Five variables have a meaning: `From` and
//! `To` are the squares of the move, `Last` is where the opponent's previous move ended, `Us` moves, and `Them` is the
//! opponent. Each condition is unfolded once for every square that these may be, so that a search only compares bitboards.

use std::collections::{BTreeMap, BTreeSet};

use super::build;
use super::clauses::{LEGAL_MOVE, Sort};
use super::conditions::{Answers, Conditions, MOST_CONDITIONS, Seen};
use super::pattern::Pattern;
use super::syntax::{self, Argument, Condition, Statement, Wrong};
use super::theory::Theory;
use super::unfold::{Limits, Unfinished, unfold_by};
use crate::base::bits::ones;
use crate::base::data_file::DataFileError;

/// The most atoms: one bit each.
const MOST_ATOMS: usize = 64;
/// The most letters of a name.
const LONGEST_NAME: usize = 64;
/// How much all conditions together may unfold to: a fraction of a second.
const LIMITS: Limits = Limits { patterns: 300_000, steps: 10_000_000 };
/// The columns of a line of facts in [`MoveAtoms::text`].
const COLUMNS: usize = 110;

/// The squares that a condition may name.
const SQUARES: [&str; 3] = ["From", "To", "Last"];
/// The players that a condition may name.
const PLAYERS: [&str; 2] = ["Us", "Them"];

/// An atom of moves.
#[derive(Clone, Debug)]
pub struct MoveAtom {
    /// Its name: letters and digits.
    pub name: String,
    /// What it says of the move: the text of the file, or its conditions.
    pub meaning: String,
    /// Which conditions, and whether they must not be true.
    pub(super) conditions: Vec<(usize, bool)>,
}

/// The atoms of a file, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct MoveAtoms {
    /// Their bits begin behind those of the atoms of the game; at 0 if both together would be too many, and the game's are
    /// not used.
    first: usize,
    atoms: Vec<MoveAtom>,
    pub(super) conditions: Conditions,
    /// The atoms, as bits, that take longer to ask for than the others.
    slow: u64,
    /// Conditions that are true of every move: that it is legal, and what the rules say of the position after it. Only as
    /// long as they are needed for [proofs](super::Proofs): [`Self::text`] leaves the effects of moves out.
    pub(super) known: Vec<usize>,
    /// Atoms that are never combined, by bits.
    never: Vec<u64>,
    statements: Vec<Statement>,
}

/// Two are equal if their texts are.
impl PartialEq for MoveAtoms {
    fn eq(&self, other: &Self) -> bool {
        self.first == other.first && self.statements == other.statements
    }
}

impl Eq for MoveAtoms {}

impl MoveAtoms {
    /// Whether a text has atoms of moves, as far as it can be read.
    pub fn are_in(text: &str) -> bool {
        let is_atom = |statement: &Statement| matches!(statement, Statement::Move { .. });
        syntax::statements(text).is_ok_and(|statements| statements.iter().any(is_atom))
    }

    /// The atoms in a text. One without a board is read behind `rules`, those of the game. The names in `taken` are those of
    /// the game's atoms.
    ///
    /// # Errors
    /// Names the line of what is wrong, and says what was expected. Everything ends within a second.
    pub fn parse(rules: Option<&str>, text: &str, name: &str, taken: &[&str]) -> Result<Self, DataFileError> {
        let wrong = |(line, reason): Wrong| DataFileError::Line { name: name.to_owned(), line: line.max(1), reason };
        Self::read(rules, text, taken).map_err(wrong)
    }

    fn read(rules: Option<&str>, text: &str, taken: &[&str]) -> Result<Self, Wrong> {
        let statements = statements_with(rules, text)?;
        let theory = build::build(&statements)?;
        let count = statements.iter().filter(|statement| matches!(statement, Statement::Move { .. })).count();
        let first = if taken.len() + count <= MOST_ATOMS { taken.len() } else { 0 };
        let mut builder = Builder { theory, limits: LIMITS, numbers: BTreeMap::new(), made: Self::empty(first) };
        for statement in &statements {
            match statement {
                Statement::Move { line, name, meaning, conditions } => {
                    builder.check_name(*line, name, taken)?;
                    let written = || conditions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                    let meaning = meaning.clone().unwrap_or_else(written);
                    // Tables quote it, and terminals print it.
                    if meaning.contains("'''") || meaning.chars().any(char::is_control) {
                        let reason = "what an atom means is said in printable characters, without '''";
                        return Err((*line, reason.to_owned()));
                    }
                    let conditions = builder.conditions(conditions)?;
                    builder.made.atoms.push(MoveAtom { name: name.clone(), meaning, conditions });
                }
                Statement::Never { line, names } => builder.never(*line, names)?,
                _ => {}
            }
        }
        builder.made.known = builder.known(&statements);
        let mut made = builder.made;
        if made.atoms.is_empty() {
            let reason = "there is no atom in this text: write `:- atom Safe if not attacked(To, Us).`";
            return Err((1, reason.to_owned()));
        }
        made.slow = (0..).zip(&mut made.atoms).fold(0, |slow, (place, atom)| {
            // The order of conditions does not change what they say: those first that take the least time.
            atom.conditions.sort_by_key(|&(number, _)| made.conditions.is_slow(number));
            slow | u64::from(atom.conditions.iter().any(|&(number, _)| made.conditions.is_slow(number)))
                << (first + place)
        });
        made.statements = statements;
        made.statements = syntax::statements(&made.text(u64::MAX))?;
        Ok(made)
    }

    fn empty(first: usize) -> Self {
        let (atoms, known, never, statements) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { first, atoms, conditions: Conditions::default(), slow: 0, known, never, statements }
    }

    /// The atoms, in the order of the text.
    pub fn atoms(&self) -> &[MoveAtom] {
        &self.atoms
    }

    /// The bit of the first atom: those before it are the game's.
    pub const fn first(&self) -> usize {
        self.first
    }

    /// The bits of all of them.
    pub const fn bits(&self) -> u64 {
        (u64::MAX >> (MOST_ATOMS - self.atoms.len())) << self.first
    }

    /// Sets of atoms, as bits, of which no two are combined.
    pub fn never(&self) -> &[u64] {
        &self.never
    }

    /// What a move has of these atoms.
    pub fn of<'a>(&'a self, seen: &'a Seen) -> AtomsOfMove<'a> {
        AtomsOfMove { atoms: self, answers: Answers::new(&self.conditions, seen) }
    }

    /// The atoms with these bits as a text of their own: everything that they depend on, and nothing else.
    pub fn text(&self, wanted: u64) -> String {
        let kept: Vec<&MoveAtom> = (0..)
            .zip(&self.atoms)
            .filter(|(place, _)| wanted >> (self.first + place) & 1 != 0)
            .map(|(_, atom)| atom)
            .collect();
        let is_kept = |name: &str| kept.iter().any(|atom| atom.name == name);
        let mut needed: BTreeSet<&str> = BTreeSet::from(["player"]);
        for statement in &self.statements {
            if let Statement::Move { name, conditions, .. } = statement
                && is_kept(name)
            {
                needed.extend(conditions.iter().map(|condition| condition.atom.name.as_str()));
            }
        }
        loop {
            let before = needed.len();
            for statement in &self.statements {
                if let Statement::Clause { head, body } = statement
                    && needed.contains(head.name.as_str())
                {
                    needed.extend(body.iter().map(|atom| atom.name.as_str()));
                }
            }
            if needed.len() == before {
                break;
            }
        }
        let (mut text, mut line) = (String::new(), String::new());
        for statement in &self.statements {
            let (is_wanted, is_fact) = match statement {
                Statement::Board(_) => (true, false),
                Statement::Clause { head, body } => (needed.contains(head.name.as_str()), body.is_empty()),
                Statement::Move { name, .. } => (is_kept(name), false),
                Statement::Never { names, .. } => (names.iter().all(|name| is_kept(name)), false),
                Statement::Start { .. } | Statement::After { .. } => (false, false),
            };
            if !is_wanted {
                continue;
            }
            let written = statement.to_string();
            // Facts stand side by side.
            if !line.is_empty() && (!is_fact || line.len() + 1 + written.len() > COLUMNS) {
                text += &format!("{}\n", std::mem::take(&mut line));
            }
            if is_fact {
                line += if line.is_empty() { "" } else { " " };
                line += &written;
            } else {
                text += &format!("{written}\n");
            }
        }
        if line.is_empty() { text } else { format!("{text}{line}\n") }
    }
}

/// What a move has of the atoms of a file. Nothing is found out before it is asked for, and nothing twice.
pub struct AtomsOfMove<'a> {
    atoms: &'a MoveAtoms,
    answers: Answers<'a>,
}

impl AtomsOfMove<'_> {
    /// Which of the `wanted` atoms, as bits, are true of the move.
    pub fn found(&mut self, wanted: u64) -> u64 {
        ones(wanted & self.atoms.bits()).filter(|&bit| self.has(bit)).fold(0, |found, bit| found | 1 << bit)
    }

    /// Whether all of the `wanted` atoms, as bits, are true of the move.
    pub fn has_all(&mut self, wanted: u64) -> bool {
        let slow = self.atoms.slow;
        wanted & !self.atoms.bits() == 0
            && [wanted & !slow, wanted & slow].into_iter().all(|part| ones(part).all(|bit| self.has(bit)))
    }

    fn has(&mut self, bit: u32) -> bool {
        let atom = &self.atoms.atoms[bit as usize - self.atoms.first];
        atom.conditions.iter().all(|&(number, is_negated)| self.answers.is_true(number) != is_negated)
    }
}

/// The statements of a text, behind those of `rules` if it has no board.
pub(super) fn statements_with(rules: Option<&str>, text: &str) -> Result<Vec<Statement>, Wrong> {
    let mut statements = syntax::statements(text)?;
    if !statements.iter().any(|statement| matches!(statement, Statement::Board(_))) {
        let rules = rules.ok_or_else(|| {
            let reason = "this game has no rules as clauses: begin with `:- board(8, 8, n).`, and the players";
            (1, reason.to_owned())
        })?;
        statements.splice(0..0, syntax::statements_of_rules(rules)?);
    }
    Ok(statements)
}

/// Atoms that are being made.
struct Builder {
    theory: Theory,
    /// What is left of them.
    limits: Limits,
    /// The numbers of the conditions, by their text.
    numbers: BTreeMap<String, usize>,
    made: MoveAtoms,
}

impl Builder {
    fn check_name(&self, line: usize, name: &str, taken: &[&str]) -> Result<(), Wrong> {
        let reason = if name.len() > LONGEST_NAME || !name.chars().all(|c| c.is_ascii_alphanumeric()) {
            format!("{name:?} is not a name of an atom: it has letters and digits, {LONGEST_NAME} at most")
        } else if name == "Neutral" || taken.contains(&name) || self.made.atoms.iter().any(|atom| atom.name == name) {
            format!("there is an atom {name} already: choose another name")
        } else if self.made.atoms.len() == MOST_ATOMS {
            format!("there are more than {MOST_ATOMS} atoms: leave some out")
        } else {
            return Ok(());
        };
        Err((line, reason))
    }

    fn never(&mut self, line: usize, names: &[String]) -> Result<(), Wrong> {
        let mut set = 0;
        for name in names {
            let place = self.made.atoms.iter().position(|atom| atom.name == *name);
            let place = place.ok_or_else(|| (line, format!("there is no atom {name} above this line")))?;
            set |= 1 << (self.made.first + place);
        }
        self.made.never.push(set);
        Ok(())
    }

    fn conditions(&mut self, conditions: &[Condition]) -> Result<Vec<(usize, bool)>, Wrong> {
        let mut seen: Vec<&str> = Vec::new();
        let mut numbers = Vec::new();
        for condition in conditions {
            let named: BTreeSet<&str> = variables(&condition.atom).into_iter().filter(|name| !is_given(name)).collect();
            if let Some(name) = named.iter().find(|name| seen.contains(name)) {
                let reason = format!("{name} is in two conditions: write a clause that has both, and name that here");
                return Err((condition.atom.line, reason));
            }
            seen.extend(named);
            numbers.push((self.number(condition)?, condition.is_negated));
        }
        Ok(numbers)
    }

    /// The number of a condition, negated or not.
    fn number(&mut self, condition: &Condition) -> Result<usize, Wrong> {
        let text = format!("{}{}", if condition.is_before { "before " } else { "" }, condition.atom);
        if let Some(&number) = self.numbers.get(&text) {
            return Ok(number);
        }
        let number = self.compile(condition)?;
        self.numbers.insert(text, number);
        Ok(number)
    }

    /// The conditions that are true of every move, by the effects `:- after owns(P, S) if legal_move(_, S, P).` What unfolds to
    /// too much is not known.
    fn known(&mut self, statements: &[Statement]) -> Vec<usize> {
        let mut known = Vec::new();
        for statement in statements {
            let Statement::After { head, body } = statement else { continue };
            let [cause] = &body[..] else { continue };
            let sorts = self.theory.predicates.iter().find(|of| of.name == cause.name).map(|of| of.sorts.clone());
            let Some(sorts) = sorts.filter(|_| cause.name == LEGAL_MOVE) else { continue };
            let mut squares = match sorts.iter().filter(|sort| **sort == Some(Sort::Square)).count() {
                1 => ["To"].iter(),
                2 => ["From", "To"].iter(),
                _ => continue,
            };
            let of_sort = |sort: &Option<Sort>| match sort {
                Some(Sort::Player) => Some("Us"),
                _ => squares.next().copied(),
            };
            let given: Vec<&str> = sorts.iter().filter_map(of_sort).collect();
            let in_words_of_moves = |atom: &syntax::Atom| {
                let place = |argument: &Argument| cause.arguments.iter().position(|other| other == argument);
                let named = |argument| place(argument).map(|place| Argument::Variable(given[place].to_owned()));
                let arguments: Option<Vec<Argument>> = atom.arguments.iter().map(named).collect();
                arguments.map(|arguments| syntax::Atom { arguments, ..atom.clone() })
            };
            for (atom, is_before) in [(cause, true), (head, false)] {
                let condition = in_words_of_moves(atom).map(|atom| Condition { is_before, is_negated: false, atom });
                known.extend(condition.and_then(|condition| self.number(&condition).ok()));
            }
        }
        known.sort_unstable();
        known.dedup();
        known
    }

    /// Unfolds a condition for each player and all squares.
    fn compile(&mut self, condition: &Condition) -> Result<usize, Wrong> {
        let atom = &condition.atom;
        let wrong = |reason: String| (atom.line, reason);
        if self.made.conditions.len() == MOST_CONDITIONS {
            return Err(wrong(format!("there are more than {MOST_CONDITIONS} conditions: leave some out")));
        }
        let names = variables(atom);
        let squares: Vec<usize> =
            names.iter().filter_map(|name| SQUARES.iter().position(|square| square == name)).collect();
        if squares.len() > 2 {
            return Err(wrong("a condition names two of From, To and Last at most".to_owned()));
        }
        let mut index = vec![0; 2 << (6 * squares.len())];
        for (side, players) in
            [self.theory.players, [self.theory.players[1], self.theory.players[0]]].iter().enumerate()
        {
            let mut bound = atom.clone();
            for argument in &mut bound.arguments {
                if let Argument::Variable(name) = argument
                    && let Some(place) = PLAYERS.iter().position(|player| player == name)
                {
                    *argument = Argument::Constant(self.theory.constants[usize::from(players[place])].clone());
                }
            }
            let feature = build::feature(&self.theory, std::slice::from_ref(&bound))?;
            self.check_squares(atom)?;
            // Variables are numbered in the order of their first places.
            let left: Vec<&str> = names.iter().copied().filter(|name| !PLAYERS.contains(name)).collect();
            let number = |&square: &usize| left.iter().position(|name| *name == SQUARES[square]);
            let keys: Vec<u16> = squares.iter().filter_map(number).map(|place| place as u16).collect();
            let unfolded = unfold_by(&self.theory, &feature, &keys, self.limits).map_err(|error| {
                wrong(match error {
                    Unfinished::Patterns(_) => {
                        format!("{atom}: the conditions unfold to more than {} patterns", LIMITS.patterns)
                    }
                    Unfinished::Steps(_) => {
                        format!("{atom}: unfolding takes more than {} steps; bind a variable", LIMITS.steps)
                    }
                    Unfinished::Endless => format!("{atom}: {error}"),
                })
            })?;
            self.limits.patterns -= unfolded.patterns.len();
            self.limits.steps -= unfolded.steps;
            let mut by_key: BTreeMap<usize, Vec<Pattern>> = BTreeMap::new();
            for (key, pattern) in unfolded.patterns {
                let square = |constant: &u16| self.theory.square_of.get(usize::from(*constant)).copied().flatten();
                let place =
                    key.iter().try_fold(side, |place, constant| Some(place << 6 | usize::from(square(constant)?)));
                if let Some(place) = place {
                    by_key.entry(place).or_default().push(pattern);
                }
            }
            for (place, patterns) in by_key {
                index[place] = self
                    .made
                    .conditions
                    .add_alternatives(patterns)
                    .ok_or_else(|| wrong(format!("{atom}: there are too many conditions")))?;
            }
        }
        let keys = [squares.first().copied(), squares.get(1).copied()];
        Ok(self.made.conditions.add(condition.is_before, keys, index))
    }

    /// Refuses a square where the predicate has a player.
    fn check_squares(&self, atom: &syntax::Atom) -> Result<(), Wrong> {
        let predicate = self.theory.predicates.iter().find(|predicate| predicate.name == atom.name);
        let sorts = predicate.map(|predicate| &predicate.sorts[..]).unwrap_or_default();
        for (argument, sort) in atom.arguments.iter().zip(sorts) {
            let Argument::Variable(name) = argument else { continue };
            if SQUARES.contains(&name.as_str()) && *sort == Some(Sort::Player) {
                return Err((
                    atom.line,
                    format!("{atom}: {name} is a square, and this argument is a player: Us or Them"),
                ));
            }
        }
        Ok(())
    }
}

/// The variables of an atom in the order of their first places.
fn variables(atom: &syntax::Atom) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for argument in &atom.arguments {
        if let Argument::Variable(name) = argument
            && !names.contains(&name.as_str())
        {
            names.push(name);
        }
    }
    names
}

fn is_given(name: &str) -> bool {
    SQUARES.contains(&name) || PLAYERS.contains(&name)
}

#[cfg(test)]
#[path = "moves_tests.rs"]
mod tests;
