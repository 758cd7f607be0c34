// SPDX-License-Identifier: GPL-3.0-or-later
//! One line of UCI turned into a command.
//!
//! Two readers share the work. The crate `vampirc-uci` reads the ordinary lines (`strict`); ours reads all the others
//! (`lenient`), because the crate knows only chess, does not store all limits of `go`, and panics on some numbers. A
//! line means the same whichever of them reads it.
//!
//! Moves and positions stay text: only the session knows the game.

use std::time::Duration;

mod lenient;
mod strict;

/// The commands of a GUI. Names are case-insensitive, as in the crate.
const COMMANDS: &[&str] =
    &["uci", "debug", "isready", "setoption", "register", "ucinewgame", "position", "go", "stop", "ponderhit", "quit"];

/// Our own commands. They count only at the beginning of a line, because words as short as `d` occur in any text.
const OURS: &[&str] = &["d", "eval", "bench"];

/// The output of an engine. Such a line is an echo and not a command, even if it contains a command's name.
const REPLIES: &[&str] = &["id", "uciok", "readyok", "bestmove", "copyprotection", "registration", "info", "option"];

/// The most warnings for a line; after these there is only one more.
const MOST_WARNINGS: usize = 16;

/// The most characters to quote of text that was not understood.
const LONGEST_QUOTE: usize = 200;

/// A command to the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: output the name and the options.
    Uci,
    /// `isready`: output `readyok`.
    IsReady,
    /// `ucinewgame`: what follows belongs to another game.
    NewGame,
    /// `stop`: end the search and output the move.
    Stop,
    /// `ponderhit`: the expected move was played, so the search continues as an ordinary one.
    PonderHit,
    /// `quit`: the program ends.
    Quit,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `setoption name <name> [value <value>]`.
    SetOption {
        /// The name, with single blanks between its words.
        name: String,
        /// The value exactly as written, but for blanks around it; none if there was no `value`, as for a button.
        value: Option<String>,
    },
    /// `position startpos|fen <fen> [moves <move>...]`.
    Position {
        /// Where the game starts.
        start: Start,
        /// The moves played since, as written.
        moves: Vec<String>,
    },
    /// `go`: search.
    Go(Go),
    /// `register`, with whatever follows: there is nothing to register.
    Register,
    /// `d`: draw the board.
    Display,
    /// `eval`: the static evaluation of the position.
    Eval,
    /// `go perft <depth>`: count the lines of play.
    Perft(u32),
    /// `bench`: the behaviour signature.
    Bench,
    /// An unknown command: the line, cleaned for an `info string` (one line, shortened).
    Unknown(String),
}

/// Where a game starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// At the game's own starting position.
    StartPos,
    /// At the position of a FEN, with single blanks between the fields; nothing about it has been checked.
    Fen(String),
}

/// The limits of a search, if given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Search only these moves, as written; empty for all of them.
    pub search_moves: Vec<String>,
    /// Search in the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// White's time left; negative times are read as zero.
    pub white_time: Option<Duration>,
    /// Black's time left; negative times are read as zero.
    pub black_time: Option<Duration>,
    /// White's increment a move.
    pub white_increment: Option<Duration>,
    /// Black's increment a move.
    pub black_increment: Option<Duration>,
    /// Moves to the next time control; never 0, which is read as sudden death.
    pub moves_to_go: Option<u32>,
    /// Search this many plies.
    pub depth: Option<u32>,
    /// Search this many nodes.
    pub nodes: Option<u64>,
    /// Search for a mate in this many moves.
    pub mate: Option<u32>,
    /// Search for exactly this time.
    pub move_time: Option<Duration>,
    /// Search until `stop`.
    pub infinite: bool,
}

/// A line that has been read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The command; none if the line is empty or lacks a required part, which a warning reports.
    pub command: Option<Command>,
    /// Warnings about text that was not understood or was changed, for `info string`.
    pub warnings: Vec<String>,
}

/// Reads one line, with or without its end. Never fails and never panics: unreadable parts become warnings.
pub fn parse(line: &str) -> Parsed {
    // A shell may put a byte order mark before the first line.
    let line = line.trim_start_matches('\u{feff}').trim_ascii();
    if line.is_empty() {
        return Parsed::default();
    }
    let Some((skipped, rest)) = find_command(line) else {
        return Parsed { command: Some(Command::Unknown(printable(line))), warnings: Vec::new() };
    };
    let mut warnings = Warnings::default();
    warnings.ignored("before the command", &skipped);
    let command = strict::parse(rest).or_else(|| lenient::parse(rest, &mut warnings));
    Parsed { command, warnings: warnings.0 }
}

/// The unknown words before the first command, and the line from the command on. UCI: an unknown token is ignored and
/// the rest of the line is read.
fn find_command(line: &str) -> Option<(Vec<&str>, &str)> {
    let mut skipped = Vec::new();
    let mut rest = line;
    while let Some((word, after)) = next_word(rest) {
        if one_of(COMMANDS, word).is_some() || (skipped.is_empty() && one_of(OURS, word).is_some()) {
            return Some((skipped, rest.trim_ascii_start()));
        }
        if one_of(REPLIES, word).is_some() {
            return None;
        }
        skipped.push(word);
        rest = after;
    }
    None
}

/// The first word of a text and all that follows it, blanks included. Only ASCII white space separates words: other
/// blanks may be part of a file's name.
fn next_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii_start();
    let end = text.find(|symbol: char| symbol.is_ascii_whitespace()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// The keyword that a word is, ignoring case.
fn one_of(keywords: &[&'static str], word: &str) -> Option<&'static str> {
    keywords.iter().copied().find(|keyword| word.eq_ignore_ascii_case(keyword))
}

/// The warnings to report for a line.
#[derive(Default)]
struct Warnings(Vec<String>);

impl Warnings {
    fn warn(&mut self, text: String) {
        match self.0.len() {
            ..MOST_WARNINGS => self.0.push(text),
            MOST_WARNINGS => self.0.push("there is more in this line that was not understood".to_owned()),
            _ => {}
        }
    }

    /// One warning for all words in a row that were not understood, if there are any.
    fn ignored(&mut self, place: &str, words: &[&str]) {
        if !words.is_empty() {
            self.warn(format!("{place}: {} ignored", quote(&words.join(" "))));
        }
    }
}

fn quote(text: &str) -> String {
    format!("\"{}\"", printable(text))
}

/// A text that is safe in an answer: short, and without control characters, which could end a line.
fn printable(text: &str) -> String {
    let mut symbols = text.chars();
    let mut shown: String = symbols
        .by_ref()
        .take(LONGEST_QUOTE)
        .map(|symbol| if symbol.is_control() || matches!(symbol, '\u{2028}' | '\u{2029}') { ' ' } else { symbol })
        .collect();
    if symbols.next().is_some() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "command_properties.rs"]
mod properties;
