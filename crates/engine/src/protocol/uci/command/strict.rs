// SPDX-License-Identifier: GPL-3.0-or-later
//! The lines that the crate `vampirc-uci` reads, with a check that it lost nothing.
//!
//! A line is passed to the crate only if no number in it can cause a panic. The result is accepted only if the crate, writing
//! it as text again, writes all the words of the line. Everything else is left to the other reader.

use std::num::NonZero;
use std::time::Duration;

use vampirc_uci::{UciMessage, UciSearchControl, UciTimeControl, parse_strict};

use super::{Command, Go, Start, one_of};

/// The numbers behind these keywords of `go` are read into a byte by the crate, which panics if one does not fit. Of 0 moves
/// to go the other reader warns.
const BYTES: &[&str] = &["depth", "mate", "movestogo"];

/// The other keywords of `go` that the crate knows.
const OTHERS: &[&str] = &["searchmoves", "ponder", "wtime", "btime", "winc", "binc", "nodes", "movetime", "infinite"];

/// The command of a line that begins with it; none if the crate cannot read it correctly.
pub(super) fn parse(line: &str) -> Option<Command> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let plain = words.join(" ");
    let fit = match *words.first()? {
        "go" => harmless(&words[1..]),
        // Blanks may be part of the value.
        "setoption" => plain == line,
        "uci" | "debug" | "isready" | "ucinewgame" | "position" | "stop" | "ponderhit" | "quit" => true,
        _ => false,
    };
    if !fit {
        return None;
    }
    let message = match <[UciMessage; 1]>::try_from(parse_strict(&plain).ok()?) {
        Ok([message]) => message,
        Err(_) => return None,
    };
    let written = message.to_string();
    let written = match message {
        // The crate writes a value for an option without one.
        UciMessage::SetOption { value: None, .. } => written.trim_end_matches(" value <empty>"),
        _ => &written,
    };
    let mut written: Vec<&str> = written.split_ascii_whitespace().collect();
    let mut words = words;
    // The limits of a search may come in any order. Sorting hides no error of the crate, whose errors are to omit and
    // to truncate.
    if matches!(message, UciMessage::Go { .. }) {
        written.sort_unstable();
        words.sort_unstable();
    }
    if written == words { convert(message) } else { None }
}

/// True if nothing after `go` can make the crate panic. It also reads numbers and keywords that no blank separates
/// (`wtime 1movestogo 300`), so a word that begins with a digit must be a number and nothing else.
fn harmless(words: &[&str]) -> bool {
    let mut previous = "";
    words.iter().all(|word| {
        let keyword = one_of(BYTES, previous);
        previous = word;
        if word.starts_with(|symbol: char| symbol.is_ascii_digit()) {
            let digits = word.bytes().all(|byte| byte.is_ascii_digit());
            digits && (keyword.is_none() || word.parse::<NonZero<u8>>().is_ok())
        } else {
            one_of(BYTES, word).or(one_of(OTHERS, word)).is_some() || like_a_move(word)
        }
    })
}

/// True for chess moves as the crate writes them.
fn like_a_move(word: &str) -> bool {
    matches!(
        word.as_bytes(),
        [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8']
            | [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8', b'q' | b'r' | b'n' | b'b']
    )
}

fn convert(message: UciMessage) -> Option<Command> {
    Some(match message {
        UciMessage::Uci => Command::Uci,
        UciMessage::Debug(on) => Command::Debug(on),
        UciMessage::IsReady => Command::IsReady,
        UciMessage::UciNewGame => Command::NewGame,
        UciMessage::Stop => Command::Stop,
        UciMessage::PonderHit => Command::PonderHit,
        UciMessage::Quit => Command::Quit,
        UciMessage::SetOption { name, value } => Command::SetOption { name, value },
        UciMessage::Position { startpos, fen, moves } => {
            let start = match (startpos, fen) {
                (true, None) => Start::StartPos,
                (false, Some(fen)) => Start::Fen(fen.0),
                _ => return None,
            };
            Command::Position { start, moves: texts(&moves) }
        }
        UciMessage::Go { time_control, search_control } => Command::Go(convert_go(time_control, search_control)?),
        _ => return None,
    })
}

fn convert_go(time: Option<UciTimeControl>, search: Option<UciSearchControl>) -> Option<Go> {
    let mut go = Go::default();
    match time {
        None => {}
        Some(UciTimeControl::Ponder) => go.ponder = true,
        Some(UciTimeControl::Infinite) => go.infinite = true,
        Some(UciTimeControl::MoveTime(time)) => go.move_time = Some(duration(time)?),
        Some(UciTimeControl::TimeLeft { white_time, black_time, white_increment, black_increment, moves_to_go }) => {
            go.white_time = white_time.and_then(duration);
            go.black_time = black_time.and_then(duration);
            go.white_increment = white_increment.and_then(duration);
            go.black_increment = black_increment.and_then(duration);
            go.moves_to_go = moves_to_go.map(u32::from);
        }
    }
    if let Some(search) = search {
        go.search_moves = texts(&search.search_moves);
        go.depth = search.depth.map(u32::from);
        go.nodes = search.nodes;
        go.mate = search.mate.map(u32::from);
    }
    Some(go)
}

/// None for negative times, which never come here: the other reader sets them to zero with a warning.
fn duration(time: vampirc_uci::Duration) -> Option<Duration> {
    u64::try_from(time.num_milliseconds()).ok().map(Duration::from_millis)
}

fn texts(moves: &[vampirc_uci::UciMove]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}
