// SPDX-License-Identifier: GPL-3.0-or-later
//! A line of an engine turned into a [`Reply`].
//!
//! The reader is tolerant: unknown words are skipped, the fields of `info` may come in any order, and an invalid number
//! only loses itself. The amount kept from a line is bounded.

use std::str::FromStr;

use halfply_engine::protocol::UciScore;

use super::options::Offered;

/// The most bytes of a move or name; longer ones are invalid.
const LONGEST_MOVE: usize = 32;
const LONGEST_NAME: usize = 256;

/// The most bytes of a line that declares an option, which may have many choices.
const LONGEST_OPTION: usize = 1 << 14;

/// The most moves kept of a variation.
const LONGEST_PLAY: usize = 256;

/// The keywords after `info`; any of them ends the moves after `pv` and similar.
const KEYWORDS: &str = "depth seldepth time nodes pv multipv score cp mate lowerbound upperbound wdl currmove \
                        currmovenumber hashfull nps tbhits sbhits cpuload string refutation currline";

/// The output of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name`: its name.
    Name(String),
    /// `option`: an option.
    Option(Offered),
    /// `uciok`: the introduction is complete.
    UciOk,
    /// `readyok`: it has executed all earlier commands.
    ReadyOk,
    /// `info`: the progress of the search.
    Info(Info),
    /// `bestmove`: the search has ended. The word after it, of any form (without a legal move often `(none)` or `0000`);
    /// none if there is no word. Texts longer than a move are cut.
    Best(Option<String>),
}

/// The side of the reported score on which the true score is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreBound {
    /// It is at least this.
    Lower,
    /// It is at most this.
    Upper,
}

/// The progress of a search. A field is none if it was not reported or could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// In plies.
    pub depth: Option<u32>,
    /// The longest line looked at, in plies (`seldepth`).
    pub height: Option<u32>,
    /// For the side to move. With a `bound` it is only a bound: see [`Info::exact`].
    pub score: Option<UciScore>,
    /// The side of the true score; none if the score is exact.
    pub bound: Option<ScoreBound>,
    /// 1 for the best move, 2 for the next best and so on; see [`Info::is_of_best`].
    pub multipv: Option<u32>,
    /// Nodes searched so far.
    pub nodes: Option<u64>,
    /// The line of play (`pv`), as far as it reads like moves and at most 256 plies.
    pub line: Vec<String>,
}

impl Info {
    /// Whether it is about the best move, as it is if nothing else is said.
    pub fn is_of_best(&self) -> bool {
        self.multipv.is_none_or(|rank| rank <= 1)
    }

    /// The exact score of the best move, if it is reported.
    pub fn exact(&self) -> Option<UciScore> {
        self.score.filter(|_| self.bound.is_none() && self.is_of_best())
    }
}

/// Reads one line, with or without its end; none if it has no meaning. The first word decides, because text for people
/// may contain any keyword. Never panics.
pub fn parse(line: &str) -> Option<Reply> {
    let (first, rest) = next_word(line)?;
    match first {
        "id" => {
            let (what, text) = next_word(rest)?;
            let text = cut(text.trim_ascii(), LONGEST_NAME);
            match what {
                "name" => Some(Reply::Name(text)),
                _ => None,
            }
        }
        "option" if rest.len() <= LONGEST_OPTION => Offered::parse(rest).map(Reply::Option),
        "uciok" => Some(Reply::UciOk),
        "readyok" => Some(Reply::ReadyOk),
        "info" => info(rest).map(Reply::Info),
        "bestmove" => Some(Reply::Best(next_word(rest).map(|(word, _)| cut(word, LONGEST_NAME)))),
        _ => None,
    }
}

/// The first word of a text, and what follows it.
fn next_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii_start();
    let end = text.find(|symbol: char| symbol.is_ascii_whitespace()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

fn is_keyword(word: &str) -> bool {
    KEYWORDS.split(' ').any(|keyword| keyword == word)
}

/// Reads the text after `info`; none if no field was understood, or if it is only text for people.
fn info(text: &str) -> Option<Info> {
    let mut info = Info::default();
    let mut understood = false;
    let mut words = text.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        // A word is taken only if it is a number: otherwise it may be the next keyword.
        let next = words.peek().copied().unwrap_or_default();
        let known = match word {
            // The rest is text.
            "string" => break,
            "depth" => number(next, &mut info.depth),
            "seldepth" => number(next, &mut info.height),
            "nodes" => number(next, &mut info.nodes),
            "multipv" => number(next, &mut info.multipv),
            "cp" | "mate" => {
                let mut value = None;
                let known = number(next, &mut value);
                let kind = if word == "cp" { UciScore::Centipawns } else { UciScore::Mate };
                info.score = value.map(kind).or(info.score);
                known
            }
            "lowerbound" => {
                info.bound = Some(ScoreBound::Lower);
                continue;
            }
            "upperbound" => {
                info.bound = Some(ScoreBound::Upper);
                continue;
            }
            "pv" => {
                let mut fits = true;
                while let Some(mv) = words.next_if(|word| !is_keyword(word)) {
                    fits &= mv.len() <= LONGEST_MOVE && info.line.len() < LONGEST_PLAY;
                    if fits {
                        info.line.push(mv.to_owned());
                    }
                }
                understood |= !info.line.is_empty();
                continue;
            }
            // These are not kept; they only show that the engine is working.
            "time" | "currmove" | "currmovenumber" | "nps" | "hashfull" | "tbhits" => !is_keyword(next),
            _ => false,
        };
        if known {
            words.next();
            understood = true;
        }
    }
    understood.then_some(info)
}

/// Sets the number if the word is one that fits. Returns whether it is.
fn number<T: FromStr>(word: &str, number: &mut Option<T>) -> bool {
    let read = word.parse().ok();
    let known = read.is_some();
    *number = read.or(number.take());
    known
}

/// The text, cut to at most so many bytes.
fn cut(text: &str, most: usize) -> String {
    text[..text.floor_char_boundary(most)].to_owned()
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;
