// SPDX-License-Identifier: GPL-3.0-or-later
//! The reader for any line, word by word.

use std::iter::Peekable;
use std::str::SplitAsciiWhitespace;
use std::time::Duration;

use super::{Command, Go, Start, Warnings, next_word, one_of, quote};

/// The keywords after `go`; `perft` is ours.
pub(super) const GO: &[&str] = &[
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// The command of a line that begins with it; none, and a warning, if something indispensable is missing.
pub(super) fn parse(line: &str, warnings: &mut Warnings) -> Option<Command> {
    let (word, rest) = next_word(line)?;
    let word = word.to_ascii_lowercase();
    let command = match word.as_str() {
        "debug" => return debug(rest, warnings),
        "setoption" => return set_option(rest, warnings),
        "position" => return position(rest, warnings),
        "go" => return go(rest, warnings),
        "register" => return Some(Command::Register),
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "d" => Command::Display,
        "eval" => Command::Eval,
        "bench" => Command::Bench,
        _ => return None,
    };
    warnings.ignored(&word, &rest.split_ascii_whitespace().collect::<Vec<_>>());
    Some(command)
}

fn debug(text: &str, warnings: &mut Warnings) -> Option<Command> {
    let Some((switch, rest)) = skip_to(&["on", "off"], "debug", text, warnings) else {
        warnings.warn("debug: write on or off".to_owned());
        return None;
    };
    warnings.ignored("debug", &rest.split_ascii_whitespace().collect::<Vec<_>>());
    Some(Command::Debug(switch == "on"))
}

fn set_option(text: &str, warnings: &mut Warnings) -> Option<Command> {
    let text = skip_to(&["name"], "setoption", text, warnings).map_or("", |(_, rest)| rest);
    // A name may contain the word `Value`, so the exact spelling `value` ends the name if it occurs.
    let (name, value) = split_at_value(text, |word, _| word == "value")
        .or_else(|| {
            split_at_value(text, |word, rest| word.eq_ignore_ascii_case("value") && !rest.trim_ascii().is_empty())
        })
        .map_or((text, None), |(name, value)| (name, Some(value.to_owned())));
    let name = name.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        warnings.warn("setoption: write setoption name <name> value <value>".to_owned());
        return None;
    }
    Some(Command::SetOption { name, value })
}

/// The texts before and after the word that separates name and value. The first word always belongs to the name.
fn split_at_value(text: &str, separates: impl Fn(&str, &str) -> bool) -> Option<(&str, &str)> {
    let (_, mut rest) = next_word(text)?;
    while let Some((word, after)) = next_word(rest) {
        if separates(word, after) {
            return Some((&text[..text.len() - rest.len()], after.trim_ascii()));
        }
        rest = after;
    }
    None
}

fn position(text: &str, warnings: &mut Warnings) -> Option<Command> {
    let found = skip_to(&["startpos", "fen"], "position", text, warnings);
    let Some((start, rest)) = found else {
        warnings.warn("position: write startpos or fen <fen>".to_owned());
        return None;
    };
    let is_moves = |word: &str| word.eq_ignore_ascii_case("moves");
    let mut words = rest.split_ascii_whitespace();
    let fields: Vec<&str> = words.by_ref().take_while(|word| !is_moves(word)).collect();
    let start = if start == "startpos" {
        warnings.ignored("position startpos", &fields);
        Start::StartPos
    } else if fields.is_empty() {
        warnings.warn("position: no FEN follows fen".to_owned());
        return None;
    } else {
        Start::Fen(fields.join(" "))
    };
    let (again, moves): (Vec<&str>, Vec<&str>) = words.partition(|word| is_moves(word));
    warnings.ignored("position", &again);
    Some(Command::Position { start, moves: moves.into_iter().map(str::to_owned).collect() })
}

fn go(text: &str, warnings: &mut Warnings) -> Option<Command> {
    let mut words = text.split_ascii_whitespace().peekable();
    let mut go = Go::default();
    let mut perft = None;
    let mut wants_perft = false;
    let mut strange = Vec::new();
    while let Some(word) = words.next() {
        let Some(keyword) = one_of(GO, word) else {
            strange.push(word);
            continue;
        };
        warnings.ignored("go", &strange);
        strange.clear();
        wants_perft |= keyword == "perft";
        match keyword {
            "ponder" => flag(&mut go.ponder, keyword, warnings),
            "infinite" => flag(&mut go.infinite, keyword, warnings),
            "searchmoves" => {
                let before = go.search_moves.len();
                while let Some(mv) = words.next_if(|word| one_of(GO, word).is_none()) {
                    go.search_moves.push(mv.to_owned());
                }
                if go.search_moves.len() == before {
                    warnings.warn("go: no move follows searchmoves".to_owned());
                }
            }
            "nodes" => limit(&mut go.nodes, count(keyword, u64::MAX, &mut words, warnings), keyword, warnings),
            "depth" | "mate" | "movestogo" | "perft" => {
                let number = count(keyword, u32::MAX.into(), &mut words, warnings);
                let number = number.and_then(|number| u32::try_from(number).ok());
                let slot = match keyword {
                    "depth" => &mut go.depth,
                    "mate" => &mut go.mate,
                    "movestogo" => &mut go.moves_to_go,
                    _ => &mut perft,
                };
                limit(slot, number, keyword, warnings);
            }
            _ => {
                let time = count(keyword, u64::MAX, &mut words, warnings).map(Duration::from_millis);
                let slot = match keyword {
                    "wtime" => &mut go.white_time,
                    "btime" => &mut go.black_time,
                    "winc" => &mut go.white_increment,
                    "binc" => &mut go.black_increment,
                    _ => &mut go.move_time,
                };
                limit(slot, time, keyword, warnings);
            }
        }
    }
    warnings.ignored("go", &strange);
    // UCI: movestogo is sent only if it is more than 0, and without it the clock is for the rest of the game.
    if go.moves_to_go == Some(0) {
        warnings.warn("go: movestogo 0 is read as sudden death".to_owned());
        go.moves_to_go = None;
    }
    if !wants_perft {
        return Some(Command::Go(go));
    }
    if go != Go::default() {
        warnings.warn("go: everything but perft ignored".to_owned());
    }
    // `perft` without a depth has a warning already, and must not become a search.
    perft.map(Command::Perft)
}

/// The first of some keywords, and what follows it; the words before it are ignored with a warning, those of a line
/// that has no such word as well.
fn skip_to<'a>(
    keywords: &[&'static str],
    place: &str,
    text: &'a str,
    warnings: &mut Warnings,
) -> Option<(&'static str, &'a str)> {
    let mut skipped = Vec::new();
    let mut rest = text;
    let mut found = None;
    while let Some((word, after)) = next_word(rest) {
        rest = after;
        if let Some(keyword) = one_of(keywords, word) {
            found = Some((keyword, rest));
            break;
        }
        skipped.push(word);
    }
    warnings.ignored(place, &skipped);
    found
}

fn flag(slot: &mut bool, keyword: &str, warnings: &mut Warnings) {
    if *slot {
        warnings.warn(format!("go: duplicate {keyword}"));
    }
    *slot = true;
}

fn limit<T>(slot: &mut Option<T>, value: Option<T>, keyword: &str, warnings: &mut Warnings) {
    if value.is_some() && std::mem::replace(slot, value).is_some() {
        warnings.warn(format!("go: duplicate {keyword}, the last one counts"));
    }
}

/// The number after a keyword, clamped to 0 to `most` with a warning.
fn count(
    keyword: &str,
    most: u64,
    words: &mut Peekable<SplitAsciiWhitespace<'_>>,
    warnings: &mut Warnings,
) -> Option<u64> {
    // A keyword in place of the number keeps its own meaning.
    let Some(word) = words.next_if(|word| one_of(GO, word).is_none()) else {
        warnings.warn(format!("go: no number follows {keyword}"));
        return None;
    };
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        warnings.warn(format!("go: {keyword} {} ignored, expected an integer", quote(word)));
        return None;
    }
    // Digits can only fail by overflow.
    let number = digits.parse::<u64>().unwrap_or(u64::MAX);
    let within = if word.starts_with('-') { 0 } else { number.min(most) };
    let exact = if word.starts_with('-') { number == 0 } else { digits.parse() == Ok(within) };
    if !exact {
        warnings.warn(format!("go: {keyword} {} is read as {within}", quote(word)));
    }
    Some(within)
}
