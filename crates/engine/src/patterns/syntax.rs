// SPDX-License-Identifier: GPL-3.0-or-later
//! Texts of domain theories as statements: what is written, before its meaning is checked.

use std::fmt;

/// A part of a text that is wrong: the line, from 1, and what to do.
pub(super) type Wrong = (usize, String);

/// An argument as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    /// `a1`, `8`.
    Constant(String),
    /// `S1`, `_End`.
    Variable(String),
}

/// A predicate with its arguments, such as `owns(P, S4)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Atom {
    pub(super) name: String,
    pub(super) arguments: Vec<Argument>,
    pub(super) line: usize,
}

/// What a text consists of; each ends with a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Statement {
    /// A fact, which has no body, or a rule.
    Clause { head: Atom, body: Vec<Atom> },
    /// `:- board(8, 8, s).`
    Board(Atom),
    /// `:- start legal_move(S, P).`
    Start { line: usize, body: Vec<Atom> },
    /// `:- after owns(P, S) if legal_move(S, P).`
    After { head: Atom, body: Vec<Atom> },
    /// `:- atom Safe "nothing attacks the piece" if not protects(_, To, Them).`
    Move { line: usize, name: String, meaning: Option<String>, conditions: Vec<Condition> },
    /// `:- never Safe, Taken.`
    Never { line: usize, names: Vec<String> },
}

/// What must be true of a move: a predicate before or after it, or that predicate not being true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) is_before: bool,
    pub(super) is_negated: bool,
    pub(super) atom: Atom,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Variable(String),
    Text(String),
    Open,
    Close,
    Comma,
    Stop,
    If,
}

impl Token {
    /// The token as an error quotes it.
    fn text(&self) -> &str {
        match self {
            Self::Word(text) | Self::Variable(text) | Self::Text(text) => text,
            Self::Open => "(",
            Self::Close => ")",
            Self::Comma => ",",
            Self::Stop => ".",
            Self::If => ":-",
        }
    }
}

/// The statements of a text.
pub(super) fn statements(text: &str) -> Result<Vec<Statement>, Wrong> {
    let mut parser = Parser::new(text)?;
    let mut statements = Vec::new();
    while parser.next < parser.tokens.len() {
        statements.push(parser.statement()?);
    }
    Ok(statements)
}

/// The statements of rules that are part of the program, all in line 0: they have no mistakes, but others may not fit them.
pub(super) fn statements_of_rules(text: &str) -> Result<Vec<Statement>, Wrong> {
    let mut parser = Parser::new(text)?;
    parser.tokens.iter_mut().for_each(|(line, _)| *line = 0);
    let mut statements = Vec::new();
    while parser.next < parser.tokens.len() {
        statements.push(parser.statement()?);
    }
    Ok(statements)
}

/// A conjunction without a full stop, such as `blank(S), owns(x, T)`.
pub(super) fn conjunction(text: &str) -> Result<Vec<Atom>, Wrong> {
    let mut parser = Parser::new(text)?;
    let atoms = parser.atoms()?;
    match parser.tokens.get(parser.next) {
        None => Ok(atoms),
        Some((line, token)) => Err((*line, format!("{:?} is not expected: separate atoms by commas", token.text()))),
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        let argument = |argument: &Argument| match argument {
            Argument::Variable(name) if name.starts_with("_ ") => "_".to_owned(),
            Argument::Constant(name) | Argument::Variable(name) => name.clone(),
        };
        let arguments: Vec<String> = self.arguments.iter().map(argument).collect();
        if arguments.is_empty() { Ok(()) } else { write!(f, "({})", arguments.join(", ")) }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = if self.is_before { "before " } else { "" };
        let not = if self.is_negated { "not " } else { "" };
        write!(f, "{before}{not}{}", self.atom)
    }
}

/// As a text that means the same.
impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |atoms: &[Atom]| atoms.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Self::Clause { head, body } if body.is_empty() => write!(f, "{head}."),
            Self::Clause { head, body } => write!(f, "{head} :- {}.", list(body)),
            Self::Board(atom) => write!(f, ":- {atom}."),
            Self::Start { body, .. } => write!(f, ":- start {}.", list(body)),
            Self::After { head, body } => write!(f, ":- after {head} if {}.", list(body)),
            Self::Move { name, meaning, conditions, .. } => {
                let meaning = meaning.as_ref().map(|text| format!(" \"{text}\"")).unwrap_or_default();
                let conditions = conditions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                write!(f, ":- atom {name}{meaning} if {conditions}.")
            }
            Self::Never { names, .. } => write!(f, ":- never {}.", names.join(", ")),
        }
    }
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    next: usize,
    /// The number of anonymous variables so far: each `_` is a variable of its own.
    anonymous: usize,
}

impl Parser {
    fn new(text: &str) -> Result<Self, Wrong> {
        Ok(Self { tokens: tokens(text)?, next: 0, anonymous: 0 })
    }

    fn statement(&mut self) -> Result<Statement, Wrong> {
        let statement = if self.skip(&Token::If) {
            self.directive()?
        } else {
            let head = self.atom()?;
            let body = if self.skip(&Token::If) { self.atoms()? } else { Vec::new() };
            Statement::Clause { head, body }
        };
        self.expect(&Token::Stop, "end each clause with a full stop")?;
        Ok(statement)
    }

    fn directive(&mut self) -> Result<Statement, Wrong> {
        let word = self.atom()?;
        match (word.name.as_str(), word.arguments.is_empty()) {
            ("board", false) => Ok(Statement::Board(word)),
            ("start", true) => Ok(Statement::Start { line: word.line, body: self.atoms()? }),
            ("after", true) => {
                let head = self.atom()?;
                self.expect(&Token::Word("if".to_owned()), "write `:- after owns(P, S) if …`")?;
                Ok(Statement::After { head, body: self.atoms()? })
            }
            ("atom", true) => self.move_atom(word.line),
            ("never", true) => {
                let mut names = vec![self.move_name()?];
                while self.skip(&Token::Comma) {
                    names.push(self.move_name()?);
                }
                Ok(Statement::Never { line: word.line, names })
            }
            (name, _) => {
                let known = "`:- board(8, 8, s).`, `:- start …`, `:- after … if …`, `:- atom … if …` or `:- never …`";
                Err((word.line, format!("{name:?} is not a directive: write {known}")))
            }
        }
    }

    /// `Safe "nothing attacks the piece" if not protects(_, To, Them), before owns(Us, From)`
    fn move_atom(&mut self, line: usize) -> Result<Statement, Wrong> {
        let name = self.move_name()?;
        let meaning = match self.tokens.get(self.next) {
            Some((_, Token::Text(text))) => Some(text.clone()),
            _ => None,
        };
        self.next += usize::from(meaning.is_some());
        self.expect(&Token::Word("if".to_owned()), "write `:- atom Safe if not attacked(To, Us).`")?;
        let mut conditions = vec![self.condition()?];
        while self.skip(&Token::Comma) {
            conditions.push(self.condition()?);
        }
        Ok(Statement::Move { line, name, meaning, conditions })
    }

    fn condition(&mut self) -> Result<Condition, Wrong> {
        let is_before = self.skip_word("before");
        if !is_before {
            self.skip_word("after");
        }
        let is_negated = self.skip_word("not");
        Ok(Condition { is_before, is_negated, atom: self.atom()? })
    }

    /// The name of an atom of a move.
    fn move_name(&mut self) -> Result<String, Wrong> {
        match self.take("the name of an atom of a move is missing")? {
            (_, Token::Word(name) | Token::Variable(name)) => Ok(name),
            (line, other) => Err((line, format!("{:?} is not a name: it has letters and digits", other.text()))),
        }
    }

    /// Skips a word that stands before a predicate.
    fn skip_word(&mut self, wanted: &str) -> bool {
        let is_word = |place: usize, wanted: Option<&str>| match self.tokens.get(place) {
            Some((_, Token::Word(word))) => wanted.is_none_or(|wanted| wanted == word),
            _ => false,
        };
        let is_there = is_word(self.next, Some(wanted)) && is_word(self.next + 1, None);
        self.next += usize::from(is_there);
        is_there
    }

    fn atoms(&mut self) -> Result<Vec<Atom>, Wrong> {
        let mut atoms = vec![self.atom()?];
        while self.skip(&Token::Comma) {
            atoms.push(self.atom()?);
        }
        Ok(atoms)
    }

    fn atom(&mut self) -> Result<Atom, Wrong> {
        let (line, token) = self.take("a predicate is missing, such as owns(P, S)")?;
        let Token::Word(name) = token else {
            return Err((line, format!("{:?} is not a predicate: predicates begin in lower case", token.text())));
        };
        let mut arguments = Vec::new();
        if self.skip(&Token::Open) {
            loop {
                arguments.push(self.argument()?);
                if !self.skip(&Token::Comma) {
                    break;
                }
            }
            let remedy = "separate arguments by commas and close the list with ); arguments are constants and \
                          variables, never terms with arguments";
            self.expect(&Token::Close, remedy)?;
        }
        Ok(Atom { name, arguments, line })
    }

    fn argument(&mut self) -> Result<Argument, Wrong> {
        let (line, token) = self.take("an argument is missing")?;
        match token {
            Token::Word(name) => Ok(Argument::Constant(name)),
            Token::Variable(name) if name == "_" => {
                self.anonymous += 1;
                // No written name has a space.
                Ok(Argument::Variable(format!("_ {}", self.anonymous)))
            }
            Token::Variable(name) => Ok(Argument::Variable(name)),
            other => Err((line, format!("{:?} is not an argument: write a constant or a variable", other.text()))),
        }
    }

    fn skip(&mut self, wanted: &Token) -> bool {
        let is_there = self.tokens.get(self.next).is_some_and(|(_, token)| token == wanted);
        self.next += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, wanted: &Token, remedy: &str) -> Result<(), Wrong> {
        let (line, token) = self.take(remedy)?;
        if token == *wanted {
            return Ok(());
        }
        Err((line, format!("{:?} is found where {:?} is expected: {remedy}", token.text(), wanted.text())))
    }

    fn take(&mut self, remedy: &str) -> Result<(usize, Token), Wrong> {
        let Some(token) = self.tokens.get(self.next) else {
            let line = self.tokens.last().map_or(1, |(line, _)| *line);
            return Err((line, format!("the text ends within a clause: {remedy}")));
        };
        self.next += 1;
        Ok(token.clone())
    }
}

/// A line up to the `%` that is in no text.
fn without_comment(line: &str) -> &str {
    let mut is_text = false;
    let comment = line.char_indices().find(|&(_, c)| {
        is_text ^= c == '"';
        c == '%' && !is_text
    });
    comment.map_or(line, |(place, _)| &line[..place])
}

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, Wrong> {
    let mut tokens = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut rest = without_comment(line).trim_start();
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let length = if rest.starts_with(":-") {
                2
            } else if first == '"' {
                let end = rest[1..].find('"');
                end.ok_or_else(|| (number + 1, "a text ends in its line: close it with \"".to_owned()))? + 2
            } else {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len()).max(first.len_utf8())
            };
            let (word, after) = rest.split_at(length);
            let token = match first {
                '(' => Token::Open,
                ')' => Token::Close,
                ',' => Token::Comma,
                '.' => Token::Stop,
                ':' if word == ":-" => Token::If,
                '"' => Token::Text(word.trim_matches('"').to_owned()),
                'a'..='z' | '0'..='9' => Token::Word(word.to_owned()),
                'A'..='Z' | '_' => Token::Variable(word.to_owned()),
                other => {
                    let known = "names, variables, ( ) , . :- \"texts\" and comments after %";
                    return Err((number + 1, format!("{other:?} is not part of the language, which has {known}")));
                }
            };
            tokens.push((number + 1, token));
            rest = after.trim_start();
        }
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_line_and_what_to_write() {
        for (text, line, part) in [
            ("a(b).\nc(d)", 2, "full stop"),
            ("a(b).\nc(d) e(f).", 2, "full stop"),
            ("\n\nA(b).", 3, "lower case"),
            ("a(f(x)).", 1, "never terms with arguments"),
            ("a(b,).", 1, "not an argument"),
            ("a(b.", 1, "close the list"),
            ("a :-\n\\+ b.", 2, "not part of the language"),
            (":- dynamic a.", 1, "not a directive"),
            (":- after a(X), b(X).", 1, "write `:- after owns(P, S) if …`"),
            ("a :- é.", 1, "not part of the language"),
            ("a : b.", 1, "not part of the language"),
            (":- atom Safe.", 1, "write `:- atom Safe if"),
            (":- atom Safe \"never ends if a.", 1, "a text ends in its line"),
            (":- never A,\n.", 2, "not a name"),
        ] {
            let (found, reason) = statements(text).unwrap_err();
            assert_eq!(found, line, "{text}: {reason}");
            assert!(reason.contains(part), "{text}: {reason}");
        }
    }

    #[test]
    fn statements_are_written_as_they_are_read() {
        let text = "a(X, _) :- b(X), c.\nd(e).\n:- atom Safe \"50 % of it\" if before not a(To, _), after(Us).\n\
                    :- never Safe, Other.\n:- board(8, 8, n).";
        let written: Vec<String> = statements(text).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(written.join("\n"), text);
    }

    #[test]
    fn comments_and_line_breaks_separate_nothing_but_words() {
        let long = statements("a(X) :- % all\n  b(X), c(X,\n d).").unwrap();
        let [Statement::Clause { head, body }] = &long[..] else { panic!("{long:?}") };
        assert_eq!((head.line, body[0].line, body[1].line), (1, 2, 2));
        assert_eq!(statements("% nothing\n\n").unwrap(), []);
        // Each `_` is a variable of its own.
        let [Statement::Clause { head, .. }] = &statements("a(_, _).").unwrap()[..] else { panic!() };
        assert_ne!(head.arguments[0], head.arguments[1]);
    }
}
