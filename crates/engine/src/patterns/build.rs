// SPDX-License-Identifier: GPL-3.0-or-later
//! From statements to a theory. Everything that can be wrong with one is found here.

use std::collections::BTreeMap;
use std::path::Path;

use super::board::{Board, LARGEST, square_named};
use super::clauses::{Atom, BLANK, OWNS, Predicate, Rule, Sort, Term};
use super::conjunction::Conjunction;
use super::sorts::{self, Checked};
use super::syntax::{self, Argument, Statement, Wrong};
use super::theory::Theory;
use crate::base::data_file::{self, DataFileError};

/// The most bytes of a theory.
const MOST_BYTES: u64 = 1 << 20;

/// The most arguments of a predicate.
const MOST_ARGUMENTS: usize = 16;

/// The most different constants, and variables of a clause.
const MOST_NAMES: usize = 10_000;

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
        data_file::read_up_to(MOST_BYTES, path, "a domain theory; `halfply bundled` lists two")
    }

    /// The theory that a text describes; errors call the text `name`.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn parse(text: &str, name: &str) -> Result<Self, DataFileError> {
        let wrong = |(line, reason)| DataFileError::Line { name: name.to_owned(), line, reason };
        build(&syntax::statements(text).map_err(wrong)?).map_err(wrong)
    }

    /// The feature that a text describes, such as `legal_move(S, x)` or `owns(x, S), neighbor(S, D, T), blank(T)`.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn feature(&self, text: &str) -> Result<Conjunction, String> {
        let atoms = syntax::conjunction(text).map_err(|(_, reason)| reason)?;
        feature(self, &atoms).map_err(|(_, reason)| reason)
    }
}

/// What is known while the statements are read.
#[derive(Default)]
struct Builder {
    constants: Vec<String>,
    constant_numbers: BTreeMap<String, u16>,
    predicates: Vec<Predicate>,
    predicate_numbers: BTreeMap<String, usize>,
    /// By predicate: the line that first names it.
    lines: Vec<usize>,
}

/// A theory from its statements.
pub(super) fn build(statements: &[Statement]) -> Result<Theory, Wrong> {
    let mut builder = Builder::new();
    let (mut rules, mut effects, mut starts) = (Vec::new(), Vec::new(), Vec::new());
    let mut board = None;
    for statement in statements {
        match statement {
            Statement::Board(atom) if board.is_some() => {
                return Err((atom.line, "the board is given twice: keep one of the two".to_owned()));
            }
            Statement::Board(atom) => board = Some(builder.board(atom)?),
            Statement::Clause { head, body } if body.is_empty() => builder.fact(head)?,
            Statement::Clause { head, body } => {
                let rule = builder.rule(head, body)?;
                if rule.head.predicate <= BLANK {
                    let reason = "is what a position consists of and cannot be defined; choose another name";
                    return Err((head.line, format!("{} {reason}", head.name)));
                }
                rules.push((rule, lines_of(head, body)));
            }
            Statement::After { head, body } => {
                let effect = builder.rule(head, body)?;
                if effect.head.predicate > BLANK {
                    return Err((head.line, format!("{}: only owns and blank have effects", head.name)));
                }
                effects.push((effect, lines_of(head, body)));
            }
            Statement::Start { line, body } => starts.push((*line, body)),
            // What is said of moves is no part of the rules.
            Statement::Move { .. } | Statement::Never { .. } => {}
        }
    }
    let clauses = |list: &[(Rule, Vec<usize>)]| list.iter().map(|(rule, _)| rule.clone()).collect::<Vec<Rule>>();
    let checked: Vec<_> =
        rules.iter().chain(&effects).map(|(rule, lines)| Checked { rule, lines: lines.clone() }).collect();
    sorts::infer(&mut builder.predicates, &checked)?;
    let mut theory = builder.finish(clauses(&rules), clauses(&effects), board)?;
    for Checked { rule, lines } in &checked {
        for (atom, &line) in rule.body.iter().chain([&rule.head]).zip(lines) {
            check_constants(&theory, atom, line)?;
        }
    }
    for (line, body) in starts {
        let start = feature(&theory, body).map_err(|(_, reason)| (line, reason))?;
        theory.starts.push(start);
    }
    Ok(theory)
}

/// The lines of the atoms of a clause, the body first.
fn lines_of(head: &syntax::Atom, body: &[syntax::Atom]) -> Vec<usize> {
    body.iter().chain([head]).map(|atom| atom.line).collect()
}

/// A feature in the words of a finished theory.
pub(super) fn feature(theory: &Theory, atoms: &[syntax::Atom]) -> Result<Conjunction, Wrong> {
    let mut variables = Vec::new();
    let mut found = Vec::new();
    for atom in atoms {
        let of_name = |predicate: &Predicate| predicate.name == atom.name;
        let number = theory.predicates.iter().position(of_name).ok_or_else(|| {
            let known: Vec<_> = theory.predicates.iter().map(|predicate| predicate.name.as_str()).collect();
            (atom.line, format!("the theory has no predicate {:?}; it has {}", atom.name, known.join(", ")))
        })?;
        check_arity(atom, theory.predicates[number].arity)?;
        let terms = atom.arguments.iter().map(|argument| match argument {
            Argument::Variable(name) => Ok(Term::Variable(place_of(name, &mut variables, atom.line)?)),
            Argument::Constant(name) => match theory.constants.iter().position(|constant| constant == name) {
                Some(number) => Ok(Term::Constant(number as u16)),
                None => {
                    Err((atom.line, format!("the theory has no constant {name:?}; variables begin with a capital")))
                }
            },
        });
        let found_atom = Atom { predicate: number, terms: terms.collect::<Result<_, Wrong>>()? };
        check_constants(theory, &found_atom, atom.line)?;
        found.push(found_atom);
    }
    let mut known = vec![None; variables.len()];
    for (atom, written) in found.iter().zip(atoms) {
        sorts::merge(&theory.predicates, atom, &mut known).map_err(|reason| (written.line, reason))?;
    }
    Ok(Conjunction::new(found))
}

fn sort_of(theory: &Theory, constant: u16) -> Option<Sort> {
    if theory.players.contains(&constant) {
        return Some(Sort::Player);
    }
    theory.square_of[usize::from(constant)].map(|_| Sort::Square)
}

/// The number of a variable in its clause.
fn place_of(name: &str, variables: &mut Vec<String>, line: usize) -> Result<u16, Wrong> {
    let place = variables.iter().position(|known| known == name).unwrap_or_else(|| {
        variables.push(name.to_owned());
        variables.len() - 1
    });
    if place < MOST_NAMES { Ok(place as u16) } else { Err((line, "the clause has too many variables".to_owned())) }
}

fn check_arity(atom: &syntax::Atom, arity: usize) -> Result<(), Wrong> {
    let found = atom.arguments.len();
    if found == arity {
        return Ok(());
    }
    Err((atom.line, format!("{} has {found} arguments here and {arity} elsewhere: write it with {arity}", atom.name)))
}

/// Refuses `owns(d5, x)`: the player comes first.
fn check_constants(theory: &Theory, atom: &Atom, line: usize) -> Result<(), Wrong> {
    let predicate = &theory.predicates[atom.predicate];
    for (place, (&wanted, &term)) in predicate.sorts.iter().zip(&atom.terms).enumerate() {
        let (Some(wanted), Term::Constant(constant)) = (wanted, term) else { continue };
        if sort_of(theory, constant) != Some(wanted) {
            let kind = if wanted == Sort::Player { "a player" } else { "a square of the board" };
            let name = &predicate.name;
            let order = "the order is owns(Player, Square)";
            return Err((line, format!("argument {} of {name} must be {kind}; {order}", place + 1)));
        }
    }
    Ok(())
}

impl Builder {
    fn new() -> Self {
        let mut builder = Self::default();
        for (name, sorts) in
            [("owns", vec![Some(Sort::Player), Some(Sort::Square)]), ("blank", vec![Some(Sort::Square)])]
        {
            let number = builder.add_predicate(name, sorts.len(), 0);
            builder.predicates[number].sorts = sorts;
        }
        // What the sorts of all others are inferred from, besides `owns` and `blank`.
        for (name, sort) in [("player", Sort::Player), ("square", Sort::Square)] {
            let number = builder.add_predicate(name, 1, 0);
            builder.predicates[number].sorts = vec![Some(sort)];
        }
        builder
    }

    fn add_predicate(&mut self, name: &str, arity: usize, line: usize) -> usize {
        let number = self.predicates.len();
        self.predicate_numbers.insert(name.to_owned(), number);
        self.lines.push(line);
        self.predicates.push(Predicate {
            name: name.to_owned(),
            arity,
            facts: Vec::new(),
            rules: Vec::new(),
            is_static: true,
            sorts: vec![None; arity],
        });
        number
    }

    fn constant(&mut self, name: &str, line: usize) -> Result<u16, Wrong> {
        if let Some(&number) = self.constant_numbers.get(name) {
            return Ok(number);
        }
        if self.constants.len() == MOST_NAMES {
            return Err((line, format!("there are more than {MOST_NAMES} constants: a theory has one board")));
        }
        let number = self.constants.len() as u16;
        self.constants.push(name.to_owned());
        self.constant_numbers.insert(name.to_owned(), number);
        Ok(number)
    }

    fn atom(&mut self, atom: &syntax::Atom, variables: &mut Vec<String>) -> Result<Atom, Wrong> {
        if atom.arguments.len() > MOST_ARGUMENTS {
            return Err((atom.line, format!("{} has more than {MOST_ARGUMENTS} arguments", atom.name)));
        }
        let number = match self.predicate_numbers.get(&atom.name) {
            Some(&number) => number,
            None => self.add_predicate(&atom.name, atom.arguments.len(), atom.line),
        };
        check_arity(atom, self.predicates[number].arity)?;
        let terms = atom.arguments.iter().map(|argument| match argument {
            Argument::Variable(name) => Ok(Term::Variable(place_of(name, variables, atom.line)?)),
            Argument::Constant(name) => Ok(Term::Constant(self.constant(name, atom.line)?)),
        });
        Ok(Atom { predicate: number, terms: terms.collect::<Result<_, Wrong>>()? })
    }

    fn fact(&mut self, written: &syntax::Atom) -> Result<(), Wrong> {
        let atom = self.atom(written, &mut Vec::new())?;
        if atom.predicate <= BLANK {
            let reason = format!("{}: a position has this fact, not the theory; leave it out", written.name);
            return Err((written.line, reason));
        }
        let constants = atom.terms.iter().map(|term| match term {
            Term::Constant(number) => Ok(*number),
            Term::Variable(_) => {
                let reason = "a fact has constants only: give it a body, such as `:- square(S)`";
                Err((written.line, format!("{}: {reason}", written.name)))
            }
        });
        let fact = constants.collect::<Result<_, Wrong>>()?;
        self.predicates[atom.predicate].facts.push(fact);
        Ok(())
    }

    fn rule(&mut self, head: &syntax::Atom, body: &[syntax::Atom]) -> Result<Rule, Wrong> {
        let mut variables = Vec::new();
        let written = body;
        let body = written.iter().map(|atom| self.atom(atom, &mut variables)).collect::<Result<Vec<_>, _>>()?;
        let in_body = variables.len();
        let atom = self.atom(head, &mut variables)?;
        if let Some(name) = variables.get(in_body) {
            let name = if name.starts_with("_ ") { "_" } else { name };
            let reason = "is in the head and not in the body: add what it may be, such as square(S)";
            return Err((head.line, format!("the variable {name} {reason}")));
        }
        Ok(Rule { head: atom, body, variables: variables.len() as u16 })
    }

    /// The squares and neighbours of `board(columns, rows, direction in which row numbers grow)`.
    fn board(&mut self, atom: &syntax::Atom) -> Result<Board, Wrong> {
        let wrong = || {
            (
                atom.line,
                format!(
                    "write `board(8, 8, s)`: columns and rows from 1 to {LARGEST}, and s or n, \
             the direction in which row numbers grow"
                ),
            )
        };
        let texts: Vec<&str> = atom.arguments.iter().filter_map(constant_text).collect();
        let [columns, rows, growth @ ("s" | "n")] = texts[..] else { return Err(wrong()) };
        let size = |text: &str| text.parse().ok().filter(|size| (1..=LARGEST).contains(size)).ok_or_else(wrong);
        let board = Board { columns: size(columns)?, rows: size(rows)?, first_row_is_north: growth == "s" };
        for square in board.squares() {
            let name = super::board::square_name(square);
            self.add_fact("square", &[&name], atom.line)?;
            for direction in Board::directions() {
                if let Some(next) = board.neighbor(square, direction) {
                    let next = super::board::square_name(next);
                    self.add_fact("neighbor", &[&name, direction, &next], atom.line)?;
                }
            }
        }
        Ok(board)
    }

    fn add_fact(&mut self, name: &str, constants: &[&str], line: usize) -> Result<(), Wrong> {
        let arguments = constants.iter().map(|&constant| Argument::Constant(constant.to_owned())).collect();
        self.fact(&syntax::Atom { name: name.to_owned(), arguments, line })
    }

    fn finish(mut self, rules: Vec<Rule>, effects: Vec<Rule>, board: Option<Board>) -> Result<Theory, Wrong> {
        for mut rule in rules {
            rule.body = restrictions_last(&self.predicates, rule.body);
            self.predicates[rule.head.predicate].rules.push(rule);
        }
        for predicate in &mut self.predicates {
            predicate.facts.sort_unstable();
            predicate.facts.dedup();
        }
        let is_undefined = |predicate: &Predicate| {
            let must_be_facts = matches!(predicate.name.as_str(), "square" | "player");
            predicate.facts.is_empty() && (predicate.rules.is_empty() || must_be_facts)
        };
        let undefined = (BLANK + 1..self.predicates.len()).find(|&number| is_undefined(&self.predicates[number]));
        if let Some(number) = undefined {
            let line = self.lines[number].max(1);
            let remedy = match self.predicates[number].name.as_str() {
                "square" => "write `:- board(8, 8, s).`, or a fact for each square",
                "player" => "write `player(x). player(o).`",
                _ => "write clauses for it, or correct its name",
            };
            return Err((line, format!("{} is not defined: {remedy}", self.predicates[number].name)));
        }
        let [first, second] = self.unary("player")[..] else {
            return Err((1, "there must be two players: write `player(x). player(o).`".to_owned()));
        };
        let (squares, square_of, found) = self.squares()?;
        mark_static(&mut self.predicates);
        let effects = effects
            .into_iter()
            .map(|effect| Rule { body: restrictions_last(&self.predicates, effect.body), ..effect })
            .collect();
        Ok(Theory {
            board: board.unwrap_or(found),
            players: if first < second { [first, second] } else { [second, first] },
            constants: self.constants,
            predicates: self.predicates,
            squares,
            square_of,
            starts: Vec::new(),
            effects,
        })
    }

    /// The constants of a predicate with one argument.
    fn unary(&self, name: &str) -> Vec<u16> {
        self.predicate_numbers
            .get(name)
            .map_or_else(Vec::new, |&number| self.predicates[number].facts.iter().map(|fact| fact[0]).collect())
    }

    /// Squares to constants, constants to squares, and the board that holds them.
    #[allow(clippy::type_complexity, reason = "used once")]
    fn squares(&self) -> Result<(Vec<Option<u16>>, Vec<Option<u8>>, Board), Wrong> {
        let mut squares = vec![None; 64];
        let mut square_of = vec![None; self.constants.len()];
        let (mut columns, mut rows) = (1, 1);
        for constant in self.unary("square") {
            let name = &self.constants[usize::from(constant)];
            let Some(square) = square_named(name) else {
                return Err((1, format!("the square {name:?} must be called a1 to h8, as on a board")));
            };
            squares[usize::from(square)] = Some(constant);
            square_of[usize::from(constant)] = Some(square);
            (columns, rows) = (columns.max(square % 8 + 1), rows.max(square / 8 + 1));
        }
        Ok((squares, square_of, Board { columns, rows, first_row_is_north: true }))
    }
}

const fn constant_text(argument: &Argument) -> Option<&str> {
    match argument {
        Argument::Constant(text) => Some(text.as_str()),
        Argument::Variable(_) => None,
    }
}

/// A body with the atoms last that only restrict one variable which another atom has too: `square(S)`, `player(P)`. There
/// they are checks, and nowhere a list of all squares to try.
fn restrictions_last(predicates: &[Predicate], body: Vec<Atom>) -> Vec<Atom> {
    let is_restriction = |place: usize| {
        let atom = &body[place];
        let others = || body.iter().enumerate().filter(|&(other, _)| other != place).map(|(_, atom)| atom);
        predicates[atom.predicate].rules.is_empty()
            && atom.predicate > BLANK
            && atom.terms.len() == 1
            && others().any(|other| {
                other.terms.len() > 1 && other.terms.contains(&atom.terms[0])
                    || other.predicate == BLANK && other.terms == atom.terms
            })
    };
    let (last, first): (Vec<usize>, Vec<usize>) = (0..body.len()).partition(|&place| is_restriction(place));
    first.into_iter().chain(last).map(|place| body[place].clone()).collect()
}

/// Finds the predicates that are the same in all positions.
fn mark_static(predicates: &mut [Predicate]) {
    predicates[OWNS].is_static = false;
    predicates[BLANK].is_static = false;
    loop {
        let depends = |predicate: &Predicate| {
            predicate.is_static
                && predicate.rules.iter().flat_map(|rule| &rule.body).any(|atom| !predicates[atom.predicate].is_static)
        };
        let Some(number) = predicates.iter().position(depends) else { return };
        predicates[number].is_static = false;
    }
}
